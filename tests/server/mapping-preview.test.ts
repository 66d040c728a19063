import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createCompany, createEmployee } from '#tests/support/company.ts'
import { type Answer, call, createServer, type TestServer } from '#tests/support/server.ts'
import { createPerson } from '#tests/support/people.ts'
import { personWith, type SignedIn } from '#tests/support/session.ts'
import { signInAs } from '#tests/support/sign-in.ts'

let server: TestServer
let admin: SignedIn
let employerId: number
let sister: number

beforeAll(async () => {
  server = await createServer()
  admin = await personWith(server, [2, 3, 8, 98, 1020])
  const { employerIds, organizationId } = await createCompany(server.db, 'Harbor', 2)
  ;[employerId, sister] = employerIds as [number, number]
  await server.db
    .insertInto('configurations')
    .values({
      organization_id: organizationId,
      employer_id: null,
      withdraw_limit_type: 'PERCENTAGE',
      withdraw_limit_amount: 4_000,
      single_withdraw_amount_max: 20_000,
      withdraw_amount_max: 50_000,
      transaction_fee: 299,
      requests_per_cycle: 3,
      daily_hours_limit: 12,
      timekeeping_approval_threshold: 0,
    })
    .execute()
  const people = [
    ['A1', 'Mia', 'Torres', 'ACTIVE'],
    ['A2', 'Ben', 'Ortiz', 'ELIGIBLE'],
    ['A3', 'Ida', 'Falk', 'PAUSED'],
    ['A4', 'Old', 'Gone', 'TERMINATED'],
  ] as const
  for (const [code, firstName, lastName, status] of people)
    await createEmployee(server.db, {
      employerId,
      code,
      firstName,
      lastName,
      status,
      tkId: `T-${code}`,
      email: 'mia@example.com',
      phone: '(212) 555-0111',
      hireDate: '2026-01-05',
      rate: 2_150,
    })
  await createEmployee(server.db, { employerId: sister, code: 'B1' })
})
afterAll(() => server.close())

const preview = (lines: unknown[], more: Record<string, unknown> = {}, who = admin): Promise<Answer> =>
  call(server, 'POST', '/mappings/preview', {
    headers: who.headers,
    body: { employer_id: employerId, kind: 'EMPLOYEE', by: 'employee_code', lines, ...more },
  })

test('lines create unknown people, change differing ones, keep the rest, and end absent ones', async () => {
  const same = {
    identifier: 'A1',
    first_name: 'Mia',
    last_name: 'Torres',
    email: 'mia@example.com',
    phone: '212-555-0111',
    hire_date: '2026-01-05',
    rate: 2_150,
  }
  const { status, body } = await preview([
    same,
    { identifier: 'A4', full_name: 'Gone, Old' },
    { identifier: 'B1' },
    { identifier: 'a1' },
  ])
  expect(status).toBe(200)
  expect(body).toEqual({
    staff: 3,
    present: 1,
    known: 2,
    changed: 0,
    ended: 0,
    unknown: 2,
    left: 0,
    as_unknown: 0,
    not_mapped: 0,
    unclear: 0,
    others: 0,
    no_employer: 0,
    similar: [],
    doubtful: [],
    incremental: false,
  })
  for (const other of [
    { first_name: 'Mía' },
    { email: 'm@example.com' },
    { phone: '1' },
    { hire_date: '2026-01-06' },
    { rate: 2_151 },
    { department_code: 'D1' },
  ])
    expect((await preview([{ ...same, ...other }])).body).toMatchObject({ known: 1, changed: 1 })
  expect((await preview([{ identifier: 'A2', full_name: 'ben ortiz' }])).body).toMatchObject({ known: 1, changed: 0 })
  expect((await preview([{ identifier: 'T-A2' }], { by: 'external_tk_id' })).body).toMatchObject({ known: 1, unknown: 0 })
  expect((await preview([{ identifier: 'A2' }], { by: 'secondary_id' })).body).toMatchObject({ known: 0, unknown: 1 })
})

test('the preview names codes that an import rejects: similar ones, or changed by a spreadsheet', async () => {
  const near = [{ identifier: '0A1' }, { identifier: 'a4' }, { identifier: '12-Mar' }, { identifier: 'N1' }]
  const { body } = await preview(near)
  expect(body).toMatchObject({
    // Terminated people do not count as similar: a4 is new.
    similar: [{ identifier: '0A1', known: 'A1', staff: true }],
    doubtful: ['12-Mar'],
    present: 0,
    known: 0,
    unknown: 2,
  })
  // A1 has a line of its own, so 0A1 is not about A1.
  expect((await preview([...near, { identifier: 'A1' }])).body).toMatchObject({ similar: [], unknown: 3 })
  const time = await preview([{ identifier: '0A1' }, { identifier: 'a4' }, { identifier: '12-Mar' }], { kind: 'TIMEKEEPING' })
  expect(time.body).toMatchObject({ similar: [{ known: 'A1' }, { known: 'A4' }], doubtful: [], unknown: 1 })
  // A person named in rejected lines is present, and counted once.
  expect((await preview([{ identifier: 'A1' }], { named: ['A2', 'A4', 'N9'] })).body).toMatchObject({ staff: 3, present: 2 })
})

