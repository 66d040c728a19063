import type { Employer } from '#contract/employers.ts'
import { listEmployerInvoices } from '#contract/invoices.ts'
import { employer } from '#entities/employer.ts'
import { invoice } from '#entities/invoice.ts'
import invoices from '#portal/nouns/invoices/list.tsx'
import { narrowed, tabList } from '#portal/record/tab-list.tsx'

/** The tab Invoices of an employer (SCR-034, API-042). */
export const EmployerInvoices = tabList<Employer>({
  of: employer,
  tab: 'invoices',
  rows: invoice,
  list: (one) =>
    narrowed(
      invoices,
      {},
      {
        shown: ['number', 'status', 'due', 'amount', 'paid', 'outstanding'],
        none: 'This employer has no invoice.',
        source: {
          endpoint: listEmployerInvoices,
          at: () => ({ id: employer.id(one) }),
          inWhole: (query) => ({ ...query, 'employer-id': employer.id(one) }),
        },
      },
    ),
})
