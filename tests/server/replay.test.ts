import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { permissionIds } from '#domain/permissions.ts'
import { createCompany, createEmployee } from '#tests/support/company.ts'
import { createInvoice, setRolloverPercentage } from '#tests/support/money.ts'
import { createPerson, type TestPerson } from '#tests/support/people.ts'
import { createTimeEntry } from '#tests/support/time.ts'
import { call, createServer, type TestServer } from '#tests/support/server.ts'
import { type Headers, signInAs } from '#tests/support/sign-in.ts'

let server: TestServer
let employers: number[]

beforeAll(async () => {
  server = await createServer()
  employers = (await createCompany(server.db, 'Harbor', 2)).employerIds
})
afterAll(() => server.close())

const manager = async (permissions: number[]): Promise<[TestPerson, Headers]> => {
  const grants = employers.map((employerId) => ({ employerId }))
  const person = await createPerson(server.db, { kind: 'ACCOUNT_MANAGER', permissions, grants })
  return [person, await signInAs(server, person)]
}
const send = (headers: Headers, key: string, method: 'POST' | 'PATCH', path: string, body: unknown) =>
  call(server, method, path, { headers: { ...headers, 'idempotency-key': key }, body })
const takeGrant = ({ id }: TestPerson, employer: number | undefined) =>
  sql`delete from access_grants where person_id = ${id} and employer_id = ${employer}`.execute(server.db)
const takeRight = ({ id }: TestPerson, right: number) =>
  sql`delete from person_permissions where person_id = ${id} and permission_id = ${right}`.execute(server.db)

test('[PERM-003] a key replayed after the grant was revoked returns 404, and nothing of its answer', async () => {
  const [person, headers] = await manager([2, 9, 1011])
  const { id } = await createEmployee(server.db, { employerId: employers[0] as number, linked: {} })
  const pause = () => send(headers, 'pause', 'PATCH', `/employees/${id}`, { status: 'PAUSED', reason: 'x', version: 1 })
  const stale = () => send(headers, 'stale', 'PATCH', `/employees/${id}`, { status: 'PAUSED', reason: 'y', version: 1 })
  const unlink = () => send(headers, 'unlink', 'POST', `/employees/${id}/unlink`, {})
  const first = [await pause(), await unlink()]
  expect(first.map((answer) => answer.status)).toEqual([200, 200])
  const refused = await stale()
  expect([refused.status, refused.body.facts.last_name]).toEqual([409, 'Torres'])
  // Without other changes the replies are the same, whatever the record has become.
  const again = [await pause(), await unlink()]
  expect(again.map((answer) => answer.body)).toEqual(first.map((answer) => answer.body))
  expect(again.map((answer) => answer.headers.get('idempotency-replayed'))).toEqual(['true', 'true'])
  await takeGrant(person, employers[0])
  for (const replay of [pause, unlink, stale]) {
    const answer = await replay()
    expect(answer.status).toBe(404)
    expect(JSON.stringify(answer.body)).not.toMatch(/Torres|facts/)
  }
})

test('[PERM-003] a key replayed after a right to see values was revoked no longer shows them', async () => {
  const [person, headers] = await manager([2, 8, 9, 15])
  const { id } = await createEmployee(server.db, {
    employerId: employers[0] as number,
    linked: {},
    balance: { available: 250_00 },
  })
  const pause = () => send(headers, 'masked', 'PATCH', `/employees/${id}`, { status: 'PAUSED', reason: 'x', version: 1 })
  const first = await pause()
  expect(first.body).toMatchObject({ status: 'PAUSED', rate_amount: expect.any(Number), balance: expect.any(Object) })
  // An additional right changes nothing.
  await sql`insert into person_permissions (person_id, permission_id) values (${person.id}, 98)`.execute(server.db)
  expect((await pause()).body).toEqual(first.body)
  await takeRight(person, 8)
  await takeRight(person, 15)
  const again = await pause()
  expect(again.headers.get('idempotency-replayed')).toBe('true')
  expect(again.body).toMatchObject({ id, status: 'PAUSED', rate_amount: null, balance: null })
})

test('[PERM-037] a key replayed after the permission was revoked returns 403', async () => {
  const [person, headers] = await manager([2, 9, 1011])
  const { id } = await createEmployee(server.db, { employerId: employers[0] as number, linked: {} })
  const unlink = () => send(headers, 'unlink', 'POST', `/employees/${id}/unlink`, {})
  expect((await unlink()).status).toBe(200)
  await takeRight(person, 1011)
  expect((await unlink()).body.code).toBe('permission-denied')
})

