import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { unseal } from '#server/auth/sealing.ts'
import { createCompany } from '#tests/support/company.ts'
import { createPerson } from '#tests/support/people.ts'
import { asking, refusedFields } from '#tests/support/asking.ts'
import { createServer, type TestServer } from '#tests/support/server.ts'
import { personWith, type SignedIn } from '#tests/support/session.ts'
import { signInAs } from '#tests/support/sign-in.ts'

let server: TestServer
let admin: SignedIn
let organizationId: number
let employerId: number
let sister: number
let companies = 0

type Who = { headers: Record<string, string> }
const { send, good } = asking(
  () => server,
  () => admin,
)

beforeAll(async () => {
  server = await createServer()
  admin = await personWith(server, [3, 4, 1020], 'Ada Admin')
})
afterAll(() => server.close())
beforeEach(async () => {
  const company = await createCompany(server.db, `Harbor ${++companies}`, 2)
  organizationId = company.organizationId
  ;[employerId, sister] = company.employerIds as [number, number]
})

const csv = (...import_types: string[]) => ({ organization_id: organizationId, type: 'CSV', import_types })
const both = ['ELIGIBLE_EMPLOYEE', 'TIMEKEEPING']
const api = (more: object = {}) => ({
  organization_id: organizationId,
  type: 'API',
  import_types: ['TIMEKEEPING'],
  product: 'SHIFTWELL_TIME',
  url: 'https://api.shiftwell.example/v2',
  ...more,
})
const external = (more: object = {}) => ({
  organization_id: organizationId,
  type: 'SFTP',
  sftp_type: 'EXTERNAL',
  import_types: ['ELIGIBLE_EMPLOYEE'],
  url: 'sftp://files.harbor.example/out',
  username: 'earnly',
  password: 'their-secret-1',
  ...more,
})
const found = async (query: string, who: Who = admin) =>
  (await good('GET', `/integrations/search?${query}`, undefined, who)).integrations
const make = async (body: object) => (await good('POST', '/integrations', body)).integrations
const history = async () => (await good('GET', `/organizations/${organizationId}/history`)).events

test('[API-096] [ENT-128] [ENT-131] integrations are created for each import by API, e-mail, SFTP and CSV', async () => {
  const rows = await make(csv(...both))
  expect(rows).toMatchObject([
    { type: 'CSV', import_type: 'ELIGIBLE_EMPLOYEE', level: 'ORGANIZATION', employer_id: null, incremental: false, version: 1 },
    { type: 'CSV', import_type: 'TIMEKEEPING', created_by: 'Ada Admin' },
  ])
  expect((await history())[0]).toMatchObject({ status: 'Integration added', text: 'Eligible employee: CSV\nTimekeeping: CSV' })
  const [asked] = await make({ ...api(), organization_id: undefined, employer_id: employerId })
  expect(asked).toMatchObject({
    type: 'API',
    level: 'EMPLOYER',
    employer_id: employerId,
    vendor: 'SHIFTWELL',
    product: 'SHIFTWELL_TIME',
    url: 'https://api.shiftwell.example/v2',
  })
  const mail = { type: 'EMAIL', import_types: ['TIMEKEEPING'], employer_id: sister }
  expect(refusedFields(await send('POST', '/integrations', mail))).toEqual({
    import_types: 'Add the timekeeping data e-mail first.',
  })
  await good('POST', '/data-emails', {
    organization_id: organizationId,
    type: 'TIMEKEEPING',
    email: `t${companies}@harbor.example`,
  })
  expect(await make(mail)).toMatchObject([{ type: 'EMAIL', url: null, vendor: null }])
  expect(await good('GET', `/integrations/${asked.id}`)).toEqual(asked)
})

