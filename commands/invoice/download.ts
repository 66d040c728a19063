import { z } from 'zod'
import { choice } from '#contract/fields.ts'
import { downloadInvoice, type Invoice } from '#contract/invoices.ts'
import { invoice } from '#entities/invoice.ts'
import { defineCommand } from '#kernel/command.ts'

const form = z.object({
  format: choice('Format', ['pdf', 'csv'], { pdf: 'PDF, for the customer', csv: 'CSV, the lines by employee' }),
})

export default defineCommand<Invoice, z.infer<typeof form>>({
  id: 'invoice.download',
  title: 'Download invoice',
  aliases: ['pdf', 'csv', 'save invoice', 'print', 'send invoice'],
  on: invoice,
  reads: downloadInvoice,
  keys: [{ scope: 'row', chord: 'd' }],
  form: { schema: form, start: () => ({ format: 'pdf' }) },
  act: (host, one, { format }) => host.save(downloadInvoice, { id: one.id }, { format }),
  done: (one) => `Downloaded ${one.number}`,
})
