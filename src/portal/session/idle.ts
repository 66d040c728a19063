import { activeAtAtom, idleLeftAtom, meAtom } from '#portal/api/session.ts'
import { loadMe } from '#portal/session/me.ts'
import { store } from '#portal/platform/store.ts'

const name = 'admin-portal.active-at'
/** The server records activity at most this often, so its clock may be ahead of ours by that time. */
const slackMs = 15_000

/** Time until the session ends, and whether to warn. In milliseconds. */
export function idleState(
  now: number,
  activeAt: number,
  { idle_seconds, warning_seconds }: { idle_seconds: number; warning_seconds: number },
): { left: number; warn: boolean } {
  const left = activeAt + idle_seconds * 1000 - Math.min(slackMs, idle_seconds * 250) - now
  return { left, warn: left <= warning_seconds * 1000 }
}

/** Extends the session on the server. */
export function stay(): void {
  void loadMe().catch(() => {
    // Offline: the status bar says so, and the server's clock keeps running.
  })
}

/**
 * Watches for inactivity. The server decides; real input is reported to it while the user types or reads without making calls,
 * and a warning comes before the end. Returns the function that stops it.
 */
export function watchIdle(): () => void {
  let inputAt = Date.now()
  let warnedAt = 0
  store.set(activeAtAtom, Date.now())

  const input = () => {
    inputAt = Date.now()
    if (store.get(idleLeftAtom) !== null) {
      store.set(idleLeftAtom, null)
      stay()
    }
  }
  const share = () => {
    const at = store.get(activeAtAtom)
    if (at - warnedAt < 5000) return
    warnedAt = at
    try {
      localStorage.setItem(name, String(at))
    } catch {
      // The other tabs then rely on their own activity.
    }
  }
  const hear = (event: StorageEvent) => {
    const at = event.key === name ? Number(event.newValue) : 0
    if (at > store.get(activeAtAtom)) {
      warnedAt = at
      store.set(activeAtAtom, at)
      store.set(idleLeftAtom, null)
    }
  }
  let asked = 0
  const tick = () => {
    const me = store.get(meAtom)
    if (!me) return store.set(idleLeftAtom, null)
    const now = Date.now()
    const activeAt = store.get(activeAtAtom)
    const quiet = Math.min(60_000, me.session.idle_seconds * 250)
    if (inputAt > activeAt && now - activeAt > quiet && now - asked > 5000) {
      asked = now
      return stay()
    }
    const { left, warn } = idleState(now, activeAt, me.session)
    if (!warn) return store.set(idleLeftAtom, null)
    store.set(idleLeftAtom, Math.max(0, Math.ceil(left / 1000)))
    if (left <= 0 && now - asked > 5000) {
      asked = now
      void loadMe({ background: true }).catch(() => {
        // Retried at the next tick.
      })
    }
  }
  const timer = setInterval(tick, 1000)
  const kinds = ['keydown', 'pointerdown', 'wheel', 'touchstart'] as const
  for (const kind of kinds) addEventListener(kind, input, { capture: true, passive: true })
  addEventListener('storage', hear)
  const stopSharing = store.sub(activeAtAtom, share)
  return () => {
    clearInterval(timer)
    // The warning is removed with the session: after the next sign-in it would cover the page and take the focus.
    store.set(idleLeftAtom, null)
    for (const kind of kinds) removeEventListener(kind, input, { capture: true })
    removeEventListener('storage', hear)
    stopSharing()
  }
}
