import { sql } from 'kysely'
import { reconciliationOf } from '#domain/repayment.ts'
import type { Tx } from '#server/tables/database.ts'
import { addAllocations, postShares, postingOf, returnedInLedger } from '#server/tables/allocations.ts'
import { recordEvent } from '#server/tables/audit.ts'
import type { DebitAccount } from '#server/tables/debit-accounts.ts'
import { saveDebit } from '#server/tables/debits.ts'
import { type InvoiceRow, lockInvoices, numberOf } from '#server/tables/invoices.ts'
import { type Mover, moneyMoved, service } from '#server/tables/ledger.ts'
import { isRow, type RowKey } from '#server/tables/rows.ts'
import {
  type RepaymentRow,
  insertRepayment,
  lockRepayment,
  oneRepayment,
  referenceOf,
  repaymentSnapshot,
  saveRepayment,
} from '#server/tables/repayments.ts'

/** A debit for the processor; `debit_date` is `yyyy-MM-dd`, the amount in cents. */
export interface SubmittedDebit {
  id: number
  amount: number
  debit_date: string
  /** The account to debit. */
  account: DebitAccount
  /** The text shown by the bank. */
  descriptor?: string | null
  addenda?: string | null
}

/**
 * Adds the PENDING repayment of a debit of a locked invoice, allocated to it, and links the debit to it. Nothing counts in the
 * ledger before it settles. The caller changes status and state. Returns its id.
 */
export async function addAchRepayment(tx: Tx, invoice: InvoiceRow, debit: SubmittedDebit): Promise<number> {
  const { organization_id } = invoice
  const id = await insertRepayment(tx, {
    organization_id,
    debtor_type: invoice.debtor_type,
    debtor_id: invoice.debtor_id,
    amount: debit.amount,
    unallocated_amount: 0,
    repayment_date: debit.debit_date,
    origin: 'ACH_ENTRY',
    ach_state: 'PENDING',
    reconciliation_status: 'PENDING',
    ach_addenda: debit.addenda ?? null,
    descriptor: debit.descriptor ?? numberOf(invoice.id),
    bank_name: debit.account.bank_name,
    account_number: debit.account.account_number,
    department_code: invoice.department_code,
  })
  const made = { id, organization_id }
  await addAllocations(tx, made, [{ invoice_id: invoice.id, amount: debit.amount }])
  await sql`update ach_debits set repayment_id = ${id}, updated_at = now() 
    where ${isRow('ach_debits', { id: debit.id, organization_id })}`.execute(tx)
  await record(tx, null, (await oneRepayment(tx, null, made)) as RepaymentRow, {
    intent: 'repayment.submit',
    event: 'Debit submitted',
  })
  return id
}

/**
 * Settles the debit of a repayment on that date: its money counts from now on, and each invoice of its allocation is
 * re-evaluated. A repeated result, or one after all of the money came back, changes nothing.
 */
export async function settleAch(tx: Tx, mover: Mover, of: RowKey, on: string, now: Date): Promise<void> {
  const before = await lockRepayment(tx, null, of)
  if (before?.ach_state !== 'PENDING' || before.failure !== null) return
  const ids = new Set([...before.allocations, ...(before.debited ? [before.debited] : [])].map((each) => each.invoice_id))
  const locked = await lockInvoices(tx, null, before.organization_id, [...ids])
  const { unallocated_amount } = before
  const after = await saveRepayment(
    tx,
    before,
    {
      ach_state: 'COMPLETED',
      effective_date: on,
      reconciliation_status: reconciliationOf({ failed: false, ach_state: 'COMPLETED', unallocated_amount }),
    },
    now,
  )
  await saveDebit(tx, before, on)
  const posting = postingOf(before.allocations, unallocated_amount, await returnedInLedger(tx, before))
  await postShares(tx, mover, before, 'PAYMENT', posting)
  const recorded = { intent: 'repayment.settle', event: 'Debit settled' }
  await moneyMoved(locked, {
    tx,
    mover,
    ...recorded,
    text: referenceOf(before.id),
    now,
  })
  await record(tx, before, after, { ...recorded, mover })
}

const record = (
  tx: Tx,
  before: RepaymentRow | null,
  after: RepaymentRow,
  { intent, event, mover = service }: { intent: string; event: string; mover?: Mover },
) =>
  recordEvent(tx, {
    actor: mover,
    intent,
    entity: 'repayment',
    entityId: String(after.id),
    status: event,
    before: before && repaymentSnapshot(before),
    after: repaymentSnapshot(after),
    version: after.version,
  })
