import {
  connectAccountManager,
  createAccountManager,
  deleteAccountManager,
  deleteAccountManagerInvitation,
  editAccountManager,
  inviteAccountManager,
  patchAccountManager,
  postAccessControlList,
  postAccountManager,
  postAccountManagerAuthenticatorReset,
  postAccountManagerInvitation,
  postAccountManagerPasswordReset,
  postAccountManagerPermissions,
  removeAccountManager,
  resetAccountManagerAuthenticator,
  resetAccountManagerPassword,
  setAccountManagerRights,
  withdrawAccountManagerInvitation,
} from '#contract/account-manager-changes.ts'
import {
  countAccountManagers,
  getAccountManager,
  getAccountManagerPermissions,
  listAccountManagerEvents,
  listAccountManagers,
} from '#contract/account-managers.ts'
import type { AnyEndpoint } from '#contract/define.ts'
import type { Actor } from '#server/access/actor.ts'
import { lockOut } from '#server/auth/lock-out.ts'
import { inviteByMail } from '#server/auth/invitation.ts'
import { historyOf } from '#server/http/history.ts'
import { invalid } from '#server/http-error.ts'
import { change, on, route } from '#server/http/route.ts'
import { listCursor } from '#server/paging/list-cursor.ts'
import {
  changeRoute,
  connectionsIn,
  emailUsed,
  replaceRights,
  reinvite,
  type StaffCreation,
  createStaff,
  creationHandlers,
  open,
  remove,
  requireConnectable,
  resetAuthenticator,
  resetPassword,
  rightsIn,
  loadRights,
  type Subject,
  withdraw,
} from '#server/routes/staff/changes.ts'
import { withoutNames } from '#server/tables/mask-events.ts'
import {
  factsOf,
  isEmailTaken,
  oneOfStaff,
  saveStaff,
  setConnections,
  type StaffRow,
  toAccountManager,
} from '#server/tables/staff.ts'
import { accountManagerList } from '#server/tables/staff-list.ts'

/** For an account manager who creates another one: they see only colleagues who share a company with them. */
const unconnected = 'Choose at least one organization or employer of yours: you could not see them otherwise.'

const manager = (row: StaffRow, actor: Actor) => toAccountManager(row, actor)
const changingManager = <E extends AnyEndpoint>(endpoint: E, intents: Parameters<typeof change<E, Subject>>[1]['intents']) =>
  changeRoute('ACCOUNT_MANAGER', manager, endpoint, intents)
