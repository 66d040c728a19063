import type { z } from 'zod'
import type { AnyEndpoint, AnyIntent } from '#contract/define.ts'
import type { Held, StaffActions } from '#contract/staff.ts'
import { isSuperAdmin, permissionsOf, permissionWords } from '#domain/permission-groups.ts'
import { type Need, permissionIds } from '#domain/permissions.ts'
import { canBeGiven, difference, groupsFor, type Rights, type StaffKind } from '#domain/staff.ts'
import type { Actor } from '#server/access/actor.ts'
import { lockOut } from '#server/auth/lock-out.ts'
import { inviteByMail, unsendInvitation, withdrawInvitation } from '#server/auth/invitation.ts'
import { queueMail } from '#server/auth/outbox.ts'
import { deleteRecoveryCodes } from '#server/auth/recovery-codes.ts'
import { requirePermission } from '#server/http/validate-intent.ts'
import { type ChangeOf, changing, type Context, creating } from '#server/http/route.ts'
import { existing, invalid } from '#server/http-error.ts'
import type { Tx } from '#server/tables/database.ts'
import {
  type Connections,
  factsOf,
  heldOf,
  insertStaff,
  lockOfStaff,
  lockStaff,
  oneOfStaff,
  ownRights,
  saveStaff,
  setConnections,
  setRights,
  type StaffRow,
  unknownConnections,
} from '#server/tables/staff.ts'

/** ERR-011, ERR-014. */
export const emailUsed = () => invalid([{ path: 'email', message: 'Email address already used' }])

const none: Rights = { group_ids: [], permission_ids: [] }

/**
 * Throws 422 with the field unless these rights exist, may be given to this kind of staff, and are held by the actor who gives or
 * takes them.
 */
function requireGivable(actor: Actor, kind: StaffKind, from: Rights, to: Rights): void {
  const known = new Set(groupsFor(kind).map((group) => group.id))
  const added = { group_ids: to.group_ids.filter((id) => !from.group_ids.includes(id)) }
  const wrongGroup = added.group_ids.find((id) => !known.has(id))
  if (wrongGroup !== undefined) throw invalid([{ path: 'group_ids', message: 'There is no such group.' }])
  const wrong = to.permission_ids.find(
    (id) => !from.permission_ids.includes(id) && !(permissionIds.some((each) => each === id) && canBeGiven(kind, id)),
  )
  if (wrong !== undefined) throw invalid([{ path: 'permission_ids', message: 'There is no such permission.' }])
  if (isSuperAdmin(from.group_ids) !== isSuperAdmin(to.group_ids) && !isSuperAdmin(actor.groupIds))
    throw invalid([{ path: 'group_ids', message: 'Only a super-admin can make somebody a super-admin, or take it from them.' }])
  const lacking = difference(from, to).filter((id) => !actor.held.has(id))
  if (lacking.length === 0) return
  const byGroup = [...permissionsOf(added.group_ids, [])].some((id) => !actor.held.has(id))
  const words = lacking.map(permissionWords).join(', ')
  const message = `You can give and take only what you hold yourself. You do not hold: ${words}.`
  throw invalid([{ path: byGroup ? 'group_ids' : 'permission_ids', message }])
}

/** Throws 422 with the field unless all of these exist and are open to the actor. */
export async function requireConnectable(tx: Tx, actor: Actor, to: Connections): Promise<void> {
  const unknown = await unknownConnections(tx, actor, to)
  const faults = [
    ...(unknown.organization_ids.length ? [{ path: 'organization_ids', message: 'There is no such organization.' }] : []),
    ...(unknown.employer_ids.length ? [{ path: 'employer_ids', message: 'There is no such employer.' }] : []),
  ]
  if (faults.length > 0) throw invalid(faults)
}

const unique = (ids: readonly number[] = []): number[] => [...new Set(ids)]
/** The rights in a body, without duplicates. */
export const rightsIn = (body: {
  group_ids?: readonly number[] | undefined
  permission_ids?: readonly number[] | undefined
}): Rights => ({
  group_ids: unique(body.group_ids),
  permission_ids: unique(body.permission_ids),
})
/** The companies in a body, without duplicates. */
export const connectionsIn = (body: {
  organization_ids?: readonly number[] | undefined
  employer_ids?: readonly number[] | undefined
}): Connections => ({ organization_ids: unique(body.organization_ids), employer_ids: unique(body.employer_ids) })

/** A staff member open to the person; 404 otherwise. */
export const open = async (tx: Tx, actor: Actor, kind: StaffKind, id: string): Promise<StaffRow> => {
  return existing(await oneOfStaff(tx, actor, kind, id))
}

/** The rights of a staff member; one's own need no permission. Throws 403, and 404 for people outside the actor's access. */
export async function loadRights(tx: Tx, actor: Actor, kind: StaffKind, id: string, need: Need): Promise<Held> {
  const own = actor.kind === kind && actor.id === id
  requirePermission(actor, need, { own })
  return heldOf(own ? await ownRights(tx, actor) : await open(tx, actor, kind, id))
}

const namesOf = (records: readonly { name: string }[]): string => records.map(({ name }) => name).join(', ')

/** The snapshot of a staff member for the history. */
function snapshot(row: StaffRow): Record<string, unknown> {
  const heldRights = heldOf(row)
  return {
    name: row.name,
    email: row.email,
    status: row.status,
    groups: namesOf(heldRights.groups),
    permissions: heldRights.permissions.map(({ short_name }) => short_name).join(', '),
    organizations: namesOf(row.organizations),
    employers: namesOf(row.employers),
  }
}

