import { z } from 'zod'
import { longText, money, rows } from '#contract/fields.ts'
import { confirmDeduction, type Deduction } from '#contract/deductions.ts'
import { type InvoiceLine, listInvoiceLines } from '#contract/invoice-lines.ts'
import { billedAmount } from '#domain/invoice-line.ts'
import { formatCents } from '#domain/money.ts'
import { afterConfirmation, deductionStatuses, validateWithheld, withheldBelowZero } from '#domain/deduction.ts'
import { amountRow, statusRow } from '#entities/forms/preview-rows.ts'
import { deduction } from '#entities/deduction.ts'
import { defineCommand } from '#kernel/command.ts'
import { leftOver, sumOf } from '#kernel/money-lines.ts'
import { pluralize } from '#kernel/pluralize.ts'
import { readAll } from '#kernel/read-all.ts'

const form = z.object({
  confirmations: rows(
    'Withheld',
    z
      .array(z.object({ line_id: z.int(), withheld_amount: money('Withheld', { min: 0, below: withheldBelowZero }) }))
      .min(1, 'Confirm at least one employee.'),
    'line_id',
    { inFull: true },
  ).optional(),
  notes: longText('Notes').optional(),
})
type Params = z.infer<typeof form>

const employees = { one: 'employee', many: 'employees' }

/** The lines with a requested amount. */
const asked = (facts: readonly InvoiceLine[]): InvoiceLine[] => facts.filter((line) => billedAmount(line) > 0)

/** A single file covers everybody: lines without a result are suggested in full. With several files, each covers some people. */
const suggestion = (one: Deduction, lines: readonly InvoiceLine[]) =>
  one.confirmation_flow === 'MULTIPLE'
    ? []
    : lines
        .filter((line) => line.withheld_amount === null)
        .map((line) => ({ line_id: line.id, withheld_amount: billedAmount(line) }))

/** The confirmed amount by line: as typed, else as suggested. */
const confirmedBy = (one: Deduction, { confirmations }: Partial<Params>, facts: readonly InvoiceLine[]): Map<number, number> =>
  new Map((confirmations ?? suggestion(one, asked(facts))).map((each) => [each.line_id, each.withheld_amount]))

export default defineCommand<Deduction, typeof confirmDeduction, Params, InvoiceLine[]>({
  id: 'deduction.confirm',
  title: 'Record confirmations',
  aliases: ['confirm deduction', 'confirmation file', 'withheld amounts'],
  on: deduction,
  suggestedFilter: { status: 'WAITING_CONFIRMATION' },
  does: confirmDeduction,
  facts: (one, read) =>
    readAll(
      (query) => read(listInvoiceLines, { id: one.invoice_id }, query),
      ({ lines }) => lines,
    ),
  form: {
    schema: form,
    // Amounts written off after the file was sent were still requested, so only the server knows the exact limit.
    messages: (one, params, facts) => {
      const confirmed = confirmedBy(one, params, facts)
      if (confirmed.size === 0) return [{ path: 'confirmations', message: 'Confirm at least one employee.' }]
      const left = asked(facts).filter((line) => line.withheld_amount === null && !confirmed.has(line.id))
      if (one.confirmation_flow !== 'MULTIPLE' && left.length)
        return [
          {
            path: 'confirmations',
            message: `${pluralize(left.length, employees)} without an amount, and nothing can be confirmed after this. Enter 0.00 where nothing was withheld.`,
          },
        ]
      const lines = new Map(facts.map((line) => [line.id, line]))
      return (params.confirmations ?? []).flatMap(({ line_id, withheld_amount }, at) => {
        const line = lines.get(line_id)
        const refusal = line && validateWithheld(withheld_amount, { amount: line.original_amount })
        return refusal ? [{ path: `confirmations.${at}.withheld_amount`, message: refusal.sentence }] : []
      })
    },
  },
  preview: {
    rows: (one, params, lines) => {
      const now = sumOf(lines.map((line) => line.withheld_amount ?? 0))
      const confirmed = confirmedBy(one, params, lines)
      const after = sumOf(lines.map((line) => confirmed.get(line.id) ?? line.withheld_amount ?? 0))
      const last =
        one.confirmation_flow !== 'MULTIPLE' ||
        lines.every((line) => billedAmount(line) <= 0 || line.withheld_amount !== null || confirmed.has(line.id))
      return [
        ...amountRow(one.invoice_number, 'withheld', now, after),
        ...(confirmed.size ? statusRow(deduction.title(one), deductionStatuses, one.status, afterConfirmation(last)) : []),
      ]
    },
    lines: (one, params, facts) => {
      const lines = asked(facts)
      const suggested = new Map(suggestion(one, lines).map((each) => [each.line_id, each.withheld_amount]))
      const confirmed = confirmedBy(one, params, facts)
      const after = lines.map((line) => confirmed.get(line.id) ?? line.withheld_amount ?? 0)
      const [all, sum] = [sumOf(lines.map(billedAmount)), sumOf(after)]
      return {
        ...employees,
        heads: ['Asked for', 'Withheld', 'Not withheld'],
        lines: lines.map((line, at) => ({
          id: line.id,
          title: line.employee_name,
          detail: line.withheld_amount === null ? line.employee_code : `${formatCents(line.withheld_amount)} confirmed`,
          before: billedAmount(line),
          ...(confirmed.has(line.id) && line.withheld_amount !== null ? { has: line.withheld_amount } : {}),
          moves: confirmed.get(line.id) ?? 0,
          after: billedAmount(line) - (after[at] ?? 0),
          max: billedAmount(line),
          ...(suggested.size ? { suggested: suggested.get(line.id) ?? 0 } : {}),
        })),
        sums: [
          { title: 'Asked for', cents: all },
          { title: `Withheld, ${pluralize(confirmed.size, employees)}`, cents: sum },
          leftOver('Not withheld', all - sum),
        ],
        hint: suggested.size ? 'Withheld in full. Change any line.' : 'Fill in what the file says.',
      }
    },
  },
  plan: (one, params, facts) => {
    const confirmations = [...confirmedBy(one, params, facts)].map(([line_id, withheld_amount]) => ({ line_id, withheld_amount }))
    return [confirmDeduction({ id: one.id }, { ...params, confirmations, version: one.version })]
  },
  done: (one) => `Recorded the confirmations of ${one.invoice_number}`,
})
