import { getInvoice } from '#contract/invoices.ts'
import { reverse, writeOffProblem } from '#contract/write-offs.ts'
import { writeOffStatuses } from '#domain/write-off.ts'
import { invoiceHeads, lineOf, previewOf } from '#entities/forms/invoice-preview.ts'
import { statusRow } from '#entities/forms/preview-rows.ts'
import { writeOff } from '#entities/write-off.ts'
import { defineCommand } from '#kernel/command.ts'

export default defineCommand({
  id: 'write-off.reverse',
  title: 'Reverse write-off',
  aliases: ['undo write-off', 'take write-off back'],
  on: writeOff,
  suggestedFilter: { status: 'APPROVED' },
  does: reverse,
  facts: {
    read: (one, read) => read(getInvoice, { id: one.invoice_id }),
    expects: (one, facts) => ({ [one.invoice_id]: facts.version }),
  },
  form: reverse.body.omit({ version: true, expected: true }),
  preview: {
    rows: (one, _, facts) => [
      ...statusRow(writeOff.title(one), writeOffStatuses, one.status, 'REVERSED'),
      ...previewOf(facts, { writeoff: -(one.approved_amount ?? 0) }),
    ],
    lines: (one, _, facts) => {
      const line = lineOf(facts, { writeoff: -(one.approved_amount ?? 0) })
      return { ...invoiceHeads('Owed again'), lines: [{ ...line, detail: one.employee_name, moves: -line.moves }], sums: [] }
    },
  },
  done: (one) => `Reversed the write-off of ${writeOff.title(one)}`,
  failed: () => writeOffProblem,
})
