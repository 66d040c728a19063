import { z } from 'zod'
import { changeSftpUser, type SftpUser, sftpAuthenticationFields } from '#contract/sftp-users.ts'
import { sftpUser } from '#entities/sftp-user.ts'
import { defineCommand } from '#kernel/command.ts'

const form = z.object(sftpAuthenticationFields)

export default defineCommand<SftpUser, typeof changeSftpUser, z.input<typeof form>>({
  id: 'sftp-user.change',
  title: 'Change password or key of SFTP user',
  aliases: ['new sftp password', 'replace ssh key', 'reset sftp password'],
  icon: 'key',
  on: sftpUser,
  does: changeSftpUser,
  keys: [{ scope: 'row', chord: 'e' }],
  form: { schema: form, start: (one) => (one ? { authentication: one.authentication } : {}) },
  preview: {
    warning: ({ authentication }) =>
      `The ${authentication === 'PASSWORD' ? 'password' : 'key'} of now is worth nothing from then on.`,
  },
  plan: (one, params) => [changeSftpUser({ id: one.id }, { ...params, version: one.version })],
  done: (one) => `Changed how ${sftpUser.title(one)} signs in`,
})
