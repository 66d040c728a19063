import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createCompany } from '#tests/support/company.ts'
import { createPerson } from '#tests/support/people.ts'
import { asking, refusedFields } from '#tests/support/asking.ts'
import { type Answer, createServer, type TestServer } from '#tests/support/server.ts'
import { personWith, type SignedIn } from '#tests/support/session.ts'
import { signInAs } from '#tests/support/sign-in.ts'

let server: TestServer
let admin: SignedIn
let employerId: number
let sister: number
let companies = 0

const { send, good } = asking(
  () => server,
  () => admin,
)
/** The mappings of an employer by the four calls of the specification. */
const list = async (employer = employerId) => {
  const kinds = ['employees', 'timekeepings', 'deductions', 'confirmations']
  const answers = await Promise.all(kinds.map((kind) => good('GET', `/mappings/${kind}?employer-id=${employer}`)))
  return { mappings: answers.flatMap(({ mappings }) => mappings) }
}

beforeAll(async () => {
  server = await createServer()
  admin = await personWith(server, [3, 4, 1020], 'Ada Admin')
})
afterAll(() => server.close())
beforeEach(async () => {
  const company = await createCompany(server.db, `Harbor ${++companies}`, 2)
  ;[employerId, sister] = company.employerIds as [number, number]
})

const kinds = {
  employees: {
    kind: 'EMPLOYEE',
    file_name: 'acme_ee.csv',
    other: 'beta_ee.xlsx',
    columns: [
      { header: 'Code', field: 'employee_code' },
      { header: 'Status', field: 'status' },
    ],
  },
  timekeepings: {
    kind: 'TIMEKEEPING',
    file_name: 'acme_20260105_tk.csv',
    other: 'beta_tk.csv',
    columns: [
      { header: 'Badge', field: 'external_tk_id' },
      { header: 'Day', field: 'work_date', day_adjustment: -1 },
      { header: 'Hours', field: 'work_hours' },
    ],
  },
  deductions: {
    kind: 'DEDUCTION',
    file_name: 'acme_ewa.csv',
    other: 'beta.csv',
    columns: [
      { header: 'Code', field: 'employee_code' },
      { header: 'Amount', field: 'deduction_amount' },
      { header: 'Type', static: true, static_value: 'EWA' },
    ],
  },
  confirmations: {
    kind: 'CONFIRMATION',
    file_name: 'acme.csv',
    other: 'beta.xlsx',
    columns: [
      { header: 'Code', field: 'secondary_id' },
      { header: 'Taken', field: 'deduction_withheld' },
    ],
  },
} as const
type Path = keyof typeof kinds
const paths = Object.keys(kinds) as Path[]
const valuesOf = (path: Path, more: Record<string, unknown> = {}) => {
  const { file_name, columns } = kinds[path]
  return { file_name, columns, ...more }
}
const make = (path: Path, more: Record<string, unknown> = {}) =>
  send('POST', `/mappings/${path}`, { employer_id: employerId, ...valuesOf(path, more) })

