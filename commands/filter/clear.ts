import { defineCommand } from '#kernel/command.ts'

export default defineCommand({
  id: 'filter.clear',
  title: 'Clear all filters',
  aliases: ['remove filters', 'show all'],
  icon: 'filter',
  group: 'Filters',
  needs: 'signed-in',
  unavailable: ({ pane }) =>
    !pane ? { sentence: 'Open a list first.' } : pane.set.length === 0 ? { sentence: 'No filter is set.' } : null,
  act: (desk) => desk.clearFilters(),
})
