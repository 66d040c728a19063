import { defineCommand } from '#kernel/command.ts'

/** The browser's own Back, `Alt+ArrowLeft`, does the same. */
export default defineCommand({
  id: 'view.back',
  title: 'Back to the previous screen',
  aliases: ['back', 'go back', 'previous place'],
  icon: 'undo',
  needs: 'signed-in',
  act: (host) => host.back(),
})
