import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { AuthSettings } from '#server/auth/settings.ts'
import type { Database } from '#server/tables/database.ts'

const maxAttempts = 8
/** Held while a mail is on its way; after that another process may try. */
const deliverySeconds = 120
/** Milliseconds for which a mail server may say nothing: less than a mail is held in all. */
const silence = 20_000
/** Mails of one look. */
const maxAtOnce = 20

/** Marks a mail as sent by a program, so that no out-of-office note answers it (RFC 3834). */
const fromProgram = { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' }

interface Due {
  id: number
  recipient: string
  subject: string
  body: string
  communication_id: number | null
}

/** Takes the mail that is due and was there longest, for as long as it is held. */
async function takeDue(db: Kysely<Database>, now: Date): Promise<Due | null> {
  const { rows } = await sql<Due>`
    update outbox set attempts = attempts + 1,
      next_attempt_at = ${now}::timestamptz + make_interval(secs => ${deliverySeconds} * power(2, attempts))
    where id in (
      select id from outbox
      where sent_at is null and next_attempt_at <= ${now} and expires_at > ${now} and attempts < ${maxAttempts}
      order by id limit 1 for update skip locked
    )
    returning id, recipient, subject, body, communication_id
  `.execute(db)
  return rows[0] ?? null
}

/** The address of a mail server with how long it may say nothing, unless it says so itself. */
function withTimeouts(smtpUrl: string): string {
  const url = new URL(smtpUrl)
  for (const name of ['connectionTimeout', 'greetingTimeout', 'socketTimeout'])
    if (!url.searchParams.has(name)) url.searchParams.set(name, String(silence))
  return url.href
}

/**
 * Sends what waits in the outbox, each mail once even with several processes; a failed one is tried again later.
 * Without an SMTP server it stays, for the demo to show. Returns how many were sent.
 */
export async function deliverMail(db: Kysely<Database>, settings: AuthSettings, now: Date): Promise<number> {
  if (!settings.smtpUrl) return 0
  const began = performance.now()
  const since = () => new Date(now.getTime() + performance.now() - began)
  let mail = await takeDue(db, now)
  if (!mail) return 0
  const { createTransport } = await import('nodemailer')
  const transport = createTransport(withTimeouts(settings.smtpUrl))
  let sent = 0
  try {
    // One by one: a mail waits for no other one while it is held.
    for (let taken = 1; mail !== null; taken += 1, mail = taken > maxAtOnce ? null : await takeDue(db, since())) {
      try {
        const { recipient: to, subject, body: text } = mail
        await transport.sendMail({ from: settings.mailFrom, to, subject, text, headers: fromProgram })
      } catch {
        continue
      }
      // Codes and links are of no more use here once they are on their way.
      await db.updateTable('outbox').set({ sent_at: now, body: '' }).where('id', '=', mail.id).execute()
      if (mail.communication_id !== null)
        await sql`update communications set sent_at = ${now}, version = version + 1 where id = ${mail.communication_id}`.execute(
          db,
        )
      sent += 1
    }
  } finally {
    transport.close()
  }
  return sent
}
