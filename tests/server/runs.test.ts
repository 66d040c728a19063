import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { executeRun } from '#server/jobs/execute-run.ts'
import { startWorker } from '#server/jobs/worker.ts'
import { createCompany, createEmployee } from '#tests/support/company.ts'
import { createPerson, type TestPerson } from '#tests/support/people.ts'
import { call, createServer, type TestServer } from '#tests/support/server.ts'
import { type Headers, signInAs } from '#tests/support/sign-in.ts'

let server: TestServer
let person: TestPerson
let admin: Headers
let employers: number[]

beforeAll(async () => {
  server = await createServer()
  employers = (await createCompany(server.db, 'Harbor', 2)).employerIds
  person = await createPerson(server.db, { name: 'Ada Admin', groups: [1] })
  admin = await signInAs(server, person)
})
afterAll(() => server.close())

const make = (count: number, extra: Partial<Parameters<typeof createEmployee>[1]> = {}) =>
  Promise.all(Array.from({ length: count }, () => createEmployee(server.db, { employerId: employers[0] as number, ...extra })))
const ids = (made: { id: number }[]) => made.map((employee) => employee.id)
const start = (body: unknown, headers = admin) => call(server, 'POST', '/runs', { headers, body })
const pauseRun = (targets: unknown, extra: object = {}) => ({
  intent: 'employee.pause',
  body: { status: 'PAUSED', reason: 'Bulk' },
  targets,
  ...extra,
})
const get = async (id: string) => (await call(server, 'GET', `/runs/${id}`, { headers: admin })).body

async function waitForRun(id: string) {
  for (let tries = 0; tries < 200; tries += 1) {
    const run = await get(id)
    if (run.state !== 'running') return run
    await sleep(50)
  }
  throw new Error('The run did not end.')
}

test('[EMP-001] a dry run counts what would happen, and changes nothing', async () => {
  const good = await make(3)
  const gone = await make(2, { status: 'TERMINATED' })
  const dry = await start(pauseRun({ ids: [...ids(good), ...ids(gone), 999_999_999] }, { dry_run: true }))
  expect(dry.status).toBe(201)
  expect(dry.body).toMatchObject({ total: 6, waiting: 3, blocked: 2, failed: 1, done: 0 })
  expect(dry.body.problems[0]).toMatchObject({ title: 'Mia Torres', message: 'Actions unavailable when in Terminated.' })
  expect((await call(server, 'GET', `/runs/${dry.body.id}`, { headers: admin })).status).toBe(404)
  expect((await call(server, 'GET', `/employees/${good[0]?.id}`, { headers: admin })).body.version).toBe(1)
})

test('[EMP-001] [EMP-004] two workers execute a run, every row once, with an event each', async () => {
  const stops = await Promise.all([startWorker(server.services), startWorker(server.services)])
  try {
    const good = await make(60)
    const gone = await make(2, { status: 'TERMINATED' })
    const started = await start({ ...pauseRun({ ids: [...ids(good), ...ids(gone)] }), command: 'employee.pause' })
    expect(started.body).toMatchObject({ state: 'running', total: 62 })
    const done = await waitForRun(started.body.id)
    expect(done).toMatchObject({ state: 'done', done: 60, blocked: 2, failed: 0, waiting: 0 })
    const events = await server.db
      .selectFrom('audit_events')
      .selectAll()
      .where('entity_id', 'in', ids(good).map(String))
      .execute()
    expect(events).toHaveLength(60)
    expect(events[0]).toMatchObject({ actor_name: 'Ada Admin', status: 'Paused', command: 'employee.pause', text: 'Bulk' })
    const resumed = await start({
      intent: 'employee.resume',
      body: { status: 'ACTIVE' },
      targets: { filter: { status: 'PAUSED', 'employer-id': String(employers[0]), sort: 'name' } },
    })
    expect(await waitForRun(resumed.body.id)).toMatchObject({ total: 60, done: 60 })
  } finally {
    await Promise.all(stops.map((stop) => stop()))
  }
})

