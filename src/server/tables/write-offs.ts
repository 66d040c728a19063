import { type Generated, type RawBuilder, type Selectable, type Updateable, sql } from 'kysely'
import { WriteOff } from '#contract/write-offs.ts'
import { isSuperAdmin } from '#domain/permission-groups.ts'
import type { LineFacts } from '#domain/invoice-line.ts'
import type { WriteOffReason, WriteOffStatus } from '#domain/write-off.ts'
import { openTo } from '#server/access/scope.ts'
import type { Actor } from '#server/access/actor.ts'
import type { Tx } from '#server/tables/database.ts'
import { lockWithDeduction } from '#server/tables/deductions.ts'
import { type InvoiceRow, numberOf } from '#server/tables/invoices.ts'
import { answerOf } from '#server/tables/answer-of.ts'
import { selectAll } from '#server/postgres/select.ts'
import { isRow, keyOf, type RowKey, type RowOrId, saveRow } from '#server/tables/rows.ts'

/** The table `write_offs`; amounts in cents. */
export interface WriteOffTable {
  organization_id: number
  id: Generated<number>
  invoice_id: number
  line_id: number
  suggested_amount: number
  approved_amount: number | null
  reason: WriteOffReason
  details: string | null
  status: Generated<WriteOffStatus>
  suggested_by: string
  suggested_by_name: string
  suggested_at: Generated<Date>
  decided_by: string | null
  decided_by_name: string | null
  decided_at: Date | null
  decision_reason: string | null
  comments: string | null
  updated_at: Generated<Date>
  version: Generated<number>
}

declare module '#server/tables/database.ts' {
  interface Database {
    write_offs: WriteOffTable
  }
}

/** A write-off with the data that its rules and the API need. */
export interface WriteOffRow extends Selectable<WriteOffTable> {
  invoice_status: string
  invoice_version: number
  employer_id: number
  employer_name: string
  organization_id: number
  organization_name: string
  employee_id: number
  employee_name: string
  /** Whether the reader suggested it and holds no exemption. */
  own: boolean
}

/** A locked write-off with its locked invoice. */
export interface LockedWriteOff extends WriteOffRow {
  invoice: InvoiceRow
}

type Reader = Pick<Actor, 'id' | 'kind' | 'groupIds'>

/** Reads write-offs; `chosen` selects their keys, as columns `id` and `organization_id`, and a sort key, `key`. */
export async function readWriteOffs(
  tx: Tx,
  actor: Reader,
  chosen: RawBuilder<unknown>,
  order: RawBuilder<unknown> = sql`chosen.id`,
): Promise<(WriteOffRow & { key: unknown })[]> {
  return selectAll<WriteOffRow & { key: unknown }>(tx)`
    select chosen.key, w.id, w.invoice_id, i.status as invoice_status, i.version as invoice_version, i.employer_id, employer.internal_name as employer_name,
      organization.id as organization_id, organization.name as organization_name, w.line_id, line.employee_id,
      employee.first_name || ' ' || employee.last_name as employee_name, w.suggested_amount, w.approved_amount, w.reason,
      w.details, w.status, w.suggested_by, w.suggested_by_name, w.suggested_at, w.decided_by, w.decided_by_name, w.decided_at,
      w.decision_reason, w.comments, w.updated_at, w.version,
      w.suggested_by = ${isSuperAdmin(actor.groupIds) ? '' : actor.id} as own
    from (${chosen}) chosen join write_offs w on w.id = chosen.id and w.organization_id = chosen.organization_id
    join invoices i on i.id = w.invoice_id and i.organization_id = w.organization_id
    join employers employer on employer.id = i.employer_id
    join organizations organization on organization.id = employer.organization_id
    join invoice_lines line on line.id = w.line_id and line.organization_id = w.organization_id
    join employees employee on employee.id = line.employee_id and employee.organization_id = line.organization_id
    order by ${order}`
}

/** Write-offs `w` with their invoices `i`. */
const withInvoice = sql`write_offs w join invoices i on i.id = w.invoice_id and i.organization_id = w.organization_id`

const chosenBy = (actor: Pick<Actor, 'id' | 'kind'>, condition: RawBuilder<boolean>) => sql`
  select w.id, w.organization_id, null as key from ${withInvoice}
  where ${condition} and ${openTo(actor, sql.ref('i.employer_id'))}`

/** One write-off, if the person may see it. */
export const oneWriteOff = async (tx: Tx, actor: Reader, of: RowOrId): Promise<WriteOffRow | null> =>
  (await readWriteOffs(tx, actor, chosenBy(actor, typeof of === 'number' ? sql`w.id = ${of}` : isRow('w', of))))[0] ?? null

