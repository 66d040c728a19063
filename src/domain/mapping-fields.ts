/** Kinds of files of a mapping: eligible employees, timekeeping, deductions (EWA), and confirmations of these. */
export const mappingKinds = ['EMPLOYEE', 'TIMEKEEPING', 'DEDUCTION', 'CONFIRMATION'] as const
export type MappingKind = (typeof mappingKinds)[number]

/** Labels, as in 'eligible employee mapping'. */
export const mappingKindLabels: Readonly<Record<MappingKind, string>> = {
  EMPLOYEE: 'Eligible employee',
  TIMEKEEPING: 'Timekeeping',
  DEDUCTION: 'EWA',
  CONFIRMATION: 'Confirmation',
}

/** Maximum number of columns of a mapping. */
export const maxColumns = 500
/** Maximum length of a header, and of a static value. */
export const maxHeaderLength = 256
/** Maximum adjustment of a date in days, in either direction. */
export const maxDays = 31

/** How the text of a cell is parsed. */
export type CellType = 'text' | 'code' | 'name' | 'e-mail' | 'phone' | 'date' | 'time' | 'hours' | 'money'

interface FieldOf {
  title: string
  type: CellType
  kinds: readonly MappingKind[]
}

const everyFile = mappingKinds
const work = ['EMPLOYEE', 'TIMEKEEPING', 'DEDUCTION'] as const
const person = ['EMPLOYEE', 'DEDUCTION'] as const
const staff = ['EMPLOYEE'] as const
const time = ['TIMEKEEPING'] as const
const deducted = ['DEDUCTION'] as const
const confirmed = ['CONFIRMATION'] as const

const of = (title: string, type: CellType, kinds: readonly MappingKind[]): FieldOf => ({ title, type, kinds })

/**
 * Fields that a column may be mapped to (MAP-001 to MAP-028), and the kinds of files in which they have an effect; amounts are
 * typed in dollars.
 */
export const mappingFields = {
  employee_code: of('Employee code', 'code', everyFile),
  external_tk_id: of('External TK id', 'code', everyFile),
  secondary_id: of('Secondary external TK id', 'code', everyFile),
  first_name: of('First name', 'name', person),
  last_name: of('Last name', 'name', person),
  full_name: of('Full name', 'name', person),
  status: of('Status', 'text', staff),
  email: of('E-mail', 'e-mail', person),
  phone: of('Phone', 'phone', staff),
  birth_date: of('Birth date', 'date', staff),
  hire_date: of('Hire date', 'date', staff),
  rate: of('Rate', 'money', ['EMPLOYEE', 'TIMEKEEPING']),
  address: of('Address', 'text', staff),
  city: of('City', 'text', staff),
  state: of('State', 'text', staff),
  zip: of('Zip', 'code', staff),
  country: of('Country', 'text', staff),
  work_date: of('Work date', 'date', time),
  work_hours: of('Work hours', 'hours', time),
  clock_in: of('Clock in', 'time', time),
  clock_out: of('Clock out', 'time', time),
  earned_wage: of('Earned wage', 'money', time),
  deduction_amount: of('Deduction amount', 'money', deducted),
  original_amount: of('Original amount', 'money', deducted),
  writeoff_amount: of('Write-off amount', 'money', deducted),
  deduction_withheld: of('Deduction withheld', 'money', confirmed),
  deduction_not_withheld: of('Deduction not withheld', 'money', confirmed),
  period_start: of('Period start', 'date', ['DEDUCTION', 'CONFIRMATION']),
  period_end: of('Period end', 'date', ['DEDUCTION', 'CONFIRMATION']),
  payment_date: of('Payment date', 'date', ['DEDUCTION', 'CONFIRMATION']),
  employer_code: of('Employer code', 'code', everyFile),
  account_manager_email: of('Account manager e-mail', 'e-mail', staff),
  department_code: of('Department code', 'code', work),
  business_unit_code: of('Business unit code', 'code', work),
  location_code: of('Location code', 'code', work),
  pay_code: of('Pay code', 'code', work),
  payroll_code: of('Payroll code', 'code', work),
} as const satisfies Readonly<Record<string, FieldOf>>
export type MappingField = keyof typeof mappingFields

/** All fields, identifiers and names first. */
export const mappingFieldNames = Object.keys(mappingFields) as [MappingField, ...MappingField[]]

/** Labels of the fields. */
export const mappingFieldLabels: Readonly<Record<MappingField, string>> = Object.fromEntries(
  mappingFieldNames.map((name) => [name, mappingFields[name].title]),
) as Record<MappingField, string>

/** How a column for this field is parsed. */
export const cellTypeOf = (field: MappingField): CellType => mappingFields[field].type

const kindsOf = (field: MappingField): readonly MappingKind[] => mappingFields[field].kinds

/** Fields that a file of a kind may have. */
export const fieldsOfKind = (kind: MappingKind): MappingField[] =>
  mappingFieldNames.filter((name) => kindsOf(name).includes(kind))

/** True for a file that the service writes; the others come from the customer. */
export const isWritten = (kind: MappingKind): boolean => kind === 'DEDUCTION'

/** Identifiers of an employee in a file (MAP-037 to MAP-039); one is sufficient. */
export const identifierFields = ['employee_code', 'external_tk_id', 'secondary_id'] as const
export type IdentifierField = (typeof identifierFields)[number]

/** Fields of worked time or earnings of a line. */
const workedFields: readonly MappingField[] = ['work_hours', 'clock_in', 'clock_out', 'earned_wage']

/** Amounts that a deduction file can request (MAP-043). */
export const paymentFields: readonly MappingField[] = ['deduction_amount', 'original_amount', 'writeoff_amount']

/** Amounts that a confirmation file can report (MAP-042). */
export const confirmedFields: readonly MappingField[] = ['deduction_withheld', 'deduction_not_withheld']

/** Fields that differ by line, so that they need a column of the file: who a line is about, and its amounts. */
export const isReadPerLine = (field: MappingField): boolean =>
  [...identifierFields, ...workedFields, ...paymentFields, ...confirmedFields].includes(field)
