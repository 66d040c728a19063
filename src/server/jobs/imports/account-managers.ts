import { sql } from 'kysely'
import { createAccountManager } from '#contract/account-manager-changes.ts'
import { importText } from '#domain/import.ts'
import type { MappingField } from '#domain/mapping-fields.ts'
import { firstNames } from '#domain/text.ts'
import { cellOf, rejectLines } from '#server/jobs/imports/matched.ts'
import { recordEvent } from '#server/tables/audit.ts'
import type { Tx } from '#server/tables/database.ts'
import { insertStaff, lockStaff } from '#server/tables/staff.ts'

/** An employee file and its sender. */
interface EmployeeFile {
  id: number
  employer_id: number
  organization_id: number
  fields: ReadonlySet<MappingField>
  received_by: string
  received_by_name: string
}

/**
 * Maximum number of different account managers in one file. A column with more contains something else, such as the employees'
 * own e-mail.
 */
const maxAccountManagers = 50

const email = sql`lower(${cellOf('account_manager_email')})`

/** Why a file has too many account managers to be correct; null if it does not. */
export async function tooManyAccountManagers(tx: Tx, { fields }: Pick<EmployeeFile, 'fields'>): Promise<string | null> {
  if (!fields.has('account_manager_email')) return null
  const { rows } = await sql`select distinct ${email} from staged_lines l where ${email} is not null
    limit ${maxAccountManagers + 1}`.execute(tx)
  return rows.length > maxAccountManagers
    ? `The file names over ${maxAccountManagers} different account managers. Map 'Account manager e-mail' to another column.`
    : null
}

/** Rejects lines whose account manager is an admin: a file must not change admins. */
export async function rejectAdmins(tx: Tx, { fields }: Pick<EmployeeFile, 'fields'>): Promise<void> {
  if (!fields.has('account_manager_email')) return
  await rejectLines(
    tx,
    sql`${email} in (select person.email from people person where person.kind = 'ADMIN' and person.status <> 'DELETED')`,
    sql`${cellOf('account_manager_email')} || ' belongs to an admin, who cannot be an account manager. Correct the address.'`,
    { column: sql`'Account manager e-mail'` },
  )
}

/**
 * Adds unknown account managers in the staged lines (ENT-003), with access to the employer of the file, no permissions and no
 * invitation, so that they cannot sign in. Known ones stay unchanged. Returns a note about it for people; null if there is
 * nothing to note.
 */
export async function addAccountManagers(tx: Tx, file: EmployeeFile): Promise<string | null> {
  if (!file.fields.has('account_manager_email')) return null
  const { employer_id, organization_id } = file
  const { rows: named } = await sql<{ email: string; known: boolean; open: boolean }>`
    select named.email, person.id is not null as known, exists (select from access_grants granted where granted.person_id = person.id
      and (granted.employer_id = ${employer_id} or granted.organization_id = ${organization_id})) as open
    from (select distinct ${email} as email from staged_lines l where ${email} is not null) named
    left join people person on person.email = named.email and person.status <> 'DELETED' order by named.email`.execute(tx)
  const unknown = named.filter(({ known }) => !known)
  if (unknown.length > 0) await lockStaff(tx)
  const added: string[] = []
  for (const one of unknown) if (await addOne(tx, file, one.email)) added.push(one.email)
  const closed = named.flatMap((one) => (one.known && !one.open ? one.email : []))
  const notes = [
    ...(added.length > 0 ? [`New account managers, who are not invited yet: ${firstNames(added)}.`] : []),
    ...(closed.length > 0
      ? [`Account managers without access to this employer, which no file gives: ${firstNames(closed)}.`]
      : []),
  ]
  return notes.length === 0 ? null : notes.join(' ')
}

/** Adds one; false if somebody has the e-mail by now. The e-mail is used as name until somebody enters one. */
async function addOne(tx: Tx, file: EmployeeFile, address: string): Promise<boolean> {
  const { rows } = await sql<{ brand: string; name: string }>`
    select brand, internal_name as name from employers where id = ${file.employer_id}`.execute(tx)
  const [employer] = rows
  const id = await insertStaff(tx, {
    kind: 'ACCOUNT_MANAGER',
    name: address,
    email: address,
    brand: employer?.brand ?? null,
    origin: 'INGESTION',
    status: 'NOT_INVITED',
  })
  if (id === null) return false
  await sql`insert into access_grants (person_id, employer_id) values (${id}, ${file.employer_id})`.execute(tx)
  await recordEvent(tx, {
    actor: { id: file.received_by, name: file.received_by_name },
    intent: createAccountManager.id,
    entity: 'account-manager',
    entityId: id,
    status: createAccountManager.event,
    text: importText(file.id),
    after: { name: address, email: address, status: 'NOT_INVITED', employers: employer?.name ?? '' },
    version: 1,
  })
  return true
}
