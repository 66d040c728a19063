import PostalMime from 'postal-mime'
import { readsApart } from '#server/jobs/imports/reads-apart.ts'

/** Bytes of the headers of all its parts, and how deep these lie in each other. */
const longestHeaders = 256 * 1024
const deepest = 20

/** What this process tells of a mail: whom it names as its senders, in its own words, and what is attached to it. */
export interface ReadMail {
  from: string[]
  attachments: { name: string; bytes: Uint8Array }[]
}

// Null for what is no mail.
readsApart<ReadMail | null>(async function* (bytes) {
  const limits = { maxHeadersSize: longestHeaders, maxNestingDepth: deepest }
  const mail = await PostalMime.parse(bytes, limits).catch(() => null)
  yield mail && {
    from: mail.headers.filter(({ key }) => key === 'from').map(({ value }) => value),
    // Without an encoding that is asked for, each is bytes.
    attachments: mail.attachments.map(({ filename, content }) => ({
      name: filename?.trim() ?? '',
      bytes: new Uint8Array(content as ArrayBuffer),
    })),
  }
})
