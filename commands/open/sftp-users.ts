import { listings } from '#contract/listings.ts'
import { defineCommand } from '#kernel/command.ts'

export default defineCommand({
  id: 'open.sftp-users',
  title: 'Open SFTP users',
  aliases: ['go to sftp users', 'file transfer users'],
  icon: 'key',
  reads: listings.sftpUsers,
  keys: [{ scope: 'workspace', chord: 'g s' }],
  place: { address: '/sftp-users', order: 59 },
  act: (host) => host.open('/sftp-users'),
})
