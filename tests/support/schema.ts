import { type Kysely, sql } from 'kysely'
import { schemas } from '#server/postgres/grants.ts'
import type { Database } from '#server/tables/database.ts'

interface Column {
  type: string
  required: boolean
  /** Default, generation expression or identity; null if a row has to name a value. */
  filled: string | null
}

interface Rule {
  definition: string
  table: string
  columns: string[]
}

/** What a version relies on: columns by `schema.table.column`, and rules of rows and functions by their names. */
export interface Schema {
  columns: Map<string, Column>
  /** Checks, foreign keys and unique indexes. */
  rules: Map<string, Rule>
  /** Definitions of unique indexes, which `on conflict` needs, without their names. */
  keys: Set<string>
  /** Signatures of functions with their results. */
  functions: Set<string>
}

/** Reads the schema from PostgreSQL's catalogs, without partitions, which have that of their table. */
export async function readSchema(db: Kysely<Database>): Promise<Schema> {
  const inSchemas = (schema: string) => sql`${sql.raw(schema)}::regnamespace::text in (${sql.join(schemas)})`
  const columns = await sql<Column & { name: string }>`
    select concat_ws('.', c.relnamespace::regnamespace, c.relname, attname) as name, format_type(atttypid, atttypmod) as type,
      attnotnull as required, coalesce(pg_get_expr(adbin, adrelid), nullif(attidentity::text, '')) as filled
    from pg_attribute a join pg_class c on c.oid = attrelid left join pg_attrdef on adrelid = attrelid and adnum = attnum
    where ${inSchemas('c.relnamespace')} and relkind in ('r', 'p', 'v') and not relispartition and attnum > 0 and not attisdropped`.execute(
    db,
  )
  const rules = await sql<Rule & { name: string; key: boolean }>`
    select 'constraint ' || conname || ' of ' || conrelid::regclass as name, pg_get_constraintdef(k.oid) as definition, false as key,
      concat_ws('.', c.relnamespace::regnamespace, c.relname) as table,
      array(select attname::text from pg_attribute where attrelid = conrelid and attnum = any(conkey)) as columns
    from pg_constraint k join pg_class c on c.oid = conrelid
    where ${inSchemas('c.relnamespace')} and contype in ('c', 'f', 'x') and not relispartition
    union all
    select 'index ' || indexrelid::regclass, regexp_replace(pg_get_indexdef(indexrelid), 'INDEX \\S+ ON', 'INDEX ON'), true,
      concat_ws('.', c.relnamespace::regnamespace, c.relname),
      array(select attname::text from pg_attribute where attrelid = indrelid and attnum = any(indkey))
        || case when indexprs is null then array[]::text[] else array['an expression'] end
    from pg_index join pg_class c on c.oid = indrelid
    where ${inSchemas('c.relnamespace')} and indisunique and not relispartition`.execute(db)
  const functions = await sql<{ name: string }>`
    select p.oid::regprocedure || ' returns ' || pg_get_function_result(p.oid) as name from pg_proc p
    where ${inSchemas('pronamespace')}`.execute(db)
  return {
    columns: new Map(columns.rows.map(({ name, ...column }) => [name, column])),
    rules: new Map(rules.rows.map(({ name, definition, table, columns }) => [name, { definition, table, columns }])),
    keys: new Set(rules.rows.flatMap(({ key, definition }) => (key ? [definition] : []))),
    functions: new Set(functions.rows.map(({ name }) => name)),
  }
}

const tableOf = (column: string): string => column.slice(0, column.lastIndexOf('.'))

function columnFaults(before: Schema, after: Schema): string[] {
  const tables = new Set([...before.columns.keys()].map(tableOf))
  const changed = [...before.columns].flatMap(([name, old]) => {
    const now = after.columns.get(name)
    if (!now) return [`${name} is gone`]
    if (now.type !== old.type) return [`${name} changes its type`]
    if (now.required && !old.required) return [`${name} becomes required`]
    return now.required && old.filled !== null && now.filled === null ? [`${name} loses its default`] : []
  })
  const added = [...after.columns].flatMap(([name, { required, filled }]) =>
    !before.columns.has(name) && tables.has(tableOf(name)) && required && filled === null
      ? [`${name} is new, required and has no default`]
      : [],
  )
  return [...changed, ...added]
}

/** Rules that rows of the older version can violate: new or changed ones of its tables, unless they are only about new columns. */
function ruleFaults(before: Schema, after: Schema): string[] {
  const known = new Set([...before.rules.values()].map(({ table, definition }) => `${table} ${definition}`))
  return [...after.rules].flatMap(([name, { table, columns, definition }]) => {
    const isOld = (column: string) => column === 'an expression' || before.columns.has(`${table}.${column}`)
    const hadTable = [...before.columns.keys()].some((column) => tableOf(column) === table)
    return hadTable && columns.some(isOld) && !known.has(`${table} ${definition}`) ? [`${name} is new or changed`] : []
  })
}

/** Everything in a schema that could stop the version that was written for an older one, in sentences. */
export function incompatibilities(before: Schema, after: Schema): string[] {
  const gone = (what: string, old: Set<string>, now: Set<string>) =>
    [...old].filter((name) => !now.has(name)).map((name) => `${what} ${name} is gone`)
  return [
    ...columnFaults(before, after),
    ...ruleFaults(before, after),
    ...gone('key', before.keys, after.keys),
    ...gone('function', before.functions, after.functions),
  ].sort()
}
