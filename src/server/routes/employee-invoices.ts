import { countEmployeeInvoices, listBalanceInvoices, listEmployeeInvoices } from '#contract/employee-invoices.ts'
import { existing } from '#server/http-error.ts'
import { route } from '#server/http/route.ts'
import { invoicesOfBalance, invoicesOfEmployee, toEmployeeInvoice } from '#server/tables/employee-invoices.ts'
import { openEmployee } from '#server/tables/employees.ts'
import { listBelow } from '#server/http/reads.ts'

export const routes = [
  ...listBelow(
    listEmployeeInvoices,
    countEmployeeInvoices,
    async ({ tx, actor, params: { id } }) => {
      return invoicesOfEmployee(await openEmployee(tx, actor, id))
    },
    toEmployeeInvoice,
  ),

  route(listBalanceInvoices, async ({ tx, actor, params }) => {
    const employee = await openEmployee(tx, actor, params.id)
    const rows = existing(await invoicesOfBalance(tx, actor, employee, params.wpbId))
    return { data: rows.map(toEmployeeInvoice) }
  }),
]
