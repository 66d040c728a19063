import { getAuditEvent } from '#contract/audit-events.ts'
import { getNote } from '#contract/notes.ts'
import { auditKinds, isAuditKind } from '#domain/audit.ts'
import { explainAccountManager, explainAdmin, type Explanation } from '#contract/access.ts'
import { connectAccountManager, inviteAccountManager, setAccountManagerRights } from '#contract/account-manager-changes.ts'
import { inviteAdmin, setAdminRights } from '#contract/admins.ts'
import type { AnyEndpoint, AnyIntent } from '#contract/define.ts'
import {
  type AccessReason,
  canGive,
  lacksSentence,
  type Missing,
  missingNames,
  notTheirsSentence,
  notConnectedSentence,
  type Owner,
} from '#domain/explanation.ts'
import { oneOfPermissions } from '#contract/problem.ts'
import { all, isPermissionName, may, type Need, permissionId } from '#domain/permissions.ts'
import { effectiveRights, type StaffKind } from '#domain/staff.ts'
import { isolated } from '#domain/text.ts'
import type { Actor } from '#server/access/actor.ts'
import { openDebtor } from '#server/access/scope.ts'
import { requirePermission } from '#server/http/validate-intent.ts'
import type { ReadyIntent, RouteTable } from '#server/http/route.ts'
import { type Context, route } from '#server/http/route.ts'
import { missingFor, type Read, readAt, readRecord, refusalOfIntent } from '#server/http/would-refuse.ts'
import { invalid, notFound, Refused } from '#server/http-error.ts'
import { open } from '#server/routes/staff/changes.ts'
import type { Tx } from '#server/tables/database.ts'
import { employersWithin, factsOf, type StaffRow } from '#server/tables/staff.ts'

/** The needs of the calls in question, and the intents among them. */
interface RequestedCalls {
  needs: readonly Need<never>[]
  intents: readonly ReadyIntent[]
}

/** Looks up calls by name; 422 for an unknown one. */
function requestedCalls({ byIntent, byEndpoint }: RouteTable, names: readonly string[]): RequestedCalls {
  const intents: ReadyIntent[] = []
  const needs = names.map((name): Need<never> => {
    if (isPermissionName(name)) return all(name)
    const ready = byIntent.get(name)
    if (ready) intents.push(ready)
    const need = ready?.intent.needs ?? byEndpoint.get(name)?.endpoint.needs
    if (!need) throw invalid([{ path: 'calls', message: `There is no call ${name}.` }])
    return need
  })
  return { needs, intents }
}

/** The intent that grants a staff member what they lack, by reason. */
const grantingIntents: Record<StaffKind, Partial<Record<AccessReason, AnyIntent>>> = {
  ADMIN: { account: inviteAdmin, permission: setAdminRights },
  ACCOUNT_MANAGER: { account: inviteAccountManager, permission: setAccountManagerRights, connection: connectAccountManager },
}

/** The owner of a record according to its answer to the asker: the employer before its organization. */
function ownerIn(
  { route: { endpoint }, params }: Read,
  answer: unknown,
): { type: 'EMPLOYER' | 'ORGANIZATION'; id: number } | null {
  interface Owned {
    employer_id?: number | null
    organization_id?: number | null
    employer?: { id: number } | null
    organization?: { id: number } | null
    employee?: Owned | null
  }
  const owned = answer as Owned
  const itself = Number(params['id'])
  if (endpoint.path === '/employers/{id}') return { type: 'EMPLOYER', id: itself }
  if (endpoint.path === '/organizations/{id}') return { type: 'ORGANIZATION', id: itself }
  const employer = owned.employer_id ?? owned.employer?.id ?? owned.employee?.employer?.id
  if (employer) return { type: 'EMPLOYER', id: employer }
  const organization = owned.organization_id ?? owned.organization?.id
  return organization ? { type: 'ORGANIZATION', id: organization } : null
}

/** Whether a record belongs to the person who reads it, and to nobody else. */
const isOwn = ({ route: { endpoint } }: Read, answer: unknown): boolean =>
  /^\/(exports|sessions|runs)\//.test(endpoint.path) ||
  ['person', 'views'].includes(String((answer as { entity?: unknown }).entity))

/** The needs of a record beyond its call: an event and a note require access to their record. */
function needsBehind({ route: { endpoint } }: Read, answer: unknown): Need[] {
  const { entity, entity_type } = answer as { entity?: unknown; entity_type?: unknown }
  const about = endpoint.path === getAuditEvent.path ? entity : endpoint.path === getNote.path ? entity_type : null
  return typeof about === 'string' && isAuditKind(about) ? [auditKinds[about].needs] : []
}

/** Explains that somebody is not connected to the owner of a record, as far as the owner is open to the asker. */
async function notConnected(tx: Tx, asker: Actor, one: StaffRow, read: Read, answer: unknown) {
  const ownerRef = ownerIn(read, answer)
  const known = ownerRef && (await openDebtor(tx, asker, ownerRef.type, ownerRef.id))
  const owner: Owner | null = known && { organization: isolated(known.organization_name), employer: nameIn(known.employer_name) }
  const within = known ? await employersWithin(tx, known.organization_id) : new Set<number>()
  const beside = one.employers.filter(({ id }) => within.has(id)).map(({ name }) => isolated(name))
  return { sentence: notConnectedSentence(isolated(one.name), owner, beside), connectable: known !== null }
}

