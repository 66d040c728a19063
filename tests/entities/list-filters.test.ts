import { expect, test } from 'vitest'
import { listFilters } from '#contract/list-filters.ts'
import { groups } from '#domain/permission-groups.ts'
import { audiences, audiencesOf } from '#domain/shared-view.ts'
import { withList } from '#entities/with-list.ts'

test('the filters of every list with a page are known to the server', () => {
  const known = Object.entries(listFilters).map(([path, { list, filters }]) => ({ path, list, filters }))
  expect(known.map(({ path }) => path).sort()).toEqual(withList.map(({ path }) => path).sort())
  for (const { path, list, filters } of withList) expect(listFilters[path], path).toEqual({ list, filters })
})

test('every permission group is an audience of shared views', () => {
  for (const { id } of groups) expect(audiencesOf({ kind: 'ADMIN', groupIds: [id] })).toHaveLength(3)
  expect(audiences).toHaveLength(groups.length + 3)
})
