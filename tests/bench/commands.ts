import { randomUUID } from 'node:crypto'
import { Kysely, PostgresDialect } from 'kysely'
import { Client } from 'pg'
import { startSession } from '#server/auth/session.ts'
import { openCluster } from '#server/postgres/cluster.ts'
import { openPool } from '#server/postgres/connect.ts'
import type { Database } from '#server/tables/database.ts'
import { figuresOf, type Measure, timed } from '#tests/bench/figures.ts'
import { createPerson, testAuth } from '#tests/support/people.ts'
import { applicationHeaders } from '#tests/support/sign-in.ts'

const people = 32
/** Warm-up rounds on both sides, and measured rounds. */
const warmUp = 8
const each = 12
const rounds = warmUp + each

interface Worker {
  headers: Record<string, string>
  employees: { id: number; version: number }[]
}

/** The SQL statements of one pause, written by hand: the lower bound for any server. */
async function byHand(client: Client, id: number): Promise<void> {
  await client.query('begin')
  await client.query('insert into idempotency_keys (person_id, key, request, body_hash) values ($1, $2, $3, $4)', [
    randomUUID(),
    randomUUID(),
    'bench',
    'bench',
  ])
  await client.query('select * from employees where id = $1 for update', [id])
  await client.query('update employees set version = version + 1, updated_at = now() where id = $1', [id])
  await client.query(
    `insert into audit_events (actor_id, actor_name, intent, entity, entity_id, category, status, before, after, version)
     values ($1, 'Bench', 'bench', 'employee', $2, 'user', 'Bench', '{}', '{}', 1)`,
    [randomUUID(), String(id)],
  )
  await client.query('commit')
}

/** 32 people change different employees concurrently: how long each waits, and whether a change was lost. */
export async function benchCommands(origin: string, folder: string): Promise<Measure[]> {
  const url = (await openCluster(folder)).url('admin_portal')
  const pool = openPool({ url, name: 'bench', businessTimeZone: 'America/New_York', statementTimeout: 0, connections: 2 })
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) })
  const application = await applicationHeaders({ origin })
  const active = await db
    .selectFrom('employees')
    .select(['id', 'version'])
    .where('status', '=', 'ACTIVE')
    .limit(2 * people * rounds)
    .execute()
  const workers: Worker[] = []
  for (let index = 0; index < people; index++) {
    const person = await createPerson(db, { groups: [1] })
    const { token } = await db
      .transaction()
      .execute((tx) => startSession(tx, person.id, { address: '127.0.0.1', device: null }, testAuth, new Date()))
    workers.push({
      headers: { ...application, authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      employees: active.slice(index * rounds, (index + 1) * rounds),
    })
  }

  const pause = async ({ headers, employees }: Worker, round: number): Promise<void> => {
    const one = employees[round] as { id: number; version: number }
    const reply = await fetch(`${origin}/api/employees/${one.id}`, {
      method: 'PATCH',
      headers: { ...headers, 'idempotency-key': randomUUID() },
      body: JSON.stringify({ status: 'PAUSED', reason: 'Bench', version: one.version }),
    })
    if (reply.status !== 200) throw new Error(`Pausing ${one.id} answered ${reply.status}: ${await reply.text()}`)
    await reply.arrayBuffer()
  }
  await Promise.all(workers.map((worker) => timed(warmUp, (round) => pause(worker, round))))
  const waited = (await Promise.all(workers.map((worker) => timed(each, (round) => pause(worker, warmUp + round))))).flat()
  const touched = workers.flatMap((worker) => worker.employees.map((one) => one.id))
  const { paused } = await db
    .selectFrom('employees')
    .select((select) => select.fn.countAll<number>().as('paused'))
    .where('id', 'in', touched)
    .where('status', '=', 'PAUSED')
    .executeTakeFirstOrThrow()

  const clients = await Promise.all(
    Array.from({ length: people }, async () => {
      const client = new Client({ connectionString: url })
      await client.connect()
      return client
    }),
  )
  const rest = active.slice(people * rounds)
  const change = (client: Client, at: number, round: number) => byHand(client, rest[at * rounds + round]?.id as number)
  await Promise.all(clients.map((client, at) => timed(warmUp, (round) => change(client, at, round))))
  const bare = (await Promise.all(clients.map((client, at) => timed(each, (round) => change(client, at, warmUp + round))))).flat()
  await Promise.all(clients.map((client) => client.end()))
  await db.destroy()

  const figures = figuresOf(waited)
  const hand = figuresOf(bare)
  return [
    { what: `a command by ${people} people at once, p50`, value: figures.p50, unit: 'ms', budget: null, detail: figures },
    { what: `a command by ${people} people at once, p99`, value: figures.p99, unit: 'ms', budget: 50 },
    { what: 'the same statements by hand, at once, p99', value: hand.p99, unit: 'ms', budget: null, detail: hand },
    {
      what: 'a command / the same statements by hand, at once, p50',
      value: figures.p50 / hand.p50,
      unit: 'times',
      budget: null,
    },
    { what: 'changes lost', value: touched.length - Number(paused), unit: 'rows', budget: 0 },
  ]
}