test('[ENT-129] [ITG-003] an SFTP server is internal, or external with a URL, a username, and a key or password', async () => {
  const { url: _, username: __, password: ___, ...bare } = external()
  expect(refusedFields(await send('POST', '/integrations', bare))).toEqual({
    url: 'This is a required field.',
    username: 'This is a required field.',
    password: 'An SSH key or a password must be filled',
  })
  expect(refusedFields(await send('POST', '/integrations', external({ ssh_key: 'key' })))).toEqual({
    ssh_key: 'Either a password or an SSH key',
  })
  expect(refusedFields(await send('POST', '/integrations', { ...bare, sftp_type: undefined }))).toEqual({
    sftp_type: 'This is a required field.',
  })
  const [theirs] = await make(external())
  expect(theirs).toMatchObject({ sftp_type: 'EXTERNAL', username: 'earnly', authentication: 'PASSWORD' })
  const [keyed] = await make(
    external({ organization_id: undefined, employer_id: employerId, password: undefined, ssh_key: 'PEM' }),
  )
  expect(keyed.authentication).toBe('SSH_KEY')
  const [ours] = await make({
    organization_id: organizationId,
    type: 'SFTP',
    sftp_type: 'INTERNAL',
    import_types: ['TIMEKEEPING'],
  })
  expect(ours).toMatchObject({ sftp_type: 'INTERNAL', url: null, authentication: null })
  // Its credentials are encrypted, and never returned.
  const { rows } = await sql<{
    sealed: string
  }>`select password_sealed as sealed from integrations where id = ${theirs.id}`.execute(server.db)
  const sealed = rows[0]?.sealed as string
  expect(sealed).not.toContain('their-secret-1')
  expect(unseal(server.services.auth.sealingKey, sealed, `organization ${organizationId}`)).toBe('their-secret-1')
  const { rows: events } = await sql`select * from audit_events where entity_id = ${String(organizationId)}`.execute(server.db)
  expect(JSON.stringify([theirs, events, await history()])).not.toContain('their-secret-1')
})

test('[ITG-001] at least one item is required', async () => {
  expect(refusedFields(await send('POST', '/integrations', csv()))).toEqual({ import_types: 'At least one item is required' })
  const { import_types: _, ...without } = csv()
  expect(refusedFields(await send('POST', '/integrations', without))).toEqual({ import_types: 'At least one item is required' })
  expect(refusedFields(await send('PATCH', '/integrations', { vendor: 'PAYHARBOR', integration_ids: [] }))).toEqual({
    integration_ids: 'At least one item is required',
  })
})

test('[ITG-002] a URL must be valid', async () => {
  const sentence = 'Enter a URL such as https://api.example.com'
  for (const url of ['harbor', 'http://api.example.com', 'https://', 'https://user:pass@api.example.com', 'javascript:alert(1)'])
    expect([url, refusedFields(await send('POST', '/integrations', api({ url })))]).toEqual([url, { url: sentence }])
  expect(refusedFields(await send('POST', '/integrations', api({ url: undefined })))).toEqual({
    url: 'This is a required field.',
  })
  expect(refusedFields(await send('POST', '/integrations', external({ url: 'https://files.example.com' })))).toEqual({
    url: 'Enter a URL such as sftp://files.example.com',
  })
})

test('[ITG-004] [ERR-038] an import type is unique per level; a refused call stores nothing', async () => {
  await make(csv('TIMEKEEPING'))
  const sentence = 'An integration with this import type already exists.'
  expect(refusedFields(await send('POST', '/integrations', csv(...both)))).toEqual({ import_types: sentence })
  expect(await found(`organization-id=${organizationId}`)).toHaveLength(1)
  await make({ ...csv('TIMEKEEPING'), organization_id: undefined, employer_id: employerId })
  const race = await Promise.all([1, 2].map(() => send('POST', '/integrations', csv('ELIGIBLE_EMPLOYEE'))))
  expect(race.map(({ status }) => status).sort()).toEqual([201, 422])
})

test('[ITG-005] [ENT-130] an incremental one has the value that marks leavers', async () => {
  const incremental = { ...csv('ELIGIBLE_EMPLOYEE'), incremental: true }
  const required = { terminated_values: 'This is a required field.' }
  expect(refusedFields(await send('POST', '/integrations', incremental))).toEqual(required)
  expect(refusedFields(await send('POST', '/integrations', { ...incremental, terminated_values: [] }))).toEqual(required)
  const [made] = await make({ ...incremental, terminated_values: ['T', 'Left', 'T'] })
  expect(made).toMatchObject({ incremental: true, terminated_values: ['T', 'Left'] })
})

