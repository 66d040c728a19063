import { type BankResult, bankResultSorts } from '#contract/bank-results.ts'
import { codeLabel } from '#domain/ach-codes.ts'
import { bankResultProblemLabels, bankResultStates, isNotice } from '#domain/bank-result.ts'
import { bankResult } from '#entities/bank-result.ts'
import { history } from '#portal/record/history.ts'
import { later } from '#portal/ui/later.tsx'
import { orDash } from '#portal/format/cell-text.ts'
import { changeWords, oneOf } from '#portal/nouns/change-words.ts'
import { Status } from '#portal/ui/status.tsx'
import { amounts, dates, plain, sortsOf, states, subline, times, twoLines } from '#portal/nouns/columns.tsx'
import { type Column, definePane } from '#portal/list/pane.ts'

const problemOf = (one: BankResult): string => (one.problem ? bankResultProblemLabels[one.problem] : '—')

const bankNotice: Column<BankResult> = {
  id: 'said',
  title: 'Bank result',
  width: [170, 1.4],
  sort: 'id',
  keep: 3,
  text: (one) => codeLabel(one.code),
  draw: (one) => twoLines(codeLabel(one.code), one.trace_number),
}

const state = states<BankResult>('state', 'State', 104, bankResultStates, (one) => one.state, { sort: 'state', keep: 2 })

const columns: readonly Column<BankResult>[] = [
  bankNotice,
  state,
  plain('problem', 'Problem', 180, problemOf, { long: true, keep: 2, width: [170, 1.4] }),
  plain('debtor', 'Debtor', 130, (one) => orDash(one.debtor_name), { long: true, keep: 1, width: [120, 1] }),
  plain('organization', 'Organization', 130, (one) => orDash(one.organization?.name), { long: true }),
  plain('invoice', 'Invoice', 92, (one) => orDash(one.invoice?.number)),
  plain('repayment', 'Repayment', 92, (one) => (one.repayment_id ? `REP-${one.repayment_id}` : '—')),
  dates('effective', 'Effective date', (one) => one.effective_date, { sort: 'effective_date' }),
  plain('addenda', 'Addenda', 140, (one) => orDash(one.addenda), { long: true }),
  plain('decided-by', 'Decided by', 120, (one) => orDash(one.decided_by?.name), { long: true }),
  times('decided-at', 'Decided', (one) => one.decided_at),
  plain('decision', 'Decision reason', 160, (one) => orDash(one.decision_reason), { long: true }),
  amounts('debited', 'Debited', (one) => one.debit?.amount, { sum: 'debited_amount' }),
  amounts('amount', 'Amount', (one) => (isNotice(one.code) ? null : one.amount), {
    sort: 'amount',
    sum: 'amount',
    keep: 3,
    under: (one) => <Status of={bankResultStates} state={one.state} />,
  }),
]

/** The bank's results of debits: booked, unmatched, dismissed. */
export default definePane<BankResult>({
  entity: bankResult,
  title: 'Bank results',
  columns,
  shown: ['said', 'state', 'problem', 'debtor', 'invoice', 'effective', 'amount'],
  newestFirst: true,
  sorts: sortsOf(bankResultSorts, columns, { id: 'Order of arrival' }),
  sub: (one) => subline(one.debtor_name ?? 'No debit has this trace number', one.trace_number),
  tabs: {
    general: later(async () => (await import('#portal/nouns/bank-results/general.tsx')).BankResultGeneral),
    history,
  },
  words: changeWords({ repayment_id: 'repayment' }, { state: bankResultStates }, { problem: oneOf(bankResultProblemLabels) }),
})
