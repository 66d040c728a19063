import { atom } from 'jotai/vanilla'
import type { Me } from '#contract/session.ts'
import type { Problem } from '#contract/problem.ts'
import { store } from '#portal/platform/store.ts'

/** In local storage, as specified (API-002, API-004); the other tabs watch `tokenName`. */
export const tokenName = 'admin-portal.token'
const keyName = 'admin-portal.application-key'
const deviceName = 'admin-portal.device'

/** The signed-in user; null if nobody is. */
export const meAtom = atom<Me | null>(null)

/** Ids of the user's permissions; changes only with their rights. */
export const heldAtom = atom<ReadonlySet<number>>((get) => new Set(get(meAtom)?.permissions.map((permission) => permission.id)))

/** Why the last session ended, for the sign-in screen (ERR-006, ERR-007). */
export const endedAtom = atom<string | null>(null)

/** Counts refusals for a missing permission: the rights may have changed, so `me` is reloaded. */
export const deniedAtom = atom(0)

/** When the API last counted a call of this user as activity, in any tab; milliseconds. */
export const activeAtAtom = atom(0)

/** Seconds until the session ends after inactivity; null while no warning is needed (CONST-013). */
export const idleLeftAtom = atom<number | null>(null)

/** The bearer token, from local storage (API-004). */
export const token = (): string | null => localStorage.getItem(tokenName)
/** The application key, from local storage (API-002). */
export const applicationKey = (): string => localStorage.getItem(keyName) ?? ''
/** Stores the application key returned by GET credentials. */
export const setApplicationKey = (key: string): void => localStorage.setItem(keyName, key)

/**
 * Identifies this browser at sign-in: random at first, and after a complete sign-in the secret returned by the server, so that
 * strangers cannot lock this device out.
 */
export function deviceId(): string {
  const known = localStorage.getItem(deviceName)
  if (known) return known
  const made = crypto.randomUUID()
  localStorage.setItem(deviceName, made)
  return made
}

/** Stores the secret returned by a complete sign-in or a device link. It is kept after signing out. */
export const keepDevice = (secret: string): void => localStorage.setItem(deviceName, secret)

/** Stores or removes the bearer token. */
export const setToken = (value: string | null): void => {
  if (value === null) localStorage.removeItem(tokenName)
  else localStorage.setItem(tokenName, value)
}

/** The token with which the current user was loaded; null before. */
let readBy: string | null = null
/** Remembers that token. */
export const keepReadBy = (by: string): void => {
  readBy = by
}

/** The business date, yyyy-MM-dd; today in UTC if the API does not return it. */
export const today = (): string => store.get(meAtom)?.business_date ?? new Date().toISOString().slice(0, 10)

/** The id of the signed-in user; empty if nobody is. */
export const myId = (): string => store.get(meAtom)?.person.id ?? ''

/**
 * Whether this person is signed in with the current token: another tab may have signed in somebody else, whom this one has not
 * loaded yet.
 */
export const isRead = (person: string): boolean => myId() === person && (readBy === null || readBy === token())

const sessionCodes: readonly string[] = ['session-expired', 'session-idle', 'session-ended', 'not-signed-in']
const expired = 'Your session has expired. Please login again.'

/** The refusal of a call that needs a signed-in user, without sending it. */
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
  // An answer to a call of a previous session says nothing about this one.
  if (used !== token()) return
  setToken(null)
  // Without a token nothing new is known about the session that ended: its message stays.
  if (used !== null) store.set(endedAtom, problem.detail ?? expired)
  else if (store.get(meAtom)) store.set(endedAtom, expired)
  store.set(meAtom, null)
}
