import { sql } from 'kysely'
import type { Tx } from '#server/tables/database.ts'
import { mailAbout } from '#server/tables/communications.ts'

/** Maximum number of answers to one address per hour: a mailbox that answers every mail must not start a loop. */
const maxAnswersPerHour = 20

interface FailedImport {
  organization_id: number
  employer_id: number | null
  file_name: string
  message: string | null
  answer_to: string
}

/**
 * Mails the sender of a failed file what is wrong and what to do, in the transaction in which it failed. Does nothing for files
 * that did not come by mail, and answers each import once: the address is cleared with the answer.
 */
export async function answerSender(tx: Tx, importId: number, now: Date): Promise<void> {
  const { rows } = await sql<FailedImport>`
    with failed as (select id, answer_to from imports where id = ${importId} and status = 'FAIL' and answer_to is not null)
    update imports i set answer_to = null from failed where i.id = failed.id
    returning i.organization_id, i.employer_id, i.file_name, i.message, failed.answer_to`.execute(tx)
  const [failed] = rows
  if (!failed) return
  const { answer_to: recipient, organization_id, employer_id, file_name, message } = failed
  const { rows: sent } = await sql<{ count: number }>`select count(*)::int as count from communications
    where kind = 'IMPORT_FAILED' and recipient = ${recipient} and queued_at > ${now}::timestamptz - interval '1 hour'`.execute(tx)
  if ((sent[0]?.count ?? 0) >= maxAnswersPerHour) return
  await mailAbout(
    tx,
    {
      organization_id,
      employer_id,
      kind: 'IMPORT_FAILED',
      recipient,
      subject: `Not imported: ${file_name}`,
      body: [
        `We received “${file_name}” from this address. It was not imported, and nothing was changed.`,
        `Why: ${message ?? 'Something went wrong while it was imported.'}`,
        'What to do: Correct this and mail the file again from this address, attached to the mail itself as .csv or .xlsx. If you do not know what is wrong, ask your contact at our company, and name the file.',
        `Reference: import ${importId}. This mail was sent automatically; nobody reads answers to it.`,
      ].join('\n\n'),
    },
    now,
  )
}
