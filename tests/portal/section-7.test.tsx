import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { pause } from '#contract/employee-changes.ts'
import { listDeductionConfigurations } from '#contract/deduction-configurations.ts'
import { listEmployees } from '#contract/employees.ts'
import { getOverpayment, listInvoices } from '#contract/invoices.ts'
import { listConfirmationMappings } from '#contract/mappings.ts'
import { listRepayments } from '#contract/repayments.ts'
import { listTimekeeping } from '#contract/timekeeping.ts'
import { listTransactions } from '#contract/transactions.ts'
import { filterQuery } from '#contract/filter.ts'
import { permissionIds } from '#domain/permissions.ts'
import { employee } from '#entities/employee.ts'
import { employer } from '#entities/employer.ts'
import { invoice } from '#entities/invoice.ts'
import { organization } from '#entities/organization.ts'
import { apiClient } from '#portal/api/client.ts'
import { loadConfig } from '#portal/api/config.ts'
import { canAskAtom, isDescribedAtom, loadCapabilities, capabilitiesAtom, searchedBy } from '#portal/api/capabilities.ts'
import { store } from '#portal/platform/store.ts'
import { registerEntity } from '#portal/platform/registry.ts'
import { nextPlace, placeQuery } from '#kernel/list-pages.ts'
import { gather } from '#portal/list/answers.ts'
import { offered } from '#portal/list/supported.ts'
import { suggestQuery } from '#portal/records/suggest.ts'
import employees from '#portal/nouns/employees/list.tsx'
import invoices from '#portal/nouns/invoices/list.tsx'
import { receive } from '#portal/records/freshness.ts'
import { readOne } from '#portal/records/read-one.ts'
import { upsertRecords, record } from '#portal/records/entity-store.ts'
import { enter, loadMe } from '#portal/session/me.ts'
import { activeAtAtom, endedAtom, heldAtom, meAtom, setApplicationKey, setToken, token } from '#portal/api/session.ts'
import { employeeLike, invoiceLike } from '#tests/support/examples.ts'

// Another API, on another origin: it has no OpenAPI document, and each test sets its answers.
let asked: Request[]
let answers: (request: Request) => Response
const json = (body: unknown, status = 200) => new Response(JSON.stringify(body), { status })

beforeEach(async () => {
  asked = []
  answers = () => json({})
  vi.stubGlobal('fetch', async (input: string | URL | Request, init?: RequestInit) => {
    const request = new Request(input instanceof Request ? input : new URL(input, 'https://portal.example.com'), init)
    if (request.url.endsWith('/config.json'))
      return json({ environment: 'sandbox', api: 'https://api.example.com/v1', application_key: 'public', version: '1' })
    if (request.url.endsWith('/openapi.json')) return json({ message: 'Not Found' }, 404)
    asked.push(request)
    return answers(request)
  })
  setApplicationKey('key')
  setToken('token')
  await loadConfig()
  await loadCapabilities()
  for (const noun of [employee, invoice]) registerEntity(noun)
})
afterEach(() => vi.unstubAllGlobals())

test('[API-001] only specified calls, parameters, headers and fields are sent', async () => {
  await apiClient.read(listEmployees, {}, { status: 'PAUSED', sort: 'name', limit: '200' }, { background: true })
  await apiClient.send(
    pause,
    { id: '7' },
    { status: 'PAUSED', reason: 'Leave', version: 3 },
    { key: 'one', command: 'employee.pause' },
  )
  expect(asked.map(({ url }) => url)).toEqual([
    'https://api.example.com/v1/employees?status=PAUSED',
    'https://api.example.com/v1/employees/7',
  ])
  for (const { headers } of asked)
    expect([...headers.keys()].filter((name) => /idempotency|command|background|device/.test(name))).toEqual([])
  expect(await asked[1]?.json()).toEqual({ status: 'PAUSED', reason: 'Leave' })
  await expect(apiClient.read(getOverpayment, { id: 7 })).rejects.toThrow('Not offered by this API')
  expect(asked).toHaveLength(2)
})

