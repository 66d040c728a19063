import { defineCommand } from '#kernel/command.ts'

/** Copies the column of the active cell, one value per line. */
export default defineCommand({
  id: 'list.copy-column',
  title: 'Copy column',
  aliases: ['copy values', 'column as text'],
  icon: 'link',
  needs: 'signed-in',
  keys: [{ scope: 'grid', chord: 'y c' }],
  unavailable: ({ pane }) =>
    !pane ? { sentence: 'Open a list first.' } : pane.cell ? null : { sentence: 'Go to a cell of the column first, with Right.' },
  act: (host) => host.copyColumn(),
})
