import { defineCommand } from '#kernel/command.ts'

export default defineCommand({
  id: 'session.repeat',
  title: 'Repeat the last command',
  aliases: ['repeat', 'again', 'same again'],
  icon: 'refresh',
  needs: 'signed-in',
  keys: [{ scope: 'workspace', chord: '.' }],
  act: (host) => host.repeat(),
})
