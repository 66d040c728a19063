import {
  connectAccountManager,
  createAccountManager,
  deleteAccountManager,
  editAccountManager,
  inviteAccountManager,
  patchAccountManager,
  postAccessControlList,
  postAccountManager,
  postAccountManagerInvitation,
  postAccountManagerPasswordReset,
  postAccountManagerPermissions,
  removeAccountManager,
  resetAccountManagerPassword,
  setAccountManagerRights,
} from '#contract/account-manager-changes.ts'
import {
  countAccountManagers,
  getAccountManager,
  getAccountManagerPermissions,
  listAccountManagerEvents,
  listAccountManagers,
} from '#contract/account-managers.ts'
import {
  countAdmins,
  createAdmin,
  deleteAdmin,
  getAdmin,
  getAdminPermissions,
  inviteAdmin,
  listAdminEvents,
  listAdmins,
  postAdmin,
  postAdminInvitation,
  postAdminPermissions,
  removeAdmin,
  setAdminRights,
} from '#contract/admins.ts'
import type { AnyEndpoint } from '#contract/define.ts'
import type { HistoryEvent } from '#contract/history.ts'
import { listPermissions } from '#contract/staff.ts'
import { permissionIds, permissionNames, permissionsOf, permissionWords, superAdminGroup } from '#domain/permissions.ts'
import { canBeGiven, difference, groupsFor, type Rights, type StaffKind } from '#domain/staff.ts'
import type { Actor } from '#server/access/actor.ts'
import { lockOut } from '#server/auth/lock-out.ts'
import { inviteByMail } from '#server/auth/invitation.ts'
import { historyOf } from '#server/http/history.ts'
import { change, type Context, on, route } from '#server/http/route.ts'
import { listCursor } from '#server/paging/list-cursor.ts'
import { invalid, notFound } from '#server/refused.ts'
import type { Tx } from '#server/tables/database.ts'
import {
  type Connections,
  factsOf,
  heldOf,
  insertStaff,
  isEmailTaken,
  lockOfStaff,
  oneOfStaff,
  saveStaff,
  setConnections,
  setRights,
  type StaffRow,
  toAccountManager,
  toAdmin,
  unknownConnections,
} from '#server/tables/staff.ts'
import { accountManagerList, adminList } from '#server/tables/staff-list.ts'

/** ERR-011, ERR-014. */
const emailUsed = () => invalid([{ path: 'email', message: 'Email address already used' }])

const none: Rights = { group_ids: [], permission_ids: [] }

/** Throws 422 beside the field unless these rights are there, may be given to such a person, and are held by who gives or takes them. */
function requireGivable(actor: Actor, kind: StaffKind, from: Rights, to: Rights): void {
  const known = new Set(groupsFor(kind).map((group) => group.id))
  const added = { group_ids: to.group_ids.filter((id) => !from.group_ids.includes(id)) }
  const wrongGroup = added.group_ids.find((id) => !known.has(id))
  if (wrongGroup !== undefined) throw invalid([{ path: 'group_ids', message: 'There is no such group.' }])
  const wrong = to.permission_ids.find(
    (id) => !from.permission_ids.includes(id) && !(permissionIds.some((each) => each === id) && canBeGiven(kind, id)),
  )
  if (wrong !== undefined) throw invalid([{ path: 'permission_ids', message: 'There is no such permission.' }])
  const lacking = difference(from, to).filter((id) => !actor.held.has(id))
  if (lacking.length === 0) return
  const byGroup = [...permissionsOf(added.group_ids, [])].some((id) => !actor.held.has(id))
  const words = lacking.map(permissionWords).join(', ')
  const message = `You can give and take only what you hold yourself. You do not hold: ${words}.`
  throw invalid([{ path: byGroup ? 'group_ids' : 'permission_ids', message }])
}

