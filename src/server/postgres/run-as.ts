import { existsSync, lchownSync, readFileSync, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { CannotStart } from '#server/cannot-start.ts'

export interface User {
  uid: number
  gid: number
}

/** The user that PostgreSQL's programs run as. */
export interface RunAs {
  /** Null for the user who started this process. */
  user: User | null
  /** Program, arguments and options for `spawn`. */
  command: (program: string, args: readonly string[]) => [string, string[], Partial<User>]
}

/** PostgreSQL refuses to run as root; any other user runs it themselves. `folder` must exist. */
export function runAs(folder: string, program: string): RunAs {
  if (process.getuid?.() !== 0) return { user: null, command: (name, args) => [name, [...args], {}] }
  const user = ownerOf(folder) ?? systemUser()
  const closed = [folder, program].flatMap(ancestorsOf).find((ancestor) => !mayEnter(user, ancestor))
  if (closed === undefined) return { user, command: (name, args) => [name, [...args], user] }
  const setpriv = ['/usr/bin/setpriv', '/bin/setpriv'].find(existsSync)
  if (!setpriv)
    throw new CannotStart(
      `PostgreSQL does not run as root, and other users cannot enter ${closed}: start this as an ordinary user, move it, or set DATABASE_URL.`,
    )
  // Passes on root's capability to traverse folders, and no other.
  const rights = ['--inh-caps=-all,+dac_override', '--ambient-caps=-all,+dac_override', '--bounding-set=-all,+dac_override']
  const identity = [`--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups']
  return { user, command: (name, args) => [setpriv, [...identity, ...rights, '--', name, ...args], {}] }
}

/** The owner of an existing cluster. */
function ownerOf(folder: string): User | null {
  const { uid, gid } = statSync(folder)
  return uid === 0 ? null : { uid, gid }
}

/** Gives a folder and its content to that user: a backup restored by root belongs to root. */
export function giveTo(user: User, folder: string): void {
  if (statSync(folder).uid === user.uid) return
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
    lchownSync(join(folder, name), user.uid, user.gid)
  lchownSync(folder, user.uid, user.gid)
}

/** An unprivileged user of this machine. */
function systemUser(): User {
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n')
  for (const name of ['postgres', 'nobody']) {
    const [, , uid, gid] = lines.find((line) => line.startsWith(`${name}:`))?.split(':') ?? []
    if (uid && gid) return { uid: Number(uid), gid: Number(gid) }
  }
  throw new CannotStart(
    'PostgreSQL does not run as root, and there is no user to run it as: start this as an ordinary user, or set DATABASE_URL.',
  )
}

function ancestorsOf(path: string): string[] {
  const above = dirname(path)
  return above === path ? [] : [...ancestorsOf(above), above]
}

const mayEnter = (user: User, folder: string): boolean => {
  const { mode, uid, gid } = statSync(folder)
  return (mode & (uid === user.uid ? 0o100 : gid === user.gid ? 0o010 : 0o001)) !== 0
}
