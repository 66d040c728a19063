import {
  countSftpUsers,
  getSftpUser,
  listSftpUserEvents,
  listSftpUsers,
  SftpUser,
  sftpUserFilters,
} from '#contract/sftp-users.ts'
import { sftpAuthenticationLabels } from '#domain/sftp-user.ts'
import { isolated } from '#domain/text.ts'
import { defineEntity } from '#kernel/entity.ts'
import { numbers } from '#kernel/ids.ts'

/** A user who may upload and download files of an organization by SFTP. */
export const sftpUser = defineEntity<SftpUser>({
  name: 'sftp-user',
  one: 'SFTP user',
  many: 'SFTP users',
  icon: 'key',
  ids: numbers({ prefix: 'SFTP', written: true }),
  path: '/sftp-users',
  schema: SftpUser,
  get: getSftpUser,
  list: listSftpUsers,
  count: countSftpUsers,
  events: listSftpUserEvents,
  query: {},
  rows: (answer: { sftp_users: SftpUser[] }) => answer.sftp_users,
  filters: sftpUserFilters,
  pane: true,
  tabs: { history: 'History' },
  id: (one) => String(one.id),
  title: (one) => one.username,
  subtitle: (one) => [one.id, sftpAuthenticationLabels[one.authentication], isolated(one.organization_name)].join(' · '),
  version: (one) => one.version,
  keywords: (one) => [one.organization_name],
  confirmWith: (one) => one.username,
})
