// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import force from '#commands/employee/force-password-change.ts'
import { employee } from '#entities/employee.ts'
import type { Command } from '#kernel/command.ts'
import { Refusal, Unanswered } from '#kernel/api-client.ts'
import { apiClient } from '#portal/api/client.ts'
import { register } from '#portal/platform/registry.ts'
import { store } from '#portal/platform/store.ts'
import { toastsAtom } from '#portal/platform/toasts.ts'
import { startCommand } from '#portal/commands/start.ts'
import { oneTarget } from '#portal/list/target.ts'
import { meAtom } from '#portal/api/session.ts'
import { adminWithout } from '#tests/support/examples.ts'

beforeEach(() => {
  register({ entities: [employee], commands: [force as Command] })
  store.set(meAtom, adminWithout())
  store.set(toastsAtom, [])
})
afterEach(() => vi.restoreAllMocks())

const refused = (status: number) => new Refusal({ type: 'about:blank', title: '', status, code: 'refused' })

test.each([
  [refused(403), 'No employee 100021, or you have no access.'],
  [refused(404), 'No employee 100021, or you have no access.'],
  [refused(500), 'The employee 100021 could not be loaded. Try again.'],
  [new Unanswered(), 'The employee 100021 could not be loaded. Try again.'],
])('%#: an inaccessible record does not suggest a retry', async (error, sentence) => {
  vi.spyOn(apiClient, 'read').mockRejectedValue(error)
  startCommand('employee.force-password-change', { targets: oneTarget('employee', '100021') })
  await expect.poll(() => store.get(toastsAtom).at(-1)?.sentence).toBe(sentence)
})
