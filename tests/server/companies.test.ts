import { afterAll, beforeAll, expect, test } from 'vitest'
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

test('[API-030] [API-031] [API-032] [API-033] [API-034] [API-035] [API-037] employers by each filter', async () => {
  const [first, second] = solo.employerIds
  expect(names(await get(`/employers?id=${first},${second}`))).toEqual(['Soló Works 1', 'Soló Works 2'])
  expect(names(await get('/employers?name=solo'))).toEqual(['Soló Works 1', 'Soló Works 2'])
  expect(names(await get('/employers?external-code=SO-2'))).toEqual(['Soló Works 2'])
  expect(names(await get(`/employers?lookup-name=${encodeURIComponent('soló-works-1')}`))).toEqual(['Soló Works 1'])
  expect((await get(`/employers?organization-id=${harbor.organizationId}&limit=200`)).employers).toHaveLength(25)
  await server.db
    .updateTable('employers')
    .set({ status: 'INACTIVE', brand: 'EARLYBIRD' })
    .where('id', '=', second as number)
    .execute()
  expect(names(await get('/employers?status=INACTIVE'))).toEqual(['Soló Works 2'])
  expect(names(await get('/employers?brand=EARLYBIRD'))).toEqual(['Soló Works 2'])
  expect(names(await get('/employers?q=2%20solo'))).toEqual(['Soló Works 2'])
})

test('[API-038] [ENT-037] [ENT-038] [ENT-039] [ENT-041] [ENT-044] one employer carries names, code, brand, status, organization', async () => {
  expect(await get(`/employers/${harbor.employerIds[0]}`)).toEqual({
    id: harbor.employerIds[0],
    internal_name: 'Harbor Works 1',
    external_name: 'Harbor Works',
    external_code: 'HA-1',
    brand: 'DAYLINE',
    status: 'ACTIVE',
    organization_id: harbor.organizationId,
    organization_name: 'Harbor',
    version: 1,
  })
  expect((await call(server, 'GET', '/employers/999999999', { headers: admin })).status).toBe(404)
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

test('[API-049] [API-050] [API-051] [API-052] [API-053] organizations by each filter', async () => {
  const only = async (query: string) =>
    (await get(`/organizations?${query}`)).organizations.map((organization: { id: number }) => organization.id)
  expect(await only('name=solo')).toEqual([solo.organizationId])
  expect(await only(`id=${harbor.organizationId}`)).toEqual([harbor.organizationId])
  expect(await only('lookup-name=harbor')).toEqual([harbor.organizationId])
  expect(await only('source-code=SRC-Harbor')).toEqual([harbor.organizationId])
  await server.db.updateTable('organizations').set({ status: 'INACTIVE' }).where('id', '=', solo.organizationId).execute()
  expect(await only('status=INACTIVE')).toEqual([solo.organizationId])
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
