import { defineCommand } from '#kernel/command.ts'

/** The printout is rendered when the browser starts printing: the loaded rows of a list, or the open tab of a record. */
export default defineCommand({
  id: 'list.print',
  title: 'Print what is on screen',
  aliases: ['print', 'print list', 'paper'],
  icon: 'download',
  needs: 'signed-in',
  act: (host) => host.print(),
})
