import { expect, test } from 'vitest'
import addRepayment from '#commands/invoice/add-repayment.ts'
import close from '#commands/invoice/close.ts'
import refund from '#commands/invoice/refund.ts'
import type { Invoice } from '#contract/invoices.ts'
import { noPermission } from '#domain/permissions.ts'
import { notOffered } from '#kernel/availability.ts'
import type { Command } from '#kernel/command.ts'
import { overSeveral } from '#kernel/several.ts'
import type { CommandContext } from '#kernel/command-context.ts'
import { invoiceLike } from '#tests/support/examples.ts'
import { contextLike } from '#tests/kernel/context.ts'

const context = contextLike()
const invoices = (...more: Partial<Invoice>[]) => more.map((each, at) => invoiceLike({ id: 40001 + at, ...each }))
const over = (command: Command, rows: readonly Invoice[], of = rows.length, more: Partial<CommandContext> = {}) =>
  overSeveral(command, { ids: Array.from({ length: of }, (_, at) => String(40001 + at)), filter: null, count: of }, rows, {
    ...context,
    ...more,
  })

test('a command over several is checked per record, then over all eligible ones', () => {
  const [sent, draft, elsewhere] = invoices({}, { status: 'DRAFT' }, { debtor_id: 9_999, debtor_name: 'Elsewhere' })
  const both = over(addRepayment, [sent, draft] as Invoice[])
  expect(both.state).toEqual({ state: 'ready' })
  expect(both.validated?.eligible).toEqual([sent])
  // An ineligible record does not matter for the owner of the others.
  expect(over(addRepayment, [sent, { ...(elsewhere as Invoice), status: 'DRAFT' }] as Invoice[]).state).toEqual({
    state: 'ready',
  })
  expect(over(addRepayment, [sent, elsewhere] as Invoice[]).state).toMatchObject({
    state: 'off',
    sentence: expect.stringContaining('owed by 2 employers'),
  })
  expect(over(addRepayment, [draft] as Invoice[]).state).toEqual({ state: 'off', sentence: 'Actions unavailable when in Draft.' })
})

test('a selection that is not fully loaded is checked once it has been read', () => {
  expect(over(addRepayment, invoices({}), 3)).toEqual({ state: { state: 'ready' }, validated: null })
})

test('too many, or all matches of a filter, are refused with the maximum', () => {
  const sentence = 'Select at most 50 invoices.'
  expect(over(addRepayment, [], 51).state).toEqual({ state: 'off', sentence })
  const all = { ids: ['40001'], filter: { status: 'OVERDUE' }, count: 2 }
  expect(overSeveral(addRepayment, all, [], context).state).toEqual({ state: 'off', sentence })
  expect(overSeveral(addRepayment, { ...all, count: null }, [], context).state).toEqual({ state: 'off', sentence })
  expect(overSeveral(close, all, [], context).state).toEqual({ state: 'ready' })
  // All matches are loaded: the same as if each was marked.
  const [one] = invoices({})
  expect(overSeveral(addRepayment, { ...all, count: 1 }, [one], context).validated?.eligible).toEqual([one])
})

test('permission and API support come first; commands for single records say so', () => {
  expect(over(addRepayment, invoices({}, {}), 2, { held: new Set([1]) }).state).toMatchObject({
    state: 'locked',
    sentence: noPermission,
  })
  expect(over(addRepayment, invoices({}, {}), 2, { supports: () => false }).state).toEqual({ state: 'off', sentence: notOffered })
  expect(over(refund, invoices({}, {})).state).toEqual({ state: 'off', sentence: 'Select a single invoice.' })
})
