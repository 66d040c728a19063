import { sql } from 'kysely'
import type { MappingField } from '#domain/mapping-fields.ts'
import { cellOf } from '#server/jobs/imports/matched.ts'

/** Columns of `employees` that a line may change besides the status, each with its mapping field. */
const fieldOfColumn = {
  first_name: 'first_name',
  last_name: 'last_name',
  external_tk_id: 'external_tk_id',
  secondary_tk_id: 'secondary_id',
  email: 'email',
  phone_number: 'phone',
  department_code: 'department_code',
  hire_date: 'hire_date',
  rate_amount: 'rate',
  birth_date: 'birth_date',
  address: 'address',
  city: 'city',
  state: 'state',
  zip: 'zip',
  country: 'country',
  business_unit_code: 'business_unit_code',
  location_code: 'location_code',
  pay_code: 'pay_code',
  payroll_code: 'payroll_code',
} as const satisfies Record<string, MappingField>
export type Column = keyof typeof fieldOfColumn
const allColumns = Object.keys(fieldOfColumn) as Column[]

export const nameColumns: readonly Column[] = ['first_name', 'last_name']
/** Columns without history: not every reader of the history may see rates. */
const unrecorded: readonly Column[] = ['rate_amount']
/** Columns in the history of every employee in a file; others are recorded if the file has them. */
const alwaysRecorded: readonly Column[] = [
  'first_name',
  'last_name',
  'external_tk_id',
  'email',
  'phone_number',
  'department_code',
  'hire_date',
]
const types: Partial<Record<Column, string>> = { hire_date: 'date', rate_amount: 'bigint', birth_date: 'date' }

/** The columns that a file may change: those with a field in its mapping. */
export const columnsIn = ({ fields }: { fields: ReadonlySet<MappingField> }): Column[] =>
  allColumns.filter((column) => fields.has(fieldOfColumn[column]) || (nameColumns.includes(column) && fields.has('full_name')))

/** The value of line `l` for a column. */
export const columnValue = (column: Column) => {
  const type = types[column]
  const text = cellOf(fieldOfColumn[column])
  // An empty text means that the person has no e-mail or phone.
  return type ? sql`${text}::${sql.raw(type)}` : sql`nullif(${text}, '')`
}

/** Columns of a table, as an SQL list. */
export const columnList = (columns: readonly string[]) => sql.join(columns.map((column) => sql.ref(column)))

/** The columns of an employee that a file may change. */
export const changedByFile = [
  ...allColumns,
  'status',
  'status_before_pause',
  'pay_type',
  'paused_at',
  'paused_by',
  'paused_by_name',
  'pause_reason',
  'pause_details',
] as const
/** The snapshot of an employee for the history; masked columns are left out when it is read. */
export const snapshotOf = (alias: string, columns: readonly Column[] = allColumns) => {
  const recordedColumns = [...new Set(['status', ...alwaysRecorded, ...columns])].filter(
    (column) => !unrecorded.includes(column as Column),
  )
  return sql`jsonb_build_object(${sql.join(recordedColumns.map((name) => sql`${sql.lit(name)}, ${sql.ref(`${alias}.${name}`)}`))})`
}
