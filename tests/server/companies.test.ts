import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Employer } from '#contract/employers.ts'
import { createCompany, createEmployee } from '#tests/support/company.ts'
import { createInvoice } from '#tests/support/money.ts'
import { createPerson } from '#tests/support/people.ts'
import { call, createServer, type TestServer } from '#tests/support/server.ts'
import { type Headers, signInAs } from '#tests/support/sign-in.ts'

let server: TestServer
let admin: Headers
let harbor: { organizationId: number; employerIds: number[] }
let solo: { organizationId: number; employerIds: number[] }

beforeAll(async () => {
  server = await createServer()
  admin = await signInAs(server, await createPerson(server.db, { groups: [1] }))
  harbor = await createCompany(server.db, 'Harbor', 25)
  solo = await createCompany(server.db, 'Soló', 2)
  for (let number = 1; number <= 33; number += 1) await createCompany(server.db, `Other ${number}`)
})
afterAll(() => server.close())

const get = async (path: string, headers = admin) => {
  const answer = await call(server, 'GET', path, { headers })
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  return answer.body
}
const names = (body: { employers: { internal_name: string }[] }) => body.employers.map((employer) => employer.internal_name)

test('[API-028] [API-029] employers page by cursor, name and id, in both directions', async () => {
  for (const sort of ['name', 'id'])
    for (const order of ['asc', 'desc']) {
      const query = `/employers?sort=${sort}&sort-order=${order}&limit=17`
      const all: number[] = []
      for (let lek: string | null = ''; lek !== null; ) {
        const page: { employers: { id: number }[]; lek: string | null } = await get(`${query}${lek && `&lek=${lek}`}`)
        all.push(...page.employers.map((employer) => employer.id))
        lek = page.lek
      }
      expect(all).toHaveLength(60)
      expect(new Set(all).size).toBe(60)
      if (sort === 'id') expect(all).toEqual([...all].sort((one, other) => (order === 'asc' ? one - other : other - one)))
    }
})

describe('employers by filter', () => {
  const solo1 = 'Soló Works 1'
  const solo2 = 'Soló Works 2'
  beforeAll(async () => {
    await server.db
      .updateTable('employers')
      .set({ status: 'INACTIVE', brand: 'EARLYBIRD' })
      .where('id', '=', solo.employerIds[1] as number)
      .execute()
  })

  const filters: [row: string, name: string, value: () => string, expected: string[]][] = [
    ['API-030', 'id', () => solo.employerIds.join(), [solo1, solo2]],
    ['API-030', 'id', () => String(solo.employerIds[0]), [solo1]],
    ['API-031', 'name', () => 'solo', [solo1, solo2]],
    ['API-031', 'name', () => 'no such name', []],
    ['API-032', 'status', () => 'INACTIVE', [solo2]],
    ['API-033', 'external-code', () => 'SO-2', [solo2]],
    ['API-034', 'lookup-name', () => 'soló-works-1', [solo1]],
    ['API-035', 'brand', () => 'EARLYBIRD', [solo2]],
    ['API-037', 'organization-id', () => String(solo.organizationId), [solo1, solo2]],
  ]

  test.each(filters)('[%s] %s', async (_, name, value, expected) => {
    expect(names(await get(`/employers?${name}=${encodeURIComponent(value())}`))).toEqual(expected)
  })

  test('each word of q', async () => {
    expect(names(await get('/employers?q=2%20solo'))).toEqual([solo2])
  })

  test('[API-032] active ones exclude the inactive', async () => {
    const active = await get('/employers?status=ACTIVE&limit=200')
    expect(active.employers).toHaveLength(59)
    expect(names(active)).not.toContain(solo2)
  })
})

