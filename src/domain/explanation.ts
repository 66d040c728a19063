import { groupWords } from '#domain/permission-groups.ts'
import { permissionId, type PermissionName, rightTo } from '#domain/permissions.ts'
import { canBeGiven, groupsFor, type StaffKind } from '#domain/staff.ts'

/** Why a person cannot access a record or a command; `allowed` if they can. */
export const accessReasons = ['allowed', 'account', 'permission', 'connection', 'state'] as const
export type AccessReason = (typeof accessReasons)[number]

/** Permissions that a refusal names: all of them are needed, or any one. */
export interface Missing {
  names: readonly PermissionName[]
  one: boolean
}

const plain = (name: PermissionName): string => rightTo([name]).replace('the right to ', '')

const listed = (words: readonly string[], last: 'and' | 'or'): string =>
  words.length > 1 ? `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1)}` : (words[0] ?? '')

/** Whether a set of permissions satisfies everything that is missing. */
const meets = (held: ReadonlySet<number>, missing: readonly Missing[]): boolean =>
  missing.every(({ names, one }) =>
    one ? names.some((name) => held.has(permissionId(name))) : names.every((name) => held.has(permissionId(name))),
  )

/** The permissions to grant among the missing ones; if any one would do, each of them. */
export const missingNames = (missing: readonly Missing[]): PermissionName[] => [...new Set(missing.flatMap(({ names }) => names))]

/**
 * Whether a person of a kind can be given what is missing by a granter with the permissions `given`: nobody can grant more than
 * they hold.
 */
export const canGive = (kind: StaffKind, missing: readonly Missing[], given: ReadonlySet<number>): boolean =>
  meets(new Set([...given].filter((id) => canBeGiven(kind, id))), missing)

/** Which permission a person lacks, and which groups include it. */
export function lacksSentence(name: string, kind: StaffKind, missing: readonly Missing[]): string {
  const rights = missing.map(({ names, one }) => listed(names.map(plain), one ? 'or' : 'and'))
  const lacks = `${name} lacks the right to ${[...new Set(rights)].join(', and to ')}`
  if (
    !meets(
      new Set(
        missingNames(missing)
          .map(permissionId)
          .filter((id) => canBeGiven(kind, id)),
      ),
      missing,
    )
  )
    return `${lacks}, which only an admin can be given.`
  const groups = groupsFor(kind).filter((group) => meets(new Set(group.permissions), missing))
  const alone = missing.length === 1 && (missing[0]?.one || missing[0]?.names.length === 1)
  const itself = alone ? 'the permission itself' : 'the permissions themselves'
  const by = groups.length
    ? `the ${groups.length > 1 ? 'groups' : 'group'} ${listed(
        groups.map((group) => groupWords(group.name)),
        'or',
      )} or `
    : ''
  return `${lacks}, which ${by}${itself} would give.`
}

/** Owner of a record: an employer, or an organization as a whole. */
export interface Owner {
  organization: string
  /** Null if it belongs to the organization itself. */
  employer: string | null
}

/** For personal records, such as a sign-in or an export. */
export const notTheirsSentence = (name: string): string => `${name} cannot see this: it is somebody else's own.`

/** Which connection a person lacks; `beside` are the employers of that organization that they are connected to. */
export function notConnectedSentence(name: string, owner: Owner | null, beside: readonly string[]): string {
  if (!owner) return `${name} is connected to no company that this belongs to; a connection to it would give it.`
  const { organization, employer } = owner
  const wanted = employer ?? `${organization} as a whole`
  const has =
    beside.length > 3 ? `${beside.length} other employers of ${organization}` : `${listed(beside, 'and')} of ${organization}`
  const lacks = beside.length ? `is connected to ${has}, but not to ${wanted}` : `is not connected to ${wanted}`
  const gives = employer ? `a connection to ${employer} or to ${organization} as a whole` : 'that connection'
  return `${name} ${lacks}; ${gives} would give it.`
}
