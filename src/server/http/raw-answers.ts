import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { nothingAllowed } from '#server/http/answer-headers.ts'
import { problemOf, problemType } from '#server/http/problem-answer.ts'
import { Refused } from '#server/http-error.ts'

// Answers that Node sends by itself, before there is a request or without a body, replaced by problem documents.

const documentOf = (status: number, sentence: string): string =>
  JSON.stringify(problemOf(new Refused(status, 'malformed-request', sentence)))

const headers = { 'content-type': problemType, 'content-security-policy': nothingAllowed, 'x-content-type-options': 'nosniff' }

/** Answers requests that could not be parsed as HTTP. */
export function clientErrorHandler(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) return void socket.destroy()
  const [status, sentence] =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? ([431, 'The address or the headers of this request are too long.'] as const)
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? ([408, 'The request took too long to arrive.'] as const)
        : ([400, 'The request is not well formed.'] as const)
  endWith(socket, status, sentence)
}

/** Answers requests that Node would refuse without a body: an unmet expectation, a tunnel. */
export function answerRefusals(server: Server): void {
  server.on('checkExpectation', (_request: IncomingMessage, response: ServerResponse) => {
    response.writeHead(417, headers).end(documentOf(417, 'The expectation of this request cannot be met.'))
  })
  server.on('connect', (_request: IncomingMessage, socket: Socket) => endWith(socket, 405, 'This server makes no tunnels.'))
}

function endWith(socket: Socket, status: number, sentence: string): void {
  const body = documentOf(status, sentence)
  const lines = Object.entries({ ...headers, 'content-length': Buffer.byteLength(body), connection: 'close' })
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`,
  )
}
