import { describe, expect, test } from 'vitest'
import { validateMapping, type MappingColumn, type MappingValues } from '#domain/mapping.ts'
import { fieldsOfKind, type MappingKind, mappingFieldNames } from '#domain/mapping-fields.ts'
import { fileKeyOf, validateFileName, kindOfFileName, lastingFileName, warnFileName } from '#domain/mapping-file-name.ts'
import { namesSomebody } from '#domain/mapping-writing.ts'

const good: Record<MappingKind, MappingValues> = {
  EMPLOYEE: {
    file_name: 'acme_ee.csv',
    columns: [
      { header: 'Code', field: 'employee_code' },
      { header: 'State', field: 'status' },
    ],
  },
  TIMEKEEPING: {
    file_name: 'acme_tk.csv',
    columns: [
      { header: 'Code', field: 'employee_code' },
      { header: 'Worked on', field: 'work_date' },
      { header: 'Worked', field: 'work_hours' },
    ],
  },
  DEDUCTION: {
    file_name: 'acme_ewa.csv',
    columns: [
      { header: 'Code', field: 'employee_code' },
      { header: 'Amount', field: 'deduction_amount' },
    ],
  },
  CONFIRMATION: {
    file_name: 'acme.csv',
    columns: [
      { header: 'Code', field: 'employee_code' },
      { header: 'Taken', field: 'deduction_withheld' },
    ],
  },
}
const kinds = Object.keys(good) as MappingKind[]
const errorsOf = (kind: MappingKind, values: Partial<MappingValues>) =>
  Object.fromEntries(validateMapping(kind, { ...good[kind], ...values }).map(({ path, message }) => [path, message]))
const withMore = (kind: MappingKind, ...more: MappingColumn[]) => errorsOf(kind, { columns: [...good[kind].columns, ...more] })
const named = (kind: MappingKind, file_name: string) => errorsOf(kind, { file_name })['file_name']

test.each(kinds)('a small mapping of kind %s is valid', (kind) => expect(validateMapping(kind, good[kind])).toEqual([]))

