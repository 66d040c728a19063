import type { staffSorts } from '#contract/staff.ts'
import { groupWords, permissionWords } from '#domain/permission-groups.ts'
import { staffStatuses } from '#domain/staff.ts'
import { dateAndTime } from '#portal/format/dates.ts'
import type { Column } from '#portal/list/pane.ts'
import { changeWords } from '#portal/nouns/change-words.ts'
import { twoLines } from '#portal/nouns/columns.tsx'

/** What the orders of lists of the staff are called. */
export const staffSortTitles: Readonly<Record<(typeof staffSorts)[number], string>> = {
  name: 'Name',
  email: 'E-mail',
  status: 'Status',
  created_at: 'Created',
  updated_at: 'Changed',
}

/** The column that names somebody: their name above their e-mail. */
export const person = <T extends { name: string; email: string }>(title: string): Column<T> => ({
  id: 'name',
  title,
  width: [200, 1.6],
  sort: 'name',
  keep: 3,
  text: (one) => `${one.name}, ${one.email}`,
  draw: (one) => twoLines(one.name, one.email),
})

/** What there is to say of an invitation beside the status: how long its link is good, or that it is good no more. */
export function invitationHint({ status, invitation_until }: { status: string; invitation_until: string | null }): string | null {
  if (status !== 'INVITED') return null
  return invitation_until === null ? 'the link has run out' : `the link is good until ${dateAndTime(invitation_until)}`
}

/** Groups in words; a dash where there is none. */
export const groupsText = (groups: readonly { name: string }[] = []): string =>
  namesText(groups.map(({ name }) => ({ name: groupWords(name) })))

/** Permissions held beside those of groups, in words; a dash where there is none. */
export const permissionsText = (permissions: readonly { short_name: string }[]): string =>
  namesText(permissions.map((each) => ({ name: permissionWords(each.short_name) })))

/** What a history calls the fields of somebody of the staff, and how it tells what they hold. */
export const staffWords = changeWords(
  { email: 'E-mail' },
  { status: staffStatuses },
  {
    groups: (value) => eachOf(value, groupWords),
    permissions: (value) => eachOf(value, permissionWords),
  },
)

const eachOf = (value: unknown, words: (name: string) => string): string =>
  String(value).split(', ').filter(Boolean).map(words).join(', ') || 'none'

/** Names in a row; a dash where there is none. */
export const namesText = (records: readonly { name: string }[] = []): string => records.map(({ name }) => name).join(', ') || '—'
