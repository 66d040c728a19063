import { z } from 'zod'
import { all } from '#domain/permissions.ts'
import { rewardKinds, rewardLabels, rewardStatuses } from '#domain/reward.ts'
import { endpoint } from '#contract/define.ts'
import { dateSchema } from '#contract/fields.ts'
import { choiceFilter, filterParams } from '#contract/filter.ts'
import { Count, lek, listQuery } from '#contract/list.ts'

/** A reward promised to an employee in addition to wages; cents. */
export const Reward = z.object({
  id: z.int(),
  kind: z.enum(rewardKinds),
  amount: z.int(),
  status: z.enum(rewardStatuses.values),
  earned_date: dateSchema,
  /** For a granted reward. */
  granted_date: dateSchema.nullable(),
  /** Last date on which it can be granted. */
  expiry_date: dateSchema,
})
export type Reward = z.infer<typeof Reward>

export const rewardFilters = [
  choiceFilter({ id: 'status', title: 'Status', of: rewardStatuses }),
  choiceFilter({ id: 'kind', title: 'Kind', values: rewardKinds, labels: rewardLabels }),
] as const

export const rewardSorts = ['id', 'earned_date', 'amount', 'status'] as const

const { q: _, ...unsearched } = listQuery
const filtered = filterParams(rewardFilters)
const needs = all('read:employees')

export const listRewards = endpoint({
  method: 'GET',
  path: '/employees/{id}/rewards',
  summary: 'The rewards of an employee',
  tag: 'Employees',
  query: z.object({ ...unsearched, ...filtered, sort: z.enum(rewardSorts).default('id') }),
  answer: z.object({ rewards: z.array(Reward), lek }),
  needs,
  extension: true,
})

/** Number of an employee's rewards for a filter, and their total; cents. */
export const countRewards = endpoint({
  method: 'GET',
  path: '/employees/{id}/rewards/count',
  summary: 'How many rewards of an employee a filter has, and what they come to',
  tag: 'Employees',
  query: z.object(filtered),
  answer: Count.extend({ totals: z.object({ amount: z.int(), granted_amount: z.int() }) }),
  needs,
  extension: true,
})
