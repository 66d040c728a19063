import { z } from 'zod'
import { canSuggestWriteOff } from '#domain/invoice.ts'
import { all } from '#domain/permissions.ts'
import {
  canApprove,
  canDecide,
  canUndo,
  validateApproved,
  commentLimit,
  writeOffReasonLabels,
  writeOffReasons,
  writeOffStatuses,
} from '#domain/write-off.ts'
import { action, type Call, endpoint, type Undoing } from '#contract/define.ts'
import { inFull } from '#domain/amounts.ts'
import { choice, expected, longText, money, text, version } from '#contract/fields.ts'
import { amountFilter, choiceFilter, dateFilter, referenceFilter } from '#contract/filter.ts'
import { Actor } from '#contract/history.ts'
import { invoiceIdSchema } from '#contract/invoices.ts'
import { listings } from '#contract/listings.ts'
import { byIds, resource } from '#contract/resource.ts'

/** A suggestion to write off what an employee owes on an invoice, and its state; cents. */
export const WriteOff = z.object({
  id: z.int(),
  invoice_id: z.int(),
  invoice_number: z.string(),
  /** The status of its invoice, which determines whether it can be decided. */
  invoice_status: z.string(),
  /** The version of its invoice, for `expected`. */
  invoice_version: z.int(),
  employer: z.object({ id: z.int(), name: z.string() }),
  organization: z.object({ id: z.int(), name: z.string() }),
  line_id: z.int(),
  employee_id: z.int(),
  employee_name: z.string(),
  suggested_amount: z.int(),
  approved_amount: z.int().nullable(),
  reason: z.enum(writeOffReasons),
  details: z.string().nullable(),
  status: z.enum(writeOffStatuses.values),
  suggested_by: Actor,
  suggested_at: z.iso.datetime(),
  /** True if the caller suggested it and has no exemption: somebody else has to decide. */
  own: z.boolean(),
  decided_by: Actor.nullable(),
  decided_at: z.iso.datetime().nullable(),
  decision_reason: z.string().nullable(),
  comments: z.string().nullable(),
  updated_at: z.iso.datetime(),
  version: z.int(),
})
export type WriteOff = z.infer<typeof WriteOff>

export const writeOffFilters = [
  choiceFilter({ id: 'status', title: 'Status', of: writeOffStatuses, synonyms: { PENDING: ['to approve', 'to decide'] } }),
  referenceFilter('organization', 'Organization', 'organization', 'organization-id'),
  referenceFilter('employer', 'Employer', 'employer', 'employer-id'),
  choiceFilter({ id: 'reason', title: 'Reason', values: writeOffReasons, labels: writeOffReasonLabels }),
  amountFilter('amount', 'Suggested amount'),
  dateFilter('suggested', 'Suggested'),
] as const

export const writeOffSorts = ['id', 'status', 'suggested_amount', 'suggested_at'] as const

export const {
  list: listWriteOffs,
  count: countWriteOffs,
  get: getWriteOff,
  history: listWriteOffEvents,
} = resource(listings.writeOffs, {
  one: 'write-off',
  many: 'write-offs',
  tag: 'Write-offs',
  row: WriteOff,
  rows: 'write_offs',
  filters: writeOffFilters,
  sorts: writeOffSorts,
  narrowing: { ...byIds, 'invoice-id': invoiceIdSchema.optional() },
  totals: { suggested_amount: z.int(), approved_amount: z.int() },
})

export const listInvoiceWriteOffs = endpoint({
  method: 'GET',
  path: '/invoices/{id}/write-offs',
  summary: 'The write-offs of an invoice, oldest first',
  tag: 'Invoices',
  answer: z.object({ write_offs: z.array(WriteOff) }),
  needs: all('read:billing'),
  extension: true,
})

/** ERR-034. */
export const writeOffProblem =
  'There was a problem with the Write-off request, or your Invoice Status has changed. Refresh the page and try again.'
const stale = () => writeOffProblem

export const suggestWriteOffs = action({
  method: 'POST',
  path: '/invoices/{id}/write-offs',
  summary: 'Suggest write-offs, one for each employee',
  tag: 'Invoices',
  answer: z.object({ write_offs: z.array(WriteOff) }),
  extension: true,
  money: true,
  status: 201,
  id: 'invoice.suggest-write-offs',
  body: z.object({
    suggestions: z
      .array(
        z.object({
          line_id: z.int().positive(),
          amount: money('Amount'),
          reason: choice('Reason', writeOffReasons, writeOffReasonLabels),
          details: longText('Details', commentLimit).optional(),
        }),
      )
      .min(1, 'Choose at least one employee.')
      .max(500),
    version: version(),
  }),
  needs: all('write:billing'),
  event: 'Write-off suggested',
  refuses: canSuggestWriteOff,
  stale,
})

const decision = <const Name extends string>(name: Name, summary: string) =>
  ({
    method: 'POST',
    path: `/write-offs/{id}/${name}`,
    summary,
    tag: 'Write-offs',
    answer: WriteOff,
    extension: true,
    money: true,
  }) as const

const comments = longText('Comments', commentLimit).optional()
/** The version of the invoice whose amounts the caller saw, by its id; only a run may omit it. */
const invoice = expected().optional()

export const approve = action({
  ...decision('approve', 'Approve a write-off, whole or in part; the rest is rejected'),
  id: 'write-off.approve',
  body: z.object({
    /** Defaults to the whole suggested amount. */
    amount: money('Approved amount').optional(),
    reason: text('Reason', 200),
    comments,
    expected: invoice,
    version: version(),
  }),
  needs: all('approve:write-offs'),
  event: 'Write-off approved',
  refuses: canApprove,
  stale,
  amounts: (one: { suggested_amount: number }, { amount = one.suggested_amount }: { amount?: number }) =>
    validateApproved(one, amount) ?? { moved: amount, left: one.suggested_amount - amount },
  undo: ({ id, version }: Undoing): Call | null => reverse({ id }, { reason: 'Undone', version }),
})

export const reject = action({
  ...decision('reject', 'Reject a write-off'),
  id: 'write-off.reject',
  body: z.object({ reason: text('Reason', 200), comments, version: version() }),
  needs: all('approve:write-offs'),
  event: 'Write-off rejected',
  refuses: canDecide,
  stale,
  amounts: (one: { suggested_amount: number }) => inFull(one.suggested_amount),
})

export const reverse = action({
  ...decision('reverse', 'Take an approved write-off back'),
  id: 'write-off.reverse',
  body: z.object({ reason: text('Reason', 200), expected: invoice, version: version() }),
  needs: all('approve:write-offs'),
  event: 'Write-off reversed',
  refuses: canUndo,
  stale,
  amounts: (one: { approved_amount: number | null }) => inFull(one.approved_amount ?? 0),
})
