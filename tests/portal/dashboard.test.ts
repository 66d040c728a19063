import { expect, test } from 'vitest'
import { plotNeeds, dashboardLines, type Summary } from '#contract/dashboard.ts'
import { summaryCall } from '#contract/listings.ts'
import { may, permissionId, permissionIds } from '#domain/permissions.ts'
import { ageOf } from '#portal/nouns/dashboard/age.ts'
import { linesOf } from '#portal/nouns/dashboard/lines.ts'

const counted = '2026-11-23T12:00:00.000Z'
const after = (seconds: number) => ageOf(counted, Date.parse(counted) + seconds * 1000)

test('[SCR-007] the age of the figures is shown, and late counting is reported', () => {
  expect(after(12)).toEqual({ words: 'Updated 12 s ago, updates every 60 s', late: false })
  expect(after(75).words).toMatch(/^Updated 1 min ago/)
  expect(after(120).late).toBe(false)
  expect(after(150)).toEqual({ words: 'Updated 2 min ago: the update is late', late: true })
  expect(after(7_300).words).toBe('Updated 2 h ago: the update is late')
})

test('a browser clock behind the server clock yields no age below zero', () => {
  expect(after(-30).words).toMatch(/^Updated 0 s ago/)
})

const summary: Summary = {
  counted_at: counted,
  business_date: '2026-11-23',
  lines: {
    'overdue-invoices': { count: 1204, amount: 12_345_67 },
    'write-offs-to-approve': { count: 0, amount: 0 },
    'paused-long': { count: 3, amount: null },
  },
  plots: { ages: null, advances: null, recovery: null, imports: null },
}

test('empty lines are omitted; the others have count, amount and a link to their list', () => {
  const [overdue, paused, ...more] = linesOf(summary, new Set(permissionIds))
  expect(overdue).toMatchObject({
    counted: '1,204',
    cents: '$12,345.67',
    address: '/invoices?status_type=is&status_value=OVERDUE&sort=due_date',
  })
  expect(paused).toMatchObject({ counted: '3', cents: null })
  expect(more).toEqual([])
})

test('a line disappears with its permission, before the next answer', () => {
  const held = new Set([permissionId('read:employees')])
  expect(linesOf(summary, held).map(({ id }) => id)).toEqual(['paused-long'])
})

test('people with access to any line or plot may open the page, and nobody else', () => {
  const needs = [...dashboardLines.map((line) => line.needs), ...Object.values(plotNeeds)]
  for (const id of permissionIds) {
    const held = new Set([id])
    if (needs.some((need) => may(held, need) === 'yes')) expect([id, may(held, summaryCall.needs)]).toEqual([id, 'yes'])
  }
  const others = permissionIds.filter((id) => may(new Set([id]), summaryCall.needs) === 'no')
  expect(needs.filter((need) => may(new Set(others), need) === 'yes')).toEqual([])
})
