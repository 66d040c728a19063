import { statusChanged } from '#contract/invoice-changes.ts'
import { validateNextInvoice, validateRollover } from '#domain/overpayment.ts'
import { Refused } from '#server/http-error.ts'
import type { Actor } from '#server/access/actor.ts'
import type { Tx } from '#server/tables/database.ts'
import { keyOf, type RowOrId } from '#server/tables/rows.ts'
import { makeCredit, nextInvoiceKeyOf } from '#server/tables/credits.ts'
import { type InvoiceRow, lockInvoices, numberOf, toInvoice } from '#server/tables/invoices.ts'
import { type MoneyMovement, type NewEntry, type Versions, postAndUpdate, requireExpected } from '#server/tables/ledger.ts'

/** An overpaid invoice and the one that would receive the money, null if there is none; both locked. */
export interface RolloverPair {
  source: InvoiceRow
  next: InvoiceRow | null
}

const changed = statusChanged('Rollover request')

/**
 * Locks an invoice with the debtor's next one; null when the invoice is not open to the person. A next invoice that is not open
 * to them is treated as absent. Throws 409 `stale-version` with both current rows, unless they are as the person saw them
 * (ERR-033).
 */
export async function lockRollover(tx: Tx, actor: Actor, of: RowOrId, expected: Versions): Promise<RolloverPair | null> {
  const key = typeof of === 'number' ? await keyOf(tx, 'invoices', of) : of
  if (!key) return null
  const { id } = key
  const candidate = await nextInvoiceKeyOf(tx, actor, key)
  const locked = await lockInvoices(tx, actor, key.organization_id, candidate ? [id, candidate.id] : [id])
  const source = locked.find((row) => row.id === id)
  if (!source) return null
  const next = locked.find((row) => row.id !== id) ?? null
  requireExpected(locked, expected, changed(), [id])
  // During the wait for the locks, an earlier next invoice may have been created, or this one may have left DRAFT.
  if ((await nextInvoiceKeyOf(tx, actor, key))?.id !== next?.id)
    throw new Refused(409, 'stale-version', changed(), { facts: locked.map(toInvoice) })
  return { source, next }
}

/** Rolls overpaid money over to the next invoice (INV-022 to INV-024, docs/rules/money.md); returns both afterwards. */
export async function rollOver(moved: MoneyMovement, { source, next }: RolloverPair, amount: number): Promise<RolloverPair> {
  const refusal = validateRollover(source, amount) ?? validateNextInvoice(amount, next && { ...next, number: numberOf(next.id) })
  if (refusal) throw new Refused(409, refusal.code, refusal.sentence)
  if (!next) throw new Error('Without a next invoice nothing rolls over.')
  const credit_id = await makeCredit(moved.tx, 'ROLLOVER', source, amount)
  const entries: NewEntry[] = [
    { invoice_id: source.id, kind: 'ROLLOVER_OUT', amount, credit_id, counter_invoice_id: next.id },
    { invoice_id: next.id, kind: 'ROLLOVER_IN', amount, credit_id, counter_invoice_id: source.id },
  ]
  const after = await postAndUpdate([source, next], { ...moved, own: source.id }, source.organization_id, entries)
  const now = (id: number) => after.find((row) => row.id === id) as InvoiceRow
  return { source: now(source.id), next: now(next.id) }
}
