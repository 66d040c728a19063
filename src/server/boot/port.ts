import { createServer } from 'node:net'
import { CannotStart, codeOf, messageOf } from '#server/cannot-start.ts'
import type { Settings } from '#server/boot/settings.ts'

/** Detects a port in use before anything is opened. */
export const refuseTakenPort = ({ port, host }: Settings): Promise<void> =>
  new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', (error) => reject(whyNotListening(error, port, host)))
    probe.listen({ port, host, exclusive: true }, () => probe.close(() => resolve()))
  })

/** The refusal for an error of listening; `before` is the prefix of its setting names. */
export function whyNotListening(error: unknown, port: number, host: string, before = ''): CannotStart {
  switch (codeOf(error)) {
    case 'EADDRINUSE':
      return new CannotStart(`Port ${port} is in use: stop what uses it, or set ${before}PORT to another one.`)
    case 'EACCES':
      return new CannotStart(`Port ${port} may not be opened by this user: set ${before}PORT to one above 1023.`)
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new CannotStart(`This machine has no address ${host}: correct ${before}HOST, or leave it out.`)
    default:
      return new CannotStart(
        `The server cannot listen on ${host}:${port} (${messageOf(error)}): correct ${before}HOST and ${before}PORT.`,
      )
  }
}
