import { expect, test } from 'vitest'
import approveDeduction from '#commands/deduction/approve.ts'
import approveDeductionOf from '#commands/invoice/approve-deduction.ts'
import reject from '#commands/write-off/reject.ts'
import { changes, type Command } from '#kernel/command.ts'
import { asksFor } from '#kernel/form.ts'
import type { CommandContext } from '#kernel/command-context.ts'
import close from '#commands/invoice/close.ts'
import invite from '#commands/admin/invite.ts'
import approve from '#commands/write-off/approve.ts'
import { store } from '#portal/platform/store.ts'
import { warningsOf } from '#kernel/undo-note.ts'
import { undoNote } from '#portal/form/preview/use-preview.tsx'
import { meAtom } from '#portal/api/session.ts'
import { adminWithout, invoiceLike } from '#tests/support/examples.ts'

const nowhere: CommandContext = {
  signedIn: true,
  held: new Set(),
  supports: () => true,
  selection: null,
  pane: null,
  open: null,
  online: true,
}
const owing = (id: number, outstanding_amount: number) => invoiceLike({ id, number: `INV-${id}`, outstanding_amount })

test('[CARD-005] over several rows each warning is shown with its name, and one for all of them once', () => {
  expect(warningsOf(close, [owing(40100, 503_051)])).toBe('$5,030.51 is outstanding; the invoice stays underpaid.')
  expect(warningsOf(close, [owing(40100, 503_051), owing(40101, 28_598), owing(40102, 0)])).toBe(
    'INV-40100: $5,030.51 is outstanding; the invoice stays underpaid. INV-40101: $285.98 is outstanding; the invoice stays underpaid.',
  )
  expect(warningsOf(close, [owing(40100, 0)])).toBeNull()
  const seven = Array.from({ length: 7 }, (_, at) => owing(40100 + at, 100 * (at + 1)))
  expect(warningsOf(close, seven)).toMatch(/^INV-40100: .+ INV-40104: \$5\.00 is outstanding; .+ And 2 more\.$/)
  expect(warningsOf(invite, [{}, {}])).toBe('The link in the earlier e-mail stops working.')
})

test('an irreversible command without fields warns, so that its button has no focus', () => {
  const found = import.meta.glob<{ default: Command | { command: Command } }>('/commands/*/*.ts', { eager: true })
  const commands = Object.values(found).map(({ default: each }) => ('command' in each ? each.command : each))
  const withoutUndoOrForm = commands.filter((command) => changes(command) && !command.undo?.steps && !asksFor(command, nowhere))
  expect(withoutUndoOrForm.map(({ id }) => id)).toEqual(
    expect.arrayContaining(['deduction.approve', 'invoice.approve-deduction']),
  )
  expect(withoutUndoOrForm.filter((command) => changes(command) && !command.preview?.warning).map(({ id }) => id)).toEqual([])
})

test('decisions about money state the amount', () => {
  expect(warningsOf(approveDeduction, [{ amount: 483_60 }])).toBe('$483.60 has to be withheld.')
  expect(warningsOf(approveDeductionOf, [invoiceLike({ original_amount: 500_00, writeoff_amount: 16_40 })])).toBe(
    '$483.60 has to be withheld.',
  )
  expect(warningsOf(reject, [{ suggested_amount: 20_00 }])).toBe('$20.00 is rejected, and stays owed.')
})

test('an undo that does not restore the previous state says so beforehand', () => {
  store.set(meAtom, adminWithout())
  expect(undoNote(approve, true)).toBe(
    'Can be undone for 10 minutes. Undo reverses the write-off: it is not pending again, and has to be suggested again.',
  )
  expect(undoNote(approve, false)).toBe('This cannot be undone.')
  expect(undoNote(close, true)).toBe('Can be undone for 10 minutes.')
})
