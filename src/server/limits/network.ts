import { isIPv6 } from 'node:net'

const mapped = /^(?:::|(?:0{1,4}:){5})ffff:/i

/** The IPv4 address in an IPv4-mapped IPv6 address, in either notation (RFC 4291, 2.5.5.2). */
function unmapped(address: string): string {
  if (!mapped.test(address)) return address
  const [high = '', low] = address.replace(mapped, '').split(':')
  // The dotted notation may be followed by a port.
  if (low === undefined || high.includes('.')) return high
  return [high, low]
    .map((group) => Number.parseInt(group, 16))
    .flatMap((value) => [value >> 8, value & 255])
    .join('.')
}

/** The bare address: no port, no zone, IPv4 where mapped. */
const bareOf = (address: string): string =>
  unmapped(
    address
      .replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1')
      .replace(/^\[(.*)\](?::\d+)?$/, '$1')
      .replace(/%.*$/, ''),
  )

/** The first groups of an IPv6 address, without leading zeros. */
function groupsOf(address: string, count: number): string {
  const [head = '', tail = ''] = address.toLowerCase().split('::')
  const before = head.split(':').filter(Boolean)
  const after = tail.split(':').filter(Boolean)
  const zeros = address.includes('::') ? Array<string>(Math.max(0, 8 - before.length - after.length)).fill('0') : []
  return [...before, ...zeros, ...after]
    .slice(0, count)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')
}

/** The network that limits apply to: one IPv4 address, or the /64 of one IPv6 subscriber. */
export function networkOf(address: string): string {
  const bare = bareOf(address)
  return isIPv6(bare) ? groupsOf(bare, 4) : bare.slice(0, 100)
}

/** The block around a network that one owner may hold entirely: an IPv4 /24, or an IPv6 /48. */
export function blockOf(address: string): string {
  const bare = bareOf(address)
  return isIPv6(bare) ? groupsOf(bare, 3) : bare.replace(/\.\d+$/, '').slice(0, 100)
}
