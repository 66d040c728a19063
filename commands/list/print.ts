import { defineCommand } from '#kernel/command.ts'

/** Printing is the browser's (D158): what it prints is made as it begins. */
export default defineCommand({
  id: 'list.print',
  title: 'Print what is on screen',
  aliases: ['print', 'print list', 'paper'],
  icon: 'download',
  group: 'View',
  needs: 'signed-in',
  unavailable: () => ({
    sentence:
      'Press Ctrl+P (Cmd+P on a Mac): a list is printed with the rows that are loaded, a record with the tab that is open.',
  }),
  act: () => {},
})
