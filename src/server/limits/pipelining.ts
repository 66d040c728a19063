import type { RequestListener, IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Maximum number of pipelined requests that wait on one connection. Browsers and proxies do not pipeline. */
const maxWaiting = 16

/** The requests of one connection. */
interface Line {
  busy: boolean
  waiting: [IncomingMessage, ServerResponse][]
}

/**
 * Answers one request at a time per connection, in order of arrival, with connections taking turns. By default Node starts all
 * pipelined requests of one read, some 1,400, even if nobody reads the answers. Waiting requests of a closed connection are
 * dropped, and a connection that pipelines too many is closed.
 */
export function oneAtATime(answer: RequestListener): RequestListener {
  const lines = new WeakMap<Socket, Line>()

  const next = (socket: Socket, line: Line): void => {
    if (socket.destroyed) line.waiting = []
    const [request, response] = line.waiting.shift() ?? []
    line.busy = request !== undefined
    if (!request || !response) return
    response.once('close', () => {
      if (line.waiting.length > 0) setImmediate(next, socket, line)
      else line.busy = false
    })
    answer(request, response)
  }

  return (request, response) => {
    const { socket } = request
    // The rest of a read that contained too many requests.
    if (socket.destroyed) return
    const line = lines.get(socket) ?? { busy: false, waiting: [] }
    lines.set(socket, line)
    if (line.waiting.length >= maxWaiting) return void socket.destroy()
    line.waiting.push([request, response])
    if (!line.busy) next(socket, line)
  }
}
