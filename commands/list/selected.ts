import { defineCommand } from '#kernel/command.ts'

/** Maximum number of rows that a list can name in its address. */
const maxIds = 200

/** Shows only the selected rows, also those that were found by other searches. */
export default defineCommand({
  id: 'list.selected',
  title: 'Show selected rows only',
  aliases: ['review selection', 'show selection', 'selected only'],
  icon: 'columns',
  needs: 'signed-in',
  keys: [{ scope: 'grid', chord: 'Shift+X' }],
  unavailable: ({ pane, selection }) => {
    if (!pane) return { sentence: 'Open a list first.' }
    if (!pane.canShowSelected) return { sentence: 'This list cannot be restricted to single rows.' }
    if (selection?.how !== 'marked') return { sentence: 'Select rows first, with x.' }
    if (selection.filter) return { sentence: 'Everything in this list is selected.' }
    return selection.ids.length > maxIds ? { sentence: `At most ${maxIds} selected rows can be shown alone.` } : null
  },
  act: (host) => host.showSelected(),
})
