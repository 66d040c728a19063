import type { Tx } from '#server/tables/database.ts'

interface Mail {
  recipient: string
  subject: string
  body: string
  /** Hours until it is dropped unsent: as long as a link in it is valid. */
  hours: number
}

/** Queues a mail in the transaction of its cause, so that either both happen or neither. */
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
