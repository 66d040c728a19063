import { stringify } from 'csv-stringify/sync'
import { sql } from 'kysely'
import { judgeIdentifiers } from '#domain/deduction.ts'
import type { Refusal } from '#domain/refusal.ts'
import type { Tx } from '#server/tables/database.ts'
import type { DeductionRow } from '#server/tables/deductions.ts'

/** By what an employer's files name employees; the head of the column, and the words for people. */
const identifiers = {
  EMPLOYEE_ID: { head: 'employee_code', words: 'employee code' },
  EXTERNAL_TK_ID: { head: 'external_tk_id', words: 'external TK id' },
  SECONDARY_EXTERNAL_TK_ID: { head: 'secondary_external_tk_id', words: 'secondary external TK id' },
} as const
type Identifier = keyof typeof identifiers

/** What the file asks to withhold of one employee, in cents. */
export interface FileLine {
  id: number
  /** Null where the employee has none of the kind that the employer uses. */
  identifier: string | null
  first_name: string
  last_name: string
  amount: number
}

export interface DeductionFile {
  identifier: Identifier
  lines: FileLine[]
}

/**
 * What the file of a deduction says, employees by name: the lines less what is written off, without those of which
 * nothing is left. Once delivered it stays as it was then, whatever is written off afterwards.
 */
export async function deductionFile(tx: Tx, deduction: DeductionRow): Promise<DeductionFile> {
  const identifier = await identifierOf(tx, deduction)
  const column = {
    EMPLOYEE_ID: sql`employee.employee_code`,
    EXTERNAL_TK_ID: sql`employee.external_tk_id`,
    SECONDARY_EXTERNAL_TK_ID: sql`null::text`,
  }[identifier]
  const off =
    deduction.delivered_at === null
      ? sql`line.writeoff_amount`
      : sql`coalesce((select sum(entry.amount)::bigint from ledger_entries entry
          where entry.invoice_id = line.invoice_id and entry.line_id = line.id and entry.kind = 'WRITE_OFF'
            and entry.at <= ${deduction.delivered_at}), 0)`
  const { rows } = await sql<FileLine>`
    select * from (
      select line.id, ${column} as identifier, employee.first_name, employee.last_name, line.original_amount - ${off} as amount
      from invoice_lines line join employees employee on employee.id = line.employee_id
      where line.invoice_id = ${deduction.invoice_id}
    ) line where amount > 0 order by last_name, first_name, id`.execute(tx)
  return { identifier, lines: rows }
}

async function identifierOf(tx: Tx, { employer_id, organization_id }: DeductionRow): Promise<Identifier> {
  const { rows } = await sql<{ type: Identifier }>`
    select employee_identifier_type as type from deduction_configurations
    where employer_id = ${employer_id} or organization_id = ${organization_id} order by employer_id is null limit 1`.execute(tx)
  return rows[0]?.type ?? 'EMPLOYEE_ID'
}

/** Refuses to deliver a file that leaves somebody unnamed. */
export const judgeFile = ({ identifier, lines }: DeductionFile): Refusal | null =>
  judgeIdentifiers(
    lines.filter((line) => !line.identifier).map((line) => `${line.first_name} ${line.last_name}`),
    identifiers[identifier].words,
  )

/** `ha1-40001_20260105_ewa.csv`: the employer's code and the invoice, the report date; two underscores (rules 13). */
export function deductionFileName(deduction: DeductionRow): string {
  const code = deduction.employer_code
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')
    .slice(0, 100)
  return `${code || deduction.employer_id}-${deduction.invoice_id}_${deduction.report_date.replaceAll('-', '')}_ewa.csv`
}

/** The file as CSV: amounts in dollars with two decimals, nothing that a spreadsheet would take for a formula. */
export const deductionCsv = ({ identifier, lines }: DeductionFile): string =>
  stringify(
    lines.map((line) => [line.identifier ?? '', line.first_name, line.last_name, (line.amount / 100).toFixed(2)]),
    { header: true, columns: [identifiers[identifier].head, 'first_name', 'last_name', 'amount'], escape_formulas: true },
  )
