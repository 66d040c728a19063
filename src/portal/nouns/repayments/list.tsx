import { type AllocatedAmount, type Repayment, repaymentSorts } from '#contract/repayments.ts'
import { formatCents } from '#domain/money.ts'
import { achStates, originLabels, reconciliations } from '#domain/repayment.ts'
import { repayment } from '#entities/repayment.ts'
import { shortDate } from '#portal/format/dates.ts'
import { history } from '#portal/record/history.ts'
import { later } from '#portal/ui/later.tsx'
import { orDash } from '#portal/format/cell-text.ts'
import { changeWords, eachOf } from '#portal/nouns/change-words.ts'
import { Status } from '#portal/ui/status.tsx'
import { amounts, dates, plain, sortsOf, states, subline, times, twoLines } from '#portal/nouns/columns.tsx'
import { type Column, definePane } from '#portal/list/pane.ts'
import { Amount } from '#portal/ui/amount.tsx'

const reference: Column<Repayment> = {
  id: 'reference',
  title: 'Debtor, reference',
  width: [150, 1.6],
  sort: 'id',
  keep: 3,
  text: (one) => `${one.debtor_name}, ${one.reference_id}`,
  draw: (one) => twoLines(one.debtor_name, one.reference_id),
}

const status = states<Repayment>('status', 'Reconciliation', 138, reconciliations, (one) => one.reconciliation_status, {
  sort: 'reconciliation_status',
  keep: 2,
  width: [138, 0.8],
})

/** ENT-093 to ENT-106. */
const repaymentColumns: readonly Column<Repayment>[] = [
  reference,
  status,
  dates('date', 'Repayment date', (one) => one.repayment_date, { sort: 'repayment_date', keep: 1, width: [96, 0.5] }),
  dates('effective', 'Effective date', (one) => one.effective_date),
  plain('origin', 'Origin', 84, (one) => originLabels[one.origin]),
  plain('requester', 'Requester', 120, (one) => orDash(one.requester_name), { long: true }),
  plain('allocated', 'Allocated invoices', 140, (one) => one.allocations.map((part) => part.number).join(', ') || '—', {
    long: true,
    width: [130, 1],
  }),
  plain('organization', 'Organization', 130, (one) => one.organization.name, { long: true }),
  plain('employer', 'Employer', 130, (one) => orDash(one.employer?.name), { long: true }),
  plain('department', 'Department', 104, (one) => orDash(one.department_code), { long: true }),
  states('ach', 'ACH state', 92, achStates, (one) => one.ach_state ?? undefined),
  plain('addenda', 'ACH addenda', 140, (one) => orDash(one.ach_addenda), { long: true }),
  plain('descriptor', 'Descriptor', 140, (one) => orDash(one.descriptor), { long: true }),
  plain('bank', 'Bank', 120, (one) => orDash(one.bank_name), { long: true }),
  plain('account', 'Account number', 112, (one) => orDash(one.account_number)),
  plain('return', 'Return code', 88, (one) => orDash(one.return_code)),
  plain('notes', 'Notes', 160, (one) => orDash(one.notes), { long: true }),
  times('updated', 'Changed', (one) => one.updated_at, { sort: 'updated_at' }),
  amounts('unallocated', 'Unallocated', (one) => one.unallocated_amount, { sum: 'unallocated_amount' }),
  amounts('amount', 'Amount', (one) => one.amount, {
    sort: 'amount',
    sum: 'amount',
    keep: 3,
    under: (one) => <Status of={reconciliations} state={one.reconciliation_status} />,
    width: [90, 0.6],
    draw: (one) => <Amount cents={one.amount} />,
  }),
]

/** Repayments of debtors (SCR-064) and Repayment details (SCR-065). */
export default definePane<Repayment>({
  entity: repayment,
  title: 'Repayments',
  columns: repaymentColumns,
  shown: ['reference', 'status', 'date', 'origin', 'requester', 'allocated', 'unallocated', 'amount'],
  newestFirst: true,
  sorts: sortsOf(repaymentSorts, repaymentColumns, { id: 'Reference' }),
  sub: (one) => subline(one.debtor_name, shortDate(one.repayment_date), originLabels[one.origin]),
  tabs: {
    general: later(async () => (await import('#portal/nouns/repayments/general.tsx')).RepaymentGeneral),
    history,
  },
  words: changeWords(
    { reconciliation_status: 'reconciliation' },
    { reconciliation_status: reconciliations, ach_state: achStates },
    { allocations: eachOf(({ number, amount }: AllocatedAmount) => `${number}: ${formatCents(amount)}`) },
  ),
})
