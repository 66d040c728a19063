import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { settingsFrom } from '#server/boot/settings.ts'
import { CannotStart } from '#server/cannot-start.ts'
import { isPostgres, readPostmaster } from '#server/postgres/postmaster.ts'
import { openCluster, stopCluster } from '#server/postgres/cluster.ts'
import { kyselyOn, openPool } from '#server/postgres/connect.ts'
import { excessOf } from '#server/postgres/excess.ts'
import { stepsLeft, leaveIndexes, takeLaterSteps } from '#server/tables/later-steps.ts'
import { putSetting } from '#server/tables/setting.ts'
import { createDatabase } from '#tests/support/database.ts'
import { copyData, type ServerProcess, databaseIn, startProcess } from '#tests/support/process.ts'
import { type Headers, signInAs } from '#tests/support/sign-in.ts'

/** A clean exit, without output on stderr. */
const clean = { code: 0, complaint: '' }

let root: string
/** A stopped data folder with the demo company, which tests copy. */
let made: string
const running: ServerProcess[] = []

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'admin-portal-boot-'))
  made = join(root, 'made')
  const server = startProcess({ DATA_DIR: made })
  await server.ready
  server.child.kill('SIGTERM')
  expect(await server.ended).toMatchObject(clean)
})

afterAll(async () => {
  for (const { child } of running) child.kill('SIGKILL')
  for (const name of await readdir(root)) await stopCluster(join(root, name, 'postgres')).catch(() => undefined)
  await rm(root, { recursive: true, force: true })
})

const start = (settings: Record<string, string>): ServerProcess => {
  const server = startProcess(settings)
  running.push(server)
  return server
}

let copies = 0
function copy(): string {
  copies += 1
  const folder = join(root, `copy-${copies}`)
  copyData(made, folder)
  return folder
}

async function expectSentence(settings: Record<string, string>, sentence: RegExp): Promise<void> {
  const { code, complaint } = await start(settings).ended
  expect(complaint).toMatch(sentence)
  expect(complaint.trim().split('\n').length).toBe(1)
  expect(code).toBe(1)
}

test.each([
  [{ PORT: 'eighty' }, /^The setting PORT cannot be 'eighty'/],
  [{ BUSINESS_TIME_ZONE: 'Mars/Olympus' }, /^The setting BUSINESS_TIME_ZONE cannot be 'Mars\/Olympus'/],
  [{ SEED: 'much' }, /^The setting SEED cannot be 'much'/],
  [{ TRUST_PROXY: 'true' }, /^The setting TRUST_PROXY cannot be 'true': say how many proxies stand in front/],
  [{ HOST: '0.0.0.0' }, /^The demo shows its own sign-in codes and listens on 127\.0\.0\.1 only/],
])('an invalid setting is reported in one sentence: %o', (settings, sentence) => {
  expect(() => settingsFrom(settings)).toThrow(sentence)
  expect(() => settingsFrom(settings)).toThrow(CannotStart)
})

test('a failed start is reported in one sentence, and creates nothing', async () => {
  const other = createServer()
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  const { port } = other.address() as { port: number }
  const file = join(root, 'a-file')
  await writeFile(file, 'not a folder')
  const untouched = { DATA_DIR: join(root, 'untouched') }
  await Promise.all([
    expectSentence({ ...untouched, PORT: 'eighty' }, /^The setting PORT cannot be 'eighty'/),
    expectSentence({ ...untouched, PORT: String(port) }, new RegExp(`^Port ${port} is in use`)),
    expectSentence(
      { ...untouched, DATABASE_URL: 'postgres://portal:x@127.0.0.1:1/portal' },
      /^The database 127\.0\.0\.1:1\/portal does not answer/,
    ),
    expectSentence({ DATA_DIR: file }, /^The data folder .* cannot be written/),
    expectSentence({ DATA_DIR: join(file, 'below') }, /^The data folder .* cannot be written/),
  ])
  expect(await readdir(root)).not.toContain('untouched')
  expect(await readFile(file, 'utf8')).toBe('not a folder')
  other.close()
})

