import { type Kysely, sql } from 'kysely'
import { decidedGrants, schemas } from '#server/postgres/grants.ts'
import type { Database } from '#server/tables/database.ts'

const onlyAdded = Object.keys(decidedGrants).filter((table) => decidedGrants[table]?.rights.join() === 'SELECT,INSERT')

/**
 * Privileges of the connected role that the application must not have: owning, creating, emptying or disabling what protects the
 * ledger and the history. As sentences, the most serious first; empty if there are none.
 */
export async function excessOf(db: Kysely<Database>): Promise<string[]> {
  const { rows } = await sql<{ says: string }>`
    select says from (values
      (1, 'it is a superuser', (select rolsuper from pg_roles where rolname = current_user)),
      (2, 'it owns tables', exists (select from pg_class where relnamespace::regnamespace::text in (${sql.join(schemas)})
        and relkind in ('r', 'p') and pg_has_role(current_user, relowner, 'MEMBER'))),
      (3, 'it may change the ledger or the history', exists (select from unnest(${onlyAdded}::text[]) as t(name)
        where has_table_privilege(name, 'UPDATE, DELETE, TRUNCATE, TRIGGER')
          or has_any_column_privilege(name, 'UPDATE'))),
      (4, 'it may write the totals of invoices', has_column_privilege('invoices', 'paid_amount', 'UPDATE')
        or has_column_privilege('invoices', 'paid_amount', 'INSERT')),
      (5, 'it may make things in the schema', exists (select from pg_namespace
        where nspname in (${sql.join(schemas)}) and has_schema_privilege(oid, 'CREATE'))),
      (6, 'it may make roles', (select rolcreaterole from pg_roles where rolname = current_user)),
      (7, 'it may switch triggers off', has_parameter_privilege('session_replication_role', 'SET'))
    ) as excess(weight, says, holds) where holds order by weight`.execute(db)
  return rows.map((row) => row.says)
}
