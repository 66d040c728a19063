import { type RawBuilder, sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Filter, filterQuery } from '#contract/filter.ts'
import { permissionIds } from '#domain/permissions.ts'
import { listings } from '#contract/listings.ts'
import { employeeFilters } from '#contract/employees.ts'
import { userFilters } from '#contract/users.ts'
import { invoiceFilters } from '#contract/invoices.ts'
import { repaymentFilters } from '#contract/repayments.ts'
import { writeOffFilters } from '#contract/write-offs.ts'
import { deductionFilters } from '#contract/deductions.ts'
import { timekeepingFilters } from '#contract/timekeeping.ts'
import { employerFilters } from '#contract/employers.ts'
import { organizationFilters } from '#contract/organizations.ts'
import { sftpUserFilters } from '#contract/sftp-users.ts'
import { accountManagerFilters } from '#contract/account-managers.ts'
import { adminFilters } from '#contract/admins.ts'
import { importFilters } from '#contract/imports.ts'
import { bankResultFilters } from '#contract/bank-results.ts'
import { auditFilters } from '#contract/audit-events.ts'
import { seedDemo } from '#server/seed/demo.ts'
import { createPerson } from '#tests/support/people.ts'
import { call, createServer, type TestServer } from '#tests/support/server.ts'
import { personWith } from '#tests/support/session.ts'
import { signInAs } from '#tests/support/sign-in.ts'

let server: TestServer
let admin: Record<string, string>
let manager: Record<string, string>
let employers: number[]

beforeAll(async () => {
  server = await createServer()
  await seedDemo(server.owner, { employees: 400, today: '2026-01-31' })
  await sql`insert into ach_results (trace_number, code, amount, effective_date, state, problem, taken_at, repayment_id)
    select 'TRACE-' || r.id || code, code, 100, business_date(), state, problem, now(), r.id
    from (select * from repayments order by id limit 20) r,
      (values ('R01', 'UNMATCHED', 'REPEATED'), ('R02', 'DISMISSED', null)) answers(code, state, problem)`.execute(server.owner)
  // Some rows of every kind: with a value, without one, and with an empty text.
  await sql`update employees set hire_date = null, pay_frequency = null where id % 7 = 0`.execute(server.owner)
  await sql`update employees set department_code = 'D-' || id % 3, business_unit_code = 'Unit ' || id % 4,
    location_code = 'L-' || id % 5, payroll_code = 'P-' || id % 6 where id % 2 = 0`.execute(server.owner)
  await sql`update repayments set department_code = case id % 3 when 0 then 'D-1' when 1 then 'd-2' end`.execute(server.owner)
  await sql`update employers set go_live_date = case when id % 2 = 0 then date '2026-01-05' end`.execute(server.owner)
  admin = (await personWith(server, permissionIds)).headers
  employers = (await server.db.selectFrom('employers').select('id').orderBy('id').limit(4).execute()).map(({ id }) => id)
  const person = await createPerson(server.db, {
    kind: 'ACCOUNT_MANAGER',
    permissions: permissionIds,
    grants: employers.map((employerId) => ({ employerId })),
  })
  manager = await signInAs(server, person)
})
afterAll(() => server.close())

/** The filters of every list, by its path. */
const lists: Record<string, readonly Filter[]> = {
  '/employees': employeeFilters,
  '/users': userFilters,
  '/invoices': invoiceFilters,
  '/repayments': repaymentFilters,
  '/write-offs': writeOffFilters,
  '/deductions': deductionFilters,
  '/timekeeping': timekeepingFilters,
  '/employers': employerFilters,
  '/organizations': organizationFilters,
  '/sftp-users': sftpUserFilters,
  '/account-managers': accountManagerFilters,
  '/admins': adminFilters,
  '/imports': importFilters,
  '/bank-results': bankResultFilters,
  '/audit-events': auditFilters,
  '/sessions': [],
}

/** The ids of all rows of a list under a query, read page by page and compared with its count. */
async function listed(path: string, query: Record<string, string>, headers: Record<string, string>) {
  const ids: string[] = []
  for (let lek: string | null = null; ; ) {
    const search = new URLSearchParams({ ...query, limit: '200', ...(lek ? { lek } : {}) })
    const { status, body } = await call(server, 'GET', `${path}?${search}`, { headers })
    expect([String(search), status, body.errors]).toEqual([String(search), 200, undefined])
    const rows = Object.values(body).find((each) => Array.isArray(each)) as { id: number | string }[]
    ids.push(...rows.map(({ id }) => String(id)))
    lek = body.lek
    if (lek === null) break
  }
  const { body } = await call(server, 'GET', `${path}/count?${new URLSearchParams(query)}`, { headers })
  if (body.exact) expect([query, body.count]).toEqual([query, ids.length])
  return ids.sort()
}

const cases = (types: (filter: Filter) => boolean) =>
  Object.entries(lists).flatMap(([path, filters]) =>
    filters.filter(types).map((filter): [string, string, Filter] => [`${path} ${filter.id}`, path, filter]),
  )

