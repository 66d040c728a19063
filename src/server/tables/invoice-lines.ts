import { type Generated, sql } from 'kysely'
import type { InvoiceLine, listBalanceInvoices } from '#contract/invoices.ts'
import type { AnswerOf } from '#contract/define.ts'
import { openTo } from '#server/access.ts'
import type { Actor, Tx } from '#server/route.ts'
import { numberOf } from '#server/tables/invoices.ts'

/** The table `invoice_lines`; amounts in cents. */
export interface InvoiceLineTable {
  id: Generated<number>
  invoice_id: number
  employee_id: number
  department_code: string | null
  original_amount: number
  writeoff_amount: Generated<number>
  withheld_amount: number | null
}

/** The place of a line in the list: the employee's name as it is sorted, and the line's id. */
export type LinePosition = readonly [name: string, id: number]

/** Everything that the wire tells of lines `line`. */
const columns = sql`
  line.id, line.employee_id, employee.first_name || ' ' || employee.last_name as employee_name, employee.employee_code,
  line.department_code, line.original_amount, line.writeoff_amount, coalesce(pending.amount, 0)::bigint as pending_amount,
  (line.original_amount - line.writeoff_amount - coalesce(pending.amount, 0))::bigint as outstanding_amount,
  line.withheld_amount`
const joined = sql`join employees employee on employee.id = line.employee_id
  left join lateral (select sum(suggested_amount) as amount from write_offs
    where write_offs.line_id = line.id and write_offs.status = 'PENDING') pending on true`

/** At most `limit` lines of an invoice, by last name, first name and id, and where to go on from; null at the end. */
export async function linesOfInvoice(
  tx: Tx,
  invoiceId: number,
  from: LinePosition | null,
  limit: number,
): Promise<{ lines: InvoiceLine[]; next: LinePosition | null }> {
  const after = from ? sql`and (employee.name_key, line.id) > (${from[0]}, ${from[1]})` : sql``
  const { rows } = await sql<InvoiceLine & { name_key: string }>`
    select ${columns}, employee.name_key from invoice_lines line ${joined}
    where line.invoice_id = ${invoiceId} ${after} order by employee.name_key, line.id limit ${limit + 1}`.execute(tx)
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return {
    lines: page.map(({ name_key: _, ...line }) => line),
    next: rows.length > limit && last ? [last.name_key, last.id] : null,
  }
}

/** Every line of an invoice, by last name, first name and id. */
export async function allLinesOf(tx: Tx, invoiceId: number): Promise<InvoiceLine[]> {
  return (await linesOfInvoice(tx, invoiceId, null, Number.MAX_SAFE_INTEGER - 1)).lines
}

/**
 * The lines of an employee on the invoices of the work period of a balance, oldest first; null where the balance is
 * not there, is another employee's, or is not open to the person.
 */
export async function invoicesOfBalance(
  tx: Tx,
  actor: Pick<Actor, 'id' | 'kind'>,
  employeeId: number,
  balanceId: number,
): Promise<AnswerOf<typeof listBalanceInvoices>['data'] | null> {
  const { rows: balances } = await sql<{ start: string; end: string }>`
    select balance.work_period_start as start, balance.work_period_end as end
    from balances balance join employees employee on employee.id = balance.employee_id
    where balance.id = ${balanceId} and balance.employee_id = ${employeeId}
      and ${openTo(actor, sql.ref('employee.employer_id'))}`.execute(tx)
  const [period] = balances
  if (!period) return null
  type Row = InvoiceLine & {
    invoice_id: number
    status: AnswerOf<typeof listBalanceInvoices>['data'][number]['status']
    due_date: string
    period_start: string
    period_end: string
  }
  const { rows } = await sql<Row>`
    select ${columns}, i.id as invoice_id, i.status, i.due_date, i.period_start, i.period_end
    from invoice_lines line ${joined} join invoices i on i.id = line.invoice_id
    where line.employee_id = ${employeeId} and i.period_start < ${period.end}::date and i.period_end > ${period.start}::date
      and ${openTo(actor, sql.ref('i.employer_id'))}
    order by i.period_start, i.id`.execute(tx)
  return rows.map(({ invoice_id, status, due_date, period_start, period_end, ...line }) => ({
    invoice_id,
    number: numberOf(invoice_id),
    status,
    due_date,
    period_start,
    period_end,
    line,
  }))
}
