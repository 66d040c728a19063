import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { type AnyEndpoint, fill } from '#contract/define.ts'
import { permissionIds } from '#domain/permissions.ts'
import type { ReadyRoute } from '#server/http/route.ts'
import { nameOf } from '#server/http/route-table.ts'
import { seedDemo } from '#server/seed/demo.ts'
import { rightValue } from '#tests/support/right-values.ts'
import { countFigures } from '#server/tables/count-figures.ts'
import { createCompany, createEmployee } from '#tests/support/company.ts'
import { createInvoice, createRepayment } from '#tests/support/money.ts'
import { createPerson } from '#tests/support/people.ts'
import { type Answer, type TestServer, call, createServer } from '#tests/support/server.ts'
import { createTimeEntry } from '#tests/support/time.ts'
import { type SignedIn, personWith } from '#tests/support/session.ts'

let server: TestServer
let admin: SignedIn
/** An account manager who holds every permission, and has no grants. */
let stranger: SignedIn
/** A record of each noun, by the first part of its path, inaccessible to the stranger. */
let ids: Map<string, number | string>
/** All texts that would reveal a company or a person. */
let names: string[]

const column = async (statement: string): Promise<string[]> =>
  (await sql.raw<{ value: string | null }>(statement).execute(server.db)).rows.flatMap(({ value }) => value ?? [])

beforeAll(async () => {
  server = await createServer()
  await seedDemo(server.owner, { employees: 300, today: '2026-06-15' })
  await sql`update ach_results set state = 'UNMATCHED', problem = 'REPEATED', taken_at = now()
    where id = (select min(id) from ach_results)`.execute(server.owner)
  await countFigures(server.db)
  admin = await personWith(server, permissionIds)
  stranger = await personWith(server, permissionIds, 'Sam Stranger', 'ACCOUNT_MANAGER')
  const [employee] = await column(`select id::text as value from employees where status = 'ACTIVE' order by id limit 1`)
  const [employer] = await column(`select employer_id::text as value from employees where id = ${employee}`)
  await createTimeEntry(server.db, { employeeId: Number(employee), employerId: Number(employer), date: '2026-06-14' })
  await sql`insert into imports (organization_id, employer_id, kind, source, file_name, file_key, size, hash, status, received_by,
      received_by_name, finished_at)
    select organization_id, id, 'EMPLOYEE', 'SFTP', 'acme_ee.csv', 'acme', 12, '00', 'FAIL', 'sftp-user:1', 'acme', now()
    from employers where id = ${employer}`.execute(server.db)
  const made = async (path: string, body: unknown): Promise<string> =>
    (await call(server, 'POST', path, { ...admin, body })).body.id
  await made('/shared-views', {
    path: '/invoices',
    title: 'Late',
    search: 'status_type=is&status_value=OVERDUE',
    shared_with: ['ADMINS'],
  })
  ids = new Map<string, number | string>([
    [
      'runs',
      await made('/runs', {
        intent: 'employee.pause',
        body: { status: 'PAUSED', reason: 'Rate' },
        targets: { ids: [Number(employee)] },
      }),
    ],
    ['exports', await made('/exports', { kind: 'invoices', filter: {} })],
    ['admins', admin.id],
    ['sessions', (await column(`select id::text as value from sessions where person_id = '${admin.id}'`))[0] as string],
    [
      'account-managers',
      (await createPerson(server.db, { kind: 'ACCOUNT_MANAGER', name: 'Nora Near', grants: [{ employerId: Number(employer) }] }))
        .id,
    ],
  ])
  const tables = await column(`select table_name as value from information_schema.columns
    where table_schema = 'public' and column_name = 'id' and data_type in ('bigint', 'integer')`)
  for (const table of tables) {
    const [id] = await column(`select min(id)::text as value from ${table}`)
    if (id !== undefined)
      ids.set(
        table.replaceAll('_', '-').replace('ach-results', 'bank-results').replace('time-entries', 'timekeeping'),
        Number(id),
      )
  }
  names = [
    ...(await column('select name as value from organizations')),
    ...(await column('select internal_name as value from employers')),
    ...(await column('select external_name as value from employers')),
    ...(await column(`select first_name || ' ' || last_name as value from employees`)),
    ...(await column('select email as value from employees')),
    ...(await column('select email as value from users')),
    ...(await column(`select name as value from people where name <> 'Sam Stranger'`)),
  ]
})
afterAll(() => server.close())

