import { all } from '#domain/permissions.ts'
import { isolated } from '#domain/text.ts'

/** Who a view of a list can be shared with. */
export const audiences = [
  'EVERYBODY',
  'ADMINS',
  'ACCOUNT_MANAGERS',
  'SUPER_ADMINS',
  'TIMEKEEPING_APPROVERS',
  'HUMAN_RESOURCES',
  'PAYROLL',
] as const
export type Audience = (typeof audiences)[number]

export const audienceLabels: Readonly<Record<Audience, string>> = {
  EVERYBODY: 'Everybody',
  ADMINS: 'Admins',
  ACCOUNT_MANAGERS: 'Account managers',
  SUPER_ADMINS: 'Super-admins',
  TIMEKEEPING_APPROVERS: 'Timekeeping approvers',
  HUMAN_RESOURCES: 'Human resources',
  PAYROLL: 'Payroll',
}

/** Who shared a view with whom: 'Shared with payroll and human resources by Ada Admin'. */
export function sharedNote({ shared_with, shared_by }: { shared_with: readonly Audience[]; shared_by: string }): string {
  const labels = shared_with.map((audience) => audienceLabels[audience].toLowerCase())
  return `Shared with ${new Intl.ListFormat('en').format(labels)} by ${isolated(shared_by)}`
}

/** The permission groups (`permission-groups.ts`) that are an audience. */
const audienceGroups: Readonly<Partial<Record<Audience, number>>> = {
  SUPER_ADMINS: 1,
  TIMEKEEPING_APPROVERS: 2,
  HUMAN_RESOURCES: 3,
  PAYROLL: 4,
}

/** What decides which shared views a person has. */
interface Member {
  kind: 'ADMIN' | 'ACCOUNT_MANAGER'
  groupIds: readonly number[]
}

/** The audiences that a person belongs to. */
export const audiencesOf = ({ kind, groupIds }: Member): Audience[] =>
  audiences.filter((audience) => {
    const group = audienceGroups[audience]
    return (
      audience === 'EVERYBODY' ||
      (group === undefined ? audience === (kind === 'ADMIN' ? 'ADMINS' : 'ACCOUNT_MANAGERS') : groupIds.includes(group))
    )
  })

/** What sharing a view needs. */
export const sharing = all('share:views')

/** The audiences with which a person who may share can do so: an account manager not beyond their own groups. */
export const audiencesFor = (member: Member): readonly Audience[] =>
  member.kind === 'ADMIN' ? audiences : audiencesOf(member).filter((audience) => audience !== 'EVERYBODY')

/** Maximum number of views that are shared in one list. */
export const maxSharedViews = 30
