/**
 * Format of a noun's ids as people write them. The portal treats ids as text; their type in the API follows from the schema of
 * each call.
 */
export interface Ids {
  /** The id in a text if the noun is known, `40001` of `INV-40001`; else null. */
  readonly read: (typed: string) => string | null
  /** The id in a text if nothing else identifies the noun. */
  readonly readAlone: (typed: string) => string | null
  /** An id, or the beginning of one, as people write it: `INV-61`. */
  readonly write: (id: string) => string
  /** Whether people refer to records by it; false for UUIDs. */
  readonly isSpoken: boolean
  /** Whether it is shown beside a title. A write-off is found by its number, but titled by employee and invoice. */
  readonly written: boolean
}

interface Numbers {
  /** Prefix of the number, `INV`. */
  prefix?: string
  /** Whether a number of at least four digits without prefix is likely an id of this noun. */
  alone?: boolean
  /** Whether it is shown beside a title; defaults to `alone`. */
  written?: boolean
}

const number = /^[1-9]\d{0,14}$/

/** Numeric ids, with or without a prefix: `INV-40001`, `inv 40001`. */
export function numbers({ prefix, alone = false, written = alone }: Numbers = {}): Ids {
  const letters = prefix ? new RegExp(`^${prefix}[- ]`, 'i') : null
  const read = (typed: string) => {
    const bare = letters ? typed.replace(letters, '') : typed
    return number.test(bare) ? bare : null
  }
  return {
    isSpoken: true,
    written,
    write: (id) => (prefix ? `${prefix}-${id}` : id),
    read,
    readAlone: (typed) => (letters?.test(typed) || (alone && typed.length >= 4) ? read(typed) : null),
  }
}

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i
const readUuid = (typed: string) => (uuid.test(typed) ? typed.toLowerCase() : null)

/** UUIDs, in either case. */
export const uuids: Ids = { isSpoken: false, written: false, write: (id) => id, read: readUuid, readAlone: readUuid }
