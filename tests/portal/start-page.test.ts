// @vitest-environment happy-dom
import { beforeEach, expect, test } from 'vitest'
import addPayGroup from '#commands/employer/add-pay-group.ts'
import undo from '#commands/session/undo.ts'
import { employer } from '#entities/employer.ts'
import type { Command } from '#kernel/command.ts'
import { meAtom } from '#portal/api/session.ts'
import { paletteAtom } from '#portal/commands/palette-state.ts'
import { startCommand } from '#portal/commands/start.ts'
import { oneTarget } from '#portal/list/target.ts'
import { register } from '#portal/platform/registry.ts'
import { store } from '#portal/platform/store.ts'
import { upsertRecords } from '#portal/records/entity-store.ts'
import { adminWithout, employerLike } from '#tests/support/examples.ts'

const found = { confirm: { about: 'Harbor Foods' } }
const topPage = () => store.get(paletteAtom).pages.at(-1)

beforeEach(() => {
  register({ entities: [employer], commands: [addPayGroup, undo] as Command[] })
  store.set(meAtom, adminWithout())
  history.replaceState(null, '', '/')
})

test('a command for a record that was found opens its page without asking', async () => {
  const one = employerLike()
  upsertRecords('employer', [one])
  startCommand('employer.add-pay-group', { ...found, targets: oneTarget('employer', employer.id(one)) })
  await expect.poll(() => location.pathname).toBe(`/employers/${employer.id(one)}/pay-group`)
  expect(topPage()?.kind).not.toBe('form')
})

test('what acts at once is confirmed', async () => {
  startCommand('session.undo', found)
  await expect.poll(topPage).toMatchObject({ kind: 'form', command: 'session.undo' })
})