describe.each(paths)('a mapping of %s', (path) => {
  const [read, added, changed, deleted] = {
    employees: ['API-081', 'API-082', 'API-083', 'API-084'],
    timekeepings: ['API-085', 'API-086', 'API-087', 'API-088'],
    deductions: ['API-077', 'API-078', 'API-079', 'API-080'],
    confirmations: ['API-073', 'API-074', 'API-075', 'API-076'],
  }[path]

  test(`[${read}] [${added}] is added, returned in full, and in the history of its employer`, async () => {
    const made = (await make(path, { vendor: 'SHIFTWELL' })).body
    expect(made).toMatchObject({
      kind: kinds[path].kind,
      employer_id: employerId,
      file_name: kinds[path].file_name,
      file_name_warning: null,
      vendor: 'SHIFTWELL',
      version: 1,
    })
    expect(made.columns.map(({ header }: { header: string }) => header)).toEqual(kinds[path].columns.map(({ header }) => header))
    expect(made.columns[0]).toEqual({
      read_as: null,
      header: kinds[path].columns[0].header,
      field: kinds[path].columns[0].field,
      static: false,
      static_value: null,
      day_adjustment: 0,
    })
    expect(await good('GET', `/mappings/${made.id}`)).toEqual(made)
    expect((await good('GET', `/mappings/${path}?employer-id=${employerId}`)).mappings).toEqual([made])
    expect((await good('GET', `/mappings/${path}?employer-id=${sister}`)).mappings).toEqual([])
    expect((await good('GET', `/mappings/${path}`)).mappings).toContainEqual(made)
    const { events } = await good('GET', `/employers/${employerId}/history`)
    expect(events[0]).toMatchObject({ status: 'File mapping added', actor: { name: 'Ada Admin' } })
  })

  test(`[${changed}] [ERR-040] is replaced as a whole; a stale version is refused with the current one`, async () => {
    const made = (await make(path)).body
    const body = { ...valuesOf(path, { file_name: kinds[path].other }), version: 1 }
    const after = await good('PUT', `/mappings/${path}/${made.id}`, body)
    expect(after).toMatchObject({ file_name: kinds[path].other, version: 2 })
    expect((await send('PUT', `/mappings/${path}/${made.id}`, body)).body).toMatchObject({
      status: 409,
      code: 'stale-version',
      facts: { id: made.id, version: 2 },
    })
    // Another kind has no mapping with this id.
    const elsewhere = paths[(paths.indexOf(path) + 1) % paths.length] as Path
    const wrong = await send('PUT', `/mappings/${elsewhere}/${made.id}`, { ...valuesOf(elsewhere), version: 2 })
    expect(wrong.body).toMatchObject({ status: 404, detail: 'File mapping not found' })
  })

  test(`[${deleted}] [ERR-040] is deleted once, by its version`, async () => {
    const made = (await make(path)).body
    expect((await send('DELETE', `/mappings/${path}/${made.id}?version=7`)).body.code).toBe('stale-version')
    expect(await good('DELETE', `/mappings/${path}/${made.id}?version=1`)).toEqual(made)
    expect((await send('DELETE', `/mappings/${path}/${made.id}?version=1`)).body).toMatchObject({
      status: 404,
      detail: 'File mapping not found',
    })
    expect((await list()).mappings).toEqual([])
    const { events } = await good('GET', `/employers/${employerId}/history`)
    expect(events[0]).toMatchObject({ status: 'File mapping deleted' })
  })

  test('needs the right to change integrations, and access to its employer', async () => {
    const reader = await personWith(server, [3, 4])
    const body = { employer_id: employerId, ...valuesOf(path) }
    expect((await send('POST', `/mappings/${path}`, body, reader)).status).toBe(403)
    const made = (await make(path)).body
    const change = { ...valuesOf(path), version: 1 }
    expect((await send('PUT', `/mappings/${path}/${made.id}`, change, reader)).status).toBe(403)
    expect((await send('DELETE', `/mappings/${path}/${made.id}?version=1`, undefined, reader)).status).toBe(403)
    const person = await createPerson(server.db, {
      kind: 'ACCOUNT_MANAGER',
      permissions: [3, 4, 1020],
      grants: [{ employerId: sister }],
    })
    const headers = await signInAs(server, person)
    expect((await send('POST', `/mappings/${path}`, body, { headers })).status).toBe(404)
    for (const [method, at, sent] of [
      ['GET', `/mappings/${made.id}`],
      ['PUT', `/mappings/${path}/${made.id}`, change],
      ['DELETE', `/mappings/${path}/${made.id}?version=1`],
    ] as const)
      expect((await send(method, at, sent, { headers })).status).toBe(404)
    expect((await good('GET', `/mappings/${path}?employer-id=${employerId}`, undefined, { headers })).mappings).toEqual([])
    expect((await good('GET', `/mappings/${made.id}`)).version).toBe(1)
  })
})

