import { groupWords, permissionWords } from '#domain/permission-groups.ts'
import { staffStatuses } from '#domain/staff.ts'
import { dateAndTime } from '#portal/format/dates.ts'
import type { Column } from '#portal/list/pane.ts'
import { changeWords } from '#portal/nouns/change-words.ts'
import { twoLines } from '#portal/nouns/columns.tsx'

/** Titles of the orders of staff lists, where they are not those of a column. */
export const staffSortTitles = { name: 'Name', email: 'E-mail' }

/** The column with the name of a person above their e-mail. */
export const person = <T extends { name: string; email: string }>(title: string): Column<T> => ({
  id: 'name',
  title,
  width: [200, 1.6],
  sort: 'name',
  keep: 3,
  text: (one) => `${one.name}, ${one.email}`,
  draw: (one) => twoLines(one.name, one.email),
})

/** The state of an invitation, beside the status: how long its link is valid, or that it has expired. */
export function invitationHint({ status, invitation_until }: { status: string; invitation_until: string | null }): string | null {
  if (status !== 'INVITED') return null
  return invitation_until === null ? 'the link has run out' : `the link is good until ${dateAndTime(invitation_until)}`
}

/** Groups as text; a dash without any. */
export const groupsText = (groups: readonly { name: string }[] = []): string =>
  namesText(groups.map(({ name }) => ({ name: groupWords(name) })))

/** Permissions held directly, as text; a dash without any. */
export const permissionsText = (permissions: readonly { short_name: string }[]): string =>
  namesText(permissions.map((each) => ({ name: permissionWords(each.short_name) })))

/** The texts of a history for the fields and rights of a staff member. */
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

/** Comma-separated names; a dash without any. */
export const namesText = (records: readonly { name: string }[] = []): string => records.map(({ name }) => name).join(', ') || '—'
