import { countRewards, listRewards } from '#contract/rewards.ts'
import { route } from '#server/http/route.ts'
import { listCursor } from '#server/paging/list-cursor.ts'
import { refuseClosed } from '#server/tables/employees.ts'
import { rewardsOf, toReward, totalsOfRewards } from '#server/tables/rewards.ts'

export const routes = [
  route(listRewards, async ({ tx, actor, params: { id }, query, services }) => {
    await refuseClosed(tx, actor, id)
    const cursor = listCursor(services, `GET /employees/${id}/rewards`, actor, query)
    const { rows, next } = await rewardsOf(id).page({ tx, actor }, query, cursor.from)
    return { rewards: rows.map(toReward), lek: cursor.seal(next) }
  }),

  route(countRewards, async ({ tx, actor, params: { id }, query }) => {
    await refuseClosed(tx, actor, id)
    return totalsOfRewards({ tx, actor }, id, query)
  }),
]
