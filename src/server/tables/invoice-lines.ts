import { type Generated, sql } from 'kysely'
import type { InvoiceLine, listInvoiceLines } from '#contract/invoice-lines.ts'
import type { QueryOf } from '#contract/define.ts'
import type { Tx } from '#server/tables/database.ts'
import { type Position, scan, type Start } from '#server/paging/keyset.ts'
import { selectAll } from '#server/postgres/select.ts'
import type { RowKey } from '#server/tables/rows.ts'

/** The table `invoice_lines`; amounts in cents. */
export interface InvoiceLineTable {
  organization_id: number
  id: Generated<number>
  invoice_id: number
  employee_id: number
  department_code: string | null
  original_amount: number
  writeoff_amount: Generated<number>
  withheld_amount: number | null
}

declare module '#server/tables/database.ts' {
  interface Database {
    invoice_lines: InvoiceLineTable
  }
}

/** All columns of lines `e` for the API, with `lineJoins`. */
export const lineColumns = sql`
  e.id, e.employee_id, employee.first_name || ' ' || employee.last_name as employee_name, employee.employee_code,
  e.department_code, e.original_amount, e.writeoff_amount, coalesce(pending.amount, 0)::bigint as pending_amount,
  e.withheld_amount`
export const lineJoins = sql`join employees employee on employee.id = e.employee_id
    and employee.organization_id = e.organization_id
  left join lateral (select sum(suggested_amount) as amount from write_offs
    where write_offs.organization_id = e.organization_id and write_offs.line_id = e.id and write_offs.status = 'PENDING') pending on true`

const ofInvoice = ({ id, organization_id }: RowKey) => sql`e.invoice_id = ${id} and e.organization_id = ${organization_id}`

/** A page of the lines of an invoice, by last name, first name and id, and the cursor to continue from. */
export async function pageOfLines(
  tx: Tx,
  invoice: RowKey,
  query: QueryOf<typeof listInvoiceLines>,
  place: Start,
): Promise<{ rows: InvoiceLine[]; next: Position | null }> {
  const { rows, next } = await scan<InvoiceLine & { key: string }>({
    segments: [{ key: sql`employee.name_key` }],
    from: place,
    direction: query.direction,
    limit: query.limit,
    find: async (condition, order, limit) => {
      const found = await sql<InvoiceLine & { key: string }>`
        select ${lineColumns}, ${order.key} as key from invoice_lines e ${lineJoins}
        where ${ofInvoice(invoice)} and ${condition} order by ${order.whole} limit ${limit}`.execute(tx)
      return found.rows
    },
  })
  return { rows: rows.map(({ key: _, ...line }) => line), next }
}

/** Every line of an invoice, by last name, first name and id. */
export async function allLinesOf(tx: Tx, invoice: RowKey): Promise<InvoiceLine[]> {
  return selectAll<InvoiceLine>(tx)`
    select ${lineColumns} from invoice_lines e ${lineJoins}
    where ${ofInvoice(invoice)} order by employee.name_key, e.id`
}
