import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { AuthSettings } from '#server/auth/settings.ts'
import type { Database } from '#server/tables/database.ts'
import { selectOne } from '#server/postgres/select.ts'

const maxAttempts = 8
/** Seconds that a mail is reserved while it is being sent; then another process may retry. */
const deliverySeconds = 120
/** Milliseconds that a mail server may stay silent: less than a mail is reserved. */
const silence = 20_000
/** Maximum number of mails per round. */
const maxAtOnce = 20

/** Marks a mail as automatic, so that no out-of-office note answers it (RFC 3834). */
const fromProgram = { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' }

interface DueMail {
  id: number
  recipient: string
  subject: string
  body: string
  communication_id: number | null
}

/** Reserves the mail that has been due longest. */
async function takeDue(db: Kysely<Database>, now: Date): Promise<DueMail | null> {
  return selectOne<DueMail>(db)`
    update outbox set attempts = attempts + 1,
      next_attempt_at = ${now}::timestamptz + make_interval(secs => ${deliverySeconds} * power(2, attempts))
    where id in (
      select id from outbox
      where sent_at is null and next_attempt_at <= ${now} and expires_at > ${now} and attempts < ${maxAttempts}
      order by id limit 1 for update skip locked
    )
    returning id, recipient, subject, body, communication_id
  `
}

/** The URL of a mail server with timeouts, unless it sets its own. */
function withTimeouts(smtpUrl: string): string {
  const url = new URL(smtpUrl)
  for (const name of ['connectionTimeout', 'greetingTimeout', 'socketTimeout'])
    if (!url.searchParams.has(name)) url.searchParams.set(name, String(silence))
  return url.href
}

/**
 * Sends the mails in the outbox, each once even with several processes; a failed one is retried later. Without an SMTP server
 * they stay, and the demo shows them. Returns the number sent.
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
    // One at a time, so that no mail is reserved while it waits for another.
    for (let taken = 1; mail !== null; taken += 1, mail = taken > maxAtOnce ? null : await takeDue(db, since())) {
      try {
        const { recipient: to, subject, body: text } = mail
        await transport.sendMail({ from: settings.mailFrom, to, subject, text, headers: fromProgram })
      } catch {
        continue
      }
      // Codes and links are not needed here once they are sent.
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
