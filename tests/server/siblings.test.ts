import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { z } from 'zod'
import { type AnyEndpoint, fill } from '#contract/define.ts'
import { permissionIds } from '#domain/permissions.ts'
import { nameOf } from '#server/http/route-table.ts'
import { importFiles } from '#server/jobs/imports/import-files.ts'
import { countFigures } from '#server/tables/count-figures.ts'
import { bankOf, debitedInvoice, setToday } from '#tests/support/bank.ts'
import { createBalance, createCompany, createEmployee } from '#tests/support/company.ts'
import { createBillingAccount, createInvoice, createRepayment, createWriteOff } from '#tests/support/money.ts'
import { type TestServer, call, createServer } from '#tests/support/server.ts'
import { type SignedIn, personWith } from '#tests/support/session.ts'
import { createTimeEntry } from '#tests/support/time.ts'

// One organization, two employers, and a manager of each: what happens at one employer changes nothing that the other manager
// sees.
let server: TestServer
let organization: number
let mine: number
let theirs: number
/** A record of each noun, by the first part of its path. */
let own: Map<string, number>
let foreign: Map<string, number>
let one: SignedIn
let other: SignedIn
/** Makes changes that neither of the two may make. */
let root: SignedIn
let rounds = 0

const good = async (method: string, path: string, body: unknown) => {
  const answer = await call(server, method, path, { ...root, body })
  expect([path, answer.status, answer.body]).toEqual([path, expect.toSatisfy((status) => status < 300), expect.anything()])
}

/** Files, bank results, accounts, notes and staff of an employer, some of them in the name of its organization. */
async function addBusinessAt(employerId: number, names: readonly string[]): Promise<void> {
  const round = ++rounds
  const { external_code } = await server.db
    .selectFrom('employers')
    .select('external_code')
    .where('id', '=', employerId)
    .executeTakeFirstOrThrow()
  const fields = ['employer_code', 'employee_code', 'first_name', 'last_name', 'status']
  await good('POST', '/mappings/employees', {
    employer_id: employerId,
    file_name: `staff${round}_ee.csv`,
    columns: fields.map((field) => ({ header: field, field })),
  })
  // Lines of the employer, of an unknown employer, and a rejected one.
  const lines = [
    ...names.map((name) => `${external_code},${name},${name},Lee,Active`),
    'NO,A1,Zed,Lee,Active',
    `${external_code},,,,`,
  ]
  const content = Buffer.from(`${[fields.join(), ...lines].join('\n')}\n`).toString('base64')
  for (const [owner, name] of [
    [{ employer_id: employerId }, 'staff'],
    [{ employer_id: employerId }, 'unknown'],
    [{ organization_id: organization }, 'whole'],
  ] as const)
    await good('POST', '/imports', { ...owner, file: { name: `${name}${round}_ee.csv`, content } })
  await importFiles(server.services, () => false)
  await good('POST', '/data-emails', { employer_id: employerId, email: `files${round}@example.com` })
  await createBillingAccount(server.db, { organizationId: organization, employerIds: [employerId] })
  const bank = bankOf(server.db)
  for (const debtor of [undefined, { type: 'ORGANIZATION' as const, id: organization }]) {
    const { trace } = await debitedInvoice(server.db, bank, employerId, 100_00, debtor)
    await bank.says(
      { trace, code: 'SETTLED', amount: 100_00 },
      { trace, code: 'C01', amount: 0 },
      { trace, code: 'R99', amount: 1 },
    )
  }
  const { id, lineIds } = await createInvoice(server.db, { employerId, status: 'ON_DEDUCTION_FILE' })
  await createWriteOff(server.db, { invoiceId: id, lineId: lineIds[0] as number, amount: 1_00 })
  await good('POST', `/notes/entity/${employerId}`, { text: `Round ${round}`, user_id: root.id, entity_type: 'employer' })
  await good('POST', '/account-managers', {
    ...{ full_name: `Manager ${round}`, email: `manager${round}@example.com` },
    ...{ employer_ids: [employerId], organization_ids: [], group_ids: [], permission_ids: [] },
  })
}

