import { createServer, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What happens to the requests whose path matches: the line is cut, or the server does not know it. */
export interface Fault {
  path: RegExp
  how?: 'cut' | 'gone'
  /** So many matching requests go well before, each answered so that nobody may keep it. */
  after?: number
  /** They are held until then. */
  until?: Promise<void>
  /** So many are disturbed; the next ones go well again. */
  times?: number
}

/** A way to a server that can be disturbed, as networks are: real requests that really fail, in any browser. */
export interface ShakyNetwork {
  origin: string
  /** Disturbs from now on what matches, and nothing else any more; of several that match the same, one after the other. */
  disturb: (...faults: Fault[]) => void
  /** All is well again. */
  mend: () => void
  /** Paths that were disturbed since the last `disturb`. */
  disturbed: () => readonly string[]
  /** Everything that came along, `GET /api/me`. */
  passed: readonly string[]
  close: () => Promise<void>
}

/** Opens a way to the server at `origin`, on a port of its own; `allow` is asked whether pages of another origin may call it (CORS). */
export async function shakyNetwork(origin: string, allow: (other: string) => boolean = () => false): Promise<ShakyNetwork> {
  let faults: (Fault & { seen: Map<string, number> })[] = []
  let hits: string[] = []
  const passed: string[] = []
  const server = createServer((incoming, outgoing) => {
    const path = incoming.url ?? '/'
    const { origin: other = '' } = incoming.headers
    const crossing: Record<string, string> =
      other && allow(other)
        ? { 'access-control-allow-origin': other, vary: 'origin', 'cross-origin-resource-policy': 'cross-origin' }
        : {}
    passed.push(`${incoming.method} ${path}`)
    if (incoming.method === 'OPTIONS') {
      const asked = incoming.headers['access-control-request-headers'] ?? ''
      const methods = { 'access-control-allow-headers': asked, 'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE' }
      outgoing.writeHead(204, { ...crossing, ...methods }).end()
      return
    }
    const matching = faults.filter((each) => each.path.test(path))
    const seenBy = (fault: (typeof faults)[number]) => fault.seen.get(path) ?? 0
    const end = ({ after = 0, times = Infinity }: Fault) => after + times
    const fault = matching.find((each) => seenBy(each) < end(each)) ?? matching.at(-1)
    const seen = fault ? seenBy(fault) : 0
    fault?.seen.set(path, seen + 1)
    if (fault && seen >= (fault.after ?? 0) && seen < end(fault)) {
      hits.push(path)
      void Promise.resolve(fault.until).then(() => {
        if (fault.how === 'gone') outgoing.writeHead(404).end()
        else incoming.socket.destroy()
      })
      return
    }
    const onward = request(new URL(path, origin), { method: incoming.method, headers: incoming.headers }, (answer) => {
      const headers = { ...answer.headers, ...crossing, ...(fault ? { 'cache-control': 'no-store' } : {}) }
      outgoing.writeHead(answer.statusCode ?? 502, headers)
      answer.pipe(outgoing)
    })
    onward.on('error', () => away(outgoing))
    incoming.pipe(onward)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    disturb: (...next) => {
      faults = next.map((fault) => ({ ...fault, seen: new Map() }))
      hits = []
    },
    mend: () => {
      faults = []
    },
    disturbed: () => hits,
    passed,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const away = (outgoing: ServerResponse): void => {
  if (outgoing.headersSent) outgoing.destroy()
  else outgoing.writeHead(502).end()
}
