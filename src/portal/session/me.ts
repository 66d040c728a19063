import { getMe, Me, signOut } from '#contract/session.ts'
import { Refusal } from '#kernel/api-client.ts'
import { isDescribedAtom, capabilitiesAtom } from '#portal/api/capabilities.ts'
import {
  deniedAtom,
  endedAtom,
  keepReadBy,
  meAtom,
  notSignedIn,
  sessionEnded,
  setToken,
  token,
  tokenName,
} from '#portal/api/session.ts'
import { forgetSignedInAs, keepSignedInAs } from '#portal/session/signed-in-as.ts'
import { store } from '#portal/platform/store.ts'
import { forgetTraces } from '#portal/session/traces.ts'
import { apiClient } from '#portal/api/client.ts'

const everySeconds = 60
/** Time of a sign-out, for the other tabs: their traces are removed as well, unlike after an expired session. */
const leftName = 'admin-portal.left'
let lastPerson: string | null = null

/**
 * Loads the signed-in user and their rights. `background` calls do not extend the session. Throws `Unanswered` when the API is
 * unreachable; after the end of the session nobody is signed in.
 */
export async function loadMe({ background = false } = {}): Promise<void> {
  const by = token()
  if (!by) return
  if (isUnsupported()) {
    await (await import('#portal/session/as-signed-in.ts')).asSignedIn(background)
    return keepReadBy(by)
  }
  try {
    const me = Me.parse(await apiClient.read(getMe, {}, undefined, { background }))
    // Rows, history and drafts of one person must not be visible to the next.
    if (lastPerson !== null && lastPerson !== me.person.id) return location.reload()
    lastPerson = me.person.id
    keepReadBy(by)
    const same = JSON.stringify(store.get(meAtom)) === JSON.stringify(me)
    if (!same) store.set(meAtom, me)
    store.set(endedAtom, null)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
  }
}

/** True if the API has no call for the signed-in user. */
const isUnsupported = (): boolean => store.get(isDescribedAtom) !== null && !store.get(capabilitiesAtom)(getMe)

const quietly = () =>
  void loadMe({ background: true }).catch(() => {
    // Without an answer the user stays the same; the status bar says that the network is lost.
  })

/** Stores the token of a fresh sign-in and loads the user; `as` is what the sign-in itself returned about them. */
export async function enter(accessToken: string, as: Parameters<typeof keepSignedInAs>[0]): Promise<void> {
  setToken(accessToken)
  if (isUnsupported()) keepSignedInAs(as)
  else forgetSignedInAs()
  await loadMe()
}

/** Ends the session here, in the other tabs and on the server, and clears what was on screen. */
export async function leave(): Promise<void> {
  await endSession()
  // Set before the token is removed: a tab that is signed out no longer listens.
  localStorage.setItem(leftName, String(Date.now()))
  setToken(null)
  forgetAll()
}

/**
 * Ends the session for a new version of the portal, and shows the sign-in at the same address: drafts and place are kept, as
 * after an expired session, since the user did not sign out.
 */
export async function logInAgain(): Promise<void> {
  await endSession()
  setToken(null)
  location.reload()
}

async function endSession(): Promise<void> {
  try {
    if (store.get(capabilitiesAtom)(signOut)) await apiClient.post(signOut, {}, {})
  } catch {
    // Without an answer the token is removed anyway; the server lets it expire.
  }
}

function forgetAll(): void {
  // Without a person no draft is stored any more.
  store.set(meAtom, null)
  forgetSignedInAs()
  forgetTraces()
  location.assign('/')
}

/**
 * Reloads the user on focus, every minute, and after a missing permission; follows the other tabs. Returns the function that
 * stops it.
 */
export function watchMe(): () => void {
  const timer = setInterval(quietly, everySeconds * 1000)
  const follow = (event: StorageEvent) => {
    if (event.key === leftName) return forgetAll()
    if (event.key !== tokenName && event.key !== null) return
    if (token()) quietly()
    else sessionEnded(notSignedIn, null)
  }
  addEventListener('focus', quietly)
  addEventListener('storage', follow)
  const stopDenied = store.sub(deniedAtom, quietly)
  return () => {
    clearInterval(timer)
    removeEventListener('focus', quietly)
    removeEventListener('storage', follow)
    stopDenied()
  }
}
