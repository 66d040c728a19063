import {
  accountManagerActions,
  connectAccountManager,
  createAccountManager,
  editAccountManager,
  setAccountManagerRights,
} from '#contract/account-manager-changes.ts'
import {
  countAccountManagers,
  getAccountManager,
  getAccountManagerPermissions,
  listAccountManagerEvents,
  listAccountManagers,
} from '#contract/account-managers.ts'
import type { Actor } from '#server/access/actor.ts'
import { lockOut } from '#server/auth/lock-out.ts'
import { inviteByMail } from '#server/auth/invitation.ts'
import { historyOf } from '#server/http/history.ts'
import { invalid } from '#server/http-error.ts'
import { reads } from '#server/http/reads.ts'
import { route } from '#server/http/route.ts'
import {
  connectionsIn,
  createStaff,
  emailUsed,
  loadRights,
  open,
  replaceRights,
  requireConnectable,
  rightsIn,
  staffRoutes,
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
const { change, create, shared } = staffRoutes('ACCOUNT_MANAGER', manager)

export const routes = [
  ...reads(
    { list: listAccountManagers, count: countAccountManagers, get: getAccountManager },
    {
      list: accountManagerList,
      open: (tx, actor, id: string) => open(tx, actor, 'ACCOUNT_MANAGER', id),
      answer: toAccountManager,
    },
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

  create(createAccountManager, async (context) => {
    const { full_name: name, email, brand = null } = context.body
    const connections = connectionsIn(context.body)
    if (context.actor.kind === 'ACCOUNT_MANAGER' && connections.organization_ids.length + connections.employer_ids.length === 0)
      throw invalid([{ path: 'organization_ids', message: unconnected }])
    const row = await createStaff(context, 'ACCOUNT_MANAGER', {
      name,
      email,
      brand,
      rights: rightsIn(context.body),
      connections,
    })
    return { after: row }
  }),

  change(editAccountManager, async ({ tx, actor, auth, subject, body, now }) => {
    const name = body.full_name ?? subject.name
    const email = (body.email ?? subject.email).toLowerCase()
    if (email !== subject.email) {
      if (await isEmailTaken(tx, email, subject.id)) throw emailUsed()
      // Links mailed to the old address become invalid.
      await lockOut(tx, subject.id, 'PASSWORD_CHANGED', now)
      if (subject.status === 'INVITED') await inviteByMail(tx, { id: subject.id, email, name }, auth, now)
    }
    await saveStaff(tx, subject.id, { name, email }, now)
    return { after: factsOf(await open(tx, actor, 'ACCOUNT_MANAGER', subject.id), actor) }
  }),

  change(setAccountManagerRights, async (context) => {
    return { after: await replaceRights(context, 'ACCOUNT_MANAGER', context.subject, rightsIn(context.body)) }
  }),

  change(connectAccountManager, async ({ tx, actor, subject, body, now }) => {
    const to = connectionsIn(body)
    await requireConnectable(tx, actor, to)
    await setConnections(tx, actor, subject.id, to)
    await saveStaff(tx, subject.id, {}, now)
    // The row may no longer be open to the person after the change.
    const row = (await oneOfStaff(tx, actor, 'ACCOUNT_MANAGER', subject.id)) ?? { ...subject, organizations: [], employers: [] }
    return { after: factsOf({ ...row, version: subject.version + 1 }, actor) }
  }),

  ...shared(accountManagerActions),
]
