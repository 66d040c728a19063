import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { distribute, planDistribution } from '#server/boot/distribute.ts'
import { migrationNames } from '#server/boot/migrate.ts'
import { pastSetting } from '#server/money/billing/demo-days.ts'
import { connectTo, kyselyOn, openPool } from '#server/postgres/connect.ts'
import { selectAll } from '#server/postgres/select.ts'
import type { Database } from '#server/tables/database.ts'
import { distributedTables, referenceTables, triggersOfWholeTables } from '#server/tables/placement.ts'
import { putSetting, settingOf } from '#server/tables/setting.ts'
import { newDebtor, someone } from '#tests/support/billing.ts'
import { createDatabase, type TestDatabase } from '#tests/support/database.ts'
import { auditMoney } from '#tests/support/money-audit.ts'
import { createInvoice } from '#tests/support/money.ts'
import { createServer, keyed, type TestServer } from '#tests/support/server.ts'

const silent = () => undefined

/** Runs the script with these settings and options, without a terminal; resolves with its output. */
const run = (settings: Record<string, string>, ...options: string[]) =>
  new Promise<{ code: number; out: string; complaint: string }>((resolve) => {
    const env = { PATH: process.env.PATH, NODE_ENV: 'test', ...settings }
    const child = execFile(process.execPath, ['scripts/distribute.ts', ...options], { env }, (error, out, complaint) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, out, complaint: complaint.trim() }),
    )
    child.stdin?.end()
  })

describe('is refused in a sentence', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await createDatabase()
  })
  afterAll(() => database.drop())

  const refused = (sentence: string, db = database.owner) => expect(planDistribution(db)).rejects.toThrow(sentence)

  test('without Citus, or the address of the owner', async () => {
    const sentence = 'This PostgreSQL has no Citus: install it on every machine'
    await refused(sentence)
    const { code, complaint } = await run({ DATABASE_URL: database.url, MIGRATION_DATABASE_URL: database.ownerUrl }, '--yes')
    expect([code, complaint]).toEqual([1, expect.stringContaining(sentence)])
    expect((await run({})).complaint).toBe(
      'Set DATABASE_URL to the coordinator, and MIGRATION_DATABASE_URL to it with the role that owns the tables.',
    )
    expect((await run({}, '--now')).complaint).toContain('Use: npm run distribute -- --yes')
  })

  test('for a role that owns nothing', () =>
    refused('The role does not own the tables: set MIGRATION_DATABASE_URL to the role that does.', database.db))

  test('before migrations, later steps and the past of the demo company are complete', async () => {
    const incomplete = 'The schema is not the complete one of this version: run `npm run migrate -- --finish` first.'
    await putSetting(database.owner, 'later-steps', JSON.stringify([{ statement: 'select 1' }]))
    await refused(incomplete)
    await putSetting(database.owner, 'later-steps', '[]')
    const newest = migrationNames().at(-1) as string
    await sql`delete from kysely_migration where name = ${newest}`.execute(database.owner)
    await refused(incomplete)
    await sql`insert into kysely_migration (name, timestamp) values (${newest}, '2026-12-01')`.execute(database.owner)
    await putSetting(database.owner, pastSetting, '{"after":1}')
    await refused('The demo company is not complete yet')
    await putSetting(database.owner, pastSetting, 'null')
  })

  test('while servers are connected', async () => {
    const { db, end } = connectTo({
      ...{ url: database.url, name: 'admin-portal 0a1b2c3d background', businessTimeZone: 'UTC' },
      ...{ statementTimeout: 0, connections: 1 },
    })
    await sql`select 1`.execute(db)
    await refused('Servers use this database (connections: 1): stop all of them, and try again.')
    await end()
  })
})

