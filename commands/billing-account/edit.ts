import { z } from 'zod'
import { billingAccountFields, debitedEmployers, editBillingAccount } from '#contract/billing-account-changes.ts'
import type { BillingAccount } from '#contract/billing-accounts.ts'
import { billingAccount } from '#entities/billing-account.ts'
import { defineCommand } from '#kernel/command.ts'

const { account_number: _, routing_number: __, ...fields } = billingAccountFields
const form = z.object(fields)

/** Current values of the editable fields, other than the account's numbers. */
const valuesOf = ({ name, nickname, bank_name, ach_code, scope, employers }: BillingAccount) => ({
  name,
  nickname,
  bank_name: bank_name ?? undefined,
  ach_code: ach_code ?? undefined,
  scope,
  employer_ids: employers.length ? employers.map(({ id }) => id) : undefined,
})

export default defineCommand<BillingAccount, typeof editBillingAccount, z.input<typeof form>>({
  id: 'billing-account.edit',
  title: 'Edit billing account',
  aliases: ['nickname', 'change billing account'],
  on: billingAccount,
  does: editBillingAccount,
  keys: [{ scope: 'row', chord: 'e' }],
  form: {
    schema: (_, one) => (one ? form.extend({ employer_ids: debitedEmployers(String(one.organization_id)) }) : form),
    start: (one) => (one ? valuesOf(one) : {}),
  },
  plan: (one, params) => [
    editBillingAccount({ id: one.id }, { ...params, routing_number: one.routing_number, version: one.version }),
  ],
  undo: ({ before, after }) => [
    editBillingAccount({ id: after.id }, { ...valuesOf(before), routing_number: before.routing_number, version: after.version }),
  ],
  done: () => 'Billing account updated',
  failed: () => 'Something went wrong saving the billing account configuration',
})