test('[VAL-013] [VAL-014] an API needs a product adapter, which supports timekeeping where needed', async () => {
  expect(refusedFields(await send('POST', '/integrations', api({ product: undefined })))).toEqual({
    product: 'This is a required field.',
  })
  expect(refusedFields(await send('POST', '/integrations', api({ product: 'LEDGERLINE_PEOPLE', import_types: both })))).toEqual({
    product: 'This product does not support timekeeping.',
  })
  expect(await make(api({ product: 'LEDGERLINE_PEOPLE', import_types: ['ELIGIBLE_EMPLOYEE'] }))).toMatchObject([
    { vendor: 'LEDGERLINE' },
  ])
})

test('[API-090] [API-091] [API-092] [API-093] integrations are filtered by type, employer, organization and level', async () => {
  const own = { organization_id: undefined, employer_id: employerId }
  await make(csv('ELIGIBLE_EMPLOYEE'))
  await make(api())
  await make({ ...api(), ...own })
  const of = async (query: string) =>
    (await found(query)).map((one: { type: string; level: string }) => `${one.type} ${one.level}`)
  const scope = `organization-id=${organizationId}`
  expect(await of(scope)).toEqual(['CSV ORGANIZATION', 'API ORGANIZATION', 'API EMPLOYER'])
  expect(await of(`${scope}&type=API`)).toEqual(['API ORGANIZATION', 'API EMPLOYER'])
  expect(await of(`employer-id=${employerId}`)).toEqual(['API EMPLOYER'])
  expect(await of(`${scope}&level=ORGANIZATION&type=API`)).toEqual(['API ORGANIZATION'])
  expect(await of(`${scope}&import-type=ELIGIBLE_EMPLOYEE`)).toEqual(['CSV ORGANIZATION'])
  expect(await of(`${scope}&sort=type&sort-order=desc`)).toEqual(['CSV ORGANIZATION', 'API EMPLOYER', 'API ORGANIZATION'])
  expect(await good('GET', `/integrations/search/count?${scope}&vendor=SHIFTWELL`)).toEqual({ count: 2, exact: true })
  const first = await good('GET', `/integrations/search?${scope}&limit=2`)
  const rest = await good('GET', `/integrations/search?${scope}&limit=2&lek=${first.lek}`)
  expect([...first.integrations, ...rest.integrations]).toEqual(await found(scope))
})

test('[API-094] include adds the addresses of e-mail integrations and the SFTP users of internal ones', async () => {
  const email = `people${companies}@harbor.example`
  await good('POST', '/data-emails', {
    organization_id: organizationId,
    type: 'ELIGIBLE_EMPLOYEE',
    email,
  })
  const user = {
    organization_id: organizationId,
    username: `files-${companies}`,
    authentication: 'PASSWORD',
    password: 'Harbor-2026-x',
  }
  await good('POST', '/sftp-users', user)
  await make({ organization_id: organizationId, type: 'EMAIL', import_types: ['ELIGIBLE_EMPLOYEE'] })
  await make({ organization_id: organizationId, type: 'SFTP', sftp_type: 'INTERNAL', import_types: ['TIMEKEEPING'] })
  const plain = await found(`organization-id=${organizationId}`)
  expect(plain.some((one: object) => 'data_emails' in one || 'sftp_users' in one)).toBe(false)
  const [mail, sftp] = await found(`organization-id=${organizationId}&include=data-emails,sftp-users`)
  expect(mail.data_emails.map((one: { email: string }) => one.email)).toEqual([email])
  expect(sftp.sftp_users.map((one: { username: string }) => one.username)).toEqual([`files-${companies}`])
  expect(refusedFields(await send('GET', '/integrations/search?include=passwords'))).not.toEqual({})
})

test('[API-095] the metadata list types, vendors, and the products with timekeeping', async () => {
  const { types, import_types, sftp_types, vendors } = await good(
    'GET',
    '/integrations/metadata',
    undefined,
    await personWith(server, []),
  )
  expect(types.map(({ id }: { id: string }) => id)).toEqual(['API', 'EMAIL', 'SFTP', 'CSV'])
  expect([import_types.length, sftp_types.length]).toEqual([2, 2])
  const products = vendors.flatMap((one: { products: unknown[] }) => one.products)
  expect(new Set(products.map((one: { supports_timekeeping: boolean }) => one.supports_timekeeping))).toEqual(
    new Set([true, false]),
  )
})

