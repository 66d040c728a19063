import { z } from 'zod'
import { largestUpload } from '#domain/import.ts'
import { anybody } from '#domain/permissions.ts'
import { endpoint } from '#contract/define.ts'
import { nothing, required } from '#contract/fields.ts'

/** A mail with files of all its attachments together, and what is around them; as base64. */
const largestMail = Math.ceil((largestUpload * 1.4) / 3) * 4

/** What became of one attachment. */
const Attached = z.object({
  file_name: z.string(),
  /** Null for one that was not taken. */
  import_id: z.int().nullable(),
  message: z.string().nullable(),
})

/** Takes a mail as a mail server has it (RFC 5322): whoever calls it knows the key of the intake, and has verified the sender. */
export const postImportMail = endpoint({
  method: 'POST',
  path: '/imports/mail',
  summary: 'Hand on a mail whose attachments are to be imported; a mail server calls it, with the key of the intake',
  tag: 'Imports',
  params: nothing,
  query: nothing,
  body: z.object({
    key: z.string({ error: required }).min(1, required),
    /** The mail as base64 (RFC 4648, 4). */
    message: z.base64({ error: 'This is no base64 text.' }).min(1, required),
  }),
  answer: z.object({
    files: z.array(Attached),
    /** The import that records what of the mail was not imported; null where all was, or where nobody knows the sender. */
    record_id: z.int().nullable(),
  }),
  needs: anybody,
  // Before the mail, which is not read without.
  headers: ['key'],
  extension: true,
  largest: largestMail + 10_000,
})
export type AttachedFile = z.infer<typeof Attached>
