import { inPlaces } from '#server/jobs/in-places.ts'
import type { ReadMail } from '#server/jobs/imports/mail.worker.ts'
import { readApart } from '#server/jobs/imports/parse-in-worker.ts'
import { FileRefused } from '#server/jobs/imports/receive.ts'
import { Refused } from '#server/http-error.ts'

/** Limits for one mail: it is answered within the time of a request, in which its files must be stored, too. */
const bounds = { megabytes: 512, milliseconds: 3_500 }

const busy = () =>
  new Refused(503, 'unavailable', 'Several mails are being read right now. Try again in a few seconds.', { retry_after: 5 })

/** Maximum number of mails parsed at once. */
const inTurn = inPlaces(2, busy)

const tooMuch = () => new FileRefused('The mail takes too much to read. Send fewer files at once, or upload them.')

/**
 * The senders and attachments of a mail, parsed in a process of its own. Throws `FileRefused` for bytes that are not a mail or
 * exceed the limits, and 503 `unavailable` if the client is gone: it will deliver the mail again.
 */
export async function readMailApart(message: Uint8Array, gone?: AbortSignal, within = bounds): Promise<ReadMail> {
  const read: (ReadMail | null)[] = []
  await inTurn(gone, () =>
    readApart(new URL('./mail.worker.ts', import.meta.url), message, { ...within, tooMuch }, async (mail: ReadMail | null) => {
      read.push(mail)
    }),
  )
  if (gone?.aborted) throw busy()
  const [mail] = read
  if (!mail) throw new FileRefused('This is not an e-mail.')
  return mail
}
