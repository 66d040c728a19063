import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import deductions from '#commands/open/deductions.ts'
import employees from '#commands/open/employees.ts'
import exceptions from '#commands/open/exceptions.ts'
import invoices from '#commands/open/invoices.ts'
import repayments from '#commands/open/repayments.ts'
import writeOffs from '#commands/open/write-offs.ts'
import { permissionId, permissionIds } from '#domain/permissions.ts'
import { bankResult } from '#entities/bank-result.ts'
import { deduction } from '#entities/deduction.ts'
import { employee } from '#entities/employee.ts'
import { invoice } from '#entities/invoice.ts'
import { repayment } from '#entities/repayment.ts'
import { writeOff } from '#entities/write-off.ts'
import type { Command } from '#kernel/command.ts'
import { placesOf } from '#portal/shell/places.ts'
import { readFilters } from '#portal/list/filters.ts'

const ways = [deductions, employees, ...exceptions, invoices, repayments, writeOffs]
const nouns = [employee, invoice, repayment, writeOff, deduction, bankResult]
const everything = new Set([permissionId('read:billing'), permissionId('read:employees')])

test.each(placesOf(ways, everything))('$title leads to an existing list, and needs the permission of its call', (place) => {
  const [path = '', search = ''] = place.address.split('?')
  const noun = nouns.find((each) => each.path === path)
  if (!noun || !('reads' in place.command)) throw new Error(`Nothing is at ${path}.`)
  const { method, needs, extension } = noun.list
  expect(place.command.reads).toEqual({
    method,
    path: noun.list.path,
    needs,
    extension: extension || place.below === 'Exceptions',
  })
  expect(existsSync(`src/portal/nouns${path}/list.tsx`)).toBe(true)
  const filters = readFilters(noun.filters, new URLSearchParams(search), everything)
  expect(filters.map((filter) => filter.problem)).toEqual(filters.map(() => null))
  expect(filters).toHaveLength(search.match(/_type=/g)?.length ?? 0)
})

test('entries below a heading of the rail are contiguous, and so are those without one', () => {
  const all = Object.values(
    import.meta.glob<Command | Command[]>('../../commands/open/*.ts', { eager: true, import: 'default' }),
  ).flat()
  const headings = placesOf(all, new Set(permissionIds)).map(({ below = '' }) => below)
  const changes = headings.filter((heading, at) => heading !== headings[at - 1])
  expect(changes).toEqual([...new Set(headings)])
  expect(changes[0]).toBe('')
})

test('pages are ordered, exceptions below a heading, and only those that a person may see', () => {
  const titles = (held: ReadonlySet<number>) => placesOf(ways, held).map((place) => place.title)
  expect(titles(everything)).toEqual([
    'Employees',
    'Invoices',
    'Repayments',
    'Write-offs',
    'Deductions',
    'Refunds without a next invoice',
    'Failed repayments',
    'Unallocated repayments',
    'Unmatched bank results',
    'Flagged debtors',
  ])
  expect(placesOf(ways, everything).filter((place) => place.below === 'Exceptions')).toHaveLength(5)
  expect(titles(new Set([permissionId('read:employees')]))).toEqual(['Employees'])
  expect(titles(new Set([permissionId('read:billing')]))[0]).toBe('Invoices')
})
