import { z } from 'zod'
import { resetAdminAuthenticator } from '#contract/admins.ts'
import { authenticatorReset } from '#contract/staff.ts'
import { admin } from '#entities/admin.ts'
import { defineCommand } from '#kernel/command.ts'

export default defineCommand({
  id: 'admin.reset-authenticator',
  title: 'Reset authenticator of admin',
  aliases: ['reset mfa', 'reset 2fa', 'reset two-factor', 'lost phone', 'lost authenticator', 'new phone'],
  on: admin,
  does: resetAdminAuthenticator,
  form: z.object({ reason: authenticatorReset.shape.reason }),
  preview: {
    warning: (one) =>
      `Check first that it is really ${one.name} who asks. They are signed out, their recovery codes stop working, and they set up a new authenticator at the next sign-in.`,
  },
  plan: (one, { reason }) => [resetAdminAuthenticator({ id: one.id }, { reason, version: one.version })],
  done: (one) => `Reset the authenticator of ${admin.title(one)}`,
})
