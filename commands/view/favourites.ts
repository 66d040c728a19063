import { defineCommand } from '#kernel/command.ts'

export default defineCommand({
  id: 'view.favourites',
  title: 'Favourites',
  aliases: ['favorites', 'bookmarks', 'starred', 'reorder favourites', 'move favourite'],
  icon: 'star',
  needs: 'signed-in',
  keys: [{ scope: 'workspace', chord: 'g v' }],
  act: (host) => host.show('favourites'),
})
