import type { BalanceTable } from '#server/tables/balances.ts'
import type { EmployerTable, OrganizationTable } from '#server/tables/companies.ts'
import type { EmployeeTable } from '#server/tables/employees.ts'
import type { DeductionTable } from '#server/tables/deductions.ts'
import type { RunRowTable, RunTable } from '#server/tables/runs.ts'
import type { ExportPartTable, ExportTable } from '#server/tables/exports.ts'
import type { InvoiceTable } from '#server/tables/invoices.ts'
import type { RepaymentAllocationTable, RepaymentTable } from '#server/tables/repayments.ts'
import type { LedgerEntryTable } from '#server/tables/ledger.ts'
import type { UserTable } from '#server/tables/users.ts'
import type { WriteOffTable } from '#server/tables/write-offs.ts'
import type { AuditEventTable } from '#server/tables/audit.ts'
import type { IdempotencyKeyTable } from '#server/tables/idempotency.ts'
import type { SettingTable } from '#server/tables/setting.ts'
import type { PeopleTables } from '#server/tables/people.ts'

/** The tables of the database, by name; each noun's module declares its own. */
export interface Database extends PeopleTables {
  settings: SettingTable
  audit_events: AuditEventTable
  idempotency_keys: IdempotencyKeyTable
  organizations: OrganizationTable
  employers: EmployerTable
  users: UserTable
  employees: EmployeeTable
  balances: BalanceTable
  runs: RunTable
  run_rows: RunRowTable
  invoices: InvoiceTable
  write_offs: WriteOffTable
  deductions: DeductionTable
  ledger_entries: LedgerEntryTable
  exports: ExportTable
  export_parts: ExportPartTable
  repayments: RepaymentTable
  repayment_allocations: RepaymentAllocationTable
}
