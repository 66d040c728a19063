import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createCompany, createEmployee } from '#tests/support/company.ts'
import { createPerson } from '#tests/support/people.ts'
import { asking, refusedFields } from '#tests/support/asking.ts'
import { type Answer, createServer, type TestServer } from '#tests/support/server.ts'
import { personWith, type SignedIn } from '#tests/support/session.ts'
import { signInAs } from '#tests/support/sign-in.ts'

let server: TestServer
let admin: SignedIn
let organizationId: number
let employerId: number
let sister: number
let companies = 0

const { send, good } = asking(
  () => server,
  () => admin,
)
const events = async (path: string) => (await good('GET', `${path}/history`)).events

beforeAll(async () => {
  server = await createServer()
  admin = await personWith(server, [3, 4, 1002, 1003], 'Ada Admin')
})
afterAll(() => server.close())
beforeEach(async () => {
  const company = await createCompany(server.db, `Harbor ${++companies}`, 2)
  organizationId = company.organizationId
  ;[employerId, sister] = company.employerIds as [number, number]
})

const named = (more: Record<string, unknown> = {}) => ({
  name: `Ridge ${++companies}`,
  lookup_name: `ridge-${companies}`,
  brand: 'EARLYBIRD',
  source_code: `SRC-R${companies}`,
  ...more,
})
const employed = (more: Record<string, unknown> = {}) => ({
  internal_name: 'Ridge Falls Foods 1',
  external_name: 'Ridge Falls Foods',
  external_code: 'RF-1',
  brand: 'DAYLINE',
  ...more,
})

