import { expect, test } from 'vitest'
import { collect } from '#contract/define.ts'
import { hasNoEffect } from '#domain/permission-groups.ts'
import { permissionIds, permissionNames } from '#domain/permissions.ts'
import { modulesIn } from '#server/modules-in.ts'

/** Permissions that no call needs, since they decide what is shown of an employee: off-cycle payment, birth date and address. */
const decideWhatIsShown = ['read:off-cycle-payments', 'read:personal-details']

test('exactly the permissions that no call needs are marked as having no effect', async () => {
  const { endpoints, intents } = collect((await modulesIn(new URL('../../src/contract/', import.meta.url))).values())
  const needed = new Set<string>([...endpoints, ...intents].flatMap(({ needs }) => ('names' in needs ? needs.names : [])))
  const idle = permissionIds.filter((id) => !needed.has(permissionNames[id]) && !decideWhatIsShown.includes(permissionNames[id]))
  expect(permissionIds.filter((id) => hasNoEffect(id))).toEqual(idle)
  expect(idle).toEqual([5, 1004, 1005, 1007])
})