describe('one employer', () => {
  let one: Record<string, unknown>
  beforeAll(async () => {
    await server.db
      .updateTable('employers')
      .set({ go_live_date: '2026-02-01', pilot_ee_count: 40, pilot_launch_date: '2026-01-15' })
      .where('id', '=', harbor.employerIds[0] as number)
      .execute()
    one = await get(`/employers/${harbor.employerIds[0]}`)
  })

  test.each([
    ['ENT-037', { internal_name: 'Harbor Works 1', external_name: 'Harbor Works' }],
    ['ENT-038', { external_code: 'HA-1' }],
    ['ENT-039', { brand: 'DAYLINE' }],
    ['ENT-040', { direct_customer: false }],
    ['ENT-041', { status: 'ACTIVE' }],
    ['ENT-042', { go_live_date: '2026-02-01', cancellation_date: null }],
    ['ENT-043', { pilot_ee_count: 40, pilot_launch_date: '2026-01-15' }],
  ])('[%s] carries %o', (_, part) => {
    expect(one).toMatchObject(part)
  })

  test('[API-038] [ENT-044] is read by its id with its organization, and has only declared fields', async () => {
    expect(one).toMatchObject({ id: harbor.employerIds[0], organization_id: harbor.organizationId, organization_name: 'Harbor' })
    expect(Object.keys(one).sort()).toEqual(Object.keys(Employer.shape).sort())
    expect((await call(server, 'GET', '/employers/999999999', { headers: admin })).status).toBe(404)
  })
})

test('[CONST-001] [API-047] [API-048] organizations return 30 by default, with a cursor, in both orders', async () => {
  const first = await get('/organizations')
  expect(first.organizations).toHaveLength(30)
  const rest = await get(`/organizations?lek=${first.lek}`)
  expect(rest.organizations).toHaveLength(5)
  expect(rest.lek).toBeNull()
  const down = await get('/organizations?sort=id&sort-order=desc&limit=2')
  expect(down.organizations[0].id).toBeGreaterThan(down.organizations[1].id)
})

describe('organizations by filter', () => {
  beforeAll(() =>
    server.db.updateTable('organizations').set({ status: 'INACTIVE' }).where('id', '=', solo.organizationId).execute(),
  )

  const filters: [row: string, name: string, value: () => string, expected: () => typeof solo][] = [
    ['API-049', 'name', () => 'solo', () => solo],
    ['API-050', 'status', () => 'INACTIVE', () => solo],
    ['API-051', 'id', () => String(harbor.organizationId), () => harbor],
    ['API-052', 'lookup-name', () => 'harbor', () => harbor],
    ['API-053', 'source-code', () => 'SRC-Harbor', () => harbor],
  ]

  test.each(filters)('[%s] %s', async (_, name, value, expected) => {
    const { organizations } = await get(`/organizations?${name}=${value()}`)
    expect(organizations.map((organization: { id: number }) => organization.id)).toEqual([expected().organizationId])
  })
})

test('[API-055] [ENT-031] [ENT-032] [ENT-033] an organization has names, brand, source code and status', async () => {
  expect(await get(`/organizations/${harbor.organizationId}`)).toMatchObject({
    id: harbor.organizationId,
    name: 'Harbor',
    lookup_name: 'harbor',
    brand: 'DAYLINE',
    source_code: 'SRC-Harbor',
    status: 'ACTIVE',
    version: 1,
  })
})

test('[ENT-034] [ENT-035] [ENT-036] [API-027] has its customer success manager, notes, creation and last change', async () => {
  const { id } = await server.owner
    .insertInto('customer_success_managers')
    .values({ name: 'Ana Ruiz' })
    .returning('id')
    .executeTakeFirstOrThrow()
  await server.db
    .updateTable('organizations')
    .set({ csm_id: id, notes: 'Signed in May' })
    .where('id', '=', harbor.organizationId)
    .execute()
  const one = await get(`/organizations/${harbor.organizationId}`)
  expect(one).toMatchObject({ csm: { id, name: 'Ana Ruiz' }, notes: 'Signed in May' })
  expect(Date.parse(one.created_at)).toBeLessThanOrEqual(Date.parse(one.updated_at))
  expect(await get('/customer-success-managers')).toEqual({ customer_success_managers: [{ id, name: 'Ana Ruiz' }] })
  expect((await get('/customer-success-managers?q=nobody')).customer_success_managers).toEqual([])
  expect((await get(`/organizations?csm-id=${id}`)).organizations).toHaveLength(1)
})