describe('columns', () => {
  test('[MAP-033] two headers that look alike in a spreadsheet are refused, on the later column', () => {
    const twice = { 'columns.2.header': 'Column headers must be unique.' }
    for (const header of ['Code', 'code', ' Code ', 'CODE'])
      expect(withMore('EMPLOYEE', { header, field: 'city' })).toEqual(twice)
    expect(withMore('EMPLOYEE', { header: 'Code 2', field: 'city' })).toEqual({})
  })

  test('[MAP-034] a header has no comma', () => {
    const wrong = { 'columns.2.header': 'A column header must not contain commas.' }
    expect(withMore('EMPLOYEE', { header: 'City, state', field: 'city' })).toEqual(wrong)
    expect(withMore('EMPLOYEE', { header: 'City; state', field: 'city' })).toEqual({})
  })

  test('[MAP-037] [MAP-038] [MAP-039] each of the three identifiers is enough, and one is required', () => {
    for (const kind of kinds) {
      const others = good[kind].columns.filter(({ field }) => field !== 'employee_code')
      for (const field of ['employee_code', 'external_tk_id', 'secondary_id'] as const)
        expect(errorsOf(kind, { columns: [{ header: 'Id', field }, ...others] })).toEqual({})
      expect(errorsOf(kind, { columns: [{ header: 'Company', field: 'employer_code' }, ...others] })).toEqual({
        columns: 'An employee identifier is required: employee code, external TK id or secondary external TK id.',
      })
    }
  })

  test('[MAP-040] one date from several columns has the same adjustment in all of them', () => {
    const [code, , hours] = good.TIMEKEEPING.columns as [MappingColumn, MappingColumn, MappingColumn]
    const two = (days: number | null) =>
      errorsOf('TIMEKEEPING', {
        columns: [
          code,
          { header: 'Day', field: 'work_date', day_adjustment: 1 },
          { header: 'Other day', field: 'work_date', day_adjustment: days },
          hours,
        ],
      })
    expect(two(1)).toEqual({})
    const differ = { 'columns.2.day_adjustment': 'Duplicate date columns must have identical day adjustments.' }
    for (const days of [0, null, 2, -1]) expect(two(days)).toEqual(differ)
    expect(withMore('TIMEKEEPING', { header: 'Day', field: 'work_date' })).toEqual({})
  })

  test('only a date is adjusted, and only a date uses several columns of an incoming file', () => {
    expect(withMore('TIMEKEEPING', { header: 'Site', field: 'location_code', day_adjustment: 1 })).toEqual({
      'columns.3.day_adjustment': 'Only a date column has a day adjustment.',
    })
    expect(withMore('EMPLOYEE', { header: 'Other', field: 'employee_code' })).toEqual({
      'columns.2.field': 'Another column is Employee code already.',
    })
    expect(withMore('DEDUCTION', { header: 'Other', field: 'employee_code' })).toEqual({})
  })

  test('[MAP-041] a static column needs its value, and no other column has one', () => {
    const wrong = { 'columns.2.static_value': 'A static column needs a static value.' }
    for (const static_value of [undefined, null, '', ' '])
      expect(withMore('EMPLOYEE', { field: 'country', static: true, static_value })).toEqual(wrong)
    expect(withMore('EMPLOYEE', { field: 'country', static: true, static_value: 'US' })).toEqual({})
    expect(withMore('EMPLOYEE', { header: 'Land', field: 'country', static_value: 'US' })).toEqual({
      'columns.2.static_value': 'Only a static column has a static value.',
    })
    // In an outgoing file it has a header, and needs no field.
    expect(withMore('DEDUCTION', { static: true, static_value: 'EWA' })).toEqual({
      'columns.2.header': 'A column header is required.',
    })
    expect(withMore('DEDUCTION', { header: 'Type', static: true, static_value: 'EWA' })).toEqual({})
  })

  test('a value that makes every line unreadable is refused on input', () => {
    const fixed = (field: 'hire_date' | 'status' | 'rate', static_value: string) =>
      withMore('EMPLOYEE', { field, static: true, static_value })['columns.2.static_value']
    expect(fixed('hire_date', 'soon')).toBe('“soon” is no date. Dates look like 2026-11-20 or 11/20/2026.')
    expect(fixed('hire_date', '2026-01-05')).toBeUndefined()
    expect(fixed('rate', 'much')).toContain('much')
    const status = (static_value: string) =>
      errorsOf('EMPLOYEE', {
        columns: [
          { header: 'Code', field: 'employee_code' },
          { field: 'status', static: true, static_value },
        ],
      })
    expect(status('Asleep')).toEqual({ 'columns.1.static_value': '“Asleep” is no status that is known, such as Active.' })
    expect(status('active')).toEqual({})
  })

  test('a TK file has the day, and the hours or earnings', () => {
    const [code, day, hours] = good.TIMEKEEPING.columns as [MappingColumn, MappingColumn, MappingColumn]
    const [start, end] = [
      { header: 'In', field: 'clock_in' },
      { header: 'Out', field: 'clock_out' },
    ] as const
    const noTime = { columns: 'A TK file needs work hours, clock in and out, or the earned wage.' }
    expect(errorsOf('TIMEKEEPING', { columns: [code, hours] })).toEqual({ columns: 'A TK file needs the work date.' })
    for (const columns of [
      [code, day],
      [code, day, start],
      [code, day, end],
    ])
      expect(errorsOf('TIMEKEEPING', { columns })).toEqual(noTime)
    for (const columns of [
      [code, day, start, end],
      [code, day, { header: 'Earned', field: 'earned_wage' } as const],
    ])
      expect(errorsOf('TIMEKEEPING', { columns })).toEqual({})
  })

  test('[MAP-042] a confirmation has the withheld or the missing amount', () => {
    const id = { header: 'Code', field: 'employee_code' } as const
    expect(errorsOf('CONFIRMATION', { columns: [id] })).toEqual({
      columns: 'The confirmation file needs at least one of deduction withheld or not withheld.',
    })
    expect(errorsOf('CONFIRMATION', { columns: [id, { header: 'Not', field: 'deduction_not_withheld' }] })).toEqual({})
    expect(withMore('CONFIRMATION', { header: 'Not', field: 'deduction_not_withheld' })).toEqual({})
  })

  test('[MAP-037] [MAP-043] a static value is neither an identifier nor an amount', () => {
    const fixed = (field: 'employee_code' | 'original_amount', static_value: string) => ({
      header: field,
      field,
      static: true as const,
      static_value,
    })
    const differs = (title: string) => `${title} differs from line to line: only a column of the file tells it.`
    expect(errorsOf('DEDUCTION', { columns: [fixed('employee_code', 'X1'), fixed('original_amount', '1')] })).toEqual({
      'columns.0.static_value': differs('Employee code'),
      'columns.1.static_value': differs('Original amount'),
      columns: expect.stringMatching(/An employee identifier is required|There must be at least one payment field option/),
    })
    // This also applies next to a column that is one.
    expect(withMore('TIMEKEEPING', { field: 'external_tk_id', static: true, static_value: 'TK-9' })).toEqual({
      'columns.3.static_value': differs('External TK id'),
    })
    for (const field of ['earned_wage', 'clock_in', 'clock_out'] as const)
      expect(Object.keys(withMore('TIMEKEEPING', { field, static: true, static_value: '8:00' }))).toEqual([
        'columns.3.static_value',
      ])
    const columns = [fixed('employee_code', 'X1')]
    expect(namesSomebody(columns, { employee_code: 'A1' })).toBe(false)
    expect(namesSomebody([{ header: 'Id', field: 'employee_code' }], { employee_code: 'A1' })).toBe(true)
  })

  test('[MAP-043] an EWA file needs an amount', () => {
    const id = { header: 'Code', field: 'employee_code' } as const
    expect(errorsOf('DEDUCTION', { columns: [id] })).toEqual({ columns: 'There must be at least one payment field option.' })
    for (const field of ['deduction_amount', 'original_amount', 'writeoff_amount'] as const)
      expect(errorsOf('DEDUCTION', { columns: [id, { header: 'Amount', field }] })).toEqual({})
  })

  test('[ERR-042] an EE file has the status, in a column or as a static value', () => {
    const id = { header: 'Code', field: 'employee_code' } as const
    expect(errorsOf('EMPLOYEE', { columns: [id] })).toEqual({ columns: 'Missing Status column in EE File mapping' })
    expect(errorsOf('EMPLOYEE', { columns: [id, { field: 'status', static: true, static_value: 'Active' }] })).toEqual({})
  })

  test('a column uses a field of its kind of file', () => {
    expect(withMore('EMPLOYEE', { header: 'Hours', field: 'work_hours' })).toEqual({
      'columns.2.field': 'Work hours has no effect in Eligible employee files. Remove this column here; the file may have it.',
    })
    expect(withMore('EMPLOYEE', { header: 'Hours' })).toEqual({ 'columns.2.field': 'Choose what the column stands for.' })
    expect(mappingFieldNames.filter((name) => !kinds.some((kind) => fieldsOfKind(kind).includes(name)))).toEqual([])
  })
})

