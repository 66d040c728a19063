import { atom } from 'jotai/vanilla'
import { Config, config } from '#portal/state/config.ts'
import { store } from '#portal/state/store.ts'

/** True when the server serves another version of the portal than the one that runs here (SCR-075). */
export const outdatedAtom = atom(false)

const everyMinutes = 5

async function ask(): Promise<void> {
  try {
    const response = await fetch('/config.json', { cache: 'no-store' })
    const served = response.ok ? Config.safeParse(await response.json()).data : undefined
    if (served && served.version !== config().version) store.set(outdatedAtom, true)
  } catch {
    // No answer says nothing about the version.
  }
}

/** Compares versions when the window gets focus and every five minutes. Returns what stops it. */
export function watchVersion(): () => void {
  const listen = () => void ask()
  const timer = setInterval(listen, everyMinutes * 60_000)
  addEventListener('focus', listen)
  return () => {
    clearInterval(timer)
    removeEventListener('focus', listen)
  }
}
