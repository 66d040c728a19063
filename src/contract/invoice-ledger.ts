import { z } from 'zod'
import { entryKinds } from '#domain/ledger.ts'
import { all } from '#domain/permissions.ts'
import { endpoint } from '#contract/define.ts'
import { dateSchema } from '#contract/fields.ts'
import { Actor } from '#contract/history.ts'
import { lek, pageQuery } from '#contract/list.ts'

/** One entry of the ledger; all totals are sums of entries (docs/rules/money.md). */
export const LedgerEntry = z.object({
  id: z.int(),
  kind: z.enum(entryKinds),
  amount: z.int(),
  /** The outstanding amount after it; cents. */
  outstanding_amount: z.int(),
  repayment_id: z.int().nullable(),
  write_off_id: z.int().nullable(),
  counter_invoice_id: z.int().nullable(),
  reverses: z.int().nullable(),
  actor: Actor,
  on_date: dateSchema,
  at: z.iso.datetime(),
})
export type LedgerEntry = z.infer<typeof LedgerEntry>

export const listInvoiceLedger = endpoint({
  method: 'GET',
  path: '/invoices/{id}/ledger',
  summary: 'Every entry that an invoice is the sum of, oldest first',
  tag: 'Invoices',
  query: z.object(pageQuery),
  answer: z.object({ entries: z.array(LedgerEntry), lek }),
  needs: all('read:billing'),
  extension: true,
})
