import { defineCommand } from '#kernel/command.ts'

export default defineCommand<undefined, { only?: string }>({
  id: 'filter.clear',
  title: 'Clear all filters',
  aliases: ['remove filters', 'show all'],
  icon: 'filter',
  needs: 'signed-in',
  unavailable: ({ pane }) =>
    !pane ? { sentence: 'Open a list first.' } : pane.narrowed ? null : { sentence: 'No filter is set.' },
  act: (host, _, { only }) => host.clearFilters(only),
})
