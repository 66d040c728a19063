import { z } from 'zod'
import { longText, money, rows } from '#contract/fields.ts'
import { confirmDeduction, type Deduction } from '#contract/deductions.ts'
import { type InvoiceLine, listInvoiceLines } from '#contract/invoice-lines.ts'
import { billedAmount } from '#domain/invoice-line.ts'
import { formatCents } from '#domain/money.ts'
import { afterConfirmation, judgeWithheld } from '#domain/deduction.ts'
import { amountRow, statusRow } from '#entities/invoice-preview.ts'
import { deduction } from '#entities/deduction.ts'
import { defineCommand } from '#kernel/command.ts'
import { readAll } from '#kernel/read-all.ts'

const form = z.object({
  confirmations: rows(
    'Withheld',
    z
      .array(z.object({ line_id: z.int(), withheld_amount: money('Withheld', { min: 0 }) }))
      .min(1, 'Confirm at least one employee.'),
    'line_id',
    { help: 'Type * for the full amount.', inFull: true },
  ),
  notes: longText('Notes').optional(),
})
type Params = z.infer<typeof form>

export default defineCommand<Deduction, typeof confirmDeduction, Params>({
  id: 'deduction.confirm',
  title: 'Record confirmations',
  aliases: ['confirmation file', 'withheld amounts'],
  icon: 'check',
  on: deduction,
  does: confirmDeduction,
  bulk: false,
  form,
  facts: (one, read) =>
    readAll<InvoiceLine>(
      (query) => read(listInvoiceLines, { id: one.invoice_id }, query),
      (answer) => (answer as { lines: InvoiceLine[] }).lines,
    ),
  rows: (_, facts) => ({
    confirmations: (facts as InvoiceLine[])
      .filter((line) => billedAmount(line) > 0)
      .map((line) => ({
        id: line.id,
        title: line.employee_name,
        detail: line.withheld_amount === null ? line.employee_code : `${formatCents(line.withheld_amount)} confirmed`,
        most: billedAmount(line),
      })),
  }),
  // What was written off since the file went out was still asked for, so only the server knows the limit to the cent.
  judges: (_, { confirmations }, facts) =>
    confirmations.flatMap(({ line_id, withheld_amount }, at) => {
      const line = (facts as InvoiceLine[]).find((each) => each.id === line_id)
      const refusal = line && judgeWithheld(withheld_amount, { amount: line.original_amount })
      return refusal ? [{ path: `confirmations.${at}.withheld_amount`, message: refusal.sentence }] : []
    }),
  preview: (one, { confirmations = [] }, facts) => {
    const lines = facts as InvoiceLine[]
    const now = lines.reduce((sum, line) => sum + (line.withheld_amount ?? 0), 0)
    const told = new Map(confirmations.map((each) => [each.line_id, each.withheld_amount]))
    const after = lines.reduce((sum, line) => sum + (told.get(line.id) ?? line.withheld_amount ?? 0), 0)
    const last =
      one.confirmation_flow !== 'MULTIPLE' ||
      lines.every((line) => billedAmount(line) <= 0 || line.withheld_amount !== null || told.has(line.id))
    return [
      ...amountRow(one.invoice_number, 'withheld', now, after),
      ...(told.size ? statusRow(deduction.title(one), one.status, afterConfirmation(last)) : []),
    ]
  },
  plan: (one, params) => [confirmDeduction({ id: one.id }, { ...params, version: one.version })],
  done: (one, { confirmations }) => `Recorded ${confirmations.length} confirmations of ${one.invoice_number}`,
  failed: (one) => `Something went wrong recording the confirmations of ${one.invoice_number}`,
})
