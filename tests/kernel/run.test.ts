import { afterAll, beforeAll, expect, test } from 'vitest'
import { Employee, getEmployee } from '#contract/employees.ts'
import additionalTransaction from '#commands/employee/additional-transaction.ts'
import forcePasswordChange from '#commands/employee/force-password-change.ts'
import pause from '#commands/employee/pause.ts'
import resume from '#commands/employee/resume.ts'
import unlink from '#commands/employee/unlink.ts'
import { noPermission } from '#domain/permissions.ts'
import { callOf, planOf } from '#kernel/plan.ts'
import { isInTheWay, type OutboxCall } from '#kernel/outbox.ts'
import { memoryOutbox } from '#tests/kernel/memory-outbox.ts'
import { runOne, runSteps } from '#kernel/run.ts'
import { formKeys } from '#kernel/send.ts'
import { changes, type Command } from '#kernel/command.ts'
import { type Fault, realClient, runEnvironment } from '#tests/kernel/real-client.ts'
import { createCompany, createEmployee } from '#tests/support/company.ts'
import { createServer, type TestServer } from '#tests/support/server.ts'
import { personWith, type SignedIn } from '#tests/support/session.ts'

let server: TestServer
let employerId: number
let person: SignedIn
const everything = [2, 3, 9, 15, 1014, 1009, 1010, 1011, 1012, 1013]

beforeAll(async () => {
  server = await createServer()
  employerId = (await createCompany(server.db, 'Harbor')).employerIds[0] as number
  person = await personWith(server, everything)
})
afterAll(() => server.close())

const read = async (id: number): Promise<Employee> => Employee.parse(await realClient(server, person).read(getEmployee, { id }))
const employee = async (input: Partial<Parameters<typeof createEmployee>[1]> = {}): Promise<Employee> =>
  read((await createEmployee(server.db, { employerId, linked: {}, ...input })).id)
const io = (faults: readonly Fault[] = [], who = person, outbox = memoryOutbox()) => {
  const apiClient = realClient(server, who, faults)
  return { ...runEnvironment(apiClient, who, (target) => read((target as Employee).id), outbox), keys: apiClient.keys }
}
const eventsOf = async (id: number): Promise<string[]> =>
  (
    await server.db
      .selectFrom('audit_events')
      .select('status')
      .where('entity', '=', 'employee')
      .where('entity_id', '=', String(id))
      .orderBy('id')
      .execute()
  ).map((event) => event.status)

test('[EMP-001, EMP-003] pausing returns the employee in its new state, with the message', async () => {
  const mia = await employee()
  const outcome = await runOne(pause, mia, { reason: 'Fraud check' }, io())
  expect(outcome).toMatchObject({
    kind: 'done',
    sentence: 'Paused Mia Torres',
    after: { status: 'PAUSED', pause: { reason: 'Fraud check', details: null } },
  })
  expect(await eventsOf(mia.id)).toEqual(['Paused'])
})

test('[EMP-009] a plan on the linked user reads the employee again, and is undone with the next version', async () => {
  const mia = await employee()
  const outcome = await runOne(forcePasswordChange, mia, {}, io())
  expect(outcome).toMatchObject({ kind: 'done', after: { id: mia.id, user: { force_password_change: true } } })
  if (outcome.kind !== 'done' || !changes(forcePasswordChange)) throw new Error('It was not done.')
  const steps =
    forcePasswordChange.undo?.steps?.({ before: mia, after: outcome.after as Employee, params: {}, answers: outcome.answers }) ??
    []
  const undone = await runSteps(
    forcePasswordChange,
    steps,
    outcome.after,
    { title: 'Undo', sentence: () => 'Undone', undoneBy: 'session.undo' },
    io(),
  )
  expect(undone).toMatchObject({ kind: 'done', after: { user: { force_password_change: false } } })
})

test('an API without idempotency keys is called once: without an answer a person checks', async () => {
  const mia = await employee()
  const once = { ...io(['lost']), repeats: () => false }
  expect(await runOne(pause, mia, { reason: 'Lost' }, once)).toMatchObject({
    kind: 'failed',
    detail: 'It may have gone through all the same. Look at it before you do it again.',
  })
  expect(once.keys).toHaveLength(1)
  expect([await eventsOf(mia.id), once.outbox.all()]).toEqual([['Paused'], []])
})

