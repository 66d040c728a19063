import { stringify } from 'csv-stringify/sync'
import { sql } from 'kysely'
import { validateIdentifiers } from '#domain/deduction.ts'
import type { MappingColumn } from '#domain/mapping.ts'
import { namesSomebody, writtenFile, type WrittenValues } from '#domain/mapping-writing.ts'
import type { Refusal } from '#domain/refusal.ts'
import type { Tx } from '#server/tables/database.ts'
import { type DeductionRow, deliveredFile, type FileTable, paymentDate, writtenOffUntil } from '#server/tables/deductions.ts'
import { ewaMappingOf } from '#server/tables/mappings.ts'

/** The identifiers of employees in files: header of the column, wording for people, mapping field. */
const identifiers = {
  EMPLOYEE_ID: { head: 'employee_code', words: 'employee code', field: 'employee_code' },
  EXTERNAL_TK_ID: { head: 'external_tk_id', words: 'external TK id', field: 'external_tk_id' },
  SECONDARY_EXTERNAL_TK_ID: { head: 'secondary_external_tk_id', words: 'secondary external TK id', field: 'secondary_id' },
} as const
type Identifier = keyof typeof identifiers

/** The amount to withhold from one employee, in cents. */
export interface FileLine {
  id: number
  /** Null if the employee has no identifier of the kind that the employer uses. */
  identifier: string | null
  first_name: string
  last_name: string
  amount: number
  /** The values that a mapping can write. */
  values: WrittenValues
}

export interface DeductionFile {
  identifier: Identifier
  lines: FileLine[]
  /** The columns of the employer's mapping; null for the general file. */
  columns: readonly MappingColumn[] | null
  name: string
}

/**
 * The content of a deduction's file, sorted by employee name: the lines minus written-off amounts, without those that are fully
 * written off. After delivery the lines stay as delivered, whatever is written off later.
 */
export async function deductionFile(tx: Tx, deduction: DeductionRow): Promise<DeductionFile> {
  const identifier = await identifierOf(tx, deduction)
  const column = {
    EMPLOYEE_ID: sql`employee.employee_code`,
    EXTERNAL_TK_ID: sql`employee.external_tk_id`,
    SECONDARY_EXTERNAL_TK_ID: sql`employee.secondary_tk_id`,
  }[identifier]
  const off = deduction.delivered_at === null ? sql`line.writeoff_amount` : writtenOffUntil(sql`${deduction.delivered_at}`)
  const { rows } = await sql<Omit<FileLine, 'values'> & StoredValues>`
    select *, original_amount - writeoff_amount as amount from (
      select line.id, ${column} as identifier, employee.first_name, employee.last_name, line.original_amount, ${off} as writeoff_amount,
        employee.employee_code, employee.external_tk_id, employee.secondary_tk_id as secondary_id, employee.email, line.department_code, invoice.period_start,
        invoice.period_end, employee.business_unit_code, employee.location_code, employee.pay_code,
        coalesce(employee.payroll_code, invoice.company_code) as payroll_code, ${paymentDate} as payment_date
      from invoice_lines line
      join employees employee on employee.id = line.employee_id and employee.organization_id = line.organization_id
      join invoices invoice on invoice.id = line.invoice_id and invoice.organization_id = line.organization_id
      where line.organization_id = ${deduction.organization_id} and line.invoice_id = ${deduction.invoice_id}
    ) line where original_amount > writeoff_amount order by last_name, first_name, id`.execute(tx)
  const lines = rows.map((row) => ({
    id: row.id,
    identifier: row.identifier,
    first_name: row.first_name,
    last_name: row.last_name,
    amount: row.amount,
    values: {
      ...row,
      full_name: `${row.first_name} ${row.last_name}`,
      employer_code: deduction.employer_code,
      deduction_amount: row.amount,
    },
  }))
  const mapping = await mappingOf(tx, deduction)
  const name = deduction.file_name ?? (mapping ? mappedName(mapping.file_name, deduction) : deductionFileName(deduction))
  return { identifier, lines, columns: mapping?.columns ?? null, name }
}