const nowhere = { number: 987_654_321, text: '00000000-0000-4000-8000-0000000fffff' }
const absent = (id: number | string): number | string => (typeof id === 'number' ? nowhere.number : nowhere.text)

/** The record that a path is about; for a part of one without its own table, the first. */
const idFor = ({ path }: AnyEndpoint): number | string => ids.get(path.split('/')[1] as string) ?? 1
const at = ({ path }: AnyEndpoint, id: number | string): string =>
  fill(path, Object.fromEntries([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name as string, id])))

/** The response to a person, for whichever record was requested. */
const responseOf = ({ status, body }: Answer, ...asked: (number | string)[]) => ({
  status,
  text: asked.reduce<string>((text, id) => text.replaceAll(String(id), 'ID'), JSON.stringify(body ?? null)),
})

/** Rows, counts and sums in an answer, at any depth. */
function nonEmptyValues(value: unknown, path = ''): string[] {
  if (Array.isArray(value)) return value.length > 0 ? [`${path}: ${value.length} rows`] : []
  if (typeof value === 'number') return value === 0 ? [] : [`${path}: ${value}`]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => nonEmptyValues(inner, `${path}.${name}`))
}
const named = (text: string): string[] => names.filter((name) => text.includes(name))

/** Parameters that do not filter rows. */
const paging = ['limit', 'lek', 'direction', 'sort', 'sort-order', 'page', 'pageSize', 'include']
/** Reads about the asking person or the product, and colleagues, whom everybody signed in may know (docs/rules/access.md). */
const own = [
  'GET /me',
  'GET /credentials',
  'GET /sessions',
  'GET /sessions/count',
  'DELETE /sessions',
  'GET /demo/accounts',
  'GET /permissions',
  'GET /customer-success-managers',
  'GET /customer-success-managers/{id}',
  'GET /mappings/vendors',
  'GET /integrations/metadata',
]
const openWhere = 'SQL about rows of a company goes through `openTo`; what is everybody’s is named in `own`'
const routes = (): readonly ReadyRoute[] => server.services.routes.routes
const reads = () => routes().filter(({ endpoint }) => endpoint.method === 'GET' && !own.includes(nameOf(endpoint)))

const asking = (who: SignedIn, method: string, path: string, body?: unknown) => call(server, method, path, { ...who, body })

test('a record of every noun exists for the stranger to ask about', () => {
  const nouns = routes().flatMap(({ endpoint }) => (endpoint.path.includes('{id}') ? endpoint.path.split('/')[1] : []))
  expect(
    [...new Set(nouns)].filter((noun) => !ids.has(noun as string)),
    'Make one in the demo company, or in `ids`',
  ).toEqual([])
})

