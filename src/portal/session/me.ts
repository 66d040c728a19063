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
} from '#portal/session/session.ts'
import { forgetSignedInAs, keepSignedInAs } from '#portal/session/signed-in-as.ts'
import { store } from '#portal/app/store.ts'
import { forgetTraces } from '#portal/session/traces.ts'
import { apiClient } from '#portal/api/client.ts'

const everySeconds = 60
/** When somebody signed out, for the other tabs: their traces go, too, unlike those of a session that ran out. */
const leftName = 'admin-portal.left'
let lastPerson: string | null = null

/**
 * Asks who is signed in and what they may. `background` calls do not keep the session alive.
 * Throws `Unanswered` when the API is away; a session that is over leaves nobody signed in.
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
    // Rows, history and drafts of one person are nothing for the next.
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

/** True where the API has no call that tells who is signed in. */
const isUnsupported = (): boolean => store.get(isDescribedAtom) !== null && !store.get(capabilitiesAtom)(getMe)

const quietly = () =>
  void loadMe({ background: true }).catch(() => {
    // Without an answer the person stays who it was; the status bar says that the network is lost.
  })

/** Stores the token of a fresh sign-in and loads the user; `as` is what the sign-in itself returned about them. */
export async function enter(accessToken: string, as: Parameters<typeof keepSignedInAs>[0]): Promise<void> {
  setToken(accessToken)
  if (isUnsupported()) keepSignedInAs(as)
  else forgetSignedInAs()
  await loadMe()
}

/** Ends the session here, in the other tabs and on the server, and forgets what was on screen. */
export async function leave(): Promise<void> {
  await endSession()
  // Set before the token is removed: a tab that is signed out no longer listens.
  localStorage.setItem(leftName, String(Date.now()))
  setToken(null)
  forgetAll()
}

/**
 * Ends the session for a new version of the portal, and asks for the sign-in where the person is: as with a session that ran
 * out, what was typed and the place stay, since it was not the person who left.
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
    // Without an answer the token is forgotten all the same; the server lets it run out.
  }
}

function forgetAll(): void {
  // Without a person no draft is written any more.
  store.set(meAtom, null)
  forgetSignedInAs()
  forgetTraces()
  location.assign('/')
}

/** Asks again on focus, every minute, and when a permission was missing; follows the other tabs. Returns what stops it. */
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
