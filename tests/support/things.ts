import { sql } from 'kysely'
import { z } from 'zod'
import { endpoint, intent } from '#contract/define.ts'
import { byId, fieldMeta, nothing, text, version } from '#contract/fields.ts'
import { all, byTarget, byIntent } from '#domain/permissions.ts'
import { refuse } from '#domain/refusal.ts'
import { Refused } from '#server/http-error.ts'
import { type AnyRoute, changing, route, type RouteTable } from '#server/http/route.ts'
import type { Tx, Database } from '#server/tables/database.ts'
import { routeTable } from '#server/http/route-table.ts'
import type { Kysely } from 'kysely'
import { applicationRole } from '#server/postgres/roles.ts'

/** A small noun with every kind of rule, which tests the pipeline without the rules of a real one. */
export const Thing = z.object({ id: z.int(), status: z.string(), owner: z.string(), amount: z.int(), version: z.int() })
type Thing = z.infer<typeof Thing>

export const getThing = endpoint({
  method: 'GET',
  path: '/things/{id}',
  summary: 'One thing',
  tag: 'Things',
  params: byId,
  query: nothing,
  answer: Thing,
  needs: all('read:employees'),
})

export const checkThing = endpoint({
  method: 'GET',
  path: '/things/{id}/check',
  summary: 'Whether a thing may be opened',
  tag: 'Things',
  params: byId,
  query: nothing,
  answer: z.object({ good: z.boolean() }),
  needs: all('read:employees'),
})

const updateThing = endpoint({
  method: 'PATCH',
  path: '/things/{id}',
  summary: 'Close or open a thing',
  tag: 'Things',
  params: byId,
  query: nothing,
  answer: Thing,
  needs: byIntent,
  extension: true,
})

export const closeThing = intent(updateThing, {
  id: 'thing.close',
  body: z.object({ status: z.literal('CLOSED'), reason: text('Reason'), add: z.int().optional(), version: version() }),
  needs: all('write:employees'),
  event: 'Closed',
  refuses: (thing: Thing) => (thing.status === 'CLOSED' ? refuse('status-forbids', 'Closed already.') : null),
})

export const openThing = intent(updateThing, {
  id: 'link.open.thing',
  body: z.object({ status: z.literal('OPEN'), version: version() }),
  needs: byTarget(['write:billing', 'write:users'], (thing: Thing) =>
    all(thing.owner === 'billing' ? 'write:billing' : 'write:users'),
  ),
  event: 'Opened',
  checkedBy: {
    endpoint: checkThing,
    refuses: (answer: { good: boolean }) => (answer.good ? null : refuse('cannot-unpause', 'It is not good.')),
  },
})

const code = z.string()
fieldMeta.add(code, { kind: 'secret', title: 'Code' })

const addToThing = endpoint({
  method: 'POST',
  path: '/things/{id}/add',
  summary: 'Add to a thing, or fail in some way',
  tag: 'Things',
  params: byId,
  query: nothing,
  answer: Thing.extend({ code: code.optional() }),
  needs: byIntent,
})

export const addAmount = intent(addToThing, {
  id: 'thing.add',
  body: z.object({ amount: z.int(), ending: z.enum(['refuse', 'fail', 'break-contract']).optional(), code: code.optional() }),
  needs: all('write:employees'),
  event: 'Added',
  refuses: (_: Thing) => null,
})

async function thing(tx: Tx, id: number, lock: boolean): Promise<Thing | null> {
  const { rows } = await sql<Thing>`select * from things where id = ${id} ${lock ? sql`for update` : sql``}`.execute(tx)
  return rows[0] ?? null
}

async function update(tx: Tx, id: number, set: { status?: string; add?: number }): Promise<Thing> {
  const { rows } = await sql<Thing>`
    update things set status = coalesce(${set.status ?? null}, status), amount = amount + ${set.add ?? 0}, version = version + 1
    where id = ${id} returning *
  `.execute(tx)
  return rows[0] as Thing
}

const found = async (tx: Tx, id: number): Promise<Thing> => {
  const row = await thing(tx, id, false)
  if (!row) throw new Refused(404, 'not-found', 'There is no such thing.')
  return row
}

const change = changing({
  entity: 'thing',
  subject: ({ tx, params }) => thing(tx, params.id, true),
  snapshot: (row) => ({ status: row.status, amount: row.amount }),
})

const declared: AnyRoute[] = [
  route(getThing, ({ tx, params }) => found(tx, params.id)),
  route(checkThing, async ({ tx, params }) => ({ good: (await found(tx, params.id)).amount >= 0 })),
  change(closeThing, async ({ tx, subject, body }) => {
    const after = await update(tx, subject.id, { status: 'CLOSED', add: body.add })
    return { after, answer: after }
  }),
  change(openThing, async ({ tx, subject }) => {
    const after = await update(tx, subject.id, { status: 'OPEN' })
    return { after, answer: after }
  }),
  change(addAmount, async ({ tx, subject, body }) => {
    const after = await update(tx, subject.id, { add: body.amount })
    if (body.ending === 'refuse') throw new Refused(409, 'status-forbids', 'Refused after the change.')
    if (body.ending === 'fail') throw new Error('a secret of the inside')
    const answer =
      body.ending === 'break-contract' ? ({ wrong: true } as never) : { ...after, ...(body.code && { code: body.code }) }
    return { after, answer }
  }),
]

export const things: RouteTable = routeTable(
  {
    endpoints: [getThing, checkThing, updateThing, addToThing],
    intents: [closeThing, openThing, addAmount],
  },
  declared,
)

/** Creates the table with things 1 to 9: open and empty, the fifth owned by billing. */
export async function createThings(owner: Kysely<Database>): Promise<void> {
  await sql`create table things (id bigint primary key, status text not null, owner text not null, amount bigint not null, version int not null)`.execute(
    owner,
  )
  await sql`grant select, update on things to ${sql.ref(applicationRole)}`.execute(owner)
  await sql`insert into things select n, 'OPEN', case when n = 5 then 'billing' else 'users' end, 0, 1 from generate_series(1, 9) n`.execute(
    owner,
  )
}
