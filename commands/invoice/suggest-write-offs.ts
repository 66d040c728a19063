import { z } from 'zod'
import { rows } from '#contract/fields.ts'
import type { Invoice } from '#contract/invoices.ts'
import { InvoiceLine, listInvoiceLines } from '#contract/invoice-lines.ts'
import { reject, suggestWriteOffs, writeOffProblem } from '#contract/write-offs.ts'
import { suggestibleAmount } from '#domain/invoice-line.ts'
import { formatCents } from '#domain/money.ts'
import { validateRoom, validateSuggested } from '#domain/write-off.ts'
import { amountRow } from '#entities/forms/preview-rows.ts'
import { invoice } from '#entities/invoice.ts'
import { defineCommand } from '#kernel/command.ts'
import { answerTo } from '#kernel/plan.ts'
import { sumOf } from '#kernel/money-lines.ts'
import { pluralize } from '#kernel/pluralize.ts'
import { readAll } from '#kernel/read-all.ts'

const form = z.object({
  suggestions: rows('Employees', suggestWriteOffs.body.shape.suggestions, 'line_id', {
    help: 'A reason is required for each one chosen.',
  }),
})
type Params = z.infer<typeof form>

/** A line that owes something and has no pending write-off. */
const canBeSuggested = (line: InvoiceLine): boolean => suggestibleAmount(line) > 0 && line.pending_amount === 0

const employees = { one: 'employee', many: 'employees' }

export default defineCommand<Invoice, typeof suggestWriteOffs, Params, InvoiceLine[]>({
  id: 'invoice.suggest-write-offs',
  title: 'Suggest write-offs',
  aliases: ['give up'],
  icon: 'eraser',
  on: invoice,
  does: suggestWriteOffs,
  facts: (one, read) =>
    readAll(
      (query) => read(listInvoiceLines, { id: one.id }, query),
      ({ lines }) => lines,
    ),
  form: {
    schema: form,
    // In the tab of its lines the marked ones, or the active one, are preselected in full; the reason is left to choose.
    start: (one, { tabRows }) => {
      const isOwn = one && tabRows?.kind === 'invoice-line' && tabRows.of.id === String(one.id)
      const { data: lines = [] } = z.array(InvoiceLine).safeParse(isOwn ? tabRows.rows : [])
      const chosen = lines.filter(canBeSuggested)
      return chosen.length ? { suggestions: chosen.map((line) => ({ line_id: line.id, amount: suggestibleAmount(line) })) } : {}
    },
    messages: (one, { suggestions = [] }, lines) => {
      const known = new Map(lines.map((line) => [line.id, line]))
      let total = sumOf(lines.map((line) => line.pending_amount))
      return suggestions.flatMap(({ line_id, amount }, at) => {
        // A line with only a reason so far.
        if (amount === undefined) return []
        const line = known.get(line_id)
        total += amount
        const refusal = (line && validateSuggested(amount, line)) ?? validateRoom(total, one)
        return refusal ? [{ path: `suggestions.${at}.amount`, message: refusal.sentence }] : []
      })
    },
  },
  preview: {
    rows: (one, { suggestions = [] }, facts) => {
      const waiting = facts.reduce((sum, line) => sum + line.pending_amount, 0)
      const more = suggestions.reduce((sum, each) => sum + (each.amount || 0), 0)
      return amountRow(one.number, 'suggested and not decided', waiting, waiting + more)
    },
    lines: (one, { suggestions = [] }, lines) => {
      const offered = lines.filter(canBeSuggested)
      const known = new Set(offered.map(({ id }) => id))
      // Lines that are no longer available are neither sent nor counted.
      const taken = suggestions.filter((each) => known.has(each.line_id))
      const typed = new Map(taken.map((each) => [each.line_id, each.amount ?? 0]))
      const waiting = lines.filter((line) => line.pending_amount > 0)
      const sum = sumOf([...typed.values()])
      return {
        ...employees,
        heads: ['Owes now', 'Write off', 'If approved'],
        lines: offered.map((line) => {
          const [before, moves] = [suggestibleAmount(line), typed.get(line.id) ?? 0]
          const { id, employee_name: title, employee_code: detail } = line
          return { id, title, detail, before, moves, after: before - moves, max: before }
        }),
        sums: [
          { title: 'Owed on this invoice', cents: one.outstanding_amount },
          { title: `Suggested, ${pluralize(typed.size, employees)}`, cents: sum },
          { title: 'Owed if approved', cents: one.outstanding_amount - sum },
        ],
        ...(waiting.length
          ? {
              locked: {
                title: pluralize(waiting.length, employees),
                detail: 'A write-off of theirs waits for a decision.',
                cents: sumOf(waiting.map((line) => line.pending_amount)),
              },
            }
          : {}),
      }
    },
    warning: () => 'Nothing is written off before it is approved.',
  },
  plan: (one, params) => [suggestWriteOffs({ id: one.id }, { ...params, version: one.version })],
  undo: ({ answers }) => {
    if (answers.length === 0) return null
    const { write_offs: suggested } = answerTo(suggestWriteOffs, answers[0])
    return suggested.map((each) => reject({ id: each.id }, { reason: 'Undone', version: each.version }))
  },
  done: (one, { suggestions }) =>
    `Suggested ${formatCents(suggestions.reduce((sum, each) => sum + each.amount, 0))} of ${one.number} as write-off`,
  failed: () => writeOffProblem,
})
