import { expect, test } from 'vitest'
import byFilter from '#commands/filter/by.ts'
import type { FilterSetting } from '#contract/filter.ts'
import { invoice } from '#entities/invoice.ts'
import type { CommandHost } from '#kernel/command-host.ts'
import { formOf } from '#kernel/form.ts'
import type { OpenPane, CommandContext } from '#kernel/command-context.ts'

const by = (id: string) => byFilter.find((each) => each.id === `filter.by.invoice.${id}`) as (typeof byFilter)[number]
const around = (...set: FilterSetting[]): CommandContext =>
  ({
    supports: () => true,
    pane: { entity: 'invoice', filters: invoice.filters, set } as unknown as OpenPane,
  }) as unknown as CommandContext
/** The initial values of the form of a filter that is set. */
const startValues = (id: string, type: FilterSetting['type'], value: string) =>
  by(id).form?.start?.(undefined, around({ id, type, value }))
/** The value that the form submits, or the message beside a field. */
function submittedValue(id: string, typed: Record<string, unknown>): string {
  const form = formOf(by(id), around())
  const read = form?.safeParse({ type: 'between', ...typed })
  if (!read?.success) return read?.error.issues.map(({ path, message }) => `${path.join()}: ${message}`).join() ?? 'no form'
  const values: string[] = []
  const { act } = by(id) as unknown as { act: (host: Partial<CommandHost>, target: unknown, params: unknown) => void }
  act({ filter: (_entity, _id, set) => void values.push(set?.value ?? '') }, undefined, read.data)
  return values.join()
}

test('[VAL-002] the form of a date filter starts with both dates of the range', () => {
  for (const [from, to] of [
    ['1900-01-01', '2026-11-29'],
    ['2026-11-02', '2099-12-31'],
  ])
    expect(startValues('due', 'between', `${from}..${to}`)).toEqual({ type: 'between', from, to })
})

test('[VAL-002] the form requires the missing date of a range, and fills in none', () => {
  expect(submittedValue('due', { to: '2026-11-29' })).toBe('from: A date range needs both dates.')
  expect(submittedValue('due', { from: '2026-11-02' })).toBe('to: A date range needs both dates.')
  expect(submittedValue('due', {})).toBe('from: A date range needs both dates.,to: A date range needs both dates.')
  expect(submittedValue('due', { from: '2026-11-02', to: '2026-11-29' })).toBe('2026-11-02..2026-11-29')
  expect(submittedValue('due', { from: '2026-11-29', to: '2026-11-02' })).toBe('to: The end must be after the start.')
  expect(submittedValue('due', { from: '2026-11-29', to: '2026-11-29' })).toBe('to: The end must be after the start.')
  expect(submittedValue('due', { type: 'is' })).toBe('value: This is a required field.')
})

test('a range of amounts needs both ends', () => {
  expect(submittedValue('outstanding', { from: 10_000 })).toBe('to: This is a required field.')
  expect(submittedValue('outstanding', { from: 10_000, to: 50_000 })).toBe('10000..50000')
})
