import { type Generated, type Selectable, sql } from 'kysely'
import { DataEmail, listDataEmails } from '#contract/data-emails.ts'
import type { DataEmailType } from '#domain/data-email.ts'
import type { Actor, Reader } from '#server/access/actor.ts'
import { openTo, organizationWholeTo } from '#server/access/scope.ts'
import { defineList, every } from '#server/paging/define-list.ts'
import { choice, idIn, words } from '#server/tables/conditions.ts'
import type { Tx } from '#server/tables/database.ts'
import { answerOf } from '#server/tables/answer-of.ts'
import { selectAll } from '#server/postgres/select.ts'
import { insertRow } from '#server/tables/rows.ts'

/** The table `data_emails`: the addresses that may send data files. */
export interface DataEmailTable {
  id: Generated<number>
  organization_id: number
  employer_id: number | null
  type: DataEmailType
  email: string
  created_at: Generated<Date>
  created_by: string
  created_by_name: string
  version: Generated<number>
}

declare module '#server/tables/database.ts' {
  interface Database {
    data_emails: DataEmailTable
  }
}

/** A data e-mail with the names of its owner. */
export interface DataEmailRow extends Selectable<DataEmailTable> {
  organization_name: string
  employer_name: string | null
}

const column = (name: string) => sql.ref(`e.${name}`)
/** An address of an employer is open where the employer is; one of an organization, to people granted all of it. */
const openToReader = (actor: Reader) =>
  sql`case when e.employer_id is null then ${organizationWholeTo(actor, column('organization_id'))} else ${openTo(actor, column('employer_id'))} end`

const joined = sql`data_emails e join organizations organization on organization.id = e.organization_id
  left join employers employer on employer.id = e.employer_id`

const level = sql`case when e.employer_id is null then 'ORGANIZATION' else 'EMPLOYER' end`

/** Data e-mails, by address by default. */
export const dataEmailList = defineList({
  endpoint: listDataEmails,
  from: joined,
  open: openToReader,
  filters: {
    ...choice('type', column('type')),
    ...choice('level', level),
    'employer-id': idIn(column('employer_id')),
    'organization-id': idIn(column('organization_id')),
    email: (email) => sql`e.email = ${email.toLowerCase()}`,
    q: (text) => every(words(sql`fold(e.email || ' ' || coalesce(employer.internal_name, ''))`, text)),
  },
  sorts: {
    id: null,
    email: sql`e.email collate "C"`,
    type: column('type'),
    employer: sql`coalesce(employer.name_key, '')`,
    created_at: column('created_at'),
  },
  columns: sql<DataEmailRow>`e.*, organization.name as organization_name, employer.internal_name as employer_name`,
  lock: (id) => sql`select 1 from data_emails where id = ${id} for update`,
})

export const oneDataEmail = dataEmailList.one

/** The owner of addresses: an organization, or one of its employers. */
export interface DataEmailOwner {
  organization_id: number
  employer_id: number | null
}

/** The addresses of an owner by type. */
export async function addressesOf(tx: Tx, owner: DataEmailOwner): Promise<Pick<DataEmailRow, 'type' | 'email'>[]> {
  return selectAll<Pick<DataEmailRow, 'type' | 'email'>>(tx)`
    select type, email from data_emails where organization_id = ${owner.organization_id}
      and employer_id is not distinct from ${owner.employer_id}::bigint`
}

/** Adds an address to an owner whose organization is locked; returns its id. */
export async function insertDataEmail(
  tx: Tx,
  actor: Actor,
  values: DataEmailOwner & Pick<DataEmailTable, 'type' | 'email'>,
): Promise<number> {
  return insertRow(tx, 'data_emails', { ...values, created_by: actor.id, created_by_name: actor.name })
}

/** Deletes a locked address. */
export const deleteDataEmailRow = (tx: Tx, id: number) => tx.deleteFrom('data_emails').where('id', '=', id).execute()

/** A data e-mail as returned by the API. */
export const toDataEmail = (row: DataEmailRow): DataEmail =>
  answerOf(DataEmail, {
    ...row,
    level: row.employer_id === null ? 'ORGANIZATION' : 'EMPLOYER',
    created_by: row.created_by_name,
  })