/** Throws 422 beside the field unless all of these are there, and open to who gives them. */
async function requireConnectable(tx: Tx, actor: Actor, to: Connections): Promise<void> {
  const unknown = await unknownConnections(tx, actor, to)
  const faults = [
    ...(unknown.organization_ids.length ? [{ path: 'organization_ids', message: 'There is no such organization.' }] : []),
    ...(unknown.employer_ids.length ? [{ path: 'employer_ids', message: 'There is no such employer.' }] : []),
  ]
  if (faults.length > 0) throw invalid(faults)
}

const unique = (ids: readonly number[] = []): number[] => [...new Set(ids)]
const rightsIn = (body: {
  group_ids?: readonly number[] | undefined
  permission_ids?: readonly number[] | undefined
}): Rights => ({
  group_ids: unique(body.group_ids),
  permission_ids: unique(body.permission_ids),
})
const connectionsIn = (body: {
  organization_ids?: readonly number[] | undefined
  employer_ids?: readonly number[] | undefined
}): Connections => ({ organization_ids: unique(body.organization_ids), employer_ids: unique(body.employer_ids) })

const open = async (tx: Tx, actor: Actor, kind: StaffKind, id: string): Promise<StaffRow> => {
  const one = await oneOfStaff(tx, actor, kind, id)
  if (!one) throw notFound()
  return one
}

const namesOf = (things: readonly { name: string }[]): string => things.map(({ name }) => name).join(', ')

/** What the history keeps of somebody. */
function snapshot(row: StaffRow): Record<string, unknown> {
  const held = heldOf(row)
  return {
    name: row.name,
    email: row.email,
    status: row.status,
    groups: namesOf(held.groups),
    permissions: held.permissions.map(({ short_name }) => short_name).join(', '),
    organizations: namesOf(row.organizations),
    employers: namesOf(row.employers),
  }
}

/** Fields of a history that name what may not be open to an account manager who reads it. */
const named = new Set(['organizations', 'employers'])
const withoutNames = (event: HistoryEvent): HistoryEvent => ({
  ...event,
  changes: event.changes.filter(({ field }) => !named.has(field)),
})

type Subject = ReturnType<typeof factsOf>
const entityOf = { ADMIN: 'admin', ACCOUNT_MANAGER: 'account-manager' } as const

/** A change of somebody who is locked; `Row` is what the call answers. */
function changing<E extends AnyEndpoint>(
  kind: StaffKind,
  told: (row: StaffRow, actor: Actor) => unknown,
  endpoint: E,
  intents: Parameters<typeof change<E, Subject>>[1]['intents'],
) {
  return change<E, Subject>(endpoint, {
    subject: async ({ tx, actor, params }) => {
      const row = await lockOfStaff(tx, actor, kind, (params as { id: string }).id)
      return row && factsOf(row, actor)
    },
    target: ({ id, version }) => ({ entity: entityOf[kind], id, version }),
    snapshot,
    facts: async ({ subject, actor }) => told(subject, actor),
    intents,
  })
}

type Made = { row: StaffRow | null }

/** The parts of a creation that are the same for all kinds of staff. */
const making = (kind: StaffKind) => ({
  subject: async (): Promise<Made> => ({ row: null }),
  target: ({ row }: Made) => ({ entity: entityOf[kind], id: row?.id ?? '', version: row?.version ?? null }),
  snapshot: ({ row }: Made) => (row ? snapshot(row) : {}),
})

interface NewPerson {
  name: string
  email: string
  phone_number?: string | null
  brand?: string | null
  rights: Rights
  connections?: Connections
}

/** Adds somebody with all that they hold and are connected to, and mails the invitation. */
async function make(context: Context<AnyEndpoint>, kind: StaffKind, input: NewPerson): Promise<StaffRow> {
  const { tx, actor, auth, now } = context
  const { rights, connections, ...values } = input
  requireGivable(actor, kind, none, rights)
  if (connections) await requireConnectable(tx, actor, connections)
  const id = await insertStaff(tx, { kind, ...values })
  if (id === null) throw emailUsed()
  await setRights(tx, id, rights)
  if (connections) await setConnections(tx, actor, id, connections)
  await inviteByMail(tx, { id, email: values.email.toLowerCase(), name: values.name }, auth, now)
  // Whoever made them is told of them, also where they are connected to nothing yet.
  const row = await oneOfStaff(tx, { ...actor, kind: 'ADMIN' }, kind, id)
  if (!row) throw notFound()
  return row
}

