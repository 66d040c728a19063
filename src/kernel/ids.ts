/** What ids of a noun look like to a person. In the portal an id is text; what it is in the API, the schema of each call says. */
export interface Ids {
  /** The id in a text where the noun is known, `40001` of `INV-40001`; null where it is none. */
  readonly read: (typed: string) => string | null
  /** The same where nothing else says which noun is meant. */
  readonly readAlone: (typed: string) => string | null
  /** An id, or the beginning of one, as people write it: `INV-61`. */
  readonly write: (id: string) => string
  /** Whether people call a thing by it: nobody does by a UUID. */
  readonly isSpoken: boolean
  /** Whether people write it beside a title: a write-off is found by its number, and called by the employee and the invoice. */
  readonly written: boolean
}

interface Numbers {
  /** What people write before the number, `INV`. */
  prefix?: string
  /** Whether a number of four digits or more, without its prefix, is likely to mean this noun. */
  alone?: boolean
  /** Whether it is written beside a title; without it, where it is likely to be meant by the number alone. */
  written?: boolean
}

const number = /^[1-9]\d{0,14}$/

/** Ids that are numbers, with letters before them or without: `INV-40001`, `inv 40001`. */
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

/** Ids that are UUIDs, pasted in either case. */
export const uuids: Ids = { isSpoken: false, written: false, write: (id) => id, read: readUuid, readAlone: readUuid }
