import { headerKey } from '#domain/mapping.ts'
import { understand } from '#domain/mapping-cells.ts'
import {
  type CellType,
  fieldsOfKind,
  identifierFields,
  type MappingField,
  mappingFieldNames,
  mappingFields,
  type MappingKind,
} from '#domain/mapping-fields.ts'
import { mappingVendors } from '#domain/mapping-vendors.ts'

/** Synonyms of a field in file headers, best first; without blanks and punctuation. */
const words: Partial<Record<MappingField, readonly string[]>> = {
  employee_code: [
    'employeeno',
    'employeenumber',
    'employeeid',
    'empid',
    'empno',
    'empnumber',
    'eeid',
    'staffid',
    'workerid',
    'personnelno',
    'associateid',
    'associateno',
    'associatenumber',
    'id',
    'code',
  ],
  external_tk_id: ['tkid', 'badge', 'badgeno', 'badgenumber', 'clockno', 'clockid', 'timeclockid', 'timekeepingid'],
  secondary_id: ['secondaryid', 'secondarytkid', 'altid', 'alternateid', 'otherid'],
  first_name: [
    'firstname',
    'givenname',
    'fname',
    'forename',
    'first',
    'legalfirstname',
    'legalfirst',
    'employeefirstname',
    'empfirstname',
  ],
  last_name: [
    'lastname',
    'surname',
    'familyname',
    'lname',
    'last',
    'legallastname',
    'legallast',
    'employeelastname',
    'emplastname',
  ],
  full_name: ['name', 'employeename', 'fullname', 'legalname', 'employee'],
  status: ['employmentstatus', 'employeestatus', 'emplstatus', 'empstatus', 'activestatus'],
  email: ['email', 'emailaddress', 'workemail', 'mail'],
  phone: ['phonenumber', 'mobile', 'mobilephone', 'cell', 'cellphone', 'telephone', 'tel'],
  birth_date: ['dob', 'dateofbirth', 'birthday', 'birthdate'],
  hire_date: ['hiredate', 'hiredt', 'datehired', 'startdate', 'dateofhire', 'originalhiredate', 'hired'],
  rate: ['payrate', 'hourlyrate', 'baserate', 'rateofpay', 'hourly', 'hourlywage', 'hourlypay', 'salary', 'wage', 'rate1'],
  address: ['street', 'streetaddress', 'address1', 'addressline1', 'homeaddress'],
  city: ['town'],
  state: ['province', 'region', 'st'],
  zip: ['zipcode', 'postalcode', 'postcode'],
  work_date: ['date', 'workdate', 'shiftdate', 'day', 'punchdate', 'dateworked'],
  work_hours: ['hours', 'hoursworked', 'totalhours', 'paidhours', 'hrs', 'workedhours', 'totalhrs', 'hrsworked', 'workedhrs'],
  clock_in: ['clockin', 'timein', 'in', 'punchin', 'starttime', 'shiftstart'],
  clock_out: ['clockout', 'timeout', 'out', 'punchout', 'endtime', 'shiftend'],
  earned_wage: ['gross', 'grosspay', 'earnings', 'earned', 'earnedamount', 'amount'],
  deduction_amount: ['amount', 'deduction', 'amounttodeduct'],
  deduction_withheld: ['withheld', 'amountwithheld', 'taken', 'deducted'],
  deduction_not_withheld: ['notwithheld', 'amountnotwithheld', 'nottaken', 'shortfall'],
  period_start: ['periodbegin', 'payperiodstart', 'periodfrom'],
  period_end: ['payperiodend', 'periodto', 'periodending'],
  payment_date: ['paydate', 'checkdate', 'paymentdate'],
  employer_code: ['company', 'companycode', 'employer', 'clientid', 'co'],
  account_manager_email: ['accountmanager'],
  department_code: ['department', 'dept', 'deptcode', 'deptno', 'homedepartment', 'costcenter'],
  business_unit_code: ['businessunit', 'division', 'bu'],
  location_code: ['location', 'site', 'worksite', 'store', 'branch'],
  pay_code: ['paycode', 'earningcode', 'paytype'],
  payroll_code: ['payroll', 'payrollcode', 'paygroup', 'payrollgroup'],
}

/** Without blanks, punctuation, and a suffix in brackets: `Status (HR)`, `Rate [USD]`. */
const bare = (header: string): string =>
  headerKey(header)
    .replace(/(?<=\S)\s*(\([^)]*\)|\[[^\]]*\])$/, '')
    .replace(/[^\p{L}\p{N}]/gu, '')

/**
 * How well a header matches a field: 3 for a vendor's header, 2 for the field's name, 1 for a synonym, less for later ones; 0
 * for no match.
 */
