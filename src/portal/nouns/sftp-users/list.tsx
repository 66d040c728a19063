import { type SftpUser, sftpUserSorts } from '#contract/sftp-users.ts'
import { sftpAuthenticationLabels } from '#domain/sftp-user.ts'
import { sshKeyName } from '#domain/ssh-key.ts'
import { sftpUser } from '#entities/sftp-user.ts'
import { orDash } from '#portal/format/cell-text.ts'
import { type Column, definePane } from '#portal/list/pane.ts'
import { changeWords } from '#portal/nouns/change-words.ts'
import { plain, sortsOf, subline, times, twoLines } from '#portal/nouns/columns.tsx'
import { history } from '#portal/record/history.ts'
import { later } from '#portal/ui/later.tsx'

const columns: readonly Column<SftpUser>[] = [
  {
    id: 'username',
    title: 'Username, id',
    width: [150, 1.3],
    sort: 'username',
    keep: 3,
    text: (one) => `${one.username}, ${one.id}`,
    draw: (one) => twoLines(one.username, one.id),
  },
  plain('organization', 'Organization', 150, (one) => one.organization_name, { sort: 'organization', long: true, keep: 2 }),
  plain('authentication', 'Authentication', 110, (one) => sftpAuthenticationLabels[one.authentication], { keep: 2 }),
  plain('key', 'Key', 150, (one) => orDash(one.ssh_key_type && sshKeyName(one.ssh_key_type)), { long: true }),
  times('created', 'Created', (one) => one.created_at, { sort: 'created_at', keep: 1 }),
  plain('by', 'Created by', 120, (one) => one.created_by, { long: true }),
  times('updated', 'Changed', (one) => one.updated_at, { sort: 'updated_at' }),
]

/** SFTP users (SCR-067). */
export default definePane<SftpUser>({
  entity: sftpUser,
  title: 'SFTP users',
  next: 'sftp-user.create',
  none: 'No SFTP user, or none that you have access to.',
  columns,
  shown: ['username', 'organization', 'authentication', 'key', 'created', 'by'],
  sorts: sortsOf(sftpUserSorts, columns, { username: 'Username' }),
  sub: (one) => subline(one.id, one.organization_name),
  tabs: {
    general: later(async () => (await import('#portal/nouns/sftp-users/general.tsx')).SftpUserGeneral),
    history,
  },
  words: changeWords({ public_key: 'SSH key', ssh_key: 'SSH key' }),
})