async function changeEverythingAt(employerId: number, names: readonly string[]): Promise<Map<string, number>> {
  const made = new Map([
    ['employers', employerId],
    ['employer-additional-info', employerId],
  ])
  for (const firstName of names) {
    const employee = await createEmployee(server.db, { employerId, firstName, linked: {} })
    await createBalance(server.db, employee.id, { available: 70_00, pending: 12_00 })
    const invoice = await createInvoice(server.db, { employerId, dueDate: -3 })
    const shared = await createInvoice(server.db, { employerId, debtor: { type: 'ORGANIZATION', id: organization }, dueDate: -3 })
    const repayment = await createRepayment(server.db, { debtor: { type: 'EMPLOYER', id: employerId }, amount: 5_00 })
    await createRepayment(server.db, {
      debtor: { type: 'ORGANIZATION', id: organization },
      amount: 10_00,
      allocations: [{ invoiceId: shared.id, amount: 10_00 }],
    })
    await createTimeEntry(server.db, { employeeId: employee.id, employerId, date: '2026-06-14' })
    await call(server, 'POST', `/notes/entity/${employee.id}`, {
      ...(employerId === mine ? one : other),
      body: { text: `About ${firstName}`, user_id: (employerId === mine ? one : other).id, entity_type: 'employee' },
    })
    made.set('employees', employee.id).set('invoices', invoice.id).set('repayments', repayment.id).set('notes', employee.id)
    if (employee.userId !== null) made.set('users', employee.userId).set('linked-accounts', employee.userId)
  }
  await addBusinessAt(employerId, names)
  return made
}

beforeAll(async () => {
  server = await createServer()
  const company = await createCompany(server.db, 'Harbor', 2)
  organization = company.organizationId
  ;[mine = 0, theirs = 0] = company.employerIds
  // A Monday, on which banks take debits.
  await setToday(server.db, '2026-11-30')
  root = await personWith(server, permissionIds, 'Root Super')
  const manager = async (name: string, employer_id: number) => {
    const person = await personWith(server, permissionIds, name, 'ACCOUNT_MANAGER')
    await server.owner.insertInto('access_grants').values({ person_id: person.id, employer_id }).execute()
    return person
  }
  one = await manager('Nora One', mine)
  other = await manager('Sid Two', theirs)
  own = await changeEverythingAt(mine, ['Nova', 'Nell'])
  foreign = await changeEverythingAt(theirs, ['Sade'])
})
afterAll(() => server.close())

/** Endpoints about the person's own session, or whose response changes by being read. */
const excludedReads = ['GET /me', 'GET /credentials', 'GET /sessions', 'GET /sessions/count', 'GET /demo/accounts']
const reads = (): readonly AnyEndpoint[] =>
  server.services.routes.routes
    .map(({ endpoint }) => endpoint)
    .filter(
      (endpoint) => endpoint.method === 'GET' && endpoint.needs.kind !== 'public' && !excludedReads.includes(nameOf(endpoint)),
    )
const at = ({ path }: AnyEndpoint, id: number | string): string =>
  fill(path, Object.fromEntries([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name as string, id])))

/** The paths of an endpoint, with own, organization and foreign ids. */
function pathsOf(endpoint: AnyEndpoint): string[] {
  const noun = endpoint.path.split('/')[1] as string
  const places = endpoint.path.includes('{') ? [own.get(noun), foreign.get(noun), organization, mine, theirs] : [0]
  return [...new Set(places.flatMap((id) => (id === undefined ? [] : at(endpoint, id))))]
}

/** Every possible read: each endpoint with all ids; those in reach also with all filters and sorts. */
async function allPaths(): Promise<string[]> {
  const plain = await responsesTo(reads().flatMap(pathsOf))
  return reads().flatMap((endpoint) => {
    const queries = Object.entries(endpoint.query.shape as Record<string, z.ZodType>).flatMap(([name, field]) => {
      if (['lek', 'include'].includes(name)) return []
      const values = [mine, theirs, organization, foreign.get('employees'), 'Sade', 'Sadde', 'YES', '2', 'desc']
      const options = 'options' in field ? (field.options as unknown[]) : []
      return [...values, ...options]
        .map(String)
        .filter((value) => field.safeParse(value).success)
        .map((value) => `?${new URLSearchParams({ [name]: value })}`)
    })
    return pathsOf(endpoint).flatMap((path) => [
      path,
      ...(plain.get(path)?.startsWith('200') ? [...new Set(queries)].map((query) => path + query) : []),
    ])
  })
}

