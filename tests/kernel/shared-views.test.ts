import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import sharedViewCommands from '#commands/list/shared-view.ts'
import { listSharedViews, type SharedView, shareView, stopSharingView } from '#contract/shared-views.ts'
import { availability } from '#kernel/availability.ts'
import { changes, type Command } from '#kernel/command.ts'
import type { CommandContext, OpenPane } from '#kernel/command-context.ts'
import { formOf } from '#kernel/form.ts'
import { runOne, runSteps } from '#kernel/run.ts'
import { realClient, runEnvironment } from '#tests/kernel/real-client.ts'
import { createServer, type TestServer } from '#tests/support/server.ts'
import { personWith } from '#tests/support/session.ts'

const [shareCommand, changeView, stopCommand] = sharedViewCommands as [Command, Command, Command]

let server: TestServer
let io: ReturnType<typeof runEnvironment>

beforeAll(async () => {
  server = await createServer()
  const signedIn = await personWith(server, [1, 2, 1024], 'Ada Admin')
  io = runEnvironment(realClient(server, signedIn), signedIn)
})
afterAll(() => server.close())
beforeEach(async () => {
  await server.db.deleteFrom('shared_views').execute()
})

const views = async (): Promise<SharedView[]> => (await io.apiClient.read(listSharedViews, {}, {})).shared_views
const facts = async () => ({ shared_views: await views() })
const overdue = 'status_type=is&status_value=OVERDUE&employer_type=is&employer_value=12'

/** The open list of invoices with these filters and the views that are shared. */
const paneOf = (search: string, shared: readonly SharedView[], own: OpenPane['named'] = []): OpenPane => {
  const named = [
    ...shared.map((view) => ({ id: `shared ${view.id}`, title: view.title, search: view.search, shared: view })),
    ...own,
  ]
  return {
    ...{ path: '/invoices', search, named, view: named.find((view) => view.search === search)?.id ?? null },
    ...{ set: [{ id: 'status', type: 'is', value: 'OVERDUE' }], shown: ['invoice', 'company', 'status'] },
  } as never
}
const contextOf = (pane: OpenPane | null, held: readonly number[] = [1, 1024]): CommandContext =>
  ({ signedIn: true, held: new Set(held), supports: () => true, selection: null, pane, open: null, online: true }) as never

/** Runs a command with its form filled in: what it starts with, and these values. */
async function run(command: Command, pane: OpenPane, values: object, known?: object) {
  const context = contextOf(pane)
  const params = formOf(command, context, undefined)?.parse({ ...command.form?.start?.(undefined, context), ...values })
  const outcome = await runOne(command, undefined, params as never, io, { facts: known ?? (await facts()) })
  return { outcome, params: params as Record<string, unknown> }
}
async function undo(command: Command, { outcome, params }: Awaited<ReturnType<typeof run>>) {
  if (outcome.kind !== 'done' || !changes(command)) throw new Error('It was not done.')
  const steps = command.undo?.steps?.({ before: undefined, after: undefined, params, answers: outcome.answers })
  if (!steps) return null
  return runSteps(command, steps, undefined, { title: 'Undo', sentence: () => 'Undone', undoneBy: 'session.undo' }, io)
}
const sharing = (title: string, search = overdue) =>
  io.apiClient.send(
    shareView,
    {},
    { path: '/invoices', title, search, shared_with: ['ADMINS'] } as never,
    { key: crypto.randomUUID(), command: 'x' } as never,
  )
test('shares the open list under a name, with its columns if wanted, and undo stops it', async () => {
  const pane = paneOf(overdue, [])
  const shared = await run(shareCommand, pane, { title: 'Late', shared_with: ['PAYROLL'] })
  expect(shared.outcome).toMatchObject({ kind: 'done', sentence: 'Shared the view Late' })
  expect(await views()).toMatchObject([{ path: '/invoices', title: 'Late', search: overdue, shared_with: ['PAYROLL'] }])
  await undo(shareCommand, shared)
  expect(await views()).toEqual([])
  await run(shareCommand, pane, { title: 'Late', shared_with: ['EVERYBODY'], shows: 'COLUMNS' })
  expect(new URLSearchParams((await views())[0]?.search).get('columns')).toBe('invoice,company,status')
})

test('an own view starts with its name, and a shared or built-in one is not shared again', async () => {
  await sharing('Late')
  const [late] = await views()
  const own = { id: 'saved Mine', title: 'Mine', search: 'status_type=is&status_value=SENT', own: true as const }
  const mine = contextOf(paneOf(own.search, [], [own]))
  expect(shareCommand.form?.start?.(undefined, mine)).toEqual({ title: 'Mine', shows: 'FILTERS' })
  expect(availability(shareCommand, mine).state).toBe('ready')
  const again = availability(shareCommand, contextOf(paneOf(overdue, [late as SharedView])))
  expect(again).toMatchObject({ state: 'off', sentence: 'This is the view Late.' })
  const ordered = availability(shareCommand, contextOf(paneOf(`${overdue}&sort=due_date`, [late as SharedView])))
  expect(ordered.state).toBe('ready')
  expect(availability(shareCommand, contextOf(null))).toMatchObject({ sentence: 'Open a list first.' })
})

