import { z } from 'zod'
import { largestUpload } from '#domain/import.ts'
import { anybody } from '#domain/permissions.ts'
import { endpoint } from '#contract/define.ts'
import { required } from '#contract/fields.ts'

/** Maximum size of a mail with all its attachments and headers; as base64. */
const largestMail = Math.ceil((largestUpload * 1.4) / 3) * 4

/** What became of one attachment. */
const Attached = z.object({
  file_name: z.string(),
  /** Null if it was not imported. */
  import_id: z.int().nullable(),
  message: z.string().nullable(),
})

/** Accepts a raw mail of a mail server (RFC 5322). The caller knows the key of the intake and has verified the sender. */
export const postImportMail = endpoint({
  method: 'POST',
  path: '/imports/mail',
  summary: 'Hand on a mail whose attachments are to be imported; a mail server calls it, with the key of the intake',
  tag: 'Imports',
  body: z.object({
    key: z.string({ error: required }).min(1, required),
    /** The mail as base64 (RFC 4648, 4). */
    message: z.base64({ error: 'This is no base64 text.' }).min(1, required),
  }),
  answer: z.object({
    files: z.array(Attached),
    /** The import that records what of the mail was not imported; null if everything was, or if the sender is unknown. */
    record_id: z.int().nullable(),
  }),
  needs: anybody,
  // A header, so that it is checked before the mail is read.
  headers: ['key'],
  extension: true,
  largest: largestMail + 10_000,
})
export type AttachedFile = z.infer<typeof Attached>
