import {
  createBillingAccount,
  deleteBillingAccount,
  editBillingAccount,
  postBillingAccount,
  putBillingAccount,
  removeBillingAccount,
} from '#contract/billing-account-changes.ts'
import { countBillingAccounts, getBillingAccount, listBillingAccounts } from '#contract/billing-accounts.ts'
import { required } from '#contract/fields.ts'
import type { Actor } from '#server/access/actor.ts'
import { change, on, route } from '#server/http/route.ts'
import { listCursor } from '#server/paging/list-cursor.ts'
import { invalid, notFound } from '#server/http-error.ts'
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

const open = async (tx: Tx, actor: Actor, id: number): Promise<BillingAccountRow> => {
  const account = await oneBillingAccount(tx, actor, id)
  if (!account) throw notFound()
  return account
}

/** Events belong to the history of the organization; the version is that of the account. */
const target = ({ organization_id, version }: BillingAccountRow) => ({
  entity: 'organization',
  id: String(organization_id),
  version,
})

const ofAccount = {
  subject: ({ tx, actor, params }: { tx: Tx; actor: Actor; params: { id: number } }) =>
    oneBillingAccount(tx, actor, params.id, { lock: true }),
  target,
  snapshot: billingAccountSnapshot,
  facts: async ({ subject }: { subject: BillingAccountRow }) => toBillingAccount(subject),
}

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

/** The organization of a new account, and then the account itself. */
interface AccountCreation {
  organizationId: number
  row: BillingAccountRow | null
}

export const routes = [
  route(listBillingAccounts, async ({ tx, actor, query, services }) => {
    const { from, seal } = listCursor(services, 'GET /billing-accounts', actor, query)
    const { rows, next } = await billingAccountList.page({ tx, actor }, query, from)
    return { billing_accounts: rows.map(toBillingAccount), lek: seal(next) }
  }),

  route(countBillingAccounts, ({ tx, actor, query }) => billingAccountList.count({ tx, actor }, query)),

  route(getBillingAccount, async ({ tx, actor, params }) => toBillingAccount(await open(tx, actor, params.id))),

  change<typeof postBillingAccount, AccountCreation>(postBillingAccount, {
    subject: async ({ tx, actor, body }) => {
      const organization = await lockOrganization(tx, actor, Number(body?.['organization_id']))
      return organization && { organizationId: organization.id, row: null }
    },
    target: ({ organizationId, row }) =>
      row ? target(row) : { entity: 'organization', id: String(organizationId), version: null },
    snapshot: ({ row }) => (row ? billingAccountSnapshot(row) : {}),
    intents: [
      on<typeof createBillingAccount, AccountCreation>(createBillingAccount, async ({ tx, actor, subject, body }) => {
        const { employer_ids: _, bank_name = null, ach_code = null, ...values } = body
        const employerIds = await validateAccount(tx, body.organization_id, body, null)
        const row = await open(tx, actor, await insertBillingAccount(tx, { ...values, bank_name, ach_code }, employerIds))
        return { after: { ...subject, row }, answer: toBillingAccount(row), text: billingAccountName(row) }
      }),
    ],
  }),

  change(putBillingAccount, {
    ...ofAccount,
    intents: [
      on<typeof editBillingAccount, BillingAccountRow>(editBillingAccount, async ({ tx, actor, subject, body, now }) => {
        const { version: _, employer_ids: __, bank_name = null, ach_code = null, ...values } = body
        const account_number = body.account_number ?? subject.account_number
        const employerIds = await validateAccount(tx, subject.organization_id, { ...body, account_number }, subject.id)
        await saveBillingAccount(tx, subject.id, { ...values, bank_name, ach_code, account_number }, employerIds, now)
        const after = await open(tx, actor, subject.id)
        const renumbered = account_number !== subject.account_number ? 'The account number was changed.' : null
        return {
          after,
          answer: toBillingAccount(after),
          text: [billingAccountName(after), renumbered].filter(Boolean).join('\n'),
        }
      }),
    ],
  }),

  change(removeBillingAccount, {
    ...ofAccount,
    intents: [
      on<typeof deleteBillingAccount, BillingAccountRow>(deleteBillingAccount, async ({ tx, actor, subject, now }) => {
        await markBillingAccountDeleted(tx, subject.id, now)
        const after = await open(tx, actor, subject.id)
        return { after, answer: toBillingAccount(after), text: billingAccountName(after) }
      }),
    ],
  }),
]
