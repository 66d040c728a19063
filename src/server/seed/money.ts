import { sql } from 'kysely'
import { seedCredits } from '#server/seed/billing/credits.ts'
import { seedInvoices } from '#server/seed/billing/invoices.ts'
import { type BillingStaff, invoiceLoads, seedNoted } from '#server/seed/billing/load-invoices.ts'
import { paymentLoads } from '#server/seed/billing/load-payments.ts'
import { seedPayments } from '#server/seed/billing/payments.ts'
import { seedPeriods } from '#server/seed/billing/periods.ts'
import type { Load } from '#server/seed/load.ts'
import type { Tx } from '#server/tables/database.ts'

/** The tables filled here; their statistics and sequences are updated afterwards. */
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
 * Plans eight months of invoices and all movements of their money, for the existing employees, by the configuration of their
 * employers (`seedConfigurations`).
 */
export async function planMoney(tx: Tx, { today, invoices }: { today: string; invoices: number | undefined }): Promise<void> {
  const { crowded } = await seedPeriods(tx, today, invoices)
  await seedInvoices(tx, { today, invoices, crowded })
  await seedCredits(tx, today)
  await seedPayments(tx, today)
  await seedNoted(tx)
}

/** Loads the planned rows; every total is the sum of the ledger loaded with it. */
export const moneyLoads = (today: string, staff: BillingStaff): Load[] => [
  ...invoiceLoads(today, staff),
  ...paymentLoads(today, staff),
]

/** Advances the sequences past the loaded ids. */
export async function advanceSequences(tx: Tx): Promise<void> {
  for (const table of moneyTables.filter((name) => name !== 'repayment_allocations' && name !== 'ach_results'))
    await sql`select setval(pg_get_serial_sequence(${table}, 'id'), (select max(id) from ${sql.ref(table)})) from ${sql.ref(table)} limit 1`.execute(
      tx,
    )
}
