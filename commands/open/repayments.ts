import { listings } from '#contract/listings.ts'
import { defineCommand } from '#kernel/command.ts'

export default defineCommand({
  id: 'open.repayments',
  title: 'Open repayments',
  aliases: ['go to repayments', 'debtor repayments', 'payments', 'pmt'],
  icon: 'repayment',
  reads: listings.repayments,
  keys: [{ scope: 'workspace', chord: 'g r' }],
  place: { address: '/repayments', order: 30 },
  act: (host) => host.open('/repayments'),
})