test('lines of other employers of the organization are counted separately, unknown ones rejected', async () => {
  const { rows } = await sql<{ id: number; code: string }>`select id, external_code as code from employers`.execute(server.db)
  const codeOf = (id: number) => rows.find((row) => row.id === id)?.code
  const lines = [
    { identifier: 'A1', employer_code: codeOf(employerId) },
    { identifier: 'B1', employer_code: codeOf(sister) },
    { identifier: 'A2', employer_code: 'NOBODY' },
    { identifier: 'A3', employer_code: '' },
  ]
  expect((await preview(lines)).body).toMatchObject({ known: 1, unknown: 0, others: 1, no_employer: 2 })
  const manager = await createPerson(server.db, {
    kind: 'ACCOUNT_MANAGER',
    permissions: [2, 3, 1020],
    grants: [{ employerId }],
  })
  const who = { ...admin, headers: await signInAs(server, manager) }
  // An inaccessible employer looks like one that does not exist.
  expect((await preview(lines, {}, who)).body).toMatchObject({ known: 1, others: 0, no_employer: 3 })
})

test('codes and personal details are compared, the latter only for people who may see them', async () => {
  const seeing = await personWith(server, [2, 1020, 1023])
  const changed = async (more: object, who = admin) =>
    (await preview([{ identifier: 'A1', ...more }], {}, who)).body as { known: number; changed: number }
  expect(await changed({ location_code: 'SITE-3', pay_code: 'REG' })).toMatchObject({ known: 1, changed: 1 })
  for (const personal of [{ birth_date: '1988-03-05' }, { zip: '02110' }]) {
    expect(await changed(personal, seeing)).toMatchObject({ known: 1, changed: 1 })
    expect(await changed(personal)).toMatchObject({ known: 1, changed: 0 })
  }
})

test('statuses are read as on import, by the settings of the integration', async () => {
  const lines = [
    { identifier: 'A1', status: 'left US' },
    { identifier: 'A2', status: 'Winterpause' },
    { identifier: 'A3', status: 'Inactive' },
    { identifier: 'A4', status: 'Terminated' },
    { identifier: 'N1', status: 'Left us' },
    { identifier: 'N2', status: 'Active' },
    { identifier: 'N3', status: 'Winterpause' },
  ]
  // Without an integration a list of common words is used.
  expect((await preview(lines)).body).toMatchObject({
    changed: 1,
    ended: 1,
    unknown: 3,
    left: 0,
    as_unknown: 0,
    // 'left US' and 'Winterpause' are unmapped: they neither add nor change anybody.
    not_mapped: 2,
    unclear: 2,
    incremental: false,
  })
  const [{ organization_id } = { organization_id: 0 }] = await server.db
    .selectFrom('employers')
    .select('organization_id')
    .where('id', '=', employerId)
    .execute()
  const made = await call(server, 'POST', '/integrations', {
    headers: admin.headers,
    body: {
      organization_id,
      type: 'SFTP',
      sftp_type: 'INTERNAL',
      import_types: ['ELIGIBLE_EMPLOYEE'],
      incremental: true,
      terminated_values: ['Left us'],
    },
  })
  expect(made.status).toBeLessThan(300)
  const { body } = await preview(lines)
  expect(body).toMatchObject({
    known: 4,
    changed: 2,
    ended: 2,
    unknown: 3,
    left: 1,
    as_unknown: 0,
    not_mapped: 1,
    unclear: 2,
    incremental: true,
  })
  // The mapping takes precedence over everything else.
  const statuses = [{ value: 'winterpause', means: 'UNKNOWN' }]
  expect((await preview(lines, { statuses })).body).toMatchObject({ as_unknown: 1, not_mapped: 0, unclear: 2 })
  // In time files a status ends nobody.
  expect((await preview(lines, { kind: 'TIMEKEEPING' })).body).toMatchObject({
    changed: 0,
    ended: 0,
    left: 0,
    as_unknown: 0,
    unclear: 0,
  })
  await server.db.deleteFrom('integrations').execute()
})

test('differences of a rate and its hourly or yearly unit are shown only with the right to rates', async () => {
  for (const blind of [await personWith(server, [2, 3, 1020]), await personWith(server, [2, 3, 8, 1020])])
    expect((await preview([{ identifier: 'A1', rate: 1 }], {}, blind)).body).toMatchObject({ known: 1, changed: 0 })
  expect((await preview([{ identifier: 'A1', rate: 1 }])).body).toMatchObject({ known: 1, changed: 1 })
})

test('[ERR-041] without a configuration files of an employer cannot be mapped', async () => {
  const bare = (await createCompany(server.db, 'Bare')).employerIds[0]
  expect((await preview([], { employer_id: bare })).body).toMatchObject({
    status: 409,
    code: 'configurations-missing',
    detail: 'Unable to map file, Configurations need to be setup.',
  })
})

test('nothing is changed, and asking needs access to the employees', async () => {
  const before = await server.db.selectFrom('employees').selectAll().orderBy('id').execute()
  await preview([{ identifier: 'A1', first_name: 'Zoe' }, { identifier: 'N1' }])
  expect(await server.db.selectFrom('employees').selectAll().orderBy('id').execute()).toEqual(before)
  expect((await preview([], {}, await personWith(server, [3, 1020]))).status).toBe(403)
  expect((await preview([], {}, await personWith(server, [2, 3]))).status).toBe(403)
  const manager = await personWith(server, [2, 3, 1020], 'Sam', 'ACCOUNT_MANAGER')
  expect((await preview([{ identifier: 'A1' }], {}, manager)).status).toBe(404)
})

test('a call has at most 2,000 lines', async () => {
  const lines = (count: number) => Array.from({ length: count }, (_, at) => ({ identifier: `N${at}` }))
  expect((await preview(lines(2_000))).body.unknown).toBe(2_000)
  const many = await preview(lines(2_001))
  expect(many.body.errors).toEqual([{ path: 'lines', message: 'At most 2,000 lines' }])
})
