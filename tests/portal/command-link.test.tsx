import { beforeEach, describe, expect, test, vi } from 'vitest'
import pause from '#commands/employee/pause.ts'
import { noPermission } from '#domain/permissions.ts'
import { employee } from '#entities/employee.ts'
import type { Command } from '#kernel/command.ts'
import { openFromLink } from '#portal/commands/links.ts'
import { navigate } from '#portal/platform/location.ts'
import { closePalette, paletteAtom } from '#portal/commands/palette-state.ts'
import { register } from '#portal/platform/registry.ts'
import { meAtom } from '#portal/api/session.ts'
import { store } from '#portal/platform/store.ts'
import { upsertRecords } from '#portal/records/entity-store.ts'
import { toastsAtom } from '#portal/platform/toasts.ts'
import { adminWithout, employeeLike } from '#tests/support/examples.ts'

beforeEach(() => {
  register({ entities: [employee], commands: [pause] as Command[] })
  upsertRecords('employee', [
    employeeLike(104234, 'Benjamin', 'Ortiz'),
    employeeLike(104235, 'Paul', 'Adeyemi', { status: 'PAUSED' }),
  ])
  store.set(toastsAtom, [])
  closePalette()
  store.set(meAtom, adminWithout())
})

const follow = (target: string) => {
  navigate(`/?command=employee.pause${target}`, { replace: true })
  expect(openFromLink()).toBe(true)
}
const said = () => store.get(toastsAtom).map((toast) => toast.sentence)

describe('a link to a command', () => {
  test('opens the form of an available command', async () => {
    follow('&target=104234')
    await vi.waitFor(() => expect(store.get(paletteAtom).open).toBe(true))
    expect(said()).toEqual([])
  })

  test('says why where the state of the record forbids it, and shows no form', async () => {
    follow('&target=104235')
    await vi.waitFor(() => expect(said()).toHaveLength(1))
    expect(said()[0]).toMatch(/paused/i)
    expect(store.get(paletteAtom).open).toBe(false)
  })

  test.each(['&target=104234', '&target=104234,104235', ''])(
    '[PERM-037] says that the person may not, for %o',
    async (target) => {
      store.set(meAtom, adminWithout('write:employees'))
      follow(target)
      await vi.waitFor(() => expect(said()).toEqual([noPermission]))
      expect(store.get(paletteAtom).open).toBe(false)
    },
  )
})
