import { defineCommand } from '#kernel/command.ts'

/** What the browser prints is made as it begins (D158): of a list the rows that are loaded, of a record the tab that is open. */
export default defineCommand({
  id: 'list.print',
  title: 'Print what is on screen',
  aliases: ['print', 'print list', 'paper'],
  icon: 'download',
  group: 'View',
  needs: 'signed-in',
  act: (host) => host.print(),
})
