import type { FilterSetting } from '#contract/filter.ts'
import { defineCommand } from '#kernel/command.ts'

/** Filters by the text after `/` in the palette; without it, asks for it there. */
export default defineCommand<undefined, { set?: readonly FilterSetting[]; q?: string }>({
  id: 'filter.set',
  title: 'Filter this list',
  aliases: ['narrow', 'add filter'],
  icon: 'filter',
  needs: 'signed-in',
  unavailable: ({ pane }) =>
    !pane
      ? { sentence: 'Open a list first.' }
      : pane.filters.length || pane.searched
        ? null
        : { sentence: 'This list has no filters.' },
  act: (host, _, { set, q = '' }) => (set ? host.narrow(set, q) : host.show('filters')),
})
