import { beforeAll, beforeEach, expect, test } from 'vitest'
import type { AnyEntity } from '#kernel/entity.ts'
import { addHistory } from '#portal/commands/history.ts'
import { meAtom } from '#portal/api/session.ts'
import { openPalette, paletteAtom, typePalette } from '#portal/commands/palette-state.ts'
import { parts } from '#portal/palette/sentence-parts.ts'
import { register } from '#portal/platform/registry.ts'
import { store } from '#portal/platform/store.ts'
import { upsertRecords } from '#portal/records/entity-store.ts'
import { company, everyCommand, type } from '#tests/portal/typing.ts'
import { adminWithout } from '#tests/support/examples.ts'

const found = import.meta.glob<Record<string, unknown>>('../../src/entities/*.ts', { eager: true })
const isEntity = (value: unknown): value is AnyEntity => (value as { kind?: unknown } | null | undefined)?.kind === 'entity'

beforeAll(() => {
  register({
    commands: everyCommand,
    entities: Object.values(found).flatMap((module) => Object.values(module).filter(isEntity)),
  })
  for (const [entity, rows] of company) upsertRecords(entity.name, rows)
})
beforeEach(() => {
  store.set(meAtom, adminWithout())
  openPalette()
})

const field = (): string => store.get(paletteAtom).typed

/** Presses Tab, or Shift+Tab, on the text in the field; false if nothing is completed. */
function tab(step: 1 | -1 = 1): boolean {
  const { rows, preselected, context } = type(field())
  return parts.completeBy(step, { rows, active: preselected, typed: field(), context })
}

test('Tab and Shift+Tab go through the values of a field, Escape brings back what was typed', () => {
  typePalette('change pay frequency and next pay date 100467 ')
  expect([tab(), field()]).toEqual([true, 'change pay frequency and next pay date 100467 Weekly'])
  expect([tab(), field()]).toEqual([true, 'change pay frequency and next pay date 100467 Bi-weekly'])
  expect([tab(-1), field()]).toEqual([true, 'change pay frequency and next pay date 100467 Weekly'])
  expect([tab(-1), field()]).toEqual([true, 'change pay frequency and next pay date 100467 Monthly'])
  expect([parts.takeBack(field()), field()]).toEqual([true, 'change pay frequency and next pay date 100467 '])
  expect([parts.takeBack(field()), field()]).toEqual([false, 'change pay frequency and next pay date 100467 '])
})

test('a letter ends it, and Tab then completes from there', () => {
  typePalette('pay details 100467 ')
  expect(tab()).toBe(true)
  typePalette(`${field()} `)
  expect([parts.takeBack(field()), tab(), field()]).toEqual([false, true, 'pay details 100467 Weekly today'])
})

test('recent values of the command in this session come first', () => {
  const done = { before: null, after: null, answers: [], target: null, params: { reason: 'suspected fraud' } }
  addHistory({ command: 'employee.pause', title: 'Pause employee', sentence: 'Paused Tom Okafor', ...done })
  typePalette('pause 100467 ')
  expect([tab(), field()]).toEqual([true, 'pause 100467 suspected fraud'])
})

test('a known record completes its name', () => {
  typePalette('set csm 200001 to jan')
  expect(tab()).toBe(true)
  expect(field()).toBe('set csm 200001 to Jane Doe')
})

test('what is no sentence is left to the other meanings of Tab', () => {
  for (const typed of ['sadia', 'pause', '100467', 'overdue laurel', '']) {
    typePalette(typed)
    expect([typed, tab(), field()]).toEqual([typed, false, typed])
  }
})
