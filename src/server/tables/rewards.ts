import { type Generated, sql } from 'kysely'
import { listRewards, type Reward } from '#contract/rewards.ts'
import type { RewardKind, RewardStatus } from '#domain/reward.ts'
import { type Asking, type Conditions, conditionsOf, defineList, every, type FilterOf } from '#server/paging/define-list.ts'
import { choice } from '#server/tables/conditions.ts'

/** The table `rewards`; cents. Another system writes it: the application only reads. */
export interface RewardTable {
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

type Filter = FilterOf<typeof listRewards>

const column = (name: string) => sql.ref(`e.${name}`)
const of = (employeeId: number) => sql`(select * from rewards where employee_id = ${employeeId}) e`
const filters: Conditions<Filter> = { ...choice('status', column('status')), ...choice('kind', column('kind')) }

/** The rewards of an employee; the caller checks access to the employee. */
export const rewardsOf = (employeeId: number) =>
  defineList({
    endpoint: listRewards,
    from: of(employeeId),
    open: () => sql`true`,
    filters,
    sorts: { id: null, earned_date: column('earned_date'), amount: column('amount'), status: column('status') },
    async read({ tx }, chosen, order) {
      const { rows } = await sql<Reward>`
        select e.id, e.kind, e.amount, e.status, e.earned_date, e.granted_date, e.expiry_date
        from (${chosen}) chosen join rewards e on e.id = chosen.id order by ${order}`.execute(tx)
      return rows
    },
  })

/** The number of rewards of an employee that match a filter, their total, and the granted part; cents. */
export async function totalsOfRewards(asking: Asking, employeeId: number, filter: Filter) {
  const where = every(await conditionsOf(filters, filter, asking))
  const { rows } = await sql<{ count: number; amount: number; granted_amount: number }>`
    select count(*)::int as count, coalesce(sum(e.amount), 0)::bigint as amount,
      coalesce(sum(e.amount) filter (where e.status = 'GRANTED'), 0)::bigint as granted_amount
    from ${of(employeeId)} where ${where}`.execute(asking.tx)
  const { count, ...totals } = rows[0] as (typeof rows)[number]
  return { count, exact: true, totals }
}

/** A reward as returned by the API. */
export const toReward = ({ id, kind, amount, status, earned_date, granted_date, expiry_date }: Reward): Reward => ({
  id,
  kind,
  amount,
  status,
  earned_date,
  granted_date,
  expiry_date,
})