test('[CONST-003] [API-057] a lookup by name is limited to 20 per caller', async () => {
  expect((await get('/employers?name=works&limit=20')).employers).toHaveLength(20)
  expect((await get('/organizations?name=other&limit=20')).organizations).toHaveLength(20)
})

test('[PERM-003] [CARD-008] a grant of one employer shows its organization, but not the other employers', async () => {
  const headers = await signInAs(
    server,
    await createPerson(server.db, {
      kind: 'ACCOUNT_MANAGER',
      permissions: [3, 4],
      grants: [{ employerId: harbor.employerIds[3] as number }],
    }),
  )
  expect((await get('/employers', headers)).employers.map((employer: { id: number }) => employer.id)).toEqual([
    harbor.employerIds[3],
  ])
  expect((await get('/organizations', headers)).organizations.map((one: { id: number }) => one.id)).toEqual([
    harbor.organizationId,
  ])
  // Its name is visible, but nothing about the others, also by filters.
  const [whole, csm] = [await get(`/organizations/${harbor.organizationId}`, headers), await get('/customer-success-managers')]
  expect(whole).toMatchObject({ name: 'Harbor', csm: null, notes: null, employer_count: 1, active_employer_count: 1 })
  const asked = `/organizations?csm-id=${csm.customer_success_managers[0].id}`
  expect((await get(asked, headers)).organizations).toEqual([])
  expect((await call(server, 'GET', `/organizations/${harbor.organizationId}/history`, { headers })).status).toBe(404)
  expect((await call(server, 'GET', `/employers/${harbor.employerIds[4]}`, { headers })).status).toBe(404)
  expect((await call(server, 'GET', `/organizations/${solo.organizationId}`, { headers })).status).toBe(404)
  const nobody = await signInAs(server, await createPerson(server.db, { kind: 'ACCOUNT_MANAGER', permissions: [3, 4] }))
  expect((await get('/employers', nobody)).employers).toEqual([])
  expect((await get('/organizations', nobody)).organizations).toEqual([])
})

test('[API-036] the employers of an account manager are limited to those of the caller', async () => {
  const manager = await createPerson(server.db, {
    kind: 'ACCOUNT_MANAGER',
    permissions: [3, 4],
    grants: [{ organizationId: solo.organizationId }, { employerId: harbor.employerIds[3] as number }],
  })
  const theirs = [...solo.employerIds, harbor.employerIds[3] as number].sort((a, b) => a - b)
  const found = await get(`/employers?account-manager-id=${manager.id}&sort=id`)
  expect(found.employers.map((one: { id: number }) => one.id)).toEqual(theirs)
  const other = await signInAs(
    server,
    await createPerson(server.db, {
      kind: 'ACCOUNT_MANAGER',
      permissions: [3, 4],
      grants: [{ employerId: solo.employerIds[0] as number }],
    }),
  )
  const mine = await get(`/employers?account-manager-id=${manager.id}`, other)
  expect(mine.employers.map((one: { id: number }) => one.id)).toEqual([solo.employerIds[0]])
  expect((await call(server, 'GET', '/employers?account-manager-id=1', { headers: admin })).status).toBe(422)
})

