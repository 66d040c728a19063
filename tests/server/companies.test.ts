import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createCompany } from '#tests/support/company.ts'
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

test('[API-028] [API-029] employers page by cursor, by name and by id, both ways', async () => {
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

  test('[API-032] active ones do not show the inactive', async () => {
    const active = await get('/employers?status=ACTIVE&limit=200')
    expect(active.employers).toHaveLength(59)
    expect(names(active)).not.toContain(solo2)
  })
})

describe('one employer', () => {
  let one: Record<string, unknown>
  beforeAll(async () => {
    one = await get(`/employers/${harbor.employerIds[0]}`)
  })

  test.each([
    ['ENT-037', { internal_name: 'Harbor Works 1', external_name: 'Harbor Works' }],
    ['ENT-038', { external_code: 'HA-1' }],
    ['ENT-039', { brand: 'DAYLINE' }],
    ['ENT-041', { status: 'ACTIVE' }],
  ])('[%s] carries %o', (_, part) => {
    expect(one).toMatchObject(part)
  })

  test('[API-038] [ENT-044] is read by its id, with its organization, and nothing that is not declared', async () => {
    expect(one).toMatchObject({ id: harbor.employerIds[0], organization_id: harbor.organizationId, organization_name: 'Harbor' })
    expect(Object.keys(one).sort()).toEqual([
      'brand',
      'external_code',
      'external_name',
      'id',
      'internal_name',
      'organization_id',
      'organization_name',
      'status',
      'version',
    ])
    expect((await call(server, 'GET', '/employers/999999999', { headers: admin })).status).toBe(404)
  })
})

test('[CONST-001] [API-047] [API-048] organizations answer 30 by default, with a cursor, in both orders', async () => {
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

test('[API-055] [ENT-031] [ENT-032] [ENT-033] one organization carries names, brand, source code and status', async () => {
  expect(await get(`/organizations/${harbor.organizationId}`)).toEqual({
    id: harbor.organizationId,
    name: 'Harbor',
    lookup_name: 'harbor',
    brand: 'DAYLINE',
    source_code: 'SRC-Harbor',
    status: 'ACTIVE',
    version: 1,
  })
})

test('[CONST-003] [API-057] a lookup by name is limited to 20 by who asks', async () => {
  expect((await get('/employers?name=works&limit=20')).employers).toHaveLength(20)
  expect((await get('/organizations?name=other&limit=20')).organizations).toHaveLength(20)
})

test('[PERM-003] [CARD-008] a grant of one employer shows its organization, not the other employers', async () => {
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
  expect((await call(server, 'GET', `/employers/${harbor.employerIds[4]}`, { headers })).status).toBe(404)
  expect((await call(server, 'GET', `/organizations/${solo.organizationId}`, { headers })).status).toBe(404)
  const nobody = await signInAs(server, await createPerson(server.db, { kind: 'ACCOUNT_MANAGER', permissions: [3, 4] }))
  expect((await get('/employers', nobody)).employers).toEqual([])
  expect((await get('/organizations', nobody)).organizations).toEqual([])
})
