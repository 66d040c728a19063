import { defineCommand } from '#kernel/command.ts'

export default defineCommand({
  id: 'link.copy',
  title: 'Copy link',
  aliases: ['share', 'address', 'url'],
  icon: 'link',
  group: 'View',
  needs: 'signed-in',
  keys: [{ scope: 'workspace', chord: 'y' }],
  act: (desk) => desk.copy(desk.address()),
  done: () => 'Link copied',
})
