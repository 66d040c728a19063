import type { AddressInfo } from 'node:net'
import ssh2, { type Connection } from 'ssh2'
import type { Services } from '#server/http/route.ts'
import { hostKey } from '#server/sftp/host-key.ts'
import { SftpSession } from '#server/sftp/session.ts'
import { type SftpPerson, signIn } from '#server/sftp/sign-in.ts'

/** Connections at once: of all, and of one address. */
const mostConnections = 200
const mostOfAddress = 20
/** Milliseconds to sign in, and without a word from the client afterwards. */
const signInWithin = 30_000
const silentFor = 5 * 60_000
/** Passwords and keys that one connection may offer. */
const mostTries = 10

/** A listener of SFTP. */
export interface SftpListener {
  port: number
  /** Ends every connection; what was not written to its end is thrown away. */
  close: () => Promise<void>
}

interface Listening {
  port: number
  host: string
  report: (error: unknown) => void
}

/**
 * Listens for SFTP (SSH File Transfer Protocol, version 3): the SFTP users of the portal put files that are imported, and fetch
 * EWA files. Nothing else of SSH is answered: no shell, no command, no forwarding.
 */
export async function listenForSftp(services: Services, { port, host, report }: Listening): Promise<SftpListener> {
  const { sealingKey } = services.auth
  const connections = new Map<Connection, string>()
  const ending = new Set<Promise<void>>()
  const server = new ssh2.Server(
    { hostKeys: [await hostKey(services.db, sealingKey)], ident: 'files', greeting: '' },
    (client, { ip }) => {
      const ofAddress = [...connections.values()].filter((address) => address === ip).length
      if (connections.size >= mostConnections || ofAddress >= mostOfAddress) return void client.end()
      connections.set(client, ip)
      const { over } = serve(services, client, ip, report)
      ending.add(over)
      void over.finally(() => {
        connections.delete(client)
        ending.delete(over)
      })
    },
  )
  server.on('error', report)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve()
    })
  })
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      for (const client of connections.keys()) client.end()
      await Promise.all([...ending])
      await closed
    },
  }
}

/** Serves one connection; `over` resolves once it has ended and nothing of it is left. */
function serve(services: Services, client: Connection, ip: string, report: (error: unknown) => void): { over: Promise<void> } {
  let person: SftpPerson | null = null
  let tries = 0
  const sessions: SftpSession[] = []
  let silence = setTimeout(() => client.end(), signInWithin)
  const spoke = () => {
    clearTimeout(silence)
    silence = setTimeout(() => client.end(), silentFor)
  }
  client.on('authentication', (context) => {
    if (context.method === 'none') return context.reject(['publickey', 'password'])
    tries += 1
    if (tries > mostTries) return void client.end()
    void signIn(services, context, ip).then(
      (found) => {
        if (!found) return context.reject(['publickey', 'password'])
        person = found
        context.accept()
      },
      (error: unknown) => {
        report(error)
        context.reject()
      },
    )
  })
  client.on('ready', () => {
    spoke()
    client.on('session', (accept) => {
      const session = accept()
      // Whatever is no SFTP has no listener, which refuses it.
      session.on('sftp', (acceptSftp) => {
        const wire = acceptSftp()
        wire.on('error', report)
        // The client has said all that it will: it waits until the channel is closed.
        wire.on('end', () => wire.end())
        for (const event of ['OPEN', 'WRITE', 'READ', 'READDIR', 'STAT', 'LSTAT', 'CLOSE']) wire.on(event, spoke)
        if (person) sessions.push(new SftpSession(services, person, wire, report))
      })
    })
  })
  // A client that hangs up in the middle is no failure of ours.
  client.on('error', () => undefined)
  const over = new Promise<void>((resolve) => {
    client.once('close', () => {
      clearTimeout(silence)
      void Promise.all(sessions.map((session) => session.end()))
        .catch(report)
        .then(() => resolve())
    })
  })
  return { over }
}
