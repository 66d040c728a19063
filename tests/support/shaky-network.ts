import { createServer, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What happens to requests with a matching path: the connection is cut, or the server answers 404. */
export interface Fault {
  path: RegExp
  how?: 'cut' | 'gone'
  /** Number of matching requests that succeed before, with caching disabled. */
  after?: number
  /** They are held until then. */
  until?: Promise<void>
  /** Number of requests that fail; later ones succeed again. */
  times?: number
}

/** A proxy that makes real requests really fail, in any browser. */
export interface ShakyNetwork {
  origin: string
  /** From now on fails matching requests only; faults with the same pattern apply in sequence. */
  disturb: (...faults: Fault[]) => void
  /** Removes all faults. */
  mend: () => void
  /** Paths that failed since the last `disturb`. */
  disturbed: () => readonly string[]
  /** Everything that was requested, `GET /api/me`. */
  passed: readonly string[]
  close: () => Promise<void>
}

/**
 * Starts a proxy to the server at `origin` on its own port; `allow` decides whether pages of another origin may call it (CORS).
 */
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
    onward.on('error', () => failRequest(outgoing))
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

const failRequest = (outgoing: ServerResponse): void => {
  if (outgoing.headersSent) outgoing.destroy()
  else outgoing.writeHead(502).end()
}
