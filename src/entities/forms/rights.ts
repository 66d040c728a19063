import { isSuperAdmin, permissionsOf, permissionWords } from '#domain/permission-groups.ts'
import { difference, type Rights } from '#domain/staff.ts'
import type { PreviewRow } from '#kernel/command.ts'
import type { RightsChange } from '#kernel/rights-change.ts'

/** Groups and permissions of a staff member, as in rows. */
interface Holder {
  groups?: readonly { id: number }[] | undefined
  permissions?: readonly { id: number }[] | undefined
}

const idsOf = (records: readonly { id: number }[] = []): number[] => records.map(({ id }) => id)

/** Rights by id, as in calls. */
export const rightsOf = ({ groups, permissions }: Holder): Rights => ({
  group_ids: idsOf(groups),
  permission_ids: idsOf(permissions),
})

/** Initial values of the rights form. */
export const rightsValues = (one: Holder) => {
  const { group_ids, permission_ids } = rightsOf(one)
  return { group_ids: group_ids.map(String), permission_ids: permission_ids.map(String) }
}

interface Typed {
  group_ids?: readonly (number | string)[] | undefined
  permission_ids?: readonly (number | string)[] | undefined
}

/** Rights of a form, whose options are ids as text. */
const rightsTyped = ({ group_ids = [], permission_ids = [] }: Typed): Rights => ({
  group_ids: group_ids.map(Number),
  permission_ids: permission_ids.map(Number),
})

/** What the staff member gains and loses: a row per changed permission. */
export function rightsPreview(one: Holder, params: Typed): PreviewRow[] {
  const { after } = rightsChange(one, params)
  return difference(rightsOf(one), rightsTyped(params)).map((id) => {
    const given = after.has(id)
    return { of: permissionWords(id), what: 'right', before: given ? 'no' : 'yes', after: given ? 'yes' : 'no' }
  })
}

/** Maximum number of permissions named in a message; more are counted. */
const maxNamed = 3

/** 'see billing, see employees and change users'. */
function canWords(ids: readonly number[], last: 'and' | 'or'): string {
  const words = ids.map(permissionWords).map((each) => each.charAt(0).toLowerCase() + each.slice(1))
  return [words.slice(0, -1).join(', '), ...words.slice(-1)].filter(Boolean).join(` ${last} `)
}

/** What the staff member can do now, and what no longer; null if nothing changed. */
function changeDone(name: string, gained: readonly number[], lost: readonly number[]): string | null {
  const changed = [...gained, ...lost]
  if (changed.length === 0) return null
  if (changed.length <= maxNamed) {
    const more = gained.length > 0 && `can ${canWords(gained, 'and')} now`
    const fewer = lost.length > 0 && `can no longer ${canWords(lost, 'or')}`
    return `${name} ${[more, fewer].filter(Boolean).join(', and ')}`
  }
  const counts = [gained.length && `${gained.length} more`, lost.length && `${lost.length} fewer`]
  const records = (gained.length || lost.length) === 1 ? 'permission' : 'permissions'
  return `${name} has ${counts.filter(Boolean).join(' and ')} ${records} now`
}

/**
 * Message after a change of rights: whether the staff member has become or is no longer a super-admin, else what they can do now and
 * what not.
 */
export function rightsDone(name: string, one: Holder, params: Typed): string {
  const [from, to] = [rightsOf(one), rightsTyped(params)]
  const is = isSuperAdmin(to.group_ids)
  if (is !== isSuperAdmin(from.group_ids)) return is ? `${name} is a super-admin now` : `${name} is no super-admin any more`
  const { after } = rightsChange(one, params)
  const changed = difference(from, to)
  const [gained, lost] = [changed.filter((id) => after.has(id)), changed.filter((id) => !after.has(id))]
  return changeDone(name, gained, lost) ?? `Changed the groups of ${name}, who may do what they could`
}

/** Rights of the staff member before and after, by groups and individually; a new one has none before. */
export function rightsChange(one: Holder, params: Typed): RightsChange {
  const held = ({ group_ids, permission_ids }: Rights) => permissionsOf(group_ids, permission_ids)
  return { before: held(rightsOf(one)), after: held(rightsTyped(params)) }
}

/** What people ask for when somebody lacks a permission. */
export const rightsPhrases = {
  'grant permission': [
    ...['grant', 'give'],
    ...['', 'add ', 'change ', 'edit ', 'give ', 'grant '].flatMap((verb) => [`${verb}right`, `${verb}rights`]),
  ],
}
