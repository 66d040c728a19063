import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { SharedView } from '#contract/shared-views.ts'
import { permissionIds } from '#domain/permissions.ts'
import { maxSharedViews } from '#domain/shared-view.ts'
import { asking, refusedFields } from '#tests/support/asking.ts'
import { createPerson } from '#tests/support/people.ts'
import { call, createServer, type TestServer } from '#tests/support/server.ts'
import { personWith, type SignedIn } from '#tests/support/session.ts'
import { signInAs } from '#tests/support/sign-in.ts'

let server: TestServer
/** May share, and reads employees, billing and employers. */
let ada: SignedIn
/** In payroll; may not share. */
let pia: SignedIn

const { send, good } = asking(
  () => server,
  () => ada,
)
const inGroups = async (ids: readonly number[], name: string, kind: 'ADMIN' | 'ACCOUNT_MANAGER' = 'ADMIN') => {
  const person = await createPerson(server.db, { groups: ids, name, kind })
  return { id: person.id, name, headers: await signInAs(server, person) }
}
const seenBy = async (who: SignedIn): Promise<string[]> =>
  (await good('GET', '/shared-views', undefined, who)).shared_views.map(({ title }: SharedView) => title)

beforeAll(async () => {
  server = await createServer()
  ada = await personWith(server, [1, 2, 3, 1024], 'Ada Admin')
  pia = await inGroups([4], 'Pia Payroll')
})
afterAll(() => server.close())
beforeEach(async () => {
  await sql`delete from shared_views`.execute(server.db)
})

const late = {
  path: '/invoices',
  title: 'Late at Harbor',
  search: 'status_type=is&status_value=OVERDUE&employer_type=is&employer_value=12',
  shared_with: ['PAYROLL'],
}
const paused = { ...late, path: '/employees', title: 'Paused', search: 'status_type=is&status_value=PAUSED&sort=name&order=desc' }

test('a shared view is read by the groups it is shared with, and by admins who may share', async () => {
  const made: SharedView = await good('POST', '/shared-views', { ...late, title: '  Late at Harbor ' })
  expect(made).toMatchObject({ ...late, shared_by: 'Ada Admin', version: 1 })
  await good('POST', '/shared-views', { ...paused, shared_with: ['HUMAN_RESOURCES', 'ACCOUNT_MANAGERS'] })
  const hugo = await inGroups([3], 'Hugo HR')
  const mara = await personWith(server, [2], 'Mara Manager', 'ACCOUNT_MANAGER')
  const alec = await personWith(server, permissionIds, 'Alec Manager', 'ACCOUNT_MANAGER')
  const root = await inGroups([1], 'Root Admin')
  expect(await Promise.all([pia, hugo, mara, alec, root, ada].map(seenBy))).toEqual([
    ['Late at Harbor'],
    ['Paused'],
    ['Paused'],
    ['Paused'],
    ['Late at Harbor', 'Paused'],
    ['Late at Harbor', 'Paused'],
  ])
  expect((await call(server, 'GET', '/shared-views', {})).status).toBe(401)
})

test('an account manager neither changes nor removes what an admin shared beyond their groups', async () => {
  const { id, title, search }: SharedView = await good('POST', '/shared-views', { ...late, shared_with: ['EVERYBODY'] })
  const alec = await personWith(server, permissionIds, 'Alec Manager', 'ACCOUNT_MANAGER')
  const answers = [
    await send('PUT', `/shared-views/${id}`, { title, search, shared_with: ['ACCOUNT_MANAGERS'], version: 1 }, alec),
    await send('DELETE', `/shared-views/${id}?version=1`, undefined, alec),
  ]
  expect(answers.map(({ status, body }) => [status, body.code])).toEqual([
    [403, 'permission-denied'],
    [403, 'permission-denied'],
  ])
  expect(await seenBy(alec)).toEqual(['Late at Harbor'])
})

test('everybody has a view shared with everybody, unless they may not read its list', async () => {
  await good('POST', '/shared-views', { ...late, shared_with: ['EVERYBODY'] })
  const [billing, people] = [await personWith(server, [1]), await personWith(server, [2])]
  expect([await seenBy(billing), await seenBy(people)]).toEqual([['Late at Harbor'], []])
})

test('only people with the permission share, change and stop sharing', async () => {
  const made: SharedView = await good('POST', '/shared-views', late)
  const { title, search, shared_with } = made
  const at = `/shared-views/${made.id}`
  const answers = [
    await send('POST', '/shared-views', paused, pia),
    await send('PUT', at, { title, search, shared_with, version: 1 }, pia),
    await send('DELETE', `${at}?version=1`, undefined, pia),
  ]
  expect(answers.map(({ status, body }) => [status, body.errors?.[0]?.message])).toEqual(Array(3).fill([403, 'share:views']))
  await sql`delete from person_permissions where person_id = ${ada.id} and permission_id = 1024`.execute(server.db)
  expect((await send('DELETE', `${at}?version=1`)).status).toBe(403)
  await sql`insert into person_permissions (person_id, permission_id) values (${ada.id}, 1024)`.execute(server.db)
  expect(await seenBy(pia)).toEqual(['Late at Harbor'])
})

