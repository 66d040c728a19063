import { afterAll, beforeAll, expect, test } from 'vitest'
import { createCompany, createEmployee } from '#tests/support/company.ts'
import { createPerson } from '#tests/support/people.ts'
import { call, createServer, type TestServer } from '#tests/support/server.ts'
import { type Headers, signInAs } from '#tests/support/sign-in.ts'

let server: TestServer
let reader: Headers
let id: number

beforeAll(async () => {
  server = await createServer()
  const { organizationId, employerIds } = await createCompany(server.db, 'Harbor')
  id = (await createEmployee(server.db, { employerId: employerIds[0] as number })).id
  const reward = { organization_id: organizationId, employee_id: id, earned_date: '2026-01-05', expiry_date: '2026-04-05' }
  await server.owner
    .insertInto('rewards')
    .values([
      { ...reward, kind: 'SIGN_UP', amount: 10_00, status: 'GRANTED', granted_date: '2026-01-20' },
      { ...reward, kind: 'REFERRAL', amount: 25_00, status: 'PENDING', granted_date: null, earned_date: '2026-02-01' },
      { ...reward, kind: 'SURVEY', amount: 5_00, status: 'EXPIRED', granted_date: null },
    ])
    .execute()
  reader = await signInAs(server, await createPerson(server.db, { permissions: [2] }))
})
afterAll(() => server.close())

const get = (query = '', headers = reader) => call(server, 'GET', `/employees/${id}/rewards${query}`, { headers })

test('the rewards of an employee have reason, cents, state and dates', async () => {
  const { status, body } = await get()
  expect(status).toBe(200)
  expect(body.rewards).toEqual([
    expect.objectContaining({
      kind: 'SIGN_UP',
      amount: 1000,
      status: 'GRANTED',
      earned_date: '2026-01-05',
      granted_date: '2026-01-20',
    }),
    expect.objectContaining({ kind: 'REFERRAL', amount: 2500, status: 'PENDING', granted_date: null, expiry_date: '2026-04-05' }),
    expect.objectContaining({ kind: 'SURVEY', amount: 500, status: 'EXPIRED', granted_date: null }),
  ])
})

test('they are filtered, counted, summed and sorted, page by page', async () => {
  const kinds = async (query: string) => (await get(query)).body.rewards.map((one: { kind: string }) => one.kind)
  expect(await kinds('?status=GRANTED,PENDING')).toEqual(['SIGN_UP', 'REFERRAL'])
  expect(await kinds('?kind-not=SURVEY&sort=amount&sort-order=desc')).toEqual(['REFERRAL', 'SIGN_UP'])
  expect((await get('/count')).body).toEqual({ count: 3, exact: true, totals: { amount: 4000, granted_amount: 1000 } })
  expect((await get('/count?kind=SURVEY')).body.totals).toEqual({ amount: 500, granted_amount: 0 })
  const first = (await get('?sort=earned_date&limit=2')).body
  expect((await get(`?sort=earned_date&limit=2&lek=${first.lek}`)).body.rewards).toHaveLength(1)
})

test('[PERM-003] they need read:employees and access to the employee, and cannot be written', async () => {
  expect((await get('', await signInAs(server, await createPerson(server.db, { permissions: [1, 3] })))).status).toBe(403)
  const stranger = await createPerson(server.db, { kind: 'ACCOUNT_MANAGER', permissions: [2], grants: [] })
  const headers = await signInAs(server, stranger)
  expect((await get('', headers)).status).toBe(404)
  expect((await get('/count', headers)).status).toBe(404)
  await expect(server.db.deleteFrom('rewards').execute()).rejects.toThrow(/permission denied/)
})