test('a damaged data folder is reported in one sentence, and left as it is', async () => {
  /** The output of a start after a change to a copy of the PostgreSQL folder. */
  const damaged = async (damage: (postgres: string) => Promise<void>, sentence: RegExp) => {
    const folder = copy()
    await damage(join(folder, 'postgres'))
    await expectSentence({ DATA_DIR: folder }, sentence)
  }
  const halfMade = join(root, 'half-made')
  await mkdir(join(halfMade, 'postgres'), { recursive: true })
  await writeFile(join(halfMade, 'postgres', 'something'), '')
  await Promise.all([
    damaged((postgres) => rm(join(postgres, 'PG_VERSION')), /^The data folder .* is damaged \(PG_VERSION is missing\)/),
    damaged((postgres) => writeFile(join(postgres, 'PG_VERSION'), '15\n'), /was made by PostgreSQL 15, this is PostgreSQL 18/),
    damaged((postgres) => rm(join(postgres, 'global', 'pg_control')), /^PostgreSQL does not start on .*pg_control/),
    damaged(
      (postgres) => writeFile(join(postgres, 'portal.password'), '\0@:/?#'),
      /^The file .*portal\.password is damaged: restore it from a backup, or set DATA_DIR/,
    ),
    damaged(
      (postgres) => writeFile(join(postgres, 'portal.password'), 'a'.repeat(32)),
      /^The file .*portal\.password is damaged/,
    ),
    expectSentence({ DATA_DIR: halfMade }, /is damaged/),
  ])
  expect(await readdir(join(halfMade, 'postgres'))).toEqual(['something'])
})

test('a newer, too old or missing database is reported in one sentence, and not changed', async () => {
  const database = await createDatabase()
  try {
    await sql`insert into kysely_migration (name, timestamp) values ('9999_from_the_future', '2099-01-01')`.execute(
      database.owner,
    )
    await putSetting(database.owner, 'schema-works-since', '9998_of_the_release_before')
    const wrong = new URL(database.url)
    wrong.password = 'wrong'
    await Promise.all([
      expectSentence({ DATABASE_URL: database.url }, /^The database is newer than this version of Admin Portal/),
      expectSentence({ DATABASE_URL: `${database.url}_gone` }, /does not exist: create it, or correct DATABASE_URL/),
      expectSentence({ DATABASE_URL: wrong.href }, /refused the user or the password: correct DATABASE_URL/),
    ])
    const { rows } = await sql`select 1 from settings where name = 'seed'`.execute(database.owner)
    expect(rows).toEqual([])

    await sql`create schema older`.execute(database.owner)
    await sql`grant usage on schema older to public`.execute(database.owner)
    await sql`create function older.current_setting(text) returns text language sql as $$ select '150004' $$`.execute(
      database.owner,
    )
    await sql
      .raw(`alter database ${new URL(database.url).pathname.slice(1)} set search_path = older, pg_catalog, public`)
      .execute(database.owner)
    await expectSentence({ DATABASE_URL: database.url }, /is PostgreSQL 15: set DATABASE_URL to PostgreSQL 16 or newer/)
  } finally {
    await database.drop()
  }
})

/** Pauses or resumes employees in sequence under their own keys; reports each acknowledged change. */
async function keepWriting(origin: string, headers: Headers, acknowledged: Map<string, string>): Promise<void> {
  const { employees } = await (
    await fetch(`${origin}/api/employees?limit=200&status=ACTIVE,ELIGIBLE,IMPORTED,CREATED`, { headers })
  ).json()
  for (const employee of employees) {
    const key = `pause-${employee.id}`
    const reply = await pause(origin, headers, employee, key)
    if (reply.status === 200) acknowledged.set(key, await reply.text())
  }
}

const pause = (origin: string, headers: Headers, employee: { id: number; version: number }, key: string): Promise<Response> =>
  fetch(`${origin}/api/employees/${employee.id}`, {
    method: 'PATCH',
    headers: { ...headers, 'content-type': 'application/json', 'idempotency-key': key },
    body: JSON.stringify({ status: 'PAUSED', reason: key, version: employee.version }),
  })

