import { getAccountManagerPermissions } from '#contract/account-managers.ts'
import { getAdminPermissions } from '#contract/admins.ts'
import type { Me } from '#contract/session.ts'
import { Held } from '#contract/staff.ts'
import { permissionsOf } from '#domain/permission-groups.ts'
import { permissionIds, permissionNames } from '#domain/permissions.ts'
import { Refusal } from '#kernel/api-client.ts'
import { apiClient } from '#portal/api/client.ts'
import { store } from '#portal/platform/store.ts'
import { activeAtAtom, endedAtom, meAtom, setToken } from '#portal/api/session.ts'
import { type SignedInAs, signedInAs } from '#portal/session/signed-in-as.ts'

/** As in docs/rules/sign-in.md, unless the API ends the session itself. */
const idleSeconds = 15 * 60
const warningSeconds = 2 * 60

/** Permission ids from here on are extensions, which another API does not know (docs/rules/access.md). */
const firstExtension = 1001

const calls = [
  ['ADMIN', getAdminPermissions],
  ['ACCOUNT_MANAGER', getAccountManagerPermissions],
] as const

/**
 * Sets the signed-in user from the sign-in, for an API without a call for it. Such an API does not see background calls of the
 * portal, so the end after inactivity is decided here. Throws `Unanswered` when the API is unreachable.
 */
export async function asSignedIn(background: boolean): Promise<void> {
  const known = signedInAs()
  const now = store.get(meAtom)
  const idle = now !== null && Date.now() - store.get(activeAtAtom) > now.session.idle_seconds * 1000
  if (!known || (background && idle)) {
    setToken(null)
    if (idle) store.set(endedAtom, 'Your session has expired due to inactivity. Please login again to continue working.')
    store.set(meAtom, null)
    return
  }
  if (!background) store.set(activeAtAtom, Date.now())
  try {
    const me = await withOwnRights(meOf(known), background)
    // The user may have signed out in the meantime.
    if (signedInAs()?.id === me.person.id && JSON.stringify(store.get(meAtom)) !== JSON.stringify(me)) store.set(meAtom, me)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
  }
}

/** The business date as known to a browser: today in New York. */
const today = (): string => new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York' }).format(new Date())

/** The user as known from the sign-in, who may do anything until the API says otherwise. */
const meOf = ({ id, email, until }: SignedInAs): Me => ({
  person: { id, name: email, email, kind: 'ADMIN' },
  groups: [],
  permissions: permissionIds.map((each) => ({ id: each, short_name: permissionNames[each] })),
  grants: null,
  session: { idle_seconds: idleSeconds, warning_seconds: warningSeconds, expires_at: until },
  business_date: today(),
  demo: false,
})

/**
 * The user with the rights from the specified calls, for an API without a call for the signed-in user. Permissions unknown to an
 * API do not lock anything; neither does an API that refuses both calls, since it enforces the rights itself.
 */
async function withOwnRights(me: Me, background: boolean): Promise<Me> {
  // The sign-in did not return an id.
  if (me.person.id === me.person.email) return me
  for (const [kind, endpoint] of calls) {
    try {
      const current = Held.safeParse(await apiClient.read(endpoint, { id: me.person.id }, undefined, { background }))
      if (current.success) return { ...me, ...rightsIn(current.data), person: { ...me.person, kind } }
    } catch (error) {
      // Users of the other kind are refused.
      if (!(error instanceof Refusal) || error.problem.status === 401) throw error
    }
  }
  return me
}

function rightsIn({ groups, permissions }: Held): Pick<Me, 'groups' | 'permissions'> {
  const ids = (all: readonly { id: number }[]): number[] => all.map(({ id }) => id)
  const held = permissionsOf(ids(groups), ids(permissions))
  const knowsExtensions = [...held].some((each) => each >= firstExtension)
  return {
    groups,
    permissions: permissionIds
      .filter((each) => held.has(each) || (each >= firstExtension && !knowsExtensions))
      .map((id) => ({ id, short_name: permissionNames[id] })),
  }
}
