import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from 'kysely'
import { permissionIds } from '#domain/permissions.ts'
import { seedDemo } from '#server/seed/demo.ts'
import { asking, refusedFields } from '#tests/support/asking.ts'
import { createCompany, createEmployee } from '#tests/support/company.ts'
import { createRepayment } from '#tests/support/money.ts'
import { createPerson } from '#tests/support/people.ts'
import { createServer, type TestServer } from '#tests/support/server.ts'
import { personWith, type SignedIn } from '#tests/support/session.ts'

let server: TestServer
/** Holds every permission. */
let root: SignedIn
let organizationId: number
/** Two employers of one organization. */
let near: number
let far: number
let employeeOfNear: number
let employeeOfFar: number

const { send, good } = asking(
  () => server,
  () => root,
)

beforeAll(async () => {
  server = await createServer()
  await seedDemo(server.owner, { employees: 200, today: '2026-06-15' })
  root = await personWith(server, permissionIds, 'Root Super')
  const company = await createCompany(server.db, 'Harbor', 2)
  organizationId = company.organizationId
  ;[near, far] = company.employerIds as [number, number]
  employeeOfNear = (await createEmployee(server.db, { employerId: near })).id
  employeeOfFar = (await createEmployee(server.db, { employerId: far })).id
})
afterAll(() => server.close())

type Grants = NonNullable<Parameters<typeof createPerson>[1]>['grants']
const manager = async (permissions: readonly number[], grants: Grants = [], name = 'Nadia Hart') =>
  (await createPerson(server.db, { kind: 'ACCOUNT_MANAGER', name, permissions, grants })).id

interface AccessQuestion {
  record?: string
  calls?: string
}
const pathOf = (id: string, question: AccessQuestion, kind = 'account-managers') =>
  `/${kind}/${id}/access?${new URLSearchParams(question as Record<string, string>)}`
const explanationOf = (...asked: Parameters<typeof pathOf>) => good('GET', pathOf(...asked))

