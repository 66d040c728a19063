import { type RawBuilder, sql } from 'kysely'
import { confirmDeduction } from '#contract/deductions.ts'
import { afterConfirmation } from '#domain/deduction.ts'
import { importText } from '#domain/import.ts'
import { firstNames } from '#domain/text.ts'
import { type ImportContext, nothingDone, type Outcome } from '#server/jobs/imports/apply-employees.ts'
import { cellOf, match, rejectLines, rejectUnknown } from '#server/jobs/imports/matched.ts'
import { recordEvent } from '#server/tables/audit.ts'
import type { Tx } from '#server/tables/database.ts'
import type { RowKey } from '#server/tables/rows.ts'
import {
  confirmLines,
  type DeductionRow,
  deductionSnapshot,
  type LockedDeduction,
  lockDeduction,
  oneDeduction,
  paymentDate,
  saveDeduction,
  writtenOffUntil,
} from '#server/tables/deductions.ts'
import { numberOf, numberPrefix } from '#server/tables/invoices.ts'

const dollars = (cents: RawBuilder<unknown>) => sql`'$' || to_char((${cents}) / 100.0, 'FM999,999,999,990.00')`
const invoiceNumber = sql`${numberPrefix}::text || c.invoice_id`
/** Whether staged line `l` may refer to an invoice line that matches `where`, a condition on `c`. */
const refersTo = (where: RawBuilder<unknown>) => sql`l.line in (select line from staged_confirmed c where ${where})`
/** A value of the one invoice line that line `l` refers to. */
const confirmed = (value: RawBuilder<unknown>) => sql`(select ${value} from staged_confirmed c where c.line = l.line)`

/** Locks the deductions of an employer that wait for a confirmation, then their invoices, in order of id. */
async function lockWaiting(tx: Tx, employerId: number): Promise<Map<number, LockedDeduction>> {
  const { rows } = await sql<RowKey>`select d.id, d.organization_id from deductions d
    join invoices i on i.id = d.invoice_id and i.organization_id = d.organization_id
    where i.employer_id = ${employerId} and d.status = 'WAITING_CONFIRMATION' order by d.id`.execute(tx)
  const waiting = new Map<number, LockedDeduction>()
  for (const key of rows) {
    const locked = await lockDeduction(tx, null, key)
    if (locked?.status === 'WAITING_CONFIRMATION') waiting.set(key.id, locked)
  }
  return waiting
}

/**
 * Finds the invoice lines that each staged line may refer to, into `staged_confirmed`: lines of that employee in a delivered file
 * that waits for its confirmation, and of the period in the line, if it has one.
 */
const findRequested = (tx: Tx, { organization_id }: ImportContext, deductions: readonly number[]) =>
  sql`insert into staged_confirmed (line, line_id, deduction_id, invoice_id, asked, is_known, withheld, not_withheld)
    select * from (
      select l.line, line.id as line_id, d.id as deduction_id, invoice.id as invoice_id,
        line.original_amount - ${writtenOffUntil(sql`d.delivered_at`)} as asked, line.withheld_amount is not null as is_known,
        ${cellOf('deduction_withheld')}::bigint as withheld, ${cellOf('deduction_not_withheld')}::bigint as not_withheld
      from staged_people p join staged_lines l on l.line = p.line
      join invoice_lines line on line.organization_id = ${organization_id} and line.employee_id = p.employee_id
      join deductions d on d.organization_id = line.organization_id and d.invoice_id = line.invoice_id
        and d.id = any(${deductions}::bigint[])
      join invoices invoice on invoice.organization_id = d.organization_id and invoice.id = d.invoice_id
      where coalesce(${cellOf('period_start')}::date = invoice.period_start, true)
        and coalesce(${cellOf('period_end')}::date = invoice.period_end, true)
        and coalesce(${cellOf('payment_date')}::date = ${paymentDate}, true)) found
    where asked > 0`.execute(tx)

const forgetRejected = (tx: Tx) =>
  sql`delete from staged_confirmed c where not exists (select from staged_lines l where l.line = c.line)`.execute(tx)

