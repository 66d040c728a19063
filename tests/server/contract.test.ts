import { afterAll, beforeAll, expect, test } from 'vitest'
import type { z } from 'zod'
import type { AnyEndpoint } from '#contract/define.ts'
import { CodedProblem } from '#contract/problem-codes.ts'
import { nameOf } from '#server/http/route-table.ts'
import { seedDemo } from '#server/seed/demo.ts'
import { type TestServer, call, createServer } from '#tests/support/server.ts'
import { type SignedIn, personWith } from '#tests/support/session.ts'
import { permissionIds } from '#domain/permissions.ts'

let server: TestServer
let admin: SignedIn
let nobody: SignedIn
let employeeId: number

beforeAll(async () => {
  server = await createServer()
  await seedDemo(server.owner, { employees: 100, today: '2026-06-15' })
  admin = await personWith(server, permissionIds)
  nobody = await personWith(server, [])
  employeeId = (await server.db.selectFrom('employees').select('id').orderBy('id').limit(1).executeTakeFirstOrThrow()).id
})
afterAll(() => server.close())

const isPublic = (endpoint: AnyEndpoint): boolean =>
  endpoint.needs.kind === 'public' && !server.services.routes.byEndpoint.get(nameOf(endpoint))?.change

const endpoints = (): readonly AnyEndpoint[] =>
  server.services.routes.endpoints.filter((endpoint) => endpoint.path !== '/auth/logout')

const at = (path: string, value: string): string => path.replace(/\{\w+\}/g, value)

/** Expects a 4xx problem document for bad input; reports the request that got something else. */
async function expectProblem(method: string, path: string, body?: unknown): Promise<void> {
  const { headers, status, body: problem } = await call(server, method, path, { ...admin, body })
  expect([method, path.slice(0, 200), JSON.stringify(body)?.slice(0, 200), status >= 400 && status < 500]).toEqual([
    method,
    path.slice(0, 200),
    JSON.stringify(body)?.slice(0, 200),
    true,
  ])
  expect(headers.get('content-type')).toContain('application/problem+json')
  expect(CodedProblem.parse(problem).status).toBe(status)
}

/** Runs many small tasks, eight at a time. */
async function all<T>(things: readonly T[], one: (thing: T) => Promise<void>): Promise<void> {
  const left = [...things]
  const lane = async () => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) await one(next)
  }
  await Promise.all(Array.from({ length: 8 }, lane))
}

/** Every fourth value, starting at another one for each index: four subjects in a row get all of them. */
const quarter = <T>(values: readonly T[], index: number): readonly T[] => values.filter((_, at) => at % 4 === index % 4)

const oddities = [
  '',
  '-1',
  '0',
  '1.5',
  'NaN',
  '1e999',
  'null',
  '9007199254740993',
  "' or 1=1",
  '2026-02-30',
  '0000-00-00',
  'x'.repeat(5_000),
]

const badIds = [
  '0',
  '-1',
  'abc',
  '1.5',
  'NaN',
  'Infinity',
  'null',
  '9007199254740992',
  '99999999999999999999999',
  '1e400',
  '%00',
  '1%00',
  '%F0%9F%92%A9',
  '%27%20or%201%3D1',
  '__proto__',
  'constructor',
  '00000000-0000-0000-0000-00000000000g',
  'x'.repeat(190),
  'x'.repeat(500),
]

test('an invalid id, on every endpoint with one', async () => {
  const ids = [...badIds, String(Number.MAX_SAFE_INTEGER)]
  await all(
    endpoints()
      .filter(({ path }) => path.includes('{'))
      .flatMap((endpoint, index) => quarter(ids, index).map((id) => ({ endpoint, id }))),
    ({ endpoint, id }) => expectProblem(endpoint.method, at(endpoint.path, id), endpoint.method === 'GET' ? undefined : {}),
  )
})

const unknownNames = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', '', '%00']

test('unknown, repeated or invalid query parameters, on every read', async () => {
  const reads = endpoints().filter(({ method, path }) => method === 'GET' && !path.includes('demo'))
  let turn = 0
  for (const endpoint of reads) {
    const path = at(endpoint.path, String(employeeId))
    const wrong = ['unknown=1', `${unknownNames[turn++ % unknownNames.length]}=1`]
    for (const [name, schema] of Object.entries(endpoint.query.shape as Record<string, z.ZodType>)) {
      const refused = oddities.filter((value) => !schema.safeParse(value).success)
      // The parser treats all parameters alike, and the schema decides about values: each gets one of both, in turn.
      const forms = [`${name}=a&${name}=b`, `${name}[]=1`, `${name}=%00`, `${name}=x%00y`]
      wrong.push(forms[turn % forms.length] as string)
      if (refused.length > 0) wrong.push(`${name}=${encodeURIComponent(refused[turn % refused.length] as string)}`)
      turn++
    }
    if ('lek' in endpoint.query.shape) wrong.push('lek=x', 'lek=AAAAAAAAAAAAAAAAAAAAAAAA', 'lek=%F0%9F%92%A9', 'lek=')
    await all(wrong, (query) => expectProblem('GET', `${path}?${query}`))
  }
})