describe('the name of a file', () => {
  test('[MAP-035] is required', () => {
    for (const name of ['', ' ']) expect(named('EMPLOYEE', name)).toBe('A file name is required.')
  })

  test('[MAP-036] 250 characters are accepted, 251 to 256 with a warning, 257 refused', () => {
    const long = (length: number, end: string) => `${'a'.repeat(length - end.length)}${end}`
    for (const [kind, end] of [
      ['EMPLOYEE', '_ee.csv'],
      ['TIMEKEEPING', '_tk.xlsx'],
      ['CONFIRMATION', '.csv'],
      ['DEDUCTION', '.csv'],
    ] as const) {
      for (const length of [249, 250, 251, 256]) {
        expect(named(kind, long(length, end))).toBeUndefined()
        expect(warnFileName(long(length, end)) === null).toBe(length <= 250)
      }
      expect(named(kind, long(257, end))).toBe('A file name has at most 256 characters.')
      expect(warnFileName(long(257, end))).toBeNull()
    }
  })

  test('with two underscores leaves no room for a date, which is a warning', () => {
    const without = 'Files of this name arrive without a date: with one, the name would have three underscores.'
    expect(warnFileName('acme_us_ee.csv')).toBe(without)
    expect(named('EMPLOYEE', 'acme_us_20260105_ee.csv')).toBeDefined()
    for (const name of ['acme_ee.csv', 'acme_20260105_ee.csv', 'some_file_here.csv']) expect(warnFileName(name)).toBeNull()
  })

  test('[MAP-044] [MAP-046] [MAP-047] of an EE file ends with _ee and .csv or .xlsx', () => {
    for (const name of ['acme_ee.csv', 'acme_ee.xlsx', 'acme_20260105_ee.csv', 'acme_EE_ee.CSV', '123_ee.csv'])
      expect(named('EMPLOYEE', name)).toBeUndefined()
    for (const name of ['acme_tk.csv', 'acmeee.csv', 'acme_ee_.csv', 'acme_EE.csv', 'acme_ee2.csv', 'ee.csv'])
      expect(named('EMPLOYEE', name)).toBe('EE file names must end with _ee.')
    for (const name of ['acme_ee.txt', 'acme_ee.xls', 'acme_ee', 'acme_ee.csv.zip', 'acme_ee.', 'acme_ee.xlsm'])
      expect(named('EMPLOYEE', name)).toBe('EE file names must end with .csv or .xlsx.')
  })

  test('[MAP-045] [MAP-049] has at most two underscores', () => {
    for (const [kind, end, file] of [
      ['EMPLOYEE', 'ee', 'EE'],
      ['TIMEKEEPING', 'tk', 'TK'],
    ] as const) {
      for (const name of [`acme_${end}.csv`, `acme_us_${end}.csv`]) expect(named(kind, name)).toBeUndefined()
      expect(named(kind, `acme_us_20260105_${end}.csv`)).toBe(`${file} file names contain at most two underscores.`)
    }
    expect(named('CONFIRMATION', 'a_b_c_d.csv')).toBeUndefined()
  })

  test('[MAP-048] [MAP-050] [MAP-051] of a TK file ends with _tk and .csv or .xlsx', () => {
    for (const name of ['acme_tk.csv', 'acme_tk.xlsx']) expect(named('TIMEKEEPING', name)).toBeUndefined()
    expect(named('TIMEKEEPING', 'acme_ee.csv')).toBe('TK file names must end with _tk.')
    for (const name of ['acme_tk.json', 'acme_tk'])
      expect(named('TIMEKEEPING', name)).toBe('TK file names must end with .csv or .xlsx.')
  })

  test('[MAP-052] of a TK file may have a time stamp, which is ignored when matching its mapping', () => {
    const names = ['acme_20260105_tk.csv', 'acme_2026-01-05_tk.csv', 'acme_20260105143000_tk.csv', 'acme_20260105-1430_tk.csv']
    for (const name of names) {
      expect(named('TIMEKEEPING', name)).toBeUndefined()
      expect(fileKeyOf(name)).toBe('acme')
      expect(lastingFileName(name)).toBe('acme_tk.csv')
      expect(kindOfFileName(name)).toBe('TIMEKEEPING')
    }
    expect(fileKeyOf('ACME_ee.csv')).toBe('acme')
    expect(fileKeyOf('acme_us_ee.csv')).toBe('acme_us')
    expect(kindOfFileName('acme.csv')).toBeNull()
  })

  test('is not a path, and more than its suffix', () => {
    for (const name of ['../acme_ee.csv', 'a/acme_ee.csv', 'a\\acme_ee.csv', 'acme?_ee.csv', 'acme\u0007_ee.csv'])
      expect(validateFileName('EMPLOYEE', name)).toBe('A file name has no \\ / : * ? " < > |.')
    expect(validateFileName('EMPLOYEE', '_ee.csv')).toBe('A file name needs a name before its ending.')
    expect(validateFileName('DEDUCTION', 'acme.xlsx')).toBe('File names must end with .csv.')
  })
})