test('a call whose answer was lost is retried with the same key and body, and happens once', async () => {
  const mia = await employee()
  const once = io(['lost', 'lost'])
  expect(await runOne(pause, mia, { reason: 'Lost' }, once)).toMatchObject({ kind: 'done', after: { status: 'PAUSED' } })
  expect(new Set(once.keys).size).toBe(1)
  expect(once.keys.length).toBe(3)
  expect(once.states).toEqual([
    'sending: Pause employee, Mia Torres',
    'unknown: Pause employee, Mia Torres',
    'unknown: Pause employee, Mia Torres',
    null,
  ])
  expect(await eventsOf(mia.id)).toEqual(['Paused'])
  expect(once.outbox.all()).toEqual([])
})

const failures: [string, Command, Record<string, unknown>, string, Partial<Parameters<typeof createEmployee>[1]>][] = [
  ['ERR-021', pause, { reason: 'Any' }, 'Something went wrong pausing Mia Torres', {}],
  ['ERR-022', resume, {}, 'Something went wrong resuming Mia Torres', { status: 'PAUSED' }],
  ['ERR-023', forcePasswordChange, {}, 'Failed to change password for Mia Torres', {}],
  ['ERR-017', additionalTransaction, {}, 'Could not add an additional transaction.', { balance: { available: 1_00 } }],
  ['ERR-024', unlink, {}, 'Employee could not be unlinked from their user.', {}],
]
test.each(failures)(
  '[%s] a server that keeps failing is given up on, with its message below',
  async (_, command, params, sentence, input) => {
    const mia = await employee(input)
    const failing = io(['failed', 'failed', 'failed', 'failed'])
    expect(await runOne(command, mia, params, failing)).toEqual({ kind: 'failed', sentence, detail: 'The gateway is down.' })
    expect(failing.keys.length).toBe(4)
    expect(await eventsOf(mia.id)).toEqual([])
  },
)

test('after giving up, the same call again reuses the key: it happens once', async () => {
  const mia = await employee()
  const outbox = memoryOutbox()
  const first = io(['lost', 'failed', 'failed', 'failed', 'failed'], person, outbox)
  const outcome = await runOne(pause, mia, { reason: 'Twice' }, first)
  expect(outcome).toMatchObject({ kind: 'failed', detail: expect.stringContaining('Sending it again is safe') })
  const second = io([], person, outbox)
  expect(await runOne(pause, mia, { reason: 'Twice' }, second)).toMatchObject({ kind: 'done', after: { status: 'PAUSED' } })
  expect(second.keys).toEqual([first.keys[0]])
  expect(await eventsOf(mia.id)).toEqual(['Paused'])
})

test('a call that overlaps with a pending one waits until that is confirmed or given up', async () => {
  const mia = await employee()
  const call = (more: Partial<OutboxCall>): OutboxCall => ({
    state: 'unknown',
    key: 'lost',
    person: runEnvironment(realClient(server, person), person, async (target) => target).person,
    command: 'employee.edit',
    target: { entity: 'employee', id: String(mia.id) },
    intent: 'employee.edit',
    at: { id: String(mia.id) },
    body: { version: mia.version, rate: 2_000 },
    since: Date.now(),
    ...more,
  })
  const paused = (...calls: OutboxCall[]) => {
    const outbox = memoryOutbox()
    for (const each of calls) outbox.put(each, '')
    return runOne(pause, mia, { reason: 'Meanwhile' }, io([], person, outbox))
  }
  expect(await paused(call({}))).toMatchObject({
    kind: 'refused',
    sentence: 'Not sent: an earlier change of the same is not confirmed yet. Once it is, look at what it did, then send again.',
  })
  expect(await eventsOf(mia.id)).toEqual([])
  // Money calls name the versions of everything that they touch.
  const money = { target: { entity: 'invoice', id: '7' }, body: { amount: 500, expected: { 7: 1, 8: 4 } } }
  const way = (...ids: number[]) =>
    isInTheWay([call(money)], {
      ...call({ target: null, body: { expected: Object.fromEntries(ids.map((id) => [id, 1])) } }),
      key: 'new',
    })
  expect([way(8), way(8, 9), way(9)]).toEqual([true, true, false])
  const others = [
    call({ state: 'given-up' }),
    call({ person: 'somebody else' }),
    call({ body: { text: 'A note' } }),
    call({ target: { entity: 'user', id: String(mia.id) } }),
  ]
  expect(await paused(...others.map((each, at) => ({ ...each, key: `lost ${at}` })))).toMatchObject({ kind: 'done' })
})