/** Gives somebody other rights. */
async function giveRights({ tx, actor, now }: Context<AnyEndpoint>, kind: StaffKind, subject: Subject, rights: Rights) {
  requireGivable(actor, kind, subject, rights)
  await setRights(tx, subject.id, rights)
  await saveStaff(tx, subject.id, {}, now)
  return factsOf(await open(tx, actor, kind, subject.id), actor)
}

async function remove({ tx, now }: Context<AnyEndpoint>, subject: Subject) {
  await saveStaff(tx, subject.id, { status: 'DELETED' }, now)
  await lockOut(tx, subject.id, 'PERSON_REMOVED', now)
  return { after: { ...subject, version: subject.version + 1 }, answer: {} }
}

async function inviteAgain({ tx, actor, auth, now }: Context<AnyEndpoint>, kind: StaffKind, subject: Subject) {
  await saveStaff(tx, subject.id, {}, now)
  await inviteByMail(tx, subject, auth, now)
  return factsOf(await open(tx, actor, kind, subject.id), actor)
}

const manager = (row: StaffRow, actor: Actor) => toAccountManager(row, actor)
const changingManager = <E extends AnyEndpoint>(endpoint: E, intents: Parameters<typeof change<E, Subject>>[1]['intents']) =>
  changing('ACCOUNT_MANAGER', manager, endpoint, intents)
const changingAdmin = <E extends AnyEndpoint>(endpoint: E, intents: Parameters<typeof change<E, Subject>>[1]['intents']) =>
  changing('ADMIN', toAdmin, endpoint, intents)