const query = (filter: Filter, type: Filter['types'][number], value = '') => filterQuery(filter, { id: filter.id, type, value })

test.each(cases(({ types }) => types.includes('empty')))(
  '%s is empty or is not empty, for every row and never both',
  async (_, path, filter) => {
    // The manager of an organization shows only where all of it is open: a filter must not reveal more.
    const everybody = filter.id === 'csm' ? [admin] : [admin, manager]
    for (const headers of everybody) {
      const all = await listed(path, {}, headers)
      const none = await listed(path, query(filter, 'empty'), headers)
      const some = await listed(path, query(filter, 'not_empty'), headers)
      expect([...none, ...some].sort()).toEqual(all)
    }
  },
)

test.each(cases(({ types }) => types.includes('is_not')))(
  '%s is a value or is not, for every row and never both',
  async (_, path, filter) => {
    const all = await listed(path, {}, admin)
    for (const { value } of (filter.field.options ?? []).slice(0, 1)) {
      const is = await listed(path, query(filter, 'is', value), admin)
      const not = await listed(path, query(filter, 'is_not', value), admin)
      expect([value, [...is, ...not].sort()]).toEqual([value, all])
    }
  },
)

/** The fields that may be empty, and those with a list of texts: table and column, written independently of the server. */
const columns: Record<string, [table: RawBuilder<unknown>, column: string, employer?: RawBuilder<unknown>]> = {
  '/employees frequency': [sql`employees`, 'pay_frequency'],
  '/employees code': [sql`employees`, 'employee_code'],
  '/employees department': [sql`employees`, 'department_code'],
  '/employees business_unit': [sql`employees`, 'business_unit_code'],
  '/employees location': [sql`employees`, 'location_code'],
  '/employees payroll_code': [sql`employees`, 'payroll_code'],
  '/employees hired': [sql`employees`, 'hire_date'],
  '/users email': [sql`users`, 'email'],
  '/users signed_in': [sql`users`, 'last_sign_in_at'],
  '/invoices company': [sql`invoices`, 'company_code'],
  '/repayments ach': [sql`repayments`, 'ach_state'],
  '/repayments department': [sql`repayments`, 'department_code'],
  '/employers code': [sql`employers`, 'external_code'],
  '/employers lookup_name': [sql`employers`, 'lookup_name'],
  '/employers live': [sql`employers`, 'go_live_date'],
  '/organizations lookup_name': [sql`organizations`, 'lookup_name'],
  '/organizations source_code': [sql`organizations`, 'source_code'],
  '/organizations csm': [sql`organizations`, 'csm_id'],
  '/bank-results problem': [sql`ach_results`, 'problem'],
}

const wholeTable = async (table: RawBuilder<unknown>, column: string) =>
  (
    await sql<{
      id: string
      value: string | null
    }>`select id::text as id, ${sql.ref(column)}::text as value from ${table}`.execute(server.owner)
  ).rows

test.each(cases(({ types }) => types.some((type) => type === 'empty' || type === 'one_of')))(
  '%s finds for an admin what plain SQL finds',
  async (name, path, filter) => {
    const [table, column] = columns[name] ?? []
    if (!table || !column) throw new Error(`No column is named for ${name}.`)
    const rows = await wholeTable(table, column)
    const idsOf = (matches: (value: string | null) => boolean) =>
      rows
        .filter(({ value }) => matches(value))
        .map(({ id }) => id)
        .sort()
    const visible = new Set(await listed(path, {}, admin))
    const seen = (ids: string[]) => ids.filter((id) => visible.has(id))
    if (filter.types.includes('empty')) {
      const none = idsOf((value) => value === null || value === '')
      expect(await listed(path, query(filter, 'empty'), admin)).toEqual(seen(none))
    }
    if (!filter.types.includes('one_of')) return
    const values = [...new Set(rows.flatMap(({ value }) => value ?? []))].sort()
    const [first, , second] = values
    const wanted = [first, second].flatMap((value) => value ?? [])
    expect(wanted.length).toBeGreaterThan(0)
    const asked = wanted.map((value, at) => (at === 0 ? value.toUpperCase() : value.toLowerCase()))
    const found = await listed(path, query(filter, 'one_of', [...asked, 'no such text'].join(',')), admin)
    expect(found).toEqual(seen(idsOf((value) => wanted.some((each) => each.toLowerCase() === value?.toLowerCase()))))
    expect(found.length).toBeGreaterThan(0)
  },
)

test('every list is covered', () => {
  expect(Object.keys(lists).sort()).toEqual(
    Object.values(listings)
      .map(({ path }) => path)
      .sort(),
  )
})

test('whether a masked field is empty is refused to people who may not see it', async () => {
  const path = '/employees?pay-frequency-empty=YES'
  const [reader, seer] = [await personWith(server, [2]), await personWith(server, [2, 98])]
  expect((await call(server, 'GET', path, { headers: reader.headers })).status).toBe(403)
  expect((await call(server, 'GET', path, { headers: seer.headers })).status).toBe(200)
})