test('[API-097] the vendor is set on all named ones or on none', async () => {
  const [people] = await make(csv('ELIGIBLE_EMPLOYEE'))
  const [time] = await make(api())
  const ids = [people.id, time.id]
  const set = (vendor: string, integration_ids: number[], more: object = {}) =>
    send('PATCH', '/integrations', { vendor, integration_ids, ...more })
  // A timekeeping API finds no product there.
  expect(refusedFields(await set('LEDGERLINE', ids))).toEqual({ vendor: 'This product does not support timekeeping.' })
  expect(await good('GET', `/integrations/${people.id}`)).toEqual(people)
  const done = await set('PAYHARBOR', ids, { expected: { [people.id]: 1, [time.id]: 1 } })
  expect(done.body.integrations).toMatchObject([
    { vendor: 'PAYHARBOR', product: null, version: 2 },
    { vendor: 'PAYHARBOR', product: 'PAYHARBOR_WORKFORCE', version: 2 },
  ])
  const stale = await set('SHIFTWELL', ids, { expected: { [people.id]: 2, [time.id]: 1 } })
  expect([stale.status, stale.body.code, (await good('GET', `/integrations/${people.id}`)).version]).toEqual([
    409,
    'stale-version',
    2,
  ])
  expect((await set('SHIFTWELL', [people.id, 999_999])).status).toBe(404)
  const elsewhere = (await createCompany(server.db, `Elsewhere ${companies}`)).organizationId
  const [other] = await make({ ...csv('TIMEKEEPING'), organization_id: elsewhere })
  expect(refusedFields(await set('SHIFTWELL', [people.id, other.id]))).toEqual({
    integration_ids: 'Choose integrations of one organization.',
  })
  expect((await history())[0]).toMatchObject({ status: 'Vendor changed' })
})

test('[API-098] one is deleted once, and its import type can be added again', async () => {
  const [made] = await make(csv('TIMEKEEPING'))
  const stale = await send('DELETE', `/integrations/${made.id}?version=7`, {})
  expect([stale.status, stale.body.facts]).toEqual([409, made])
  const twice = await Promise.all([1, 2].map(() => send('DELETE', `/integrations/${made.id}?version=1`, {})))
  expect(twice.map(({ status }) => status).sort()).toEqual([200, 404])
  expect((await history())[0]).toMatchObject({ status: 'Integration deleted', text: 'Timekeeping: CSV' })
  await make(api())
})

test('reading needs employers or organizations, changing write:integrations, both within access', async () => {
  const [whole] = await make(csv('TIMEKEEPING'))
  const [own] = await make({ ...csv('TIMEKEEPING'), organization_id: undefined, employer_id: employerId })
  for (const permission of [3, 4]) await good('GET', '/integrations/search', undefined, await personWith(server, [permission]))
  expect((await send('GET', '/integrations/search', undefined, await personWith(server, [1, 2]))).status).toBe(403)
  const reader = await personWith(server, [3, 4])
  expect((await send('POST', '/integrations', csv('ELIGIBLE_EMPLOYEE'), reader)).status).toBe(403)
  expect((await send('PATCH', '/integrations', { vendor: 'PAYHARBOR', integration_ids: [own.id] }, reader)).status).toBe(403)
  expect((await send('DELETE', `/integrations/${own.id}?version=1`, {}, reader)).status).toBe(403)
  const person = await createPerson(server.db, { kind: 'ACCOUNT_MANAGER', permissions: [3, 4, 1020], grants: [{ employerId }] })
  const manager = { headers: await signInAs(server, person) }
  expect((await found(`organization-id=${organizationId}`, manager)).map(({ id }: { id: number }) => id)).toEqual([own.id])
  for (const [method, path, body] of [
    ['GET', `/integrations/${whole.id}`, undefined],
    ['POST', '/integrations', csv('ELIGIBLE_EMPLOYEE')],
    ['PATCH', '/integrations', { vendor: 'PAYHARBOR', integration_ids: [own.id, whole.id] }],
    ['DELETE', `/integrations/${whole.id}?version=1`, {}],
  ] as const)
    expect([method, (await send(method, path, body, manager)).status]).toEqual([method, 404])
  expect((await good('GET', `/integrations/${own.id}`)).vendor).toBeNull()
})
