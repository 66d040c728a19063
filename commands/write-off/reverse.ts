import { getInvoice, type Invoice } from '#contract/invoices.ts'
import { reverse, writeOffProblem } from '#contract/write-offs.ts'
import { previewOf } from '#entities/invoice-preview.ts'
import { writeOff } from '#entities/write-off.ts'
import { defineCommand } from '#kernel/command.ts'

export default defineCommand({
  id: 'write-off.reverse',
  title: 'Reverse write-off',
  aliases: ['undo write-off', 'take write-off back'],
  icon: 'undo',
  on: writeOff,
  does: reverse,
  facts: async (one, read) => (await read(getInvoice, { id: one.invoice_id })) as Invoice,
  preview: (one, _, facts) => previewOf(facts as Invoice, { writeoff: -(one.approved_amount ?? 0) }),
  amount: (one) => one.approved_amount ?? 0,
  done: (one) => `Reversed ${writeOff.title(one)}`,
  failed: () => writeOffProblem,
})
