import { type RawBuilder, sql } from 'kysely'
import { type EmployeeInvoice, listEmployeeInvoices } from '#contract/employee-invoices.ts'
import type { InvoiceLine } from '#contract/invoice-lines.ts'
import { openTo } from '#server/access/scope.ts'
import type { Reader } from '#server/access/actor.ts'
import type { Tx } from '#server/tables/database.ts'
import { choice, byDay, words, yesOrNo } from '#server/tables/conditions.ts'
import { type Conditions, defineList, every, type FilterOf } from '#server/paging/define-list.ts'
import { lineColumns, lineJoins } from '#server/tables/invoice-lines.ts'
import { numberOf } from '#server/tables/invoices.ts'
import type { RowKey } from '#server/tables/rows.ts'
import { balanceOf } from '#server/tables/work-periods.ts'
import { selectAll } from '#server/postgres/select.ts'

type Filter = FilterOf<typeof listEmployeeInvoices>

/** A line of an employee with its invoice. */
type Row = InvoiceLine &
  Omit<EmployeeInvoice, 'number' | 'employer' | 'line'> & {
    employer_id: number
    employer_name: string
    key: unknown
  }

const i = (column: string) => sql.ref(`i.${column}`)
const pending = sql`(select sum(suggested_amount) from write_offs w
  where w.organization_id = e.organization_id and w.line_id = e.id and w.status = 'PENDING')`

/** The lines `e` of an employee with their invoices `i`; a line is open to people with access to the billed employer. */
export const linesOf = ({ id, organization_id }: RowKey) => sql`
  (select * from invoice_lines where employee_id = ${id} and organization_id = ${organization_id}) e
  join invoices i on i.id = e.invoice_id and i.organization_id = e.organization_id
  join employers employer on employer.id = i.employer_id`
/** Whether a line is open to a person. */
export const openLines = (actor: Reader) => openTo(actor, i('employer_id'))

const filters: Conditions<Filter> = {
  q: (text) => every(words(sql`(fold(i.search_text) || ' ' || employer.name_key)`, text.replace(/\binv-?(?=\d)/gi, 'inv '))),
  ...choice('status', i('status')),
  ...byDay('due', i('due_date')),
  ...yesOrNo('withheld', sql`e.withheld_amount is not null`),
  ...yesOrNo('pending-write-offs', sql`${pending} is not null`),
}

/** The invoices of an employee; the caller checks access to the employee. */
export const invoicesOfEmployee = (employee: RowKey) =>
  defineList({
    endpoint: listEmployeeInvoices,
    from: linesOf(employee),
    ofOrganization: true,
    open: openLines,
    filters,
    sorts: {
      id: sql.ref('e.invoice_id'),
      status: i('status'),
      due_date: i('due_date'),
      original_amount: sql.ref('e.original_amount'),
    },
    read: ({ tx }, chosen, order) => readShares(tx, chosen, order),
    totals: { original_amount: sql`sum(e.original_amount)`, withheld_amount: sql`sum(e.withheld_amount)` },
  })

/**
 * The lines of an employee on the invoices of the work period of a balance, oldest first; null if the balance does not exist,
 * or belongs to another employee; the caller checks access to the employee.
 */
export async function invoicesOfBalance(tx: Tx, actor: Reader, employee: RowKey, balanceId: number): Promise<Row[] | null> {
  const period = await balanceOf(tx, employee, balanceId)
  if (!period) return null
  const chosen = sql`select e.id, e.organization_id, i.period_start as key from ${linesOf(employee)}
    where i.period_start <= ${period.period_end}::date and i.period_end >= ${period.period_start}::date and ${openLines(actor)}`
  return readShares(tx, chosen, sql`chosen.key, i.id`)
}

/** Shares of an organization by the ids of their lines, unordered; the caller checks access to them. */
export async function sharesOf(tx: Tx, organizationId: number, lineIds: readonly number[]): Promise<EmployeeInvoice[]> {
  const chosen = sql`select id, ${organizationId}::bigint as organization_id, null as key from unnest(${lineIds}::bigint[]) as line(id)`
  return (await readShares(tx, chosen, sql`chosen.id`)).map(toEmployeeInvoice)
}

/** Reads lines for the API; `chosen` selects their ids, organizations and sort keys. */
async function readShares(tx: Tx, chosen: RawBuilder<unknown>, order: RawBuilder<unknown>): Promise<Row[]> {
  return selectAll<Row>(tx)`
    select chosen.key, ${lineColumns}, i.id as invoice_id, i.status, i.period_start, i.period_end, i.report_date,
      i.due_date, employer.id as employer_id, employer.internal_name as employer_name
    from (${chosen}) chosen join invoice_lines e on e.id = chosen.id and e.organization_id = chosen.organization_id ${lineJoins}
    join invoices i on i.id = e.invoice_id and i.organization_id = e.organization_id join employers employer on employer.id = i.employer_id
    order by ${order}`
}

/** A share as returned by the API. */
export function toEmployeeInvoice(row: Row): EmployeeInvoice {
  const { invoice_id, status, employer_id, employer_name, period_start, period_end, report_date, due_date, ...rest } = row
  const { key: _, ...line } = rest
  return {
    invoice_id,
    number: numberOf(invoice_id),
    status,
    employer: { id: employer_id, name: employer_name },
    period_start,
    period_end,
    report_date,
    due_date,
    line,
  }
}
