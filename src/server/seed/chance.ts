import { sql } from 'kysely'
import type { Tx } from '#server/tables/database.ts'

/** Creates the function `pg_temp.chance(n, salt)`: a number from 0 to 1 that depends only on its arguments. */
export const makeChance = async (tx: Tx): Promise<void> =>
  void (await sql`
    create or replace function pg_temp.chance(n bigint, salt bigint) returns float8 language sql immutable parallel safe
    return (hashint8extended(n, salt) & 4503599627370495)::float8 / 4503599627370496`.execute(tx))
