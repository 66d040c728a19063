import { randomUUID } from 'node:crypto'
import { Kysely, PostgresDialect, sql } from 'kysely'
import { Client } from 'pg'
import { startSession } from '#server/auth/session.ts'
import { openCluster } from '#server/postgres/cluster.ts'
import { openPool } from '#server/postgres/connect.ts'
import { readPostmaster } from '#server/postgres/postmaster.ts'
import type { Database } from '#server/tables/database.ts'
import { send } from '#tests/bench/client.ts'
import { figuresOf, type Measure, timed } from '#tests/bench/figures.ts'
import { processorTime } from '#tests/bench/processor.ts'
import { createPerson, testAuth } from '#tests/support/people.ts'
import { applicationHeaders } from '#tests/support/sign-in.ts'

const people = 32
const warmUp = 8
const each = 25
const rounds = warmUp + each
const amount = 12_34

interface Payable {
  id: number
  version: number
  organization: number
  debtor: number
}

/** The SQL statements of adding a repayment to one invoice, written by hand. */
async function byHand(client: Client, invoice: Payable): Promise<void> {
  const person = randomUUID()
  const key = randomUUID()
  await client.query('begin')
  await client.query({
    name: 'claim',
    text: 'insert into idempotency_keys (person_id, key, request, body_hash) values ($1, $2, $3, $4)',
    values: [person, key, 'bench', 'bench'],
  })
  await client.query({ name: 'lock', text: 'select * from invoices where id = $1 for update', values: [invoice.id] })
  const { rows } = await client.query<{ id: string }>({
    name: 'repayment',
    text: `insert into repayments (organization_id, debtor_type, debtor_id, amount, repayment_date, origin, reconciliation_status,
      requester_id, requester_name)
      values ($1, 'EMPLOYER', $2, $3, business_date(), 'USER', 'RECONCILED', $4, 'Bench') returning id`,
    values: [invoice.organization, invoice.debtor, amount, person],
  })
  const repayment = rows[0]?.id
  await client.query({
    name: 'allocation',
    text: 'insert into repayment_allocations (organization_id, repayment_id, invoice_id, amount) values ($1, $2, $3, $4)',
    values: [invoice.organization, repayment, invoice.id, amount],
  })
  await client.query({
    name: 'entry',
    text: `insert into ledger_entries (organization_id, invoice_id, kind, amount, repayment_id, actor_id, actor_name)
      values ($1, $2, 'PAYMENT', $3, $4, $5, 'Bench')`,
    values: [invoice.organization, invoice.id, amount, repayment, person],
  })
  await client.query({
    name: 'invoice',
    text: 'update invoices set version = version + 1, updated_at = now() where id = $1',
    values: [invoice.id],
  })
  for (const entity of ['invoice', 'repayment'])
    await client.query({
      name: 'event',
      text: `insert into audit_events (actor_id, actor_name, intent, entity, entity_id, category, status, before, after, version)
        values ($1, 'Bench', 'bench', $2, $3, 'user', 'Bench', '{}', '{}', 1)`,
      values: [person, entity, String(invoice.id)],
    })
  await client.query({
    name: 'reply',
    text: `update idempotency_keys set status = 200, reply = '{}' where person_id = $1 and key = $2`,
    values: [person, key],
  })
  await client.query('commit')
}

/**
 * 32 people add repayments to different invoices concurrently, compared with the same statements written by hand; `server` is the
 * process.
 */
