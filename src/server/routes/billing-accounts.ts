import { createBillingAccount, deleteBillingAccount, editBillingAccount } from '#contract/billing-account-changes.ts'
import { countBillingAccounts, getBillingAccount, listBillingAccounts } from '#contract/billing-accounts.ts'
import { required } from '#contract/fields.ts'
import { reads } from '#server/http/reads.ts'
import { changing, creating } from '#server/http/route.ts'
import { invalid, orNotFound } from '#server/http-error.ts'
import {
  type BillingAccountRow,
  billingAccountList,
  billingAccountName,
  billingAccountSnapshot,
  employersElsewhere,
  hasSameAccount,
  insertBillingAccount,
  markBillingAccountDeleted,
  oneBillingAccount,
  saveBillingAccount,
  toBillingAccount,
} from '#server/tables/billing-accounts.ts'
import type { Tx } from '#server/tables/database.ts'
import { lockOrganization } from '#server/tables/organizations.ts'

const open = orNotFound(oneBillingAccount)

const billingAccount = {
  // Events belong to the history of the organization; the version is that of the account.
  target: ({ organization_id, version }: BillingAccountRow) => ({
    entity: 'organization',
    id: String(organization_id),
    version,
  }),
  snapshot: billingAccountSnapshot,
  answer: toBillingAccount,
}

const change = changing({
  ...billingAccount,
  subject: ({ tx, actor, params }) => oneBillingAccount(tx, actor, params.id, { lock: true }),
})

const create = creating(
  ({ tx, actor, body }) => lockOrganization(tx, actor, Number(body?.['organization_id'])),
  billingAccount,
  ({ id }) => ({ entity: 'organization', id: String(id) }),
)

interface SubmittedAccount {
  scope: BillingAccountRow['scope']
  employer_ids?: number[] | undefined
  routing_number: string
  account_number?: string | undefined
}

/** Validates an account before it is saved; returns the employers it is for. */
async function validateAccount(
  tx: Tx,
  organizationId: number,
  typed: SubmittedAccount & { account_number: string },
  but: number | null,
) {
  const faults: { path: string; message: string }[] = []
  const employerIds = typed.scope === 'EMPLOYERS' ? (typed.employer_ids ?? []) : []
  if (typed.scope === 'EMPLOYERS' && employerIds.length === 0) faults.push({ path: 'employer_ids', message: required })
  if ((await employersElsewhere(tx, organizationId, employerIds)).length > 0)
    faults.push({ path: 'employer_ids', message: 'Choose employers of this organization.' })
  if (await hasSameAccount(tx, { organization_id: organizationId, ...typed }, but))
    faults.push({ path: 'account_number', message: 'This organization has this account already.' })
  if (faults.length > 0) throw invalid(faults)
  return employerIds
}

export const routes = [
  ...reads(
    { list: listBillingAccounts, count: countBillingAccounts, get: getBillingAccount },
    { list: billingAccountList, open, answer: toBillingAccount },
  ),

  create(createBillingAccount, async ({ tx, actor, body }) => {
    const { employer_ids: _, bank_name = null, ach_code = null, ...values } = body
    const employerIds = await validateAccount(tx, body.organization_id, body, null)
    const row = await open(tx, actor, await insertBillingAccount(tx, { ...values, bank_name, ach_code }, employerIds))
    return { after: row, text: billingAccountName(row) }
  }),

  change(editBillingAccount, async ({ tx, actor, subject, body, now }) => {
    const { version: _, employer_ids: __, bank_name = null, ach_code = null, ...values } = body
    const account_number = body.account_number ?? subject.account_number
    const employerIds = await validateAccount(tx, subject.organization_id, { ...body, account_number }, subject.id)
    await saveBillingAccount(tx, subject.id, { ...values, bank_name, ach_code, account_number }, employerIds, now)
    const after = await open(tx, actor, subject.id)
    const renumbered = account_number !== subject.account_number ? 'The account number was changed.' : null
    return {
      after,
      text: [billingAccountName(after), renumbered].filter(Boolean).join('\n'),
    }
  }),

  change(deleteBillingAccount, async ({ tx, actor, subject, now }) => {
    await markBillingAccountDeleted(tx, subject.id, now)
    const after = await open(tx, actor, subject.id)
    return { after, text: billingAccountName(after) }
  }),
]