test('kill -9 loses nothing acknowledged, and the next start uses the PostgreSQL still running', async () => {
  const folder = copy()
  const cluster = join(folder, 'postgres')
  const first = start({ DATA_DIR: folder })
  const origin = await first.ready
  const db = await databaseIn(folder)
  const headers = await signInAs({ origin, db }, 'priya.raman@example.com')
  const acknowledged = new Map<string, string>()
  const writing = keepWriting(origin, headers, acknowledged).catch(() => undefined)
  await expect.poll(() => acknowledged.size, { interval: 1 }).toBeGreaterThan(5)
  first.child.kill('SIGKILL')
  await Promise.all([first.ended, writing])
  const left = readPostmaster(cluster)
  expect(isPostgres(left?.pid ?? 0)).toBe(true)

  const second = start({ DATA_DIR: folder })
  await expectKept(await second.ready, headers, acknowledged)
  expect(readPostmaster(cluster)?.pid).toBe(left?.pid)

  // Now PostgreSQL itself, with all its processes.
  process.kill(left?.pid as number, 'SIGKILL')
  second.child.kill('SIGKILL')
  await second.ended
  await db.destroy()
  const third = start({ DATA_DIR: folder })
  await expectKept(await third.ready, headers, acknowledged)
  expect(readPostmaster(cluster)?.pid).not.toBe(left?.pid)
  third.child.kill('SIGINT')
  expect(await third.ended).toMatchObject(clean)
  expect(readPostmaster(cluster)).toBeNull()
})

async function expectKept(origin: string, headers: Headers, acknowledged: Map<string, string>): Promise<void> {
  for (const [key, reply] of acknowledged) {
    const { id, version } = JSON.parse(reply) as { id: number; version: number }
    const again = await pause(origin, headers, { id, version: version - 1 }, key)
    expect([key, again.status, again.headers.get('idempotency-replayed')]).toEqual([key, 200, 'true'])
    expect(await again.text()).toBe(reply)
    const now = await (await fetch(`${origin}/api/employees/${id}`, { headers })).json()
    expect(now).toMatchObject({ status: 'PAUSED', pause: { reason: key } })
  }
}

test('a stale PID file whose PID belongs to another process does not prevent the start', async () => {
  const folder = copy()
  const started = Math.floor(Date.now() / 1000) - 60
  await writeFile(
    join(folder, 'postgres', 'postmaster.pid'),
    `${process.pid}\n${join(folder, 'postgres')}\n${started}\n5432\n\n127.0.0.1\n\nready   \n`,
  )
  const server = start({ DATA_DIR: folder })
  expect(await server.ready).toMatch(/^http/)
  server.child.kill('SIGINT')
  expect(await server.ended).toMatchObject(clean)
})

