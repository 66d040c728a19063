import type { AccountManager } from '#contract/account-managers.ts'
import { staffSorts } from '#contract/staff.ts'
import { staffOriginLabels, staffStatuses } from '#domain/staff.ts'
import { accountManager } from '#entities/account-manager.ts'
import { type Column, definePane } from '#portal/list/pane.ts'
import { plain, sortsOf, states, subline, times } from '#portal/nouns/columns.tsx'
import { groupsText, namesText, person, staffSortTitles, staffWords } from '#portal/nouns/staff-columns.tsx'
import { history } from '#portal/record/history.ts'
import { BrandMark, brandMark } from '#portal/ui/brand-mark.tsx'
import { later } from '#portal/ui/later.tsx'
import { brandOf } from '#domain/brand.ts'

const columns: readonly Column<AccountManager>[] = [
  person('Account manager, e-mail'),
  states('status', 'Status', 112, staffStatuses, (one) => one.status, { sort: 'status', keep: 3 }),
  plain('organizations', 'Organizations', 160, (one) => namesText(one.organizations), { long: true, keep: 2 }),
  plain('employers', 'Employers', 160, (one) => namesText(one.employers), { long: true }),
  plain('groups', 'Groups', 140, (one) => groupsText(one.groups), { long: true, keep: 1 }),
  plain('origin', 'Origin', 92, (one) => staffOriginLabels[one.origin]),
  plain('brand', 'Brand', 96, (one) => (one.brand === null ? '—' : brandOf(one.brand).name), {
    draw: (one) => (one.brand === null ? '—' : <BrandMark brand={one.brand} />),
  }),
  times('created', 'Created', (one) => one.created_at, { sort: 'created_at' }),
  times('updated', 'Changed', (one) => one.updated_at, { sort: 'updated_at' }),
]

/** Account managers (SCR-008), and the tabs of one (SCR-009 to SCR-011). */
export default definePane<AccountManager>({
  entity: accountManager,
  title: 'Account managers',
  next: 'account-manager.create',
  columns,
  shown: ['name', 'status', 'organizations', 'employers', 'groups', 'origin'],
  sorts: sortsOf(staffSorts, columns, staffSortTitles),
  sub: (one) => subline(one.email, one.brand !== null && brandMark(one.brand)),
  tabs: {
    general: later(async () => (await import('#portal/nouns/account-managers/general.tsx')).AccountManagerGeneral),
    connections: later(async () => (await import('#portal/nouns/account-managers/connections.tsx')).AccountManagerConnections),
    permissions: later(async () => (await import('#portal/nouns/account-managers/permissions.tsx')).AccountManagerPermissions),
    history,
  },
  words: staffWords,
})
