import { beforeEach, describe, expect, test, vi } from 'vitest'
import pause from '#commands/employee/pause.ts'
import { Employee } from '#contract/employees.ts'
import { noPermission, permissionId, permissionIds, permissionNames, type PermissionName } from '#domain/permissions.ts'
import { employee } from '#entities/employee.ts'
import type { Command } from '#kernel/command.ts'
import { openFromLink } from '#portal/commands/links.ts'
import { go } from '#portal/app/location.ts'
import { closePalette, paletteAtom } from '#portal/palette/state.ts'
import { register } from '#portal/app/registry.ts'
import { meAtom } from '#portal/session/session.ts'
import { store } from '#portal/app/store.ts'
import { putThings } from '#portal/records/things.ts'
import { toastsAtom } from '#portal/app/toasts.ts'

const row = (id: number, status: string) =>
  Employee.parse({
    id,
    first_name: 'Benjamin',
    last_name: 'Ortiz',
    employee_code: 'HF-1',
    external_tk_id: null,
    email: 'benjamin.ortiz@example.com',
    phone_number: null,
    department_code: null,
    status,
    flow: 'PAYROLL',
    brand: 'DAYLINE',
    hire_date: null,
    pay_type: null,
    pay_frequency: null,
    next_pay_date: null,
    rate_amount: null,
    user_id: null,
    pause: null,
    created_at: '2026-01-01T00:00:00Z',
    updated_at: '2026-01-01T00:00:00Z',
    version: 1,
  })

function signIn(...lacks: PermissionName[]) {
  const missing = new Set<number>(lacks.map(permissionId))
  store.set(meAtom, {
    person: { id: 'someone', name: 'Some One', email: 'some.one@example.com', kind: 'ADMIN' },
    groups: [],
    grants: null,
    permissions: permissionIds.filter((id) => !missing.has(id)).map((id) => ({ id, short_name: permissionNames[id] })),
    session: { idle_seconds: 900, warning_seconds: 120, expires_at: '2026-11-21T20:00:00Z' },
    business_date: '2026-11-21',
    demo: false,
  })
}

beforeEach(() => {
  register({ entities: [employee], commands: [pause] as Command[] })
  putThings('employee', [row(104234, 'ACTIVE'), row(104235, 'PAUSED')])
  store.set(toastsAtom, [])
  closePalette()
  signIn()
})

const follow = (target: string) => {
  go(`/?command=employee.pause${target}`, { replace: true })
  expect(openFromLink()).toBe(true)
}
const said = () => store.get(toastsAtom).map((toast) => toast.sentence)

describe('a link of a command', () => {
  test('opens the form of what can be done', async () => {
    follow('&target=104234')
    await vi.waitFor(() => expect(store.get(paletteAtom).open).toBe(true))
    expect(said()).toEqual([])
  })

  test('says why where the thing’s state forbids it, and shows no form', async () => {
    follow('&target=104235')
    await vi.waitFor(() => expect(said()).toHaveLength(1))
    expect(said()[0]).toMatch(/paused/i)
    expect(store.get(paletteAtom).open).toBe(false)
  })

  test.each(['&target=104234', '&target=104234,104235', ''])(
    '[PERM-037] says that the person may not, for %o',
    async (target) => {
      signIn('write:employees')
      follow(target)
      await vi.waitFor(() => expect(said()).toEqual([noPermission]))
      expect(store.get(paletteAtom).open).toBe(false)
    },
  )
})
