import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { randomBytes } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { lastRelease } from '#server/boot/last-release.ts'
import { migrate, migrationNames } from '#server/boot/migrate.ts'
import { kyselyOn, openPool } from '#server/postgres/connect.ts'
import { ownerRole } from '#server/postgres/roles.ts'
import { schemas } from '#server/postgres/grants.ts'
import type { Database } from '#server/tables/database.ts'
import { stepsLeft } from '#server/tables/later-steps.ts'
import { putSetting } from '#server/tables/setting.ts'
import { asAdministrator, createDatabase, type TestDatabase } from '#tests/support/database.ts'
import { type ServerProcess, startProcess } from '#tests/support/process.ts'
import { workADay } from '#tests/support/working-day.ts'

const name = `upgraded_${randomBytes(6).toString('hex')}`
let database: TestDatabase
let folder: string
let urls: { DATABASE_URL: string; MIGRATION_DATABASE_URL: string }
let owner: Kysely<Database>
const servers: ServerProcess[] = []

const git = (...options: string[]) => execFileSync('git', options, { stdio: ['ignore', 'pipe', 'ignore'], maxBuffer: 1 << 30 })

/** A copy of the last release with today's dependencies; null where its commit is not in the history, as in a shallow clone. */
function copyRelease(): string | null {
  try {
    const archive = git('archive', lastRelease.commit)
    const root = join(folder, 'release')
    mkdirSync(root)
    execFileSync('tar', ['-x', '-C', root], { input: archive })
    symlinkSync(resolve('node_modules'), join(root, 'node_modules'))
    return root
  } catch {
    return null
  }
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'admin-portal-upgrade-'))
  database = await createDatabase()
  await asAdministrator(`create database ${name} owner ${ownerRole}`)
  const at = (url: string) => url.replace(/[^/]+$/, name)
  urls = { DATABASE_URL: at(database.url), MIGRATION_DATABASE_URL: at(database.ownerUrl) }
  owner = kyselyOn(
    openPool({ url: urls.MIGRATION_DATABASE_URL, name: 'tests', businessTimeZone: 'UTC', statementTimeout: 0, connections: 2 }),
  )
})
afterAll(async () => {
  for (const { child } of servers) child.kill('SIGKILL')
  await Promise.all(servers.map(({ ended }) => ended))
  await owner.destroy()
  await asAdministrator(`drop database ${name} with (force)`)
  await database.drop()
  rmSync(folder, { recursive: true, force: true })
})

async function startServer(root?: string): Promise<string> {
  const server = startProcess({ ...urls, SEED: 'demo', EMPLOYEES: '300', LOG_LEVEL: 'error' }, root)
  servers.push(server)
  return server.ready
}

/** Adds to every table what a later migration may add, a column that may be left out and one with a default, and a table. */
async function expandEverything(): Promise<void> {
  const { rows } = await sql<{ table: string }>`
    select oid::regclass::text as table from pg_class
    where relnamespace::regnamespace::text in (${sql.join(schemas)}) and relkind in ('r', 'p') and not relispartition
      and relname not like 'kysely%'`.execute(owner)
  for (const { table } of rows)
    await sql
      .raw(`alter table ${table} add column later_note text, add column later_count integer not null default 0`)
      .execute(owner)
  await sql`create table later (id bigint primary key generated always as identity)`.execute(owner)
  // As a migration of the next release does, whose last release is this one.
  await putSetting(owner, 'schema-works-since', migrationNames().at(-1) as string)
  await sql`insert into kysely_migration (name, timestamp) values ('9999_expanded', '2099-01-01')`.execute(owner)
}

test('the last release works with the schema of this one, and this one with an expanded one', async (context) => {
  const release = copyRelease()
  if (!release) context.skip(`The commit of the last release, ${lastRelease.commit}, is not in this history.`)
  const before = await startServer(release as string)
  await migrate(owner)
  const now = await startServer()
  await workADay({ origin: before, db: owner }, 'before')
  await workADay({ origin: now, db: owner }, 'now')
  // The later steps may have ended meanwhile or not; afterwards both work on the complete schema.
  await expect.poll(() => stepsLeft(owner), { timeout: 180_000 }).toEqual([])
  await workADay({ origin: before, db: owner }, 'before, completed')
  await workADay({ origin: now, db: owner }, 'now, completed')
  await expandEverything()
  // One that runs while it is expanded, and one that starts on it.
  for (const [day, origin] of Object.entries({ later: now, last: await startServer() })) {
    expect((await fetch(`${origin}/readyz`)).status).toBe(200)
    await workADay({ origin, db: owner }, day)
  }
  for (const { child } of servers) child.kill('SIGTERM')
  for (const { ended } of servers) expect(await ended).toMatchObject({ code: 0, complaint: '' })
}, 300_000)
