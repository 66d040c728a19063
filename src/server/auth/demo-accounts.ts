import type { Kysely } from 'kysely'
import type { z } from 'zod'
import type { getDemoAccounts } from '#contract/authentication.ts'
import { demoPassword, demoPeople } from '#server/auth/demo-people.ts'
import { unseal } from '#server/auth/sealing.ts'
import { nextUnusedCode } from '#server/auth/totp.ts'
import type { Database } from '#server/tables/database.ts'

/** The demo accounts with their next unused code, and the mail that would have been sent. Demo only. */
export async function demoAccounts(
  db: Kysely<Database>,
  sealingKey: Buffer,
  now: Date,
): Promise<z.output<typeof getDemoAccounts.answer>> {
  const people = await db
    .selectFrom('people')
    .select(['id', 'email', 'name', 'totp_secret', 'totp_last_step'])
    .where(
      'id',
      'in',
      demoPeople.map((person) => person.id),
    )
    .where('status', '=', 'ACTIVE')
    .orderBy('id')
    .execute()
  const outbox = await db
    .selectFrom('outbox')
    .select(['recipient', 'subject', 'body', 'created_at'])
    .where('expires_at', '>', now)
    .orderBy('id', 'desc')
    .limit(20)
    .execute()
  return {
    accounts: people.map((person) => {
      const secret = person.totp_secret && unseal(sealingKey, person.totp_secret, person.id)
      const next = secret ? nextUnusedCode(secret, person.totp_last_step, now) : null
      return {
        email: person.email,
        name: person.name,
        role: demoPeople.find((one) => one.id === person.id)?.role ?? '',
        password: demoPassword,
        code: next?.code ?? null,
        seconds: next?.seconds ?? 0,
        wait: next?.wait ?? 0,
      }
    }),
    outbox: outbox.map((mail) => ({
      to: mail.recipient,
      subject: mail.subject,
      text: mail.body,
      at: mail.created_at.toISOString(),
    })),
  }
}