test.each([
  ['the invoices of an employer', listInvoices, { 'employer-id': '7', sort: 'id' }],
  ['the time of an employer', listTimekeeping, { 'employer-id': '7' }],
  ['the repayments of an invoice', listRepayments, { 'invoice-id': '7', limit: '50' }],
  ['a search text without a search', listInvoices, { q: 'harbor' }],
] as const)('a call is not made without the parameter that narrows it: %s', async (_, endpoint, query) => {
  await expect(apiClient.read(endpoint, {}, query)).rejects.toThrow('Not offered by this API')
  expect(asked).toEqual([])
  expect(store.get(canAskAtom)(endpoint, query)).toBe(false)
})

test('sort and page parameters are left out where the API does not support them', async () => {
  answers = () => json({ employees: [] })
  await apiClient.read(
    listEmployees,
    {},
    { status: 'PAUSED', sort: 'name', 'sort-order': 'desc', direction: 'before', limit: '200' },
  )
  expect(asked.map(({ url }) => url)).toEqual(['https://api.example.com/v1/employees?status=PAUSED'])
})

test('[API-070] [API-073] the rows of one owner are filtered from a complete list', async () => {
  const own = { id: 1, employer_id: 7, organization_id: 3 }
  const handedDown = { id: 2, employer_id: null, organization_id: 3 }
  answers = () => json({ configurations: [handedDown, own, { id: 3, employer_id: 8, organization_id: 3 }] })
  expect(await apiClient.read(listDeductionConfigurations, {}, { 'employer-id': '7' })).toEqual({ configurations: [own] })
  expect(await apiClient.read(listDeductionConfigurations, {}, { 'organization-id': '3' })).toEqual({
    configurations: [handedDown],
  })
  answers = () =>
    json({
      mappings: [
        { id: 1, employer_id: 7 },
        { id: 2, employer_id: 8 },
      ],
    })
  expect(await apiClient.read(listConfirmationMappings, {}, { 'employer-id': '8' })).toEqual({
    mappings: [{ id: 2, employer_id: 8 }],
  })
  expect(asked.map(({ url }) => url.replace('https://api.example.com/v1', ''))).toEqual([
    '/deductions/configurations',
    '/deductions/configurations',
    '/mappings/confirmations',
  ])
})

test('[API-140] the message of another API’s refusal is its detail or its message', async () => {
  for (const [body, said] of [
    [{ detail: 'No such status' }, 'No such status'],
    [{ message: 'Bad request' }, 'Bad request'],
  ] as const) {
    answers = () => json(body, 400)
    await expect(apiClient.read(listEmployees, {})).rejects.toThrow(said)
  }
  answers = () => json({}, 403)
  await expect(apiClient.read(listEmployees, {})).rejects.toThrow("You don't have permission to take this action.")
})

test.each(['/api', 'https://api.example.com/v1'])(
  'the API at %s with a missing or partial answer is retried, not taken as undocumented',
  async (api) => {
    const cut = () => new Response(new ReadableStream({ start: (stream) => stream.error(new TypeError('network error')) }))
    const answered = (...given: (() => Response)[]) =>
      vi.stubGlobal('fetch', async (input: string | URL) => {
        if (String(input).endsWith('/config.json'))
          return json({ environment: 'local', api, application_key: 'public', version: '1' })
        const [answer] = given
        if (!answer) throw new TypeError('Failed to fetch')
        return answer()
      })
    answered()
    await loadConfig()
    for (const given of [[], [() => json({}, 503)], [() => json({}, 429)], [cut]]) {
      answered(...given)
      await expect(loadCapabilities()).rejects.toThrow()
    }
    for (const none of [() => json({}, 404), () => new Response('<!doctype html>')]) {
      answered(none)
      await loadCapabilities()
      expect(store.get(isDescribedAtom)).toBe(false)
    }
  },
)

test('a cross-origin API without CORS has no document', async () => {
  vi.stubGlobal('fetch', async (request: Request) => {
    if (request.mode !== 'no-cors') throw new TypeError('Failed to fetch')
    return new Response()
  })
  await loadCapabilities()
  expect(store.get(isDescribedAtom)).toBe(false)
})