describe('organizations', () => {
  test('[API-054] [SCR-019] is created active, with its creator in the history', async () => {
    const made = await good('POST', '/organizations', named({ notes: 'Signed in May' }))
    expect(made).toMatchObject({
      name: `Ridge ${companies}`,
      status: 'ACTIVE',
      notes: 'Signed in May',
      employer_count: 0,
      version: 1,
    })
    expect(await good('GET', `/organizations/${made.id}`)).toEqual(made)
    expect(await events(`/organizations/${made.id}`)).toEqual([
      expect.objectContaining({ status: 'Created', actor: { id: admin.id, name: 'Ada Admin' } }),
    ])
  })

  test('[VAL-011] missing fields are reported beside them, and nothing is stored', async () => {
    expect(refusedFields(await send('POST', '/organizations', { brand: 'EARLYBIRD' }))).toEqual({
      name: 'This is a required field.',
      lookup_name: 'This is a required field.',
      source_code: 'This is a required field.',
    })
    const before = await good('GET', '/organizations/count')
    expect((await send('POST', '/organizations', named({ name: ' ' }))).status).toBe(422)
    expect((await send('POST', '/organizations', named({ brand: 'NOBODY' }))).status).toBe(422)
    expect((await send('POST', '/organizations', named({ csm_id: 987_654 }))).body.errors).toEqual([
      { path: 'csm_id', message: 'There is no such customer success manager.' },
    ])
    expect(await good('GET', '/organizations/count')).toEqual(before)
  })

  test('[VAL-011] a change without required fields is refused beside them, and changes nothing', async () => {
    const made = await good('POST', '/organizations', named())
    const empty = { brand: 'EARLYBIRD', status: 'ACTIVE', name: ' ', lookup_name: '', source_code: null, version: 1 }
    expect(refusedFields(await send('PUT', `/organizations/${made.id}`, empty))).toEqual({
      name: 'This is a required field.',
      lookup_name: 'This is a required field.',
      source_code: 'This is a required field.',
    })
    expect(await good('GET', `/organizations/${made.id}`)).toEqual(made)
  })

  test('lookup name and source code are unique, also for concurrent requests', async () => {
    const body = named()
    const answers = await Promise.all([1, 2, 3].map(() => send('POST', '/organizations', body)))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 422, 422])
    expect(refusedFields(answers.find(({ status }) => status === 422) as Answer)).toEqual({
      lookup_name: 'Another organization has this lookup name.',
      source_code: 'Another organization has this source code.',
    })
  })

  test('[API-056] [ENT-036] it is replaced as a whole; a stale version is refused with the current one', async () => {
    const manager = `Lena Falk ${companies}`
    const { id: csm_id } = await server.owner
      .insertInto('customer_success_managers')
      .values({ name: manager })
      .returning('id')
      .executeTakeFirstOrThrow()
    const made = await good('POST', '/organizations', named({ notes: 'Signed in May', csm_id }))
    const body = { ...named(), status: 'ACTIVE', version: 1 }
    const after = await good('PUT', `/organizations/${made.id}`, body)
    expect(after.created_at).toBe(made.created_at)
    expect(Date.parse(after.updated_at)).toBeGreaterThan(Date.parse(made.updated_at))
    expect(after).toMatchObject({ name: body.name, source_code: body.source_code, csm: null, notes: null, version: 2 })
    const stale = await send('PUT', `/organizations/${made.id}`, { ...body, name: 'Other' })
    expect(stale.body).toMatchObject({ status: 409, code: 'stale-version', facts: { name: body.name, version: 2 } })
    const [changed] = await events(`/organizations/${made.id}`)
    expect(changed.changes).toContainEqual({ field: 'csm', before: manager, after: null })
    // It keeps its own names.
    expect((await send('PUT', `/organizations/${made.id}`, { ...body, version: 2 })).status).toBe(200)
  })

  test('it stays active while an employer is active, and keeps its brand while it has an employer', async () => {
    const one = await good('GET', `/organizations/${organizationId}`)
    const { name, lookup_name, source_code } = one
    const body = { name, lookup_name, source_code, brand: 'BRIGHTPAY', status: 'INACTIVE', version: one.version }
    expect(refusedFields(await send('PUT', `/organizations/${organizationId}`, body))).toEqual({
      brand: 'The brand stays: this organization has employers.',
      status: 'An employer of it is active. De-activate its employers first.',
    })
    await server.db.updateTable('employers').set({ status: 'INACTIVE' }).where('organization_id', '=', organizationId).execute()
    await good('PUT', `/organizations/${organizationId}`, { ...body, brand: 'DAYLINE' })
    const activated = await send('PUT', `/employers/${employerId}/status`, { status: 'ACTIVE', version: 1 })
    expect(activated.body).toMatchObject({ status: 409, code: 'organization-inactive' })
  })

  test('an account manager is granted what they create, and changes only whole granted ones', async () => {
    const person = await createPerson(server.db, {
      kind: 'ACCOUNT_MANAGER',
      permissions: [3, 4, 1002, 1003],
      grants: [{ employerId }],
    })
    const headers = await signInAs(server, person)
    const made = await send('POST', '/organizations', named(), { headers })
    expect(made.status).toBe(201)
    expect((await send('GET', `/organizations/${made.body.id}`, undefined, { headers })).status).toBe(200)
    const body = { ...named(), status: 'ACTIVE', version: 1 }
    // With a grant of one employer only, the organization shows its name and is read-only.
    expect((await send('GET', `/organizations/${organizationId}`, undefined, { headers })).status).toBe(200)
    expect((await send('PUT', `/organizations/${organizationId}`, body, { headers })).status).toBe(404)
    const added = { organization_id: organizationId, ...employed() }
    expect((await send('POST', '/employers', added, { headers })).status).toBe(404)
    expect((await send('PUT', `/employers/${sister}`, { ...employed(), version: 1 }, { headers })).status).toBe(404)
    expect((await send('PUT', `/employers/${employerId}`, { ...employed(), version: 1 }, { headers })).status).toBe(200)
  })
})

