import PostalMime, { type Header } from 'postal-mime'
import { readsApart } from '#server/jobs/imports/reads-apart.ts'

/** Maximum bytes of the headers of all parts, and maximum nesting depth of the parts. */
const maxHeaderBytes = 256 * 1024
const maxDepth = 20

/** An attachment of a mail; `name` is empty where it has none, and `type` its MIME type in lower case. */
export interface MailAttachment {
  name: string
  type: string
  bytes: Uint8Array
}

/** The parts of a mail that are needed: its senders as written, and its attachments. */
export interface ReadMail {
  from: string[]
  attachments: MailAttachment[]
  /** Whether it is an automatic answer (RFC 3834), such as an out-of-office note or a delivery report. */
  isAutoReply: boolean
  /** Nobody must be answered: a program sent it, or the sender asks for no automatic answers. */
  wantsNoAnswer: boolean
}

/** The values of a header, in lower case. */
const valuesOf = (headers: readonly Header[], name: string): string[] =>
  headers.filter(({ key }) => key === name).map(({ value }) => value.trim().toLowerCase())

function automationOf(headers: readonly Header[]): Pick<ReadMail, 'isAutoReply' | 'wantsNoAnswer'> {
  const has = (name: string, pattern = /./): boolean => valuesOf(headers, name).some((value) => pattern.test(value))
  const isAutoReply =
    has('auto-submitted', /^auto-(?:replied|notified)/) ||
    has('x-autoreply') ||
    has('x-autorespond') ||
    has('precedence', /auto_reply/) ||
    has('return-path', /^<>$/) ||
    has('content-type', /^multipart\/report/)
  const wantsNoAnswer =
    isAutoReply ||
    has('auto-submitted', /^(?!no\b)/) ||
    has('precedence', /^(?:bulk|junk|list)/) ||
    has('x-auto-response-suppress', /all|autoreply/) ||
    has('list-id') ||
    has('from', /(?:^|<)(?:no-?reply|do-?not-?reply|mailer-daemon|postmaster)@/)
  return { isAutoReply, wantsNoAnswer }
}

// Null for bytes that are not a mail.
readsApart<Uint8Array, ReadMail | null>(async (bytes, ask) => {
  // A forwarded mail stays one attachment: the sender of the files in it was never verified.
  const options = { maxHeadersSize: maxHeaderBytes, maxNestingDepth: maxDepth, forceRfc822Attachments: true }
  const mail = await PostalMime.parse(bytes, options).catch(() => null)
  const read = mail && {
    from: mail.headers.filter(({ key }) => key === 'from').map(({ value }) => value),
    // Without a requested encoding, the content is bytes.
    attachments: mail.attachments.map(({ filename, mimeType, content }) => ({
      name: filename?.trim() ?? '',
      type: mimeType,
      bytes: new Uint8Array(content as ArrayBuffer),
    })),
    ...automationOf(mail.headers),
  }
  await ask(read)
})
