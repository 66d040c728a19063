import { getSftpUserAccess, type SftpUser } from '#contract/sftp-users.ts'
import { sftpAccessText } from '#domain/sftp-connection.ts'
import { sftpUser } from '#entities/sftp-user.ts'
import { defineCommand } from '#kernel/command.ts'

/** Copies what a customer needs to send files. */
export default defineCommand<SftpUser>({
  id: 'sftp-user.copy-access',
  title: 'Copy connection details of SFTP user',
  aliases: ['sftp host', 'host key', 'tell the customer', 'how to connect'],
  icon: 'link',
  on: sftpUser,
  reads: getSftpUserAccess,
  keys: [{ scope: 'row', chord: 'c' }],
  act: (host, one) =>
    void host.copyAnswer(getSftpUserAccess, { id: one.id }, (access) => sftpAccessText(one, access), 'Connection details copied'),
})
