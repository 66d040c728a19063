import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { writeExport } from '#server/jobs/write-export.ts'
import { type Cluster, stopCluster } from '#server/postgres/cluster.ts'
import { kyselyOn, openPool } from '#server/postgres/connect.ts'
import { openReplicas, positionOf } from '#server/postgres/replicas.ts'
import { applicationRole, ownerRole } from '#server/postgres/roles.ts'
import type { Database } from '#server/tables/database.ts'
import { createCompany } from '#tests/support/company.ts'
import { createPerson } from '#tests/support/people.ts'
import { type ServerProcess, startProcess } from '#tests/support/process.ts'
import { type Headers, signInAs } from '#tests/support/sign-in.ts'
import { crash, restart, startPrimary, startStandby } from '#tests/support/standby.ts'

const database = 'portal'
let folder: string
let primary: Cluster
let standby: Cluster
let owner: Kysely<Database>
let server: ServerProcess
let origin: string
let metrics: string
let headers: Headers
let person: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'admin-portal-replicas-'))
  primary = await startPrimary(join(folder, 'primary'), database)
  standby = await startStandby(primary, join(folder, 'standby'))
  server = startProcess({
    DATABASE_URL: primary.url(database, applicationRole),
    MIGRATION_DATABASE_URL: primary.url(database, ownerRole),
    READ_DATABASE_URL: standby.url(database, applicationRole),
    SEED: 'none',
    LOG_LEVEL: 'silent',
    METRICS_PORT: '0',
  })
  origin = await server.ready
  metrics = await server.printed(/Metrics: (\S+)/)
  owner = kyselyOn(
    openPool({
      url: primary.url(database, ownerRole),
      name: 'tests',
      businessTimeZone: 'UTC',
      statementTimeout: 0,
      connections: 2,
    }),
  )
  const admin = await createPerson(owner, { groups: [1] })
  person = admin.id
  headers = await signInAs({ origin, db: owner }, admin)
})
afterAll(async () => {
  server.child.kill('SIGKILL')
  await server.ended
  await owner.destroy()
  await Promise.all([primary, standby].map(({ folder }) => stopCluster(folder)))
  rmSync(folder, { recursive: true, force: true })
})

async function readsBy(place: 'replica' | 'primary'): Promise<number> {
  const text = await (await fetch(metrics)).text()
  return Number(new RegExp(`^admin_portal_reads_total{place="${place}"} (\\d+)$`, 'm').exec(text)?.[1])
}

async function queueExport(): Promise<string> {
  const reply = await fetch(`${origin}/api/exports`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ kind: 'invoices', filter: {} }),
  })
  expect(reply.status).toBe(201)
  return ((await reply.json()) as { id: string }).id
}

async function exportsNow(): Promise<string[]> {
  const reply = await fetch(`${origin}/api/exports`, { headers })
  expect(reply.status).toBe(200)
  return ((await reply.json()) as { exports: { id: string }[] }).exports.map(({ id }) => id)
}

/** Runs a statement on the standby as its superuser; returns the first column. */
async function onStandby(statement: string): Promise<unknown[]> {
  const client = new Client({ connectionString: standby.url(database) })
  await client.connect()
  const { rows } = await client.query<unknown[]>({ text: statement, rowMode: 'array' })
  await client.end()
  return rows.map(([first]) => first)
}

/** Adds invoices on the primary. */
async function addInvoices(count: number): Promise<void> {
  const { employerIds } = await createCompany(owner, 'Harbor', 1)
  await sql`
    insert into invoices (employer_id, debtor_type, debtor_id, status, company_code, payment_method, period_start, period_end,
      issue_date, report_date, due_date, original_amount)
    select ${employerIds[0]}, 'EMPLOYER', ${employerIds[0]}, 'SENT', 'H', 'SELF_PAY', '2026-01-01', '2026-01-15', '2026-01-20', '2026-01-25',
      '2026-02-01', 10000 from generate_series(1, ${count})`.execute(owner)
}

/** The number of rows in an export of all invoices, once it is written. */
async function rowsIn(id: string): Promise<number> {
  await expect
    .poll(async () => (await owner.selectFrom('exports').select('state').where('id', '=', id).executeTakeFirst())?.state, {
      timeout: 20_000,
    })
    .toBe('done')
  const parts = await owner.selectFrom('export_parts').select('content').where('export_id', '=', id).orderBy('part').execute()
  const lines = parts.flatMap(({ content }) => content.trimEnd().split('\r\n'))
  expect(new Set(lines).size).toBe(lines.length)
  return lines.length - 1
}

const invoiceCount = async (): Promise<number> =>
  (await sql<{ count: number }>`select count(*)::int as count from invoices`.execute(owner)).rows[0]?.count ?? 0

/** The last statements of exports on the standby. */
const lastOfExports = () =>
  onStandby(`select query from pg_stat_activity where application_name like '%long reads' and state = 'idle'`)

test('reads go to a standby, and nobody misses their own change', async () => {
  for (let times = 0; times < 10; times += 1) {
    const id = await queueExport()
    expect(await exportsNow()).toContain(id)
  }
  const before = await readsBy('replica')
  await expect
    .poll(async () => {
      await exportsNow()
      return readsBy('replica')
    })
    .toBeGreaterThan(before + 5)
})

