// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { permissionIds } from '#domain/permissions.ts'
import { defineCommand } from '#kernel/command.ts'
import { register } from '#portal/platform/registry.ts'
import { store } from '#portal/platform/store.ts'
import { keepDraft } from '#portal/commands/drafts.ts'
import { keepOverReload, reopenForm } from '#portal/commands/outbox/interruptions.ts'
import { closePalette, openPalette, paletteAtom } from '#portal/commands/palette-state.ts'
import { noTargets } from '#portal/platform/commands.ts'
import { meAtom } from '#portal/api/session.ts'
import { forgetTraces } from '#portal/session/traces.ts'

const command = defineCommand({
  id: 'admin.create',
  title: 'Create admin',
  icon: 'plus',
  needs: 'signed-in',
  form: z.object({ name: z.string() }),
  act: () => {},
})
const person = (id: string) => ({ person: { id }, permissions: permissionIds.map((each) => ({ id: each })) }) as never
const open = () => store.get(paletteAtom)
const form = { kind: 'form', command: command.id, targets: noTargets } as const
let navigation = 'reload'

beforeEach(() => {
  register({ commands: [command as never] })
  vi.spyOn(performance, 'getEntriesByType').mockImplementation(() => [{ type: navigation }] as never)
  store.set(meAtom, person('ada'))
})
afterEach(() => {
  vi.restoreAllMocks()
  sessionStorage.clear()
  closePalette()
})

/** Reloads the page with that form open. */
async function reload(meanwhile = () => {}): Promise<void> {
  const stop = keepOverReload()
  openPalette(form)
  dispatchEvent(new Event('pagehide'))
  stop()
  closePalette()
  meanwhile()
  reopenForm()
  await new Promise((done) => setTimeout(done, 20))
}

test('a form with inputs is open again after a reload, once', async () => {
  keepDraft(command.id, noTargets, { name: 'Ines' })
  await reload()
  expect(open()).toMatchObject({ open: true, pages: [form] })
  closePalette()
  reopenForm()
  await new Promise((done) => setTimeout(done, 20))
  expect(open().open).toBe(false)
})

test.each([
  ['nothing was typed', () => sessionStorage.clear(), () => {}],
  ['somebody else signed in', () => {}, () => store.set(meAtom, person('tom'))],
  ['somebody signed out', () => {}, forgetTraces],
  ['another page was opened', () => {}, () => history.replaceState(null, '', '/employees')],
  ['the page was not reloaded', () => {}, () => (navigation = 'navigate')],
])('it stays closed where %s', async (_, before, meanwhile) => {
  keepDraft(command.id, noTargets, { name: 'Ines' })
  before()
  await reload(meanwhile)
  expect(open().open).toBe(false)
  navigation = 'reload'
})
