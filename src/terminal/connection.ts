import { atId } from '#contract/define.ts'
import { Me, getMe } from '#contract/session.ts'
import { permissionIds, permissionNames } from '#domain/permissions.ts'
import { notOfferedProblem } from '#kernel/availability.ts'
import { Refusal } from '#kernel/api-client.ts'
import type { CommandContext } from '#kernel/command-context.ts'
import type { AnyEntity } from '#kernel/entity.ts'
import { showTimesIn } from '#portal/format/dates.ts'
import { openClient, type TerminalClient } from '#terminal/client.ts'
import { currentSession, type StoredSession, storeSession } from '#terminal/session-file.ts'
import { stopBy } from '#terminal/stop.ts'
import type { Streams } from '#terminal/streams.ts'

/** A signed-in person at an address, and what they may do. */
export interface Connection {
  session: StoredSession
  client: TerminalClient
  me: Me
  context: CommandContext
}

/** The business date as known to this computer: today in New York. */
const businessDate = (): string => new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York' }).format(new Date())

/** The person of a session at an API without a call for it, who may do anything until the API says otherwise. */
const meOf = ({ person }: StoredSession): Me => ({
  person: { id: person?.id ?? '', name: person?.email ?? '', email: person?.email ?? '', kind: 'ADMIN' },
  groups: [],
  permissions: permissionIds.map((id) => ({ id, short_name: permissionNames[id] })),
  grants: null,
  session: { idle_seconds: 0, warning_seconds: 0, expires_at: '' },
  business_date: businessDate(),
  demo: false,
})

/** Connects with the stored session of an address. Stops if nobody is signed in, or the API does not answer. */
export async function connect(at: string | undefined, { note }: Pick<Streams, 'note'>): Promise<Connection> {
  const session = currentSession(at, note)
  try {
    const client = await openClient(session, storeSession)
    const me = client.supports(getMe) ? Me.parse(await client.read(getMe, {})) : meOf(session)
    showTimesIn(me.time_zone)
    return { session, client, me, context: contextOf(client, me) }
  } catch (error) {
    const stop = stopBy(error, `${session.address} did not answer.`)
    // The token is no longer good for anything.
    if (stop.exit === 'signedOut') storeSession({ ...session, token: null })
    throw stop
  }
}

const contextOf = ({ supports }: TerminalClient, me: Me): CommandContext => ({
  signedIn: true,
  held: new Set(me.permissions.map(({ id }) => id)),
  supports,
  selection: null,
  pane: null,
  open: null,
  online: true,
  person: me.person.id,
})

/** The context of a command on one record. */
export const contextOn = ({ context }: Connection, { name, id }: AnyEntity, row: unknown): CommandContext => ({
  ...context,
  selection: { entity: name, ids: [id(row)], rows: new Map([[id(row), row]]), filter: null, count: 1, how: 'active' },
  open: { entity: name, id: id(row) },
})

/**
 * Reads one record: by its own call, or by the filter of its list for an API without that call. Throws `Refusal` or
 * `Unanswered`.
 */
export async function readRecord({ client }: Connection, entity: AnyEntity, id: string): Promise<unknown> {
  const { get, list } = entity
  if (client.supports(get)) return client.read(get, atId(get, id))
  if (!client.supports(list, 'id')) throw new Refusal(notOfferedProblem)
  const rows = entity.rows((await client.read(list, {}, { ...entity.query, id })) as never)
  const found = rows.find((row) => entity.id(row) === id)
  if (found === undefined) throw new Refusal({ type: 'about:blank', title: 'Not found', status: 404, code: 'not-found' })
  return found
}

/** Reads one record; stops with the portal's sentence if it is not there. */
export async function loadRecord(connection: Connection, entity: AnyEntity, id: string): Promise<unknown> {
  try {
    return await readRecord(connection, entity, id)
  } catch (error) {
    if (!(error instanceof Refusal) || ![403, 404].includes(error.problem.status) || error.problem === notOfferedProblem)
      throw stopBy(error, `The ${entity.one} ${id} could not be loaded.`)
    const { exit } = stopBy(error)
    throw Object.assign(stopBy(error), { message: `No ${entity.one} ${id}, or you have no access.`, exit })
  }
}
