import { afterAll, beforeAll, expect, test } from 'vitest'
import { Employee, getEmployee } from '#contract/employees.ts'
import pause from '#commands/employee/pause.ts'
import { inFull } from '#domain/amounts.ts'
import { changes, type Command } from '#kernel/command.ts'
import { type RowResult, runMany } from '#kernel/bulk.ts'
import { foretell } from '#kernel/run-amounts.ts'
import { type Fault, realClient, runEnvironment } from '#tests/kernel/real-client.ts'
import { createCompany, createEmployee } from '#tests/support/company.ts'
import { createServer, type TestServer } from '#tests/support/server.ts'
import { personWith, type SignedIn } from '#tests/support/session.ts'
import { contextLike } from '#tests/kernel/context.ts'

let server: TestServer
let employerId: number
let person: SignedIn
beforeAll(async () => {
  server = await createServer()
  employerId = (await createCompany(server.db, 'Harbor')).employerIds[0] as number
  person = await personWith(server, [2, 9])
})
afterAll(() => server.close())

const context = contextLike()
const rows = async (...statuses: string[]): Promise<Employee[]> => {
  const made: Employee[] = []
  for (const [index, status] of statuses.entries()) {
    const { id } = await createEmployee(server.db, { employerId, firstName: `N${index}`, status })
    made.push(Employee.parse(await realClient(server, person).read(getEmployee, { id })))
  }
  return made
}
const states = (results: readonly RowResult[]) => results.map((row) => row.state)
const run = (
  targets: readonly unknown[],
  faults: readonly Fault[] = [],
  stop = new AbortController(),
  report: (rows: readonly RowResult[]) => void = () => {},
) => runMany(pause, targets, { reason: 'Bulk' }, runEnvironment(realClient(server, person, faults), person), report, stop.signal)

test('[EMP-001] a dry run counts who can be paused, and why the others cannot', async () => {
  const validated = foretell(pause, await rows('ELIGIBLE', 'PAUSED', 'TERMINATED', 'PAUSED', 'CREATED'), {}, context)
  expect(validated.eligible.length).toBe(2)
  expect(validated.reasons).toEqual([
    { sentence: 'Already paused.', count: 2 },
    { sentence: 'Actions unavailable when in Terminated.', count: 1 },
  ])
  expect(validated.amounts).toBeNull()
})

test('a dry run adds up the amount that the command states for a row', async () => {
  const amounts = ({ rate_amount }: Employee) => inFull(rate_amount ?? 0)
  const does = changes(pause) ? pause.does.map((intent) => ({ ...intent, amounts })) : []
  const amounted = { ...pause, does } as unknown as Command
  const targets = await rows('ELIGIBLE', 'ELIGIBLE', 'PAUSED')
  expect(
    foretell(
      amounted,
      targets.map((one) => ({ ...one, rate_amount: 1050 })),
      {},
      context,
    ).amounts,
  ).toEqual({ moved: 2100, left: 0 })
})

test('[EMP-001] every row has its own result: a refused one stops nothing', async () => {
  const seen: string[][] = []
  const results = await run(await rows('ELIGIBLE', 'PAUSED', 'ELIGIBLE'), [], undefined, (now) => seen.push(states(now)))
  expect(states(results)).toEqual(['done', 'blocked', 'done'])
  expect(results[1]?.sentence).toBe('Already paused.')
  expect(results[0]?.done?.after).toMatchObject({ status: 'PAUSED' })
  expect(seen[0]).toEqual(['waiting', 'waiting', 'waiting'])
})

test('a row on which the server keeps failing can be retried', async () => {
  const [one] = await rows('ELIGIBLE')
  expect(states(await run([one], ['failed', 'failed', 'failed', 'failed']))).toEqual(['failed'])
  expect(states(await run([one]))).toEqual(['done'])
})

test('stopping leaves the rows that were not started', async () => {
  const stop = new AbortController()
  const targets = await rows('ELIGIBLE', 'ELIGIBLE', 'ELIGIBLE', 'ELIGIBLE', 'ELIGIBLE', 'ELIGIBLE', 'ELIGIBLE')
  const results = await run(targets, [], stop, (now) => {
    if (now.some((row) => row.state === 'done')) stop.abort()
  })
  expect(results.filter((row) => row.state === 'stopped').length).toBeGreaterThan(0)
  expect(results.filter((row) => row.state === 'done').length + results.filter((row) => row.state === 'stopped').length).toBe(7)
})

test('a session that ends in the middle leaves the rest to be retried', async () => {
  const gone = { ...person, headers: { ...person.headers, authorization: 'Bearer nobody' } }
  const targets = await rows('ELIGIBLE', 'ELIGIBLE', 'ELIGIBLE', 'ELIGIBLE', 'ELIGIBLE', 'ELIGIBLE')
  const results = await runMany(
    pause,
    targets,
    { reason: 'Bulk' },
    runEnvironment(realClient(server, gone), gone),
    () => {},
    new AbortController().signal,
  )
  expect(new Set(states(results))).toEqual(new Set(['failed', 'stopped']))
  // None of them was done, and each says why.
  expect(results.map(({ interruption }) => interruption)).toEqual(targets.map(() => 'not-sent'))
})
