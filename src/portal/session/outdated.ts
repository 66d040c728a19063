import { atom } from 'jotai/vanilla'
import { Config } from '#portal/api/config.ts'
import { store } from '#portal/platform/store.ts'

/** True when the server serves another version of the portal than the one that runs here (SCR-075). */
export const outdatedAtom = atom(false)

const everyMinutes = 5

/** Asks which build is served now. */
export async function askVersion(): Promise<void> {
  // None while developing.
  const own = document.querySelector<HTMLMetaElement>('meta[name="version"]')?.content
  if (!own) return
  try {
    const response = await fetch('/config.json', { cache: 'no-store' })
    const served = response.ok ? Config.safeParse(await response.json()).data : undefined
    if (served && served.version !== own) store.set(outdatedAtom, true)
  } catch {
    // No answer says nothing about the version.
  }
}

/** Compares versions when the window gets focus and every five minutes. Returns what stops it. */
export function watchVersion(): () => void {
  const listen = () => void askVersion()
  const timer = setInterval(listen, everyMinutes * 60_000)
  addEventListener('focus', listen)
  return () => {
    clearInterval(timer)
    removeEventListener('focus', listen)
  }
}
