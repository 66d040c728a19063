import { type Generated, sql } from 'kysely'
import type { InvoiceLine, listBalanceInvoices, listInvoiceLines } from '#contract/invoices.ts'
import type { AnswerOf, QueryOf } from '#contract/define.ts'
import { openTo } from '#server/access/scope.ts'
import type { Actor } from '#server/access/actor.ts'
import type { Tx } from '#server/tables/database.ts'
import { numberOf } from '#server/tables/invoices.ts'
import { type Position, walk } from '#server/paging/keyset.ts'

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

/** Everything that the wire tells of lines `e`. */
const columns = sql`
  e.id, e.employee_id, employee.first_name || ' ' || employee.last_name as employee_name, employee.employee_code,
  e.department_code, e.original_amount, e.writeoff_amount, coalesce(pending.amount, 0)::bigint as pending_amount,
  (e.original_amount - e.writeoff_amount - coalesce(pending.amount, 0))::bigint as outstanding_amount,
  e.withheld_amount`
const joined = sql`join employees employee on employee.id = e.employee_id
  left join lateral (select sum(suggested_amount) as amount from write_offs
    where write_offs.line_id = e.id and write_offs.status = 'PENDING') pending on true`

/** A page of the lines of an invoice, by last name, first name and id, and where to go on from. */
export async function pageOfLines(
  tx: Tx,
  invoiceId: number,
  query: QueryOf<typeof listInvoiceLines>,
  place: Position | null,
): Promise<{ lines: InvoiceLine[]; next: Position | null }> {
  const { rows, next } = await walk<InvoiceLine & { key: string }>({
    stretches: [{ key: sql`employee.name_key` }],
    from: place,
    direction: query.direction,
    limit: query.limit,
    find: async (condition, order, limit) => {
      const found = await sql<InvoiceLine & { key: string }>`
        select ${columns}, ${order.key} as key from invoice_lines e ${joined}
        where e.invoice_id = ${invoiceId} and ${condition} order by ${order.whole} limit ${limit}`.execute(tx)
      return found.rows
    },
  })
  return { lines: rows.map(({ key: _, ...line }) => line), next }
}

/** Every line of an invoice, by last name, first name and id. */
export async function allLinesOf(tx: Tx, invoiceId: number): Promise<InvoiceLine[]> {
  const { rows } = await sql<InvoiceLine>`
    select ${columns} from invoice_lines e ${joined}
    where e.invoice_id = ${invoiceId} order by employee.name_key, e.id`.execute(tx)
  return rows
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
    from invoice_lines e ${joined} join invoices i on i.id = e.invoice_id
    where e.employee_id = ${employeeId} and i.period_start < ${period.end}::date and i.period_end > ${period.start}::date
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
