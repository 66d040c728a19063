import type { Tx } from '#server/tables/database.ts'

interface Mail {
  recipient: string
  subject: string
  body: string
  /** Hours in which it is tried, and after which it is dropped: as long as a link in it works. */
  hours: number
}

/** Puts a mail into the outbox in the transaction of what it tells, so that neither comes without the other. */
export async function queueMail(tx: Tx, { hours, ...mail }: Mail, now: Date): Promise<void> {
  await tx
    .insertInto('outbox')
    .values({
      ...mail,
      created_at: now,
      expires_at: new Date(now.getTime() + hours * 60 * 60 * 1000),
      next_attempt_at: now,
    })
    .execute()
}
