import { join } from 'node:path'
import { z } from 'zod'
import { filesIn, folders, readPrivate, writePrivate } from '#terminal/stored-files.ts'
import { howToSignIn, Stop } from '#terminal/stop.ts'

/** What is stored of a base address: how it is called, and who is signed in there. */
const StoredSession = z.object({
  /** Of the portal, or of the API. */
  address: z.string(),
  api: z.string(),
  /** Good for GET credentials only. */
  public_key: z.string(),
  application_key: z.string(),
  token: z.string().nullable(),
  person: z.object({ id: z.string(), email: z.string() }).nullable(),
  /** Identifies this computer at sign-in. It is kept after signing out. */
  device: z.string(),
  /** When it was last chosen; the latest is the default. */
  used: z.number(),
})
export type StoredSession = z.infer<typeof StoredSession>

/** An address as typed, without a path that ends in a slash. */
export function asAddress(typed: string): string {
  const whole = /^https?:\/\//.test(typed) ? typed : `${/^(localhost|127\.|\[::1\])/.test(typed) ? 'http' : 'https'}://${typed}`
  if (!URL.canParse(whole)) throw new Stop('usage', `${typed} is not an address.`)
  const { origin, pathname } = new URL(whole)
  return `${origin}${pathname.replace(/\/+$/, '')}`
}

/** A file name for an address: `127.0.0.1_3000`. */
export const slugOf = (address: string): string =>
  address.replace(/^https?:\/\//, (scheme) => (scheme === 'http://' ? '' : 's_')).replace(/[^\w.-]/g, '_')

const fileOf = (address: string): string => join(folders.config(), `${slugOf(address)}.json`)

/** The stored session of an address; null if there is none. */
export const storedSession = (address: string, warn: (sentence: string) => void): StoredSession | null =>
  StoredSession.safeParse(readPrivate(fileOf(address), warn)).data ?? null

/** Stores a session in a file that only its owner may read. */
export const storeSession = (session: StoredSession): void => writePrivate(fileOf(session.address), session)

/** All stored sessions, the last chosen first. */
export const storedSessions = (warn: (sentence: string) => void): StoredSession[] =>
  filesIn(folders.config())
    .flatMap((path) => StoredSession.safeParse(readPrivate(path, warn)).data ?? [])
    .sort((a, b) => b.used - a.used)

/** The session to use: of the address given by option or environment, else the last chosen. Stops if nobody is signed in. */
export function currentSession(at: string | undefined, warn: (sentence: string) => void): StoredSession {
  const given = at ?? process.env['PORTAL_ADDRESS']
  const session = given ? storedSession(asAddress(given), warn) : storedSessions(warn)[0]
  if (!session?.token) throw new Stop('signedOut', 'Please login to continue.', howToSignIn)
  return session
}