describe('employers', () => {
  test('[API-040] is created inactive in an organization, with a unique lookup name', async () => {
    const made = await good('POST', '/employers', {
      organization_id: organizationId,
      ...employed({ go_live_date: '2026-12-01' }),
    })
    expect(made).toMatchObject({
      organization_id: organizationId,
      lookup_name: 'ridge-falls-foods-1',
      status: 'INACTIVE',
      direct_customer: false,
      go_live_date: '2026-12-01',
      pilot_ee_count: null,
      onboarded: false,
      lms_configured: false,
    })
    expect(await good('GET', `/employers/${made.id}`)).toEqual(made)
    expect(await events(`/employers/${made.id}`)).toHaveLength(1)
    expect((await send('POST', '/employers', { organization_id: 999_999_999, ...employed() })).status).toBe(404)
  })

  test('an external code is unique in its organization, also for concurrent requests', async () => {
    const body = { organization_id: organizationId, ...employed() }
    const answers = await Promise.all([1, 2, 3].map(() => send('POST', '/employers', body)))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 422, 422])
    const taken = { external_code: 'Another employer of this organization has this code.' }
    expect(refusedFields(answers.find(({ status }) => status === 422) as Answer)).toEqual(taken)
    expect(refusedFields(await send('PUT', `/employers/${employerId}`, { ...employed(), version: 1 }))).toEqual(taken)
    // Another organization can use the same code.
    const other = await createCompany(server.db, `Other ${++companies}`)
    await good('POST', '/employers', { ...body, organization_id: other.organizationId })
  })

  test('[ENT-040] a direct customer can be marked and unmarked', async () => {
    const made = await good('POST', '/employers', { organization_id: organizationId, ...employed({ direct_customer: true }) })
    expect(await good('GET', `/employers/${made.id}`)).toMatchObject({ direct_customer: true })
    const after = await good('PUT', `/employers/${made.id}`, { ...employed({ direct_customer: false }), version: made.version })
    expect(after).toMatchObject({ direct_customer: false })
  })

  test('[API-039] it is replaced as a whole: dates in order, the brand only without employees', async () => {
    const wrong = { go_live_date: '2026-05-02', cancellation_date: '2026-05-01', pilot_ee_count: -1 }
    expect(refusedFields(await send('PUT', `/employers/${employerId}`, { ...employed(wrong), version: 1 }))).toHaveProperty(
      'pilot_ee_count',
    )
    const late = { ...employed({ ...wrong, pilot_ee_count: 0, brand: 'BRIGHTPAY' }), version: 1 }
    expect(refusedFields(await send('PUT', `/employers/${employerId}`, late))).toEqual({
      cancellation_date: 'Not before the go-live date',
    })
    const after = await good('PUT', `/employers/${employerId}`, { ...late, cancellation_date: '2026-05-02' })
    expect(after).toMatchObject({ internal_name: 'Ridge Falls Foods 1', brand: 'BRIGHTPAY', pilot_ee_count: 0, version: 2 })
    await createEmployee(server.db, { employerId })
    expect(refusedFields(await send('PUT', `/employers/${employerId}`, { ...employed(), version: 2 }))).toEqual({
      brand: 'The brand stays: this employer has employees.',
    })
    // Omitted fields are cleared.
    const cleared = await good('PUT', `/employers/${employerId}`, { ...employed({ brand: 'BRIGHTPAY' }), version: 2 })
    expect(cleared).toMatchObject({ go_live_date: null, cancellation_date: null, pilot_ee_count: null })
  })

  test('employees are sorted by its new name, which the server notes with them', async () => {
    await sql`drop trigger if exists spread_employer_key on employers`.execute(server.owner)
    const { id } = await createEmployee(server.db, { employerId })
    const renamed = employed({ internal_name: 'Übersee Nord' })
    await good('PUT', `/employers/${employerId}`, { ...renamed, version: 1 })
    const { rows } = await sql`select employer_key from employees where id = ${id}`.execute(server.db)
    expect(rows).toEqual([{ employer_key: 'ubersee nord' }])
  })

  const setStatus = (status: string, version: number, more = {}) =>
    send('PUT', `/employers/${employerId}/status`, { status, version, ...more })

  test('[ENT-041] [ENT-042] [EMR-002] it is de-activated once, as of today or a given day', async () => {
    const off = await setStatus('INACTIVE', 1)
    const { rows } = await sql<{ today: string }>`select business_date()::text as today`.execute(server.db)
    expect(off.body).toMatchObject({ status: 'INACTIVE', cancellation_date: rows[0]?.today, version: 2 })
    expect((await setStatus('INACTIVE', 2)).body).toMatchObject({ status: 409, code: 'already-inactive' })
    const named = { status: 'INACTIVE', version: 1, cancellation_date: '2026-01-31' }
    const dated = await send('PUT', `/employers/${sister}/status`, named)
    expect(dated.body).toMatchObject({ status: 'INACTIVE', cancellation_date: '2026-01-31' })
  })

  test('[EMR-001] [EMR-003] it is activated only with an LMS configuration', async () => {
    await setStatus('INACTIVE', 1)
    const refused = await setStatus('ACTIVE', 2)
    expect(refused.body).toMatchObject({
      status: 409,
      code: 'lms-missing',
      detail: 'Unable to activate employer, missing LMS configurations.',
    })
    await sql`insert into lms_configurations (organization_id, payment_method, split_invoices, show_amount_per_department_code,
      ach_processing_days, invoice_deadline, invoice_net_days) values (${organizationId}, 'SELF_PAY', false, false, 2, 2, 5)`.execute(
      server.db,
    )
    expect(await good('GET', `/employers/${employerId}`)).toMatchObject({ lms_configured: true })
    expect((await setStatus('ACTIVE', 2)).body).toMatchObject({ status: 'ACTIVE', cancellation_date: null, version: 3 })
    expect((await setStatus('ACTIVE', 3)).body).toMatchObject({ status: 409, code: 'already-active' })
    const [again, ended] = await events(`/employers/${employerId}`)
    expect([again.status, ended.status]).toEqual(['Activated', 'De-activated'])
  })

  test('of two concurrent switches one succeeds and the other gets a conflict', async () => {
    const answers = await Promise.all([1, 2, 3, 4].map(() => setStatus('INACTIVE', 1)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(new Set(answers.filter(({ status }) => status !== 200).map(({ status }) => status))).toEqual(new Set([409]))
    expect(await events(`/employers/${employerId}`)).toHaveLength(1)
  })

  test('[API-041] [EMR-005] onboarded is set and reset', async () => {
    const path = `/employers/${employerId}/onboarded`
    expect(await good('PATCH', path, { onboarded: true, version: 1 })).toMatchObject({ onboarded: true, version: 2 })
    expect((await send('PATCH', path, { onboarded: true, version: 2 })).body).toMatchObject({ status: 409 })
    expect(await good('PATCH', path, { onboarded: false, version: 2 })).toMatchObject({ onboarded: false })
    expect((await events(`/employers/${employerId}`)).map((one: { status: string }) => one.status)).toEqual([
      'No longer onboarded',
      'Onboarded',
    ])
  })

  test('read rights alone change nothing', async () => {
    const reader = await personWith(server, [3, 4])
    for (const [method, path, body] of [
      ['POST', '/organizations', named()],
      ['PUT', `/organizations/${organizationId}`, { ...named(), status: 'ACTIVE', version: 1 }],
      ['POST', '/employers', { organization_id: organizationId, ...employed() }],
      ['PUT', `/employers/${employerId}`, { ...employed(), version: 1 }],
      ['PUT', `/employers/${employerId}/status`, { status: 'INACTIVE', version: 1 }],
      ['PATCH', `/employers/${employerId}/onboarded`, { onboarded: true, version: 1 }],
    ] as const)
      expect([path, (await send(method, path, body, reader)).status]).toEqual([path, 403])
  })
})
