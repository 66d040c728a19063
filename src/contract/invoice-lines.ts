import { z } from 'zod'
import { all } from '#domain/permissions.ts'
import { endpoint } from '#contract/define.ts'
import { lek, pageQuery } from '#contract/list.ts'

/** What one employee owes on an invoice; cents. */
export const InvoiceLine = z.object({
  id: z.int(),
  employee_id: z.int(),
  employee_name: z.string(),
  employee_code: z.string(),
  department_code: z.string().nullable(),
  original_amount: z.int(),
  writeoff_amount: z.int(),
  /** Suggested for a write-off and not decided yet. */
  pending_amount: z.int(),
  /** The amount that the employer reported as withheld; null until then. */
  withheld_amount: z.int().nullable(),
})
export type InvoiceLine = z.infer<typeof InvoiceLine>

export const listInvoiceLines = endpoint({
  method: 'GET',
  path: '/invoices/{id}/lines',
  summary: 'The lines of an invoice, by employee',
  tag: 'Invoices',
  query: z.object(pageQuery),
  answer: z.object({ lines: z.array(InvoiceLine), lek }),
  needs: all('read:billing'),
  extension: true,
})
