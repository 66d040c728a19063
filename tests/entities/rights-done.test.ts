import { expect, test } from 'vitest'
import { z } from 'zod'
import { rightsFields } from '#contract/staff.ts'
import { superAdminGroup } from '#domain/permission-groups.ts'
import { rightsDone } from '#entities/forms/rights.ts'
import { fieldsOf } from '#kernel/form.ts'

const holding = (groups: number[], permissions: number[] = []) => ({
  groups: groups.map((id) => ({ id })),
  permissions: permissions.map((id) => ({ id })),
})

test.each([
  [[4], [1], { group_ids: [4], permission_ids: [1] }, 'Changed the groups of Ada, who may do what they could'],
  [[], [], { group_ids: [], permission_ids: [1] }, 'Ada can see billing now'],
  [[], [1, 2], { group_ids: [], permission_ids: [] }, 'Ada can no longer see billing or see employees'],
  [
    [],
    [1],
    { group_ids: [], permission_ids: [2, 3] },
    'Ada can see employees and see employers now, and can no longer see billing',
  ],
  [[], [], { group_ids: [], permission_ids: [1, 2, 3] }, 'Ada can see billing, see employees and see employers now'],
  // More than three are summarized by their number.
  [[], [], { group_ids: [], permission_ids: [1, 2, 3, 4] }, 'Ada has 4 more permissions now'],
  [[], [1, 2, 3, 4], { group_ids: [], permission_ids: [] }, 'Ada has 4 fewer permissions now'],
  [[], [1], { group_ids: [], permission_ids: [2, 3, 4] }, 'Ada has 3 more and 1 fewer permissions now'],
  [[], [1], { group_ids: [superAdminGroup], permission_ids: [] }, 'Ada is a super-admin now'],
  [
    [superAdminGroup],
    [],
    { group_ids: [String(superAdminGroup)], permission_ids: [] },
    'Changed the groups of Ada, who may do what they could',
  ],
  [[superAdminGroup, 4], [], { group_ids: [4], permission_ids: [] }, 'Ada is no super-admin any more'],
])('groups %j and permissions %j, %j: %s', (groups, permissions, params, words) => {
  expect(rightsDone('Ada', holding(groups, permissions), params)).toBe(words)
})

test('the group with all permissions is the last choice', () => {
  const [groups] = fieldsOf(z.object(rightsFields('ADMIN')))
  expect(groups?.options?.map(({ label }) => label)).toEqual([
    'Timekeeping approvers',
    'Human resources',
    'Payroll',
    'Super-admin',
  ])
})
