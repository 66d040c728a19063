import { afterAll, beforeAll, expect, test } from 'vitest'
import removeView from '#commands/list/remove-view.ts'
import saveView from '#commands/list/save-view.ts'
import type { SavedView, SavedViews } from '#contract/views.ts'
import { changes } from '#kernel/command.ts'
import { formOf } from '#kernel/form.ts'
import { runOne, runSteps } from '#kernel/run.ts'
import { realClient, runEnvironment } from '#tests/kernel/real-client.ts'
import { createPerson } from '#tests/support/people.ts'
import { createServer, type TestServer } from '#tests/support/server.ts'
import { signInAs } from '#tests/support/sign-in.ts'

let server: TestServer
let io: ReturnType<typeof runEnvironment>
let views: () => Promise<SavedViews>

beforeAll(async () => {
  server = await createServer()
  const person = await createPerson(server.db, { groups: [1] })
  const signedIn = { id: person.id, headers: await signInAs(server, person) } as never
  io = runEnvironment(realClient(server, signedIn), signedIn)
  const { facts } = saveView as {
    facts?: { read: (target: undefined, read: typeof io.apiClient.read, params: object) => Promise<unknown> }
  }
  views = async () => (await facts?.read(undefined, io.apiClient.read, {})) as SavedViews
})
afterAll(() => server.close())

const late: SavedView = { path: '/invoices', title: 'Late at Harbor', search: 'status_type=is&status_value=OVERDUE' }
const paused: SavedView = { path: '/employees', title: 'Paused', search: 'status_type=is&status_value=PAUSED' }

test('a view is saved, removed and its saving undone, beside views added since', async () => {
  const first = await runOne(saveView, undefined, late, io, { facts: await views() })
  expect(first).toMatchObject({ kind: 'done', sentence: 'Saved the view Late at Harbor' })
  // Another tab had read the views before.
  const stale = await runOne(saveView, undefined, paused, io, { facts: { views: [], version: 0 } })
  expect(stale).toMatchObject({ kind: 'refused', problem: { code: 'stale-version' } })
  const second = await runOne(saveView, undefined, paused, io, { facts: await views() })
  expect((await views()).views).toEqual([late, paused])
  if (second.kind !== 'done' || !changes(saveView)) throw new Error('It was not saved.')
  const steps = saveView.undo?.steps?.({ before: undefined, after: undefined, params: { ...paused }, answers: second.answers })
  await runSteps(saveView, steps ?? [], undefined, { title: 'Undo', sentence: () => 'Undone' }, io)
  expect((await views()).views).toEqual([late])
  const params = { path: late.path, title: late.title, saved: [late] }
  const third = await runOne(removeView, undefined, params, io, { facts: await views() })
  expect((await views()).views).toEqual([])
  if (third.kind !== 'done' || !changes(removeView)) throw new Error('It was not removed.')
  const back = removeView.undo?.steps?.({ before: undefined, after: undefined, params, answers: third.answers })
  await runSteps(removeView, back ?? [], undefined, { title: 'Undo', sentence: () => 'Undone' }, io)
  expect((await views()).views).toEqual([late])
})

test('the view to remove is preselected if it is the only or the current one', () => {
  if (!changes(removeView)) throw new Error('It changes nothing.')
  const { start } = removeView.form ?? {}
  const own = (id: string, title: string) => ({ id, title, search: `q=${id}`, own: true })
  const [first, second] = [own('a', 'Late'), own('b', 'Mine')]
  const started = (named: readonly object[], view: string | null = null) => {
    const context = { pane: { path: '/invoices', named: [{ id: 'all', title: 'All', search: '' }, ...named], view } } as never
    const values = start?.(undefined, context)
    return { values, whole: formOf(removeView, context, undefined)?.safeParse(values).data }
  }
  expect(started([first])).toEqual({
    values: { title: 'Late' },
    whole: { path: '/invoices', title: 'Late', saved: [first] },
  })
  expect(started([first, second]).values).toEqual({})
  expect(started([first, second], 'b').values).toEqual({ title: 'Mine' })
})

test('a duplicate name is reported beside its field, for built-in and own views', () => {
  if (!changes(saveView)) throw new Error('It changes nothing.')
  const { messages } = saveView.form ?? {}
  const messagesFor = (title: string) =>
    messages?.(undefined, { ...late, title }, { views: [late], version: 1 }).map(({ path, message }) => `${path}: ${message}`)
  expect(messagesFor('late at harbor')).toEqual(['title: There is a view of this name already.'])
  expect(messagesFor('Overdue')).toEqual(['title: There is a view of this name already.'])
  expect(messagesFor('Another')).toEqual([])
})
