import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { employeeSorts } from '#contract/employees.ts'
import { createCompany, createEmployee } from '#tests/support/company.ts'
import { createPerson } from '#tests/support/people.ts'
import { call, createServer, type TestServer } from '#tests/support/server.ts'
import { type Headers, signInAs } from '#tests/support/sign-in.ts'

const total = 1_200
let server: TestServer
let admin: Headers
let manager: Headers
let employers: number[]

beforeAll(async () => {
  server = await createServer()
  const { db } = server
  const company = await createCompany(db, 'Harbor', 6)
  employers = company.employerIds
  // Ties everywhere, and null in every nullable column.
  await sql`
    insert into employees (organization_id, employer_id, first_name, last_name, employee_code, status, flow, brand, hire_date,
      pay_type, pay_frequency, rate_amount, available_amount, employer_key, updated_at)
    select ${company.organizationId}, (${employers}::bigint[])[1 + n % 6], (array['Ana', 'Bo', 'Chloé', 'Ana'])[1 + n % 4], (array['Müller', 'Ruiz', 'O''Brien'])[1 + n % 3],
      'C-' || n, (array['ELIGIBLE', 'IMPORTED', 'TERMINATED'])[1 + n % 3], 'PAYROLL', 'DAYLINE',
      case when n % 7 > 0 then date '2024-01-01' + n % 5 end, case when n % 2 = 0 then 'SALARY' else 'HOURLY' end, 'WEEKLY',
      case when n % 11 > 0 then 1500 + 100 * (n % 4) end, case when n % 3 > 0 then 100 * (n % 6) end, '',
      timestamptz '2026-01-01' + (n % 40) * interval '1 millisecond'
    from generate_series(1, ${total}) n`.execute(db)
  await sql`analyze employees`.execute(db)
  admin = await signInAs(server, await createPerson(db, { groups: [1] }))
  manager = await signInAs(
    server,
    await createPerson(db, {
      kind: 'ACCOUNT_MANAGER',
      permissions: [2, 8, 15, 98],
      grants: [{ employerId: employers[1] as number }, { employerId: employers[4] as number }],
    }),
  )
})
afterAll(() => server.close())

const list = async (query: Record<string, string>, headers: Headers = admin) => {
  const answer = await call(server, 'GET', `/employees?${new URLSearchParams(query)}`, { headers })
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  return answer.body as { employees: { id: number; [field: string]: unknown }[]; lek: string | null }
}

async function walkAll(query: Record<string, string>, headers: Headers): Promise<number[][]> {
  const pages: number[][] = []
  for (let lek: string | null = null; ; ) {
    const page = await list({ ...query, ...(lek && { lek }) }, headers)
    pages.push(page.employees.map((employee) => employee.id))
    lek = page.lek
    if (lek === null) return pages
  }
}

describe.each(employeeSorts)('[API-106] sorted by %s', (sort) => {
  test.each(['asc', 'desc'])('all rows are paged through once, in the same order in both directions: %s', async (order) => {
    for (const [headers, expected] of [
      [admin, total],
      [manager, total / 3],
    ] as const) {
      const query = { sort, 'sort-order': order, limit: '170' }
      const forward = (await walkAll(query, headers)).flat()
      expect(new Set(forward).size).toBe(expected)
      expect(forward.length).toBe(expected)
      const backward = (await walkAll({ ...query, direction: 'before' }, headers)).reverse().flat()
      expect(backward).toEqual(forward)

      const at = 3 * (expected / 4)
      const from = { ...query, limit: '5', 'from-id': String(forward[at]) }
      const page = await list(from, headers)
      const ids = (rows: typeof page) => rows.employees.map((employee) => employee.id)
      expect(ids(page)).toEqual(forward.slice(at, at + 5))
      expect(ids(await list({ ...query, lek: page.lek as string }, headers))).toEqual(forward.slice(at + 5, at + 175))
      expect(ids(await list({ ...from, direction: 'before' }, headers))).toEqual(forward.slice(at - 4, at + 1))
      expect(ids(await list({ ...from, limit: '1' }, headers))).toEqual([forward[at]])
    }
  })
})