test('[PERM-003] without grants no read returns a row, count, sum or name, with any filter', async () => {
  const wrong: unknown[] = []
  const seen: string[] = []
  for (const { endpoint } of reads()) {
    const id = idFor(endpoint)
    const answer = await asking(stranger, 'GET', at(endpoint, id))
    const text = JSON.stringify(answer.body ?? null)
    if (answer.status === 200) wrong.push(...nonEmptyValues(answer.body, nameOf(endpoint)))
    else if (![403, 404].includes(answer.status)) wrong.push([nameOf(endpoint), answer.status])
    wrong.push(...named(text).map((name) => [nameOf(endpoint), name]))
    if (!endpoint.path.includes('{')) {
      const whole = await asking(admin, 'GET', endpoint.path)
      if (nonEmptyValues(whole.body).length > 0) seen.push(nameOf(endpoint))
    }
    if (answer.status !== 200) continue
    const filtered = Object.entries(endpoint.query.shape as Record<string, z.ZodType>)
      .filter(([name]) => !paging.includes(name))
      .flatMap(([name, field]) => {
        const values = [names[0], names.at(-30), idFor(endpoint), ids.get('employers'), 'NO', 'YES'].map(String)
        return values.filter((each) => field.safeParse(each).success).map((value) => `${name}=${encodeURIComponent(value)}`)
      })
    await Promise.all(
      filtered.map(async (filter) => {
        const { status, body } = await asking(stranger, 'GET', `${at(endpoint, id)}?${filter}`)
        if (status === 200) wrong.push(...nonEmptyValues(body, `${nameOf(endpoint)}?${filter}`))
      }),
    )
  }
  expect(wrong, openWhere).toEqual([])
  // With full access nearly all of them return something.
  expect(seen.length).toBeGreaterThan(14)
})

test('[PERM-003] inaccessible records respond like missing ones to each read and write, and do not change', async () => {
  const changes = async () =>
    (await sql<{ n: number }>`select count(*)::int as n from audit_events`.execute(server.db)).rows[0]?.n
  const before = await changes()
  const wrong: unknown[] = []
  const statuses: number[] = []
  for (const { endpoint, intents, body } of routes()) {
    if (own.includes(nameOf(endpoint)) || endpoint.needs.kind === 'public' || endpoint.path === '/auth/logout') continue
    const theirs = idFor(endpoint)
    const bodies = endpoint.method === 'GET' ? [undefined] : intents.length > 0 ? intents.map((ready) => ready.body) : [body]
    for (const schema of bodies) {
      const ask = async (id: number | string) => {
        const sent = schema && rightValue(schema, id)
        const answer = await asking(stranger, endpoint.method, at(endpoint, id), sent)
        return endpoint.method === 'GET' && !endpoint.path.includes('{') ? responseOf(answer) : responseOf(answer, id)
      }
      const [real, none] = [await ask(theirs), await ask(absent(theirs))]
      statuses.push(real.status)
      if (real.status !== none.status || real.text !== none.text) wrong.push([nameOf(endpoint), real, none])
      if (endpoint.method !== 'GET' && real.status < 400) wrong.push([nameOf(endpoint), real])
      wrong.push(...named(real.text).map((name) => [nameOf(endpoint), name]))
    }
  }
  expect(wrong, openWhere).toEqual([])
  expect(await changes()).toBe(before)
  // Most are refused because of the record, not because of the format.
  expect(statuses.filter((status) => status === 404).length).toBeGreaterThan(statuses.length / 2)
})

/** Texts about the companies of one person and not of another: names of employers, organizations and their people. */
async function namesUniqueTo(theirs: readonly number[], others: readonly number[]): Promise<RegExp[]> {
  const of = async (employers: readonly number[]) => {
    const ids = employers.join()
    return [
      ...(await column(
        `select name as value from organizations where id in (select organization_id from employers where id in (${ids}))`,
      )),
      ...(await column(`select internal_name as value from employers where id in (${ids})`)),
      ...(await column(`select external_name as value from employers where id in (${ids})`)),
      ...(await column(`select first_name || ' ' || last_name as value from employees where employer_id in (${ids})`)),
      ...(await column(`select email as value from employees where employer_id in (${ids})`)),
    ]
  }
  const shared = new Set(await of(others))
  // The name of one employer is the beginning of another's.
  return [...new Set(await of(theirs))]
    .filter((name) => !shared.has(name))
    .map((name) => new RegExp(`${name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?![\\w-])`))
}

