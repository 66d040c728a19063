import { countTimeline, listTimeline } from '#contract/timeline.ts'
import type { Actor } from '#server/access/actor.ts'
import { route } from '#server/http/route.ts'
import { listCursor } from '#server/paging/list-cursor.ts'
import { notFound } from '#server/http-error.ts'
import type { Tx } from '#server/tables/database.ts'
import { oneEmployee } from '#server/tables/employees.ts'
import { countOfTimeline, pageOfTimeline } from '#server/tables/timeline.ts'

const asking = async (tx: Tx, actor: Actor, id: number) => {
  const employee = await oneEmployee(tx, actor, id)
  if (!employee) throw notFound()
  return { tx, actor, employee }
}

export const routes = [
  route(listTimeline, async ({ tx, actor, params: { id }, query, services }) => {
    const of = await asking(tx, actor, id)
    const cursor = listCursor(services, `GET /employees/${id}/timeline`, actor, query)
    const { entries, next } = await pageOfTimeline(of, query, cursor.from)
    return { entries, lek: cursor.seal(next) }
  }),

  route(countTimeline, async ({ tx, actor, params: { id }, query }) => countOfTimeline(await asking(tx, actor, id), query)),
]
