import { Admin, adminFilters, countAdmins, getAdmin, listAdminEvents, listAdmins } from '#contract/admins.ts'
import { staffStatuses } from '#domain/staff.ts'
import { isolated } from '#domain/text.ts'
import { defineEntity } from '#kernel/entity.ts'
import { uuids } from '#kernel/ids.ts'

/** A staff member whose rights apply to all companies. */
export const admin = defineEntity<Admin>({
  name: 'admin',
  one: 'admin',
  many: 'admins',
  instead: {
    'A lock of the sign-in ends by itself within 15 minutes. At the sign-in the person can ask for a link by mail.': [
      ...['unlock admin', 'unlock account manager', 'unlock staff'],
    ],
  },
  icon: 'shield',
  ids: uuids,
  path: '/admins',
  schema: Admin,
  get: getAdmin,
  list: listAdmins,
  count: countAdmins,
  events: listAdminEvents,
  query: {},
  rows: (answer: { admins: Admin[] }) => answer.admins,
  filters: adminFilters,
  pane: true,
  tabs: { permissions: 'Permissions', history: 'History' },
  id: (one) => one.id,
  title: (one) => isolated(one.name),
  subtitle: (one) => one.email,
  status: { of: (one) => one.status, states: staffStatuses },
  version: (one) => one.version,
  keywords: (one) => [one.email],
  confirmWith: (one) => one.name,
})