function byHeader(header: string, field: MappingField): number {
  const key = bare(header)
  if (key === '') return 0
  if (
    mappingVendors.some(({ headers }) =>
      Object.entries(headers).some(([each, of]) => of === field && headerKey(each) === headerKey(header)),
    )
  )
    return 3
  if (key === bare(mappingFields[field].title) || key === bare(field)) return 2
  const place = words[field]?.indexOf(key) ?? -1
  return place < 0 ? 0 : 1 - place / 100
}

/** Cell types by which a column can be recognized without its header. */
const telling: readonly CellType[] = ['e-mail', 'phone', 'date', 'time']

/** Whether most of the first cells of a column are valid for a field. A birth date is in the past. `today` is yyyy-MM-dd. */
function fits(field: MappingField, cells: readonly string[], today: string): boolean {
  const filled = cells.map((cell) => cell.trim()).filter(Boolean)
  const good = filled.filter((cell) => {
    const read = understand(mappingFields[field].type, cell)
    return 'value' in read && (field !== 'birth_date' || String(read.value) < today)
  })
  return good.length * 2 >= filled.length
}

/** Whether a column has the same value in every line, unlike any identifier of several people. */
const saysOne = (cells: readonly string[]): boolean => cells.length > 1 && new Set(cells.map((cell) => cell.trim())).size === 1

function byContent(field: MappingField, cells: readonly string[], today: string): number {
  const filled = cells.filter((cell) => cell.trim() !== '')
  const { type } = mappingFields[field]
  if (filled.length === 0 || !telling.includes(type) || !fits(field, filled, today)) return 0
  // A few digits may be a code as well as a day number or a clock such as 0800.
  if ((type === 'date' || type === 'time') && filled.every((cell) => /^\d{1,5}(\.\d+)?$/.test(cell.trim()))) return 0
  // Plain digits may be anything, and dates have hyphens, too.
  if (type === 'phone' && (!filled.every((cell) => /[() +-]/.test(cell)) || filled.every(isDay))) return 0
  return 0.1
}

const isDay = (cell: string): boolean => 'value' in understand('date', cell)

/** Number of lines of a sample in which the headers are searched. */
export const maxHeaderLines = 50

/**
 * The most likely header line: the first one in which most cells are known headers. Null if no line has two of them. `lines`
 * are the first ones of a file, `kind` is the kind of the file if known.
 */
export function proposedHeaderLine(
  kind: MappingKind | null,
  lines: readonly { line: number; cells: readonly string[] }[],
): number | null {
  const fields = kind ? fieldsOfKind(kind) : mappingFieldNames
  const known = new Set(fields.flatMap((field) => [mappingFields[field].title, field, ...(words[field] ?? [])].map(bare)))
  for (const { headers } of mappingVendors)
    for (const [header, field] of Object.entries(headers)) if (fields.includes(field)) known.add(bare(header))
  const scored = lines.map(({ line, cells }) => ({ line, known: cells.filter((cell) => known.has(bare(cell))).length }))
  const best = scored.reduce((leader, next) => (next.known > leader.known ? next : leader), { line: 0, known: 1 })
  return best.known > 1 ? best.line : null
}

/** One column of a sample. */
export interface SampleColumn {
  header: string
  /** Its first cells. */
  cells: readonly string[]
}

/**
 * The most likely field of each column of a sample, by its header and its cells; null if none matches. A field is proposed
 * once, for the best matching column, and not if it is `taken`. `today` is yyyy-MM-dd, the upper limit of birth dates.
 */
export function proposals(
  kind: MappingKind,
  sample: readonly SampleColumn[],
  { today, taken = new Set() }: { today: string; taken?: ReadonlySet<MappingField> },
): (MappingField | null)[] {
  const fields = fieldsOfKind(kind).filter((field) => !taken.has(field))
  const scored = sample.flatMap(({ header, cells }, at) =>
    fields.flatMap((field) => {
      const score = byHeader(header, field)
      // A header as vague as `Code` may belong to any column.
      const other = score < 2 && (identifierFields as readonly MappingField[]).includes(field) && saysOne(cells)
      const found = score > 0 ? (fits(field, cells, today) && !other ? score : 0) : byContent(field, cells, today)
      return found > 0 ? [{ at, field, score: found }] : []
    }),
  )
  const found: (MappingField | null)[] = sample.map(() => null)
  const used = new Set<MappingField>()
  for (const { at, field } of scored.sort((a, b) => b.score - a.score || a.at - b.at)) {
    if (found[at] !== null || used.has(field)) continue
    found[at] = field
    used.add(field)
  }
  return found
}
