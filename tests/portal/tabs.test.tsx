import { expect, test } from 'vitest'
import { withList } from '#entities/with-list.ts'
import type { AnyPane } from '#portal/list/pane.ts'
import tabs from '../../commands/link/tab.ts'

const panes = Object.values(
  import.meta.glob<AnyPane>('../../src/portal/nouns/*/list.tsx', { eager: true, import: 'default' }),
).filter(({ kind }) => kind === 'pane')

test('what a record shows is General and the tabs that its noun names, each of which the palette finds', () => {
  expect(panes.map(({ entity }) => entity.name).sort()).toEqual(withList.map(({ name }) => name).sort())
  for (const { entity, tabs: drawn } of panes) {
    expect(
      drawn.map(({ id }) => id),
      entity.name,
    ).toEqual(['general', ...Object.keys(entity.tabs ?? {})])
    for (const { id } of drawn.slice(1)) expect(tabs.map((command) => command.id)).toContain(`link.tab.${entity.name}-${id}`)
  }
})
