import { z } from 'zod'
import { billingAccountFields, editBillingAccount } from '#contract/billing-account-changes.ts'
import type { BillingAccount } from '#contract/billing-accounts.ts'
import { billingAccount } from '#entities/billing-account.ts'
import { defineCommand } from '#kernel/command.ts'

const { routing_number, account_number } = billingAccountFields
const form = z.object({ routing_number, account_number })

/** A command of its own, because the old number is never returned and so cannot be restored. */
export default defineCommand<BillingAccount, typeof editBillingAccount, z.input<typeof form>>({
  id: 'billing-account.change-number',
  title: 'Change number of billing account',
  aliases: ['account number', 'change routing number', 'new account number'],
  on: billingAccount,
  does: editBillingAccount,
  keys: [{ scope: 'row', chord: 'u' }],
  form: { schema: form, start: (one) => (one ? { routing_number: one.routing_number } : {}) },
  preview: {
    warning: ({ in_flight_count: flying }) =>
      `Further debits are made from the new number.${flying ? ` ${underWay(flying)} from the old one.` : ''}`,
  },
  plan: (one, params) => {
    const { name, nickname, bank_name, ach_code, scope, employers, version } = one
    const employer_ids = employers.length ? employers.map(({ id }) => id) : undefined
    return [editBillingAccount({ id: one.id }, { name, nickname, bank_name, ach_code, scope, employer_ids, ...params, version })]
  },
  done: () => 'Billing account updated',
  failed: () => 'Something went wrong saving the billing account configuration',
})

const underWay = (count: number): string =>
  count === 1 ? '1 debit that is under way goes on' : `${count} debits that are under way go on`
