import { z } from 'zod'
import { money } from '#contract/fields.ts'
import { getInvoice, type Invoice } from '#contract/invoices.ts'
import { approve, reverse, type WriteOff, writeOffProblem } from '#contract/write-offs.ts'
import { formatCents } from '#domain/money.ts'
import { validateApproval, validateRoom, writeOffStatuses } from '#domain/write-off.ts'
import { invoiceHeads, lineOf, previewOf, statusAfter } from '#entities/forms/invoice-preview.ts'
import { statusRow } from '#entities/forms/preview-rows.ts'
import { writeOff } from '#entities/write-off.ts'
import { defineCommand } from '#kernel/command.ts'

const { amount, ...words } = approve.body.omit({ version: true, expected: true }).shape
const form = z.object({ amount: amount.unwrap(), ...words })
/** For several, each write-off has its own amount; the form asks only for one that applies to all. */
const ofEach = z.object({
  amount: money('Approved amount of each', { help: 'Left empty, each is approved in full.', inFull: true }).optional(),
  ...words,
})

/** The API returns whether it is the person's own suggestion; no ids are needed. */
const own = 'own'
const validate = (one: WriteOff, amount: number) =>
  validateApproval({ ...one, suggested_by: one.own ? own : null }, amount, own, false)

export default defineCommand<WriteOff, typeof approve, z.infer<typeof ofEach>, Invoice>({
  id: 'write-off.approve',
  title: 'Approve write-off',
  aliases: ['accept write-off', 'ok'],
  on: writeOff,
  suggestedFilter: { status: 'PENDING' },
  does: approve,
  keys: [{ scope: 'row', chord: 'p' }],
  unavailable: (_, one) => (one ? validate(one, one.suggested_amount) : null),
  facts: {
    read: (one, read) => read(getInvoice, { id: one.invoice_id }),
    expects: (one, facts) => ({ [one.invoice_id]: facts.version }),
  },
  form: {
    schema: (_, one) => (one ? form : ofEach),
    start: (one) => (one ? { amount: one.suggested_amount } : {}),
    messages: (one, { amount }, facts) => {
      const refusal = amount === undefined ? null : (validate(one, amount) ?? validateRoom(amount, facts))
      return refusal ? [{ path: 'amount', message: refusal.sentence }] : []
    },
  },
  preview: {
    rows: (one, { amount = 0 }, facts) => [
      ...statusRow(writeOff.title(one), writeOffStatuses, one.status, 'APPROVED'),
      ...(validate(one, amount) ? [] : previewOf(facts, { writeoff: amount })),
    ],
    lines: (one, { amount }, facts) => ({
      ...invoiceHeads('Written off'),
      lines: [{ ...lineOf(facts, { writeoff: amount ?? 0 }), detail: one.employee_name }],
      sums: [
        { title: 'Suggested', cents: one.suggested_amount },
        { title: 'Approved', cents: amount ?? 0 },
        // Without an amount nothing is rejected either.
        ...(amount === undefined ? [] : [{ title: 'Rejected', cents: Math.max(0, one.suggested_amount - amount) }]),
      ],
      max: one.suggested_amount,
    }),
    warning: (one) => `${formatCents(one.suggested_amount)} is suggested. Any remainder is rejected.`,
  },
  bulk: {
    summary: ({ amount }, { moved, left }) =>
      amount === undefined
        ? `${formatCents(moved)} approved, each in full.`
        : `${formatCents(moved)} approved (${formatCents(amount)} of each), ${formatCents(left)} rejected.`,
  },
  undo: {
    steps: ({ after }) => [
      reverse(
        { id: after.id },
        { reason: 'Undone', version: after.version, expected: { [after.invoice_id]: after.invoice_version } },
      ),
    ],
    // An invoice that closes with the approval allows no reversal.
    applies: (one, { amount = 0 }, facts) =>
      reverse.refuses({ ...one, status: 'APPROVED', invoice_status: statusAfter(facts, { writeoff: amount }) }) === null,
    note: 'Undo reverses the write-off: it is not pending again, and has to be suggested again.',
    done: (one) =>
      `Reversed the write-off of ${writeOff.title(one)}. It is not pending again: suggest it again to have it decided.`,
  },
  done: (one, { amount = one.suggested_amount }) => `Approved ${formatCents(amount)} of the write-off of ${writeOff.title(one)}`,
  failed: () => writeOffProblem,
})
