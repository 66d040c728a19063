import { listSftpUsers } from '#contract/sftp-users.ts'
import { sftpUser } from '#entities/sftp-user.ts'
import { defineCommand } from '#kernel/command.ts'
import { pathOf } from '#kernel/entity.ts'

export default defineCommand({
  id: 'sftp-user.open',
  title: 'Jump to SFTP user',
  aliases: ['find sftp user', 'open sftp user'],
  icon: 'key',
  on: sftpUser,
  reads: listSftpUsers,
  act: (desk, one) => desk.open(pathOf(sftpUser, sftpUser.id(one))),
})
