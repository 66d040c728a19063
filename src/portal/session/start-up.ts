import { atom } from 'jotai/vanilla'
import { loadConfig } from '#portal/api/config.ts'
import { loadMe } from '#portal/session/me.ts'
import { signedInAs } from '#portal/session/signed-in-as.ts'
import { loadCapabilities } from '#portal/api/capabilities.ts'
import { store } from '#portal/platform/store.ts'

/** `down`: the portal cannot be used now, and is tried again by itself (SCR-074). */
export const startAtom = atom<'starting' | 'down' | 'ready'>('starting')

const retryAfter = 5000
let waiting: ReturnType<typeof setTimeout> | undefined
let trying = false

/** Loads the configuration, the person and what the API offers. Without an answer it tries again until there is one. */
export async function startUp(): Promise<void> {
  if (trying || store.get(startAtom) === 'ready') return
  trying = true
  clearTimeout(waiting)
  try {
    await loadConfig()
    const supports = loadCapabilities()
    // Who signed in at an API that does not tell is known without it; else both are asked at once.
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
