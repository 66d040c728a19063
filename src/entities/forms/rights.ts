import { isSuperAdmin, permissionsOf, permissionWords } from '#domain/permission-groups.ts'
import { difference, type Rights } from '#domain/staff.ts'
import type { PreviewRow } from '#kernel/command.ts'
import type { RightsChange } from '#kernel/rights-change.ts'

/** What somebody holds, as rows have it. */
interface Holder {
  groups?: readonly { id: number }[] | undefined
  permissions?: readonly { id: number }[] | undefined
}

const idsOf = (records: readonly { id: number }[] = []): number[] => records.map(({ id }) => id)

/** Rights by id, as calls carry them. */
export const rightsOf = ({ groups, permissions }: Holder): Rights => ({
  group_ids: idsOf(groups),
  permission_ids: idsOf(permissions),
})

/** The fields of the form of rights, as they begin. */
export const rightsValues = (one: Holder) => {
  const { group_ids, permission_ids } = rightsOf(one)
  return { group_ids: group_ids.map(String), permission_ids: permission_ids.map(String) }
}

interface Typed {
  group_ids?: readonly (number | string)[] | undefined
  permission_ids?: readonly (number | string)[] | undefined
}

/** Rights as a form has them, where ids are what its options are called. */
const rightsTyped = ({ group_ids = [], permission_ids = [] }: Typed): Rights => ({
  group_ids: group_ids.map(Number),
  permission_ids: permission_ids.map(Number),
})

/** What somebody will and will not be able to do afterwards: a row for each permission that comes or goes. */
export function rightsPreview(one: Holder, params: Typed): PreviewRow[] {
  const { after } = rightsChange(one, params)
  return difference(rightsOf(one), rightsTyped(params)).map((id) => {
    const given = after.has(id)
    return { of: permissionWords(id), what: 'right', before: given ? 'no' : 'yes', after: given ? 'yes' : 'no' }
  })
}

/** Permissions that are named one by one; more are counted. */
const maxNamed = 3

/** 'see billing, see employees and change users'. */
function canWords(ids: readonly number[], last: 'and' | 'or'): string {
  const words = ids.map(permissionWords).map((each) => each.charAt(0).toLowerCase() + each.slice(1))
  return [words.slice(0, -1).join(', '), ...words.slice(-1)].filter(Boolean).join(` ${last} `)
}

/** Who can do what now, and what no longer; null where nothing came and nothing went. */
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

/** What was done to the rights of somebody: who has become or is no longer a super-admin, else what they can do now and what not. */
export function rightsDone(name: string, one: Holder, params: Typed): string {
  const [from, to] = [rightsOf(one), rightsTyped(params)]
  const is = isSuperAdmin(to.group_ids)
  if (is !== isSuperAdmin(from.group_ids)) return is ? `${name} is a super-admin now` : `${name} is no super-admin any more`
  const { after } = rightsChange(one, params)
  const changed = difference(from, to)
  const [gained, lost] = [changed.filter((id) => after.has(id)), changed.filter((id) => !after.has(id))]
  return changeDone(name, gained, lost) ?? `Changed the groups of ${name}, who may do what they could`
}

/** What somebody holds before and after, by groups and by themselves; nobody holds anything before they are there. */
export function rightsChange(one: Holder, params: Typed): RightsChange {
  const held = ({ group_ids, permission_ids }: Rights) => permissionsOf(group_ids, permission_ids)
  return { before: held(rightsOf(one)), after: held(rightsTyped(params)) }
}
