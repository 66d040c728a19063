import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { daysBetween, isBusinessDay } from '#domain/calendar.ts'
import { returnCodes } from '#domain/ach-codes.ts'
import { traceNumberOf } from '#server/money/billing/processor.ts'
import { resultsOf, simulator } from '#server/money/billing/simulator.ts'
import { createDatabase, type TestDatabase } from '#tests/support/database.ts'

const on = '2026-01-08'
const many = Array.from({ length: 20_000 }, (_, id) => resultsOf({ trace_number: traceNumberOf(id + 1), amount: 50_000 }, on))

let database: TestDatabase
beforeAll(async () => {
  database = await createDatabase()
})
afterAll(() => database.drop())

test('[INV-006] most debits settle within two banking days, and some are returned, for every reason', () => {
  const share = (count: number) => count / many.length
  const whole = many.filter((results) => results.length === 1).map(([result]) => result as (typeof many)[0][0])
  const settled = whole.filter((result) => result.code === 'SETTLED')
  expect(share(settled.length)).toBeGreaterThan(0.92)
  for (const { effective_date } of settled) {
    expect(isBusinessDay(effective_date)).toBe(true)
    expect(['2026-01-09', '2026-01-12']).toContain(effective_date)
  }
  expect(share(whole.filter((result) => result.code === 'R01').length)).toBeCloseTo(0.04, 2)
  for (const code of ['R02', 'R03', 'R09']) expect(whole.some((result) => result.code === code)).toBe(true)
  for (const result of many.flat()) {
    expect(result.amount).toBeGreaterThan(0)
    expect(result.amount).toBeLessThanOrEqual(50_000)
    if (result.code !== 'SETTLED') expect([...returnCodes] as string[]).toContain(result.code)
  }
})

test('[INV-009] [INV-008] a debit may be returned in part, or late, within 60 days of its settlement', () => {
  const partly = many.filter((results) => results.some((result) => result.code === 'R01') && results.length === 2)
  expect(partly.length).toBeGreaterThan(0)
  for (const [back, rest] of partly) {
    expect(back?.amount).toBeLessThan(50_000)
    expect(rest?.code).toBe('SETTLED')
  }
  const late = many.filter((results) => results.some((result) => result.code === 'R10'))
  expect(late.length).toBeGreaterThan(0)
  for (const [settled, back] of late)
    expect(daysBetween(settled?.effective_date as string, back?.effective_date as string)).toBeLessThanOrEqual(60)
})

test('[REP-004] the trace number alone determines the result of a debit, and repeated it is one debit', async () => {
  const debit = { trace_number: traceNumberOf(77), amount: 12_345, routing_number: '121000248', account_number: '000123456789' }
  expect(resultsOf(debit, on)).toEqual(resultsOf({ ...debit }, on))
  expect(new Set([1, 77, 9_999_999, 10_000_000].map(traceNumberOf)).size).toBe(4)
  await database.db.transaction().execute(async (tx) => {
    await simulator.submit(tx, [debit], on)
    await simulator.submit(tx, [debit], on)
  })
  const { rows } = await sql<{ trace_number: string; amount: number; taken_at: null }>`select * from ach_results`.execute(
    database.db,
  )
  expect(rows).toHaveLength(resultsOf(debit, on).length)
  expect(rows[0]).toMatchObject({ trace_number: debit.trace_number, taken_at: null })
})
