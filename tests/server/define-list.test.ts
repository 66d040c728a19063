import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { endpoint } from '#contract/define.ts'
import { choiceFilter, dateFilter, filterParams } from '#contract/filter.ts'
import { nothing } from '#contract/fields.ts'
import { listQuery } from '#contract/list.ts'
import { all } from '#domain/permissions.ts'
import { type Conditions, defineList, type FilterOf } from '#server/paging/define-list.ts'

const filters = [
  choiceFilter({ id: 'state', title: 'State', values: ['NEW', 'OLD'], labels: {} }),
  dateFilter('made', 'Made'),
] as const

const list = endpoint({
  method: 'GET',
  path: '/things',
  summary: 'Things',
  tag: 'Things',
  params: nothing,
  query: z.object({
    ...listQuery,
    sort: z.enum(['id', 'amount']).default('id'),
    ...filterParams(filters),
  }),
  answer: z.object({ things: z.array(z.object({ id: z.int() })) }),
  needs: all('read:billing'),
})

test('a declared filter or sort that the list does not implement is a type error', () => {
  const condition = () => sql`true`
  const applied: Conditions<FilterOf<typeof list>> = {
    q: condition,
    state: (values: string[]) => sql`state in (${sql.join(values)})`,
    'state-not': condition,
    'made-from': (date: string) => sql`made >= ${date}`,
    'made-to': condition,
    'made-on': condition,
  }
  const { 'made-to': _, ...forgotten } = applied
  // @ts-expect-error: 'made-to' is declared but not implemented
  const missing: Conditions<FilterOf<typeof list>> = forgotten
  // @ts-expect-error: a date is text
  const wrong: Conditions<FilterOf<typeof list>> = { ...applied, 'made-from': (date: number) => sql`made >= ${date}` }
  const rest = { endpoint: list, from: sql`things e`, open: condition, read: async () => [{ id: 1, key: null }] }
  // @ts-expect-error: the sort by amount is declared but not implemented
  const unsorted = defineList({ ...rest, filters: applied, sorts: { id: null } })
  const served = defineList({ ...rest, filters: applied, sorts: { id: null, amount: sql.ref('e.amount') } })
  expect([Object.keys(missing), wrong, unsorted, served]).toHaveLength(4)
  expect(Object.keys(applied).sort()).toEqual(
    Object.keys(list.query.shape)
      .filter((name) => !['limit', 'lek', 'direction', 'from-id', 'sort', 'sort-order'].includes(name))
      .sort(),
  )
})
