import { z } from 'zod'
import { rows } from '#contract/fields.ts'
import type { Invoice } from '#contract/invoices.ts'
import { type InvoiceLine, listInvoiceLines } from '#contract/invoice-lines.ts'
import { reject, suggestWriteOffs, type WriteOff, writeOffProblem } from '#contract/write-offs.ts'
import { suggestibleAmount } from '#domain/invoice-line.ts'
import { formatCents } from '#domain/money.ts'
import { judgeRoom, judgeSuggestion } from '#domain/write-off.ts'
import { amountRow } from '#entities/invoice-preview.ts'
import { invoice } from '#entities/invoice.ts'
import { defineCommand } from '#kernel/command.ts'
import { readAll } from '#kernel/read-all.ts'

const form = z.object({
  suggestions: rows('Employees', suggestWriteOffs.body.shape.suggestions, 'line_id', {
    help: 'Type * for the full balance. A reason is required for each one chosen.',
  }),
})
type Params = z.infer<typeof form>

export default defineCommand<Invoice, typeof suggestWriteOffs, Params>({
  id: 'invoice.suggest-write-offs',
  title: 'Suggest write-offs',
  aliases: ['give up'],
  icon: 'eraser',
  on: invoice,
  does: suggestWriteOffs,
  bulk: false,
  form,
  facts: (one, read) =>
    readAll<InvoiceLine>(
      (query) => read(listInvoiceLines, { id: one.id }, query),
      (answer) => (answer as { lines: InvoiceLine[] }).lines,
    ),
  rows: (_, facts) => ({
    suggestions: (facts as InvoiceLine[])
      .filter((line) => suggestibleAmount(line) > 0 && line.pending_amount === 0)
      .map((line) => ({
        id: line.id,
        title: line.employee_name,
        detail: line.employee_code,
        most: suggestibleAmount(line),
      })),
  }),
  judges: (one, { suggestions }, facts) => {
    const lines = facts as InvoiceLine[]
    let total = lines.reduce((sum, line) => sum + line.pending_amount, 0)
    return suggestions.flatMap((each, at) => {
      const line = lines.find((other) => other.id === each.line_id)
      total += each.amount
      const refusal = (line && judgeSuggestion(each, line)) ?? judgeRoom(total, one)
      return refusal ? [{ path: `suggestions.${at}.amount`, message: refusal.sentence }] : []
    })
  },
  preview: (one, { suggestions = [] }, facts) => {
    const waiting = (facts as InvoiceLine[]).reduce((sum, line) => sum + line.pending_amount, 0)
    const more = suggestions.reduce((sum, each) => sum + (each.amount || 0), 0)
    return amountRow(one.number, 'suggested and not decided', waiting, waiting + more)
  },
  warning: () => 'Nothing is written off before somebody else approves it.',
  plan: (one, params) => [suggestWriteOffs({ id: one.id }, { ...params, version: one.version })],
  undo: ({ answers }) => {
    const [answer] = answers as [{ write_offs: WriteOff[] } | undefined]
    return answer?.write_offs.map((each) => reject({ id: each.id }, { reason: 'Undone', version: each.version })) ?? null
  },
  done: (one, { suggestions }) =>
    `Suggested ${formatCents(suggestions.reduce((sum, each) => sum + each.amount, 0))} of ${one.number} as write-off`,
  failed: () => writeOffProblem,
})
