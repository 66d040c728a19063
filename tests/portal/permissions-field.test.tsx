// @vitest-environment happy-dom
import { cleanup, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { rightsFields } from '#contract/staff.ts'
import { permissionNames } from '#domain/permissions.ts'
import { fieldsOf } from '#kernel/form.ts'
import { store } from '#portal/platform/store.ts'
import { PermissionsField } from '#portal/form/fields/permissions-field.tsx'
import { meAtom } from '#portal/api/session.ts'
import { showAlone, pauseTyping } from '#tests/portal/alone.tsx'
import { adminWithout } from '#tests/support/examples.ts'

beforeEach(() => store.set(meAtom, adminWithout()))
afterEach(cleanup)

const field = fieldsOf(z.object(rightsFields('ADMIN'))).find(({ name }) => name === 'permission_ids')

/** Renders the field for an admin with these permissions and groups; returns the submitted values in order. */
function drawn(held: readonly string[], groups: readonly string[] = []): { sent: string[][] } {
  if (!field) throw new Error('The form of rights has no permissions.')
  const sent: string[][] = []
  showAlone(
    <>
      <span id="rights-label">Permissions</span>
      <PermissionsField
        id="rights"
        field={field}
        value={held}
        beside={groups}
        onChange={(value) => sent.push(value as string[])}
        onBlur={() => {}}
        invalid={false}
        describedBy={undefined}
        focusRef={() => {}}
        check={() => {}}
        unparsed={new Map()}
      />
    </>,
  )
  return { sent }
}
const cell = (row: string, name: RegExp) =>
  within(screen.getByRole('row', { name: new RegExp(`^${row}`) })).getByRole('gridcell', { name })

/** Section 6 of the specification, and docs/rules/access.md about each. */
const pairs = [
  ['PERM-004', 'Employee transactions', 'See', 'read:transactions'],
  ['PERM-005', 'Employee transactions', 'Edit', 'write:transactions'],
  ['PERM-006', 'Employee wage', 'See', 'read:wages'],
  ['PERM-007', 'Employee wage', 'Edit', 'write:wages'],
  ['PERM-008', 'Employee basic data', 'See', 'read:employees'],
  ['PERM-009', 'Employee basic data', 'Edit', 'write:employees'],
  ['PERM-010', 'Billing', 'See', 'read:billing'],
  ['PERM-011', 'Billing', 'Edit', 'write:billing'],
  ['PERM-012', 'Employers', 'See', 'read:employers'],
  ['PERM-013', 'Employers', 'Edit', 'write:employers'],
  ['PERM-014', 'Off-cycle payments', 'See', 'read:off-cycle-payments'],
  ['PERM-015', 'Off-cycle payments', 'Edit', 'write:off-cycle-payments'],
  ['PERM-016', 'Organizations', 'See', 'read:organizations'],
  ['PERM-017', 'Organizations', 'Edit', 'write:organizations'],
  ['PERM-018', 'Pay details', 'See', 'read:compensations'],
  ['PERM-019', 'Pay details', 'Edit', 'write:compensations'],
  ['PERM-020', 'Reports', 'See', 'read:reports'],
  ['PERM-021', 'Reports', 'Edit', 'write:reports'],
  ['PERM-022', 'Timekeeping', 'See', 'read:timekeeping'],
  ['PERM-023', 'Timekeeping', 'Edit', 'write:timekeeping'],
  ['PERM-024', 'Work period balances', 'See', 'read:work-period-balances'],
  ['PERM-025', 'Work period balances', 'Edit', 'write:work-period-balances'],
] as const

describe('rows of permissions', () => {
  test.each(pairs)('[%s] %s: %s is granted and revoked', (_, row, column, name) => {
    const id = Object.entries(permissionNames).find(([, each]) => each === name)?.[0] as string
    const { sent } = drawn([])
    expect(cell(row, new RegExp(column)).getAttribute('aria-selected')).toBe('false')
    fireEvent.click(cell(row, new RegExp(column)))
    expect(sent).toEqual([[id]])
    cleanup()
    const held = drawn([id])
    expect(cell(row, new RegExp(column)).getAttribute('aria-selected')).toBe('true')
    fireEvent.click(cell(row, new RegExp(column)))
    expect(held.sent).toEqual([[]])
  })

  test('the keyboard moves from cell to cell, and Space grants', () => {
    const { sent } = drawn([])
    const grid = screen.getByRole('grid', { name: 'Permissions' })
    for (const key of ['ArrowDown', 'ArrowRight', ' ']) fireEvent.keyDown(grid, { key })
    expect(sent).toEqual([['1005']])
    expect(grid.getAttribute('aria-activedescendant')).toBe(cell('Employee wage', /Edit/).id)
  })

  test('typing moves to the matching row, and Space grants the highlighted permission', () => {
    const { sent } = drawn([])
    const grid = screen.getByRole('grid', { name: 'Permissions' })
    const typed = (text: string) => {
      for (const key of text) fireEvent.keyDown(grid, { key })
    }
    typed('billing ')
    expect(sent).toEqual([['1']])
    expect(grid.getAttribute('aria-activedescendant')).toBe(cell('Billing', /See/).id)
    // The typed text ends with it.
    typed('reports ')
    expect(sent).toEqual([['1'], ['5']])
  })

  test('one letter cycles through rows, a word within a row finds it', async () => {
    const { sent } = drawn([])
    const grid = screen.getByRole('grid', { name: 'Permissions' })
    const at = () => grid.getAttribute('aria-activedescendant')
    for (const row of ['Employee wage', 'Employee basic data', 'Employers']) {
      fireEvent.keyDown(grid, { key: 'e' })
      expect(at()).toBe(cell(row, /See/).id)
    }
    pauseTyping()
    for (const key of 'wage') fireEvent.keyDown(grid, { key })
    expect(at()).toBe(cell('Employee wage', /See/).id)
    expect(sent).toEqual([])
  })

  test('text without a match is reported, and Space grants nothing until the highlight moves', () => {
    const { sent } = drawn([])
    const grid = screen.getByRole('grid', { name: 'Permissions' })
    for (const key of 'biling ') fireEvent.keyDown(grid, { key })
    expect(sent).toEqual([])
    expect(screen.getByRole('status').textContent).toMatch(/^No choice has “biling”\./)
    fireEvent.keyDown(grid, { key: 'ArrowRight' })
    expect(screen.getByRole('status').textContent).toBe('')
    fireEvent.keyDown(grid, { key: ' ' })
    expect(sent).toEqual([['1001']])
  })

  test('permissions of a group are marked, and cannot be revoked here', () => {
    const { sent } = drawn([], ['2'])
    expect(cell('Timekeeping', /Edit by group/).getAttribute('aria-disabled')).toBe('true')
    fireEvent.click(cell('Timekeeping', /Edit/))
    expect(sent).toEqual([])
  })

  test('permissions that the person lacks cannot be granted; earlier ones can be revoked', () => {
    store.set(meAtom, adminWithout('write:billing', 'write:unpause'))
    const { sent } = drawn([])
    const beyond = cell('Billing', /^Edit not yours$/)
    expect(beyond.getAttribute('aria-disabled')).toBe('true')
    fireEvent.click(beyond)
    fireEvent.click(screen.getByRole('gridcell', { name: /^Resume employees/ }))
    expect(sent).toEqual([])
    cleanup()
    const before = drawn(['1001'])
    fireEvent.click(cell('Billing', /^Edit/))
    expect(before.sent).toEqual([[]])
  })

  test('a permission without any effect is marked, and can still be granted', () => {
    const { sent } = drawn([])
    fireEvent.click(cell('Reports', /^See unused$/))
    expect(sent).toEqual([['5']])
    expect(cell('Billing', /^See$/)).toBeTruthy()
  })

  test('permissions without a pair are below, in words', () => {
    drawn([])
    expect(screen.getByRole('gridcell', { name: 'Resume employees' })).toBeTruthy()
    expect(screen.queryByText(/:/)).toBeNull()
  })
})
