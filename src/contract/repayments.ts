import { z } from 'zod'
import { codeLabel, normalizeCode, notAReturn, returnCodes } from '#domain/ach-codes.ts'
import { all, byIntent } from '#domain/permissions.ts'
import {
  achStates,
  canChangeAllocations,
  canReturn,
  failures,
  origins,
  originLabels,
  reconciliations,
} from '#domain/repayment.ts'
import { action, endpoint, intent } from '#contract/define.ts'
import {
  date,
  dateSchema,
  expected,
  idSchema,
  longText,
  money,
  noValue,
  required,
  stamps,
  text,
  version,
  withFieldMeta,
} from '#contract/fields.ts'
import {
  orEmpty,
  orOneOf,
  amountFilter,
  choiceFilter,
  dateFilter,
  referenceFilter,
  textFilter,
  yesNoFilter,
} from '#contract/filter.ts'
import { debtorTypes, invoiceIdSchema } from '#contract/invoices.ts'
import { listQuery } from '#contract/list.ts'
import { listings } from '#contract/listings.ts'
import { byIds, resource } from '#contract/resource.ts'

/** The part of a repayment that is allocated to one invoice; cents, negative for a negative repayment. */
export const Allocation = z.object({
  invoice_id: z.int(),
  number: z.string(),
  amount: z.int(),
  /** False while the money has not arrived yet, or after it was returned. */
  counted: z.boolean(),
})

/** An allocation as shown in a history. */
export type AllocatedAmount = Pick<z.infer<typeof Allocation>, 'number' | 'amount'>

/** A payment of a debtor, or money paid back; cents. */
export const Repayment = z.object({
  id: z.int(),
  /** `REP-` and the id. */
  reference_id: z.string(),
  debtor_type: z.enum(debtorTypes),
  debtor_id: z.int(),
  debtor_name: z.string(),
  organization: z.object({ id: z.int(), name: z.string() }),
  /** Null if the organization itself pays. */
  employer: z.object({ id: z.int(), name: z.string() }).nullable(),
  department_code: z.string().nullable(),
  amount: z.int(),
  unallocated_amount: z.int(),
  repayment_date: dateSchema,
  effective_date: dateSchema.nullable(),
  reconciliation_status: z.enum(reconciliations.values),
  ach_state: z.enum(achStates.values).nullable(),
  origin: z.enum(origins),
  requester_id: z.string().nullable(),
  requester_name: z.string().nullable(),
  ach_addenda: z.string().nullable(),
  descriptor: z.string().nullable(),
  bank_name: z.string().nullable(),
  /** All but the last four digits masked. */
  account_number: z.string().nullable(),
  /** A return that was taken back or dishonored does not count; a contested one was dishonored, and followed by another return. */
  failure: z.enum(failures).nullable(),
  return_code: z.string().nullable(),
  /** For a return: the returned repayment. */
  returns_id: z.int().nullable(),
  /** The amount returned. */
  returned_amount: z.int(),
  /** For a return: whether it reduced the paid amount; one that arrived before its debit settled did not. Else true. */
  posted: z.boolean(),
  /** For a return: recorded by a person and not confirmed by the bank. */
  by_hand: z.boolean(),
  /** The invoice that was debited for it, which a return affects wherever the money is allocated now; null if there was none. */
  debited_invoice_id: z.int().nullable(),
  notes: z.string().nullable(),
  allocations: z.array(Allocation),
  ...stamps,
})
export type Repayment = z.infer<typeof Repayment>

export const repaymentFilters = [
  choiceFilter({
    id: 'status',
    title: 'Reconciliation',
    of: reconciliations,
    param: 'reconciliation-status',
    synonyms: { FAILED: ['bounced', 'unreconciled'] },
  }),
  referenceFilter('organization', 'Organization', 'organization', 'organization-id'),
  referenceFilter('employer', 'Employer', 'employer', 'employer-id'),
  choiceFilter({ id: 'origin', title: 'Origin', values: origins, labels: originLabels }),
  orEmpty(choiceFilter({ id: 'ach', title: 'ACH state', of: achStates, param: 'ach-state' }), 'ach-state'),
  choiceFilter({
    id: 'debtor',
    title: 'Debtor',
    values: debtorTypes,
    labels: { EMPLOYER: 'Employer', ORGANIZATION: 'Organization' },
    param: 'debtor-type',
  }),
  amountFilter('amount', 'Amount'),
  yesNoFilter('unallocated', 'Unallocated'),
  dateFilter('paid', 'Repayment date'),
  orEmpty(orOneOf(textFilter('department', 'Department', 'department-code'), 'department-code'), 'department-code'),
] as const

export const repaymentSorts = ['id', 'repayment_date', 'amount', 'reconciliation_status', 'updated_at'] as const

export const {
  list: listRepayments,
  count: countRepayments,
  get: getRepayment,
  history: listRepaymentEvents,
} = resource(listings.repayments, {
  one: 'repayment',
  many: 'repayments',
  tag: 'Repayments',
  row: Repayment,
  rows: 'repayments',
  filters: repaymentFilters,
  sorts: repaymentSorts,
  specified: ['query', 'lek'],
  narrowing: {
    /** The specification's name of `q`. */
    query: listQuery.q,
    ...byIds,
    'debtor-id': idSchema.optional(),
    'invoice-id': invoiceIdSchema.optional(),
    /** Only the returns of this repayment. */
    'returns-id': idSchema.optional(),
  },
  /** Plain sums of the columns; `getRepaymentAmounts` has the figures with their meaning. */
  totals: { amount: z.int(), unallocated_amount: z.int() },
  getExtension: false,
})

