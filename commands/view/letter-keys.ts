import { z } from 'zod'
import { choice } from '#contract/fields.ts'
import { defineCommand } from '#kernel/command.ts'

export default defineCommand<undefined, { letters: 'on' | 'off' }>({
  id: 'view.letter-keys',
  title: 'Single-key shortcuts',
  aliases: ['disable shortcuts', 'character keys', 'settings', 'preferences'],
  icon: 'keyboard',
  place: 'account-menu',
  needs: 'signed-in',
  form: {
    schema: z.object({ letters: choice('Single-key shortcuts', ['on', 'off'], { on: 'On', off: 'Off' }) }),
    start: (_, { choices }) => (choices ? { letters: choices.letters ? 'on' : 'off' } : {}),
  },
  act: (host, _, { letters }) => host.letterKeys(letters === 'on'),
})
