import { resendCommunication } from '#contract/communications.ts'
import { communication } from '#entities/communication.ts'
import { defineCommand } from '#kernel/command.ts'

export default defineCommand({
  id: 'communication.resend',
  title: 'Send mail again',
  aliases: ['resend mail', 'resend communication'],
  on: communication,
  does: resendCommunication,
  bulk: false,
  keys: [{ scope: 'row', chord: 's' }],
  preview: { warning: ({ recipient }) => `It is sent to ${recipient} once more.` },
  done: (one) => `Queued the ${communication.title(one)}`,
})
