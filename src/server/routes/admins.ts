import {
  countAdmins,
  createAdmin,
  deleteAdmin,
  deleteAdminInvitation,
  getAdmin,
  getAdminPermissions,
  inviteAdmin,
  listAdminEvents,
  listAdmins,
  postAdmin,
  postAdminAuthenticatorReset,
  postAdminInvitation,
  postAdminPasswordReset,
  postAdminPermissions,
  removeAdmin,
  resetAdminAuthenticator,
  resetAdminPassword,
  setAdminRights,
  withdrawAdminInvitation,
} from '#contract/admins.ts'
import type { AnyEndpoint } from '#contract/define.ts'
import { catalogueOf, listPermissions } from '#contract/staff.ts'
import { isSuperAdmin } from '#domain/permission-groups.ts'
import { historyOf } from '#server/http/history.ts'
import { change, on, route } from '#server/http/route.ts'
import { listCursor } from '#server/paging/list-cursor.ts'
import { invalid } from '#server/http-error.ts'
import {
  changeRoute,
  replaceRights,
  reinvite,
  type StaffCreation,
  createStaff,
  creationHandlers,
  open,
  remove,
  resetAuthenticator,
  resetPassword,
  rightsIn,
  loadRights,
  type Subject,
  withdraw,
} from '#server/routes/staff/changes.ts'
import { toAdmin } from '#server/tables/staff.ts'
import { adminList } from '#server/tables/staff-list.ts'

const changingAdmin = <E extends AnyEndpoint>(endpoint: E, intents: Parameters<typeof change<E, Subject>>[1]['intents']) =>
  changeRoute('ADMIN', toAdmin, endpoint, intents)

export const routes = [
  route(listPermissions, async ({ query: { entity = 'ADMIN' } }) => catalogueOf(entity)),

  route(listAdmins, async ({ tx, actor, query, services }) => {
    const { from, seal } = listCursor(services, 'GET /admins', actor, query)
    const { rows, next } = await adminList.page({ tx, actor }, query, from)
    return { admins: rows.map((row) => toAdmin(row, actor)), lek: seal(next) }
  }),

  route(countAdmins, ({ tx, actor, query }) => adminList.count({ tx, actor }, query)),

  route(getAdmin, async ({ tx, actor, params }) => toAdmin(await open(tx, actor, 'ADMIN', params.id), actor)),

  route(getAdminPermissions, ({ tx, actor, params }) => loadRights(tx, actor, 'ADMIN', params.id, getAdminPermissions.needs)),

  route(listAdminEvents, async (context) => {
    const { id } = await open(context.tx, context.actor, 'ADMIN', context.params.id)
    return historyOf(context, 'GET /admins/{id}/history', { entity: 'admin', id })
  }),

  change<typeof postAdmin, StaffCreation>(postAdmin, {
    ...creationHandlers('ADMIN'),
    intents: [
      on<typeof createAdmin, StaffCreation>(createAdmin, async (context) => {
        const { name, email, phone_number = null } = context.body
        const row = await createStaff(context, 'ADMIN', { name, email, phone_number, rights: rightsIn(context.body) })
        return { after: { row }, answer: toAdmin(row, context.actor) }
      }),
    ],
  }),

  changingAdmin(deleteAdmin, [on<typeof removeAdmin, Subject>(removeAdmin, (context) => remove(context, context.subject))]),

  changingAdmin(postAdminPermissions, [
    on<typeof setAdminRights, Subject>(setAdminRights, async (context) => {
      const { subject, body, actor } = context
      const rights = rightsIn(body)
      if (subject.last_super_admin && !isSuperAdmin(rights.group_ids))
        throw invalid([{ path: 'group_ids', message: 'The last super-admin stays one.' }])
      const after = await replaceRights(context, 'ADMIN', subject, rights)
      return { after, answer: toAdmin(after, actor) }
    }),
  ]),

  changingAdmin(postAdminInvitation, [
    on<typeof inviteAdmin, Subject>(inviteAdmin, async (context) => {
      const after = await reinvite(context, 'ADMIN', context.subject)
      return { after, answer: toAdmin(after, context.actor) }
    }),
  ]),

  changingAdmin(postAdminPasswordReset, [
    on<typeof resetAdminPassword, Subject>(resetAdminPassword, async (context) => {
      const after = await resetPassword(context, 'ADMIN', context.subject)
      return { after, answer: toAdmin(after, context.actor) }
    }),
  ]),

  changingAdmin(postAdminAuthenticatorReset, [
    on<typeof resetAdminAuthenticator, Subject>(resetAdminAuthenticator, async (context) => {
      const after = await resetAuthenticator(context, 'ADMIN', context.subject, context.body.reason)
      return { after, answer: toAdmin(after, context.actor) }
    }),
  ]),

  changingAdmin(deleteAdminInvitation, [
    on<typeof withdrawAdminInvitation, Subject>(withdrawAdminInvitation, async (context) => {
      const after = await withdraw(context, 'ADMIN', context.subject)
      return { after, answer: toAdmin(after, context.actor) }
    }),
  ]),
]