test('[PERM-003] the result of a key is returned again only while it is accessible', async () => {
  const [person, headers] = await manager([1, 1001])
  const employerId = employers[1] as number
  const invoice = await createInvoice(server.db, { employerId, original: 5_000 })
  const add = () =>
    send(headers, 'repayment', 'POST', '/repayments', {
      debtor_type: 'EMPLOYER',
      debtor_id: employerId,
      amount: 1_000,
      repayment_date: '2026-01-05',
      effective_date: '2026-01-05',
      allocations: [{ invoice_id: invoice.id, amount: 1_000 }],
      expected: { [invoice.id]: 1 },
    })
  const first = await add()
  expect([first.status, first.body.amount]).toEqual([201, 1_000])
  expect((await add()).body).toEqual(first.body)
  await takeGrant(person, employerId)
  const gone = await add()
  expect([gone.status, gone.body.amount]).toEqual([404, undefined])
})

test('a refused repayment is refused again on replay, even if possible by now, and moves nothing', async () => {
  const [, headers] = await manager([1, 1001])
  const employerId = employers[0] as number
  const invoice = await createInvoice(server.db, { employerId, original: 5_000 })
  const add = (key: string, debtor: number, date: string, seen: number) =>
    send(headers, key, 'POST', '/repayments', {
      debtor_type: 'EMPLOYER',
      debtor_id: debtor,
      amount: 1_000,
      repayment_date: date,
      allocations: [{ invoice_id: invoice.id, amount: 1_000 }],
      expected: { [invoice.id]: seen },
    })
  // The debtor is checked before the date, and both before the versions.
  expect((await add('nobody', 999_999, '2999-01-01', 7)).status).toBe(404)
  expect((await add('date', employerId, '2999-01-01', 7)).status).toBe(422)
  const stale = await add('early', employerId, '2026-01-05', 2)
  expect([stale.status, stale.body.code]).toEqual([409, 'stale-version'])
  expect((await add('first', employerId, '2026-01-05', 1)).status).toBe(201)
  const again = await add('early', employerId, '2026-01-05', 2)
  expect([again.status, again.body.code, again.headers.get('idempotency-replayed')]).toEqual([409, 'stale-version', 'true'])
  const { rows } = await sql`select paid_amount, version from invoices where id = ${invoice.id}`.execute(server.db)
  expect(rows).toEqual([{ paid_amount: 1_000, version: 2 }])
})

test('[PERM-003] a replayed refusal reveals nothing of invoices that were accessible earlier', async () => {
  const [person, headers] = await manager([1, 1001])
  const [mine, theirs] = employers as [number, number]
  const { organization_id } = await server.db
    .selectFrom('employers')
    .select('organization_id')
    .where('id', '=', mine)
    .executeTakeFirstOrThrow()
  await setRolloverPercentage(server.db, { organizationId: organization_id }, 1_000)
  const debtor = { type: 'ORGANIZATION' as const, id: organization_id }
  const owed = await createInvoice(server.db, { employerId: theirs, original: 5_000 })
  const overpaid = await createInvoice(server.db, { employerId: mine, debtor, status: 'CLOSED', paid: 130_00 })
  const next = await createInvoice(server.db, { employerId: theirs, debtor, status: 'DRAFT', original: 3_33 })
  const add = (key: string, expected: Record<string, number>) =>
    send(headers, key, 'POST', '/repayments', {
      debtor_type: 'EMPLOYER',
      debtor_id: theirs,
      amount: 1_000,
      repayment_date: '2026-01-05',
      expected,
    })
  const roll = (key: string, version: number) =>
    send(headers, key, 'POST', `/invoices/${overpaid.id}/rollover`, {
      amount: 5_00,
      expected: { [overpaid.id]: 1, [next.id]: version },
    })
  const calls = [() => add('seen', { [owed.id]: 9 }), () => add('unseen', {}), () => roll('old', 9), () => roll('above', 1)]
  const first = await Promise.all(calls.map((each) => each()))
  expect(first.map((answer) => answer.body.code)).toEqual([
    'stale-version',
    'stale-version',
    'stale-version',
    'above-next-invoice',
  ])
  expect(first[3]?.body.detail).toContain(next.number)
  // While everything is accessible the sentence is the same; outdated facts are fetched again.
  for (const [at, answer] of (await Promise.all(calls.map((each) => each()))).entries()) {
    const { facts: _, ...refusal } = first[at]?.body ?? {}
    expect(answer.body).toEqual(refusal)
  }
  await takeGrant(person, theirs)
  for (const each of calls) expect(JSON.stringify((await each()).body)).not.toMatch(/facts|INV-|Works/)
})

