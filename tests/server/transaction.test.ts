import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { PreparingClient } from '#server/postgres/prepared.ts'
import { applicationRole } from '#server/postgres/roles.ts'
import { inTransaction } from '#server/postgres/transaction.ts'
import { createCompany, createEmployee } from '#tests/support/company.ts'
import { type TestServer, call, createServer } from '#tests/support/server.ts'
import { type SignedIn, personWith } from '#tests/support/session.ts'

let server: TestServer
let priya: SignedIn

beforeAll(async () => {
  server = await createServer()
  priya = await personWith(server, [2, 9, 1021])
  await sql`create table kept (n int primary key)`.execute(server.owner)
  await sql`grant select, insert, delete on kept to ${sql.ref(applicationRole)}`.execute(server.owner)
})
afterAll(() => server.close())
beforeEach(() => sql`delete from kept`.execute(server.db))

const storedNumbers = async () =>
  (await sql<{ n: number }>`select n from kept order by n`.execute(server.db)).rows.map((row) => row.n)
const put = (n: unknown) => sql`insert into kept values (${n})`

test('statements sent without waiting are committed with the others', async () => {
  const answer = await inTransaction(server.db, async (tx, later) => {
    await put(1).execute(tx)
    later(put(2).compile(tx))
    later(put(3).compile(tx))
    return 'done'
  })
  expect([answer, await storedNumbers()]).toEqual(['done', [1, 2, 3]])
})

test('a failing one keeps nothing, and its own error is thrown', async () => {
  const failing = inTransaction(server.db, async (tx, later) => {
    await put(1).execute(tx)
    later(put(1).compile(tx))
    later(put(2).compile(tx))
    return 'done'
  })
  await expect(failing).rejects.toMatchObject({ code: '23505' })
  expect(await storedNumbers()).toEqual([])
})

test('an unserializable value is refused before anything is committed', async () => {
  const failing = inTransaction(server.db, async (tx, later) => {
    await put(1).execute(tx)
    later(put({ toPostgres: () => undefined }).compile(tx))
  })
  await expect(failing).rejects.toThrow('Only plain values')
  expect(await storedNumbers()).toEqual([])
})

test('if the work fails, earlier statements are rolled back, and the connection can be reused', async () => {
  for (let round = 0; round < 25; round += 1) {
    const failing = inTransaction(server.db, async (tx, later) => {
      later(put(1).compile(tx))
      await Promise.all([put(2).execute(tx), put(3).execute(tx)])
      throw new Error('Not this time.')
    })
    await expect(failing).rejects.toThrow('Not this time.')
  }
  expect(await storedNumbers()).toEqual([])
})

test('statements awaited together are executed in sequence', async () => {
  const seen = await inTransaction(server.db, (tx) =>
    Promise.all([put(1).execute(tx), sql<{ n: number }>`select count(*)::int as n from kept`.execute(tx), put(2).execute(tx)]),
  )
  expect([seen[1].rows, await storedNumbers()]).toEqual([[{ n: 1 }], [1, 2]])
})

test('a connection lost in the middle throws, and keeps nothing', async () => {
  const cut = inTransaction(server.db, async (tx, later) => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx)
    later(put(1).compile(tx))
    await sql`select pg_terminate_backend(${rows[0]?.pid})`.execute(server.db)
    await put(2).execute(tx)
  })
  await expect(cut).rejects.toThrow()
  expect(await storedNumbers()).toEqual([])
})

/** Counts database traffic: statements, and how often one is sent while no other is pending. */
async function countTraffic(work: () => Promise<unknown>): Promise<{ statements: number; flights: number }> {
  const counts = { statements: 0, flights: 0 }
  const under = new Map<unknown, number>()
  const query = PreparingClient.prototype.query
  const spy = vi.spyOn(PreparingClient.prototype, 'query').mockImplementation(function (
    this: PreparingClient,
    ...args: unknown[]
  ) {
    const before = under.get(this) ?? 0
    under.set(this, before + 1)
    counts.statements += 1
    if (before === 0) counts.flights += 1
    const answer: Promise<unknown> = query.apply(this, args)
    const over = () => void under.set(this, (under.get(this) ?? 1) - 1)
    answer.then(over, over)
    return answer
  })
  try {
    await work()
  } finally {
    spy.mockRestore()
  }
  return counts
}

test('a pause takes four database round trips: person, employee, change, commit', async () => {
  const { employerIds } = await createCompany(server.db, 'Harbor')
  const employee = () => createEmployee(server.db, { employerId: employerIds[0] as number, linked: {} })
  const pause = async (id: number, key: string) => {
    const headers = { ...priya.headers, 'idempotency-key': key }
    const body = { status: 'PAUSED', reason: 'Counted', version: 1 }
    expect((await call(server, 'PATCH', `/employees/${id}`, { headers, body })).status).toBe(200)
  }
  const first = await employee()
  await pause(first.id, 'first')
  const second = await employee()
  const counts = await countTraffic(() => pause(second.id, 'second'))
  expect(counts).toEqual({ statements: 10, flights: 4 })
})

test('a list takes one database round trip once the person is known', async () => {
  const list = async () => expect((await call(server, 'GET', '/employees?limit=5', priya)).status).toBe(200)
  await list()
  expect(await countTraffic(list)).toEqual({ statements: 2, flights: 1 })
})
