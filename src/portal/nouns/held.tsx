import type { AnyEndpoint } from '#contract/define.ts'
import type { Held } from '#contract/staff.ts'
import { groups, groupWords, hasNoEffect, permissionsOf, permissionWords } from '#domain/permission-groups.ts'
import { Beside } from '#portal/record/beside.tsx'

/** Groups and permissions as text; a permission from a group names the group. */
export function HeldRights({ held }: { held: Held }) {
  const groupIds = held.groups.map(({ id }) => id)
  const single = held.permissions.map(({ id }) => id)
  const byGroup = (id: number) =>
    groups
      .filter((group) => groupIds.includes(group.id) && group.permissions.some((each) => each === id))
      .map(({ name }) => groupWords(name))
  const all = [...permissionsOf(groupIds, single)].sort((a, b) => permissionWords(a).localeCompare(permissionWords(b)))
  return (
    <>
      <h3>Groups</h3>
      {held.groups.length === 0 ? (
        <p className="text-muted">No group.</p>
      ) : (
        <ul className="names">
          {held.groups.map(({ id, name }) => (
            <li key={id}>{groupWords(name)}</li>
          ))}
        </ul>
      )}
      <h3>Permissions</h3>
      {all.length === 0 ? (
        <p className="text-muted">No permission.</p>
      ) : (
        <ul className="names columns-2 gap-8">
          {all.map((id) => (
            <li key={id}>
              {permissionWords(id)}{' '}
              <span className="text-muted">
                {[byGroup(id).length > 0 && `by ${byGroup(id).join(', ')}`, hasNoEffect(id) && 'unused']
                  .filter(Boolean)
                  .join(' · ')}
              </span>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

/** The tab Permissions of a staff member, loaded by its own call. */
export const HeldTab = ({ id, version, endpoint }: { id: string; version: number; endpoint: AnyEndpoint }) => (
  <Beside endpoint={endpoint} id={id} version={version} failed="Could not fetch permissions list">
    {(held: Held) => <HeldRights held={held} />}
  </Beside>
)