test("one's own data is returned again after more companies were granted", async () => {
  const [person, headers] = await manager([...permissionIds])
  const other = await createCompany(server.db, 'Pier', 2)
  const calls = [
    () =>
      send(headers, 'note', 'POST', `/notes/entity/${employers[0]}`, {
        entity_type: 'employer',
        user_id: person.id,
        text: 'Call back',
      }),
    () =>
      send(headers, 'integration', 'POST', '/integrations', {
        employer_id: employers[0],
        type: 'API',
        import_types: ['TIMEKEEPING'],
        product: 'SHIFTWELL_TIME',
        url: 'https://harbor.example/v2',
      }),
  ]
  const answers = async () => (await Promise.all(calls.map((again) => again()))).map(({ status, body }) => [status, body])
  const first = await answers()
  expect(first.map(([status]) => status)).toEqual([201, 201])
  const grant = (column: 'organization_id' | 'employer_id', id: number | undefined) =>
    sql`insert into access_grants (person_id, ${sql.ref(column)}) values (${person.id}, ${id})`.execute(server.db)
  await grant('employer_id', other.employerIds[0])
  expect(await answers()).toEqual(first)
  await grant('organization_id', other.organizationId)
  expect(await answers()).toEqual(first)
  // A separate grant is also covered by the grant of its organization.
  const { rows } = await sql<{
    organization_id: number
  }>`select organization_id from employers where id = ${employers[0]}`.execute(server.db)
  await grant('organization_id', rows[0]?.organization_id)
  for (const employer of employers) await takeGrant(person, employer)
  expect(await answers()).toEqual(first)
  await sql`delete from access_grants where person_id = ${person.id} and organization_id = ${rows[0]?.organization_id}`.execute(
    server.db,
  )
  expect((await answers()).map(([status]) => status)).toEqual([404, 404])
})

test('[PERM-003] a replayed refusal of a run reveals nothing of the earlier state', async () => {
  const [person, headers] = await manager([2, 9])
  const { id } = await createEmployee(server.db, { employerId: employers[0] as number })
  const pause = { intent: 'employee.pause', body: { status: 'PAUSED', reason: 'x' } }
  const start = () => send(headers, 'few', 'POST', '/runs', { ...pause, targets: { ids: [id] }, eligible: 3 })
  const first = await start()
  expect([first.status, first.body.code, first.body.facts.waiting]).toEqual([409, 'stale-version', 1])
  const again = await start()
  expect([again.status, again.body.code, again.body.facts]).toEqual([409, 'stale-version', undefined])
  await takeGrant(person, employers[0])
  const gone = await start()
  expect([gone.status, gone.body.detail]).toEqual([404, expect.not.stringContaining('1 can be done')])
})

test('[PERM-003] a replayed import preview compares the lines again', async () => {
  const [person, headers] = await manager([2, 3, 1020])
  const employerId = employers[0] as number
  await sql`insert into configurations (organization_id, withdraw_limit_type, withdraw_limit_amount, withdraw_amount_max)
    select organization_id, 'PERCENTAGE', 5000, 300000 from employers where id = ${employerId}
    on conflict do nothing`.execute(server.db)
  const body = { employer_id: employerId, kind: 'EMPLOYEE', by: 'employee_code', lines: [{ identifier: 'N1' }] }
  const ask = () => send(headers, 'preview', 'POST', '/mappings/preview', body)
  const first = await ask()
  expect([first.status, first.body.unknown]).toEqual([200, 1])
  await takeGrant(person, employerId)
  const gone = await ask()
  expect([gone.status, gone.body.unknown]).toEqual([404, undefined])
})

test('every plain write with a response declares what it returns on replay', () => {
  const kept = server.services.routes.routes.filter(
    ({ endpoint, plain, again }) => plain && !again && endpoint.method !== 'GET' && endpoint.status !== 204,
  )
  // A person who signed out cannot replay anything.
  expect(kept.map(({ endpoint }) => endpoint.path)).toEqual(['/auth/logout'])
})

