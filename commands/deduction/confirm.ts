import { z } from 'zod'
import { longText, money, rows } from '#contract/fields.ts'
import { confirmDeduction, type Deduction } from '#contract/deductions.ts'
import { type InvoiceLine, listInvoiceLines } from '#contract/invoices.ts'
import { formatCents } from '#domain/money.ts'
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
    { help: '* takes the whole amount of a line.' },
  ),
  notes: longText('Notes').optional(),
})
type Params = z.infer<typeof form>

const owed = (line: InvoiceLine) => line.original_amount - line.writeoff_amount

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
    confirmations: (facts as InvoiceLine[]).map((line) => ({
      id: line.id,
      title: line.employee_name,
      detail: line.withheld_amount === null ? line.employee_code : `${formatCents(line.withheld_amount)} confirmed`,
      most: owed(line),
    })),
  }),
  preview: (one, { confirmations = [] }, facts) => {
    const lines = facts as InvoiceLine[]
    const now = lines.reduce((sum, line) => sum + (line.withheld_amount ?? 0), 0)
    const after = lines.reduce(
      (sum, line) => sum + (confirmations.find((each) => each.line_id === line.id)?.withheld_amount ?? line.withheld_amount ?? 0),
      0,
    )
    return [{ of: one.invoice_number, what: 'withheld', before: formatCents(now), after: formatCents(after) }]
  },
  plan: (one, params) => [confirmDeduction({ id: one.id }, { ...params, version: one.version })],
  done: (one, { confirmations }) => `Recorded ${confirmations.length} confirmations of ${one.invoice_number}`,
  failed: (one) => `Something went wrong recording the confirmations of ${one.invoice_number}`,
})
