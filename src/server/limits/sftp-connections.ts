import { blockOf, networkOf } from '#server/limits/network.ts'

/** Maximum number of connections: in total, per network, and for the SFTP users of one organization. */
const maxConnections = 200
const maxPerNetwork = 20
const maxPerOrganization = 40

/** The properties of a connection that decide which one is closed for a new one. */
export interface ConnectionState {
  address: string
  /** The organization of the user who signed in on it; null before. */
  organization: number | null
  /** Time of the last data from its client, in milliseconds. */
  heardAt: number
}

/** The members of the largest group, in order. */
function largestGroup<One>(all: readonly One[], groupOf: (one: One) => string): readonly One[] {
  const groups = Map.groupBy(all, groupOf)
  return [...groups.values()].reduce((largest, group) => (group.length > largest.length ? group : largest), [])
}

/**
 * Selects the connection to close for a new one from an address, given the open ones, oldest first: undefined if there is room,
 * null if all are signed in and must stay. Otherwise the oldest one that is not signed in, from the block of networks that has
 * the most: honest clients sign in within a moment, so that idle connections only displace each other.
 */
export function connectionToEvict<One extends ConnectionState>(
  connections: readonly One[],
  address: string,
): One | null | undefined {
  const network = networkOf(address)
  const sameNetwork = connections.filter((one) => networkOf(one.address) === network)
  if (sameNetwork.length >= maxPerNetwork) return sameNetwork.find(({ organization }) => organization === null) ?? null
  if (connections.length < maxConnections) return undefined
  const waiting = connections.filter(({ organization }) => organization === null)
  return largestGroup(waiting, (one) => blockOf(one.address))[0] ?? null
}

/**
 * The connection of an organization that has been silent longest, if the organization exceeds its share; else undefined. A client
 * that leaves connections open displaces its own, and not those of other customers.
 */
export function excessConnection<One extends ConnectionState>(connections: readonly One[], of: number): One | undefined {
  const own = connections.filter(({ organization }) => organization === of)
  if (own.length <= maxPerOrganization) return undefined
  return own.reduce((silent, one) => (one.heardAt < silent.heardAt ? one : silent))
}