export async function benchMoney(origin: string, folder: string, server: number): Promise<Measure[]> {
  const cluster = await openCluster(folder)
  const url = cluster.url('admin_portal')
  const used = () => ({
    server: processorTime(server),
    database: processorTime(readPostmaster(cluster.folder)?.pid ?? 0),
    // The server is a child of this process, and its time is included.
    own: processorTime(process.pid) - processorTime(server),
  })
  const pool = openPool({ url, name: 'bench', businessTimeZone: 'America/New_York', statementTimeout: 0, connections: 4 })
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) })
  const application = await applicationHeaders({ origin })
  const half = people * rounds
  const made = await makePayable(db, 2 * half)
  const { rows: today } = await sql<{ day: string }>`select business_date() as day`.execute(db)
  await sql`vacuum analyze`.execute(db)

  const headersOf: Record<string, string>[] = []
  for (let index = 0; index < people; index += 1) {
    const person = await createPerson(db, { groups: [1] })
    const { token } = await db
      .transaction()
      .execute((tx) => startSession(tx, person.id, { address: '127.0.0.1', device: null }, testAuth, new Date()))
    headersOf.push({ ...application, authorization: `Bearer ${token}`, 'content-type': 'application/json' })
  }
  const add = async (index: number, round: number): Promise<void> => {
    const invoice = made[index * rounds + round] as Payable
    const { status, body } = await send(
      'POST',
      `${origin}/api/repayments`,
      { ...headersOf[index], 'idempotency-key': randomUUID() },
      JSON.stringify({
        debtor_type: 'EMPLOYER',
        debtor_id: invoice.debtor,
        amount,
        repayment_date: today[0]?.day,
        // The bank text distinguishes equal amounts of one debtor on one day.
        descriptor: `Payment of INV-${invoice.id}`,
        allocations: [{ invoice_id: invoice.id, amount }],
        expected: { [invoice.id]: invoice.version },
      }),
    )
    if (status !== 200 && status !== 201) throw new Error(`Adding a repayment answered ${status}: ${body}`)
  }
  const lane = Array.from({ length: people }, (_, index) => index)
  await Promise.all(lane.map((index) => timed(warmUp, (round) => add(index, round))))
  const before = await walAndBlocks(db)
  const idle = used()
  const from = performance.now()
  const waited = (await Promise.all(lane.map((index) => timed(each, (round) => add(index, warmUp + round))))).flat()
  const seconds = (performance.now() - from) / 1000
  const busy = used()
  const after = await walAndBlocks(db)

  const clients = await Promise.all(
    lane.map(async () => {
      const client = new Client({ connectionString: url })
      await client.connect()
      return client
    }),
  )
  const change = (index: number, round: number) =>
    byHand(clients[index] as Client, made[half + index * rounds + round] as Payable)
  await Promise.all(lane.map((index) => timed(warmUp, (round) => change(index, round))))
  const handIdle = used()
  const handFrom = performance.now()
  const bare = (await Promise.all(lane.map((index) => timed(each, (round) => change(index, warmUp + round))))).flat()
  const handSeconds = (performance.now() - handFrom) / 1000
  const handBusy = used()
  await Promise.all(clients.map((client) => client.end()))
  const { rows: paid } = await sql<{ paid: number }>`select coalesce(sum(paid_amount), 0)::bigint as paid from invoices
    where id = any(${made.slice(0, half).map((invoice) => invoice.id)}::bigint[])`.execute(db)
  await db.destroy()

  const figures = figuresOf(waited)
  const hand = figuresOf(bare)
  const commands = people * each
  return [
    { what: `a repayment by ${people} people at once, p50`, value: figures.p50, unit: 'ms', budget: null, detail: figures },
    { what: `a repayment by ${people} people at once, p99`, value: figures.p99, unit: 'ms', budget: null },
    { what: 'the same statements by hand, p50', value: hand.p50, unit: 'ms', budget: null, detail: hand },
    { what: 'the same statements by hand, p99', value: hand.p99, unit: 'ms', budget: null },
    { what: 'a repayment / the same statements by hand, p50', value: figures.p50 / hand.p50, unit: 'times', budget: null },
    { what: 'a repayment / the same statements by hand, p99', value: figures.p99 / hand.p99, unit: 'times', budget: 1.3 },
    { what: 'repayments per second', value: commands / seconds, unit: 'per second', budget: null },
    { what: 'by hand, per second', value: commands / handSeconds, unit: 'per second', budget: null },
    {
      what: "the server's processor time of a repayment",
      value: (busy.server - idle.server) / commands,
      unit: 'ms',
      budget: null,
    },
    {
      what: "PostgreSQL's processor time of a repayment",
      value: (busy.database - idle.database) / commands,
      unit: 'ms',
      budget: null,
    },
    { what: 'processor time of the client for a repayment', value: (busy.own - idle.own) / commands, unit: 'ms', budget: null },
    { what: "PostgreSQL's, by hand", value: (handBusy.database - handIdle.database) / commands, unit: 'ms', budget: null },
    { what: 'processor time of the client, by hand', value: (handBusy.own - handIdle.own) / commands, unit: 'ms', budget: null },
    { what: 'WAL per repayment', value: (after.wal - before.wal) / commands / 1000, unit: 'kB', budget: null },
    {
      what: 'blocks touched per repayment',
      value: (after.blocks - before.blocks) / commands,
      unit: 'blocks',
      budget: null,
    },
    { what: 'repayments lost, in cents', value: Math.abs(half * amount - (paid[0]?.paid ?? 0)), unit: 'rows', budget: 0 },
  ]
}

/** `count` invoices that are sent and owe $900. */
async function makePayable(db: Kysely<Database>, count: number): Promise<Payable[]> {
  const { rows } = await sql<Payable>`
    insert into invoices (organization_id, employer_id, debtor_type, debtor_id, status, company_code, payment_method, period_start,
      period_end, issue_date, report_date, due_date)
    select employer.organization_id, employer.id, 'EMPLOYER', employer.id, 'SENT', 'BENCH', 'SELF_PAY', '2026-01-01', '2026-01-14', '2026-01-15', '2026-01-16',
      business_date() + 30
    from generate_series(1, ${count}::int) n join (select id, organization_id, row_number() over (order by id) as number from employers) employer
      on employer.number = 1 + n % (select count(*) from employers)
    returning id, version, organization_id as organization, debtor_id as debtor`.execute(db)
  await sql`insert into ledger_entries (organization_id, invoice_id, kind, amount, actor_id, actor_name)
    select organization_id, id, 'ORIGINAL', 90000, 'service', 'Bench' from invoices
    where id = any(${rows.map((row) => row.id)}::bigint[])`.execute(db)
  return rows
}

/** Bytes of WAL that the database has written and blocks that its statements have read since its start. */
async function walAndBlocks(db: Kysely<Database>): Promise<{ wal: number; blocks: number }> {
  const { rows } = await sql<{ wal: number; blocks: number }>`
    select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::bigint as wal,
      (select (blks_hit + blks_read)::bigint from pg_stat_database where datname = current_database()) as blocks`.execute(db)
  return rows[0] as { wal: number; blocks: number }
}
