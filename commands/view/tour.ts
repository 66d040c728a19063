import { defineCommand } from '#kernel/command.ts'

export default defineCommand({
  id: 'view.tour',
  title: 'Take the tour',
  aliases: ['tutorial', 'introduction', 'learn the keys', 'getting started'],
  icon: 'keyboard',
  needs: 'signed-in',
  act: (host) => host.show('tour'),
})