const nameIn = (name: string | null): string | null => (name === null ? null : isolated(name))

type AccessObstacle = Pick<Explanation, 'reason' | 'sentence'> & { missing?: readonly Missing[]; giveable?: boolean }

/**
 * The state that forbids the action, for people who hold the same permission and as they may see it: a state masked for them
 * stays masked. Where nothing forbids it to them, the refusal concerns the other person and not the record.
 */
async function addState(context: Context<AnyEndpoint>, ready: ReadyIntent, read: Read | null, refused: Refused): Promise<string> {
  const unsaid = 'its state does not allow it.'
  if (!read || missingFor(context.actor, ready.intent.needs)) return unsaid
  const own = await refusalOfIntent(context, ready, read)
  if (own === null) return refused.detail
  return own.status === 409 ? own.detail : unsaid
}

/** The first obstacle for a staff member, determined by the checks of the call itself. */
async function firstObstacle(
  context: Context<AnyEndpoint>,
  kind: StaffKind,
  one: StaffRow,
  requested: RequestedCalls,
  read: Read | null,
): Promise<AccessObstacle> {
  const { tx, actor: asker } = context
  const name = isolated(one.name)
  // A record that the asker may not see is treated as missing.
  if (read) requirePermission(asker, read.route.endpoint.needs)
  const seen = read && (await readRecord(context, read))
  if (seen instanceof Refused) throw seen
  if (one.status !== 'ACTIVE')
    return {
      reason: 'account',
      sentence:
        one.status === 'WITHDRAWN'
          ? `The invitation of ${name} was withdrawn: they can do nothing until they are invited again.`
          : one.status === 'NOT_INVITED'
            ? `${name} was named by a file and can do nothing until they are invited.`
            : `${name} has not set up the account yet, and can do nothing before that.`,
      giveable: true,
    }

  const actor: Actor = {
    id: one.id,
    name: one.name,
    email: one.email,
    kind,
    ...effectiveRights(kind, one),
    // No session: nobody signed in for this check.
    sessionId: '',
  }
  const lacks = (missing: readonly Missing[]): AccessObstacle => ({
    reason: 'permission',
    sentence: lacksSentence(name, kind, missing),
    missing,
    giveable: canGive(kind, missing, asker.held),
  })
  const needs = read ? [read.route.endpoint.needs, ...needsBehind(read, seen?.answer), ...requested.needs] : requested.needs
  const missing = needs.flatMap((need) => missingFor(actor, need) ?? [])
  if (missing.length > 0) return lacks(missing)

  const as = { ...context, actor }
  const unconnected = async (): Promise<AccessObstacle> => {
    if (read && isOwn(read, seen?.answer)) return { reason: 'state', sentence: notTheirsSentence(name) }
    const { sentence, connectable } = read
      ? await notConnected(tx, asker, one, read, seen?.answer)
      : { sentence: '', connectable: false }
    return { reason: 'connection', sentence, giveable: connectable }
  }
  if (read) {
    const refused = await readRecord(as, read)
    if (refused instanceof Refused) {
      if (refused.status === 404) return unconnected()
      throw refused
    }
  }
  for (const ready of read ? requested.intents : []) {
    const refused = await refusalOfIntent(as, ready, read as Read)
    if (refused?.status === 404) return unconnected()
    const names = (refused?.extra.errors ?? []).map(({ message }) => message).filter(isPermissionName)
    if (refused?.status === 403 && names.length > 0)
      return lacks([{ names, one: refused.extra.errors?.[0]?.path === oneOfPermissions }])
    if (refused) {
      return { reason: 'state', sentence: `${name} may do this, but not now: ${await addState(context, ready, read, refused)}` }
    }
  }
  const verb = requested.needs.length > 0 ? 'do' : 'see'
  return {
    reason: 'allowed',
    sentence: `Nothing is missing: ${name} may ${verb} this${read || kind === 'ADMIN' ? '' : ' wherever they are connected'}.`,
  }
}

async function explain(
  context: Context<AnyEndpoint>,
  kind: StaffKind,
  { record, calls = [] }: { record?: string | undefined; calls?: readonly string[] | undefined },
): Promise<Explanation> {
  const { tx, actor, services, params } = context
  const one = await open(tx, actor, kind, (params as { id: string }).id)
  const read = record === undefined ? null : readAt(services.routes, record)
  if (record !== undefined && !read) throw notFound()
  const found = await firstObstacle(context, kind, one, requestedCalls(services.routes, calls), read)
  const intent = found.giveable ? grantingIntents[kind][found.reason] : undefined
  const gives = intent && may(actor.held, intent.needs) === 'yes' && intent.refuses(factsOf(one, actor)) === null
  return {
    reason: found.reason,
    sentence: found.sentence,
    missing: missingNames(found.missing ?? []).map((short_name) => ({ id: permissionId(short_name), short_name })),
    gives: gives ? intent.id : null,
  }
}

export const routes = [
  route(explainAccountManager, (context) => explain(context as never, 'ACCOUNT_MANAGER', context.query)),
  route(explainAdmin, (context) => explain(context as never, 'ADMIN', context.query)),
]