/** Removes what may differ between two equal responses: values sealed with a new nonce each time, and times of counting. */
const stripVolatile = (text: string): string =>
  text
    .replace(/"lek":"[^"]+"/g, '"lek":"…"')
    .replace(/"(counted_at|as_of|now|at)":"[^"]+"/g, '"$1":"…"')
    .replace(/"(trace_id|request_id|instance)":"[^"]+"/g, '"$1":"…"')
async function responsesTo(paths: readonly string[]): Promise<Map<string, string>> {
  await countFigures(server.db)
  const answers = new Map<string, string>()
  const left = [...paths]
  const next = async (): Promise<void> => {
    for (let path = left.pop(); path !== undefined; path = left.pop()) {
      // A file is not JSON; its existence counts.
      const { status, body } = await call(server, 'GET', path, { ...one }).catch((error: unknown) => {
        if (error instanceof SyntaxError) return { status: 200, body: 'a file' }
        throw error
      })
      answers.set(path, stripVolatile(`${status} ${JSON.stringify(body ?? null)}`))
    }
  }
  await Promise.all([next(), next(), next(), next()])
  return answers
}

test('[PERM-003] changes at another employer of the organization change no response for a manager of one', async () => {
  const paths = await allPaths()
  const before = await responsesTo(paths)
  await changeEverythingAt(theirs, ['Saul', 'Suri', 'Nova'])
  const after = await responsesTo(paths)
  const changed = paths.filter((path) => before.get(path) !== after.get(path))
  expect(changed.map((path) => [path, before.get(path), after.get(path)])).toEqual([])
  // Changes at their own employer are visible in many places, so the test can detect differences.
  await changeEverythingAt(mine, ['Nils'])
  const plain = paths.filter((path) => !path.includes('?'))
  const news = await responsesTo(plain)
  expect(plain.filter((path) => news.get(path) !== after.get(path)).length).toBeGreaterThan(15)
}, 300_000)

test('[PERM-003] a cursor and an ETag from before the grant was revoked reveal nothing afterwards', async () => {
  const tags = new Map<string, string>()
  const cursors: string[] = []
  for (const endpoint of reads()) {
    if (endpoint.path.includes('{')) continue
    const first = `${endpoint.path}${'limit' in endpoint.query.shape ? '?limit=1' : ''}`
    const { status, body, headers } = await call(server, 'GET', first, { ...one })
    const tag = headers.get('etag')
    if (status !== 200) continue
    if (tag) tags.set(first, tag)
    const lek = (body as { lek?: string | null }).lek
    if (lek) cursors.push(`${first}&${new URLSearchParams({ lek })}`)
  }
  expect(cursors.length).toBeGreaterThan(4)
  const names = /Nova|Nell|Nils|Harbor/
  for (const path of cursors) expect((await call(server, 'GET', path, { ...one })).status).toBe(200)
  await sql`delete from access_grants where person_id = ${one.id}`.execute(server.db)
  const wrong: unknown[] = []
  for (const path of cursors) {
    const { status, body } = await call(server, 'GET', path, { ...one })
    const rows = Object.values((body ?? {}) as object).filter((each) => Array.isArray(each) && each.length > 0)
    if (status === 200 && (rows.length > 0 || names.test(JSON.stringify(body)))) wrong.push([path, body])
  }
  for (const [path, tag] of tags) {
    const { status, body } = await call(server, 'GET', path, { headers: { ...one.headers, 'if-none-match': tag } }).catch(() => ({
      status: 304,
      body: null,
    }))
    const now = await call(server, 'GET', path, { ...one })
    if (status === 304 && now.headers.get('etag') !== tag) wrong.push([path, 'not modified'])
    if (names.test(JSON.stringify(body))) wrong.push([path, body])
  }
  expect(wrong).toEqual([])
}, 120_000)
