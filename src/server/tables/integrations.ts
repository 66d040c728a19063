import { type RawBuilder, type Selectable, sql } from 'kysely'
import { Integration, searchIntegrations } from '#contract/integrations.ts'
import type { ImportType, IntegrationType, SftpType } from '#domain/integration.ts'
import type { Reader } from '#server/access/actor.ts'
import { openTo, organizationWholeTo } from '#server/access/scope.ts'
import { defineList, every } from '#server/paging/define-list.ts'
import { choice, idIn, words } from '#server/tables/conditions.ts'
import type { Stamped, Tx } from '#server/tables/database.ts'
import { answerOf } from '#server/tables/answer-of.ts'
import { selectAll } from '#server/postgres/select.ts'
import { insertRow } from '#server/tables/rows.ts'

/** The table `integrations`. */
export interface IntegrationTable extends Stamped {
  organization_id: number
  employer_id: number | null
  type: IntegrationType
  import_type: ImportType
  vendor: string | null
  product: string | null
  url: string | null
  sftp_type: SftpType | null
  username: string | null
  password_sealed: string | null
  ssh_key_sealed: string | null
  incremental: boolean
  terminated_values: string[]
  created_by: string
  created_by_name: string
}

declare module '#server/tables/database.ts' {
  interface Database {
    integrations: IntegrationTable
  }
}

/** An integration as read from the database: instead of its credentials, only their kind. */
export interface IntegrationRow extends Omit<Selectable<IntegrationTable>, 'password_sealed' | 'ssh_key_sealed'> {
  authentication: Integration['authentication']
  organization_name: string
  employer_name: string | null
}

const column = (name: string) => sql.ref(`e.${name}`)
/** An integration of an employer is open where the employer is; one of an organization, to people granted all of it. */
const open = (actor: Reader) =>
  sql`case when e.employer_id is null then ${organizationWholeTo(actor, column('organization_id'))} else ${openTo(actor, column('employer_id'))} end`

const joined = sql`integrations e join organizations organization on organization.id = e.organization_id
  left join employers employer on employer.id = e.employer_id`
const level = sql`case when e.employer_id is null then 'ORGANIZATION' else 'EMPLOYER' end`

async function read(
  tx: Tx,
  chosen: RawBuilder<unknown>,
  order: RawBuilder<unknown>,
): Promise<(IntegrationRow & { key: unknown })[]> {
  return selectAll<IntegrationRow & { key: unknown }>(tx)`
    select chosen.key, e.id, e.organization_id, e.employer_id, e.type, e.import_type, e.vendor, e.product, e.url, e.sftp_type, e.username,
      case when e.password_sealed is not null then 'PASSWORD' when e.ssh_key_sealed is not null then 'SSH_KEY' end as authentication,
      e.incremental, e.terminated_values, e.created_at, e.created_by, e.created_by_name, e.updated_at, e.version,
      organization.name as organization_name, employer.internal_name as employer_name
    from (${chosen}) chosen join ${joined} on e.id = chosen.id order by ${order}`
}

/** Integrations, oldest first by default. */
export const integrationList = defineList({
  endpoint: searchIntegrations,
  from: joined,
  open,
  filters: {
    ...choice('type', column('type')),
    ...choice('import-type', column('import_type')),
    ...choice('level', level),
    ...choice('vendor', column('vendor')),
    'employer-id': idIn(column('employer_id')),
    'organization-id': idIn(column('organization_id')),
    q: (text) =>
      every(
        words(
          sql`fold(coalesce(employer.internal_name, '') || ' ' || coalesce(e.url, '') || ' ' || coalesce(e.vendor, ''))`,
          text,
        ),
      ),
  },
  sorts: {
    id: null,
    type: column('type'),
    import_type: column('import_type'),
    employer: sql`coalesce(employer.name_key, '')`,
    vendor: sql`coalesce(e.vendor, '')`,
    updated_at: column('updated_at'),
  },
  read: ({ tx }, chosen, order) => read(tx, chosen, order),
})

/**
 * Integrations with these ids that the person may see, in the order of the ids. With `lock` nobody else changes them before the
 * commit.
 */
export async function integrationsWith(
  tx: Tx,
  actor: Reader,
  ids: readonly number[],
  { lock = false } = {},
): Promise<IntegrationRow[]> {
  const wanted = sql`${[...new Set(ids)]}::bigint[]`
  if (lock) await sql`select 1 from integrations where id = any(${wanted}) order by id for update`.execute(tx)
  return read(tx, sql`select e.id, null as key from ${joined} where e.id = any(${wanted}) and ${open(actor)}`, sql`e.id`)
}

/** The import types that an owner, an organization or an employer of it, already has. */
export async function importsOf(tx: Tx, owner: { organization_id: number; employer_id: number | null }): Promise<ImportType[]> {
  const { rows } = await sql<{ import_type: ImportType }>`select import_type from integrations
    where organization_id = ${owner.organization_id} and employer_id is not distinct from ${owner.employer_id}::bigint`.execute(
    tx,
  )
  return rows.map(({ import_type }) => import_type)
}

/** Adds an integration; returns its id. */
export async function insertIntegration(
  tx: Tx,
  values: Omit<IntegrationTable, 'id' | 'created_at' | 'updated_at' | 'version'>,
): Promise<number> {
  return insertRow(tx, 'integrations', values)
}

/** Sets vendor and product of a locked integration. */
export async function saveVendor(tx: Tx, id: number, vendor: string, product: string | null, now: Date): Promise<void> {
  await sql`update integrations set vendor = ${vendor}, product = ${product}, updated_at = ${now}, version = version + 1
    where id = ${id}`.execute(tx)
}

/** Deletes a locked integration. */
export const deleteIntegrationRow = (tx: Tx, id: number) => tx.deleteFrom('integrations').where('id', '=', id).execute()

/** An integration as returned by the API. */
export const toIntegration = (row: IntegrationRow): Integration =>
  answerOf(Integration, {
    ...row,
    level: row.employer_id === null ? 'ORGANIZATION' : 'EMPLOYER',
    created_by: row.created_by_name,
  })
