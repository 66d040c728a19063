import type { z } from 'zod'
import { reopen } from '#contract/invoice-changes.ts'
import { getInvoice, type Invoice } from '#contract/invoices.ts'
import type { WriteOff } from '#contract/write-offs.ts'
import { canReopen } from '#domain/invoice.ts'
import { canReopenFor } from '#domain/write-off.ts'
import { previewOf } from '#entities/forms/invoice-preview.ts'
import { writeOff } from '#entities/write-off.ts'
import { defineCommand } from '#kernel/command.ts'

const form = reopen.body.omit({ version: true })

/** Reopens a closed invoice, which is required before its write-off can be reversed. */
export default defineCommand<WriteOff, typeof reopen, z.infer<typeof form>, Invoice>({
  id: 'write-off.reopen-invoice',
  title: 'Reopen invoice of write-off',
  aliases: ['reopen invoice first'],
  on: writeOff,
  suggestedFilter: { status: 'APPROVED' },
  does: reopen,
  unavailable: { rule: canReopenFor },
  facts: (one, read) => read(getInvoice, { id: one.invoice_id }),
  form: {
    schema: form,
    messages: (_, __, facts) => {
      const refusal = canReopen(facts)
      return refusal ? [{ path: 'notes', message: refusal.sentence }] : []
    },
  },
  plan: (one, params, facts) => [reopen({ id: one.invoice_id }, { ...params, version: facts.version })],
  preview: (_, __, facts) => previewOf(facts, { status: 'SENT' }),
  done: (one) => `Reopened ${one.invoice_number}. Its write-off can be reversed now.`,
})
