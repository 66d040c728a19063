import { deleteSftpUser } from '#contract/sftp-users.ts'
import { sftpUser } from '#entities/sftp-user.ts'
import { defineCommand } from '#kernel/command.ts'

export default defineCommand({
  id: 'sftp-user.delete',
  title: 'Delete SFTP user',
  aliases: ['remove sftp user'],
  on: sftpUser,
  does: deleteSftpUser,
  keys: [{ scope: 'row', chord: 'Backspace' }],
  undo: { irreversible: true },
  preview: { warning: () => 'Nobody can sign in with it from now on. Files that it brought stay.' },
  plan: (one) => [deleteSftpUser({ id: one.id }, { version: one.version })],
  done: { message: (one) => `Deleted ${sftpUser.title(one)}`, opens: () => sftpUser.path },
})