/** The values of a line from the database, by field. */
type StoredValues = Pick<
  WrittenValues,
  | 'employee_code'
  | 'external_tk_id'
  | 'secondary_id'
  | 'email'
  | 'department_code'
  | 'business_unit_code'
  | 'location_code'
  | 'pay_code'
  | 'payroll_code'
  | 'period_start'
  | 'period_end'
  | 'payment_date'
> & { original_amount: number; writeoff_amount: number }

/** The mapping that the file was delivered with; before delivery the current one of the employer. */
const mappingOf = async (tx: Tx, deduction: DeductionRow) =>
  deduction.delivered_at === null
    ? ewaMappingOf(tx, deduction.employer_id)
    : deduction.file_columns && { file_name: deduction.file_name ?? '', columns: deduction.file_columns }

/** `acme_ewa_20260105-40001.csv`: the mapping's name with the report date and the invoice. */
const mappedName = (name: string, { report_date, invoice_id }: DeductionRow): string =>
  `${name.replace(/\.csv$/i, '')}_${report_date.replaceAll('-', '')}-${invoice_id}.csv`

async function identifierOf(tx: Tx, { employer_id, organization_id }: DeductionRow): Promise<Identifier> {
  const { rows } = await sql<{ type: Identifier }>`
    select employee_identifier_type as type from deduction_configurations
    where employer_id = ${employer_id} or organization_id = ${organization_id} order by employer_id is null limit 1`.execute(tx)
  return rows[0]?.type ?? 'EMPLOYEE_ID'
}

/** Refuses to deliver a file with an employee without an identifier. */
export const validateFile = ({ identifier, lines, columns }: DeductionFile): Refusal | null =>
  validateIdentifiers(
    lines
      .filter((line) => (columns ? !namesSomebody(columns, line.values) : !line.identifier))
      .map((line) => `${line.first_name} ${line.last_name}`),
    columns ? identifiersOf(columns) : identifiers[identifier].words,
  )

/** The identifiers that a mapping has columns for, as text. */
const identifiersOf = (columns: readonly MappingColumn[]): string =>
  Object.values(identifiers)
    .flatMap(({ field, words }) => (columns.some((column) => column.field === field) ? words : []))
    .join(' or ')

/**
 * `ha1-40001_20260105_ewa.csv`: the employer's code and the invoice, the report date; two underscores (docs/rules/deductions.md).
 */
function deductionFileName(deduction: DeductionRow): string {
  const code = deduction.employer_code
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')
    .slice(0, 100)
  return `${code || deduction.employer_id}-${deduction.invoice_id}_${deduction.report_date.replaceAll('-', '')}_ewa.csv`
}

/** The headers and lines of the file: amounts in dollars with two decimals. */
export function deductionTable({ identifier, lines, columns }: DeductionFile): FileTable {
  if (columns)
    return writtenFile(
      columns,
      lines.map(({ values }) => values),
    )
  return {
    head: [identifiers[identifier].head, 'first_name', 'last_name', 'amount'],
    rows: lines.map((line) => [line.identifier ?? '', line.first_name, line.last_name, (line.amount / 100).toFixed(2)]),
  }
}

/** The file of a deduction for download: as delivered, or before delivery in its current state. */
export async function fileOf(tx: Tx, deduction: DeductionRow): Promise<FileTable & { name: string; mapped: boolean }> {
  const delivered = deduction.delivered_at && deduction.file_name ? await deliveredFile(tx, deduction) : null
  if (delivered) return { ...delivered, name: deduction.file_name as string, mapped: deduction.file_columns !== null }
  const file = await deductionFile(tx, deduction)
  return { ...deductionTable(file), name: file.name, mapped: file.columns !== null }
}

/**
 * The file as CSV. Payroll programs read it, so its values stay unchanged: a guard against formulas would alter codes and names.
 */
export function deductionCsv({ head, rows }: FileTable): string {
  return stringify([head, ...rows])
}