test('an accepted query never causes a server error', async () => {
  const odd = [
    '%',
    '_',
    '\\',
    "'",
    '"',
    '%%%',
    '\\%',
    ',',
    'a'.repeat(200),
    '💩',
    'ﷺ',
    '\u202e',
    '(',
    '[',
    '*',
    'é',
    '0',
    '1e3',
    '0x10',
    '2026-02-28',
    'ACTIVE',
    '0001-01-01',
    '9999-12-31',
    '9007199254740991',
  ]
  for (const endpoint of endpoints().filter(({ method }) => method === 'GET')) {
    const path = at(endpoint.path, String(employeeId))
    const parameters = Object.entries(endpoint.query.shape as Record<string, z.ZodType>)
    const asked = parameters.flatMap(([name, schema], index) =>
      (parameters.length < 8 ? odd : quarter(odd, index))
        .filter((value) => schema.safeParse(value).success)
        .map((value) => ({ name, value })),
    )
    await all(asked, async ({ name, value }) => {
      const { status } = await call(server, 'GET', `${path}?${name}=${encodeURIComponent(value)}`, admin)
      expect([endpoint.path, name, value, status < 500]).toEqual([endpoint.path, name, value, true])
    })
  }
})

const badBodies: unknown[] = [
  [],
  'text',
  12,
  true,
  { unknown: 1 },
  { status: null },
  { status: ['PAUSED'] },
  { status: 'PAUSED\u0000', reason: 'x', version: 1 },
  { status: 'PAUSED', reason: 'x\u0000', version: 1 },
  { status: 'PAUSED', reason: '\ud800', version: 1 },
  { status: 'PAUSED', reason: {}, version: 1 },
  { status: 'PAUSED', reason: 'x', version: -1 },
  { status: 'PAUSED', reason: 'x', version: 1.5 },
  { status: 'PAUSED', reason: 'x', version: 1e300 },
  { status: 'PAUSED', reason: 'x'.repeat(201), version: 1 },
  { force_password: 'true', version: 1 },
  { force_password: true, version: null },
  JSON.parse('{"__proto__":{"status":"PAUSED"}}'),
  { constructor: { prototype: {} } },
  { email: {}, password: [], code: {}, session: null, token: 1, step: 'NONE' },
  { email: 'a@b', password: 'x'.repeat(10_000), code: '１２３４５６' },
  { amount: 1e300, repayment_date: '2026-02-30', debtor_type: 'EMPLOYER', debtor_id: 1, expected: {} },
  { amount: '12', repayment_date: '2026-02-28', debtor_type: 'NOBODY', debtor_id: -1, expected: [] },
  { amount: 0.5, version: 1, expected: { __proto__: 1 }, allocations: [{ invoice_id: 1e18, amount: 1 }] },
  { amount: null, allocations: 'all', expected: { x: 1 }, version: 1 },
  { suggestions: [{ line_id: 0, amount: -1, reason: 'NONE' }], version: 1 },
  { confirmations: [{ line_id: 1, withheld_amount: -1 }], version: 1 },
  { return_code: 'R99', amount: 1, version: 1 },
  { kind: 'employees', filter: {} },
  { kind: 'invoices', filter: { status: 'NONE' } },
  { intent: '__proto__', body: {}, targets: { ids: [1] } },
  { intent: 'employee.pause', body: { status: 'PAUSED', reason: 'x\u0000' }, targets: { ids: [1] } },
  { intent: 'employee.pause', body: { status: 'PAUSED', reason: 'x' }, targets: { ids: [] } },
  { intent: 'employee.pause', body: { status: 'PAUSED', reason: 'x' }, targets: { ids: [1e300] } },
  { intent: 'employee.pause', body: { status: 'PAUSED', reason: 'x' }, targets: { filter: { nothing: '1' } } },
  { intent: 'employee.pause', body: { status: 'PAUSED', reason: 'x' }, targets: { filter: { status: 'NONE' } } },
]

test('an invalid body, on every write', async () => {
  for (const endpoint of endpoints().filter(({ method }) => method !== 'GET')) {
    const path = at(
      endpoint.path,
      endpoint.path.includes('runs') || endpoint.path.includes('userId')
        ? '00000000-0000-4000-8000-00000000ffff'
        : String(employeeId),
    )
    await all(badBodies, (body) => expectProblem(endpoint.method, path, body))
  }
})

test('a person without permissions is refused by every endpoint that needs one', async () => {
  for (const { endpoint, change, params } of server.services.routes.routes) {
    const intents = server.services.routes.intents.filter((intent) => nameOf(intent.endpoint) === nameOf(endpoint))
    const asks = change ? intents.some(({ needs }) => needs.kind !== 'signed-in') : endpoint.needs.kind !== 'signed-in'
    if (isPublic(endpoint) || !asks) continue
    // People have UUIDs, other records numbers; everybody may read their own permissions.
    const id = params.safeParse({ id: admin.id }).success ? admin.id : String(employeeId)
    const path = at(endpoint.path, id)
    const bodies = change
      ? intents.map((intent) => ({
          ...intent.fixed,
          ...('version' in intent.body.shape ? { version: 1 } : {}),
          ...('reason' in intent.body.shape ? { reason: 'x' } : {}),
        }))
      : [undefined]
    for (const body of bodies) {
      const answer = await call(server, endpoint.method, path, { ...nobody, body })
      expect([path, answer.status, answer.body.code]).toEqual([path, 403, 'permission-denied'])
    }
  }
})

test('HEAD answers as GET does, without a body', async () => {
  const response = await fetch(`${server.origin}/api/employees?limit=1`, { method: 'HEAD', headers: admin.headers })
  expect([response.status, await response.text()]).toEqual([200, ''])
})