test('[EMP-001] an interrupted run continues where it was, and repeats nothing', async () => {
  const made = await make(30)
  const { body: run } = await start(pauseRun({ ids: ids(made) }))
  let asked = 0
  await executeRun(server.services, run.id, () => {
    asked += 1
    return asked > 12
  })
  // As if the process had died between the change and marking the row as done.
  const half = await get(run.id)
  expect(half.done).toBeGreaterThan(0)
  expect(half.done).toBeLessThan(30)
  await server.db
    .updateTable('run_rows')
    .set({ state: 'waiting' })
    .where('run_id', '=', run.id)
    .where('state', '=', 'done')
    .execute()
  await executeRun(server.services, run.id, () => false)
  expect(await get(run.id)).toMatchObject({ state: 'done', done: 30, blocked: 0 })
  const events = await server.db.selectFrom('audit_events').select('id').where('entity_id', 'in', ids(made).map(String)).execute()
  expect(events).toHaveLength(30)
})

test('[EMP-001] [PERM-003] rows done before a crash stay done, also after a loss of rights, and are undone too', async () => {
  const { employerIds: granted } = await createCompany(server.db, 'Granted', 2)
  const manager = await createPerson(server.db, {
    kind: 'ACCOUNT_MANAGER',
    permissions: [2, 9, 1013],
    grants: [{ employerId: granted[0] as number }, { employerId: granted[1] as number }],
  })
  const headers = await signInAs(server, manager)
  const runOf = async (id: string) => (await call(server, 'GET', `/runs/${id}`, { headers })).body
  /** A run whose rows are done but not marked, after which the person loses access. */
  const killed = async (lose: () => Promise<unknown>) => {
    const made = [
      ...(await make(2, { employerId: granted[0] as number })),
      ...(await make(1, { employerId: granted[1] as number })),
    ]
    const { body: run } = await start(pauseRun({ ids: ids(made) }), headers)
    await executeRun(server.services, run.id, () => false)
    await server.db.updateTable('run_rows').set({ state: 'waiting' }).where('run_id', '=', run.id).execute()
    await server.db.updateTable('runs').set({ state: 'running', finished_at: null }).where('id', '=', run.id).execute()
    await lose()
    return run.id as string
  }
  const grant = server.db
    .deleteFrom('access_grants')
    .where('person_id', '=', manager.id)
    .where('employer_id', '=', granted[0] as number)
  const ungranted = await killed(() => grant.execute())
  await executeRun(server.services, ungranted, () => false)
  expect(await runOf(ungranted)).toMatchObject({ state: 'done', done: 3, failed: 0, problems: [] })
  await server.db
    .insertInto('access_grants')
    .values({ person_id: manager.id, employer_id: granted[0] as number, organization_id: null })
    .execute()
  const right = server.db.deleteFrom('person_permissions').where('person_id', '=', manager.id).where('permission_id', '=', 9)
  const powerless = await killed(() => right.execute())
  await executeRun(server.services, powerless, () => false)
  expect(await runOf(powerless)).toMatchObject({ state: 'done', done: 3, failed: 0 })
  await server.db.insertInto('person_permissions').values({ person_id: manager.id, permission_id: 9 }).execute()
  const stopped = await killed(async () => undefined)
  expect((await call(server, 'POST', `/runs/${stopped}/stop`, { headers })).body).toMatchObject({
    state: 'stopped',
    done: 3,
    problems: [],
  })
  const { body: undo } = await call(server, 'POST', `/runs/${stopped}/undo`, { headers })
  await executeRun(server.services, undo.id, () => false)
  expect(await runOf(undo.id)).toMatchObject({ state: 'done', done: 3 })
})

test('[EMP-001] a stopped run leaves the rest, and a retry does it', async () => {
  const made = await make(5)
  const { body: run } = await start(pauseRun({ ids: ids(made) }))
  const stopped = await call(server, 'POST', `/runs/${run.id}/stop`, { headers: admin })
  expect(stopped.body).toMatchObject({ state: 'stopped', waiting: 0 })
  expect((await call(server, 'POST', `/runs/${run.id}/stop`, { headers: admin })).body.code).toBe('run-over')
  await executeRun(server.services, run.id, () => false)
  expect((await call(server, 'GET', `/employees/${made[0]?.id}`, { headers: admin })).body.version).toBe(1)
  const again = await call(server, 'POST', `/runs/${run.id}/retry`, { headers: admin })
  expect(again.body).toMatchObject({ state: 'running', waiting: 5 })
  await executeRun(server.services, run.id, () => false)
  expect(await get(run.id)).toMatchObject({ state: 'done', done: 5 })
})