test('a page starting at a row is empty if the row is not in the list or not accessible', async () => {
  const [first] = (await list({ status: 'TERMINATED', limit: '1' })).employees
  const from = { 'from-id': String(first?.id) }
  expect((await list({ ...from, status: 'ELIGIBLE' })).employees).toEqual([])
  expect((await list({ ...from, status: 'TERMINATED', limit: '3' })).employees[0]?.id).toBe(first?.id)
  const [other] = (await list({ 'employer-id': String(employers[0]), limit: '1' })).employees
  expect(await list({ 'from-id': String(other?.id) }, manager)).toEqual({ employees: [], lek: null })
})

test('[API-106] rows without a value come last in both directions', async () => {
  for (const order of ['asc', 'desc']) {
    const page = await list({ sort: 'hire_date', 'sort-order': order, limit: '200' })
    expect(page.employees[0]?.hire_date).toBe(order === 'asc' ? '2024-01-01' : '2024-01-05')
    const last = await list({ sort: 'hire_date', 'sort-order': order, limit: '10', direction: 'before' })
    expect(last.employees.map((employee) => employee.hire_date)).toEqual(Array(10).fill(null))
  }
})

test('[API-106] a cursor of another person, filter or order is refused', async () => {
  const { lek } = await list({ sort: 'name', limit: '10' })
  const refused = async (query: Record<string, string>, headers: Headers) =>
    (await call(server, 'GET', `/employees?${new URLSearchParams({ ...query, lek: lek as string })}`, { headers })).body.code
  expect(await refused({ sort: 'name', limit: '10' }, manager)).toBe('cursor-invalid')
  expect(await refused({ sort: 'name', status: 'ELIGIBLE' }, admin)).toBe('cursor-invalid')
  expect(await refused({ sort: 'name', 'sort-order': 'desc' }, admin)).toBe('cursor-invalid')
  expect((await list({ sort: 'name', limit: '20', lek: lek as string })).employees).toHaveLength(20)
})

test('[API-107] status takes a comma list, and filters combine', async () => {
  const both = await call(server, 'GET', '/employees/count?status=ELIGIBLE,IMPORTED', { headers: admin })
  expect(both.body).toEqual({ count: 800, exact: true })
  const not = await call(server, 'GET', '/employees/count?status-not=ELIGIBLE,IMPORTED', { headers: admin })
  expect(not.body).toEqual({ count: 400, exact: true })
  const named = await call(server, 'GET', '/employees/count?status=ELIGIBLE&name=chloe', { headers: admin })
  expect(named.body).toEqual({ count: 100, exact: true })
  const hired = await call(server, 'GET', '/employees/count?hired-from=2024-01-02&hired-to=2024-01-03', { headers: admin })
  const { rows } = await sql<{
    count: number
  }>`select count(*) from employees where hire_date between '2024-01-02' and '2024-01-03'`.execute(server.db)
  expect(hired.body.count).toBe(rows[0]?.count)
  expect(rows[0]?.count).toBeGreaterThan(0)
})

test('[API-108] include adds employer, user and balance, and nothing else', async () => {
  const [bare] = (await list({ limit: '1' })).employees
  expect(bare).not.toHaveProperty('employer')
  const { id, userId } = await createEmployee(server.db, {
    employerId: employers[0] as number,
    linked: {},
    balance: { available: 5_000 },
  })
  const [whole] = (await list({ id: String(id), include: 'employer,user,balance' })).employees
  expect(whole?.employer).toMatchObject({ id: employers[0], name: 'Harbor Works 1', organization_name: 'Harbor' })
  expect(whole?.user).toMatchObject({ id: userId, email: 'user@example.com', version: 1 })
  expect(whole?.balance).toEqual({
    id: expect.any(Number),
    earned_amount: 10_000,
    limit_amount: 5_000,
    taken_amount: 0,
    pending_amount: 0,
    available_amount: 5_000,
  })
  await sql`delete from work_period_balances`.execute(server.owner)
  await sql`delete from employees where id = ${id}`.execute(server.owner)
})

