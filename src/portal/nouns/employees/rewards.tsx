import type { Employee } from '#contract/employees.ts'
import { countRewards, listRewards, type Reward, rewardFilters, rewardSorts } from '#contract/rewards.ts'
import { rewardLabels, rewardStatuses } from '#domain/reward.ts'
import { employee } from '#entities/employee.ts'
import type { Column } from '#portal/list/pane.ts'
import { amounts, dates, plain, sortsOf, states } from '#portal/nouns/columns.tsx'
import { tabList } from '#portal/record/tab-list.tsx'

const columns: readonly Column<Reward>[] = [
  plain('kind', 'Reward', 110, (one) => rewardLabels[one.kind], { keep: 3 }),
  states('status', 'Status', 92, rewardStatuses, (one) => one.status, { sort: 'status', keep: 2 }),
  dates('earned', 'Earned', (one) => one.earned_date, { sort: 'earned_date', keep: 1 }),
  dates('granted', 'Granted', (one) => one.granted_date, { keep: 1 }),
  dates('expires', 'Expires', (one) => one.expiry_date),
  amounts('amount', 'Amount', (one) => one.amount, { sort: 'amount', keep: 3 }),
]

/** The tab Rewards of an employee (SCR-047). */
export const Rewards = tabList<Employee>({
  of: employee,
  tab: 'rewards',
  rows: { name: 'reward', id: (one: Reward) => String(one.id), version: () => 0 },
  list: (one) => ({
    title: 'Rewards',
    many: 'rewards',
    columns,
    filters: rewardFilters,
    sorts: sortsOf(rewardSorts, columns),
    newestFirst: true,
    none: 'This employee has no rewards.',
    source: {
      endpoint: listRewards,
      at: () => ({ id: String(one.id) }),
      rows: (answer: { rewards: Reward[] }) => answer.rewards,
      count: countRewards,
      totals: {
        from: countRewards,
        read: ({ totals }: { totals: Record<string, number> }) => [
          { title: 'rewards', cents: totals['amount'] ?? 0 },
          { title: 'granted', cents: totals['granted_amount'] ?? 0 },
        ],
      },
    },
  }),
})
