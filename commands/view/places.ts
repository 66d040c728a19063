import { defineCommand } from '#kernel/command.ts'

export default defineCommand({
  id: 'view.places',
  title: 'Recent places',
  aliases: ['recent', 'where was I', 'visited', 'last screens'],
  icon: 'history',
  needs: 'signed-in',
  keys: [{ scope: 'workspace', chord: 'g b' }],
  act: (host) => host.show('places'),
})