test('[PERM-003] [CARD-008] lists, counts and searches of an account manager have only granted rows', async () => {
  const count = await call(server, 'GET', '/employees/count', { headers: manager })
  expect(count.body).toEqual({ count: total / 3, exact: true })
  const searched = await call(server, 'GET', '/employees/count?q=chloe', { headers: manager })
  const everybody = await call(server, 'GET', '/employees/count?q=chloe', { headers: admin })
  expect(everybody.body.count).toBe(300)
  expect(searched.body.count).toBeLessThan(300)
  const found = (await walkAll({ q: 'chloe', limit: '200' }, manager)).flat()
  expect(found).toHaveLength(searched.body.count)
  const outside = await sql<{ id: number; employee_code: string }>`
    select id, employee_code from employees where employer_id = ${employers[0]} limit 1`.execute(server.db)
  const stranger = outside.rows[0] as { id: number; employee_code: string }
  expect((await list({ q: String(stranger.id) }, manager)).employees).toEqual([])
  expect((await list({ q: stranger.employee_code }, manager)).employees.map((employee) => employee.id)).not.toContain(stranger.id)
  expect((await list({ 'employer-id': String(employers[0]) }, manager)).employees).toEqual([])
  for (const path of [`/employees/${stranger.id}`, `/employees/${stranger.id}/events`, `/employees/${stranger.id}/can-unpause`])
    expect((await call(server, 'GET', path, { headers: manager })).status).toBe(404)
})

test('[CONST-009] masked values are null, and cannot be sorted or filtered by', async () => {
  const reader = await signInAs(server, await createPerson(server.db, { permissions: [2] }))
  const [employee] = (await list({ limit: '1', include: 'balance' }, reader)).employees
  expect(employee).toMatchObject({ rate_amount: null, pay_type: null, pay_frequency: null, next_pay_date: null, balance: null })
  const unwaged = await signInAs(server, await createPerson(server.db, { permissions: [2, 98] }))
  const [waged] = (await list({ limit: '1', 'pay-frequency': 'WEEKLY' }, unwaged)).employees
  expect(waged).toMatchObject({ rate_amount: null, pay_type: null, pay_frequency: 'WEEKLY' })
  for (const query of ['sort=rate', 'sort=available', 'pay-frequency=WEEKLY', 'pay-frequency-not=WEEKLY']) {
    const answer = await call(server, 'GET', `/employees?${query}`, { headers: reader })
    expect(answer.status, query).toBe(403)
    expect(answer.body.detail).toBe("You don't have permission to take this action.")
  }
  expect((await call(server, 'GET', '/employees/count?pay-frequency=WEEKLY', { headers: reader })).status).toBe(403)
  const [seen] = (await list({ limit: '1', 'pay-frequency': 'WEEKLY', sort: 'rate' })).employees
  expect(seen).toMatchObject({ pay_type: 'SALARY', pay_frequency: 'WEEKLY' })
  expect([1500, 1600, 1700, 1800]).toContain(seen?.rate_amount)
})

