import { z } from 'zod'
import { resetAccountManagerAuthenticator } from '#contract/account-manager-changes.ts'
import { authenticatorReset } from '#contract/staff.ts'
import { accountManager } from '#entities/account-manager.ts'
import { defineCommand } from '#kernel/command.ts'

export default defineCommand({
  id: 'account-manager.reset-authenticator',
  title: 'Reset authenticator of account manager',
  aliases: ['reset mfa', 'reset 2fa', 'reset two-factor', 'lost phone', 'lost authenticator', 'new phone'],
  on: accountManager,
  does: resetAccountManagerAuthenticator,
  form: z.object({ reason: authenticatorReset.shape.reason }),
  preview: {
    warning: (one) =>
      `Check first that it is really ${one.name} who asks. They are signed out, their recovery codes stop working, and they set up a new authenticator at the next sign-in.`,
  },
  plan: (one, { reason }) => [resetAccountManagerAuthenticator({ id: one.id }, { reason, version: one.version })],
  done: (one) => `Reset the authenticator of ${accountManager.title(one)}`,
})