test('two processes started on one new folder share PostgreSQL; the last to end stops it', async () => {
  const folder = join(root, 'shared')
  const pair = [start({ DATA_DIR: folder }), start({ DATA_DIR: folder })] as const
  const [one, other] = await Promise.all(pair.map((server) => server.ready))
  const db = await databaseIn(folder)
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from employees`.execute(db)
  expect(rows).toEqual([{ count: 100 }])

  const headers = await signInAs({ origin: one as string, db }, 'priya.raman@example.com')
  const { employees } = await (await fetch(`${other}/api/employees?limit=1&status=ACTIVE`, { headers })).json()
  const replies = await Promise.all(
    [one, other, one, other].map((origin) => pause(origin as string, headers, employees[0], 'twins')),
  )
  expect(replies.map((reply) => reply.status)).toEqual([200, 200, 200, 200])
  expect(replies.filter((reply) => reply.headers.get('idempotency-replayed') === null).length).toBe(1)
  const race = await Promise.all(
    [one, other].map((origin, index) => pause(origin as string, headers, employees[0], `race-${index}`)),
  )
  expect(race.map((reply) => reply.status)).toEqual([409, 409])
  await fetch(`${other}/api/auth/logout`, { method: 'POST', headers })
  expect((await fetch(`${one}/api/me`, { headers })).status).toBe(401)
  await db.destroy()

  pair[0].child.kill('SIGTERM')
  expect(await pair[0].ended).toMatchObject(clean)
  expect((await fetch(`${other}/readyz`)).status).toBe(200)
  pair[1].child.kill('SIGTERM')
  expect(await pair[1].ended).toMatchObject(clean)
  expect(readPostmaster(join(folder, 'postgres'))).toBeNull()
})

test('without the demo seed no demo data exists', async () => {
  const database = await createDatabase()
  try {
    const server = start({ DATABASE_URL: database.url, SEED: 'none' })
    const origin = await server.ready
    const { rows } = await sql`select email from people union all select 'employee' from employees`.execute(database.db)
    expect(rows).toEqual([])
    const { application_key } = await (
      await fetch(`${origin}/api/credentials`, {
        headers: { 'application-key': 'public-local', 'application-name': 'ADMIN_PORTAL' },
      })
    ).json()
    const headers = { 'application-key': application_key, 'application-name': 'ADMIN_PORTAL' }
    expect((await fetch(`${origin}/api/demo/accounts`, { headers })).status).toBe(404)
    server.child.kill('SIGTERM')
    const { code, out } = await server.ended
    expect([code, out.includes('Demo accounts')]).toEqual([0, false])
  } finally {
    await database.drop()
  }
})

test('with one role for everything the server runs and warns; with separate roles it does not', async () => {
  const database = await createDatabase()
  try {
    const settings = { DATABASE_URL: database.ownerUrl, SEED: 'none' }
    const alone = start(settings)
    await alone.ready
    alone.child.kill('SIGTERM')
    const { code, out } = await alone.ended
    expect(code).toBe(0)
    expect(out.split('\n')[0]).toBe(
      'The role of DATABASE_URL has more rights than the application needs (it owns tables, it may change the ledger or the history, it may write the totals of invoices, it may make things in the schema): set MIGRATION_DATABASE_URL to the role that owns the schema, and DATABASE_URL to one that owns nothing.',
    )
    await sql`revoke all on employees from portal_application`.execute(database.owner)
    const both = start({ ...settings, DATABASE_URL: database.url, MIGRATION_DATABASE_URL: database.ownerUrl })
    await both.ready
    both.child.kill('SIGTERM')
    expect((await both.ended).out).toMatch(/^Admin Portal is ready/)
    expect((await sql`select count(*) from employees`.execute(database.db)).rows).toEqual([{ count: 0 }])
    const empty = new URL(database.url)
    empty.pathname = '/postgres'
    await Promise.all([
      expectSentence({ MIGRATION_DATABASE_URL: database.ownerUrl }, /^MIGRATION_DATABASE_URL goes with DATABASE_URL: set both/),
      expectSentence(
        { DATABASE_URL: empty.href },
        /^The role of DATABASE_URL may not make the tables: set MIGRATION_DATABASE_URL to the role that owns the database\.$/m,
      ),
    ])
  } finally {
    await database.drop()
  }
})

test('a data folder from before the roles is handed over to them with its data', async () => {
  const folder = copy()
  const cluster = await openCluster(folder)
  const superuser = kyselyOn(
    openPool({ url: cluster.url('admin_portal'), name: 'tests', businessTimeZone: 'UTC', statementTimeout: 0, connections: 1 }),
  )
  await sql
    .raw(`drop owned by portal_application; drop role portal_application; alter database admin_portal owner to portal;
      reassign owned by portal_owner to portal; drop owned by portal_owner; drop role portal_owner`)
    .execute(superuser)
  const server = start({ DATA_DIR: folder })
  const origin = await server.ready
  const db = await databaseIn(folder)
  const headers = await signInAs({ origin, db }, 'priya.raman@example.com')
  const { employees } = await (await fetch(`${origin}/api/employees?limit=1&status=ACTIVE`, { headers })).json()
  expect((await pause(origin, headers, employees[0], 'handed over')).status).toBe(200)
  expect(await excessOf(db)).toEqual([])
  const { rows } = await sql`select relname from pg_class where relnamespace::regnamespace::text in ('public', 'large_files')
    and relowner <> 'portal_owner'::regrole`.execute(db)
  expect(rows).toEqual([])
  await Promise.all([db.destroy(), superuser.destroy()])
  server.child.kill('SIGTERM')
  expect(await server.ended).toMatchObject(clean)
})

test('indexes missing or invalid after the first run are created once the server is ready', async () => {
  const folder = copy()
  const cluster = await openCluster(folder)
  const superuser = kyselyOn(
    openPool({ url: cluster.url('admin_portal'), name: 'tests', businessTimeZone: 'UTC', statementTimeout: 0, connections: 1 }),
  )
  const indexes = sql<{ name: string; statement: string }>`select relname as name, pg_get_indexdef(oid) as statement from pg_index
    join pg_class on oid = indexrelid where indrelid = 'employees'::regclass and indisvalid order by 1`
  await takeLaterSteps(superuser)
  const all = (await indexes.execute(superuser)).rows
  const left = all.filter(({ name }) => ['employees_by_name', 'employees_by_text'].includes(name))
  await leaveIndexes(
    superuser,
    left.map(({ statement }) => statement),
  )
  await sql`drop index employees_by_name`.execute(superuser)
  await sql`update pg_index set indisvalid = false where indexrelid = 'employees_by_text'::regclass`.execute(superuser)
  const server = start({ DATA_DIR: folder })
  await server.ready
  await expect.poll(() => stepsLeft(superuser)).toEqual([])
  expect((await indexes.execute(superuser)).rows).toEqual(all)
  await superuser.destroy()
  server.child.kill('SIGTERM')
  expect(await server.ended).toMatchObject(clean)
})

test('an interrupted first run leaves no PostgreSQL or partial company; the next completes it', async () => {
  const folder = join(root, 'broken-off')
  const first = start({ DATA_DIR: folder, EMPLOYEES: '20000' })
  await until(first, 'Making the demo')
  first.child.kill('SIGINT')
  expect(await first.ended).toMatchObject({ code: 0, complaint: '' })
  expect(readPostmaster(join(folder, 'postgres'))).toBeNull()
  const second = start({ DATA_DIR: folder })
  await second.ready
  await expectWhole(folder, 100)
  second.child.kill('SIGINT')
  expect(await second.ended).toMatchObject(clean)
})

test('if the process that makes the demo company is killed, a waiting or later one starts over', async () => {
  const folder = join(root, 'killed')
  const first = start({ DATA_DIR: folder, EMPLOYEES: '20000' })
  await until(first, 'Making the demo')
  const waiting = start({ DATA_DIR: folder, EMPLOYEES: '20000' })
  await untilHalfMade(folder)
  first.child.kill('SIGKILL')
  await until(waiting, 'Making the demo')
  await untilHalfMade(folder)
  waiting.child.kill('SIGKILL')
  await Promise.all([first.ended, waiting.ended])
  const last = start({ DATA_DIR: folder, EMPLOYEES: '300' })
  await last.ready
  await expectWhole(folder, 300)
  last.child.kill('SIGINT')
  expect(await last.ended).toMatchObject(clean)
}, 120_000)

/** Waits for a text in the output of a server. */
const until = (server: ServerProcess, words: string): Promise<void> =>
  new Promise((resolve) => server.child.stdout?.on('data', (chunk) => String(chunk).includes(words) && resolve()))

/** Waits until a part of the demo company is committed and the rest is missing. */
async function untilHalfMade(folder: string): Promise<void> {
  const db = await databaseIn(folder)
  const made = sql<{
    started: boolean
    seed: string
  }>`select exists (select from employers) as started, value as seed from settings
    where name = 'seed'`
  await expect
    .poll(async () => (await made.execute(db).catch(() => null))?.rows, { interval: 5, timeout: 60_000 })
    .toEqual([{ started: true, seed: 'making' }])
  await db.destroy()
}

/** Expects this number of employees, and the complete schema and demo company. */
async function expectWhole(folder: string, employees: number): Promise<void> {
  const db = await databaseIn(folder)
  const { rows } = await sql`select count(*)::int as employees, (select value from settings where name = 'seed') as seed,
      (select count(*)::int from pg_namespace where nspname = 'seed_plans') as plans from employees`.execute(db)
  expect(rows).toEqual([{ employees, seed: 'demo', plans: 0 }])
  await db.destroy()
}