/** The write-offs of an invoice that the person may see, oldest first. */
export const writeOffsOf = (tx: Tx, actor: Reader, { id, organization_id }: RowKey): Promise<WriteOffRow[]> =>
  readWriteOffs(tx, actor, chosenBy(actor, sql`w.invoice_id = ${id} and w.organization_id = ${organization_id}`))

/** A write-off locked until the transaction ends, then its deduction and its invoice; null if it is not open. */
export async function lockWriteOff(tx: Tx, actor: Actor, of: RowOrId): Promise<LockedWriteOff | null> {
  const key = typeof of === 'number' ? await keyOf(tx, 'write_offs', of) : of
  if (!key) return null
  const { rows } = await sql<RowKey>`
    select i.id, i.organization_id from ${withInvoice}
    where ${isRow('w', key)} and ${openTo(actor, sql.ref('i.employer_id'))} for update of w`.execute(tx)
  const [locked] = rows
  if (!locked) return null
  // Pipelined in one round trip: it is read after the locks.
  const [invoice, row] = await Promise.all([lockWithDeduction(tx, actor, locked), oneWriteOff(tx, actor, key)])
  return invoice && row ? { ...row, invoice } : null
}

/** A line of an invoice as input for the rules on suggestions. */
export interface SuggestedLine extends LineFacts {
  id: number
  employee_name: string
}

/** The lines of a locked invoice with these ids; others are left out. */
export async function linesToWriteOff(tx: Tx, invoice: RowKey, ids: readonly number[]): Promise<SuggestedLine[]> {
  return selectAll<SuggestedLine>(tx)`
    select line.id, employee.first_name || ' ' || employee.last_name as employee_name, line.original_amount, line.writeoff_amount,
      coalesce((select sum(w.suggested_amount)::bigint from write_offs w
        where w.organization_id = line.organization_id and w.line_id = line.id and w.status = 'PENDING'), 0)
        as pending_amount
    from invoice_lines line
    join employees employee on employee.id = line.employee_id and employee.organization_id = line.organization_id
    where line.invoice_id = ${invoice.id} and line.organization_id = ${invoice.organization_id} and line.id = any(${[...ids]}::bigint[])`
}

/** The amount of pending write-offs of a locked invoice, in cents. */
export async function pendingAmountOf(tx: Tx, invoice: RowKey): Promise<number> {
  const { rows } = await sql<{ amount: number }>`
    select coalesce(sum(suggested_amount), 0)::bigint as amount from write_offs
    where invoice_id = ${invoice.id} and organization_id = ${invoice.organization_id} and status = 'PENDING'`.execute(tx)
  return rows[0]?.amount ?? 0
}

/** Stores suggestions for lines of a locked invoice; returns their ids. */
export async function insertWriteOffs(
  tx: Tx,
  by: Pick<Actor, 'id' | 'name'>,
  invoice: RowKey,
  suggestions: readonly { line_id: number; amount: number; reason: WriteOffReason; details?: string | undefined }[],
  now: Date,
): Promise<number[]> {
  const made = await tx
    .insertInto('write_offs')
    .values(
      suggestions.map(({ line_id, amount, reason, details }) => ({
        organization_id: invoice.organization_id,
        invoice_id: invoice.id,
        line_id,
        suggested_amount: amount,
        reason,
        details: details ?? null,
        suggested_by: by.id,
        suggested_by_name: by.name,
        suggested_at: now,
        updated_at: now,
        ...undecided,
      })),
    )
    .returning('id')
    .execute()
  return made.map((row) => row.id)
}

const undecided = {
  approved_amount: null,
  decided_by: null,
  decided_by_name: null,
  decided_at: null,
  decision_reason: null,
  comments: null,
}

/** Changes a locked write-off and increments its version. */
export async function saveWriteOff(tx: Tx, of: RowKey, changes: Updateable<WriteOffTable>, now: Date): Promise<void> {
  await saveRow(tx, 'write_offs', of, changes, now)
}

/** The snapshot of a write-off for the history. */
export const writeOffSnapshot = ({
  status,
  suggested_amount,
  approved_amount,
  reason,
}: WriteOffRow): Record<string, unknown> => ({ status, suggested_amount, approved_amount, reason })

const actorOf = (id: string | null, name: string | null) => (id === null ? null : { id, name: name ?? '' })

/** A write-off as returned by the API. */
export const toWriteOff = (row: WriteOffRow): WriteOff =>
  answerOf(WriteOff, {
    ...row,
    invoice_number: numberOf(row.invoice_id),
    employer: { id: row.employer_id, name: row.employer_name },
    organization: { id: row.organization_id, name: row.organization_name },
    suggested_by: { id: row.suggested_by, name: row.suggested_by_name },
    decided_by: actorOf(row.decided_by, row.decided_by_name),
  })