test('[ERR-021] a definite refusal discards the key and shows its own message', async () => {
  const mia = await employee()
  const keys = formKeys(() => crypto.randomUUID())
  await runOne(pause, mia, { reason: 'First' }, io())
  const late = io()
  const outcome = await runOne(pause, mia, { reason: 'Second' }, late, { keys })
  expect(outcome).toMatchObject({ kind: 'refused', problem: { code: 'stale-version' } })
  expect(late.outbox.all()).toEqual([])
  const call = callOf(planOf(pause, mia, { reason: 'Second' })[0] as never, [])
  expect(keys.of(0, call)).not.toBe(late.keys[0])
  expect(await runOne(pause, await read(mia.id), { reason: 'Third' }, io())).toMatchObject({
    kind: 'refused',
    sentence: 'Already paused.',
  })
})

test('[PERM-037] a permission lost in the middle is reported with its message', async () => {
  const mia = await employee()
  const reader = await personWith(server, [2])
  expect(await runOne(pause, mia, { reason: 'No right' }, io([], reader))).toMatchObject({
    kind: 'refused',
    sentence: noPermission,
  })
  expect(await eventsOf(mia.id)).toEqual([])
})

/** As if the session ended in the middle: the server no longer knows the token. */
const late = () => ({ ...person, headers: { ...person.headers, authorization: 'Bearer nobody' } })

test('a call refused because the session had ended was not done, and is not retried', async () => {
  const mia = await employee()
  const outbox = memoryOutbox()
  const keys = formKeys(() => crypto.randomUUID())
  const refused = io([], late(), outbox)
  expect(await runOne(pause, mia, { reason: 'Later' }, refused, { keys })).toMatchObject({
    kind: 'refused',
    interruption: 'not-sent',
    sentence: 'Not sent: your session had ended.',
    problem: { status: 401 },
  })
  expect(outbox.all()).toEqual([])
  const again = io([], person, outbox)
  expect(await runOne(pause, mia, { reason: 'Later' }, again, { keys })).toMatchObject({ kind: 'done' })
  expect(await eventsOf(mia.id)).toEqual(['Paused'])
})

test('a call that may have succeeded before the session ended stays pending for the same person', async () => {
  const mia = await employee()
  const outbox = memoryOutbox()
  expect(await runOne(pause, mia, { reason: 'Later' }, io(['failed'], late(), outbox))).toMatchObject({
    kind: 'refused',
    interruption: 'asked-again',
    problem: { status: 401 },
  })
  const [left] = outbox.all()
  expect(outbox.all()).toMatchObject([
    { person: person.id, command: 'employee.pause', target: { entity: 'employee', id: String(mia.id) } },
  ])
  // A call found pending had no answer before, either.
  expect(await runOne(pause, mia, { reason: 'Later' }, io([], late(), outbox))).toMatchObject({ interruption: 'asked-again' })
  expect(outbox.all()).toMatchObject([{ key: left?.key }])
  // A form with its own key adopts that of the call.
  const keys = formKeys(() => crypto.randomUUID())
  const again = io([], person, outbox)
  expect(await runOne(pause, mia, { reason: 'Later' }, again, { keys })).toMatchObject({ kind: 'done' })
  expect(again.keys).toEqual([left?.key])
  expect(outbox.all()).toEqual([])
})

