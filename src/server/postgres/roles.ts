import { Client, escapeIdentifier, escapeLiteral } from 'pg'
import type { Cluster } from '#server/postgres/cluster.ts'
import { schemas } from '#server/postgres/grants.ts'

/** The addresses of a cluster's databases. */
type Addresses = Pick<Cluster, 'url'>

/** Owns the schema: migrates, and creates the demo company. */
export const ownerRole = 'portal_owner'
/** Role of the server: it owns nothing, and has only granted privileges (`postgres/grants.ts`). */
export const applicationRole = 'portal_application'

/** Lock taken while creating roles and databases, so that two processes that start together do not collide. */
const making = 4_184_003

/**
 * Creates both roles of an embedded PostgreSQL, and the database that one of them owns. Existing ones stay, unless `isWaste`
 * returns true for a database: that one is dropped, and its connections with it.
 */
export async function makeDatabase(
  cluster: Addresses,
  name: string,
  isWaste: (inside: Client) => Promise<boolean> = async () => false,
): Promise<void> {
  await asSuperuser(cluster, 'postgres', async (client) => {
    await client.query('select pg_advisory_lock($1)', [making])
    for (const role of [ownerRole, applicationRole]) await makeRole(cluster, client, role)
    const { rows } = await client.query<{ owner: string }>(
      'select pg_get_userbyid(datdba)::text as owner from pg_database where datname = $1',
      [name],
    )
    const waste = rows.length > 0 && (await asSuperuser(cluster, name, isWaste))
    if (waste) await client.query(`drop database ${escapeIdentifier(name)} with (force)`)
    if (rows.length === 0 || waste) {
      // Copying the template database is logged page by page, and compressing these few pages takes longer than writing them.
      await client.query('set wal_compression = off')
      await client.query(`create database ${escapeIdentifier(name)} owner ${ownerRole}`)
      await client.query(closed(name))
    } else if (rows[0]?.owner !== ownerRole) await asSuperuser(cluster, name, (inside) => inside.query(handOver(name)))
  })
}

async function makeRole(cluster: Addresses, client: Client, role: string): Promise<void> {
  const { rowCount } = await client.query('select from pg_roles where rolname = $1', [role])
  const password = new URL(cluster.url('postgres', role)).password
  if (rowCount === 0) await client.query(`create role ${role} login password ${escapeLiteral(password)}`)
}

/** Temporary tables would shadow the tables of the schema in name lookup. */
export const closed = (database: string): string => `revoke temporary on database ${escapeIdentifier(database)} from public`

const named = schemas.map(escapeLiteral).join(', ')

/**
 * Transfers a database from before these roles, and everything in it, to its owner, all or nothing. Objects of a table or an
 * extension follow it.
 */
const handOver = (database: string): string => `
  begin;
  do $$
  declare
    change text;
  begin
    for change in
      select format('alter table %s owner to ${ownerRole}', oid::regclass) from pg_class
        where relnamespace::regnamespace::text in (${named}) and relkind in ('r', 'p', 'v', 'm')
      union all
      select format('alter schema %I owner to ${ownerRole}', nspname) from pg_namespace
        where nspname in (${named}) and nspname <> 'public'
      union all
      select format('alter sequence %s owner to ${ownerRole}', oid::regclass) from pg_class
        where relnamespace::regnamespace::text in (${named}) and relkind = 'S'
          and not exists (select from pg_depend where classid = 'pg_class'::regclass and objid = pg_class.oid and deptype in ('a', 'i'))
      union all
      select format('alter routine %s owner to ${ownerRole}', oid::regprocedure) from pg_proc
        where pronamespace = 'public'::regnamespace
          and not exists (select from pg_depend where classid = 'pg_proc'::regclass and objid = pg_proc.oid and deptype = 'e')
      union all
      select format('alter type %s owner to ${ownerRole}', pg_type.oid::regtype) from pg_type
        left join pg_class on pg_class.oid = typrelid
        where typnamespace = 'public'::regnamespace
          and (typtype in ('d', 'e') or relkind = 'c')
          and not exists (select from pg_depend where classid = 'pg_type'::regclass and objid = pg_type.oid and deptype = 'e')
    loop
      execute change;
    end loop;
  end $$;
  alter database ${escapeIdentifier(database)} owner to ${ownerRole};
  ${closed(database)};
  commit`

async function asSuperuser<T>(cluster: Addresses, database: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: cluster.url(database) })
  client.on('error', () => undefined)
  try {
    await client.connect()
    return await work(client)
  } finally {
    await client.end().catch(() => undefined)
  }
}
