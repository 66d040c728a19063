import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import PostalMime from 'postal-mime'

/** Bytes of the headers of all its parts, and how deep these lie in each other. */
const longestHeaders = 256 * 1024
const deepest = 20

/** What this thread tells of a mail: whom it names as its senders, in its own words, and what is attached to it. */
export interface ReadMail {
  from: string[]
  attachments: { name: string; bytes: Uint8Array<ArrayBuffer> }[]
}

/** A mail, read; null for what is none. */
async function read(bytes: Uint8Array): Promise<ReadMail | null> {
  const limits = { maxHeadersSize: longestHeaders, maxNestingDepth: deepest }
  const mail = await PostalMime.parse(bytes, limits).catch(() => null)
  if (!mail) return null
  return {
    from: mail.headers.filter(({ key }) => key === 'from').map(({ value }) => value),
    // Without an encoding that is asked for, each is bytes.
    attachments: mail.attachments.map(({ filename, content }) => ({
      name: filename?.trim() ?? '',
      bytes: new Uint8Array(content as ArrayBuffer),
    })),
  }
}

const mail = await read(workerData as Uint8Array)
// Handed over where they lie: copying them would hold up the thread that serves people.
const handedOver = new Set(mail?.attachments.map(({ bytes }) => bytes.buffer))
const port = parentPort as MessagePort
port.postMessage(mail, [...handedOver])
