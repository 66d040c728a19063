import { atom } from 'jotai/vanilla'
import { Config } from '#portal/api/config.ts'
import { store } from '#portal/platform/store.ts'

/** True when the server has another version of the portal than the one running here (SCR-075). */
export const outdatedAtom = atom(false)

const everyMinutes = 5

/** Checks which build the server has now. */
export async function askVersion(): Promise<void> {
  // Absent during development.
  const own = document.querySelector<HTMLMetaElement>('meta[name="version"]')?.content
  if (!own) return
  try {
    const response = await fetch('/config.json', { cache: 'no-store' })
    const served = response.ok ? Config.safeParse(await response.json()).data : undefined
    if (served && served.version !== own) store.set(outdatedAtom, true)
  } catch {
    // A failed request says nothing about the version.
  }
}

/** Compares versions on focus and every five minutes. Returns the function that stops it. */
export function watchVersion(): () => void {
  const listen = () => void askVersion()
  const timer = setInterval(listen, everyMinutes * 60_000)
  addEventListener('focus', listen)
  return () => {
    clearInterval(timer)
    removeEventListener('focus', listen)
  }
}
