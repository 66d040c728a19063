import { z } from 'zod'
import { choice } from '#contract/fields.ts'
import { defineCommand } from '#kernel/command.ts'
import { type Theme, themes } from '#kernel/command-host.ts'

export default defineCommand<undefined, { theme: Theme }>({
  id: 'view.theme',
  title: 'Switch theme',
  aliases: ['dark mode', 'light mode', 'appearance', 'settings', 'preferences'],
  icon: 'theme',
  place: 'account-menu',
  needs: 'signed-in',
  form: {
    schema: z.object({ theme: choice('Theme', themes, { light: 'Light', dark: 'Dark', system: 'As the system' }) }),
    start: (_, { choices }) => (choices ? { theme: choices.theme } : {}),
  },
  act: (host, _, { theme }) => host.theme(theme),
})
