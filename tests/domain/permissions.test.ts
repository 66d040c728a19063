import { describe, expect, test } from 'vitest'
import { groups, permissionsOf } from '#domain/permission-groups.ts'
import { all, any, byTarget, lacking, may, permissionNames, rightTo } from '#domain/permissions.ts'

describe('permission groups of the specification', () => {
  const expected: [string, number, string][] = [
    ['ENT-010', 1, 'super-admin'],
    ['ENT-011', 2, 'timekeeping-approvers'],
    ['ENT-012', 3, 'human-resources'],
    ['ENT-013', 4, 'payroll'],
  ]
  test.each(expected)('[%s] group %i is %s', (_, id, name) => {
    expect(groups.filter((group) => group.id === id).map((group) => group.name)).toEqual([name])
  })
})

describe('permission ids of the specification', () => {
  const nameOf = (id: number) => (permissionNames as Record<number, string>)[id]
  test.each([
    ['ENT-014', 1, 'read:billing'],
    ['ENT-015', 2, 'read:employees'],
    ['ENT-016', 3, 'read:employers'],
    ['ENT-017', 4, 'read:organizations'],
  ])('[%s] permission %i is %s', (_, id, name) => {
    expect(nameOf(id)).toBe(name)
  })
  test.each([
    [5, 'read:reports'],
    [6, 'read:timekeeping'],
    [7, 'read:transactions'],
    [8, 'read:wages'],
    [9, 'write:employees'],
    [10, 'write:timekeeping'],
    [15, 'read:work-period-balances'],
    [16, 'write:work-period-balances'],
    [17, 'read:off-cycle-payments'],
    [18, 'write:off-cycle-payments'],
    [98, 'read:compensations'],
  ])('permission %i is %s', (id, name) => {
    expect(nameOf(id)).toBe(name)
  })
})

describe('a need', () => {
  const flow = byTarget(['write-unlink:payroll', 'write-unlink:consumer'], (target: { flow: string }) =>
    all(target.flow === 'CONSUMER' ? 'write-unlink:consumer' : 'write-unlink:payroll'),
  )

  test('rights of groups and single permissions add up', () => {
    const held = permissionsOf([2], [98])
    expect([...held].sort((a, b) => a - b)).toEqual([2, 3, 6, 10, 98])
    expect(may(held, all('read:timekeeping', 'read:compensations'))).toBe('yes')
    expect(may(held, all('read:timekeeping', 'write:billing'))).toBe('no')
    expect(may(held, any('read:billing', 'read:timekeeping'))).toBe('yes')
  })

  test('[PERM-031, PERM-032] by target depends until the target is known', () => {
    const held = new Set([1011])
    expect(may(held, flow)).toBe('depends')
    expect(may(held, flow, { flow: 'PAYROLL' })).toBe('yes')
    expect(may(held, flow, { flow: 'CONSUMER' })).toBe('no')
    expect(may(new Set<number>(), flow)).toBe('no')
    expect(may(new Set([1011, 1012]), flow)).toBe('yes')
  })

  test('names what is missing', () => {
    expect(lacking(new Set([2]), all('read:employees', 'write:employees'))).toEqual(['write:employees'])
    expect(lacking(new Set([1011]), flow, { flow: 'CONSUMER' })).toEqual(['write-unlink:consumer'])
  })

  test('a super-admin holds every permission', () => {
    const held = permissionsOf([1], [])
    expect(Object.keys(permissionNames).every((id) => held.has(Number(id)))).toBe(true)
  })
})

test('permissions are described in words, never by their codes', () => {
  expect(rightTo(['read:billing'])).toBe('the right to see billing')
  expect(rightTo(['write:employees', 'approve:write-offs'])).toBe('the right to change employees and approve write-offs')
  expect(rightTo(['read:billing', 'read:employees', 'write:users'])).toBe(
    'the right to see billing and employees and change users',
  )
  expect(rightTo(['write:work-period-balances'])).toBe('the right to change work period balances')
  expect(rightTo(['read:off-cycle-payments'])).toBe('the right to see off-cycle payments')
  expect(rightTo(['write:account-managers', 'write:unpause'])).toBe('the right to change account managers and resume employees')
  for (const name of Object.values(permissionNames)) expect(rightTo([name])).not.toMatch(/:|undefined/)
})
