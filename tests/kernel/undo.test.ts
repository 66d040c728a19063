import { expect, test } from 'vitest'
import type { Employee } from '#contract/employees.ts'
import pause from '#commands/employee/pause.ts'
import unlink from '#commands/employee/unlink.ts'
import close from '#commands/invoice/close.ts'
import { undoable } from '#kernel/command.ts'
import { callOf } from '#kernel/plan.ts'
import { undoWindow } from '#domain/undo.ts'
import { type HistoryEntry, undoOf } from '#kernel/history.ts'
import { invoiceLike } from '#tests/support/examples.ts'

const mia = (change: Partial<Employee>): Employee =>
  ({ id: 104234, first_name: 'Mia', last_name: 'Torres', status: 'ACTIVE', version: 3, user: null, ...change }) as Employee
const entry: HistoryEntry = {
  id: 'one',
  at: 1_000_000,
  command: 'employee.pause',
  title: 'Pause employee',
  sentence: 'Paused Mia Torres',
  target: { entity: 'employee', id: '104234', title: 'Mia Torres' },
  params: { reason: 'Fraud check' },
  before: mia({}),
  after: mia({ status: 'PAUSED', version: 4 }),
  answers: [],
  undone: false,
}
const now = entry.at + 1000

test('[EMP-001, EMP-004] a pause is undone by resuming the version that it produced', () => {
  const made = undoOf(pause, entry, now, entry.after)
  if (!('steps' in made)) throw new Error(made.sentence)
  const call = callOf(made.steps[0] as never, [])
  expect(call.intent.id).toBe('employee.resume')
  expect(call).toMatchObject({ at: { id: '104234' }, body: { status: 'ACTIVE', version: 4 } })
})

test('undo is possible for 10 minutes', () => {
  expect(undoOf(pause, entry, entry.at + undoWindow, entry.after)).toHaveProperty('steps')
  expect(undoOf(pause, entry, entry.at + undoWindow + 1, entry.after)).toEqual({ sentence: 'Undo is possible for 10 minutes.' })
})

test('undo never overwrites a later change by somebody else', () => {
  expect(undoOf(pause, entry, now, mia({ version: 5 }))).toEqual({
    sentence: 'Mia Torres has changed since; undo would overwrite that.',
  })
})

test('an undone action and one without undo say so', () => {
  expect(undoOf(pause, { ...entry, undone: true }, now, entry.after)).toEqual({ sentence: 'Already undone.' })
  expect(undoOf(unlink, { ...entry, title: 'Unlink employee from user' }, now, entry.after)).toEqual({
    sentence: 'Unlink employee from user cannot be undone.',
  })
  expect(undoOf(pause, { ...entry, before: mia({ status: 'PAUSED' }) }, now, entry.after)).toEqual({
    sentence: 'Pause employee cannot be undone.',
  })
  expect(undoOf(pause, { ...entry, before: undefined }, now, entry.after)).toEqual({
    sentence: 'Pause employee cannot be undone.',
  })
})

test('an undo that the state will not allow is announced beforehand', () => {
  expect(undoable(unlink)).toBe(false)
  expect(undoable(close)).toBe(true)
  expect(undoable(close, invoiceLike({ status: 'SENT' }))).toBe(true)
  // Reopened it would be Sent.
  for (const status of ['RETURNED', 'PARTIALLY_RETURNED'] as const) {
    const before = invoiceLike({ status, version: 3 })
    expect(undoable(close, before)).toBe(false)
    const after = invoiceLike({ status: 'CLOSED', version: 4 })
    expect(undoOf(close, { ...entry, title: 'Close invoice', before, after }, now, after)).toHaveProperty('sentence')
  }
})
