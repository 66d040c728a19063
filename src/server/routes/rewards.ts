import { countRewards, listRewards } from '#contract/rewards.ts'
import { refuseClosed } from '#server/tables/employees.ts'
import { rewardsOf, toReward } from '#server/tables/rewards.ts'
import { listBelow } from '#server/http/reads.ts'

export const routes = listBelow(
  listRewards,
  countRewards,
  async ({ tx, actor, params: { id } }) => {
    await refuseClosed(tx, actor, id)
    return rewardsOf(id)
  },
  toReward,
)
