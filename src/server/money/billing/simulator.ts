import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { addBusinessDays, addDays } from '#domain/calendar.ts'
import type { DebitOrder, PaymentProcessor } from '#server/money/billing/processor.ts'

/** A bank result: `SETTLED`, or a return code; cents. */
export interface BankResult {
  trace_number: string
  code: string
  amount: number
  addenda: string
  effective_date: string
}

/** Share of debits that come back in full, by return code. */
const returned = [
  ['R01', 0.04],
  ['R02', 0.004],
  ['R03', 0.004],
  ['R09', 0.007],
] as const
const partial = 0.006
const late = 0.004

/**
 * The results of a debit, derived from its trace number alone: most settle after one or two banking days, about 4% come back as
 * R01, few as R02, R03 or R09, some in part, and some settle and come back as R10 within 60 days.
 */
export function resultsOf({ trace_number, amount }: Pick<DebitOrder, 'trace_number' | 'amount'>, on: string): BankResult[] {
  const hash = createHash('sha256').update(trace_number).digest()
  const chance = hash.readUInt32BE(0) / 0x1_0000_0000
  const first = addBusinessDays(on, 1)
  const settled = addBusinessDays(on, 1 + (hash.readUInt8(4) % 2))
  const result = (code: string, cents: number, effective_date: string): BankResult => ({
    trace_number,
    code,
    amount: cents,
    addenda: code === 'SETTLED' ? '' : `${code} ${trace_number}`,
    effective_date,
  })
  let passed = 0
  for (const [code, share] of returned) {
    passed += share
    if (chance < passed) return [result(code, amount, settled)]
  }
  const part = Math.floor((amount * (30 + (hash.readUInt8(5) % 31))) / 100)
  if (chance < passed + partial && part > 0)
    return [result('R01', part, first), result('SETTLED', amount, addBusinessDays(on, 2))]
  if (chance < passed + partial + late)
    return [result('SETTLED', amount, settled), result('R10', amount, addDays(settled, 5 + (hash.readUInt8(6) % 50)))]
  return [result('SETTLED', amount, settled)]
}

/** Inserts the results with their effective dates as soon as a debit is submitted: for the demo and for tests. */
export const simulator: PaymentProcessor = {
  submit: async (tx, debits, on) => {
    for (const result of debits.flatMap((debit) => resultsOf(debit, on)))
      await sql`insert into ach_results (trace_number, code, amount, addenda, effective_date)
        values (${result.trace_number}, ${result.code}, ${result.amount}, ${result.addenda}, ${result.effective_date})
        on conflict do nothing`.execute(tx)
  },
}