test('[PERM-037] a replayed run shows its current state, with the current rights', async () => {
  const [person, headers] = await manager([2, 9])
  const { id } = await createEmployee(server.db, { employerId: employers[0] as number })
  const body = { intent: 'employee.pause', body: { status: 'PAUSED', reason: 'x' }, targets: { ids: [id, 999_999_999] } }
  const start = (extra: object = {}) => send(headers, JSON.stringify(extra), 'POST', '/runs', { ...body, ...extra })
  expect((await start({ dry_run: true })).body).toMatchObject({ waiting: 1, failed: 1 })
  const first = await start()
  expect((await start()).body).toEqual(first.body)
  // The row is reserved for that run by now.
  expect((await start({ dry_run: true })).body).toMatchObject({ waiting: 0, blocked: 1, failed: 1 })
  await takeGrant(person, employers[0])
  expect((await start({ dry_run: true })).body).toMatchObject({ waiting: 0, failed: 2 })
  await takeRight(person, 9)
  expect([(await start()).status, (await start({ dry_run: true })).status]).toEqual([403, 403])
})

test('[PERM-003] if an organization is revoked but one employer kept, replays reveal nothing of it', async () => {
  const { organizationId, employerIds } = await createCompany(server.db, 'Secret', 2)
  const grants = [{ organizationId }, { employerId: employerIds[0] as number }]
  const person = await createPerson(server.db, { kind: 'ACCOUNT_MANAGER', permissions: [...permissionIds], grants })
  const headers = await signInAs(server, person)
  const calls: (() => ReturnType<typeof send>)[] = []
  const done = async (key: string, method: 'POST' | 'PATCH', path: string, body: unknown) => {
    calls.push(() => send(headers, key, method, path, body))
    const answer = await send(headers, key, method, path, body)
    expect([path, answer.status < 300]).toEqual([path, true])
    return answer.body
  }
  const account = { name: 'Secret Foods', nickname: 'Secret', account_number: '000123456789', routing_number: '121000248' }
  await done('account', 'POST', '/billing-accounts', { organization_id: organizationId, ...account, scope: 'ORGANIZATION' })
  await done('note', 'POST', `/notes/entity/${organizationId}`, {
    entity_type: 'organization',
    user_id: person.id,
    text: 'Secret note',
  })
  const integration = (employer_id: number) => ({
    employer_id,
    type: 'API',
    import_types: ['TIMEKEEPING'],
    product: 'SHIFTWELL_TIME',
    url: `https://secret-${employer_id}.example/v2`,
  })
  await done('sibling', 'POST', '/integrations', integration(employerIds[1] as number))
  // Without other changes, each is returned again.
  for (const again of calls) expect((await again()).status).toBeLessThan(300)
  await sql`delete from access_grants where person_id = ${person.id} and organization_id is not null`.execute(server.db)
  for (const again of calls) {
    const answer = await again()
    expect([answer.status, /Secret|secret-/.test(JSON.stringify(answer.body))]).toEqual([404, false])
  }
})

test('[PERM-003] a colleague is returned again without companies that the asking person has lost', async () => {
  const [person, headers] = await manager([...permissionIds])
  const grants = employers.map((employerId) => ({ employerId }))
  const colleague = await createPerson(server.db, { kind: 'ACCOUNT_MANAGER', permissions: [], grants })
  const path = `/account-managers/${colleague.id}`
  const { version } = (await call(server, 'GET', path, { headers })).body
  const rename = () => send(headers, 'rename', 'PATCH', path, { full_name: 'Another Name', version })
  const first = await rename()
  expect([first.status, first.body.employers.length]).toEqual([200, 2])
  await takeGrant(person, employers[1])
  const again = await rename()
  expect([again.status, again.body.employers.length]).toEqual([200, 1])
})

test('[PERM-003] a time entry is returned again without its wage once the right to wages is revoked', async () => {
  const person = await createPerson(server.db, { permissions: [6, 8, 10, 15] })
  const headers = await signInAs(server, person)
  const employerId = employers[0] as number
  const { id: employeeId } = await createEmployee(server.db, { employerId, linked: {}, balance: { available: 250_00 } })
  const { rows } = await sql<{ date: string }>`
    update work_period_balances set earned_amount = 50000, limit_amount = 25000
    where employee_id = ${employeeId} returning work_period_start as date`.execute(server.db)
  const entry = await createTimeEntry(server.db, { employeeId, employerId, date: rows[0]?.date as string })
  const approve = () => send(headers, 'approve', 'PATCH', `/timekeeping/${entry}`, { status: 'APPROVED', version: 1 })
  const first = await approve()
  expect([first.status, first.body.earned_amount > 0]).toEqual([200, true])
  await takeRight(person, 8)
  const again = await approve()
  expect([again.status, again.body.earned_amount]).toEqual([200, null])
})