const sortsOf = ({ query }: AnyEndpoint): readonly string[] => {
  const inner = (schema: z.core.$ZodType): readonly string[] =>
    schema instanceof z.ZodEnum
      ? schema.options.map(String)
      : 'innerType' in schema._zod.def
        ? inner(schema._zod.def.innerType as z.core.$ZodType)
        : []
  const { sort } = query.shape as Record<string, z.core.$ZodType>
  return sort ? inner(sort) : []
}

test('[PERM-003] two account managers see nothing of each other’s companies in any list, page or cursor', async () => {
  // An organization of the demo, and two employers of another one, which share the organization's debts.
  const [elsewhere = 0] = (await column('select min(id)::text as value from organizations')).map(Number)
  const whole = (await column(`select id::text as value from employers where organization_id = ${elsewhere}`)).map(Number)
  const { organizationId, employerIds } = await createCompany(server.db, 'Harbor', 2)
  const [first = 0, second = 0] = employerIds
  for (const [at, employerId] of employerIds.entries())
    for (let number = 0; number < 8; number++) {
      const firstName = `${['Nova', 'Sade'][at]}${'abcdefgh'[number]}`
      const employee = await createEmployee(server.db, { employerId, firstName, linked: {} })
      const { id } = await createInvoice(server.db, { employerId, debtor: { type: 'ORGANIZATION', id: organizationId } })
      await createRepayment(server.db, { debtor: { type: 'EMPLOYER', id: employerId }, amount: 5_00 + number })
      await createRepayment(server.db, {
        debtor: { type: 'ORGANIZATION', id: organizationId },
        amount: 10_00,
        allocations: [{ invoiceId: id, amount: 10_00 }],
      })
      await createTimeEntry(server.db, { employeeId: employee.id, employerId, date: '2026-06-14' })
      const note = { text: `About ${firstName} Torres`, user_id: admin.id, entity_type: 'employee' }
      await asking(admin, 'POST', `/notes/entity/${employee.id}`, note)
    }
  const manager = async (name: string, grant: { employer_id: number } | { organization_id: number }) => {
    const one = await personWith(server, permissionIds, name, 'ACCOUNT_MANAGER')
    await server.owner
      .insertInto('access_grants')
      .values({ person_id: one.id, ...grant })
      .execute()
    return one
  }
  const near = await manager('Nora One', { employer_id: first })
  const sibling = await manager('Sid Two', { employer_id: second })
  const far = await manager('Fay Three', { organization_id: elsewhere })
  const pairs = [
    { one: near, other: sibling, tells: await namesUniqueTo([second], [first]) },
    { one: sibling, other: near, tells: await namesUniqueTo([first], [second]) },
    { one: far, other: near, tells: await namesUniqueTo([first, second], whole) },
    { one: near, other: far, tells: await namesUniqueTo(whole, [first]) },
  ]
  for (const { tells } of pairs) expect(tells.length).toBeGreaterThan(3)
  const wrong: unknown[] = []
  const counted = { rows: 0, cursors: 0, orders: 0 }
  for (const { endpoint } of reads()) {
    const query = Object.keys(endpoint.query.shape)
    if (endpoint.path.includes('{') || !query.includes('limit')) continue
    const sorts = sortsOf(endpoint)
    const orders = (sorts.length > 0 ? sorts : ['']).flatMap((sort) => [
      { ...(sort ? { sort } : {}), limit: '3' },
      {
        ...(sort ? { sort } : {}),
        limit: '3',
        ...(query.includes('sort-order') ? { 'sort-order': 'desc' } : {}),
        ...(query.includes('direction') ? { direction: 'before' } : {}),
      },
    ])
    for (const order of orders)
      for (const { one, other, tells } of pairs) {
        counted.orders += 1
        let lek: string | null = null
        for (let page = 0; page < 2 && (page === 0 || lek !== null); page++) {
          const asked = `${endpoint.path}?${new URLSearchParams({ ...order, ...(lek === null ? {} : { lek }) })}`
          const answer: Answer = await asking(one, 'GET', asked)
          // A search needs a text, and is tested with its results.
          if (answer.status !== 200) break
          const text = JSON.stringify(answer.body)
          counted.rows += nonEmptyValues(answer.body).length
          const found = tells.filter((name) => name.test(text))
          if (found.length > 0) wrong.push([asked, String(found[0])])
          lek = (answer.body as { lek?: string | null }).lek ?? null
          if (lek === null || page > 0) continue
          const stolen = await asking(other, 'GET', `${endpoint.path}?${new URLSearchParams({ ...order, lek })}`)
          counted.cursors += 1
          if (stolen.status < 400) wrong.push([asked, 'cursor', stolen.status])
        }
      }
  }
  for (const { one, tells } of pairs)
    for (const name of tells.slice(0, 12)) {
      const text = name.source.replace('(?![\\w-])', '').replaceAll('\\', '')
      const { body } = await asking(one, 'GET', `/search?${new URLSearchParams({ q: text })}`)
      if (name.test(JSON.stringify(body))) wrong.push(['/search', text])
    }
  expect(wrong).toEqual([])
  expect(Math.min(counted.rows, counted.orders)).toBeGreaterThan(150)
  expect(counted.cursors).toBeGreaterThan(20)
})

