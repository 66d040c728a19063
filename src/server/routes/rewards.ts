import { countRewards, listRewards } from '#contract/rewards.ts'
import { openEmployee } from '#server/tables/employees.ts'
import { rewardsOf, toReward } from '#server/tables/rewards.ts'
import { listBelow } from '#server/http/reads.ts'

export const routes = listBelow(
  listRewards,
  countRewards,
  async ({ tx, actor, params: { id } }) => {
    return rewardsOf(await openEmployee(tx, actor, id))
  },
  toReward,
)
