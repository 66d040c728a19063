import { addDays, format } from 'date-fns'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { type AnyEndpoint, fill } from '#contract/define.ts'
import { type PermissionName, permissionId, permissionIds } from '#domain/permissions.ts'
import { createBalance, createCompany, createEmployee } from '#tests/support/company.ts'
import { rightValue } from '#tests/support/right-values.ts'
import { call, createServer, type TestServer } from '#tests/support/server.ts'
import { type SignedIn, personWith } from '#tests/support/session.ts'
import { createTimeEntry } from '#tests/support/time.ts'

let server: TestServer
/** Records by the first part of the path of their noun. */
let ids: Record<string, readonly number[]>

/** Values that occur nowhere else: a balance, time entry and next pay date changed by staff, and a birth date from a file. */
const figures = {
  birthDate: '1971-02-03',
  adjusted: 777_777,
  worked: 3_333_333,
  nextPayDate: format(addDays(new Date(), 41), 'yyyy-MM-dd'),
}

beforeAll(async () => {
  server = await createServer()
  const { organizationId, employerIds } = await createCompany(server.db, 'Harbor')
  const [employerId = 0] = employerIds
  const employees: number[] = []
  const timekeeping: number[] = []
  const balances: number[] = []
  for (let number = 0; number < 6; number++) {
    const { id } = await createEmployee(server.db, {
      employerId,
      lastName: `Torres ${'abcdef'[number]}`,
      linked: { kyc: 'APPROVED' },
      rate: 2_000 + 100 * number,
      payType: number % 2 ? 'SALARY' : 'HOURLY',
      payFrequency: number % 3 ? 'WEEKLY' : 'MONTHLY',
    })
    employees.push(id)
    balances.push(await createBalance(server.owner, id, { available: 20_000 + number, end: '2099-12-31' }))
    const earned = number === 0 ? figures.worked : 16_000 + number
    timekeeping.push(await createTimeEntry(server.db, { employeeId: id, employerId, date: `2026-01-1${number}`, earned }))
  }
  // As an employee file leaves it, with its event in the history.
  await sql`update employees set birth_date = ${figures.birthDate}, city = 'Boston' where id = ${employees[0]}`.execute(server.db)
  await sql`insert into audit_events (actor_id, actor_name, intent, entity, entity_id, category, status, text, before, after, version, belongs_to)
    values ('service', 'System', 'import.apply-file', 'employee', ${String(employees[0])}, 'user', 'Changed by file', 'Import 1',
      '{"birth_date": null}', ${JSON.stringify({ birth_date: figures.birthDate })}::jsonb, 1, ${`employer:${employerId}`})`.execute(
    server.db,
  )
  const users = await server.db.selectFrom('users').select('id').orderBy('id').execute()
  ids = { employees, timekeeping, users: users.map(({ id }) => id), employers: [employerId], organizations: [organizationId] }
  const admin = await personWith(server, permissionIds)
  const employee = `/employees/${employees[0]}`
  for (const [path, body, of = path] of [
    [`/timekeeping/${timekeeping[0]}`, { status: 'APPROVED' }],
    [`${employee}/work-period-balances/${balances[0]}`, { earned_amount: figures.adjusted, reason: 'Overtime' }, employee],
    [employee, { pay_frequency: 'BI_WEEKLY', next_pay_date: figures.nextPayDate }],
  ] as const) {
    const { version } = (await call(server, 'GET', of, admin)).body
    const answer = await call(server, 'PATCH', path, { ...admin, body: { ...body, version } })
    expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  }
})
afterAll(() => server.close())

const nouns = ['employees', 'users', 'timekeeping', 'transactions', 'search', 'audit-events', 'configurations', 'employers']
const paging = ['limit', 'lek', 'direction', 'sort-order', 'page-size']

/** All possible values of a parameter; none for free text. */
function choicesOf(schema: z.core.$ZodType): readonly string[] {
  if (schema instanceof z.ZodEnum) return schema.options.map(String)
  if (schema instanceof z.ZodArray) return choicesOf(schema._zod.def.element)
  if (schema instanceof z.ZodPipe) return [schema._zod.def.in, schema._zod.def.out].flatMap(choicesOf)
  return 'innerType' in schema._zod.def ? choicesOf(schema._zod.def.innerType as z.core.$ZodType) : []
}

/**
 * The requests to an endpoint: plain, for two records; and for the first, in each order and direction, and with each filter: by
 * three choices, or by one value of each kind (a text, a number, a date, and ids of the records that it may be about).
 */