describe('search', () => {
  const found = async (q: string, headers = admin) =>
    (await list({ q, limit: '5' }, headers)).employees.map((employee) => employee.id)
  let chloe: number
  beforeAll(async () => {
    chloe = (
      await createEmployee(server.db, {
        employerId: employers[1] as number,
        firstName: 'Chloé',
        lastName: 'Van der Żuraw-Łęcki',
        code: 'HF-88121',
        tkId: '00419-B',
        email: 'chloe.zuraw@example.org',
        phone: '(917) 555-0173',
      })
    ).id
  })

  test.each([
    ['the id', () => String(chloe)],
    ['both names in any order', () => 'lecki chloe'],
    ['names with and without diacritics', () => 'żuraw'],
    ['part of a name', () => 'uraw'],
    ['the e-mail', () => 'chloe.zuraw@example.org'],
    ['the beginning of the e-mail', () => 'chloe.zu'],
    ['phone digits', () => '9175550173'],
    ['the phone as written', () => '(917) 555-0173'],
    ['the phone with the code of its country', () => '+1 917 555 0173'],
    ['the last phone digits', () => '0173'],
    ['the employee code', () => 'hf-88121'],
    ['part of the code', () => '88121'],
    ['the external id', () => '00419-b'],
  ])('[API-106] finds an employee by %s', async (_, q) => {
    expect(await found(q())).toContain(chloe)
    expect(await found(q(), manager)).toContain(chloe)
  })

  test('[API-106] the exact id comes first, then exact codes, then beginnings', async () => {
    const code = await createEmployee(server.db, { employerId: employers[1] as number, lastName: 'Zzz', code: String(chloe) })
    const longer = await createEmployee(server.db, { employerId: employers[1] as number, lastName: 'Zzz', code: `${chloe}9` })
    expect(await found(String(chloe))).toEqual([chloe, code.id, longer.id])
    expect(await found(String(chloe), manager)).toEqual([chloe, code.id, longer.id])
  })

  test('[API-106] the ends of phone numbers rank above the beginnings of codes, also as partly written', async () => {
    const of = (more: object) => createEmployee(server.db, { employerId: employers[1] as number, lastName: 'Zzz', ...more })
    const [byCode, byPhone] = [await of({ tkId: '0182-X', phone: '(917) 555-0100' }), await of({ phone: '(917) 555-0182' })]
    expect(await found('0182')).toEqual([byPhone.id, byCode.id])
    expect(await found('555-0182')).toEqual([byPhone.id, byCode.id])
    expect(await found('0182', manager)).toEqual([byPhone.id, byCode.id])
  })

  test('[API-106] [PERM-003] matches the employer or its organization, whose people rank after people of that name', async () => {
    const { employerIds } = await createCompany(server.db, 'Laurel', 2)
    const [one, two] = employerIds as [number, number]
    const of = (employerId: number, firstName: string, lastName: string) =>
      createEmployee(server.db, { employerId, firstName, lastName })
    const [maya, kim] = [await of(one, 'Maya', 'Quist'), await of(two, 'Kim', 'Quist')]
    const [mayaElsewhere, named] = [
      await of(employers[1] as number, 'Maya', 'Quist'),
      await of(employers[1] as number, 'Jo', 'Laurel'),
    ]
    expect(await found('laurel')).toEqual([named.id, maya.id, kim.id])
    expect(await found('maya laurel')).toEqual([maya.id])
    expect(await found('laur quist kim')).toEqual([kim.id])
    // The words match separately: Jo works at Harbor Works 2.
    expect(await found('laurel 2')).toEqual([kim.id, named.id])
    // Two letters start too many names: `wo laurel` is about write-offs.
    expect(await found('ma laurel')).toEqual([])
    expect(await found('laurel', manager)).toEqual([named.id])
    expect(await found('maya quist', manager)).toEqual([mayaElsewhere.id])
    for (const headers of [admin, manager]) {
      const { body } = await call(server, 'GET', '/employees/count?q=laurel', { headers })
      expect(body.count).toBe(headers === admin ? 3 : 1)
    }
    expect((await walkAll({ q: 'laurel', limit: '1', direction: 'before' }, admin)).flat()).toEqual([kim.id, maya.id, named.id])
    expect((await list({ q: 'laurel', sort: 'name' })).employees.map(({ id }) => id)).toEqual([named.id, kim.id, maya.id])
  })

  test('[API-106] pattern characters are plain text', async () => {
    expect(await found('%%%')).toEqual([])
    expect(await found('c_lo')).toEqual([])
    expect(await found('\\')).toEqual([])
  })

  test('[API-106] a search with a sort of its own is filtered and paged', async () => {
    const all = (await walkAll({ q: 'chloe', sort: 'hire_date', 'sort-order': 'desc', limit: '90' }, admin)).flat()
    expect(new Set(all).size).toBe(301)
    const ranked = (await walkAll({ q: 'chloe', limit: '90' }, admin)).flat()
    expect(new Set(ranked)).toEqual(new Set(all))
    const back = (await walkAll({ q: 'chloe', limit: '90', direction: 'before' }, admin)).reverse().flat()
    expect(back).toEqual(ranked)
  })
})

test('[API-107] filters by values that the linked user has or lacks', async () => {
  const { db } = server
  const employerId = (await createCompany(db, 'Checked')).employerIds[0] as number
  const denied = await createEmployee(db, { employerId, linked: { kyc: 'DENIED' } })
  const approved = await createEmployee(db, { employerId, linked: { kyc: 'APPROVED' } })
  const unknown = await createEmployee(db, { employerId, linked: { kyc: null } })
  const unlinked = await createEmployee(db, { employerId })
  const only = async (filter: Record<string, string>) =>
    (await list({ 'employer-id': String(employerId), ...filter })).employees.map((employee) => employee.id)
  expect(await only({ kyc: 'DENIED' })).toEqual([denied.id])
  expect(await only({ 'kyc-not': 'DENIED' })).toEqual([approved.id, unknown.id, unlinked.id])
  expect(await only({ 'user-status': 'ACTIVE' })).toEqual([denied.id, approved.id, unknown.id])
  expect(await only({ 'user-status-not': 'ACTIVE' })).toEqual([unlinked.id])
  expect(await only({ linked: 'NO' })).toEqual([unlinked.id])
  expect(await only({ 'linked-not': 'NO' })).toEqual([denied.id, approved.id, unknown.id])
  expect(await only({ 'organization-id': '1' })).toEqual([])
})