/** A locked staff member with the input of the rules for the actor. */
export type Subject = ReturnType<typeof factsOf>
const entityOf = { ADMIN: 'admin', ACCOUNT_MANAGER: 'account-manager' } as const

/** How staff of a kind are changed and created, and the changes that both kinds share. */
export function staffRoutes<Answer>(kind: StaffKind, answer: (row: StaffRow, actor: Actor) => Answer) {
  const entity = entityOf[kind]
  const change = changing<Subject, Answer, { id: string }>({
    entity,
    lock: lockStaff,
    subject: async ({ tx, actor, params }) => {
      const row = await lockOfStaff(tx, actor, kind, params.id)
      return row && factsOf(row, actor)
    },
    snapshot,
    answer,
  })
  const create = creating(async () => ({}), { entity, lock: lockStaff, snapshot, answer })
  const changeBy = (
    intent: AnyIntent,
    apply: (context: ChangeOf<Subject, Record<string, unknown>>, kind: StaffKind, subject: Subject) => Promise<Subject>,
  ) => change(intent, async (context) => ({ after: await apply(context, kind, context.subject) }))
  const shared = (intents: StaffActions<z.ZodType<Answer>>) => [
    change(intents.remove, (context) => remove(context, context.subject)),
    changeBy(intents.invite, reinvite),
    changeBy(intents.resetPassword, resetPassword),
    changeBy(intents.resetAuthenticator, resetAuthenticator),
    changeBy(intents.withdrawInvitation, withdraw),
  ]
  return { change, create, shared }
}

interface NewPerson {
  name: string
  email: string
  phone_number?: string | null
  brand?: string | null
  rights: Rights
  connections?: Connections
}

/** Adds a staff member with rights and connections, and mails the invitation. */
export async function createStaff(context: Context<AnyEndpoint>, kind: StaffKind, input: NewPerson): Promise<StaffRow> {
  const { tx, actor, auth, now } = context
  const { rights, connections, ...values } = input
  requireGivable(actor, kind, none, rights)
  if (connections) await requireConnectable(tx, actor, connections)
  const id = await insertStaff(tx, { kind, ...values })
  if (id === null) throw emailUsed()
  await setRights(tx, id, rights)
  if (connections) await setConnections(tx, actor, id, connections)
  await inviteByMail(tx, { id, email: values.email.toLowerCase(), name: values.name }, auth, now)
  // The creator gets the new row even if it is not connected to anything yet.
  return existing(await oneOfStaff(tx, { ...actor, kind: 'ADMIN' }, kind, id))
}

/** Replaces the rights of a staff member. */
export async function replaceRights({ tx, actor, now }: Context<AnyEndpoint>, kind: StaffKind, subject: Subject, rights: Rights) {
  requireGivable(actor, kind, subject, rights)
  await setRights(tx, subject.id, rights)
  await saveStaff(tx, subject.id, {}, now)
  return factsOf(await open(tx, actor, kind, subject.id), actor)
}

/** Removes a staff member: their sessions end, and mailed links become invalid. */
async function remove({ tx, now }: Context<AnyEndpoint>, subject: Subject) {
  await saveStaff(tx, subject.id, { status: 'DELETED' }, now)
  await lockOut(tx, subject.id, 'PERSON_REMOVED', now)
  await unsendInvitation(tx, subject.email)
  return { after: { ...subject, version: subject.version + 1 }, answer: {} }
}

/** Mails a new invitation; the previous link becomes invalid. */
async function reinvite({ tx, actor, auth, now }: Context<AnyEndpoint>, kind: StaffKind, subject: Subject) {
  await saveStaff(tx, subject.id, { status: 'INVITED' }, now)
  await inviteByMail(tx, subject, auth, now)
  return factsOf(await open(tx, actor, kind, subject.id), actor)
}

/** Removes the password of a staff member, ends their sessions and mails a link to choose another. */
async function resetPassword(context: Context<AnyEndpoint>, kind: StaffKind, subject: Subject) {
  const { tx, now } = context
  await saveStaff(tx, subject.id, { password_hash: null }, now)
  await lockOut(tx, subject.id, 'PASSWORD_CHANGED', now)
  return reinvite(context, kind, subject)
}

/** Removes authenticator and recovery codes of a staff member, ends their sessions and mails them the reason. */
async function resetAuthenticator(
  { tx, actor, now, body: { reason } }: ChangeOf<Subject, Record<string, unknown>>,
  kind: StaffKind,
  subject: Subject,
) {
  await saveStaff(tx, subject.id, { totp_secret: null, totp_last_step: null }, now)
  await deleteRecoveryCodes(tx, subject.id)
  await lockOut(tx, subject.id, 'AUTHENTICATOR_RESET', now)
  const body = `Hello ${subject.name},

${actor.name} reset the authenticator of your account, and all your sessions ended. The reason: ${reason}

Sign in with your password to set up a new authenticator. If you did not ask for this, tell your administrator at once and choose a new password.`
  await queueMail(tx, { recipient: subject.email, subject: 'Your authenticator was reset', body, hours: 72 }, now)
  return factsOf(await open(tx, actor, kind, subject.id), actor)
}

/** Withdraws an invitation: the person stays, and the link says that it was withdrawn. */
async function withdraw({ tx, actor, now }: Context<AnyEndpoint>, kind: StaffKind, subject: Subject) {
  await saveStaff(tx, subject.id, { status: 'WITHDRAWN' }, now)
  await withdrawInvitation(tx, subject, now)
  return factsOf(await open(tx, actor, kind, subject.id), actor)
}
