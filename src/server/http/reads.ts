import type { z } from 'zod'
import { type AnswerOf, type AnyEndpoint, type At, type Endpoint, fill } from '#contract/define.ts'
import type { Count } from '#contract/list.ts'
import type { Actor } from '#server/access/actor.ts'
import { historyOf } from '#server/http/history.ts'
import { type Context, type PlainRoute, route } from '#server/http/route.ts'
import { nameOf } from '#server/http/route-table.ts'
import type { Asking } from '#server/paging/define-list.ts'
import type { Position, Start } from '#server/paging/keyset.ts'
import { listCursor } from '#server/paging/list-cursor.ts'
import type { Tx } from '#server/tables/database.ts'

// biome-ignore lint/suspicious/noExplicitAny: any list, whose query is read by its own functions
type AnyQuery = any

/** A list by cursor. */
interface Pages<Row> {
  page: (asking: Asking, query: AnyQuery, from: Start) => Promise<{ rows: readonly Row[]; next: Position | null }>
}

/** A list by cursor, with the number of its rows. */
interface Counted<Row> extends Pages<Row> {
  count: (asking: Asking, filter: AnyQuery) => Promise<Count>
}

interface Reads<Row, Id, Answer> {
  list: Counted<Row>
  /** One row that is open to the person; throws 404. */
  open: (tx: Tx, actor: Actor, id: Id) => Promise<Row>
  /** A row as returned by the API, in a list with the parts that its `include` names. */
  answer: (row: Row, actor: Actor, include?: AnyQuery) => Answer
  /** Its kind in the audit. */
  entity?: string
  /** The query of the list, if some of its parameters have other names. */
  asked?: (query: AnyQuery) => AnyQuery
}

/**
 * The routes of a noun's reads, as `resource()` of the contract declares them: a page by cursor, the number of rows of a filter,
 * one row, and the history of a row, if its endpoint is given.
 */
export function reads<
  List extends Endpoint<z.ZodObject, z.ZodObject, z.ZodObject>,
  Counted extends AnyEndpoint,
  Get extends AnyEndpoint,
  Row,
  Id = number,
>(
  endpoints: { list: List; count: Counted; get: Get; history?: AnyEndpoint },
  { list, open, answer, entity, asked }: Reads<Row, Id, AnswerOf<Get>>,
): PlainRoute[] {
  const { list: listed, count: counted, get: one, history } = endpoints
  return [
    pageRoute<AnyEndpoint, Row>(listed, () => list, answer as never, asked),
    route(counted as AnyEndpoint, ({ tx, actor, query }) => list.count({ tx, actor }, query)),
    route(one as AnyEndpoint, async ({ tx, actor, params }) => answer(await open(tx, actor, params.id), actor)),
    ...(history && entity
      ? [
          route(history, async (context) => {
            await open(context.tx, context.actor, context.params.id)
            return historyOf(context, nameOf(history), { entity, id: String(context.params.id) })
          }),
        ]
      : []),
  ]
}

/**
 * The route of a list by cursor, bound to its address; `of` is the list, if the record that it belongs to is open to the person.
 */
export const pageRoute = <E extends AnyEndpoint, Row>(
  endpoint: E,
  of: (context: Context<E>) => Pages<Row> | Promise<Pages<Row>>,
  answer: (row: Row, actor: Actor, include?: AnyQuery) => unknown = (row) => row,
  asked: (query: AnyQuery) => AnyQuery = (query) => query,
): PlainRoute => {
  const [rowsName = ''] = Object.keys((endpoint.answer as z.ZodObject).shape).filter((name) => name !== 'lek')
  return route(endpoint as AnyEndpoint, async (context) => {
    const { tx, actor, params, services } = context
    const query = asked(context.query)
    const { page } = await of(context as never)
    const { from, seal } = listCursor(services, fill(nameOf(endpoint), params as At), actor, query)
    const { rows, next } = await page({ tx, actor }, query, from)
    return { [rowsName]: rows.map((row) => answer(row, actor, query.include ?? [])), lek: seal(next) }
  })
}

/** The routes of a list below a record, and of the number of its rows. */
export const listBelow = <List extends AnyEndpoint, Row>(
  list: List,
  count: AnyEndpoint,
  of: (context: Context<List>) => Counted<Row> | Promise<Counted<Row>>,
  answer: (row: Row, actor: Actor) => unknown,
): PlainRoute[] => [
  pageRoute(list, of, answer),
  route(count, async (context) => {
    const { tx, actor, query } = context
    return (await of(context as never)).count({ tx, actor }, query)
  }),
]
