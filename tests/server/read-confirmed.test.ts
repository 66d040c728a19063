import { afterAll, beforeAll, expect, test } from 'vitest'
import { createCompany, createEmployee } from '#tests/support/company.ts'
import { createPerson } from '#tests/support/people.ts'
import { type TestServer, call, createServer } from '#tests/support/server.ts'
import { type Headers, signInAs } from '#tests/support/sign-in.ts'

let server: TestServer
let employers: number[]
beforeAll(async () => {
  server = await createServer()
  employers = (await createCompany(server.db, 'Harbor', 2)).employerIds
  for (const employerId of employers) await createEmployee(server.db, { employerId, rate: 2500 })
})
afterAll(() => server.close())

const list = async (headers: Headers, query = '') => call(server, 'GET', `/employees${query}`, { headers })
const employersIn = async (headers: Headers) =>
  ((await list(headers, '?include=employer')).body.employees as { employer: { id: number } }[]).map(({ employer }) => employer.id)

/** A person whose session the server has just read. */
async function reader(permissions: number[]) {
  const person = await createPerson(server.db, { permissions })
  const headers = await signInAs(server, person)
  for (let time = 0; time < 3; time += 1) expect((await list(headers)).status).toBe(200)
  return { person, headers }
}

test('a revoked or added permission takes effect at the very next read', async () => {
  const { person, headers } = await reader([2])
  const rights = server.db.deleteFrom('person_permissions').where('person_id', '=', person.id)
  await rights.execute()
  expect((await list(headers)).status).toBe(403)
  expect((await list(headers)).status).toBe(403)
  await server.db.insertInto('person_permissions').values({ person_id: person.id, permission_id: 2 }).execute()
  expect((await list(headers)).status).toBe(200)
})

test('masking follows the current rights', async () => {
  const { person, headers } = await reader([2, 8])
  const rates = async () => (await list(headers)).body.employees.map((one: { rate_amount: number | null }) => one.rate_amount)
  const before = await rates()
  await server.db.deleteFrom('person_permissions').where('person_id', '=', person.id).where('permission_id', '=', 8).execute()
  expect([before, await rates()]).toEqual([
    [2500, 2500],
    [null, null],
  ])
})

test('a person who becomes an account manager sees only granted records from the next read on', async () => {
  const { person, headers } = await reader([2])
  expect(await employersIn(headers)).toEqual(employers)
  await server.db.updateTable('people').set({ kind: 'ACCOUNT_MANAGER' }).where('id', '=', person.id).execute()
  expect(await employersIn(headers)).toEqual([])
  const grant = { person_id: person.id, employer_id: employers[1] as number, organization_id: null }
  await server.db.insertInto('access_grants').values(grant).execute()
  expect(await employersIn(headers)).toEqual([employers[1]])
})

test('an ended session reads nothing, and that is reported before any other error', async () => {
  const { headers } = await reader([2])
  expect((await list(headers, '?limit=nonsense')).status).toBe(422)
  await call(server, 'POST', '/auth/logout', { headers })
  for (const query of ['', '?limit=nonsense', '']) {
    const answer = await list(headers, query)
    expect([answer.status, answer.body.code]).toEqual([401, 'session-expired'])
    expect(answer.body).not.toHaveProperty('employees')
  }
})

test('two people who read alternately each get their own answer', async () => {
  const [one, other] = [await reader([2]), await reader([2, 8])]
  const rates = async ({ headers }: typeof one) => (await list(headers)).body.employees[0].rate_amount
  const turns = await Promise.all(Array.from({ length: 20 }, (_, at) => rates(at % 2 === 0 ? one : other)))
  expect(turns).toEqual(Array.from({ length: 20 }, (_, at) => (at % 2 === 0 ? null : 2500)))
})