describe('with Citus', () => {
  let server: TestServer
  let owner: Kysely<Database>
  let before: { keys: string[]; triggers: string[] }

  beforeAll(async () => {
    server = await createServer()
    await sql.raw(readFileSync(new URL('../support/recorded-citus.sql', import.meta.url), 'utf8')).execute(server.owner)
    const name = new URL(server.urls.MIGRATION_DATABASE_URL).pathname.slice(1)
    await sql.raw(`alter database ${name} set search_path = public, recorded`).execute(server.owner)
    const at = { name: 'tests', businessTimeZone: 'America/New_York', statementTimeout: 0, connections: 2 }
    owner = kyselyOn(openPool({ ...at, url: server.urls.MIGRATION_DATABASE_URL }))
    before = await dependents()
  })
  afterAll(async () => {
    await owner.destroy()
    await server.close()
  })

  /** The foreign keys and triggers of the database, without partitions. */
  const dependents = async () => {
    const keys = await selectAll<{ text: string }>(owner)`
      select conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) as text from pg_constraint
      where contype = 'f' and conparentid = 0 and connamespace = 'public'::regnamespace order by 1`
    const triggers = await selectAll<{ text: string }>(owner)`
      select tgname || ' ' || pg_get_triggerdef(oid) as text from pg_trigger where not tgisinternal and tgparentid = 0 order by 1`
    return { keys: keys.map(({ text }) => text), triggers: triggers.map(({ text }) => text) }
  }
  const calls = async () =>
    (await selectAll<{ call: string }>(owner)`select call from calls order by place`).map(({ call }) => call)
  const away = (...names: string[]) =>
    sql`with back as (delete from away) insert into away select unnest(${names}::text[])`.execute(owner)

  test('needs a coordinator that knows itself, and a worker', async () => {
    await expect(planDistribution(owner)).rejects.toThrow('The coordinator does not know its own address')
    await sql`insert into pg_dist_node (groupid) values (0)`.execute(owner)
    await expect(planDistribution(owner)).rejects.toThrow('There is no worker')
    await sql`insert into pg_dist_node (groupid) values (1), (2)`.execute(owner)
    expect(await planDistribution(owner)).toMatchObject({ workers: 2, unfinished: false })
  })

  test('says what it will do, in order, and does nothing without consent', async () => {
    const { code, out, complaint } = await run(server.urls)
    expect([code, complaint]).toEqual([1, 'Nothing was changed: run it with --yes to go on without a question.'])
    const named = [...out.matchAll(/^ {2}(\w+): .+ (?:bytes|kB|MB), about [\d,]+ rows$/gm)].map(([, name]) => name)
    expect(named).toEqual([...referenceTables, ...distributedTables])
    expect(out).toContain('Whole on the coordinator and on 2 workers, in this order:')
    expect(await calls()).toEqual([])
    expect(await dependents()).toEqual(before)
  })

  test('goes on where it was interrupted, and restores what remains of keys and triggers', async () => {
    await away('users')
    const error = 'It ended with an error (connection to the remote node failed): remove its cause, and run this again to go on.'
    await expect(distribute(owner, silent)).rejects.toThrow(error)
    await away('invoices')
    await expect(distribute(owner, silent)).rejects.toThrow(error)
    expect(await planDistribution(owner)).toMatchObject({ unfinished: true })
    await away()
    // While what is left on the coordinator is removed, and then while keys are made.
    await sql`create function refuse() returns trigger language plpgsql as $$ begin
      if new.call in ('truncate repayments') then raise exception 'no memory'; end if; return new; end $$`.execute(owner)
    await sql`create trigger refuse before insert on calls for each row execute function refuse()`.execute(owner)
    await expect(distribute(owner, silent)).rejects.toThrow('no memory')
    await sql`drop trigger refuse on calls`.execute(owner)
    await sql`alter table sessions rename to sessions_elsewhere`.execute(owner)
    await expect(distribute(owner, silent)).rejects.toThrow('sessions')
    await sql`alter table sessions_elsewhere rename to sessions`.execute(owner)
    const { code, out, complaint } = await run(server.urls, '--yes')
    expect([code, complaint]).toEqual([0, ''])
    expect(out).toContain('An earlier run was interrupted: this one goes on.')
    expect(out.trimEnd().endsWith('All tables are where they belong.')).toBe(true)

    const made = await calls()
    const [first] = distributedTables
    expect(made.filter((call) => !/^(truncate|alter)/.test(call))).toEqual([
      ...referenceTables.map((table) => `reference ${table}`),
      ...distributedTables.map((table) => `by organization_id with ${table === first ? 'none' : first} ${table}`),
    ])
    expect(made.filter((call) => call.startsWith('truncate')).toSorted()).toEqual(
      [...referenceTables, ...distributedTables].map((table) => `truncate ${table}`).toSorted(),
    )
    expect(made.filter((call) => call.startsWith('alter database'))).toEqual([
      expect.stringMatching(/set citus\.enable_unsafe_triggers = 'on'$/),
      expect.stringMatching(/set citus\.allow_nested_distributed_execution = 'on'$/),
    ])
    const after = await dependents()
    expect(after.keys).toEqual(before.keys)
    expect(after.triggers).toEqual(
      before.triggers.filter((text) => !triggersOfWholeTables.includes(text.split(' ')[0] as string)),
    )
    expect(await settingOf(owner, 'distribution')).toBeNull()
    // A plan that is kept whatever the organization is none for Citus.
    expect(await selectAll(owner)`select from pg_proc where array_to_string(proconfig, ' ') ~ 'plan_cache_mode'`).toEqual([])
  })

  test('has nothing to do a second time, and the last release does not start any more', async () => {
    const count = (await calls()).length
    const { code, out } = await run(server.urls)
    expect([code, out.trim()]).toEqual([0, 'All tables are where they belong.'])
    expect(await calls()).toHaveLength(count)
    expect(await settingOf(owner, 'schema-works-since')).toBe(migrationNames().at(-1))
  })

  test('money adds up without the triggers that are gone', async () => {
    const { employerId } = await newDebtor(server, 'Harbor')
    const invoice = await createInvoice(server.db, { employerId, original: 90_00, paid: 20_00 })
    const ada = await someone(server, 'Ada')
    const { body } = await ada.get(`/invoices/${invoice.id}`)
    expect(body).toMatchObject({ original_amount: 90_00, paid_amount: 20_00, outstanding_amount: 70_00 })
    const paid = await ada.post(
      '/repayments',
      {
        ...{ debtor_type: 'EMPLOYER', debtor_id: employerId, amount: 15_00, repayment_date: body.as_of },
        allocations: [{ invoice_id: invoice.id, amount: 10_00 }],
        expected: { [invoice.id]: body.version },
      },
      keyed(),
    )
    expect([paid.status, paid.body.unallocated_amount]).toEqual([201, 5_00])
    expect((await ada.get(`/invoices/${invoice.id}`)).body.outstanding_amount).toBe(60_00)
    expect(await auditMoney(server.db)).toEqual([])
  })
})
