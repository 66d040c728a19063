import { defineCommand } from '#kernel/command.ts'

export default defineCommand({
  id: 'session.run',
  title: 'Show the last run',
  aliases: ['progress', 'bulk result'],
  icon: 'history',
  group: 'Session',
  needs: 'signed-in',
  act: (desk) => desk.show('run'),
})
