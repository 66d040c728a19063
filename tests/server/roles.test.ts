import { type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { prepareSchema } from '#server/boot/prepare-schema.ts'
import { kyselyOn, openPool } from '#server/postgres/connect.ts'
import { excessOf } from '#server/postgres/excess.ts'
import { decidedFunctions, decidedGrants } from '#server/postgres/grants.ts'
import { applicationRole, ownerRole } from '#server/postgres/roles.ts'
import type { Database } from '#server/tables/database.ts'
import { createCompany } from '#tests/support/company.ts'
import { asAdministrator, createDatabase, type TestDatabase } from '#tests/support/database.ts'
import { auditMoney } from '#tests/support/money-audit.ts'
import { createInvoice, createRepayment } from '#tests/support/money.ts'

let database: TestDatabase
let invoiceId: number

beforeAll(async () => {
  database = await createDatabase()
  const { employerIds } = await createCompany(database.db, 'Harbor')
  const employerId = employerIds[0] as number
  const invoice = await createInvoice(database.db, { employerId, original: 500_00, paid: 100_00 })
  invoiceId = invoice.id
  await createRepayment(database.db, { debtor: { type: 'EMPLOYER', id: employerId }, amount: 40_00 })
  await sql`insert into audit_events (actor_id, actor_name, intent, entity, entity_id, status, version)
    values ('service', 'System', 'invoice.send', 'invoice', ${String(invoiceId)}, 'Sent', 1)`.execute(database.db)
})
afterAll(() => database.drop())

/** All values of ledger, history and totals, as the owner sees them. */
const snapshot = async () =>
  (
    await sql<{ all: unknown }>`select jsonb_build_object(
      'entries', (select jsonb_agg(e order by id) from ledger_entries e), 'events', (select jsonb_agg(e order by id) from audit_events e),
      'invoices', (select jsonb_agg(i order by id) from invoices i)) as all`.execute(database.owner)
  ).rows[0]?.all

const tables = ['ledger_entries', 'audit_events']
const totals = ['original_amount', 'writeoff_amount', 'rollover_amount', 'rollover_out_amount', 'paid_amount']

describe('the role of the application', () => {
  test.each([
    ...tables.flatMap((table) => [
      `update ${table} set actor_name = 'Somebody else'`,
      `delete from ${table}`,
      `truncate ${table}`,
      `truncate ${table} cascade`,
      `merge into ${table} t using (select 1) s on true when matched then delete`,
      `select * from ${table} for update`,
      `alter table ${table} disable trigger all`,
      `alter table ${table} add column forged text`,
      `alter table ${table} owner to ${applicationRole}`,
      `alter table ${table} rename to ${table}_once`,
      `drop table ${table} cascade`,
      `create rule forget as on insert to ${table} do instead nothing`,
      `create trigger forge before insert on ${table} for each row execute function refuse_change_of_ledger()`,
      `create index on ${table} (id)`,
    ]),
    ...totals.map((column) => `update invoices set ${column} = 1`),
    `insert into invoices (employer_id, debtor_type, debtor_id, status, company_code, payment_method, period_start, period_end,
      issue_date, report_date, due_date, paid_amount) select employer_id, debtor_type, debtor_id, status, company_code,
      payment_method, period_start, period_end, issue_date, report_date, due_date, 1 from invoices`,
    'update invoice_lines set writeoff_amount = 1',
    'delete from invoices',
    'delete from repayments',
    'alter table invoices disable trigger user',
    'drop trigger derive_totals on ledger_entries',
    'alter function derive_invoice_totals() reset search_path',
    `create or replace function derive_invoice_totals() returns trigger language plpgsql as 'begin return null; end'`,
    'set session_replication_role = replica',
    `set role ${ownerRole}`,
    `set session authorization ${ownerRole}`,
    `alter role ${applicationRole} superuser`,
    `alter role ${applicationRole} set session_replication_role = replica`,
    'create role another',
    'create table forged (id int)',
    'create schema forged',
    'create extension hstore',
    `create function public.sum(bigint) returns bigint language sql as 'select 0::bigint'`,
    `create function public.now() returns timestamptz language sql as 'select null::timestamptz'`,
    `create function pg_temp.clock_timestamp() returns timestamptz language sql as 'select null::timestamptz'`,
    'create temporary table invoices (id bigint)',
    'create temporary table settings (name text, value text)',
    `create operator public.+ (leftarg = bigint, rightarg = bigint, function = int8mi)`,
    `insert into kysely_migration (name, timestamp) values ('9999_forged', 'now')`,
    'delete from kysely_migration',
    `copy ledger_entries to program 'true'`,
    'alter default privileges grant all on tables to public; create table t ()',
  ])('cannot: %s', async (statement) => {
    const before = await snapshot()
    await expect(sql.raw(statement).execute(database.db)).rejects.toMatchObject({
      code: expect.stringMatching(/^(42501|42939)$/),
    })
    expect(await snapshot()).toEqual(before)
  })

  test('cannot shadow objects of the schema for functions that act as the owner', async () => {
    await database.db.connection().execute(async (one) => {
      await sql`set search_path = pg_temp, public`.execute(one)
      await sql`insert into ledger_entries (invoice_id, kind, amount, actor_id, actor_name)
        values (${invoiceId}, 'PAYMENT', 5_00, 'service', 'System')`.execute(one)
      await sql`insert into ledger_entries (invoice_id, kind, amount, actor_id, actor_name)
        values (${invoiceId}, 'PAYMENT', -5_00, 'service', 'System')`.execute(one)
      await sql`reset search_path`.execute(one)
    })
    const { rows } = await sql`select paid_amount from invoices where id = ${invoiceId}`.execute(database.db)
    expect(rows).toEqual([{ paid_amount: 100_00 }])
  })

  test('computes correct totals for its entries, also with concurrent inserts without a lock', async () => {
    const add = (amount: number) =>
      sql`insert into ledger_entries (invoice_id, kind, amount, actor_id, actor_name)
        values (${invoiceId}, 'PAYMENT', ${amount}, 'service', 'System')`.execute(database.db)
    await Promise.all(Array.from({ length: 12 }, (_, at) => add(at % 2 === 0 ? 7_00 : -7_00)))
    const { rows } = await sql`select paid_amount from invoices where id = ${invoiceId}`.execute(database.db)
    expect(rows).toEqual([{ paid_amount: 100_00 }])
  })

  test('cannot add entries that are not added up', async () => {
    await database.db.transaction().execute(async (tx) => {
      await sql`select set_config('portal.adds_up', 'on', true)`.execute(tx)
      await sql`insert into ledger_entries (invoice_id, kind, amount, actor_id, actor_name)
        values (${invoiceId}, 'PAYMENT', 7_00, 'service', 'System')`.execute(tx)
      const { rows } = await sql`select paid_amount from invoices where id = ${invoiceId}`.execute(tx)
      expect(rows).toEqual([{ paid_amount: 107_00 }])
      await sql`insert into ledger_entries (invoice_id, kind, amount, actor_id, actor_name)
        values (${invoiceId}, 'PAYMENT', -7_00, 'service', 'System')`.execute(tx)
    })
    expect(await auditMoney(database.db)).toEqual([])
  })

  test('cannot grant any of its rights', async () => {
    await sql.raw(`grant all on ledger_entries, invoices, audit_events to public`).execute(database.db)
    expect(await excessOf(database.db)).toEqual([])
  })

  test('has minimal rights, and its functions act with a fixed search path', async () => {
    expect(await excessOf(database.db)).toEqual([])
    expect(await excessOf(database.owner)).toContain('it owns tables')
    const { rows } = await sql`select proname from pg_proc where prosecdef and pronamespace = 'public'::regnamespace
      and (coalesce(array_to_string(proconfig, ' '), '') !~ 'search_path=pg_catalog, public, pg_temp$'
        or has_function_privilege('public', oid, 'EXECUTE')
        or has_function_privilege(${applicationRole}, oid, 'EXECUTE') <> (proname = any(${[...decidedFunctions]}::text[])))`.execute(
      database.owner,
    )
    expect(rows).toEqual([])
  })
})

test('the rights of the application are decided for every table, and nobody else has any', async () => {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm', 'f')
      and not relispartition order by 1`.execute(database.owner)
  const names = rows.map((row) => row.name)
  const undecided = names.filter((name) => !(name in decidedGrants))
  expect(undecided, 'decidedGrants of src/server/postgres/grants.ts').toEqual([])
  expect(names).toEqual(Object.keys(decidedGrants).sort())
  const { rows: others } = await sql`select relname, privilege_type from pg_class cross join lateral aclexplode(relacl)
    where relnamespace = 'public'::regnamespace and grantee not in
      (select oid from pg_roles where rolname in (${applicationRole}, ${ownerRole}))`.execute(database.owner)
  expect(others).toEqual([])
})

test('the owner cannot change the ledger either', async () => {
  for (const statement of [
    'update ledger_entries set amount = 1',
    'delete from ledger_entries',
    'truncate ledger_entries cascade',
  ])
    await expect(sql.raw(statement).execute(database.owner)).rejects.toThrow('The ledger is only ever added to.')
})

test('every cent is accounted for, also without an invoice; the audit reports a missing one', async () => {
  expect(await auditMoney(database.db)).toEqual([])
  await sql`update repayments set unallocated_amount = unallocated_amount - 1 where unallocated_amount > 0`.execute(database.db)
  expect(await auditMoney(database.db)).toEqual([
    expect.stringMatching(/^REP-\d+: 4000 is not 3999 unallocated/),
    expect.stringMatching(/^REP-\d+: 3999 unallocated, 4000 posted$/),
  ])
  await sql`update repayments set unallocated_amount = unallocated_amount + 1 where unallocated_amount > 0`.execute(database.db)
  await sql`insert into ledger_entries (kind, amount, repayment_id, actor_id, actor_name)
    select 'UNALLOCATED', 1, max(id), 'service', 'System' from repayments`.execute(database.db)
  expect((await auditMoney(database.db)).at(-1)).toMatch(/^14000 came in, 14001 is posted$/)
})

describe('another role', () => {
  const role = 'portal_of_another'
  let other: TestDatabase
  let as: Kysely<Database>

  beforeAll(async () => {
    other = await createDatabase()
    await asAdministrator(`create role ${role} login password 'secret'`)
    const url = new URL(other.url)
    url.username = role
    url.password = 'secret'
    as = kyselyOn(
      openPool({ url: url.href, name: 'tests', businessTimeZone: 'America/New_York', statementTimeout: 0, connections: 2 }),
    )
  })
  afterAll(async () => {
    await as.destroy()
    await other.drop()
    await asAdministrator(`drop role ${role}`)
  })

  const prepare = () => prepareSchema({ db: as, owner: other.owner })
  const count = () => sql`select count(*) from invoices`.execute(as)

  test('is granted what it needs at startup, also on new tables, and loses excess grants', async () => {
    await expect(count()).rejects.toThrow('permission denied')
    await prepare()
    expect((await count()).rows).toEqual([{ count: 0 }])
    await sql`create table of_tomorrow (id bigint generated always as identity primary key, text text)`.execute(other.owner)
    await sql`alter table invoices add column of_tomorrow text`.execute(other.owner)
    await sql.raw(`grant update, truncate on ledger_entries to ${role}; grant delete on invoices to ${role}`).execute(other.owner)
    expect(await excessOf(as)).toEqual(['it may change the ledger or the history'])
    await prepare()
    expect(await excessOf(as)).toEqual([])
    await sql`insert into of_tomorrow (text) values ('x')`.execute(as)
    await sql`update invoices set of_tomorrow = 'x'`.execute(as)
    await expect(sql`delete from invoices`.execute(as)).rejects.toThrow('permission denied')
  })

  test.each([
    [`alter role ${role} superuser`, `alter role ${role} nosuperuser`, 'it is a superuser'],
    [`grant ${ownerRole} to ${role}`, `revoke ${ownerRole} from ${role}`, 'it owns tables'],
    [`alter role ${role} createrole`, `alter role ${role} nocreaterole`, 'it may make roles'],
    [
      `grant set on parameter session_replication_role to ${role}`,
      `revoke set on parameter session_replication_role from ${role}`,
      'it may switch triggers off',
    ],
  ])('with too many rights is reported: %s', async (grant, revoke, sentence) => {
    await prepare()
    await asAdministrator(grant)
    const excess = await excessOf(as)
    await asAdministrator(revoke)
    expect(excess[0]).toBe(sentence)
    expect(await excessOf(as)).toEqual([])
  })

  test('on another database than the owner is reported in one sentence', async () => {
    const elsewhere = prepareSchema({ db: as, owner: database.owner })
    await expect(elsewhere).rejects.toThrow('MIGRATION_DATABASE_URL and DATABASE_URL lead to different databases')
  })
})
