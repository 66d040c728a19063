import {
  BankResult,
  bankResultFilters,
  countBankResults,
  getBankResult,
  listBankResultEvents,
  listBankResults,
} from '#contract/bank-results.ts'
import { bankResultStates, bankResultTitle } from '#domain/bank-result.ts'
import { defineEntity } from '#kernel/entity.ts'
import { numbers } from '#kernel/ids.ts'

/** A result of the bank about a debit: it settled, money was returned, or the account data are out of date. */
export const bankResult = defineEntity<BankResult>({
  name: 'bank-result',
  one: 'bank result',
  many: 'bank results',
  icon: 'repayment',
  ids: numbers({ prefix: 'BNK' }),
  path: '/bank-results',
  schema: BankResult,
  get: getBankResult,
  list: listBankResults,
  count: countBankResults,
  events: listBankResultEvents,
  query: {},
  rows: (answer: { bank_results: BankResult[] }) => answer.bank_results,
  filters: bankResultFilters,
  pane: true,
  tabs: { history: 'History' },
  id: (one) => String(one.id),
  title: bankResultTitle,
  subtitle: (one) => [one.debtor_name, one.invoice?.number, one.trace_number].filter(Boolean).join(' · '),
  status: { of: (one) => one.state, states: bankResultStates },
  version: (one) => one.version,
  keywords: (one) => [one.trace_number, one.debtor_name, one.invoice?.number].filter((word) => word != null),
  confirmWith: (one) => one.trace_number,
})
