import { sql } from 'kysely'
import type { MappingField } from '#domain/mapping-fields.ts'
import { cellOf } from '#server/jobs/imports/matched.ts'

/** What a line may change beside the status: columns of `employees`, each with the field of the mapping. */
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
/** Columns that the history does not keep: not everybody who reads it may see rates. */
const unrecorded: readonly Column[] = ['rate_amount']
/** Columns that the history keeps of every employee whom a file names; it keeps others where the file has them. */
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

/** The columns that a file may change: those of which its mapping has the field. */
export const columnsIn = ({ fields }: { fields: ReadonlySet<MappingField> }): Column[] =>
  allColumns.filter((column) => fields.has(fieldOfColumn[column]) || (nameColumns.includes(column) && fields.has('full_name')))

/** What line `l` has for a column. */
export const given = (column: Column) => {
  const type = types[column]
  const text = cellOf(fieldOfColumn[column])
  // An e-mail or phone that is said not to be there is an empty text.
  return type ? sql`${text}::${sql.raw(type)}` : sql`nullif(${text}, '')`
}

/** Columns of a table, as a list in SQL. */
export const listed = (columns: readonly string[]) => sql.join(columns.map((column) => sql.ref(column)))

/** What a file may change of an employee. */
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
/** The state of an employee that the history keeps, before and after; what is masked for somebody is left out when it is read. */
export const snapshotOf = (alias: string, columns: readonly Column[] = allColumns) => {
  const recordedColumns = [...new Set(['status', ...alwaysRecorded, ...columns])].filter(
    (column) => !unrecorded.includes(column as Column),
  )
  return sql`jsonb_build_object(${sql.join(recordedColumns.map((name) => sql`${sql.lit(name)}, ${sql.ref(`${alias}.${name}`)}`))})`
}
