import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventWords } from '#domain/employee-event.ts'
import { recordEvent } from '#server/tables/audit.ts'
import { createCompany, createEmployee } from '#tests/support/company.ts'
import { createPerson } from '#tests/support/people.ts'
import { call, createServer, type TestServer } from '#tests/support/server.ts'
import { type Headers, signInAs } from '#tests/support/sign-in.ts'

let server: TestServer
let admin: Headers
let employerId: number

beforeAll(async () => {
  server = await createServer()
  employerId = (await createCompany(server.db, 'Harbor')).employerIds[0] as number
  admin = await signInAs(server, await createPerson(server.db, { groups: [1] }))
})
afterAll(() => server.close())

const force = (userId: number | null, force_password: boolean, version: number, headers = admin) =>
  call(server, 'PUT', `/users/${userId}/force-password-change`, { headers, body: { force_password, version } })

test('[EMP-009] [EMP-010] [API-132] a password change is forced and cancelled, each once', async () => {
  const { id, userId } = await createEmployee(server.db, { employerId, linked: {} })
  const forced = await force(userId, true, 1)
  expect(forced.status).toBe(200)
  expect(forced.body).toMatchObject({ id: userId, force_password_change: true, version: 2 })
  expect((await force(userId, true, 2)).body.code).toBe('password-change-already-forced')
  expect((await force(userId, false, 2)).body).toMatchObject({ force_password_change: false, version: 3 })
  expect((await force(userId, false, 3)).body.code).toBe('password-change-not-forced')
  expect((await call(server, 'GET', `/employees/${id}`, { headers: admin })).body).toMatchObject({
    version: 1,
    user: { version: 3 },
  })
})

test('[API-132] a stale version of the user is refused with the current user', async () => {
  const { userId } = await createEmployee(server.db, { employerId, linked: {} })
  await force(userId, true, 1)
  const stale = await force(userId, false, 1)
  expect(stale.status).toBe(409)
  expect(stale.body).toMatchObject({ code: 'stale-version', facts: { id: userId, force_password_change: true, version: 2 } })
})

test.each([
  ['PERM-027', 'PAYROLL', 1009, 1010],
  ['PERM-028', 'CONSUMER', 1010, 1009],
] as const)('[%s] a password change in the %s flow needs its own permission', async (_, flow, right, wrong) => {
  const { userId } = await createEmployee(server.db, { employerId, linked: {}, flow })
  const by = async (permission: number) => signInAs(server, await createPerson(server.db, { permissions: [2, permission] }))
  expect((await force(userId, true, 1, await by(wrong))).status).toBe(403)
  expect((await force(userId, true, 1, await by(right))).status).toBe(200)
})

test('[PERM-029] it is refused for a user without a linked employee, and 404 for an inaccessible user', async () => {
  const { id, userId } = await createEmployee(server.db, { employerId, linked: {} })
  await call(server, 'POST', `/employees/${id}/unlink`, { headers: admin, body: {} })
  const refused = await force(userId, true, 1)
  expect([refused.status, refused.body.code]).toEqual([409, 'not-linked'])
  expect((await force(userId, false, 1)).body.code).toBe('not-linked')
  const manager = { kind: 'ACCOUNT_MANAGER', permissions: [2, 1009, 1010], grants: [{ employerId }] } as const
  const former = await signInAs(server, await createPerson(server.db, manager))
  for (const nobody of [userId, 999_999_999]) expect((await force(nobody, true, 1, former)).status).toBe(404)
  expect((await force(999_999_999, true, 1)).status).toBe(404)
})

test('[PERM-030] a password change is blocked while the employee is paused', async () => {
  const { userId } = await createEmployee(server.db, { employerId, linked: {}, status: 'PAUSED' })
  const answer = await force(userId, true, 1)
  expect(answer.status).toBe(409)
  expect(answer.body.code).toBe('employee-paused')
})

test('[ENUM-023] an address changed by the user is address_changed for user and linked employee', async () => {
  const { id, userId } = await createEmployee(server.db, { employerId, linked: {} })
  const other = await createEmployee(server.db, { employerId, firstName: 'Omar', linked: {} })
  const person = { id: String(userId), name: 'Mia Torres' }
  // As the app of the users records it.
  await server.db.transaction().execute((tx) =>
    recordEvent(tx, {
      ...{ actor: person, intent: 'user.address', command: null, entity: 'user', entityId: String(userId), text: null },
      ...{ status: 'address_changed', version: 2, idempotencyKey: null },
      before: { line_1: '1 Elm Street', city: 'Springfield' },
      after: { line_1: '7 Oak Lane', city: 'Riverton' },
    }),
  )
  // Also without the right to personal details of employees, since the user record shows the address.
  const reader = await signInAs(server, await createPerson(server.db, { permissions: [2] }))
  const eventsAt = async (path: string, headers = admin) => {
    const { status, body } = await call(server, 'GET', path, { headers })
    expect([path, status]).toEqual([path, 200])
    return body.events
  }
  for (const headers of [admin, reader])
    for (const path of [`/employees/${id}/events`, `/users/${userId}/events`]) {
      const [event, ...more] = await eventsAt(`${path}?status=address_changed`, headers)
      expect(more).toEqual([])
      expect(event).toMatchObject({ status: 'address_changed', category: 'user', actor: { name: 'Mia Torres' } })
      expect(event.changes).toEqual([
        { field: 'city', before: 'Springfield', after: 'Riverton' },
        { field: 'line_1', before: '1 Elm Street', after: '7 Oak Lane' },
      ])
      expect(eventWords(event.status, event.category)).toBe('Address changed')
      expect(await eventsAt(`${path}?status-not=address_changed`, headers)).toEqual([])
    }
  expect(await eventsAt(`/employees/${other.id}/events?status=address_changed`)).toEqual([])
})

test("a user's own history is filtered by event and category, page by page", async () => {
  const { userId } = await createEmployee(server.db, { employerId, linked: {} })
  await sql`insert into audit_events (actor_id, actor_name, intent, entity, entity_id, category, status, version)
    select 'x', 'Somebody', 'x', 'user', ${String(userId)}, category, event, 1
    from (values ('card', 'CREATE'), ('card', 'DEACTIVATE'), ('user', 'Phone Removal'), ('user', 'DEACTIVATE')) made(category, event)`.execute(
    server.db,
  )
  const historyOf = async (query: string) => {
    const { status, body } = await call(server, 'GET', `/users/${userId}/events?${query}`, { headers: admin })
    expect([query, status]).toEqual([query, 200])
    return body
  }
  const events = async (query: string) =>
    (await historyOf(query)).events.map(({ category, status }: { category: string; status: string }) => `${category} ${status}`)
  expect(await events('category=card')).toEqual(['card DEACTIVATE', 'card CREATE'])
  expect(await events('status=DEACTIVATE')).toEqual(['user DEACTIVATE', 'card DEACTIVATE'])
  expect(await events('status-not=DEACTIVATE&category-not=card')).toEqual(['user Phone Removal'])
  const { lek } = await historyOf('category=card&limit=1')
  expect(await events(`category=card&limit=1&lek=${encodeURIComponent(lek)}`)).toEqual(['card CREATE'])
  // Events that never happen to users are no filter values, and a cursor is valid only for its filter.
  for (const query of ['status=Paused', `lek=${encodeURIComponent(lek)}`])
    expect((await call(server, 'GET', `/users/${userId}/events?${query}`, { headers: admin })).status).toBeGreaterThanOrEqual(400)
})
