import { z } from 'zod'
import { type Extra, required, withFieldMeta } from '#contract/fields.ts'

const base64 = /^[A-Za-z0-9+/]*={0,2}$/

/** Number of bytes encoded in a base64 text. */
const bytesIn = (text: string): number => (text.length / 4) * 3 - (/=*$/.exec(text)?.[0].length ?? 0)

/** A file with its content as base64 (RFC 4648, 4); it is only sent with the request and stored nowhere else. */
export const file = (title: string, { accept, max, ...extra }: Extra & { accept: readonly string[]; max: number }) =>
  withFieldMeta(
    z.object(
      {
        name: z.string().trim().min(1, required).max(256, 'A file name has at most 256 characters.'),
        content: z
          .string({ error: required })
          .refine((text) => text.length % 4 === 0 && base64.test(text), 'This is no base64 text.')
          .refine((text) => bytesIn(text) <= max, `A file has at most ${Math.floor(max / 1024 / 1024)} MB.`),
      },
      { error: required },
    ),
    'file',
    title,
    { accept, max, ...extra },
  )
