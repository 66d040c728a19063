import { defineCommand } from '#kernel/command.ts'
import type { CommandContext } from '#kernel/command-context.ts'

const common = {
  icon: 'star',
  needs: 'signed-in',
  keys: [{ scope: 'everywhere', chord: 'Mod+Shift+F', toggles: 'view.favourite' }],
} as const

/** Why the open record or view is no favourite and cannot become one; null if it can. */
function whyNot({ favourite }: CommandContext): string | null {
  if (!favourite) return 'Open a record or a list first.'
  return favourite.id === null ? 'Save this view first.' : null
}

/** Marks the open record, the open view or a row of the palette, for this person in this browser. */
export default [
  defineCommand({
    ...common,
    id: 'view.favourite.add',
    title: 'Add to favourites',
    aliases: ['favorite', 'bookmark', 'star', 'pin'],
    unavailable: (context: CommandContext) => {
      const why = whyNot(context)
      if (why) return { sentence: why }
      if (context.favourite?.is) return { sentence: 'This is a favourite already.' }
      return context.favourite?.isFull ? { sentence: 'You have 50 favourites. Remove one first.' } : null
    },
    act: (host) => host.favourite('add'),
  }),
  defineCommand({
    ...common,
    id: 'view.favourite.remove',
    title: 'Remove from favourites',
    aliases: ['unfavorite', 'remove bookmark', 'unstar', 'unpin'],
    unavailable: (context: CommandContext) => {
      const why = whyNot(context)
      return why ? { sentence: why } : context.favourite?.is ? null : { sentence: 'This is no favourite.' }
    },
    act: (host) => host.favourite('remove'),
  }),
]
