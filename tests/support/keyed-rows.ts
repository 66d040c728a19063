import { type Kysely, sql } from 'kysely'
import type { Database } from '#server/tables/database.ts'
import { selectAll } from '#server/postgres/select.ts'
import type { BigTable } from '#server/tables/rows.ts'

/** A debtor's employer, and its employees; all get a row of every table. */
export interface RowsOf {
  organization: number
  employer: number
  debtor: 'EMPLOYER' | 'ORGANIZATION'
}

type Ids = Record<string, number>

/** A row of a table, by columns and values without its organization, which may refer to ids of earlier rows by their names. */
interface NewRow {
  table: BigTable
  /** The name of its id, for later rows. */
  as?: string
  row: (ids: Ids, of: RowsOf) => Record<string, string | number | null>
}

const debtorOf = ({ debtor, employer, organization }: RowsOf) => ({
  debtor_type: debtor,
  debtor_id: debtor === 'EMPLOYER' ? employer : organization,
})
const by = { actor_id: 'service', actor_name: 'System' }
const paid = { unallocated_amount: 0, repayment_date: '2026-02-01', reconciliation_status: 'PENDING' }

/** A row of each table in an order in which each refers to earlier ones only; the ledger has one of each reference. */
const rows: readonly NewRow[] = [
  {
    table: 'employees',
    as: 'employee',
    row: (_, { employer }) => ({
      ...{ employer_id: employer, first_name: 'Mia', last_name: 'Torres', employee_code: 'E-1', status: 'ACTIVE' },
      ...{ flow: 'PAYROLL', brand: 'DAYLINE', pay_type: 'HOURLY', pay_frequency: 'WEEKLY', rate_amount: 2150 },
    }),
  },
  ...(['2026-01-05', '2026-02-05', '2026-03-05'] as const).map((work_date) => ({
    table: 'time_entries' as const,
    row: ({ employee }: Ids, { employer }: RowsOf) => ({
      ...{ employee_id: employee as number, employer_id: employer, work_date, minutes: 480 },
      ...{ earned_amount: 160_00, status: 'PENDING' },
    }),
  })),
  {
    table: 'work_period_balances',
    as: 'balance',
    row: ({ employee }) => ({
      ...{ employee_id: employee as number, work_period_start: '2026-01-01', work_period_end: '2026-01-31' },
      ...{ is_open: 'true', earned_amount: 900_00, limit_amount: 450_00 },
    }),
  },
  ...(['2026-01-06', '2026-02-06', '2026-03-06'] as const).map((requested_at) => ({
    table: 'transactions' as const,
    row: ({ employee, balance }: Ids) => ({
      ...{ employee_id: employee as number, work_period_balance_id: balance as number, status: 'COMPLETE' },
      ...{ provider: 'NORTHRAIL', amount: 20_00, fee_amount: 2_99, requested_at, settled_at: requested_at },
    }),
  })),
  {
    table: 'additional_transactions',
    row: ({ employee, balance }) => ({
      ...{ employee_id: employee as number, work_period_balance_id: balance as number, granted_by: 'somebody' },
      ...{ granted_by_name: 'Somebody', granted_at: '2026-01-07', used_before: 1 },
    }),
  },
  {
    table: 'rewards',
    row: ({ employee }) => ({
      ...{ employee_id: employee as number, kind: 'SIGN_UP', amount: 10_00, status: 'PENDING' },
      ...{ earned_date: '2026-01-05', expiry_date: '2026-04-05' },
    }),
  },
  ...['invoice', 'next'].map((as) => ({
    table: 'invoices' as const,
    as,
    row: (_: Ids, of: RowsOf) => ({
      ...{ employer_id: of.employer, ...debtorOf(of), status: 'SENT', company_code: `C-${as}`, payment_method: 'SELF_PAY' },
      ...{ period_start: '2026-01-01', period_end: '2026-01-15', issue_date: '2026-01-16' },
      ...{ report_date: '2026-01-18', due_date: '2026-01-30' },
    }),
  })),
  {
    table: 'invoice_lines',
    as: 'line',
    row: ({ invoice, employee }) => ({ invoice_id: invoice as number, employee_id: employee as number, original_amount: 100_00 }),
  },
  {
    table: 'ledger_entries',
    row: ({ invoice, line }) => ({
      ...{ invoice_id: invoice as number, kind: 'ORIGINAL', amount: 100_00, line_id: line as number, ...by },
    }),
  },
  {
    table: 'repayments',
    as: 'repayment',
    row: (_, of) => ({ ...debtorOf(of), ...paid, amount: 70_00, unallocated_amount: 20_00, origin: 'USER' }),
  },
  {
    table: 'repayment_allocations',
    row: ({ invoice, repayment }) => ({ repayment_id: repayment as number, invoice_id: invoice as number, amount: 40_00 }),
  },
  {
    table: 'ledger_entries',
    as: 'payment',
    row: ({ invoice, repayment }) => ({
      ...{ invoice_id: invoice as number, kind: 'PAYMENT', amount: 40_00, repayment_id: repayment as number, ...by },
    }),
  },
  {
    table: 'ledger_entries',
    row: ({ repayment }) => ({
      ...{ invoice_id: null, kind: 'UNALLOCATED', amount: 20_00, repayment_id: repayment as number, ...by },
    }),
  },
  {
    table: 'repayments',
    as: 'return',
    row: ({ repayment }, of) => ({
      ...{ ...debtorOf(of), ...paid, amount: -10_00, origin: 'RETURN', returns_id: repayment as number },
    }),
  },
  {
    table: 'repayment_allocations',
    row: (ids) => ({ repayment_id: ids['return'] as number, invoice_id: ids['invoice'] as number, amount: -10_00 }),
  },
  {
    table: 'ledger_entries',
    row: (ids) => ({
      ...{ invoice_id: ids['invoice'] as number, kind: 'RETURN', amount: 10_00, repayment_id: ids['return'] as number, ...by },
    }),
  },
  {
    table: 'write_offs',
    as: 'writeOff',
    row: ({ invoice, line }) => ({
      ...{ invoice_id: invoice as number, line_id: line as number, suggested_amount: 5_00, reason: 'OTHER' },
      ...{ suggested_by: 'somebody', suggested_by_name: 'Somebody' },
    }),
  },
  {
    table: 'credits',
    as: 'credit',
    row: ({ invoice }) => ({
      ...{ invoice_id: invoice as number, kind: 'ROLLOVER', amount: 3_00, absorbed_amount: 3_00, state: 'ABSORBED' },
    }),
  },
  {
    table: 'ledger_entries',
    row: ({ invoice, next, credit }) => ({
      ...{ invoice_id: invoice as number, kind: 'ROLLOVER_OUT', amount: 3_00, credit_id: credit as number },
      ...{ counter_invoice_id: next as number, ...by },
    }),
  },
  {
    table: 'ledger_entries',
    as: 'written',
    row: ({ invoice, line, writeOff }) => ({
      ...{ invoice_id: invoice as number, kind: 'WRITE_OFF', amount: 5_00, line_id: line as number },
      ...{ write_off_id: writeOff as number, ...by },
    }),
  },
  {
    table: 'ledger_entries',
    row: ({ invoice, line, written }) => ({
      ...{ invoice_id: invoice as number, kind: 'WRITE_OFF', amount: -5_00, line_id: line as number },
      ...{ reverses: written as number, ...by },
    }),
  },
  { table: 'deductions', as: 'deduction', row: ({ invoice }) => ({ invoice_id: invoice as number }) },
  {
    table: 'deduction_files',
    row: ({ deduction }) => ({ deduction_id: deduction as number, head: '[]', rows: '[]' }),
  },
  {
    table: 'ach_debits',
    row: ({ invoice, repayment }) => ({
      ...{ invoice_id: invoice as number, repayment_id: repayment as number, amount: 40_00, debit_date: '2026-02-01' },
    }),
  },
  {
    table: 'debtor_flags',
    row: ({ invoice }, of) => ({ ...debtorOf(of), invoice_id: invoice as number, reason: 'For a test' }),
  },
]