test('[PERM-037] rows fail after a loss of the permission or the session; a retry checks again', async () => {
  const loser = await createPerson(server.db, { permissions: [2, 9] })
  const headers = await signInAs(server, loser)
  const made = await make(2)
  const { body: run } = await start(pauseRun({ ids: ids(made) }), headers)
  await server.db.deleteFrom('person_permissions').where('person_id', '=', loser.id).where('permission_id', '=', 9).execute()
  await executeRun(server.services, run.id, () => false)
  const failed = (await call(server, 'GET', `/runs/${run.id}`, { headers })).body
  expect(failed).toMatchObject({ state: 'done', failed: 2 })
  expect(failed.problems[0].message).toBe("You don't have permission to take this action.")
  await server.db.insertInto('person_permissions').values({ person_id: loser.id, permission_id: 9 }).execute()
  await call(server, 'POST', `/runs/${run.id}/retry`, { headers })
  await call(server, 'POST', '/auth/logout', { headers })
  await executeRun(server.services, run.id, () => false)
  const later = await signInAs(server, loser)
  const ended = (await call(server, 'GET', `/runs/${run.id}`, { headers: later })).body
  expect(ended.problems[0].message).toBe('Your session has expired. Please login again.')
  await call(server, 'POST', `/runs/${run.id}/retry`, { headers: later })
  await executeRun(server.services, run.id, () => false)
  expect((await call(server, 'GET', `/runs/${run.id}`, { headers: later })).body).toMatchObject({ done: 2, failed: 0 })
})

test('[PERM-003] a run covers only granted rows, and only its owner sees it', async () => {
  const headers = await signInAs(
    server,
    await createPerson(server.db, {
      kind: 'ACCOUNT_MANAGER',
      permissions: [2, 9],
      grants: [{ employerId: employers[1] as number }],
    }),
  )
  const [own] = await make(1, { employerId: employers[1] as number })
  const [foreign] = await make(1)
  const filtered = await start(pauseRun({ filter: {} }, { dry_run: true }), headers)
  expect(filtered.body.total).toBe(1)
  const { body: run } = await start(pauseRun({ ids: [own?.id, foreign?.id] }), headers)
  await executeRun(server.services, run.id, () => false)
  const done = (await call(server, 'GET', `/runs/${run.id}`, { headers })).body
  expect(done).toMatchObject({ done: 1, failed: 1 })
  expect(done.problems[0]).toMatchObject({ target_id: String(foreign?.id), title: String(foreign?.id) })
  for (const [method, path] of [
    ['GET', ''],
    ['POST', '/stop'],
    ['POST', '/retry'],
  ] as const)
    expect((await call(server, method, `/runs/${run.id}${path}`, { headers: admin })).status).toBe(404)
})

/** An account manager of an employer with some employees, and a function that revokes the connection. */
async function manager(count: number) {
  const employerId = employers[1] as number
  const who = await createPerson(server.db, { kind: 'ACCOUNT_MANAGER', permissions: [2, 9, 1013], grants: [{ employerId }] })
  const revokeAccess = () => server.db.deleteFrom('access_grants').where('person_id', '=', who.id).execute()
  return { headers: await signInAs(server, who), made: ids(await make(count, { employerId })), revokeAccess }
}

test('[PERM-003] rows shown earlier but inaccessible now are reported as not found, not as nothing to do', async () => {
  const { headers, revokeAccess } = await manager(3)
  const filtered = pauseRun({ filter: { 'employer-id': String(employers[1]), status: 'ELIGIBLE' } })
  const { waiting } = (await start({ ...filtered, dry_run: true }, headers)).body
  expect(waiting).toBeGreaterThan(2)
  await revokeAccess()
  const left = { status: 404, code: 'not-found', detail: expect.stringMatching(/^None of these is left/) }
  expect((await start({ ...filtered, eligible: waiting }, headers)).body).toMatchObject(left)
  // A first preview has shown nothing yet.
  expect((await start({ ...filtered, dry_run: true }, headers)).body).toMatchObject({
    status: 422,
    errors: [{ path: 'targets', message: 'There are no records to change.' }],
  })
})

