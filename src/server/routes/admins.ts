import {
  adminActions,
  countAdmins,
  createAdmin,
  getAdmin,
  getAdminPermissions,
  listAdminEvents,
  listAdmins,
  setAdminRights,
} from '#contract/admins.ts'
import { catalogueOf, listPermissions } from '#contract/staff.ts'
import { isSuperAdmin } from '#domain/permission-groups.ts'
import { reads } from '#server/http/reads.ts'
import { route } from '#server/http/route.ts'
import { invalid } from '#server/http-error.ts'
import { createStaff, loadRights, open, replaceRights, rightsIn, staffRoutes } from '#server/routes/staff/changes.ts'
import { toAdmin } from '#server/tables/staff.ts'
import { adminList } from '#server/tables/staff-list.ts'

const { change, create, shared } = staffRoutes('ADMIN', toAdmin)

export const routes = [
  route(listPermissions, async ({ query: { entity = 'ADMIN' } }) => catalogueOf(entity)),

  ...reads(
    { list: listAdmins, count: countAdmins, get: getAdmin, history: listAdminEvents },
    { list: adminList, open: (tx, actor, id: string) => open(tx, actor, 'ADMIN', id), answer: toAdmin, entity: 'admin' },
  ),

  route(getAdminPermissions, ({ tx, actor, params }) => loadRights(tx, actor, 'ADMIN', params.id, getAdminPermissions.needs)),

  create(createAdmin, async (context) => {
    const { name, email, phone_number = null } = context.body
    return { after: await createStaff(context, 'ADMIN', { name, email, phone_number, rights: rightsIn(context.body) }) }
  }),

  change(setAdminRights, async (context) => {
    const { subject, body } = context
    const rights = rightsIn(body)
    if (subject.last_super_admin && !isSuperAdmin(rights.group_ids))
      throw invalid([{ path: 'group_ids', message: 'The last super-admin stays one.' }])
    return { after: await replaceRights(context, 'ADMIN', subject, rights) }
  }),

  ...shared(adminActions),
]
