import { type Kysely, sql } from 'kysely'
import { schemas } from '#server/postgres/schemas.ts'
import type { Database } from '#server/tables/database.ts'

type Right = 'SELECT' | 'INSERT' | 'UPDATE' | 'DELETE'

/** The privileges of the application on a table; `except` are columns that it writes only through functions of the owner. */
interface Grant {
  rights: readonly Right[]
  except?: readonly string[]
}

const readOnly: Grant = { rights: ['SELECT'] }
/** Append-only. */
const added: Grant = { rights: ['SELECT', 'INSERT'] }
/** Rows are never deleted. */
const kept: Grant = { rights: ['SELECT', 'INSERT', 'UPDATE'] }
const free: Grant = { rights: ['SELECT', 'INSERT', 'UPDATE', 'DELETE'] }

/**
 * The privileges on every table. A table that is missing here is `free`, so that a server works with it; a test requires an
 * entry. TRUNCATE, REFERENCES and TRIGGER are never granted.
 */
export const decidedGrants: Readonly<Record<string, Grant>> = {
  kysely_migration: readOnly,
  kysely_migration_lock: readOnly,
  settings: kept,
  application_keys: kept,

  audit_events: added,
  ledger_entries: added,
  invoices: {
    ...kept,
    except: ['original_amount', 'writeoff_amount', 'rollover_amount', 'rollover_out_amount', 'paid_amount'],
  },
  invoice_lines: { ...kept, except: ['writeoff_amount'] },
  repayments: kept,
  repayment_allocations: free,
  write_offs: kept,
  deductions: kept,
  deduction_files: added,
  credits: kept,
  ach_debits: kept,
  ach_results: kept,
  debtor_flags: kept,

  customer_success_managers: readOnly,
  organizations: kept,
  employers: kept,
  users: kept,
  name_words: readOnly,
  identity_checks: kept,
  current_addresses: kept,
  employees: kept,
  work_period_balances: { ...kept, except: ['taken_amount', 'pending_amount', 'available_amount'] },
  transactions: kept,
  additional_transactions: added,
  monthly_partitions: added,
  time_entries: kept,
  configurations: kept,
  pay_groups: kept,
  pay_periods: free,
  lms_configurations: free,
  deduction_configurations: free,
  mappings: free,
  ems_configurations: kept,
  billing_accounts: kept,
  billing_account_employers: free,
  encryption_keys: free,
  data_emails: free,
  communications: free,
  sftp_users: free,
  sftp_networks: free,
  integrations: free,
  imports: kept,
  import_parts: free,
  import_faults: free,
  import_names: free,
  import_people: free,
  staged_lines: free,
  staged_faults: free,
  staged_names: free,
  staged_twins: free,
  staged_similar: free,
  staged_people: free,
  staged_statuses: free,
  staged_plan: free,
  staged_time: free,
  staged_there: free,
  staged_moved: free,
  staged_confirmed: free,
  linked_accounts: kept,
  rewards: readOnly,
  notes: free,
  saved_views: free,

  people: kept,
  person_groups: free,
  person_permissions: free,
  access_grants: free,
  sessions: free,
  known_devices: free,
  challenges: free,
  attempt_limits: free,
  guesses: free,
  used_codes: free,
  recovery_codes: free,
  device_links: free,
  failed_sign_ins: free,
  reset_codes: free,
  invitations: free,
  outbox: free,
  idempotency_keys: free,
  runs: free,
  run_rows: free,
  dashboard_figures: free,
  dashboard_rounds: free,
  exports: free,
  export_parts: free,
}

interface Relation {
  name: string
  schema: string
  /** A partition is accessed through its parent table, which has the privileges. */
  partition: boolean
  columns: string[]
  /** Privileges of the role, as `SELECT` or `UPDATE due_date`. */
  held: string[]
}

/** The tables of the schemas with the privileges of the role on each. */
async function relationsFor(db: Kysely<Database>, role: string): Promise<Relation[]> {
  const { rows } = await sql<Relation>`
    select c.relname as name, c.relnamespace::regnamespace::text as schema, c.relispartition as partition,
      array(select attname::text from pg_attribute where attrelid = c.oid and attnum > 0 and not attisdropped) as columns,
      array(select privilege_type from aclexplode(c.relacl) where grantee = role.oid
        union all select privilege_type || ' ' || attname from pg_attribute cross join lateral aclexplode(attacl)
          where attrelid = c.oid and grantee = role.oid) as held
    from pg_class c join pg_roles role on role.rolname = ${role}
    where c.relnamespace::regnamespace::text in (${sql.join(schemas)}) and c.relkind in ('r', 'p', 'v') order by 1, 2`.execute(db)
  return rows
}

/** The privileges of a grant in the form of `held`: those to write are per column if some are excepted. */
function rightsOf({ rights, except = [] }: Grant, columns: readonly string[]): string[] {
  const open = columns.filter((column) => !except.includes(column))
  return rights.flatMap((right) =>
    except.length > 0 && (right === 'INSERT' || right === 'UPDATE') ? open.map((column) => `${right} ${column}`) : [right],
  )
}

/**
 * Grants the application's role what it needs and revokes everything else; run by the owner after every migration, under the lock
 * of the starting process. Does nothing when the grants are as declared.
 */
export async function grantTo(db: Kysely<Database>, role: string): Promise<void> {
  const to = sql.ref(role)
  for (const schema of schemas) {
    const { rows } = await sql<{ enters: boolean }>`select has_schema_privilege(${role}, ${schema}, 'USAGE') as enters`.execute(
      db,
    )
    if (!rows[0]?.enters) await sql`grant usage on schema ${sql.ref(schema)} to ${to}`.execute(db)
  }
  for (const { name, schema, partition, columns, held } of await relationsFor(db, role)) {
    const table = sql.table(`${schema}.${name}`)
    const expected = partition ? [] : rightsOf(decidedGrants[name] ?? free, columns)
    if (expected.length === held.length && expected.every((right) => held.includes(right))) continue
    const list = expected.map((right) => {
      const [verb, column] = right.split(' ') as [string, string | undefined]
      return column ? sql`${sql.raw(verb)} (${sql.ref(column)})` : sql.raw(verb)
    })
    await sql`revoke all on ${table} from ${to}`.execute(db)
    if (list.length > 0) await sql`grant ${sql.join(list)} on ${table} to ${to}`.execute(db)
  }
  await grantSequences(db, role)
}

async function grantSequences(db: Kysely<Database>, role: string): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class where relnamespace = 'public'::regnamespace
      and case relkind when 'S' then not has_sequence_privilege(${role}, oid, 'USAGE') end`.execute(db)
  for (const { name } of rows) await sql`grant usage on sequence ${sql.ref(name)} to ${sql.ref(role)}`.execute(db)
}
