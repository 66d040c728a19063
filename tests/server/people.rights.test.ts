import { afterAll, beforeAll, expect, test } from 'vitest'
import { createCompany, createEmployee } from '#tests/support/company.ts'
import { type TestPerson, createPerson } from '#tests/support/people.ts'
import { call, createServer, type TestServer } from '#tests/support/server.ts'
import { signInAs } from '#tests/support/sign-in.ts'

let server: TestServer
beforeAll(async () => {
  server = await createServer()
})
afterAll(() => server.close())

test('rights are listed as groups {name, id} and permissions {short_name, id}', async () => {
  const headers = await signInAs(server, await createPerson(server.db, { groups: [2], permissions: [98] }))
  const me = (await call(server, 'GET', '/me', { headers })).body as {
    groups: Record<string, unknown>[]
    permissions: Record<string, unknown>[]
  }
  expect(me.groups).toEqual([{ id: 2, name: 'timekeeping-approvers' }])
  expect(me.permissions).toContainEqual({ id: 98, short_name: 'read:compensations' })
  expect(me.permissions.map((permission) => permission['id'])).toEqual(expect.arrayContaining([2, 3, 6, 10, 98]))
  expect(me.permissions).toHaveLength(5)
})

test('GET me names the grants of an account manager; an admin sees all', async () => {
  const granted = await createCompany(server.db, 'Told Whole', 2)
  const single = await createCompany(server.db, 'Told Single', 2)
  const employerId = single.employerIds[1] as number
  const grants = [{ organizationId: granted.organizationId }, { employerId }]
  const manager = await createPerson(server.db, { kind: 'ACCOUNT_MANAGER', permissions: [3], grants })
  const me = async (person: TestPerson) => (await call(server, 'GET', '/me', { headers: await signInAs(server, person) })).body
  const { name } = await server.db
    .selectFrom('organizations')
    .select('name')
    .where('id', '=', granted.organizationId)
    .executeTakeFirstOrThrow()
  const { internal_name } = await server.db
    .selectFrom('employers')
    .select('internal_name')
    .where('id', '=', employerId)
    .executeTakeFirstOrThrow()
  expect((await me(manager)).grants).toEqual({
    organizations: [{ id: granted.organizationId, name }],
    employers: [{ id: employerId, name: internal_name }],
  })
  expect((await me(await createPerson(server.db, { kind: 'ACCOUNT_MANAGER' }))).grants).toEqual({
    organizations: [],
    employers: [],
  })
  expect((await me(await createPerson(server.db))).grants).toBe(null)
})

test("[PERM-002] an account manager's permissions apply to every connected employer, and to no other", async () => {
  const granted = await createCompany(server.db, 'Granted', 2)
  const single = await createCompany(server.db, 'Single', 2)
  const manager = await createPerson(server.db, {
    kind: 'ACCOUNT_MANAGER',
    permissions: [2, 9],
    grants: [{ organizationId: granted.organizationId }, { employerId: single.employerIds[0] as number }],
  })
  const headers = await signInAs(server, manager)
  const pauseAt = async (employerId: number | undefined) => {
    const { id } = await createEmployee(server.db, { employerId: employerId as number })
    return (
      await call(server, 'PATCH', `/employees/${id}`, {
        headers,
        body: { status: 'PAUSED', reason: 'Rate under review', version: 1 },
      })
    ).status
  }
  expect(await pauseAt(granted.employerIds[0])).toBe(200)
  expect(await pauseAt(granted.employerIds[1])).toBe(200)
  expect(await pauseAt(single.employerIds[0])).toBe(200)
  expect(await pauseAt(single.employerIds[1])).toBe(404)
})