test('an account manager shares with the own groups, and reaches no other views', async () => {
  const made: SharedView = await good('POST', '/shared-views', { ...late, shared_with: ['ADMINS'] })
  const mara = await personWith(server, [1, 2, 3, 1024], 'Mara Manager', 'ACCOUNT_MANAGER')
  for (const shared_with of [['EVERYBODY'], ['ADMINS'], ['ACCOUNT_MANAGERS', 'PAYROLL']])
    expect(refusedFields(await send('POST', '/shared-views', { ...paused, shared_with }, mara))).toEqual({
      shared_with: 'Account managers share with account managers and their own groups.',
    })
  await good('POST', '/shared-views', { ...paused, shared_with: ['ACCOUNT_MANAGERS'] }, mara)
  expect(await seenBy(mara)).toEqual(['Paused'])
  const { title, search } = made
  const change = await send('PUT', `/shared-views/${made.id}`, { title, search, shared_with: ['ADMINS'], version: 1 }, mara)
  const stop = await send('DELETE', `/shared-views/${made.id}?version=1`, undefined, mara)
  expect([change.status, stop.status]).toEqual([404, 404])
  // The title of a view that is not open to them is in no message.
  const twin = await send('POST', '/shared-views', { ...late, title: 'Mine', shared_with: ['ACCOUNT_MANAGERS'] }, mara)
  expect(twin.status).toBe(201)
})

test('of two changes at once the second gets the current view, and nothing is lost', async () => {
  const made: SharedView = await good('POST', '/shared-views', late)
  const root = await inGroups([1], 'Root Admin')
  const at = `/shared-views/${made.id}`
  const { search, shared_with } = made
  const answers = await Promise.all([
    send('PUT', at, { title: 'Late', search, shared_with, version: 1 }),
    send('PUT', at, { title: 'Overdue at Harbor', search, shared_with, version: 1 }, root),
  ])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  const [won, lost] = answers.toSorted((a, b) => a.status - b.status)
  expect(lost?.body).toMatchObject({ code: 'stale-version', facts: won?.body })
  expect(await seenBy(pia)).toEqual([won?.body.title])
  expect((await send('DELETE', `${at}?version=1`)).status).toBe(409)
  expect(await good('DELETE', `${at}?version=2`)).toMatchObject({ title: won?.body.title })
  expect((await send('PUT', at, { title: 'Late', search, shared_with, version: 2 })).status).toBe(404)
  expect(await seenBy(pia)).toEqual([])
})

test('a double submit shares once, and concurrent ones of a name share it once', async () => {
  const headers = { ...ada.headers, 'idempotency-key': 'share-late' }
  const twice = await Promise.all([1, 2].map(() => call(server, 'POST', '/shared-views', { headers, body: late })))
  expect(twice.map(({ status }) => status)).toEqual([201, 201])
  expect(twice[0]?.body).toEqual(twice[1]?.body)
  const other = { ...late, title: 'Another', search: 'status_type=is&status_value=SENT' }
  const both = await Promise.all([1, 2].map(() => send('POST', '/shared-views', other)))
  expect(both.map(({ status }) => status).sort()).toEqual([201, 422])
  expect(await seenBy(pia)).toEqual(['Late at Harbor', 'Another'])
})

test('a name is used once per list, ignoring case, also by built-in views', async () => {
  await good('POST', '/shared-views', late)
  const other = { ...late, search: 'status_type=is&status_value=SENT' }
  const taken = { title: 'There is a view of this name already.' }
  expect(refusedFields(await send('POST', '/shared-views', { ...other, title: 'LATE AT HARBOR' }))).toEqual(taken)
  expect(refusedFields(await send('POST', '/shared-views', { ...other, title: 'overdue' }))).toEqual(taken)
  const same = 'employer_type=is&employer_value=12&status_type=is&status_value=OVERDUE'
  expect(refusedFields(await send('POST', '/shared-views', { ...late, title: 'Mine', search: same }))).toEqual({
    title: 'The view Late at Harbor shows the same already.',
  })
  expect((await send('POST', '/shared-views', { ...paused, title: late.title })).status).toBe(201)
  const made: SharedView = await good('POST', '/shared-views', { ...other, title: 'Sent' })
  const { search, shared_with } = made
  const at = `/shared-views/${made.id}`
  expect(refusedFields(await send('PUT', at, { title: late.title, search, shared_with, version: 1 }))).toEqual(taken)
  // Its own name is free for itself.
  expect((await good('PUT', at, { title: 'sent', search, shared_with, version: 1 })).title).toBe('sent')
})