export const routes = [
  route(listAccountManagers, async ({ tx, actor, query, services }) => {
    const { include = [], ...listQuery } = query
    const { from, seal } = listCursor(services, 'GET /account-managers', actor, listQuery)
    const { rows, next } = await accountManagerList.page({ tx, actor }, query, from)
    return { account_managers: rows.map((row) => toAccountManager(row, actor, include)), lek: seal(next) }
  }),

  route(countAccountManagers, ({ tx, actor, query }) => accountManagerList.count({ tx, actor }, query)),

  route(getAccountManager, async ({ tx, actor, params }) =>
    toAccountManager(await open(tx, actor, 'ACCOUNT_MANAGER', params.id), actor),
  ),

  route(getAccountManagerPermissions, ({ tx, actor, params }) =>
    loadRights(tx, actor, 'ACCOUNT_MANAGER', params.id, getAccountManagerPermissions.needs),
  ),

  route(listAccountManagerEvents, async (context) => {
    const { actor } = context
    const { id } = await open(context.tx, actor, 'ACCOUNT_MANAGER', context.params.id)
    const history = await historyOf(context, 'GET /account-managers/{id}/history', { entity: 'account-manager', id })
    return actor.kind === 'ADMIN' ? history : { ...history, events: history.events.map(withoutNames) }
  }),

  change<typeof postAccountManager, StaffCreation>(postAccountManager, {
    ...creationHandlers('ACCOUNT_MANAGER'),
    intents: [
      on<typeof createAccountManager, StaffCreation>(createAccountManager, async (context) => {
        const { full_name: name, email, brand = null } = context.body
        const connections = connectionsIn(context.body)
        if (
          context.actor.kind === 'ACCOUNT_MANAGER' &&
          connections.organization_ids.length + connections.employer_ids.length === 0
        )
          throw invalid([{ path: 'organization_ids', message: unconnected }])
        const row = await createStaff(context, 'ACCOUNT_MANAGER', {
          name,
          email,
          brand,
          rights: rightsIn(context.body),
          connections,
        })
        return { after: { row }, answer: manager(row, context.actor) }
      }),
    ],
  }),

  changingManager(patchAccountManager, [
    on<typeof editAccountManager, Subject>(editAccountManager, async ({ tx, actor, auth, subject, body, now }) => {
      const name = body.full_name ?? subject.name
      const email = (body.email ?? subject.email).toLowerCase()
      if (email !== subject.email) {
        if (await isEmailTaken(tx, email, subject.id)) throw emailUsed()
        // Links mailed to the old address become invalid.
        await lockOut(tx, subject.id, 'PASSWORD_CHANGED', now)
        if (subject.status === 'INVITED') await inviteByMail(tx, { id: subject.id, email, name }, auth, now)
      }
      await saveStaff(tx, subject.id, { name, email }, now)
      const after = factsOf(await open(tx, actor, 'ACCOUNT_MANAGER', subject.id), actor)
      return { after, answer: manager(after, actor) }
    }),
  ]),

  changingManager(deleteAccountManager, [
    on<typeof removeAccountManager, Subject>(removeAccountManager, (context) => remove(context, context.subject)),
  ]),

  changingManager(postAccountManagerPermissions, [
    on<typeof setAccountManagerRights, Subject>(setAccountManagerRights, async (context) => {
      const after = await replaceRights(context, 'ACCOUNT_MANAGER', context.subject, rightsIn(context.body))
      return { after, answer: manager(after, context.actor) }
    }),
  ]),

  changingManager(postAccessControlList, [
    on<typeof connectAccountManager, Subject>(connectAccountManager, async ({ tx, actor, subject, body, now }) => {
      const to = connectionsIn(body)
      await requireConnectable(tx, actor, to)
      await setConnections(tx, actor, subject.id, to)
      await saveStaff(tx, subject.id, {}, now)
      // The row may no longer be open to the person after the change.
      const row = (await oneOfStaff(tx, actor, 'ACCOUNT_MANAGER', subject.id)) ?? { ...subject, organizations: [], employers: [] }
      const after = factsOf({ ...row, version: subject.version + 1 }, actor)
      return { after, answer: manager(after, actor) }
    }),
  ]),

  changingManager(postAccountManagerInvitation, [
    on<typeof inviteAccountManager, Subject>(inviteAccountManager, async (context) => {
      const after = await reinvite(context, 'ACCOUNT_MANAGER', context.subject)
      return { after, answer: manager(after, context.actor) }
    }),
  ]),

  changingManager(deleteAccountManagerInvitation, [
    on<typeof withdrawAccountManagerInvitation, Subject>(withdrawAccountManagerInvitation, async (context) => {
      const after = await withdraw(context, 'ACCOUNT_MANAGER', context.subject)
      return { after, answer: manager(after, context.actor) }
    }),
  ]),

  changingManager(postAccountManagerAuthenticatorReset, [
    on<typeof resetAccountManagerAuthenticator, Subject>(resetAccountManagerAuthenticator, async (context) => {
      const after = await resetAuthenticator(context, 'ACCOUNT_MANAGER', context.subject, context.body.reason)
      return { after, answer: manager(after, context.actor) }
    }),
  ]),

  changingManager(postAccountManagerPasswordReset, [
    on<typeof resetAccountManagerPassword, Subject>(resetAccountManagerPassword, async (context) => {
      const after = await resetPassword(context, 'ACCOUNT_MANAGER', context.subject)
      return { after, answer: manager(after, context.actor) }
    }),
  ]),
]
