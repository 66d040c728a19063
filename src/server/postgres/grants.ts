import { type Kysely, sql } from 'kysely'
import type { Database } from '#server/tables/database.ts'
import { selectAll } from '#server/postgres/select.ts'

/** Schemas whose tables the application uses: `public`, and the one with the staging tables for large files. */
export const schemas = ['public', 'large_files'] as const

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

const named = (grant: Grant, tables: string): Record<string, Grant> =>
  Object.fromEntries((tables.match(/\w+/g) ?? []).map((table) => [table, grant]))

/**
 * The privileges on every table. A table that is missing here is `free`, so that a server works with it; a test requires an
 * entry. TRUNCATE, REFERENCES and TRIGGER are never granted.
 */
export const decidedGrants: Readonly<Record<string, Grant>> = {
  ...named(readOnly, 'customer_success_managers kysely_migration kysely_migration_lock name_words rewards taken_values'),
  ...named(added, 'additional_transactions audit_events deduction_files ledger_entries monthly_partitions'),
  ...named(
    kept,
    `
    ach_debits ach_results application_keys billing_accounts configurations credits current_addresses debtor_flags
    deductions employees employers ems_configurations identity_checks imports linked_accounts organizations pay_groups
    people repayments settings time_entries transactions users write_offs
    `,
  ),
  ...named(
    free,
    `
    access_grants attempt_limits billing_account_employers challenges communications dashboard_figures dashboard_rounds
    data_emails deduction_configurations device_links encryption_keys export_parts exports failed_sign_ins guesses
    idempotency_keys import_faults import_names import_parts import_people integrations invitations known_devices
    lms_configurations mappings notes outbox pay_periods person_groups person_permissions recovery_codes
    repayment_allocations reset_codes run_rows runs saved_views sessions sftp_networks sftp_users shared_views
    staged_confirmed staged_faults staged_lines staged_moved staged_names staged_people staged_plan staged_similar staged_statuses
    staged_there staged_time staged_twins used_codes
    `,
  ),
  invoices: {
    ...kept,
    except: ['original_amount', 'writeoff_amount', 'rollover_amount', 'rollover_out_amount', 'paid_amount'],
  },
  invoice_lines: { ...kept, except: ['writeoff_amount'] },
  work_period_balances: { ...kept, except: ['taken_amount', 'pending_amount', 'available_amount'] },
}

/** Functions of the owner that the application calls: they write what it may not write itself. */
export const decidedFunctions: readonly string[] = ['add_ledger_entries']

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
  return selectAll<Relation>(db)`
    select c.relname as name, c.relnamespace::regnamespace::text as schema, c.relispartition as partition,
      array(select attname::text from pg_attribute where attrelid = c.oid and attnum > 0 and not attisdropped) as columns,
      array(select privilege_type from aclexplode(c.relacl) where grantee = role.oid
        union all select privilege_type || ' ' || attname from pg_attribute cross join lateral aclexplode(attacl)
          where attrelid = c.oid and grantee = role.oid) as held
    from pg_class c join pg_roles role on role.rolname = ${role}
    where c.relnamespace::regnamespace::text in (${sql.join(schemas)}) and c.relkind in ('r', 'p', 'v') order by 1, 2`
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
  await grantFunctions(db, role)
}

async function grantSequences(db: Kysely<Database>, role: string): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class where relnamespace = 'public'::regnamespace
      and case relkind when 'S' then not has_sequence_privilege(${role}, oid, 'USAGE') end`.execute(db)
  for (const { name } of rows) await sql`grant usage on sequence ${sql.ref(name)} to ${sql.ref(role)}`.execute(db)
}

async function grantFunctions(db: Kysely<Database>, role: string): Promise<void> {
  const rows = await selectAll<{ name: string }>(db)`
    select oid::regprocedure::text as name from pg_proc where pronamespace = 'public'::regnamespace
      and proname = any(${[...decidedFunctions]}::text[]) and not has_function_privilege(${role}, oid, 'EXECUTE')`
  for (const { name } of rows) await sql`grant execute on function ${sql.raw(name)} to ${sql.ref(role)}`.execute(db)
}
