import { countTimeline, listTimeline } from '#contract/timeline.ts'
import type { Actor } from '#server/access/actor.ts'
import { route } from '#server/http/route.ts'
import { existing } from '#server/http-error.ts'
import type { Tx } from '#server/tables/database.ts'
import { oneEmployee } from '#server/tables/employees.ts'
import { countOfTimeline, pageOfTimeline } from '#server/tables/timeline.ts'
import { pageRoute } from '#server/http/reads.ts'

const asking = async (tx: Tx, actor: Actor, id: number) => {
  const employee = existing(await oneEmployee(tx, actor, id))
  return { tx, actor, employee }
}

export const routes = [
  pageRoute(listTimeline, async ({ tx, actor, params: { id } }) => {
    const of = await asking(tx, actor, id)
    return { page: (_, query, from) => pageOfTimeline(of, query, from) }
  }),

  route(countTimeline, async ({ tx, actor, params: { id }, query }) => countOfTimeline(await asking(tx, actor, id), query)),
]