export const getRepaymentAmounts = endpoint({
  method: 'GET',
  path: '/repayments/amounts',
  summary: 'What the repayments of a filter come to, in cents',
  tag: 'Repayments',
  query: z.object(countRepayments.query.shape),
  answer: z.object({
    /** Received or expected, less returns: reconciled, pending and failed together. */
    total_amount: z.int(),
    /** Settled and fully allocated, less returns. */
    reconciled_amount: z.int(),
    /** Not answered by the bank, or not fully allocated, less returns. */
    pending_amount: z.int(),
    /** Unmatched, less returns; what was returned in full does not count. */
    failed_amount: z.int(),
    /** The part of the total that is not allocated to any invoice. */
    unallocated_amount: z.int(),
    /** The amount returned; it is deducted from the amounts above. */
    returned_amount: z.int(),
  }),
  needs: all('read:billing'),
})

/** Negative only for one overpaid invoice, named in `allocations` (REP-006, REP-007). */
const amount = money('Amount', { missing: 'Repayment amount is required' })
const repaymentDate = date('Repayment date', { missing: 'Date is required', past: true })
const share = z.object({ invoice_id: z.int().positive(), amount: money('Amount') })

const call = { tag: 'Repayments', extension: true, answer: Repayment, money: true } as const

export const createRepayment = endpoint({
  ...call,
  method: 'POST',
  path: '/repayments',
  summary: 'Add a repayment; without allocations it goes to the oldest due invoices',
  status: 201,
  needs: byIntent,
})

export const addRepayment = intent(createRepayment, {
  id: 'repayment.add',
  body: z.object({
    debtor_type: z.enum(debtorTypes),
    debtor_id: z.int().positive(),
    amount,
    repayment_date: repaymentDate,
    effective_date: date('Effective date', { past: true }).optional(),
    department_code: text('Department', 50).optional(),
    descriptor: text('Descriptor', 140).optional(),
    bank_name: text('Bank', 100).optional(),
    account_number: z
      .string()
      .regex(/^\d{4,17}$/, 'An account number has 4 to 17 digits.')
      .optional(),
    notes: longText('Notes').optional(),
    /** Why the same repayment (debtor, amount, date and bank statement text) is added again; without it that is refused. */
    reason: longText('Reason to add it again', 500, { help: 'Only where the same repayment is recorded already.' }).optional(),
    /** Explicit allocations; the rest stays unallocated. Without it, oldest due first. */
    allocations: z.array(share).max(200).optional(),
    /** Versions of the invoices that the caller saw in the preview. */
    expected: expected(),
  }),
  needs: all('write:billing'),
  event: 'Repayment added',
})

export const editRepayment = action({
  ...call,
  method: 'PATCH',
  path: '/repayments/{id}',
  summary: 'Change amount, date or notes of a repayment',
  id: 'repayment.edit',
  body: z.object({
    amount: amount.optional(),
    repayment_date: repaymentDate.optional(),
    notes: longText('Notes').nullable().optional(),
    /** Why an amount or date that duplicates another repayment is right; without it that is refused. */
    reason: longText('Reason to keep both', 500, { help: 'Only where the same repayment is recorded already.' }).optional(),
    /** Versions of the invoices that a smaller amount is cut from. */
    expected: expected().default({}),
    version: version(),
  }),
  needs: all('write:billing'),
  event: 'Repayment edited',
})

export const allocateRepayment = action({
  ...call,
  method: 'PUT',
  path: '/repayments/{id}/allocations',
  summary: 'Say which invoices a repayment is for; replaces what was said before',
  id: 'repayment.allocate',
  body: z.object({ allocations: z.array(share).max(200), expected: expected(), version: version() }),
  needs: all('write:billing'),
  event: 'Allocated',
  refuses: canChangeAllocations,
})

export const createReturn = endpoint({
  ...call,
  method: 'POST',
  path: '/repayments/{id}/returns',
  summary: 'Record that money of a repayment came back; the same return twice is one',
  needs: byIntent,
})

/** A return code in any spelling that `normalizeCode` accepts. A code of another family is refused with the reason. */
const returnCode = withFieldMeta(
  z.preprocess(
    (code) => (typeof code === 'string' ? normalizeCode(code) : code),
    z.enum(returnCodes, {
      error: ({ input }) => ((input ?? '') === '' ? required : (notAReturn(String(input)) ?? noValue)),
    }),
  ),
  'choice',
  'Return code',
  { options: returnCodes.map((code) => ({ value: code, label: codeLabel(code) })) },
)

const returned = z.object({
  return_code: returnCode,
  amount: money('Returned amount', { min: 1 }),
  addenda: text('Addenda', 80).optional(),
  /** Versions of the invoices that it is taken from, and of the debited one. */
  expected: expected(),
  version: version(),
})

/** A return after its window (docs/rules/invoices.md); distinguished from the other intent by `late`. */
export const recordLateReturn = intent(createReturn, {
  id: 'repayment.return-late',
  body: returned.extend({ late: z.literal(true), reason: longText('Reason') }),
  needs: all('write:billing', 'override:return-window'),
  event: 'Returned after its window',
  refuses: canReturn,
})

export const recordReturn = intent(createReturn, {
  id: 'repayment.return',
  body: returned,
  needs: all('write:billing'),
  event: 'Returned',
  refuses: canReturn,
})
