import { atom } from 'jotai/vanilla'
import type { Me } from '#contract/authentication.ts'
import type { Problem } from '#contract/problem.ts'
import { store } from '#portal/state/store.ts'

const tokenName = 'admin-portal.token'
const keyName = 'admin-portal.application-key'

/** The person signed in; null while nobody is. */
export const meAtom = atom<Me | null>(null)

/** Why the last session ended, for the sign-in screen (ERR-006, ERR-007). */
export const endedAtom = atom<string | null>(null)

/** The bearer token, from local storage (API-004). */
export const token = (): string | null => localStorage.getItem(tokenName)
/** The application key, from local storage (API-002). */
export const applicationKey = (): string => localStorage.getItem(keyName) ?? ''
/** Keeps the application key that GET credentials answered. */
export const setApplicationKey = (key: string): void => localStorage.setItem(keyName, key)

/** Keeps or forgets the bearer token. */
export const setToken = (value: string | null): void => {
  if (value === null) localStorage.removeItem(tokenName)
  else localStorage.setItem(tokenName, value)
}

/** Told by the wire when the API no longer takes the token. */
export function sessionEnded(problem: Problem): void {
  if (problem.code !== 'session-expired' && problem.code !== 'session-idle' && problem.code !== 'not-signed-in') return
  setToken(null)
  store.set(meAtom, null)
  store.set(endedAtom, problem.code === 'not-signed-in' ? null : (problem.detail ?? 'Your session has expired. Please login again.'))
}
