import { z } from 'zod'
import {
  bankResultProblemLabels,
  bankResultProblems,
  bankResultStates,
  canApplyNotice,
  canBookResult,
  canDecideResult,
  canReopenResult,
  canReplaceReturns,
  type DecidableResult,
  isLate,
} from '#domain/bank-result.ts'
import { all, byTarget } from '#domain/permissions.ts'
import { accountNumbers } from '#contract/billing-account-changes.ts'
import { action, type Call, type Undoing } from '#contract/define.ts'
import { inFull } from '#domain/amounts.ts'
import { dateSchema, expected, idSchema, longText, reference, version } from '#contract/fields.ts'
import { orEmpty, choiceFilter, dateFilter, referenceFilter } from '#contract/filter.ts'
import { Actor } from '#contract/history.ts'
import { listings } from '#contract/listings.ts'
import { byIds, resource } from '#contract/resource.ts'

/** A result of the bank about a debit, and its state; cents. */
export const BankResult = z.object({
  id: z.int(),
  trace_number: z.string(),
  /** SETTLED, or an ACH code: a return, a dishonored or contested return, a notice of change; an unknown code as it arrived. */
  code: z.string(),
  /** 0 for a notice of change. */
  amount: z.int(),
  /** In a notice of change, the account number is masked for callers who may not change billing accounts. */
  addenda: z.string().nullable(),
  effective_date: dateSchema,
  state: z.enum(bankResultStates.values),
  /** Why it was not booked automatically. */
  problem: z.enum(bankResultProblems).nullable(),
  /** The repayment that it is about; null if no debit has its trace number. */
  repayment_id: z.int().nullable(),
  invoice: z.object({ id: z.int(), number: z.string() }).nullable(),
  debtor_name: z.string().nullable(),
  organization: z.object({ id: z.int(), name: z.string() }).nullable(),
  /** The debit: amount, dates of debit and settlement, and its returns, by the bank or only recorded manually. */
  debit: z
    .object({
      amount: z.int(),
      debited_on: dateSchema,
      settled_on: dateSchema.nullable(),
      returns: z.array(z.object({ id: z.int(), code: z.string(), amount: z.int(), by_hand: z.boolean() })),
      /** Dishonored returns: their money is back with the debit, unless that was contested. */
      dishonored: z.array(z.object({ id: z.int(), code: z.string(), amount: z.int(), contested: z.boolean() })),
    })
    .nullable(),
  /** For a notice of change: the billing account with the debited number; null unless there is exactly one. */
  billing_account: z
    .object({
      id: z.int(),
      nickname: z.string(),
      last_four: z.string(),
      routing_number: z.string(),
      ach_code: z.string().nullable(),
      version: z.int(),
    })
    .nullable(),
  decided_by: Actor.nullable(),
  decided_at: z.iso.datetime().nullable(),
  decision_reason: z.string().nullable(),
  taken_at: z.iso.datetime(),
  version: z.int(),
  /** The business date. */
  as_of: dateSchema,
})
export type BankResult = z.infer<typeof BankResult>

export const bankResultFilters = [
  choiceFilter({ id: 'state', title: 'State', of: bankResultStates }),
  orEmpty(
    choiceFilter({ id: 'problem', title: 'Problem', values: bankResultProblems, labels: bankResultProblemLabels }),
    'problem',
  ),
  referenceFilter('organization', 'Organization', 'organization', 'organization-id'),
  referenceFilter('employer', 'Employer', 'employer', 'employer-id'),
  dateFilter('effective', 'Effective date'),
] as const

export const bankResultSorts = ['id', 'effective_date', 'amount', 'state'] as const

export const {
  list: listBankResults,
  count: countBankResults,
  get: getBankResult,
  history: listBankResultEvents,
} = resource(listings.bankResults, {
  one: 'bank result',
  many: 'bank results',
  tag: 'Bank results',
  row: BankResult,
  rows: 'bank_results',
  filters: bankResultFilters,
  sorts: bankResultSorts,
  narrowing: { ...byIds, 'repayment-id': idSchema.optional() },
  /** Of the results themselves, without notices of change, and of the debits that they answer. */
  totals: { amount: z.int(), debited_amount: z.int() },
})

/** Message for stale versions of the invoices of a decision. */
export const invoiceProblem =
  'There was a problem with the request, or your Invoice Status has changed. Refresh the page and try again.'

const decision = <const Name extends string>(name: Name, summary: string) =>
  ({
    method: 'POST',
    path: `/bank-results/{id}/${name}`,
    summary,
    tag: 'Bank results',
    answer: BankResult,
    extension: true,
    money: true,
  }) as const

/** A late return also needs the right to override its window. */
const needs = byTarget(['write:billing', 'override:return-window'], (result: DecidableResult) =>
  isLate(result) ? all('write:billing', 'override:return-window') : all('write:billing'),
)

const decided = z.object({ reason: longText('Reason'), version: version() })
/** `expected` contains every invoice that the money is allocated to. */
const booked = decided.extend({ expected: expected() })

export const bookResult = action({
  ...decision('book', 'Book a bank result in addition to those booked'),
  id: 'bank-result.book',
  body: booked.extend({
    /** If no debit has the trace number: the repayment that the bank refers to. */
    repayment_id: reference('Repayment', 'repayment', { help: 'Only where no debit has the trace number.' }).optional(),
  }),
  needs,
  event: 'Booked',
  refuses: canBookResult,
})

export const replaceByResult = action({
  ...decision('replace', 'Take back the returns recorded by hand, and book the bank result instead'),
  id: 'bank-result.replace',
  body: booked,
  needs,
  event: 'Booked instead of the return by hand',
  refuses: canReplaceReturns,
})

export const changeNumberByNotice = action({
  ...decision('change-number', 'Change the billing account that a notice of change is about'),
  id: 'bank-result.change-number',
  body: decided.extend({
    ...accountNumbers,
    /** The version of the billing account that the caller saw. */
    account_version: version(),
  }),
  needs: all('write:billing'),
  event: 'Billing account changed',
  refuses: canApplyNotice,
})

export const dismissResult = action({
  ...decision('dismiss', 'Say that a bank result is not to be booked'),
  id: 'bank-result.dismiss',
  body: decided,
  needs: all('write:billing'),
  event: 'Dismissed',
  refuses: canDecideResult,
  amounts: (one: { amount: number }) => inFull(one.amount),
  undo: ({ id, version }: Undoing): Call => reopenResult({ id }, { reason: 'Undone', version }),
})

export const reopenResult = action({
  ...decision('reopen', 'Take the dismissal of a bank result back'),
  id: 'bank-result.reopen',
  body: decided,
  needs: all('write:billing'),
  event: 'Reopened',
  refuses: canReopenResult,
})