function askedOf({ path, query }: AnyEndpoint): string[] {
  const records = ids[path.split('/')[1] as string] ?? []
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string)
  const idsFor = (parameter: string) =>
    Object.entries(ids).flatMap(([noun, [id = 0]]) =>
      records.length === 0 || records.includes(id) || parameter === `${noun.slice(0, -1)}-id` ? [String(id)] : [],
    )
  const queries = Object.entries(query.shape as Record<string, z.ZodType>).flatMap(([name, field]) => {
    if (paging.includes(name)) return []
    const choices = choicesOf(field)
    const some = name === 'sort' ? choices : choices.slice(0, 3)
    const values =
      some.length > 0 ? some : ['a', '20', '2026-01-12', ...idsFor(name)].filter((value) => field.safeParse(value).success)
    return values.flatMap((value) =>
      name === 'sort' ? [`sort=${value}&limit=3`, `sort=${value}&limit=3&sort-order=desc`] : [`${name}=${value}`],
    )
  })
  const at = (id: number) => fill(path, Object.fromEntries(names.map((name) => [name, id])))
  const [first = 0, second = first] = records
  return [...new Set([at(first), at(second), ...queries.map((one) => `${at(first)}?${one}`)])]
}

/** Everything that a person can read about people: all reads of some nouns with their next page, and all dry runs. */
async function responsesTo(who: SignedIn, nouns: readonly string[]): Promise<Map<string, string>> {
  const responses = new Map<string, string>()
  const { routes } = server.services.routes
  for (const { endpoint } of routes) {
    if (endpoint.method !== 'GET' || !nouns.includes(endpoint.path.split('/')[1] as string)) continue
    const asked = askedOf(endpoint).map(async (path) => {
      const { status, body } = await call(server, 'GET', path, who)
      responses.set(path, `${status} ${JSON.stringify(body)}`)
      if (!body?.lek || !path.includes('?')) return
      const next = await call(server, 'GET', `${path}&lek=${body.lek}`, who)
      responses.set(`${path}&lek`, `${next.status} ${JSON.stringify(next.body)}`)
    })
    await Promise.all(asked)
  }
  const kinds: Record<string, string> = { employee: 'employees', user: 'users', 'time-entry': 'timekeeping' }
  for (const { intent, bodyWithoutVersion } of routes.flatMap((route) => route.intents)) {
    const targets = ids[kinds[intent.id.split('.')[0] as string] ?? '']
    if (!targets) continue
    const body = { intent: intent.id, body: rightValue(bodyWithoutVersion, 1), targets: { ids: targets }, dry_run: true }
    const { status, body: answer } = await call(server, 'POST', '/runs', { ...who, body })
    const { id: _, created_at: __, ...rest } = answer
    responses.set(intent.id, `${status} ${JSON.stringify(rest)}`)
  }
  return responses
}

const masked: { of: string; without: PermissionName; changes: readonly string[]; figure: string }[] = [
  {
    of: 'wages',
    without: 'read:wages',
    changes: [
      `update employees set rate_amount = 9000 - 2 * rate_amount, pay_type = case pay_type when 'SALARY' then 'HOURLY' else 'SALARY' end`,
      'update time_entries set earned_amount = 90000 - earned_amount where earned_amount < 90000',
    ],
    figure: String(figures.worked),
  },
  {
    of: 'balances',
    without: 'read:work-period-balances',
    changes: ['update work_period_balances set earned_amount = 900000 - earned_amount, limit_amount = 60000 - limit_amount'],
    figure: String(figures.adjusted),
  },
  {
    of: 'pay details',
    without: 'read:compensations',
    changes: [
      // Switches the unit of the rate, hour or year; the hourly amount stays the same.
      `update employees set rate_amount = case pay_type when 'SALARY' then hourly_amount else rate_amount * 2080 end,
        pay_type = case pay_type when 'SALARY' then 'HOURLY' else 'SALARY' end`,
      `update employees set next_pay_date = next_pay_date + 3, pay_frequency = case pay_frequency when 'WEEKLY' then 'MONTHLY' else 'WEEKLY' end`,
    ],
    figure: figures.nextPayDate,
  },
  {
    of: 'personal details',
    without: 'read:personal-details',
    changes: [
      `update employees set birth_date = coalesce(birth_date, '1990-01-01') + 1, address = 'Elm ' || id, city = 'Town ' || id,
        state = 'S' || id, zip = 'Z' || id, country = 'C' || id`,
      `update audit_events set after = after || '{"city": "Elsewhere"}' where intent = 'import.apply-file'`,
    ],
    figure: figures.birthDate,
  },
]

test.each(masked)(
  '[PERM-003] without the right to $of all responses are the same for any values',
  async ({ without, changes, figure }) => {
    const blind = await personWith(
      server,
      permissionIds.filter((id) => id !== permissionId(without)),
    )
    const seeing = await personWith(server, permissionIds)
    const allResponses = async () => ({
      blind: await responsesTo(blind, nouns),
      seeing: await responsesTo(seeing, ['employees', 'timekeeping']),
    })
    const before = await allResponses()
    for (const change of changes) await sql.raw(change).execute(server.owner)
    const after = await allResponses()
    const differences = (who: 'blind' | 'seeing') => [...before[who]].filter(([path, text]) => after[who].get(path) !== text)
    expect(differences('blind').map(([path]) => path)).toEqual([])
    expect([...before.blind].flatMap(([path, text]) => (text.includes(figure) ? [path] : []))).toEqual([])
    // People with the right get different responses in many places.
    expect(differences('seeing').length).toBeGreaterThan(20)
    expect([...before.seeing].some(([, text]) => text.includes(figure))).toBe(true)
  },
)
