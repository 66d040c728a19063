/**
 * Where the tables of a distributed PostgreSQL (Citus) are, each list in an order in which foreign keys lead to tables before it. Every
 * other table stays on the coordinator, and has foreign keys to reference tables and to others there only.
 */

/** The big tables: each row is on the machine of its organization, `organization_id`. */
export const distributedTables = [
  'employees',
  'time_entries',
  'work_period_balances',
  'transactions',
  'additional_transactions',
  'rewards',
  'invoices',
  'invoice_lines',
  'repayments',
  'repayment_allocations',
  'write_offs',
  'credits',
  'deductions',
  'deduction_files',
  'ach_debits',
  'debtor_flags',
  'ledger_entries',
] as const

/**
 * Tables that are whole on every machine: foreign keys of big tables lead to them, statements join them, or functions and triggers of
 * big tables use them.
 */
export const referenceTables = [
  'settings',
  'customer_success_managers',
  'organizations',
  'employers',
  'people',
  'access_grants',
  'users',
  'ach_results',
  'taken_values',
  'name_words',
  'billing_accounts',
  'billing_account_employers',
  'lms_configurations',
  'deduction_configurations',
  'configurations',
  'pay_groups',
  'pay_periods',
] as const

/** Triggers of these tables for the last release and for statements by hand, which a distributed database does not have. */
export const triggersOfWholeTables: readonly string[] = ['derive_totals', 'fill_organization', 'spread_employer_key']

/**
 * Keys of big tables without the organization, which only the last release needs: primary keys of ids, and constraints in whose place
 * indexes are.
 */
export const keysOfLastRelease = {
  primary: ['employees', 'work_period_balances'],
  unique: [
    {
      table: 'invoice_lines',
      columns: 'invoice_id, employee_id',
      name: 'invoice_lines_once',
      instead: 'invoice_lines_invoice_id_employee_id_key',
    },
    { table: 'deductions', columns: 'invoice_id', name: 'deductions_once', instead: 'deductions_invoice_id_key' },
  ],
} as const
