import { afterEach, expect, test } from 'vitest'
import { permissionIds } from '#domain/permissions.ts'
import { sendOnce } from '#kernel/send.ts'
import { Refusal, Unanswered, type ApiClient } from '#kernel/api-client.ts'
import { pause } from '#contract/employee-changes.ts'
import { reloadKeeping, takeKept } from '#portal/shell/reload.ts'
import { store } from '#portal/platform/store.ts'
import { newKey } from '#portal/commands/run.ts'
import { outbox } from '#portal/commands/outbox/calls.ts'
import { openPalette } from '#portal/commands/palette-state.ts'
import { meAtom } from '#portal/api/session.ts'
import { forgetTraces } from '#portal/session/traces.ts'

const name = 'Benjamin Ortiz'
const kept = (): string => JSON.stringify([{ ...localStorage }, { ...sessionStorage }])

afterEach(() => {
  localStorage.clear()
  sessionStorage.clear()
})

test('a call without an answer keeps its key across a sign-out, without a name', async () => {
  const problem = { type: 'about:blank', title: 'Unauthorized', status: 401, code: 'session-expired' } as const
  let sent = 0
  const ended = { send: () => Promise.reject(sent++ ? new Refusal(problem) : new Unanswered()) } as unknown as ApiClient
  const call = pause({ id: 104234 }, { reason: 'Leave', version: 1 })
  const about = { command: 'employee.pause', title: `Pause employee, ${name}`, target: { entity: 'employee', id: '104234' } }
  const io = { apiClient: ended, outbox, person: 'ada', newKey, wait: () => Promise.resolve() }
  await expect(sendOnce(call, about, io)).rejects.toThrow()
  const [before] = outbox.all()
  forgetTraces()
  expect(kept()).not.toContain(name)
  expect(outbox.all()).toEqual([before])
  // The same change after the next sign-in is the same call: it cannot happen twice.
  expect(before).toMatchObject({ intent: call.intent.id, at: { id: '104234' }, person: 'ada' })
})

test('state kept over a reload is removed once it is restored', () => {
  store.set(meAtom, { person: { id: 'ada' }, permissions: permissionIds } as never)
  openPalette({ kind: 'root' }, name)
  expect(reloadKeeping()).toBe(true)
  expect(kept()).toContain(name)
  expect(takeKept()?.palette.typed).toBe(name)
  expect(kept()).not.toContain(name)
  expect(takeKept()).toBeNull()
})
