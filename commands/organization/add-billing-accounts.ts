import { z } from 'zod'
import { billingAccountFields, createBillingAccount, debitedEmployers } from '#contract/billing-account-changes.ts'
import { required, secret } from '#contract/fields.ts'
import type { Organization } from '#contract/organizations.ts'
import { accountColumns, maxAccountLines, readAccountLines } from '#domain/billing-account-lines.ts'
import { isolated } from '#domain/text.ts'
import { organization } from '#entities/organization.ts'
import { defineCommand } from '#kernel/command.ts'

const lines = secret(
  'Accounts',
  z
    .string({ error: required })
    .max(20_000, 'At most 20,000 characters')
    .superRefine((text, context) => {
      const { accounts, faults } = readAccountLines(text)
      const issues =
        accounts.length === 0 ? [required] : accounts.length > maxAccountLines ? [`At most ${maxAccountLines} accounts`] : faults
      for (const message of issues.slice(0, 1)) context.addIssue({ code: 'custom', message })
    }),
  {
    lines: true,
    help: `One a line, pasted from a spreadsheet: ${accountColumns.join(', ').toLowerCase().replace('ach', 'ACH')}`,
  },
)
const { scope, employer_ids } = billingAccountFields
const form = z.object({ accounts: lines, scope, employer_ids })

/** Creates several accounts independently, so that a refused one does not block the others (ERR-047). */
export default defineCommand<Organization, typeof createBillingAccount, z.input<typeof form>>({
  id: 'organization.add-billing-accounts',
  title: 'Add several billing accounts',
  aliases: ['import billing accounts', 'paste billing accounts'],
  on: organization,
  does: createBillingAccount,
  form: {
    schema: (_, one) => (one ? form.extend({ employer_ids: debitedEmployers(organization.id(one)) }) : form),
    start: () => ({ scope: 'ORGANIZATION' }),
  },
  plan: {
    calls: (one, { accounts, ...rest }) =>
      readAccountLines(accounts).accounts.map((account) =>
        createBillingAccount({}, { ...account, ...rest, organization_id: one.id }),
      ),
    failed: (failed, of) => `Something went wrong with ${failed} of ${of} accounts created`,
    label: ({ nickname, account_number }) => `${isolated(String(nickname))} …${String(account_number).slice(-4)}`,
  },
  done: (_, { accounts }) => {
    const { length } = readAccountLines(accounts).accounts
    return length === 1 ? 'Billing account created' : `${length} billing accounts created`
  },
  failed: () => 'Something went wrong saving the billing account configuration',
})