export const routes = [
  route(listPermissions, async ({ query: { entity = 'ADMIN' } }) => ({
    groups: groupsFor(entity).map(({ id, name, permissions }) => ({ id, name, permission_ids: [...permissions] })),
    permissions: permissionIds
      .filter((id) => canBeGiven(entity, id))
      .map((id) => ({ id, short_name: permissionNames[id] as string })),
  })),

  route(listAccountManagers, async ({ tx, actor, query, services }) => {
    const { include = [], ...asked } = query
    const { from, seal } = listCursor(services, 'GET /account-managers', actor, asked)
    const { rows, next } = await accountManagerList.page({ tx, actor }, query, from)
    return { account_managers: rows.map((row) => toAccountManager(row, actor, include)), lek: seal(next) }
  }),

  route(countAccountManagers, ({ tx, actor, query }) => accountManagerList.count({ tx, actor }, query)),

  route(getAccountManager, async ({ tx, actor, params }) =>
    toAccountManager(await open(tx, actor, 'ACCOUNT_MANAGER', params.id), actor),
  ),

  route(getAccountManagerPermissions, async ({ tx, actor, params }) =>
    heldOf(await open(tx, actor, 'ACCOUNT_MANAGER', params.id)),
  ),

  route(listAccountManagerEvents, async (context) => {
    const { actor } = context
    const { id } = await open(context.tx, actor, 'ACCOUNT_MANAGER', context.params.id)
    const told = await historyOf(context, 'GET /account-managers/{id}/history', { entity: 'account-manager', id })
    return actor.kind === 'ADMIN' ? told : { ...told, events: told.events.map(withoutNames) }
  }),

  change<typeof postAccountManager, Made>(postAccountManager, {
    ...making('ACCOUNT_MANAGER'),
    intents: [
      on<typeof createAccountManager, Made>(createAccountManager, async (context) => {
        const { full_name: name, email, brand = null } = context.body
        const row = await make(context, 'ACCOUNT_MANAGER', {
          name,
          email,
          brand,
          rights: rightsIn(context.body),
          connections: connectionsIn(context.body),
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
        // What was mailed to the old address opens nothing any more.
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
      const after = await giveRights(context, 'ACCOUNT_MANAGER', context.subject, rightsIn(context.body))
      return { after, answer: manager(after, context.actor) }
    }),
  ]),

  changingManager(postAccessControlList, [
    on<typeof connectAccountManager, Subject>(connectAccountManager, async ({ tx, actor, subject, body, now }) => {
      const to = connectionsIn(body)
      await requireConnectable(tx, actor, to)
      await setConnections(tx, actor, subject.id, to)
      await saveStaff(tx, subject.id, {}, now)
      // Also where nothing of them is open to the person any more.
      const row = (await oneOfStaff(tx, actor, 'ACCOUNT_MANAGER', subject.id)) ?? { ...subject, organizations: [], employers: [] }
      const after = factsOf({ ...row, version: subject.version + 1 }, actor)
      return { after, answer: manager(after, actor) }
    }),
  ]),

  changingManager(postAccountManagerInvitation, [
    on<typeof inviteAccountManager, Subject>(inviteAccountManager, async (context) => {
      const after = await inviteAgain(context, 'ACCOUNT_MANAGER', context.subject)
      return { after, answer: manager(after, context.actor) }
    }),
  ]),

  changingManager(postAccountManagerPasswordReset, [
    on<typeof resetAccountManagerPassword, Subject>(resetAccountManagerPassword, async (context) => {
      const { tx, subject, now, actor } = context
      await saveStaff(tx, subject.id, { password_hash: null, status: 'INVITED' }, now)
      await lockOut(tx, subject.id, 'PASSWORD_CHANGED', now)
      const after = await inviteAgain(context, 'ACCOUNT_MANAGER', subject)
      return { after, answer: manager(after, actor) }
    }),
  ]),

  route(listAdmins, async ({ tx, actor, query, services }) => {
    const { from, seal } = listCursor(services, 'GET /admins', actor, query)
    const { rows, next } = await adminList.page({ tx, actor }, query, from)
    return { admins: rows.map((row) => toAdmin(row, actor)), lek: seal(next) }
  }),

  route(countAdmins, ({ tx, actor, query }) => adminList.count({ tx, actor }, query)),

  route(getAdmin, async ({ tx, actor, params }) => toAdmin(await open(tx, actor, 'ADMIN', params.id), actor)),

  route(getAdminPermissions, async ({ tx, actor, params }) => heldOf(await open(tx, actor, 'ADMIN', params.id))),

  route(listAdminEvents, async (context) => {
    const { id } = await open(context.tx, context.actor, 'ADMIN', context.params.id)
    return historyOf(context, 'GET /admins/{id}/history', { entity: 'admin', id })
  }),

  change<typeof postAdmin, Made>(postAdmin, {
    ...making('ADMIN'),
    intents: [
      on<typeof createAdmin, Made>(createAdmin, async (context) => {
        const { name, email, phone_number = null } = context.body
        const row = await make(context, 'ADMIN', { name, email, phone_number, rights: rightsIn(context.body) })
        return { after: { row }, answer: toAdmin(row, context.actor) }
      }),
    ],
  }),

  changingAdmin(deleteAdmin, [on<typeof removeAdmin, Subject>(removeAdmin, (context) => remove(context, context.subject))]),

  changingAdmin(postAdminPermissions, [
    on<typeof setAdminRights, Subject>(setAdminRights, async (context) => {
      const { subject, body, actor } = context
      const rights = rightsIn(body)
      if (subject.last_super_admin && !rights.group_ids.includes(superAdminGroup))
        throw invalid([{ path: 'group_ids', message: 'The last super-admin stays one.' }])
      const after = await giveRights(context, 'ADMIN', subject, rights)
      return { after, answer: toAdmin(after, actor) }
    }),
  ]),

  changingAdmin(postAdminInvitation, [
    on<typeof inviteAdmin, Subject>(inviteAdmin, async (context) => {
      const after = await inviteAgain(context, 'ADMIN', context.subject)
      return { after, answer: toAdmin(after, context.actor) }
    }),
  ]),
]