describe('a refused mapping', () => {
  test('[MAP-034] [MAP-037] [MAP-044] has all errors at once, each beside its field, and nothing is stored', async () => {
    const columns = [{ header: 'City, state', field: 'city' }]
    expect(refusedFields(await make('employees', { file_name: 'acme.csv', columns }))).toEqual({
      file_name: 'EE file names must end with _ee.',
      'columns.0.header': 'A column header must not contain commas.',
      columns: 'Missing Status column in EE File mapping',
    })
    expect((await list()).mappings).toEqual([])
  })

  test('[MAP-036] a name of 256 characters is stored with a warning, one of 257 is refused', async () => {
    const name = (length: number) => `${'a'.repeat(length - 7)}_ee.csv`
    const made = await make('employees', { file_name: name(256) })
    expect(made.body.file_name_warning).toBe('Over 250 characters: other systems may refuse this name.')
    expect(refusedFields(await make('employees', { file_name: name(257) }))).toEqual({
      file_name: 'A file name has at most 256 characters.',
    })
  })

  test('a file has one mapping in an organization, also for concurrent requests', async () => {
    const answers = await Promise.all([
      make('employees'),
      make('employees', { file_name: 'ACME_ee.xlsx' }),
      send('POST', '/mappings/employees', { employer_id: sister, ...valuesOf('employees') }),
    ])
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 422, 422])
    expect(refusedFields(answers.find(({ status }) => status === 422) as Answer)).toEqual({
      file_name: 'Another file mapping of this organization reads files of this name.',
    })
    // The same name for another kind is another file; a changed mapping keeps its own name.
    const time = await make('timekeepings')
    expect(time.status).toBe(201)
    await good('PUT', `/mappings/timekeepings/${time.body.id}`, { ...valuesOf('timekeepings'), version: 1 })
  })

  test('a refused file name does not reveal a mapping that the person may not see', async () => {
    expect((await make('employees')).status).toBe(201)
    const manager = await createPerson(server.db, {
      kind: 'ACCOUNT_MANAGER',
      permissions: [3, 4, 1020],
      grants: [{ employerId: sister }],
    })
    const headers = await signInAs(server, manager)
    const body = { employer_id: sister, ...valuesOf('employees') }
    expect(refusedFields(await send('POST', '/mappings/employees', body, { headers }))).toEqual({
      file_name: 'This file name cannot be used. Choose another one, such as one with the code of the employer.',
    })
  })

  test('an employer has one EWA mapping', async () => {
    expect((await make('deductions')).status).toBe(201)
    expect(refusedFields(await make('deductions', { file_name: 'other.csv' }))).toEqual({
      file_name: 'This employer has an EWA mapping already.',
    })
  })

  test('the same request under the same key creates one mapping', async () => {
    const headers = { ...admin.headers, 'idempotency-key': crypto.randomUUID() }
    const body = { employer_id: employerId, ...valuesOf('employees') }
    const [one, other] = [
      await send('POST', '/mappings/employees', body, { headers }),
      await send('POST', '/mappings/employees', body, { headers }),
    ]
    expect(other.body).toEqual(one.body)
    expect((await list()).mappings).toHaveLength(1)
  })
})

test('[API-073] [API-077] [API-081] [API-085] each kind has its own list, for one employer or all', async () => {
  for (const path of [...paths].reverse()) await make(path)
  const all = (await list()).mappings
  expect(all.map(({ kind }: { kind: string }) => kind)).toEqual(['EMPLOYEE', 'TIMEKEEPING', 'DEDUCTION', 'CONFIRMATION'])
  await send('POST', '/mappings/employees', { employer_id: sister, ...valuesOf('employees'), file_name: 'sister_ee.csv' })
  const everybody = (await good('GET', '/mappings/employees')).mappings
  expect(everybody.map((one: { employer_id: number }) => one.employer_id)).toEqual(expect.arrayContaining([employerId, sister]))
  expect((await list()).mappings).toEqual(all)
})

test('[API-089] everybody signed in may list the vendors with known files', async () => {
  const { vendors } = await good('GET', '/mappings/vendors', undefined, await personWith(server, []))
  expect(
    vendors.map(({ id, supports_timekeeping }: { id: string; supports_timekeeping: boolean }) => [id, supports_timekeeping]),
  ).toEqual([
    ['PAYHARBOR', true],
    ['SHIFTWELL', true],
    ['LEDGERLINE', false],
  ])
  expect(vendors[0].headers).toContainEqual({ header: 'EmpNo', field: 'employee_code' })
  expect(refusedFields(await make('employees', { vendor: 'NOBODY' }))).toHaveProperty('vendor')
})