test('a standby that is behind is passed over: changes and lost rights count at once', async () => {
  await onStandby('select pg_wal_replay_pause()')
  try {
    const before = await readsBy('primary')
    const id = await queueExport()
    expect(await exportsNow()).toContain(id)
    const person = await createPerson(owner, { groups: [1] })
    const own = await signInAs({ origin, db: owner }, person)
    const status = async () => (await fetch(`${origin}/api/employees`, { headers: own })).status
    expect(await status()).toBe(200)
    await sql`delete from person_groups where person_id = ${person.id}`.execute(owner)
    expect(await status()).toBe(403)
    expect(await readsBy('primary')).toBeGreaterThanOrEqual(before + 2)
  } finally {
    await onStandby('select pg_wal_replay_resume()')
  }
})

test('an export is read on a standby, and on the primary while the standby is behind', async () => {
  await addInvoices(3)
  await expect
    .poll(
      async () => {
        expect(await rowsIn(await queueExport())).toBe(await invoiceCount())
        return lastOfExports()
      },
      { timeout: 20_000 },
    )
    // Otherwise the last statement asked what was replayed.
    .toEqual(['rollback'])
  await onStandby('select pg_wal_replay_pause()')
  try {
    await addInvoices(2)
    expect(await rowsIn(await queueExport())).toBe(await invoiceCount())
    expect(await lastOfExports()).toEqual([expect.stringContaining('pg_last_wal_replay_lsn')])
  } finally {
    await onStandby('select pg_wal_replay_resume()')
  }
})

test.each(['any', 'read-only', 'standby', 'prefer-standby'])('target_session_attrs=%s reads on a standby', async (wanted) => {
  const { host } = new URL(standby.url(database))
  const { host: ofPrimary } = new URL(primary.url(database))
  const both = standby.url(database, applicationRole).replace(host, `${ofPrimary},${host}`)
  const url = `${both}?target_session_attrs=${wanted}`
  const replicas = openReplicas({ url, name: 'tests', businessTimeZone: 'UTC', statementTimeout: 4_000, connections: 1 })
  try {
    const position = await positionOf(owner)
    const place = () =>
      replicas.read(position, (tx) => sql<{ standby: boolean }>`select pg_is_in_recovery() as standby`.execute(tx))
    await expect.poll(async () => (await place())?.answer.rows).toEqual([{ standby: true }])
  } finally {
    await replicas.end()
  }
})

test.each([
  ['READ_DATABASE_URL', 'read-write', 'READ_DATABASE_URL names standbys, while changes go to DATABASE_URL', 'prefer-standby'],
  ['READ_DATABASE_URL', 'primary', 'READ_DATABASE_URL names standbys, while changes go to DATABASE_URL', 'prefer-standby'],
  ['READ_DATABASE_URL', 'slave', 'READ_DATABASE_URL names standbys, while changes go to DATABASE_URL', 'prefer-standby'],
  ['DATABASE_URL', 'prefer-standby', 'The database has to take changes', 'read-write'],
])('%s refuses target_session_attrs=%s and names the value to set', async (setting, wanted, reason, remedy) => {
  const url = primary.url(database, applicationRole)
  const refused = startProcess({ DATABASE_URL: url, SEED: 'none', [setting]: `${url}?target_session_attrs=${wanted}` })
  const { code, complaint } = await refused.ended
  expect(code).toBe(1)
  expect(complaint).toContain(`${reason}: set target_session_attrs to ${remedy} instead of '${wanted}', or leave it out.`)
})

test('a standby that is gone fails no read, and is used again when it is back', async () => {
  crash(standby)
  for (let times = 0; times < 20; times += 1) await exportsNow()
  expect((await fetch(`${origin}/readyz`)).status).toBe(200)
  standby = await restart(standby, join(folder, 'standby'))
  const before = await readsBy('replica')
  await expect
    .poll(async () => {
      await exportsNow()
      return readsBy('replica')
    })
    .toBeGreaterThan(before)
})

test('an export whose standby is lost in the middle is written by the primary, with no row twice', async () => {
  server.child.kill('SIGTERM')
  await server.ended
  await addInvoices(2_500)
  const added = await sql<{ id: string }>`insert into exports (person_id, session_id, kind, filter, file_name)
    values (${person}, 'session', 'invoices', '{}', 'invoices.csv') returning id`.execute(owner)
  const id = added.rows[0]?.id as string
  const url = standby.url(database, applicationRole)
  const replicas = openReplicas({ url, name: 'tests', businessTimeZone: 'UTC', statementTimeout: 0, connections: 1 })
  const total = await invoiceCount()
  await expect.poll(() => onStandby('select count(*)::int from invoices')).toEqual([total])
  const progress: number[] = []
  try {
    await writeExport({ db: owner, replicas }, id, () => {
      progress.push(replicas.reads.replica + replicas.reads.primary)
      if (progress.length === 2) crash(standby)
      return false
    })
  } finally {
    await replicas.end()
  }
  // Two pages were read before the standby was lost, then all three on the primary.
  expect(progress).toEqual([0, 0, 1, 1, 1])
  expect(await rowsIn(id)).toBe(total)
})
