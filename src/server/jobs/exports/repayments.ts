import type { QueryOf } from '#contract/define.ts'
import { listRepayments, type Repayment } from '#contract/repayments.ts'
import { achStates, originLabels, reconciliations } from '#domain/repayment.ts'
import { type ExportKind, pageSize, parseFilter, scanAll } from '#server/jobs/export-kind.ts'
import { repaymentList } from '#server/tables/repayment-list.ts'
import { toRepayment } from '#server/tables/repayments.ts'

export const kind: ExportKind<Repayment, QueryOf<typeof listRepayments>> = {
  needs: listRepayments.needs,
  whose: (row) => ({ debtor_type: row.debtor_type, debtor_id: row.debtor_id }),
  columns: [
    { title: 'Repayment', value: (row) => row.reference_id },
    { title: 'Organization', value: (row) => row.organization.name },
    { title: 'Employer', value: (row) => row.employer?.name ?? null },
    { title: 'Department', value: (row) => row.department_code },
    { title: 'Amount', value: (row) => row.amount },
    { title: 'Unallocated amount', value: (row) => row.unallocated_amount },
    { title: 'Repayment date', value: (row) => row.repayment_date },
    { title: 'Effective date', value: (row) => row.effective_date },
    { title: 'Reconciliation', value: (row) => reconciliations.label(row.reconciliation_status) },
    { title: 'ACH state', value: (row) => (row.ach_state ? achStates.label(row.ach_state) : null) },
    { title: 'Origin', value: (row) => originLabels[row.origin] },
    { title: 'Requested by', value: (row) => row.requester_name },
    { title: 'Descriptor', value: (row) => row.descriptor },
    { title: 'ACH addenda', value: (row) => row.ach_addenda },
    { title: 'Return code', value: (row) => row.return_code },
    { title: 'Invoices', value: (row) => row.allocations.map((each) => each.number).join(', ') },
    { title: 'Notes', value: (row) => row.notes },
  ],
  parse: (filter) => parseFilter(listRepayments.query, filter),
  count: async (tx, actor, query) => {
    const { limit, direction, lek, sort, 'sort-order': order, ...filter } = query
    const { count, exact } = await repaymentList.count({ tx, actor }, filter)
    return exact ? count : null
  },
  pages: (tx, actor, query) =>
    scanAll(async (from) => {
      const { rows, next } = await repaymentList.page({ tx, actor }, { ...query, limit: pageSize, direction: 'after' }, from)
      return { rows: rows.map(toRepayment), next }
    }),
}
