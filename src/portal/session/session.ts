import { atom } from 'jotai/vanilla'
import type { Me } from '#contract/session.ts'
import type { Problem } from '#contract/problem.ts'
import { store } from '#portal/app/store.ts'

/** In local storage, where the specification has them (API-002, API-004); `tokenName` is watched by the other tabs. */
export const tokenName = 'admin-portal.token'
const keyName = 'admin-portal.application-key'
const deviceName = 'admin-portal.device'

/** The person signed in; null while nobody is. */
export const meAtom = atom<Me | null>(null)

/** Ids of the permissions of the person signed in; it changes only with the person's rights. */
export const heldAtom = atom<ReadonlySet<number>>((get) => new Set(get(meAtom)?.permissions.map((permission) => permission.id)))

/** Why the last session ended, for the sign-in screen (ERR-006, ERR-007). */
export const endedAtom = atom<string | null>(null)

/** Counts refusals for a missing permission: rights may have changed in the middle, so `me` is asked again. */
export const deniedAtom = atom(0)

/** When the API last took a call of this person as activity, in any tab; milliseconds. */
export const activeAtAtom = atom(0)

/** Seconds left until the session ends for want of activity; null while there is no need to say so (CONST-013). */
export const idleLeftAtom = atom<number | null>(null)

/** The bearer token, from local storage (API-004). */
export const token = (): string | null => localStorage.getItem(tokenName)
/** The application key, from local storage (API-002). */
export const applicationKey = (): string => localStorage.getItem(keyName) ?? ''
/** Keeps the application key that GET credentials answered. */
export const setApplicationKey = (key: string): void => localStorage.setItem(keyName, key)

/**
 * What this browser shows at sign-in: made up at first, and from a complete sign-in on the secret that the server
 * answered, so that strangers cannot lock this device out.
 */
export function deviceId(): string {
  const known = localStorage.getItem(deviceName)
  if (known) return known
  const made = crypto.randomUUID()
  localStorage.setItem(deviceName, made)
  return made
}

/** Keeps what the server answered to a complete sign-in here, or to a link. It stays after signing out. */
export const keepDevice = (secret: string): void => localStorage.setItem(deviceName, secret)

/** Keeps or forgets the bearer token. */
export const setToken = (value: string | null): void => {
  if (value === null) localStorage.removeItem(tokenName)
  else localStorage.setItem(tokenName, value)
}

/** The token that it was read by who is signed in; null before any was. */
let readBy: string | null = null
/** Keeps by which token that was. */
export const keepReadBy = (by: string): void => {
  readBy = by
}

/** The business date, yyyy-MM-dd; where the API does not say it, that of UTC. */
export const today = (): string => store.get(meAtom)?.business_date ?? new Date().toISOString().slice(0, 10)

/** The id of the person signed in; empty while nobody is. */
export const myId = (): string => store.get(meAtom)?.person.id ?? ''

/**
 * Whether this person is signed in, by the token that calls are made with: another tab may have signed somebody else in, which this
 * one has yet to read.
 */
export const isRead = (person: string): boolean => myId() === person && (readBy === null || readBy === token())

const sessionCodes: readonly string[] = ['session-expired', 'session-idle', 'session-ended', 'not-signed-in']
const expired = 'Your session has expired. Please login again.'

/** How a call that needs a person is refused without being sent, where nobody is signed in. */
export const notSignedIn: Problem = {
  type: 'about:blank',
  title: 'Not sent',
  status: 401,
  code: 'not-signed-in',
  detail: 'Please login to continue.',
}

/** Called when the API no longer accepts the token that a call `used`, or when there is no token. */
export function sessionEnded(problem: Problem, used: string | null): void {
  if (!sessionCodes.includes(problem.code)) return
  // An answer to a call of the session before says nothing about this one.
  if (used !== token()) return
  setToken(null)
  // Without a token nothing new is known about the session that ended: its message stays.
  if (used !== null) store.set(endedAtom, problem.detail ?? expired)
  else if (store.get(meAtom)) store.set(endedAtom, expired)
  store.set(meAtom, null)
}
