import { blockOf, networkOf } from '#server/auth/network.ts'

/** Connections at once: of all, of one network, and of the SFTP users of one organization. */
const maxConnections = 200
const maxPerNetwork = 20
const maxPerOrganization = 40

/** What of a connection decides whether it makes place for the next. */
export interface Placed {
  address: string
  /** The organization of the user who signed in on it; null before. */
  organization: number | null
  /** When its client said something last, in milliseconds. */
  heardAt: number
}

/** Those of whose groups there are most, in their order. */
function ofTheLargest<One>(all: readonly One[], groupOf: (one: One) => string): readonly One[] {
  const groups = Map.groupBy(all, groupOf)
  return [...groups.values()].reduce((largest, group) => (group.length > largest.length ? group : largest), [])
}

/**
 * Of the connections that are held, the oldest first, the one that makes place for one more from an address: undefined where there
 * is room, null where all have signed in, who keep theirs. Of the others the oldest goes, of the block of networks that has most of them (D485): who means to sign in
 * does so in a moment, and strangers who only hold connections open take them from each other.
 */
export function makingPlace<One extends Placed>(held: readonly One[], address: string): One | null | undefined {
  const network = networkOf(address)
  const near = held.filter((one) => networkOf(one.address) === network)
  if (near.length >= maxPerNetwork) return near.find(({ organization }) => organization === null) ?? null
  if (held.length < maxConnections) return undefined
  const waiting = held.filter(({ organization }) => organization === null)
  return ofTheLargest(waiting, (one) => blockOf(one.address))[0] ?? null
}

/**
 * Of the connections of one organization the one that is silent for longest, where it has more than its share; undefined where it has
 * not. A client that leaves its connections open takes their places from itself, and not from other customers.
 */
export function oneTooMany<One extends Placed>(held: readonly One[], of: number): One | undefined {
  const own = held.filter(({ organization }) => organization === of)
  if (own.length <= maxPerOrganization) return undefined
  return own.reduce((silent, one) => (one.heardAt < silent.heardAt ? one : silent))
}
