import { createHmac, timingSafeEqual } from 'node:crypto'
import { Refused } from '#server/http-error.ts'

/** The context of a cursor: used anywhere else, it is refused (docs/rules/api.md). */
export interface CursorBinding {
  /** `GET /employees` */
  endpoint: string
  /** The parsed filter; undefined fields are ignored. */
  filter: Readonly<Record<string, unknown>>
  /** Field and order. */
  sort: string
  personId: string
}

export type CursorValue = string | number | boolean | null

const macLength = 12

const sign = (secret: string, binding: CursorBinding, values: string): Buffer =>
  createHmac('sha256', secret)
    .update(JSON.stringify([binding.endpoint, sorted(binding.filter), binding.sort, binding.personId]))
    .update('\n')
    .update(values)
    .digest()
    .subarray(0, macLength)

const sorted = (filter: Readonly<Record<string, unknown>>): [string, unknown][] =>
  Object.entries(filter)
    .filter(([, value]) => value !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1))

/** Creates a `lek`: opaque, signed, bound. `values` are the sort keys of the row to continue from. */
export function sealCursor(secret: string, binding: CursorBinding, values: readonly CursorValue[]): string {
  const text = JSON.stringify(values)
  return Buffer.concat([sign(secret, binding, text), Buffer.from(text)]).toString('base64url')
}

/** The values of a `lek`; throws 400 `cursor-invalid` for one that was made up, altered, or created for another context. */
export function openCursor(secret: string, binding: CursorBinding, lek: string): CursorValue[] {
  const bytes = Buffer.from(lek, 'base64url')
  const text = bytes.subarray(macLength).toString()
  if (bytes.length <= macLength || !timingSafeEqual(bytes.subarray(0, macLength), sign(secret, binding, text)))
    throw new Refused(400, 'cursor-invalid', 'This place in the list is no longer known. Start again from the top of the list.')
  return JSON.parse(text) as CursorValue[]
}
