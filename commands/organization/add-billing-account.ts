import { z } from 'zod'
import { billingAccountFields, createBillingAccount, debitedEmployers } from '#contract/billing-account-changes.ts'
import type { Organization } from '#contract/organizations.ts'
import { organization } from '#entities/organization.ts'
import { defineCommand } from '#kernel/command.ts'

const form = z.object(billingAccountFields)

export default defineCommand<Organization, typeof createBillingAccount, z.input<typeof form>>({
  id: 'organization.add-billing-account',
  title: 'Add billing account',
  aliases: ['new billing account', 'debit account', 'routing number'],
  on: organization,
  does: createBillingAccount,
  keys: [{ scope: 'row', chord: 'i', tab: 'organization.billing-accounts', toggles: 'organization.tab' }],
  form: {
    schema: (_, one) => (one ? form.extend({ employer_ids: debitedEmployers(organization.id(one)) }) : form),
    start: () => ({ scope: 'ORGANIZATION' }),
  },
  plan: (one, params) => [createBillingAccount({}, { ...params, organization_id: one.id })],
  done: () => 'Billing account created',
  failed: () => 'Something went wrong saving the billing account configuration',
})
