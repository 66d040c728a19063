import { getAccountManagerPermissions } from '#contract/account-managers.ts'
import { getAdminPermissions } from '#contract/admins.ts'
import type { Me } from '#contract/session.ts'
import { Held } from '#contract/staff.ts'
import { permissionsOf } from '#domain/permission-groups.ts'
import { permissionIds, permissionNames } from '#domain/permissions.ts'
import { Refusal } from '#kernel/wire.ts'
import { wire } from '#portal/api/client.ts'

/** From here on ids of permissions are extensions, which another API does not know (rules 10). */
const firstExtension = 1001

const calls = [
  ['ADMIN', getAdminPermissions],
  ['ACCOUNT_MANAGER', getAccountManagerPermissions],
] as const

/**
 * The person with what they may by the calls of the specification that tell it, for an API without one that tells who is
 * signed in. Permissions that an API does not know lock nothing, nor does one that refuses both calls: it refuses by itself.
 * Throws `Unanswered` when the API is away, and the refusal of a session that is over.
 */
export async function withOwnRights(me: Me, background: boolean): Promise<Me> {
  // The sign-in named nobody.
  if (me.person.id === me.person.email) return me
  for (const [kind, endpoint] of calls) {
    try {
      const told = Held.safeParse(await wire.read(endpoint, { id: me.person.id }, undefined, { background }))
      if (told.success) return { ...me, ...rightsIn(told.data), person: { ...me.person, kind } }
    } catch (error) {
      // Whoever is of the other kind is refused.
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
