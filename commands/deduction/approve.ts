import { approveDeduction } from '#contract/deductions.ts'
import { deduction } from '#entities/deduction.ts'
import { defineCommand } from '#kernel/command.ts'

export default defineCommand({
  id: 'deduction.approve',
  title: 'Approve deduction',
  aliases: ['release deduction', 'approve invoice'],
  icon: 'check',
  on: deduction,
  does: approveDeduction,
  keys: [{ scope: 'row', chord: 'p' }],
  warning: () => 'Its invoice is approved with it and goes its way.',
  amount: (one) => one.amount,
  done: (one) => `Approved the deduction of ${one.invoice_number}`,
  failed: (one) => `Something went wrong approving the deduction of ${one.invoice_number}`,
})
