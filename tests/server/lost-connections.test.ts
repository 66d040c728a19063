import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createCompany } from '#tests/support/company.ts'
import { createDatabase, type TestDatabase } from '#tests/support/database.ts'
import { createPerson } from '#tests/support/people.ts'
import { type ServerProcess, startProcess } from '#tests/support/process.ts'
import { type Headers, signInAs } from '#tests/support/sign-in.ts'

const invoices = 1_500
/** A module that the process loads first: on a signal it creates an unhandled rejection. */
const planted = `data:text/javascript,${encodeURIComponent(`process.on('SIGUSR2', () => Promise.reject(new Error('planted')))`)}`
let database: TestDatabase
let server: ServerProcess
let origin: string
let headers: Headers

beforeAll(async () => {
  database = await createDatabase()
  const [employer] = (await createCompany(database.db, 'Harbor')).employerIds
  await sql`
    insert into invoices (employer_id, debtor_type, debtor_id, status, company_code, payment_method, period_start, period_end,
      issue_date, report_date, due_date, original_amount)
    select ${employer}, 'EMPLOYER', ${employer}, 'SENT', 'CO-' || n, 'SELF_PAY',
      '2026-01-01', '2026-01-15', '2026-01-20', '2026-01-25', date '2026-02-01' + n % 50, 10000 + n
    from generate_series(1, ${invoices}) n`.execute(database.owner)
  server = startProcess({ DATABASE_URL: database.url, SEED: 'none', LOG_LEVEL: 'silent', NODE_OPTIONS: `--import=${planted}` })
  origin = await server.ready
  headers = await signInAs({ origin, db: database.db }, await createPerson(database.db, { groups: [1] }))
})
afterAll(async () => {
  server.child.kill('SIGKILL')
  await server.ended
  await database.drop()
})

/** Terminates every connection of the server, as a restart of PostgreSQL or a failover does. */
const cut = () =>
  sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name like 'admin-portal%'`.execute(database.db)

async function startExport(): Promise<string> {
  for (;;) {
    const reply = await fetch(`${origin}/api/exports`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ kind: 'invoices', filter: {} }),
    })
    if (reply.status === 201) return ((await reply.json()) as { id: string }).id
    expect(reply.status).toBe(503)
    await sleep(20)
  }
}

async function statesOf(): Promise<string[]> {
  const reply = await fetch(`${origin}/api/exports`, { headers })
  return ((await reply.json()) as { exports: { state: string }[] }).exports.map((one) => one.state)
}

test('all files are written although connections are terminated 20 times during exports and jobs', async () => {
  const ids: string[] = []
  for (let round = 0; round < 20; round += 1) {
    ids.push(await startExport())
    // From before the first page until after the end of the job.
    await sleep(round * 12)
    await cut()
    expect([round, server.child.exitCode, server.child.signalCode]).toEqual([round, null, null])
  }
  // Only the newest 20 of a person are kept.
  await expect.poll(statesOf, { timeout: 40_000, interval: 200 }).toEqual(ids.map(() => 'done'))
  const file = await fetch(`${origin}/api/exports/${ids[0]}/file`, { headers })
  expect((await file.text()).trimEnd().split('\r\n')).toHaveLength(invoices + 1)
})

test('where the database takes no changes the answer is 503, and its connections are closed', async () => {
  const setReadOnly = (setting: 'on' | 'off') =>
    sql`${sql.raw(`alter database "${new URL(database.url).pathname.slice(1)}" set default_transaction_read_only = ${setting}`)}`.execute(
      database.owner,
    )
  const change = () =>
    fetch(`${origin}/api/exports`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ kind: 'invoices', filter: {} }),
    })
  const ready = async () => {
    const reply = await fetch(`${origin}/readyz`)
    return [reply.status, ((await reply.json()) as { reason?: string }).reason]
  }
  await setReadOnly('on')
  // New connections are read-only, as after a failover behind the same address.
  await cut()
  await expect.poll(async () => (await change()).status, { timeout: 20_000 }).toBe(503)
  const refused = await change()
  expect([refused.status, refused.headers.has('retry-after')]).toEqual([503, true])
  expect((await fetch(`${origin}/api/invoices`, { headers })).status).toBe(200)
  await expect.poll(ready, { timeout: 20_000 }).toEqual([503, 'The database takes no changes.'])
  // Nothing terminates the connections here: each is closed because a change was refused on it.
  await setReadOnly('off')
  await expect.poll(async () => (await change()).status, { timeout: 20_000 }).toBe(201)
  await expect.poll(ready, { timeout: 60_000 }).toEqual([200, undefined])
})

test('an unhandled rejection is logged, and ends nothing', async () => {
  server.child.kill('SIGUSR2')
  await sleep(300)
  expect((await fetch(`${origin}/readyz`)).status).toBe(200)
  server.child.kill('SIGTERM')
  const { code, complaint } = await server.ended
  expect([code, complaint.match(/Error: /g), complaint.includes('Error: planted')]).toEqual([0, ['Error: '], true])
})
