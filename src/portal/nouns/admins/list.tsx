import type { Admin } from '#contract/admins.ts'
import { staffSorts } from '#contract/staff.ts'
import { staffStatuses } from '#domain/staff.ts'
import { admin } from '#entities/admin.ts'
import { orDash } from '#portal/format/cell-text.ts'
import { type Column, definePane } from '#portal/list/pane.ts'
import { phoneWords, plain, sortsOf, states, times } from '#portal/nouns/columns.tsx'
import { groupsText, permissionsText, person, staffSortTitles, staffWords } from '#portal/nouns/staff-columns.tsx'
import { history } from '#portal/record/history.ts'
import { later } from '#portal/ui/later.tsx'

const columns: readonly Column<Admin>[] = [
  person('Admin, e-mail'),
  states('status', 'Status', 112, staffStatuses, (one) => one.status, { sort: 'status', keep: 3 }),
  plain('groups', 'Groups', 160, (one) => groupsText(one.groups), { long: true, keep: 2 }),
  plain('permissions', 'Permissions', 150, (one) => permissionsText(one.permissions), { long: true, keep: 1 }),
  plain('phone', 'Phone', 130, (one) => orDash(one.phone_number), { aliases: phoneWords }),
  times('created', 'Created', (one) => one.created_at, { sort: 'created_at' }),
  times('updated', 'Changed', (one) => one.updated_at, { sort: 'updated_at' }),
]

/** Admins (SCR-014), and the tabs of one (SCR-015). */
export default definePane<Admin>({
  entity: admin,
  title: 'Admins',
  next: 'admin.create',
  columns,
  shown: ['name', 'status', 'groups', 'permissions', 'phone'],
  sorts: sortsOf(staffSorts, columns, staffSortTitles),
  sub: (one) => <span>{one.email}</span>,
  tabs: {
    general: later(async () => (await import('#portal/nouns/admins/general.tsx')).AdminGeneral),
    permissions: later(async () => (await import('#portal/nouns/admins/permissions.tsx')).AdminPermissions),
    history,
  },
  words: staffWords,
})