test('a list has the filters, views and orders of its API, and is_not lists all other values', () => {
  const supports = store.get(capabilitiesAtom)
  const [people, billed] = [offered(employees, supports), offered(invoices, supports)]
  expect(people.filters.map(({ id }) => id)).toEqual(['status', 'name'])
  expect([people.sorts, people.searched, billed.searched]).toEqual([[], true, false])
  expect(billed.named?.map(({ id }) => id)).toEqual(['open', 'overdue', 'in-review', 'overpaid', 'all'])
  const [status] = invoice.filters
  if (!status) throw new Error('Invoices are filtered by status.')
  const open = filterQuery(status, { id: 'status', type: 'is_not', value: 'DRAFT,CLOSED,REFUNDED' }, (name) => name === 'status')
  expect(open).toEqual({
    status: 'ON_DEDUCTION_FILE,DEDUCTION_APPROVED,SCHEDULED,SENT,PROCESSING,RETURNED,PARTIALLY_RETURNED,REFUND_IN_PROGRESS',
  })
  expect([searchedBy(listEmployees), searchedBy(listInvoices)]).toEqual(['name', null])
  expect(offered(employees, supports)).toBe(people)
})

test('[ERR-007] the user is known from the sign-in, across reloads, until 15 minutes of inactivity', async () => {
  await enter('token', { id: 'a1', email: 'ada@example.com', until: undefined })
  store.set(meAtom, null)
  await loadMe()
  expect(store.get(meAtom)?.person).toEqual({ id: 'a1', name: 'ada@example.com', email: 'ada@example.com', kind: 'ADMIN' })
  expect(store.get(heldAtom).size).toBe(permissionIds.length)
  const said = 'Your session has expired due to inactivity. Please login again to continue working.'
  for (const [minutes, ended] of [
    [14, null],
    [16, said],
  ] as const) {
    vi.useFakeTimers({ now: store.get(activeAtAtom) + minutes * 60_000, toFake: ['Date'] })
    await loadMe({ background: true })
    vi.useRealTimers()
    expect(store.get(endedAtom)).toBe(ended)
  }
  expect([store.get(meAtom), token()]).toEqual([null, null])
  // Only the permissions are requested.
  expect(new Set(asked.map(({ method, url }) => `${method} ${url}`))).toEqual(
    new Set([
      'GET https://api.example.com/v1/admins/a1/permissions',
      'GET https://api.example.com/v1/account-managers/a1/permissions',
    ]),
  )
})

describe('permissions are read from the specified calls', () => {
  const enterAs = () => enter('token', { id: 'a1', email: 'ada@example.com', until: undefined })
  const held = () => [...store.get(heldAtom)]

  test('an admin’s from the first, groups and single ones; an API without them locks nothing', async () => {
    answers = () =>
      json({ groups: [{ id: 2, name: 'timekeeping-approvers' }], permissions: [{ id: 7, short_name: 'read:transactions' }] })
    await enterAs()
    expect(held().filter((id) => id < 1001)).toEqual([2, 3, 6, 7, 10])
    expect(held().filter((id) => id > 1000)).toEqual(permissionIds.filter((id) => id > 1000))
    // The same API is taken as ours as soon as it names one of our permissions.
    answers = () =>
      json({
        groups: [],
        permissions: [
          { id: 2, short_name: 'read:employees' },
          { id: 1013, short_name: 'write:unpause' },
        ],
      })
    await loadMe({ background: true })
    expect(held()).toEqual([2, 1013])
  })

  test('an account manager’s from the second, where the first is refused', async () => {
    answers = ({ url }) =>
      url.includes('/admins/')
        ? json({ message: 'Forbidden' }, 403)
        : json({ groups: [], permissions: [{ id: 1, short_name: 'read:billing' }] })
    await enterAs()
    expect([store.get(meAtom)?.person.kind, held().filter((id) => id < 1001)]).toEqual(['ACCOUNT_MANAGER', [1]])
  })

  test('an API that refuses both locks nothing, and an expired session ends', async () => {
    answers = () => json({ message: 'Forbidden' }, 403)
    await enterAs()
    expect(held()).toEqual([...permissionIds])
    answers = () => json({ message: 'Unauthorized' }, 401)
    await loadMe({ background: true })
    expect([store.get(meAtom), token()]).toEqual([null, null])
  })
})

