import { type Generated, sql } from 'kysely'
import { listRewards, Reward } from '#contract/rewards.ts'
import type { RewardKind, RewardStatus } from '#domain/reward.ts'
import { defineList } from '#server/paging/define-list.ts'
import { choice } from '#server/tables/conditions.ts'
import { answerOf } from '#server/tables/answer-of.ts'
import type { RowKey } from '#server/tables/rows.ts'

/** The table `rewards`; cents. Another system writes it: the application only reads. */
export interface RewardTable {
  organization_id: number
  id: Generated<number>
  employee_id: number
  kind: RewardKind
  amount: number
  status: RewardStatus
  earned_date: string
  granted_date: string | null
  expiry_date: string
}

declare module '#server/tables/database.ts' {
  interface Database {
    rewards: RewardTable
  }
}

const column = (name: string) => sql.ref(`e.${name}`)

/** The rewards of an employee; the caller checks access to the employee. The totals are in cents. */
export const rewardsOf = ({ id, organization_id }: RowKey) =>
  defineList({
    endpoint: listRewards,
    from: sql`(select * from rewards where employee_id = ${id} and organization_id = ${organization_id}) e`,
    open: () => sql`true`,
    filters: { ...choice('status', column('status')), ...choice('kind', column('kind')) },
    sorts: { id: null, earned_date: column('earned_date'), amount: column('amount'), status: column('status') },
    columns: sql<Reward>`e.id, e.kind, e.amount, e.status, e.earned_date, e.granted_date, e.expiry_date`,
    totals: { amount: sql`sum(e.amount)`, granted_amount: sql`sum(e.amount) filter (where e.status = 'GRANTED')` },
  })

/** A reward as returned by the API. */
export const toReward = (row: Reward): Reward => answerOf(Reward, row)