const isNamed = (table: BigTable): boolean => table !== 'repayment_allocations' && table !== 'deduction_files'

interface Adding {
  /** Tables without a new row. */
  except?: readonly BigTable[]
  /** Called before each row, with the statement that inserts it with more columns. */
  before?: (table: BigTable, insert: (more: object) => Promise<unknown>) => Promise<void>
}

/** Adds a row of every table, as the last release does, which does not name the organization; returns the ids. */
export async function addKeyedRows(db: Kysely<Database>, of: RowsOf, { except = [], before }: Adding = {}): Promise<Ids> {
  const ids: Ids = {}
  for (const { table, as, row } of rows.filter((each) => !except.includes(each.table))) {
    const insert = (more: object = {}) => {
      const values = Object.entries({ ...row(ids, of), ...more })
      return selectAll<{ id: number }>(db)`
        insert into ${sql.table(table)} (${sql.join(values.map(([name]) => sql.ref(name)))})
        values (${sql.join(values.map(([, value]) => value))}) returning ${isNamed(table) ? sql`id` : sql`0 as id`}`
    }
    await before?.(table, insert)
    const [made] = await insert()
    if (as) ids[as] = made?.id as number
  }
  return ids
}

/** Adds the months of the rows to the partitioned tables. */
export async function addKeyedMonths(db: Kysely<Database>): Promise<void> {
  for (const parent of ['time_entries', 'transactions'])
    for (const month of ['2026-01-01', '2026-02-01', '2026-03-01'])
      await sql`insert into monthly_partitions (parent, month) values (${parent}, ${month}) on conflict do nothing`.execute(db)
}
