import { sql } from 'kysely'
import { networkOf } from '#server/limits/network.ts'
import type { Caller } from '#server/auth/caller.ts'
import type { Tx } from '#server/tables/database.ts'

/** A person who tries to sign in; an unknown e-mail is stored as entered. */
export type SignInSubject = { id: string; name: string } | { email: string }

/** Maximum number of networks per hour with a row of their own for unknown e-mails; any further networks share one row. */
const maxNetworks = 1_000
const elsewhere = 'elsewhere'

/**
 * Adds a failed sign-in to the hourly count of that person and network. The same statement runs for an unknown e-mail, whose rows
 * per hour are bounded.
 */
export async function recordFailure(
  db: Pick<Tx, 'getExecutor'>,
  subject: SignInSubject,
  caller: Pick<Caller, 'address'>,
  { step, locked, now }: { step: 'password' | 'code'; locked: boolean; now: Date },
): Promise<void> {
  const known = 'id' in subject
  const hour = sql`date_trunc('hour', ${now}::timestamptz)`
  const id = known ? subject.id : 'nobody'
  const network = networkOf(caller.address)
  const password = step === 'password' ? 1 : 0
  await sql`
    insert into failed_sign_ins as f (hour, who, network, passwords, codes, lockouts, last_at, last_email)
    select ${hour}, ${id},
      case when ${known}::boolean
        or exists (select 1 from failed_sign_ins own where own.who = ${id} and own.hour = ${hour} and own.network = ${network})
        or (select count(*) from failed_sign_ins other where other.who = ${id} and other.hour = ${hour}) < ${maxNetworks}
        then ${network} else ${elsewhere} end,
      ${password}::int, ${1 - password}::int, ${locked ? 1 : 0}::int, ${now}, ${known ? null : subject.email}
    on conflict (hour, who, network) do update set
      passwords = f.passwords + excluded.passwords, codes = f.codes + excluded.codes,
      lockouts = f.lockouts + excluded.lockouts, last_at = excluded.last_at, last_email = excluded.last_email
  `.execute(db)
}
