import { type Kysely, sql } from 'kysely'
import type { AnyEndpoint } from '#contract/define.ts'
import { getCredentials } from '#contract/session.ts'
import { randomToken, sameSecret } from '#server/auth/secret.ts'
import type { AuthSettings } from '#server/auth/settings.ts'
import { Refused } from '#server/http-error.ts'
import type { Database } from '#server/tables/database.ts'

/** The application of the key; every call names it (API-003). */
const applicationName = 'ADMIN_PORTAL'

const freshFor = 30_000
const askAgainAfter = 1_000
/** The key by database, cached; a retired key is noticed within half a minute. */
const known = new WeakMap<object, { key: string; readAt: number }>()

/** The key that every call except GET credentials carries; created if there is none yet. */
export async function currentApplicationKey(db: Kysely<Database>): Promise<string> {
  const inserted = await sql<{ key: string }>`
    with made as (
      insert into application_keys (key, application_name)
      select ${randomToken()}, ${applicationName}
      where not exists (select 1 from application_keys where application_name = ${applicationName} and retired_at is null)
      on conflict do nothing
      returning key
    )
    select key from made
    union all
    select key from application_keys where application_name = ${applicationName} and retired_at is null
  `.execute(db)
  const [row] = inserted.rows
  // Two concurrent first callers: the one that lost reads what the other created.
  return row ? row.key : currentApplicationKey(db)
}

async function expectedKey(db: Kysely<Database>, given: string): Promise<string> {
  const cached = known.get(db)
  const age = cached ? Date.now() - cached.readAt : Number.POSITIVE_INFINITY
  if (cached && age < (sameSecret(given, cached.key) ? freshFor : askAgainAfter)) return cached.key
  const key = await currentApplicationKey(db)
  known.set(db, { key, readAt: Date.now() })
  return key
}

/** Refuses a call without the right `application-key` and `application-name` headers (API-002, API-003, API-005). */
export async function checkApplication(
  db: Kysely<Database>,
  headers: Readonly<Record<string, string | string[] | undefined>>,
  endpoint: AnyEndpoint,
  settings: AuthSettings,
): Promise<void> {
  const given = headers['application-key']
  const good =
    headers['application-name'] === applicationName &&
    typeof given === 'string' &&
    given.length <= 200 &&
    sameSecret(given, endpoint === getCredentials ? settings.publicApplicationKey : await expectedKey(db, given))
  if (!good) {
    throw new Refused(
      401,
      'application-key-invalid',
      'This application is not known here. Reload the page; if it stays, the address or the application key is wrong.',
    )
  }
}
