import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { permissionIds } from '#domain/permissions.ts'
import { createCompany, createEmployee } from '#tests/support/company.ts'
import { createPerson } from '#tests/support/people.ts'
import { call, createServer, type TestServer } from '#tests/support/server.ts'
import { type Headers, signInAs } from '#tests/support/sign-in.ts'

const seeOffCycle = 17
let server: TestServer
let seeing: Headers
let blind: Headers
let paid: number
let active: number

beforeAll(async () => {
  server = await createServer()
  const [employerId] = (await createCompany(server.db, 'Harbor')).employerIds as [number]
  const make = (lastName: string, status: string) => createEmployee(server.db, { employerId, lastName, status, linked: {} })
  active = (await make('Active', 'ACTIVE')).id
  paid = (await make('Paid', 'OFFCYCLE_PAID')).id
  for (const status of ['TERMINATED', 'PAUSED', 'INELIGIBLE']) await make('Other', status)
  seeing = await signInAs(server, await createPerson(server.db, { permissions: permissionIds }))
  blind = await signInAs(server, await createPerson(server.db, { permissions: permissionIds.filter((id) => id !== seeOffCycle) }))
  await sql`insert into audit_events (actor_id, actor_name, intent, entity, entity_id, status, text, before, after, version)
    values ('x', 'Somebody', 'employee.off-cycle-paid', 'employee', ${paid}, 'Off-cycle paid', 'Paid by cheque',
      '{"status": "ACTIVE"}', '{"status": "OFFCYCLE_PAID"}', 2)`.execute(server.db)
})
afterAll(() => server.close())

const get = async (path: string, headers: Headers) => (await call(server, 'GET', path, { headers })).body
const idsOf = async (query: string, headers: Headers): Promise<number[]> =>
  (await get(`/employees?${query}`, headers)).employees.map((one: { id: number }) => one.id)

test('without the right to off-cycle payments the status is hidden in record, list and search', async () => {
  expect((await get(`/employees/${paid}`, seeing)).status).toBe('OFFCYCLE_PAID')
  expect((await get(`/employees/${paid}`, blind)).status).toBeNull()
  expect((await get(`/employees/${active}`, blind)).status).toBe('ACTIVE')
  for (const query of ['', 'q=Paid', `id=${paid}`, 'sort=status', 'include=employer,user,balance']) {
    const { employees } = await get(`/employees?${query}`, blind)
    expect([query, employees.find((one: { id: number }) => one.id === paid)?.status]).toEqual([query, null])
    expect(JSON.stringify(employees)).not.toContain('OFFCYCLE_PAID')
  }
})

test('no filter or count by status reveals such an employee', async () => {
  for (const [query, found] of [
    ['status=OFFCYCLE_PAID', false],
    ['status=ACTIVE,OFFCYCLE_PAID', false],
    ['status-not=ACTIVE', false],
    ['status-not=OFFCYCLE_PAID', false],
    ['linked=YES', true],
  ] as const) {
    expect([query, (await idsOf(query, blind)).includes(paid)]).toEqual([query, found])
    expect((await get(`/employees/count?${query}`, blind)).count).toBe((await idsOf(query, blind)).length)
  }
  expect(await idsOf('status=OFFCYCLE_PAID', seeing)).toEqual([paid])
  expect(await idsOf('status-not=ACTIVE', seeing)).toContain(paid)
})

test('neither the order by status nor its cursors reveal it', async () => {
  for (const order of ['asc', 'desc']) {
    expect((await idsOf(`sort=status&sort-order=${order}`, blind)).at(-1)).toBe(paid)
    const walked: number[] = []
    for (let lek: string | null = ''; lek !== null; ) {
      const page = await get(`/employees?sort=status&sort-order=${order}&limit=1${lek && `&lek=${lek}`}`, blind)
      walked.push(...page.employees.map((one: { id: number }) => one.id))
      lek = page.lek
      if (lek) expect(Buffer.from(lek, 'base64url').toString('latin1')).not.toContain('OFFCYCLE')
    }
    expect(new Set(walked).size).toBe(5)
    expect(walked).toHaveLength(5)
  }
})

test('history, refusals, refreshed facts and dry runs say Restricted', async () => {
  const { events } = await get(`/employees/${paid}/events`, blind)
  expect(JSON.stringify(events)).not.toMatch(/off-?cycle|cheque/i)
  expect(events[0]).toMatchObject({ status: 'Restricted', changes: [{ field: 'status', before: 'ACTIVE', after: 'Restricted' }] })
  expect((await get(`/employees/${paid}/events`, seeing)).events[0]).toMatchObject({
    status: 'Off-cycle paid',
    text: 'Paid by cheque',
  })

  // No filter by event finds it, not even by excluding others; filtered by category it is shown as without a filter.
  for (const [query, headers, found] of [
    ['status=Off-cycle paid', seeing, 1],
    ['status=Off-cycle paid', blind, 0],
    ['status-not=Paused', seeing, 1],
    ['status-not=Paused', blind, 0],
    ['category=user', blind, 1],
  ] as const)
    expect([query, (await get(`/employees/${paid}/events?${query}`, headers)).events.length]).toEqual([query, found])

  const pause = (version: number) =>
    call(server, 'PATCH', `/employees/${paid}`, { headers: blind, body: { status: 'PAUSED', reason: 'Because', version } })
  const refused = await pause(1)
  expect([refused.status, refused.body.detail]).toEqual([409, 'Actions unavailable when in Restricted.'])
  const stale = await pause(7)
  expect([stale.status, stale.body.facts.status]).toEqual([409, null])
  const unpause = await get(`/employees/${paid}/can-unpause`, blind)
  expect(unpause.reasons).toContain('Actions unavailable when in Restricted.')

  const run = (targets: unknown) =>
    call(server, 'POST', '/runs', {
      headers: blind,
      body: { intent: 'employee.pause', body: { status: 'PAUSED', reason: 'Bulk' }, targets, dry_run: true },
    })
  const dry = await run({ ids: [paid] })
  expect(dry.body.problems[0].message).toBe('Actions unavailable when in Restricted.')
  expect((await run({ filter: { status: 'OFFCYCLE_PAID' } })).status).toBe(422)
})
