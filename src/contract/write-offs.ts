import { z } from 'zod'
import { canSuggestWriteOff } from '#domain/invoice.ts'
import { all, byIntent } from '#domain/permissions.ts'
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
import { type Call, endpoint, intent, type Undoing } from '#contract/define.ts'
import { inFull } from '#domain/amounts.ts'
import { byId, choice, expected, idSchema, longText, money, nothing, text, version } from '#contract/fields.ts'
import { amountFilter, choiceFilter, dateFilter, filterParams, referenceFilter } from '#contract/filter.ts'
import { Actor, historyOf } from '#contract/history.ts'
import { invoiceIdSchema } from '#contract/invoices.ts'
import { Count, commaList, lek, listQuery } from '#contract/list.ts'
import { listings } from '#contract/listings.ts'

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
  choiceFilter({
    id: 'status',
    title: 'Status',
    values: writeOffStatuses.values,
    labels: writeOffStatuses.labels,
  }),
  referenceFilter('organization', 'Organization', 'organization', 'organization-id'),
  referenceFilter('employer', 'Employer', 'employer', 'employer-id'),
  choiceFilter({ id: 'reason', title: 'Reason', values: writeOffReasons, labels: writeOffReasonLabels }),
  amountFilter('amount', 'Suggested amount'),
  dateFilter('suggested', 'Suggested'),
] as const

export const writeOffSorts = ['id', 'status', 'suggested_amount', 'suggested_at'] as const

const filtered = {
  q: listQuery.q,
  id: commaList(idSchema).optional(),
  'invoice-id': invoiceIdSchema.optional(),
  ...filterParams(writeOffFilters),
}

export const listWriteOffs = endpoint({
  ...listings.writeOffs,
  summary: 'Write-offs, by cursor',
  tag: 'Write-offs',
  params: nothing,
  query: z.object({ ...listQuery, ...filtered, sort: z.enum(writeOffSorts).default('id') }),
  answer: z.object({ write_offs: z.array(WriteOff), lek }),
})

export const countWriteOffs = endpoint({
  method: 'GET',
  path: '/write-offs/count',
  summary: 'How many write-offs a filter has',
  tag: 'Write-offs',
  params: nothing,
  query: z.object(filtered),
  answer: Count,
  needs: all('read:billing'),
  extension: true,
})

export const getWriteOff = endpoint({
  method: 'GET',
  path: '/write-offs/{id}',
  summary: 'One write-off',
  tag: 'Write-offs',
  params: byId,
  query: nothing,
  answer: WriteOff,
  needs: all('read:billing'),
  extension: true,
})

export const listWriteOffEvents = historyOf('/write-offs/{id}/history', {
  summary: 'What happened to a write-off, newest first',
  tag: 'Write-offs',
  needs: all('read:billing'),
  extension: true,
})

export const listInvoiceWriteOffs = endpoint({
  method: 'GET',
  path: '/invoices/{id}/write-offs',
  summary: 'The write-offs of an invoice, oldest first',
  tag: 'Invoices',
  params: byId,
  query: nothing,
  answer: z.object({ write_offs: z.array(WriteOff) }),
  needs: all('read:billing'),
  extension: true,
})

/** ERR-034. */
export const writeOffProblem =
  'There was a problem with the Write-off request, or your Invoice Status has changed. Refresh the page and try again.'
const stale = () => writeOffProblem

export const createWriteOffs = endpoint({
  method: 'POST',
  path: '/invoices/{id}/write-offs',
  summary: 'Suggest write-offs, one for each employee',
  tag: 'Invoices',
  params: byId,
  query: nothing,
  answer: z.object({ write_offs: z.array(WriteOff) }),
  extension: true,
  money: true,
  status: 201,
  needs: byIntent,
})

export const suggestWriteOffs = intent(createWriteOffs, {
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

const decision = (name: string, summary: string) =>
  endpoint({
    method: 'POST',
    path: `/write-offs/{id}/${name}`,
    summary,
    tag: 'Write-offs',
    params: byId,
    query: nothing,
    answer: WriteOff,
    extension: true,
    money: true,
    needs: byIntent,
  })

const comments = longText('Comments', commentLimit).optional()
/** The version of the invoice whose amounts the caller saw, by its id; only a run may omit it. */
const invoice = expected().optional()

export const approveWriteOff = decision('approve', 'Approve a write-off, whole or in part; the rest is rejected')
export const approve = intent(approveWriteOff, {
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

export const rejectWriteOff = decision('reject', 'Reject a write-off')
export const reject = intent(rejectWriteOff, {
  id: 'write-off.reject',
  body: z.object({ reason: text('Reason', 200), comments, version: version() }),
  needs: all('approve:write-offs'),
  event: 'Write-off rejected',
  refuses: canDecide,
  stale,
  amounts: (one: { suggested_amount: number }) => inFull(one.suggested_amount),
})

export const reverseWriteOff = decision('reverse', 'Take an approved write-off back')
export const reverse = intent(reverseWriteOff, {
  id: 'write-off.reverse',
  body: z.object({ reason: text('Reason', 200), expected: invoice, version: version() }),
  needs: all('approve:write-offs'),
  event: 'Write-off reversed',
  refuses: canUndo,
  stale,
  amounts: (one: { approved_amount: number | null }) => inFull(one.approved_amount ?? 0),
})