test('a record is read by the filter of its list, and accepted only with that id', async () => {
  const [one, other] = [employeeLike(104234, 'Benjamin', 'Ortiz'), employeeLike(104235, 'Ana', 'Silva')]
  answers = () => json({ employees: [one] })
  expect(await readOne(employee, '104234')).toEqual(one)
  expect(asked[0]?.url).toContain('/employees?include=employer%2Cuser%2Cbalance&id=104234')
  answers = () => json({ employees: [] })
  await expect(readOne(employee, '104236')).rejects.toMatchObject({ problem: { status: 404 } })
  // The API ignores the filter: it returns any employees.
  answers = () => json({ employees: [other] })
  await expect(readOne(employee, '104236')).rejects.toThrow('Not offered by this API')
  upsertRecords('employee', [{ ...one, id: 104236 }])
  expect(await readOne(employee, '104236')).toEqual({ ...one, id: 104236 })
})

test('without versions the newest answer wins', () => {
  const { version: _, ...paused } = { ...employeeLike(104237, 'Benjamin', 'Ortiz'), status: 'PAUSED' as const }
  upsertRecords('employee', [{ ...paused, status: 'ACTIVE' }])
  receive('employee', [paused])
  expect(record('employee', '104237')).toMatchObject({ status: 'PAUSED' })
})

test('[API-119] [API-120] numbered pages are read in sequence, up to the last', async () => {
  expect(placeQuery(store.get(capabilitiesAtom), listInvoices, null, 50)).toEqual({ page: '0', pageSize: '50' })
  expect(placeQuery(store.get(capabilitiesAtom), listEmployees, 'x', 50)).toEqual({ limit: '50', lek: 'x' })
  expect([nextPlace({ page: 0, total_pages: 2 }), nextPlace({ page: 1, total_pages: 2 }), nextPlace({ lek: 'b' })]).toEqual([
    '1',
    null,
    'b',
  ])
  expect(invoiceLike({}).number).toMatch(/^INV-/)
})

test('answers of any length become pages of equal length, each row once, with an end', async () => {
  const lengths = [20, 20, 0, 7, 20, 3]
  const read = async (from: string | null) => {
    const at = from === null ? 0 : lengths.findIndex((_, index) => `at ${index}` === from)
    const first = lengths.slice(0, at).reduce((sum, each) => sum + each, 0)
    const ids = Array.from({ length: lengths[at] ?? 0 }, (_, index) => `${first + index}`)
    return { ids, next: at === lengths.length - 1 ? null : `at ${at + 1}` }
  }
  const pages: (readonly string[])[] = []
  let cursor: string | null = null
  do {
    const page = await gather(cursor, 16, read)
    pages.push(page.ids)
    cursor = page.next
  } while (cursor !== null)
  expect(pages.flat()).toEqual(Array.from({ length: 70 }, (_, index) => `${index}`))
  expect(pages.map(({ length }) => length)).toEqual([16, 16, 16, 16, 6])
  // An API that returns the same cursor is not read forever.
  const again = await gather(JSON.stringify([0, 'a']), 16, async () => ({ ids: ['1'], next: 'a' }))
  expect(again).toEqual({ ids: ['1'], next: null })
})

test('[API-057] a debtor is searched by name, at most 20, where the API has no other search', () => {
  expect(suggestQuery(employer, 'harbor')).toEqual({ name: 'harbor', limit: '20' })
  expect(suggestQuery(organization, 'harbor')).toEqual({ name: 'harbor', limit: '20' })
})

test('[API-118] transactions continue by the last evaluated key where the API has only that', () => {
  expect(placeQuery(store.get(capabilitiesAtom), listTransactions, null, 50)).toEqual({ pageSize: '50' })
  expect(placeQuery(store.get(capabilitiesAtom), listTransactions, 'there', 50)).toEqual({
    pageSize: '50',
    lastEvaluatedKey: 'there',
  })
  expect(nextPlace({ last_evaluated_key: 'there' })).toBe('there')
  expect(nextPlace({ last_evaluated_key: null })).toBeNull()
})
