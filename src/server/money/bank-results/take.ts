import { sql } from 'kysely'
import { bankResultProblem, bankResultTitle, isDishonor, isSettlement } from '#domain/bank-result.ts'
import { book, repaymentOfTrace } from '#server/money/bank-results/book.ts'
import type { Tx } from '#server/tables/database.ts'
import { recordEvent } from '#server/tables/audit.ts'
import { answeredDebit, bankResultSnapshot, oneBankResult } from '#server/tables/bank-results.ts'
import { service } from '#server/tables/ledger.ts'
import { lockRepayment } from '#server/tables/repayments.ts'

/**
 * Processes a bank result once: books it, or leaves it unmatched until a person decides; it is never dropped
 * (docs/rules/invoices.md). Returns what was done, nothing if it was processed before.
 */
export async function takeBankResult(
  tx: Tx,
  id: number,
  { today, now }: { today: string; now: Date },
): Promise<'settled' | 'returned' | 'dishonored' | 'unmatched' | null> {
  const { rows } = await sql<{ trace_number: string; code: string; amount: number; effective_date: string }>`
    select trace_number, code, amount, effective_date from ach_results where id = ${id} and taken_at is null for update`.execute(
    tx,
  )
  const [result] = rows
  if (!result) return null
  const repayment = await repaymentOfTrace(tx, result.trace_number)
  if (repayment) await lockRepayment(tx, null, repayment)
  const debit = repayment && (await answeredDebit(tx, repayment))
  const problem = bankResultProblem({ ...result, debit }, today)
  await sql`update ach_results set taken_at = ${now}, state = ${problem ? 'UNMATCHED' : 'BOOKED'}, problem = ${problem},
    repayment_id = ${repayment?.id ?? null}, updated_at = ${now} where id = ${id}`.execute(tx)
  const row = await oneBankResult(tx, null, id)
  if (!row) throw new Error(`Bank result ${id} is gone.`)
  if (problem === null && repayment) await book(tx, service, row, repayment, now)
  await recordEvent(tx, {
    actor: service,
    intent: 'bank-result.take',
    entity: 'bank-result',
    entityId: String(id),
    status: problem ? 'Unmatched' : 'Booked',
    text: bankResultTitle(row),
    after: bankResultSnapshot(row),
    version: row.version,
  })
  if (problem) return 'unmatched'
  return isSettlement(result.code) ? 'settled' : isDishonor(result.code) ? 'dishonored' : 'returned'
}