describe('file formats', () => {
  const paths = (kind: MappingKind, values: Partial<MappingValues>) =>
    validateMapping(kind, { file_name: kind === 'EMPLOYEE' ? 'a_ee.csv' : 'a_tk.csv', columns: [], ...values }).map(
      ({ path, message }) => `${path} ${message}`,
    )

  test('apply only to columns with a choice', () => {
    const said = paths('EMPLOYEE', {
      columns: [
        { header: 'Code', field: 'employee_code', read_as: 'day-first' },
        { header: 'Hired', field: 'hire_date', read_as: 'day-first' },
        { header: 'Rate', field: 'rate', read_as: 'hours' },
        { field: 'birth_date', static: true, static_value: '2000-01-01', read_as: 'month-first' },
      ],
    })
    expect(said).toContain('columns.0.read_as Only a column of a date or time is read as day first.')
    expect(said).toContain('columns.2.read_as Only a column of hours is read as hours.')
    expect(said).toContain('columns.3.read_as Only a column of a file that is read has a reading.')
    expect(said.filter((one) => one.startsWith('columns.1'))).toEqual([])
  })

  test('has each status once, and only in employee files', () => {
    const statuses = [
      { value: 'P/T', means: 'ACTIVE' },
      { value: 'p/t ', means: 'UNKNOWN' },
    ] as const
    expect(paths('EMPLOYEE', { statuses })).toContain('statuses.1.value Another row has this status already.')
    expect(paths('TIMEKEEPING', { statuses })).toContain('statuses Only files of employees have statuses that mean something.')
  })
})