test('[API-045] additional info: manager, counts, and overdue amounts only with the right to see billing', async () => {
  const [one, two] = harbor.employerIds as [number, number]
  const { id: employeeId } = await createEmployee(server.db, { employerId: one, linked: {} })
  const lines = (amount: number) => [{ employeeId, amount }]
  await createInvoice(server.db, { employerId: one, lines: lines(12_345), dueDate: -3 })
  await createInvoice(server.db, { employerId: one, lines: lines(600), dueDate: 3 })
  await createInvoice(server.db, { employerId: one, lines: lines(500), status: 'DRAFT', dueDate: -3 })
  const ids = `/employer-additional-info?employer-ids=${two},${one},999999999`
  const { employers } = await get(ids)
  expect(employers).toEqual([
    expect.objectContaining({ employer_id: one, employee_count: 1, linked_employee_count: 1, overdue_amount: 12_345 }),
    expect.objectContaining({ employer_id: two, employee_count: 0, linked_employee_count: 0, overdue_amount: 0 }),
  ])
  const blind = await signInAs(server, await createPerson(server.db, { permissions: [3] }))
  expect((await get(ids, blind)).employers[0].overdue_amount).toBeNull()
  const many = Array.from({ length: 101 }, (_, at) => at + 1).join()
  expect((await call(server, 'GET', `/employer-additional-info?employer-ids=${many}`, { headers: admin })).status).toBe(422)
})

/** The rows of a complete list in an order, read in pages of 17. */
async function inOrder(path: 'employers' | 'organizations', sort: string, order: string): Promise<Record<string, unknown>[]> {
  const rows: Record<string, unknown>[] = []
  for (let lek: string | null = ''; lek !== null; ) {
    const page = await get(`/${path}?sort=${sort}&sort-order=${order}&limit=17${lek && `&lek=${lek}`}`)
    rows.push(...page[path])
    lek = page.lek
  }
  return rows
}

describe('lists in order', () => {
  beforeAll(async () => {
    await server.db
      .updateTable('employers')
      .set({ status: 'INACTIVE' })
      .where('id', '=', harbor.employerIds[2] as number)
      .execute()
    await server.db
      .updateTable('organizations')
      .set({ brand: 'EARLYBIRD', status: 'INACTIVE' })
      .where('id', '=', solo.organizationId)
      .execute()
  })

  test.each([
    ['API-029', 'employers', 'name', 'internal_name'],
    ['API-029', 'employers', 'id', 'id'],
    ['API-029', 'employers', 'status', 'status'],
    ['API-029', 'employers', 'external_code', 'external_code'],
    ['API-029', 'employers', 'organization', 'organization_name'],
    ['API-029', 'employers', 'created_at', 'created_at'],
    ['API-029', 'employers', 'updated_at', 'updated_at'],
    ['API-048', 'organizations', 'name', 'name'],
    ['API-048', 'organizations', 'id', 'id'],
    ['API-048', 'organizations', 'status', 'status'],
    ['API-048', 'organizations', 'brand', 'brand'],
    ['API-048', 'organizations', 'source_code', 'source_code'],
    ['API-048', 'organizations', 'created_at', 'created_at'],
    ['API-048', 'organizations', 'updated_at', 'updated_at'],
  ] as const)('[%s] %s sorted by %s ascend and descend by %s, each row once', async (_, path, sort, field) => {
    // The order ignores case and accents.
    const key = (row: Record<string, unknown>) =>
      typeof row[field] === 'number'
        ? row[field]
        : String(row[field] ?? '')
            .toLowerCase()
            .normalize('NFD')
            .replace(/\p{M}/gu, '')
    const [up, down] = [await inOrder(path, sort, 'asc'), await inOrder(path, sort, 'desc')]
    const { count } = await get(`/${path}/count`)
    expect([up.length, new Set(up.map(({ id }) => id)).size, down.length]).toEqual([count, count, count])
    const keys = up.map(key)
    expect(new Set(keys).size).toBeGreaterThan(1)
    for (const [before, after] of keys.slice(1).map((after, at) => [keys[at], after] as const))
      expect((before as string) <= (after as string), `${before} before ${after}`).toBe(true)
    expect(down.map(key)).toEqual([...keys].reverse())
  })
})