describe('the explanation of missing access', () => {
  test('a missing permission is named with the groups and the change that would grant it', async () => {
    const id = await manager([2], [{ employerId: near }])
    expect(await explanationOf(id, { record: `/employees/${employeeOfNear}`, calls: 'employee.pause' })).toEqual({
      reason: 'permission',
      sentence:
        'Nadia Hart lacks the right to change employees, which the group Human resources or the permission itself would give.',
      missing: [{ id: 9, short_name: 'write:employees' }],
      gives: 'account-manager.set-rights',
    })
    const nothing = await manager([], [{ employerId: near }])
    expect(await explanationOf(nothing, { record: `/employees/${employeeOfNear}` })).toMatchObject({
      reason: 'permission',
      missing: [{ id: 2, short_name: 'read:employees' }],
    })
  })

  test('a permission that depends on the flow of the employee is resolved from the employee', async () => {
    const { id: consumer } = await createEmployee(server.db, { employerId: near, flow: 'CONSUMER', linked: {} })
    const id = await manager([2, 1011], [{ employerId: near }])
    const { reason, missing } = await explanationOf(id, { record: `/employees/${consumer}`, calls: 'employee.unlink' })
    expect([reason, missing]).toEqual(['permission', [{ id: 1012, short_name: 'write-unlink:consumer' }]])
  })

  test('for a call that needs one of several permissions, each is named', async () => {
    const id = await manager([], [{ employerId: near }])
    const { sentence, missing } = await explanationOf(id, { calls: 'GET /account-managers' })
    expect(sentence).toContain('lacks the right to see employers or see organizations')
    expect(missing.map((each: { id: number }) => each.id)).toEqual([3, 4])
  })

  test('a permission reserved for admins is named as such, and no change grants it', async () => {
    const id = await manager([2], [{ employerId: near }])
    expect(await explanationOf(id, { calls: 'GET /admins' })).toMatchObject({
      sentence: 'Nadia Hart lacks the right to see admins, which only an admin can be given.',
      gives: null,
    })
  })

  test('a missing connection is to the employer or to its whole organization', async () => {
    const id = await manager([2, 9])
    expect(await explanationOf(id, { record: `/employees/${employeeOfNear}`, calls: 'employee.pause' })).toEqual({
      reason: 'connection',
      sentence:
        'Nadia Hart is not connected to Harbor Works 1; a connection to Harbor Works 1 or to Harbor as a whole would give it.',
      missing: [],
      gives: 'account-manager.connect',
    })
  })

  test('a connection to another employer of the organization is shown, but does not grant access', async () => {
    const id = await manager([2, 3, 4, 1], [{ employerId: near }])
    expect((await explanationOf(id, { record: `/employees/${employeeOfFar}` })).sentence).toBe(
      'Nadia Hart is connected to Harbor Works 1 of Harbor, but not to Harbor Works 2; a connection to Harbor Works 2 or to Harbor as a whole would give it.',
    )
    const { id: repayment } = await createRepayment(server.db, {
      debtor: { type: 'ORGANIZATION', id: organizationId },
      amount: 5_000,
    })
    expect(await explanationOf(id, { record: `/repayments/${repayment}` })).toMatchObject({
      reason: 'connection',
      sentence:
        'Nadia Hart is connected to Harbor Works 1 of Harbor, but not to Harbor as a whole; that connection would give it.',
    })
  })

  test('a grant of the whole organization includes its employers', async () => {
    const id = await manager([2, 9], [{ organizationId }])
    expect(await explanationOf(id, { record: `/employees/${employeeOfFar}`, calls: 'employee.pause' })).toEqual({
      reason: 'allowed',
      sentence: 'Nothing is missing: Nadia Hart may do this.',
      missing: [],
      gives: null,
    })
    expect((await explanationOf(id, { record: `/employees/${employeeOfFar}` })).sentence).toBe(
      'Nothing is missing: Nadia Hart may see this.',
    )
  })

  test('a state that forbids the action is explained by its rule, also to people with permission', async () => {
    const { id: paused } = await createEmployee(server.db, { employerId: near, status: 'PAUSED' })
    const id = await manager([2, 9], [{ employerId: near }])
    const asked = { record: `/employees/${paused}`, calls: 'employee.pause' }
    const { version } = await good('GET', `/employees/${paused}`)
    const refused = await send('PATCH', `/employees/${paused}`, { status: 'PAUSED', reason: 'Rate', version })
    expect(refused.status).toBe(409)
    const explanation = await explanationOf(id, asked)
    expect(explanation).toMatchObject({ reason: 'state', gives: null })
    expect(explanation.sentence).toBe(`Nadia Hart may do this, but not now: ${refused.body.detail}`)
    const reader = await personWith(server, [2, 3], 'Rea Reader')
    expect((await good('GET', pathOf(id, asked), undefined, reader)).sentence).toBe(
      'Nadia Hart may do this, but not now: its state does not allow it.',
    )
  })

  test('a masked state is explained as the asking person sees it', async () => {
    const { id: paid } = await createEmployee(server.db, { employerId: near, status: 'OFFCYCLE_PAID' })
    const asked = { record: `/employees/${paid}`, calls: 'employee.pause' }
    const other = (await personWith(server, [2, 9, 17], 'Pia Paid')).id
    const asker = await personWith(server, [2, 3, 4, 9, 1017], 'Ann Asker')
    const { version } = await good('GET', `/employees/${paid}`, undefined, asker)
    const own = await send('PATCH', `/employees/${paid}`, { status: 'PAUSED', reason: 'Rate', version }, asker)
    expect(own).toMatchObject({ status: 409, body: { detail: expect.stringContaining('Restricted') } })
    const { sentence } = await good('GET', pathOf(other, asked, 'admins'), undefined, asker)
    expect(sentence).toBe(`Pia Paid may do this, but not now: ${own.body.detail}`)
    // People who may see the state get it in the explanation.
    expect((await explanationOf(other, asked, 'admins')).sentence).toContain('Off-cycle paid')
  })

  test('access to an event follows its record, and an export belongs to its owner alone', async () => {
    const { id: repayment } = await createRepayment(server.db, { debtor: { type: 'EMPLOYER', id: near }, amount: 5_000 })
    const noted = await good('POST', `/notes/entity/${repayment}`, { entity_type: 'repayment', text: 'Called', user_id: root.id })
    const { audit_events: events } = await good('GET', '/audit-events?kind=invoice&limit=1')
    const reader = (await personWith(server, [2], 'Rex Reader')).id
    for (const record of [`/audit-events/${events[0].id}`, `/notes/${noted.id}`])
      expect(await explanationOf(reader, { record }, 'admins'), record).toMatchObject({
        reason: 'permission',
        sentence: expect.stringContaining('lacks the right to'),
        missing: [{ short_name: 'read:billing' }],
      })
    const file = await good('POST', '/exports', { kind: 'invoices', filter: {} })
    expect(await explanationOf(reader, { record: `/exports/${file.id}` }, 'admins')).toMatchObject({
      sentence: "Rex Reader cannot see this: it is somebody else's own.",
      gives: null,
    })
  })

  test('a person who was only invited can do nothing', async () => {
    const made = await good('POST', '/account-managers', { full_name: 'Ivy New', email: 'ivy.new@example.com' })
    expect(await explanationOf(made.id, { record: `/employees/${employeeOfNear}` })).toMatchObject({
      reason: 'account',
      sentence: 'Ivy New has not set up the account yet, and can do nothing before that.',
      gives: 'account-manager.invite',
    })
  })

  test('an admin only ever lacks permissions', async () => {
    const { id } = await personWith(server, [1], 'Abe Admin')
    expect(await explanationOf(id, { record: `/employees/${employeeOfNear}`, calls: 'employee.pause' }, 'admins')).toMatchObject({
      reason: 'permission',
      sentence:
        'Abe Admin lacks the right to see employees, and to change employees, which the groups Super-admin or Human resources or the permissions themselves would give.',
      gives: 'admin.set-rights',
    })
  })
})

