import { countEmployeeInvoices, listBalanceInvoices, listEmployeeInvoices } from '#contract/employee-invoices.ts'
import { listCursor } from '#server/paging/list-cursor.ts'
import { notFound } from '#server/http-error.ts'
import { route } from '#server/http/route.ts'
import { invoicesOfBalance, invoicesOfEmployee, toEmployeeInvoice, totalsOfShares } from '#server/tables/employee-invoices.ts'
import { refuseClosed } from '#server/tables/employees.ts'

export const routes = [
  route(listEmployeeInvoices, async ({ tx, actor, params: { id }, query, services }) => {
    await refuseClosed(tx, actor, id)
    const cursor = listCursor(services, `GET /employees/${id}/invoices`, actor, query)
    const { rows, next } = await invoicesOfEmployee(id).page({ tx, actor }, query, cursor.from)
    return { data: rows.map(toEmployeeInvoice), lek: cursor.seal(next) }
  }),

  route(countEmployeeInvoices, async ({ tx, actor, params: { id }, query }) => {
    await refuseClosed(tx, actor, id)
    return totalsOfShares({ tx, actor }, id, query)
  }),

  route(listBalanceInvoices, async ({ tx, actor, params }) => {
    const rows = await invoicesOfBalance(tx, actor, params.id, params.wpbId)
    if (!rows) throw notFound()
    return { data: rows.map(toEmployeeInvoice) }
  }),
]