test('[PERM-003] a filter by another account manager’s record answers like one by a missing record', async () => {
  const { organizationId, employerIds } = await createCompany(server.db, 'Cove', 2)
  const [mine = 0, theirs = 0] = employerIds
  const made = async (employerId: number, firstName: string) => {
    const { id, userId } = await createEmployee(server.db, { employerId, firstName, linked: {} })
    const invoice = await createInvoice(server.db, { employerId, lines: [{ employeeId: id, amount: 40_00 }] })
    const debtor = { type: 'EMPLOYER' as const, id: employerId }
    const repayment = await createRepayment(server.db, { debtor, amount: 5_00 })
    await createTimeEntry(server.db, { employeeId: id, employerId, date: '2026-06-14' })
    return { employee: id, user: userId as number, invoice: invoice.id, repayment: repayment.id }
  }
  await made(mine, 'Mina')
  const other = await made(theirs, 'Theo')
  const elsewhere = Number((await column(`select min(id)::text as value from organizations where id <> ${organizationId}`))[0])
  const one = await personWith(server, permissionIds, 'Cora Cove', 'ACCOUNT_MANAGER')
  await server.owner.insertInto('access_grants').values({ person_id: one.id, employer_id: mine }).execute()
  const ofNoun: Readonly<Record<string, number>> = { ...other, employer: theirs, organization: elsewhere }
  const nouns: Readonly<Record<string, string>> = {
    employees: 'employee',
    users: 'user',
    invoices: 'invoice',
    repayments: 'repayment',
    employers: 'employer',
    organizations: 'organization',
  }
  const wrong: unknown[] = []
  let asked = 0
  for (const { endpoint } of reads()) {
    if (endpoint.path.includes('{')) continue
    for (const [name, field] of Object.entries(endpoint.query.shape as Record<string, z.ZodType>)) {
      const noun = /^ids?$/.test(name) ? nouns[endpoint.path.split('/')[1] as string] : name.replace(/[-_]ids?(-not)?$/, '')
      const id = noun === undefined ? undefined : ofNoun[noun]
      if (id === undefined || !field.safeParse(String(id)).success) continue
      const ask = async (value: number) => {
        const answer = await asking(one, 'GET', `${endpoint.path}?${name}=${value}`)
        return JSON.stringify(responseOf(answer, value))
      }
      const [real, none] = [await ask(id), await ask(nowhere.number)]
      asked += 1
      if (real !== none) wrong.push([endpoint.path, name, real.slice(0, 200), none.slice(0, 200)])
    }
  }
  expect(wrong).toEqual([])
  expect(asked).toBeGreaterThan(20)
})