describe('who may ask', () => {
  test('asking needs the right to read the permissions of that person', async () => {
    const id = await manager([2])
    const clerk = await personWith(server, [1, 2, 9], 'Cleo Clerk')
    expect((await send('GET', pathOf(id, {}), undefined, clerk)).status).toBe(403)
    expect((await send('GET', pathOf(root.id, {}, 'admins'), undefined, clerk)).status).toBe(403)
  })

  test('the change that would grant access is named only to people who may make it', async () => {
    const id = await manager([2], [{ employerId: near }])
    const asked = { record: `/employees/${employeeOfNear}`, calls: 'employee.pause' }
    const reader = await personWith(server, [2, 3], 'Rea Reader')
    expect(await good('GET', pathOf(id, asked), undefined, reader)).toMatchObject({ reason: 'permission', gives: null })
    // Nobody can grant permissions that they do not hold.
    const giver = await personWith(server, [2, 3, 1019], 'Gil Giver')
    expect(await good('GET', pathOf(id, asked), undefined, giver)).toMatchObject({ reason: 'permission', gives: null })
  })

  test('an account manager learns nothing about records or people outside of their access', async () => {
    const elsewhere = await createCompany(server.db, 'Elsewhere', 2)
    const [theirs] = elsewhere.employerIds as [number, number]
    const { id: strange } = await createEmployee(server.db, { employerId: theirs })
    const asker = await personWith(server, [1, 2, 3, 4, 9, 1019], 'Max Manager', 'ACCOUNT_MANAGER')
    await sql`insert into access_grants (person_id, employer_id) values (${asker.id}, ${near})`.execute(server.db)
    const colleague = await manager([2], [{ employerId: near }, { employerId: theirs }])
    const missing = await send('GET', pathOf(colleague, { record: '/employees/987654321' }), undefined, asker)
    const hidden = await send('GET', pathOf(colleague, { record: `/employees/${strange}` }), undefined, asker)
    expect([hidden.status, hidden.body]).toEqual([404, missing.body])
    expect(await send('GET', pathOf(colleague, { record: `/employers/${theirs}` }), undefined, asker)).toMatchObject({
      status: 404,
    })
    // Connections of a colleague elsewhere are hidden, too.
    const { id: repayment } = await createRepayment(server.db, { debtor: { type: 'EMPLOYER', id: near }, amount: 5_000 })
    const alone = await manager([1], [{ employerId: theirs }, { employerId: far }])
    await sql`insert into access_grants (person_id, employer_id) values (${asker.id}, ${far})`.execute(server.db)
    const explanation = await good('GET', pathOf(alone, { record: `/repayments/${repayment}` }), undefined, asker)
    expect(explanation.reason).toBe('connection')
    expect(JSON.stringify(explanation)).not.toContain('Elsewhere')
    const nobody = await manager([1], [{ employerId: theirs }])
    expect((await send('GET', pathOf(nobody, {}), undefined, asker)).status).toBe(404)
    expect((await send('GET', pathOf(root.id, {}, 'admins'), undefined, asker)).status).toBe(403)
  })

  test('an unknown call or record is refused beside its field', async () => {
    const id = await manager([2])
    expect(refusedFields(await send('GET', pathOf(id, { calls: 'employee.fly' })))).toEqual({
      calls: 'There is no call employee.fly.',
    })
    expect((await send('GET', pathOf(id, { record: 'employees' }))).status).toBe(422)
    expect((await send('GET', pathOf(id, { record: '/nothing/5' }))).status).toBe(404)
  })
})

test('every intent on a record is explained without executing it or changing anything', async () => {
  const one = await manager(permissionIds, [])
  await sql`insert into access_grants (person_id, organization_id) select ${one}, id from organizations`.execute(server.db)
  const first = async (table: string) =>
    (await sql.raw<{ id: string }>(`select min(id)::text as id from ${table}`).execute(server.db)).rows[0]?.id
  const events = async () => (await sql<{ n: number }>`select count(*)::int as n from audit_events`.execute(server.db)).rows[0]?.n
  const before = await events()
  const odd: string[] = []
  let asked = 0
  for (const { endpoint, id: intent } of server.services.routes.intents) {
    const [, noun = ''] = endpoint.path.split('/')
    const table = {
      timekeeping: 'time_entries',
      paygroups: 'pay_groups',
      'bank-results': 'ach_results',
      'account-managers': null,
    }[noun]
    if (!endpoint.path.startsWith(`/${noun}/{`) || table === null) continue
    const id = await first(table ?? noun.replaceAll('-', '_')).catch(() => undefined)
    if (!id) continue
    asked += 1
    const { status, body } = await send('GET', pathOf(one, { record: `/${noun}/${id}`, calls: intent }))
    if (status !== 200 && status !== 404) odd.push(`${intent}: ${status} ${JSON.stringify(body)}`)
  }
  expect(odd).toEqual([])
  expect(asked).toBeGreaterThan(40)
  expect(await events()).toBe(before)
})