test.each([
  ['another parameter', { search: 'status_type=is&status_value=SENT&q=harbor' }, 'search'],
  ['an unknown filter', { search: 'color_type=is&color_value=red' }, 'search'],
  ['an unknown status', { search: 'status_type=is&status_value=NICE' }, 'search'],
  ['a condition that the filter does not have', { search: 'status_type=between&status_value=SENT' }, 'search'],
  ['half a range', { search: 'due_type=between&due_value=2026-01-01..' }, 'search'],
  ['an id that is none', { search: 'employer_type=is&employer_value=harbor' }, 'search'],
  ['an unknown sort order', { search: 'status_type=is&status_value=SENT&sort=color' }, 'search'],
  ['a filter twice', { search: 'status_type=is&status_value=SENT&status_value=DRAFT' }, 'search'],
  ['columns that are no names', { search: 'status_type=is&status_value=SENT&columns=a%20b' }, 'search'],
  ['no filter', { search: '' }, 'search'],
  ['an unknown list', { path: '/colors' }, 'search'],
  ['the address of another place', { path: '//evil.example' }, 'path'],
  ['a list that the person may not read', { path: '/admins', search: 'status_type=is&status_value=ACTIVE' }, 'search'],
  ['a filter that the person may not use', { path: '/employees', search: 'frequency_type=is&frequency_value=WEEKLY' }, 'search'],
  ['no group', { shared_with: [] }, 'shared_with'],
  ['an unknown group', { shared_with: ['FRIENDS'] }, 'shared_with.0'],
  ['a name past 40 characters', { title: 'x'.repeat(41) }, 'title'],
])('refuses %s beside its field', async (_, wrong, field) => {
  expect(Object.keys(refusedFields(await send('POST', '/shared-views', { ...late, ...wrong })))).toEqual([field])
  expect(await seenBy(ada)).toEqual([])
})

test('refuses one more view than a list may have', async () => {
  for (let count = 0; count < maxSharedViews; count++)
    await sql`insert into shared_views (path, title, search, shared_with, shared_by)
      values ('/invoices', ${`View ${count}`}, ${`company_type=contains&company_value=${count}`}, '{ADMINS}', ${ada.id})`.execute(
      server.db,
    )
  expect(refusedFields(await send('POST', '/shared-views', late))).toEqual({
    title: `At most ${maxSharedViews} shared views in one list. Stop sharing one first.`,
  })
  expect((await send('POST', '/shared-views', paused)).status).toBe(201)
})

test('a view outlasts the account of the person who shared it, and others can change it', async () => {
  const sam = await personWith(server, [1, 1024], 'Sam Admin')
  const made: SharedView = await good('POST', '/shared-views', late, sam)
  await sql`update people set status = 'DELETED' where id = ${sam.id}`.execute(server.db)
  const [view] = (await good('GET', '/shared-views', undefined, pia)).shared_views
  expect(view).toMatchObject({ title: 'Late at Harbor', shared_by: 'Sam Admin' })
  const { search } = made
  const changed = await good('PUT', `/shared-views/${made.id}`, {
    title: 'Late',
    search,
    shared_with: ['PAYROLL', 'ADMINS'],
    version: 1,
  })
  expect(changed).toMatchObject({ title: 'Late', shared_by: 'Sam Admin', version: 2 })
})

test('a view grants nothing: a reader without access finds no row and no name behind it', async () => {
  const { body } = await send('GET', '/invoices/count?employer-id=987654', undefined, pia)
  await good('POST', '/shared-views', {
    ...late,
    search: 'employer_type=is&employer_value=987654',
    shared_with: ['ACCOUNT_MANAGERS'],
  })
  const mara = await personWith(server, [1, 3], 'Mara Manager', 'ACCOUNT_MANAGER')
  const [view] = (await good('GET', '/shared-views', undefined, mara)).shared_views
  expect(view.search).toBe('employer_type=is&employer_value=987654')
  expect((await good('GET', '/invoices/count?employer-id=987654', undefined, mara)).count).toBe(0)
  expect((await send('GET', '/employers/987654', undefined, mara)).status).toBe(404)
  expect(body.count).toBe(0)
})

test('sharing, changing and the end of sharing are in the audit of people who may share', async () => {
  const made: SharedView = await good('POST', '/shared-views', late)
  const { search } = made
  await good('PUT', `/shared-views/${made.id}`, { title: 'Late', search, shared_with: ['ADMINS'], version: 1 })
  await good('DELETE', `/shared-views/${made.id}?version=2`)
  const events = async (who: SignedIn) =>
    (await good('GET', `/audit-events?kind=shared-view&q=${made.id}`, undefined, who)).audit_events
  expect(
    (await events(ada)).map(({ status, actor, text }: { status: string; actor: { name: string }; text: string }) => [
      status,
      actor.name,
      text,
    ]),
  ).toEqual([
    ['No longer shared', 'Ada Admin', 'Late'],
    ['Changed', 'Ada Admin', null],
    ['Shared', 'Ada Admin', null],
  ])
  expect((await events(ada))[1].changes).toEqual(
    expect.arrayContaining([
      { field: 'title', before: 'Late at Harbor', after: 'Late' },
      { field: 'shared_with', before: ['PAYROLL'], after: ['ADMINS'] },
    ]),
  )
  const seen = await send('GET', `/audit-events?q=${made.id}`, undefined, pia)
  expect(JSON.stringify(seen.body)).not.toContain('Late')
})
