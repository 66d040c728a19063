/** The files that a mapping reads or writes: eligible employees, timekeeping, deductions (EWA), and what became of those. */
export const mappingKinds = ['EMPLOYEE', 'TIMEKEEPING', 'DEDUCTION', 'CONFIRMATION'] as const
export type MappingKind = (typeof mappingKinds)[number]

/** The words for people, as they say 'eligible employee mapping'. */
export const mappingKindLabels: Readonly<Record<MappingKind, string>> = {
  EMPLOYEE: 'Eligible employee',
  TIMEKEEPING: 'Timekeeping',
  DEDUCTION: 'EWA',
  CONFIRMATION: 'Confirmation',
}

/** A mapping has at most so many columns. */
export const maxColumns = 500
/** Characters of a header, and of a static value. */
export const maxHeaderLength = 256
/** Days that a date is adjusted by, in either direction. */
export const maxDays = 31

/** How the text of a cell is understood. */
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
 * What a column of a file may stand for (MAP-001 to MAP-028), and the kinds of files in which it has an effect; amounts are
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

/** All of them, the ones that name somebody first. */
export const mappingFieldNames = Object.keys(mappingFields) as [MappingField, ...MappingField[]]

/** The words for people. */
export const mappingFieldLabels: Readonly<Record<MappingField, string>> = Object.fromEntries(
  mappingFieldNames.map((name) => [name, mappingFields[name].title]),
) as Record<MappingField, string>

/** How the text of a column for this field is understood. */
export const cellTypeOf = (field: MappingField): CellType => mappingFields[field].type

const kindsOf = (field: MappingField): readonly MappingKind[] => mappingFields[field].kinds

/** The fields that a file of a kind may have. */
export const fieldsOfKind = (kind: MappingKind): MappingField[] =>
  mappingFieldNames.filter((name) => kindsOf(name).includes(kind))

/** True for a file that is made here; the others come from the customer. */
export const isWritten = (kind: MappingKind): boolean => kind === 'DEDUCTION'

/** By what a file names an employee (MAP-037 to MAP-039); each serves by itself. */
export const identifierFields = ['employee_code', 'external_tk_id', 'secondary_id'] as const
export type IdentifierField = (typeof identifierFields)[number]

/** What may count as worked or earned by one line. */
const workedFields: readonly MappingField[] = ['work_hours', 'clock_in', 'clock_out', 'earned_wage']

/** What a deduction file can ask for (MAP-043). */
export const paymentFields: readonly MappingField[] = ['deduction_amount', 'original_amount', 'writeoff_amount']

/** What a confirmation file can tell (MAP-042). */
export const confirmedFields: readonly MappingField[] = ['deduction_withheld', 'deduction_not_withheld']

/** What differs from line to line, so that only a column of the file tells it: whom a line is about, and what it comes to (D455). */
export const isReadPerLine = (field: MappingField): boolean =>
  [...identifierFields, ...workedFields, ...paymentFields, ...confirmedFields].includes(field)
