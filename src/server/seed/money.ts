import { sql } from 'kysely'
import { seedCredits } from '#server/seed/billing/credits.ts'
import { seedInvoices } from '#server/seed/billing/invoices.ts'
import { type BillingStaff, keepInvoices } from '#server/seed/billing/keep-invoices.ts'
import { keepPayments } from '#server/seed/billing/keep-payments.ts'
import { seedPayments } from '#server/seed/billing/payments.ts'
import { seedPeriods } from '#server/seed/billing/periods.ts'
import type { Tx } from '#server/tables/database.ts'

/** The tables that this fills; their statistics and sequences are brought up to date afterwards. */
export const moneyTables = [
  'configurations',
  'lms_configurations',
  'deduction_configurations',
  'billing_accounts',
  'notes',
  'invoices',
  'invoice_lines',
  'repayments',
  'repayment_allocations',
  'write_offs',
  'deductions',
  'credits',
  'ach_debits',
  'ach_results',
  'ledger_entries',
] as const

/**
 * Makes eight months of invoices and everything that moved their money, for the employees that are there, as their employers
 * are configured (`seedConfigurations`). Plans first, in
 * temporary tables; then every total is summed up from the ledger that is kept with it.
 */
export async function seedMoney(
  tx: Tx,
  { today, invoices, staff }: { today: string; invoices: number | undefined; staff: BillingStaff },
): Promise<void> {
  const { crowded } = await seedPeriods(tx, today, invoices)
  await seedInvoices(tx, { today, invoices, crowded })
  await seedCredits(tx, today)
  await seedPayments(tx, today)
  await keepInvoices(tx, today, staff)
  await keepPayments(tx, today, staff)
  for (const table of moneyTables.filter((name) => name !== 'repayment_allocations' && name !== 'ach_results'))
    await sql`select setval(pg_get_serial_sequence(${table}, 'id'), (select max(id) from ${sql.ref(table)})) from ${sql.ref(table)} limit 1`.execute(
      tx,
    )
}

/** Drops what was only needed while planning; not before everything else that reads it. */
export const forgetPlans = async (tx: Tx): Promise<void> =>
  void (await sql`drop table billed_employers, pay_groups, periods, bank_days, billed, owed, lines_made, credits_made, write_offs_made, payments,
    repayments_made, entries_made, noted`.execute(tx))
