import { z } from 'zod'
import { choice } from '#contract/fields.ts'
import { defineCommand } from '#kernel/command.ts'
import { type Theme, themes } from '#kernel/command-host.ts'

export default defineCommand<undefined, { theme: Theme }>({
  id: 'view.theme',
  title: 'Switch theme',
  aliases: ['dark mode', 'light mode', 'appearance'],
  icon: 'theme',
  group: 'View',
  inAccountMenu: true,
  needs: 'signed-in',
  form: z.object({ theme: choice('Theme', themes, { light: 'Light', dark: 'Dark', system: 'As the system' }) }),
  start: (_, { choices }) => (choices ? { theme: choices.theme } : {}),
  act: (host, _, { theme }) => host.theme(theme),
})
