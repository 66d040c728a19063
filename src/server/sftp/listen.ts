import { type AddressInfo, createServer, type Socket } from 'node:net'
import ssh2, { type Connection, type ServerChannel, type Session } from 'ssh2'
import type { Services } from '#server/http/route.ts'
import { hostKeys } from '#server/auth/host-key.ts'
import type { Caller } from '#server/auth/caller.ts'
import { SftpSession } from '#server/sftp/session.ts'
import { connectionToEvict, excessConnection, type ConnectionState } from '#server/limits/sftp-connections.ts'
import { type SftpPerson, signIn } from '#server/sftp/sign-in.ts'

/** Milliseconds to sign in, and maximum silence of the client afterwards. */
const signInWithin = 30_000
const silentFor = 5 * 60_000
/** Maximum number of passwords and keys that one connection may try. */
const maxTries = 10
/** Maximum number of open channels per connection. */
const maxSessions = 10
/** Milliseconds that a client has to close its side after the connection was ended. */
const closesWithin = 2_000

/**
 * No compression: a small packet would be inflated to any size, before the client has signed in. No SHA-1, which is not considered
 * safe any more.
 */
const algorithms: ssh2.ServerConfig['algorithms'] = {
  compress: ['none'],
  hmac: { append: [], prepend: [], remove: ['hmac-sha1', 'hmac-sha1-etm@openssh.com'] },
}

/** A running SFTP server. */
export interface SftpListener {
  port: number
  /** Ends every connection; incomplete files are discarded. */
  close: () => Promise<void>
}

interface ListenOptions {
  port: number
  host: string
  report: (error: unknown) => void
}

/**
 * Listens for SFTP (SSH File Transfer Protocol, version 3): the SFTP users of the portal upload files to import, and download EWA
 * files. A shell or a command is refused with a sentence; other SSH features are not served.
 */
export async function listenForSftp(services: Services, { port, host, report }: ListenOptions): Promise<SftpListener> {
  const { sealingKey } = services.auth
  const connections = new Map<Socket, OpenConnection>()
  const open = () => [...connections].flatMap(([{ destroyed }, one]) => (destroyed ? [] : [one]))
  const ssh = new ssh2.Server(
    { hostKeys: await hostKeys(services.db, sealingKey), ident: 'files', greeting: '', algorithms },
    (client, { ip, port: from, header }) => {
      // The library reports a connection once the client has sent its version, without its socket.
      const found = [...connections].find(([{ remoteAddress, remotePort }]) => remoteAddress === ip && remotePort === from)
      const hidesSentences = /^(OpenSSH|dropbear)/.test(header.versions.software)
      if (found) serve(services, client, found, { open, report, hidesSentences })
      else client.end()
    },
  )
  // A client that does not speak SSH is not our failure.
  ssh.on('error', () => undefined)
  const server = createServer((socket) => {
    const address = socket.remoteAddress ?? ''
    const first = connectionToEvict(open(), address)
    if (first === null) return void socket.destroy()
    first?.leave()
    const leave = () => socket.destroy()
    const one: OpenConnection = {
      address,
      organization: null,
      heardAt: Date.now(),
      leave,
      end: leave,
      late: setTimeout(() => one.end(), signInWithin),
      left: async () => undefined,
      over: Promise.resolve(),
    }
    one.over = new Promise((resolve) => {
      socket.once('close', () => {
        clearTimeout(one.late)
        void one
          .left()
          .catch(report)
          .then(() => connections.delete(socket))
          .then(() => resolve())
      })
    })
    // Answers are short, and the client waits for each before its next request.
    socket.setNoDelay(true)
    connections.set(socket, one)
    ssh.injectSocket(socket)
  })
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
      const all = [...connections.values()]
      for (const { end } of all) end()
      await Promise.all(all.map(({ over }) => over))
      await closed
    },
  }
}

const sftpOnly =
  'This server transfers files by SFTP only. Connect with sftp, WinSCP or FileZilla (protocol SFTP), or with scp without -O.'

/**
 * Ends a shell or a command, as by `ssh` and `scp -O`, with a sentence and status 1. Without it, clients show a protocol error,
 * or hang.
 */
function refuseCommands(session: Session): void {
  const refuse = (accept: () => ServerChannel) => {
    const channel = accept()
    // A client that hangs up before reading this is not our failure.
    channel.on('error', () => undefined)
    channel.stderr.write(`${sftpOnly}\r\n`)
    channel.exit(1)
    channel.end()
  }
  session.on('pty', (accept) => accept?.())
  session.on('shell', refuse)
  session.on('exec', refuse)
}

/** A connection, from its first byte on. */
interface OpenConnection extends ConnectionState {
  /** Closes it to make room for another. */
  leave: () => void
  /** Ends it, whether or not the client cooperates. */
  end: () => void
  /** Ends it after too long a silence. */
  late: NodeJS.Timeout
  /** Discards its incomplete files. */
  left: () => Promise<unknown>
  /** Resolves once it has ended and its files are discarded. */
  over: Promise<void>
}

interface ServeOptions {
  /** Returns all open connections. */
  open: () => OpenConnection[]
  report: (error: unknown) => void
  /** Whether the client shows nothing of a refusal but its code. */
  hidesSentences: boolean
}

/** Serves a connection whose client speaks SSH. */
function serve(
  services: Services,
  client: Connection,
  [socket, connection]: [Socket, OpenConnection],
  { open, report, hidesSentences }: ServeOptions,
): void {
  let person: SftpPerson | null = null
  let tries = 0
  const channels = new Set<object>()
  const sessions = new Set<Promise<void>>()
  connection.left = () => Promise.all(sessions)
  connection.end = () => {
    client.end()
    // The client gets an end packet, but need not close its side.
    setTimeout(() => socket.destroy(), closesWithin).unref()
  }
  const gone = new AbortController()
  socket.once('close', () => gone.abort())
  const caller: Caller = { address: socket.remoteAddress ?? '', device: null, gone: gone.signal }
  const noteActivity = () => {
    connection.heardAt = Date.now()
    clearTimeout(connection.late)
    connection.late = setTimeout(() => connection.end(), silentFor)
  }
  client.on('authentication', (context) => {
    if (context.method === 'none') return context.reject(['publickey', 'password'])
    tries += 1
    if (tries > maxTries) return connection.end()
    void signIn(services, context, caller).then(
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
    noteActivity()
    if (person) {
      connection.organization = person.organization_id
      excessConnection(open(), person.organization_id)?.end()
    }
    client.on('session', (accept, refuse) => {
      if (!person || channels.size >= maxSessions) return void refuse()
      const own = person
      const session = accept()
      channels.add(session)
      session.once('close', () => channels.delete(session))
      refuseCommands(session)
      const left = new AbortController()
      session.once('close', () => left.abort())
      // Other channels, such as forwarding, have no listener, so the library refuses them.
      session.once('subsystem', (acceptSftp, refuseOther, { name }) => {
        if (name !== 'sftp') return refuseOther()
        const options = { hidesSentences, noteActivity, gone: AbortSignal.any([gone.signal, left.signal]) }
        const serving = new SftpSession(services, own, report).serve(acceptSftp(), options)
        sessions.add(serving)
        void serving.catch(report).then(() => {
          channels.delete(session)
          sessions.delete(serving)
        })
      })
    })
  })
  // A client that hangs up halfway is not our failure.
  client.on('error', () => undefined)
}
