// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { employee } from '#entities/employee.ts'
import { Unanswered } from '#kernel/api-client.ts'
import { apiClient } from '#portal/api/client.ts'
import { store } from '#portal/platform/store.ts'
import { lastChange } from '#portal/commands/last-change.ts'
import { meAtom } from '#portal/api/session.ts'
import { adminWithout } from '#tests/support/examples.ts'

const me = adminWithout()
beforeEach(() => store.set(meAtom, me))
afterEach(() => vi.restoreAllMocks())

/** The message where this is the last event of a record seen at version 3. */
async function said(event: object) {
  vi.spyOn(apiClient, 'read').mockResolvedValue({ events: [event] } as never)
  return lastChange(employee, '104234', 3)
}

test('one’s own change is reported as such, with its place', async () => {
  const own = { actor: { id: me.person.id, name: me.person.name }, version: 4 }
  expect(await said(own)).toBe('You changed this in another tab while you were editing.')
})

test('another person is named; nobody is for no change, or an unknown author', async () => {
  const other = { actor: { id: '00000000-0000-4000-8000-00000000000a', name: 'Tom Vance' }, version: 4 }
  expect((await said(other))?.replace(/[\u2068\u2069]/g, '')).toBe('Tom Vance changed this while you were editing.')
  expect(await said({ ...other, version: 3 })).toBeNull()
  expect(await said({ version: 4 })).toBeNull()
  vi.spyOn(apiClient, 'read').mockRejectedValue(new Unanswered())
  expect(await lastChange(employee, '104234', 3)).toBeNull()
})
