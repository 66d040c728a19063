import { z } from 'zod'
import { canApprove, canConfirm, canDeliver, deductionStatuses, validatePendingWriteOffs } from '#domain/deduction.ts'
import { all } from '#domain/permissions.ts'
import { action, endpoint } from '#contract/define.ts'
import { inFull } from '#domain/amounts.ts'
import { dateSchema, longText, version } from '#contract/fields.ts'
import { choiceFilter, dateFilter, referenceFilter, yesNoFilter } from '#contract/filter.ts'
import { Actor } from '#contract/history.ts'
import { confirmationFlows, invoiceIdSchema } from '#contract/invoices.ts'
import { listings } from '#contract/listings.ts'
import { byIds, resource } from '#contract/resource.ts'

/** The amounts that an employer has to withhold for one invoice; cents. */
export const Deduction = z.object({
  id: z.int(),
  status: z.enum(deductionStatuses.values),
  invoice_id: z.int(),
  invoice_number: z.string(),
  invoice_status: z.string(),
  employer: z.object({ id: z.int(), name: z.string(), code: z.string() }),
  organization: z.object({ id: z.int(), name: z.string() }),
  report_date: dateSchema,
  due_date: dateSchema,
  /** The amount to withhold: the lines less write-offs. */
  amount: z.int(),
  employees: z.int(),
  pending_write_offs: z.int(),
  confirmation_flow: z.enum(confirmationFlows),
  confirmations: z.int(),
  /** The amount that the employer reported as withheld; null until then. */
  confirmed_amount: z.int().nullable(),
  file_name: z.string().nullable(),
  approved_by: Actor.nullable(),
  approved_at: z.iso.datetime().nullable(),
  delivered_at: z.iso.datetime().nullable(),
  /** Whether its file was sent to the employer; some are only delivered here. */
  sent: z.boolean().optional(),
  /** When the customer first downloaded its file. */
  fetched_at: z.iso.datetime().nullable(),
  confirmed_at: z.iso.datetime().nullable(),
  updated_at: z.iso.datetime(),
  version: z.int(),
})
export type Deduction = z.infer<typeof Deduction>

export const deductionFilters = [
  choiceFilter({
    id: 'status',
    title: 'Status',
    of: deductionStatuses,
    synonyms: { WAITING_CONFIRMATION: ['to confirm'], PENDING: ['to approve'] },
  }),
  referenceFilter('organization', 'Organization', 'organization', 'organization-id'),
  referenceFilter('employer', 'Employer', 'employer', 'employer-id'),
  yesNoFilter('write_offs', 'Write-offs to decide', 'pending-write-offs'),
  dateFilter('reported', 'Report date'),
] as const

export const deductionSorts = ['id', 'status', 'report_date'] as const

export const {
  list: listDeductions,
  count: countDeductions,
  get: getDeduction,
  history: listDeductionEvents,
} = resource(listings.deductions, {
  one: 'deduction',
  many: 'deductions',
  tag: 'Deductions',
  row: Deduction,
  rows: 'deductions',
  filters: deductionFilters,
  sorts: deductionSorts,
  narrowing: { ...byIds, 'invoice-id': invoiceIdSchema.optional() },
  totals: { amount: z.int() },
})

export const downloadDeductionFile = endpoint({
  method: 'GET',
  path: '/deductions/{id}/file',
  summary: 'The file that tells the employer what to withhold, as CSV, encrypted where the organization has a key',
  tag: 'Deductions',
  answer: z.file().mime(['text/csv', 'application/pgp-encrypted']),
  needs: all('read:billing'),
  extension: true,
})

/** Maximum number of lines shown in the preview of a file. */
export const maxFilePreviewed = 20

export const previewDeductionFile = endpoint({
  method: 'GET',
  path: '/deductions/{id}/file-preview',
  summary: 'How the file of a deduction begins, as text, with the number of its lines',
  tag: 'Deductions',
  answer: z.object({
    name: z.string(),
    /** Whether the employer's EWA mapping defines the file; else the general format. */
    mapped: z.boolean(),
    head: z.array(z.string()),
    rows: z.array(z.array(z.string())),
    lines: z.int(),
  }),
  needs: all('read:billing'),
  extension: true,
})

const step = <const Name extends string>(name: Name, summary: string) =>
  ({
    method: 'POST',
    path: `/deductions/{id}/${name}`,
    summary,
    tag: 'Deductions',
    answer: Deduction,
    extension: true,
    money: true,
  }) as const

const changed = 'This deduction was changed in the meantime. Look at it as it is now, then try again.'

export const approveDeduction = action({
  ...step('approve', 'Approve a deduction; its invoice is approved with it'),
  id: 'deduction.approve',
  body: z.object({ version: version() }),
  needs: all('write:billing'),
  event: 'Deduction approved',
  refuses: canApprove,
  amounts: (one: { amount: number }) => inFull(one.amount),
  stale: (deduction: { pending_write_offs: number }) =>
    validatePendingWriteOffs(deduction.pending_write_offs)?.sentence ?? changed,
})

export const deliverDeduction = action({
  ...step('deliver', 'Deliver the deduction file to the employer'),
  id: 'deduction.deliver',
  body: z.object({ version: version() }),
  needs: all('write:billing'),
  event: 'Deduction delivered',
  refuses: canDeliver,
  amounts: (one: { amount: number }) => inFull(one.amount),
})

export const confirmDeduction = action({
  ...step('confirmations', 'Record what the employer withheld of each employee'),
  id: 'deduction.confirm',
  body: z.object({
    confirmations: z
      .array(z.object({ line_id: z.int().positive(), withheld_amount: z.int().min(0) }))
      .min(1, 'Confirm at least one employee.')
      .max(5_000),
    notes: longText('Notes').optional(),
    version: version(),
  }),
  needs: all('write:billing'),
  event: 'Confirmations recorded',
  refuses: canConfirm,
})
