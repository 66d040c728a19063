import { expect, test } from 'vitest'
import { listBillingAccounts } from '#contract/billing-accounts.ts'
import type { CallHead } from '#contract/define.ts'
import { listEmployeeInvoices } from '#contract/employee-invoices.ts'
import { listTransactions } from '#contract/transactions.ts'
import { listWorkPeriodBalances } from '#contract/work-periods.ts'
import { permissionIds, rightLacked, rightTo } from '#domain/permissions.ts'
import { deduction } from '#entities/deduction.ts'
import { employer } from '#entities/employer.ts'
import { invoice } from '#entities/invoice.ts'
import { timeEntry } from '#entities/time-entry.ts'
import { withList } from '#entities/with-list.ts'
import { guard } from '#kernel/availability.ts'
import type { AnyPane } from '#portal/list/pane.ts'
import tabs from '../../commands/link/tab.ts'

const panes = Object.values(
  import.meta.glob<AnyPane>('../../src/portal/nouns/*/list.tsx', { eager: true, import: 'default' }),
).filter(({ kind }) => kind === 'pane')

test('a record shows General and the tabs of its noun, each of which the palette finds', () => {
  const drawn = panes.map(({ entity }) => entity.name)
  const missing = withList.flatMap(({ name }) => (drawn.includes(name) ? [] : [name]))
  expect(missing, 'Each has a list.tsx in its folder of src/portal/nouns').toEqual([])
  expect(drawn.sort()).toEqual(withList.map(({ name }) => name).sort())
  for (const { entity, tabs: drawn } of panes) {
    expect(
      drawn.map(({ id }) => id),
      entity.name,
    ).toEqual(['general', ...Object.keys(entity.tabs ?? {})])
    for (const { id } of drawn.slice(1)) expect(tabs.map((command) => command.id)).toContain(`link.tab.${entity.name}-${id}`)
  }
})

const reads: Readonly<Record<string, CallHead>> = {
  'employee-invoices': listEmployeeInvoices,
  'employee-pay-period': listWorkPeriodBalances,
  'employee-timekeeping': timeEntry.list,
  'employee-transactions': listTransactions,
  'employer-ewa-files': deduction.list,
  'employer-invoices': invoice.list,
  'employer-timekeepings': timeEntry.list,
  'organization-billing-accounts': listBillingAccounts,
  'organization-employers': employer.list,
}

test.each(Object.entries(reads))('the link to %s is locked for people whose tab shows a missing right', (tab, { needs }) => {
  const command = tabs.find(({ id }) => id === `link.tab.${tab}`)
  if (!command) throw new Error('No such command.')
  expect(guard(command, new Set<number>(permissionIds)).verdict).toBe('yes')
  const without = permissionIds.map((id) => new Set<number>(permissionIds.filter((other) => other !== id)))
  const short = without.filter((held) => rightLacked(held, needs) !== null)
  expect(short.length).toBeGreaterThan(0)
  for (const held of short) {
    const { verdict, lacks } = guard(command, held)
    expect([verdict, rightTo(lacks)]).toEqual(['no', rightLacked(held, needs)])
  }
})
