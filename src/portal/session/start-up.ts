import { atom } from 'jotai/vanilla'
import { loadConfig } from '#portal/api/config.ts'
import { loadMe } from '#portal/session/me.ts'
import { signedInAs } from '#portal/session/signed-in-as.ts'
import { loadCapabilities } from '#portal/api/capabilities.ts'
import { store } from '#portal/platform/store.ts'

/** `down`: the portal is unavailable, and retries by itself (SCR-074). */
export const startAtom = atom<'starting' | 'down' | 'ready'>('starting')

const retryAfter = 5000
let waiting: ReturnType<typeof setTimeout> | undefined
let trying = false

/** Loads the configuration, the user and the capabilities of the API. Retries until there is an answer. */
export async function startUp(): Promise<void> {
  if (trying || store.get(startAtom) === 'ready') return
  trying = true
  clearTimeout(waiting)
  try {
    await loadConfig()
    const supports = loadCapabilities()
    // For an API without a call for it, the user is known from the sign-in, which needs the capabilities first; else both load in
    // parallel.
    await Promise.all([supports, signedInAs() ? supports.then(() => loadMe()) : loadMe()])
    store.set(startAtom, 'ready')
  } catch {
    store.set(startAtom, 'down')
    waiting = setTimeout(() => void startUp(), retryAfter)
    addEventListener('online', () => void startUp(), { once: true })
  } finally {
    trying = false
  }
}
