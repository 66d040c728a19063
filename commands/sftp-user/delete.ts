import { deleteSftpUser } from '#contract/sftp-users.ts'
import { sftpUser } from '#entities/sftp-user.ts'
import { defineCommand } from '#kernel/command.ts'

export default defineCommand({
  id: 'sftp-user.delete',
  title: 'Delete SFTP user',
  aliases: ['remove sftp user'],
  icon: 'trash',
  on: sftpUser,
  does: deleteSftpUser,
  bulk: false,
  keys: [{ scope: 'row', chord: 'Backspace' }],
  irreversible: true,
  warning: () => 'Nobody can sign in with it from now on. Files that it brought stay.',
  plan: (one) => [deleteSftpUser({ id: one.id }, { version: one.version })],
  opens: () => sftpUser.path,
  done: (one) => `Deleted ${sftpUser.title(one)}`,
  failed: (one) => `Something went wrong deleting ${sftpUser.title(one)}`,
})