test.each([shareCommand, changeView, stopCommand])(
  '$id is locked without the permission, and off without the call',
  async (command) => {
    await sharing('Late')
    const pane = paneOf(overdue, await views())
    expect(availability(command, contextOf(pane, [1]))).toMatchObject({ state: 'locked' })
    const without = { ...contextOf(pane), supports: () => false }
    expect(availability(command, without)).toEqual({ state: 'off', sentence: 'Not offered by this API' })
  },
)

test('names that are taken, and filters that a view has already, are refused beside the name', async () => {
  await sharing('Late')
  const refusedAt = async (title: string, search: string) => {
    const { outcome } = await run(shareCommand, paneOf(search, []), { title, shared_with: ['ADMINS'] })
    return outcome.kind === 'refused' ? outcome.problem.errors?.map(({ path, message }) => `${path}: ${message}`) : outcome
  }
  const sent = 'status_type=is&status_value=SENT'
  expect(await refusedAt('LATE', sent)).toEqual(['title: There is a view of this name already.'])
  expect(await refusedAt('overdue', sent)).toEqual(['title: There is a view of this name already.'])
  expect(await refusedAt('Mine', overdue)).toEqual(['title: The view Late shows the same already.'])
  expect(await refusedAt('Mine', 'color_type=is&color_value=red')).toEqual(['title: This list has no filter color.'])
})

test('renames the shown view, keeps the rest, and undo restores the name', async () => {
  await sharing('Late')
  const pane = paneOf(overdue, await views())
  const renamed = await run(changeView, pane, { title: 'Overdue at Harbor' })
  expect(renamed.outcome).toMatchObject({ kind: 'done', sentence: 'Changed the view Overdue at Harbor' })
  expect(await views()).toMatchObject([{ title: 'Overdue at Harbor', search: overdue, shared_with: ['ADMINS'], version: 2 }])
  await undo(changeView, renamed)
  expect(await views()).toMatchObject([{ title: 'Late', version: 3 }])
})

test('with other filters in the list the view takes them, and shows what changes', async () => {
  await sharing('Late')
  const search = 'status_type=is&status_value=SENT'
  const pane = paneOf(search, await views())
  const known = await facts()
  const values = { shared_with: ['EVERYBODY'] as const }
  const changed = await run(changeView, pane, values)
  expect(await views()).toMatchObject([{ title: 'Late', search, shared_with: ['EVERYBODY'] }])
  const rows = changes(changeView) && changeView.preview?.rows?.(undefined, changed.params, known)
  expect(rows).toEqual([{ of: 'Late', what: 'Shared with', before: 'Admins', after: 'Everybody' }])
})

test('the second of two people gets a conflict, and undo leaves what others changed', async () => {
  await sharing('Late')
  const before = await facts()
  const pane = paneOf(overdue, before.shared_views)
  await run(changeView, pane, { title: 'First' })
  const stale = await run(changeView, pane, { title: 'Second' }, before)
  expect(stale.outcome).toMatchObject({ kind: 'refused', problem: { code: 'stale-version' } })
  const fresh = await run(changeView, pane, { title: 'Second' })
  expect(fresh.outcome.kind).toBe('done')
  expect(await undo(changeView, fresh)).toBeNull()
  expect(await views()).toMatchObject([{ title: 'Second' }])
})

test('stops sharing, which undo takes back; a view that is gone is refused', async () => {
  await sharing('Late')
  const pane = paneOf(overdue, await views())
  const stopped = await run(stopCommand, pane, {})
  expect(stopped.outcome).toMatchObject({ kind: 'done', sentence: 'Stopped sharing the view Late' })
  expect(await views()).toEqual([])
  // The list still shows it.
  for (const [command, values] of [
    [stopCommand, {}],
    [changeView, { title: 'Other' }],
  ] as const)
    expect((await run(command, pane, values)).outcome).toMatchObject({ kind: 'refused', problem: { status: 404 } })
  await undo(stopCommand, stopped)
  expect(await views()).toMatchObject([{ title: 'Late', search: overdue, shared_with: ['ADMINS'] }])
  const [now] = await views()
  await io.apiClient.send(
    stopSharingView,
    { id: String(now?.id) },
    { version: 1 } as never,
    { key: crypto.randomUUID(), command: 'x' } as never,
  )
})