test('a lost answer, then an ended session: the next sign-in learns once that it succeeded', async () => {
  const mia = await employee()
  const outbox = memoryOutbox()
  // The first attempt succeeds and its answer is lost; the second arrives after the session has ended.
  const [works, over] = [realClient(server, person, ['lost']), realClient(server, late())]
  let sent = 0
  const apiClient = { ...works, send: (...call: Parameters<typeof works.send>) => (sent++ ? over : works).send(...call) }
  const ended = await runOne(
    pause,
    mia,
    { reason: 'Once' },
    runEnvironment(apiClient, person, async () => mia, outbox),
  )
  expect(ended).toMatchObject({ kind: 'refused', interruption: 'asked-again' })
  expect(outbox.all()).toHaveLength(1)
  expect(await runOne(pause, mia, { reason: 'Once' }, io([], person, outbox))).toMatchObject({ kind: 'done' })
  expect(await eventsOf(mia.id)).toEqual(['Paused'])
})

test('a plan interrupted by the end of the session says so, and resumes with its keys', async () => {
  const [a, b] = [await employee({ firstName: 'Ana' }), await employee({ firstName: 'Bo' })]
  const both = {
    ...pause,
    plan: { calls: () => [...planOf(pause, a, { reason: 'Both' }), ...planOf(pause, b, { reason: 'Both' })] },
  } as Command
  const outbox = memoryOutbox()
  const keys = formKeys(() => crypto.randomUUID())
  const [works, over] = [realClient(server, person), realClient(server, late())]
  let sent = 0
  const apiClient = { ...works, send: (...call: Parameters<typeof works.send>) => (sent++ ? over : works).send(...call) }
  const ended = await runOne(
    both,
    a,
    {},
    runEnvironment(apiClient, person, async () => a, outbox),
    { keys },
  )
  expect(ended).toMatchObject({
    kind: 'refused',
    interruption: 'in-part',
    sent: { calls: 1, of: 2 },
    sentence: 'Sent in part: your session had ended.',
    detail: 'The first 1 of 2 were sent. Look at what was done before you send the rest.',
  })
  expect(outbox.all()).toEqual([])
  expect(await runOne(both, a, {}, io([], person, outbox), { keys })).toMatchObject({ kind: 'done' })
  expect([await eventsOf(a.id), await eventsOf(b.id)]).toEqual([['Paused'], ['Paused']])
})

test('a call is not sent as another person; a possibly successful one waits for its own person', async () => {
  const mia = await employee()
  const outbox = memoryOutbox()
  let here = true
  const leave = async () => {
    here = false
  }
  const other = { ...io(['failed'], person, outbox), isHere: () => here, wait: leave }
  expect(await runOne(pause, mia, { reason: 'Mine' }, other)).toMatchObject({ kind: 'refused', interruption: 'asked-again' })
  expect([other.keys.length, outbox.all().length]).toEqual([1, 1])
  expect(await eventsOf(mia.id)).toEqual([])
  const never = { ...io(), isHere: () => false }
  expect(await runOne(pause, mia, { reason: 'Other' }, never)).toMatchObject({ kind: 'refused', interruption: 'not-sent' })
  expect([never.keys, never.outbox.all()]).toEqual([[], []])
})

test('a plan that stopped half-way resumes where it stopped', async () => {
  const [a, b] = [await employee({ firstName: 'Ana' }), await employee({ firstName: 'Bo' })]
  const both: Command = {
    ...pause,
    plan: { calls: () => [...planOf(pause, a, { reason: 'Both' }), ...planOf(pause, b, { reason: 'Both' })] },
  } as Command
  const keys = formKeys(() => crypto.randomUUID())
  const outbox = memoryOutbox()
  const failed: Fault[] = [null, 'failed', 'failed', 'failed', 'failed']
  expect(await runOne(both, a, {}, io(failed, person, outbox), { keys })).toMatchObject({ kind: 'failed' })
  expect(await runOne(both, a, {}, io([], person, outbox), { keys })).toMatchObject({ kind: 'done' })
  expect([await eventsOf(a.id), await eventsOf(b.id)]).toEqual([['Paused'], ['Paused']])
})

test('[CARD-001] a command cannot call an intent that it did not declare', async () => {
  const mia = await employee()
  const undeclared = { ...pause, plan: { calls: () => planOf(unlink, mia, {}) } } as Command
  await expect(runOne(undeclared, mia, {}, io())).rejects.toThrow('did not declare employee.unlink')
  expect((await read(mia.id)).user_id).not.toBeNull()
})
