import type { Actor } from '#server/access/actor.ts'
import { decidedBy } from '#server/money/bank-results/decide.ts'
import { invalid, notFound, Refused } from '#server/http-error.ts'
import { recordEvent } from '#server/tables/audit.ts'
import { type BankResultRow, saveBankResult } from '#server/tables/bank-results.ts'
import {
  type BillingAccountRow,
  billingAccountName,
  billingAccountSnapshot,
  hasSameAccount,
  oneBillingAccount,
  saveBillingAccount,
} from '#server/tables/billing-accounts.ts'
import type { MoneyMovement } from '#server/tables/ledger.ts'

/** The corrections that a person adopts from a notice of change; undefined keeps the current value. */
export interface CorrectedAccount {
  reason: string
  routing_number: string
  account_number?: string | undefined
  ach_code?: string | null | undefined
  /** The version of the billing account that the person saw. */
  account_version: number
}

/**
 * Changes the billing account that a locked notice of change concerns, and marks the notice as applied. Throws 409
 * `stale-version` if the account was changed since the person looked, 422 if the organization already has the same account.
 */
export async function changeNumber(
  moved: MoneyMovement,
  actor: Actor,
  row: BankResultRow,
  input: CorrectedAccount,
): Promise<BankResultRow> {
  const { tx, now } = moved
  const before = row.billing_account && (await oneBillingAccount(tx, actor, row.billing_account.id, { lock: true }))
  if (!before) throw notFound()
  if (before.version !== input.account_version || before.status !== 'ACTIVE')
    throw new Refused(
      409,
      'stale-version',
      'Somebody changed this billing account while you were editing. Check it and try again.',
    )
  const { reason, routing_number, account_number = before.account_number, ach_code = before.ach_code } = input
  const { organization_id } = before
  if (await hasSameAccount(tx, { organization_id, routing_number, account_number }, before.id))
    throw invalid([{ path: 'account_number', message: 'This organization has this account already.' }])
  const { name, nickname, bank_name, scope } = before
  const employerIds = before.employers.map(({ id }) => id)
  const values = { name, nickname, bank_name, scope, routing_number, account_number, ach_code }
  await saveBillingAccount(tx, before.id, values, employerIds, now)
  const after = (await oneBillingAccount(tx, actor, before.id)) as BillingAccountRow
  await recordEvent(tx, {
    actor: moved.mover,
    intent: moved.intent,
    command: moved.command ?? null,
    entity: 'organization',
    entityId: String(organization_id),
    status: 'Billing account updated',
    text: [
      billingAccountName(after),
      account_number === before.account_number ? null : 'The account number was changed.',
      `Notice of change BNK-${row.id}: ${reason}`,
    ]
      .filter(Boolean)
      .join('\n'),
    before: billingAccountSnapshot(before),
    after: billingAccountSnapshot(after),
    version: after.version,
    idempotencyKey: moved.key ?? null,
  })
  return saveBankResult(tx, actor, row, { state: 'APPLIED', ...decidedBy(actor, reason, now) }, now)
}