/** Rejects lines that are ambiguous, and amounts that are invalid. */
async function validate(tx: Tx): Promise<void> {
  const period = sql`(l.values ?| array['period_start', 'period_end', 'payment_date'])`
  await rejectLines(
    tx,
    sql`not ${refersTo(sql`true`)}`,
    sql`'No deduction of ' || l.identifier || case when ${period} then ' for this period' else '' end || ' waits for a confirmation.'`,
  )
  // Where several deductions match, those already confirmed are ruled out.
  await sql`delete from staged_confirmed c where c.is_known and exists (
    select from staged_confirmed other where other.line = c.line and not other.is_known)`.execute(tx)
  await rejectLines(
    tx,
    sql`(select count(*) from staged_confirmed c where c.line = l.line) > 1`,
    sql`'Several deductions of ' || l.identifier || ' wait for a confirmation, and the line does not single out one of them by its period or payment date: '
      || ${confirmed(sql`string_agg(${invoiceNumber}, ', ' order by c.invoice_id)`)} || '.'`,
  )
  await forgetRejected(tx)
  // It is unknown whether they add up or one of them is correct.
  await rejectLines(
    tx,
    refersTo(sql`c.line_id in (select line_id from staged_confirmed group by line_id having count(*) > 1)`),
    sql`'Several lines are about ' || l.identifier || ' and ' || ${confirmed(invoiceNumber)} || '.'`,
  )
  const requestedAmount = confirmed(dollars(sql`c.asked`))
  await rejectLines(
    tx,
    refersTo(sql`c.withheld > c.asked or c.not_withheld > c.asked`),
    sql`'The amount cannot exceed what was asked for: ' || ${requestedAmount} || '.'`,
  )
  await rejectLines(
    tx,
    refersTo(sql`c.withheld + c.not_withheld <> c.asked`),
    sql`'Withheld and not withheld come to ' || ${confirmed(dollars(sql`c.withheld + c.not_withheld`))} || ', and ' || ${requestedAmount} || ' was asked for.'`,
  )
  await forgetRejected(tx)
}

/** The confirmations in a file for one deduction. */
interface ConfirmedLine {
  deduction_id: number
  confirmations: { line_id: number; withheld_amount: number }[]
}

/**
 * Records the confirmations for a locked deduction, which is complete once everybody is confirmed. Returns the number of employees
 * still unconfirmed.
 */
async function record(
  tx: Tx,
  applying: ImportContext,
  before: LockedDeduction,
  { confirmations }: ConfirmedLine,
): Promise<number> {
  const { id, now, received_by, received_by_name } = applying
  await confirmLines(tx, before, confirmations)
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from invoice_lines line
    where line.organization_id = ${before.organization_id} and line.invoice_id = ${before.invoice_id} and line.withheld_amount is null
      and line.original_amount > ${writtenOffUntil(sql`${before.delivered_at}`)}`.execute(tx)
  const unknown = rows[0]?.count ?? 0
  const last = unknown === 0
  const values = { status: afterConfirmation(last), confirmations: before.confirmations + 1, confirmed_at: last ? now : null }
  await saveDeduction(tx, before, values, now)
  const after = (await oneDeduction(tx, null, before)) as DeductionRow
  await recordEvent(tx, {
    actor: { id: received_by, name: received_by_name },
    intent: confirmDeduction.id,
    entity: 'deduction',
    entityId: String(after.id),
    status: confirmDeduction.event,
    text: importText(id),
    before: deductionSnapshot(before),
    after: deductionSnapshot(after),
    version: after.version,
  })
  return unknown
}

/**
 * Applies the staged lines of a file in which an employer reports what it withheld (docs/rules/deductions.md): each is recorded
 * for the waiting deduction, as when a person records it.
 */
export async function applyConfirmations(tx: Tx, applying: ImportContext): Promise<Outcome> {
  await match(tx, 'CONFIRMATION', applying)
  await rejectUnknown(tx, applying)
  const waiting = await lockWaiting(tx, applying.employer_id)
  await findRequested(tx, applying, [...waiting.keys()])
  await validate(tx)
  const { rows } = await sql<ConfirmedLine>`
    select deduction_id, json_agg(json_build_object('line_id', line_id, 'withheld_amount', coalesce(withheld, asked - not_withheld))
      order by line) as confirmations
    from staged_confirmed group by deduction_id order by deduction_id`.execute(tx)
  const rest: string[] = []
  for (const one of rows) {
    const before = waiting.get(one.deduction_id) as LockedDeduction
    const unknown = await record(tx, applying, before, one)
    if (unknown > 0) rest.push(`${numberOf(before.invoice_id)} (${unknown === 1 ? '1 employee' : `${unknown} employees`})`)
  }
  return {
    ...nothingDone,
    changed: rows.reduce((sum, { confirmations }) => sum + confirmations.length, 0),
    note: rest.length === 0 ? null : `More confirmations are waited for: ${firstNames(rest)}.`,
  }
}