test('[PERM-003] a run without accessible rows offers neither undo nor retry', async () => {
  const { headers, made, revokeAccess } = await manager(3)
  const { body: run } = await start(pauseRun({ ids: [...made, 999_999_999] }), headers)
  await executeRun(server.services, run.id, () => false)
  const current = async () => (await call(server, 'GET', `/runs/${run.id}`, { headers })).body
  expect((await current()).out_of_reach).toBeUndefined()
  expect((await current()).undo_until).not.toBeNull()
  await revokeAccess()
  expect(await current()).toMatchObject({ done: 3, failed: 1, undo_until: null, out_of_reach: true })
  const { runs } = (await call(server, 'GET', '/runs', { headers })).body
  expect(runs[0]).toMatchObject({ id: run.id, undo_until: null, out_of_reach: true })
  const undo = await call(server, 'POST', `/runs/${run.id}/undo`, { headers })
  expect(undo.body).toMatchObject({
    ...{ status: 404, code: 'not-found', detail: 'You have no access to these any more. Somebody else has to undo them.' },
  })
})

test('[API-132] an intent on users runs over users, by a filter over the linked ones', async () => {
  const company = await createCompany(server.db, 'Linked')
  const employerId = company.employerIds[0] as number
  await make(3, { employerId, linked: {} })
  await make(1, { employerId })
  const { body: run } = await start({
    intent: 'user.force-password-change',
    body: { force_password: true },
    targets: { filter: { 'employer-id': String(employerId) } },
  })
  await executeRun(server.services, run.id, () => false)
  expect(await get(run.id)).toMatchObject({ total: 3, done: 3 })
})

test('[EMP-002] a run with a bad intent, body or filter, or without the permission, is refused', async () => {
  const made = await make(1)
  const codes = async (body: unknown, headers = admin) => (await start(body, headers)).status
  expect(await codes({ intent: 'no.such', body: {}, targets: { ids: ids(made) } })).toBe(422)
  expect(await codes({ intent: 'employee.pause', body: { status: 'PAUSED' }, targets: { ids: ids(made) } })).toBe(422)
  expect(await codes(pauseRun({ filter: { nonsense: '1' } }))).toBe(422)
  expect(await codes(pauseRun({ filter: { status: 'NO_SUCH' } }))).toBe(422)
  expect(await codes(pauseRun({ ids: [] }))).toBe(422)
  const reader = await signInAs(server, await createPerson(server.db, { permissions: [2] }))
  expect(await codes(pauseRun({ ids: ids(made) }), reader)).toBe(403)
  // A person who may change but not read employees learns neither names nor counts.
  const writer = await signInAs(server, await createPerson(server.db, { permissions: [9] }))
  for (const targets of [{ ids: ids(made) }, { filter: { name: 'Torres' } }])
    expect(await codes(pauseRun(targets, { dry_run: true }), writer)).toBe(403)
})

test('a person has at most twenty active runs, whose rows wait; others have their own limit', async () => {
  const busy = await signInAs(server, await createPerson(server.db, { name: 'Bo Busy', groups: [1] }))
  const [one] = await make(1)
  const targets = { ids: [one?.id] }
  const answers = []
  for (let run = 0; run < 21; run += 1) answers.push(await start(pauseRun(targets), busy))
  expect(answers.map(({ status }) => status)).toEqual([...Array(20).fill(201), 429])
  expect(answers[20]?.body).toMatchObject({
    code: 'too-many-runs',
    detail: 'You have 20 runs under way, which is the most. Wait until one is over, or stop one.',
  })
  expect((await start(pauseRun(targets, { dry_run: true }), busy)).status).toBe(201)
  expect((await start(pauseRun(targets))).status).toBe(201)
  expect((await call(server, 'POST', `/runs/${answers[0]?.body.id}/stop`, { headers: busy })).status).toBe(200)
  expect((await start(pauseRun(targets), busy)).status).toBe(201)
})
