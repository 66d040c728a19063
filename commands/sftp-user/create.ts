import type { z } from 'zod'
import { createSftpUser, type SftpUser } from '#contract/sftp-users.ts'
import { sftpUser } from '#entities/sftp-user.ts'
import { defineCommand } from '#kernel/command.ts'
import { pathOf } from '#kernel/entity.ts'

export default defineCommand<SftpUser, typeof createSftpUser, z.input<typeof createSftpUser.body>>({
  id: 'sftp-user.create',
  title: 'Create SFTP user',
  aliases: ['add sftp user', 'new sftp user'],
  does: createSftpUser,
  form: { schema: createSftpUser.body, start: () => ({ authentication: 'SSH_KEY' }) },
  plan: (_, params) => [createSftpUser({}, params)],
  done: { message: (_, { username }) => `Created ${username}`, opens: ({ after }) => pathOf(sftpUser, sftpUser.id(after)) },
})
