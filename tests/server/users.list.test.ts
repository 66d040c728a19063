import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listUsers, userSorts } from '#contract/users.ts'
import { permissionIds } from '#domain/permissions.ts'
import type { Actor } from '#server/access/actor.ts'
import type { Position } from '#server/paging/keyset.ts'
import type { Tx } from '#server/tables/database.ts'
import { userList } from '#server/tables/user-list.ts'
import { createCompany, createEmployee, createUser } from '#tests/support/company.ts'
import { planOf } from '#tests/support/plans.ts'
import { call, createServer, type TestServer } from '#tests/support/server.ts'
import { personWith, type SignedIn } from '#tests/support/session.ts'

let server: TestServer
let admin: SignedIn
/** Holds every permission, and was granted the first employer. */
let manager: SignedIn
let own: { employerId: number; organizationId: number }
let other: { employerId: number; organizationId: number }
/** Users by a short name. */
const ids: Record<string, number> = {}

const names = ['Ana Bauer', 'Zoë Adams', 'Ben Núñez', 'Cy Chan', 'Dora Diaz'] as const

beforeAll(async () => {
  server = await createServer()
  admin = await personWith(server, permissionIds)
  manager = await personWith(server, permissionIds, 'Maya Manager', 'ACCOUNT_MANAGER')
  const company = async (name: string) => {
    const { organizationId, employerIds } = await createCompany(server.db, name)
    return { organizationId, employerId: employerIds[0] as number }
  }
  own = await company('Own')
  other = await company('Other')
  await server.db
    .insertInto('access_grants')
    .values({ person_id: manager.id, organization_id: null, employer_id: own.employerId })
    .execute()
  for (const [index, name] of names.entries()) {
    const [firstName = '', lastName = ''] = name.split(' ')
    const { employerId } = index < 3 ? own : other
    const email = `${lastName.toLowerCase()}@example.com`.replace('ú', 'u').replace('ñ', 'n')
    const kyc = index === 1 ? 'DENIED' : index === 2 ? null : 'APPROVED'
    const made = await createEmployee(server.db, { employerId, firstName, lastName, linked: { email, kyc, forced: index === 0 } })
    ids[firstName] = made.userId as number
  }
  ids.Loner = (
    await createUser(server.db, {
      firstName: 'Loner',
      lastName: 'Gray',
      email: 'loner@example.com',
      phone: '(303) 555-0177',
      status: 'DELETED',
      brand: 'EARLYBIRD',
    })
  ).id
  await sql`update users set last_sign_in_at = ${'2026-03-05T03:00:00Z'}, created_at = ${'2026-01-15T12:00:00Z'}
    where id in (${ids.Ana}, ${ids.Dora})`.execute(server.db)
  await sql`update users set created_at = ${'2026-02-15T12:00:00Z'} where id not in (${ids.Ana}, ${ids.Dora})`.execute(server.db)
})
afterAll(() => server.close())

const list = async (query: string, who = admin) => {
  const { status, body } = await call(server, 'GET', `/users?${query}`, who)
  if (status !== 200) throw new Error(`${query}: ${status} ${body.detail}`)
  return body as { users: { id: number; first_name: string; employee: unknown }[]; lek: string | null }
}
const found = async (query: string, who = admin) => (await list(query, who)).users.map((user) => user.first_name)
const countOf = async (query: string, who = admin) => (await call(server, 'GET', `/users/count?${query}`, who)).body

describe('[API-124] the list', () => {
  test('has users with and without an employee', async () => {
    const { users } = await list('')
    expect(users.map((user) => user.id)).toEqual([...Object.values(ids)].sort((a, b) => a - b))
    expect(users[0]).toMatchObject({
      email: 'bauer@example.com',
      employee: { name: 'Ana Bauer', status: 'ACTIVE', flow: 'PAYROLL', employer: { id: own.employerId, name: 'Own Works 1' } },
    })
    expect(users.at(-1)).toMatchObject({ first_name: 'Loner', employee: null, employee_id: null })
  })

  test.each([
    ['status=DELETED', ['Loner']],
    ['status-not=DELETED,ACTIVE', []],
    ['kyc=DENIED', ['Zoë']],
    ['kyc-not=APPROVED', ['Zoë', 'Ben']],
    ['linked=NO', ['Loner']],
    ['linked=YES&brand=DAYLINE', ['Ana', 'Zoë', 'Ben', 'Cy', 'Dora']],
    ['password=YES', ['Ana']],
    ['name=nunez', ['Ben']],
    ['email=adams', ['Zoë']],
    // In New York it was still the day before.
    ['signed-in-from=2026-03-03&signed-in-to=2026-03-04', ['Ana', 'Dora']],
    ['signed-in-on=2026-03-04', ['Ana', 'Dora']],
    ['signed-in-on=2026-03-05', []],
    ['signed-in-from=2026-03-05&signed-in-to=2026-12-31', []],
    ['joined-from=2020-01-01&joined-to=2026-01-31', ['Ana', 'Dora']],
    ['joined-from=2026-02-15&joined-to=2027-12-31&linked=NO', ['Loner']],
  ])('is filtered by %s, and counted', async (query, expected) => {
    expect(await found(query)).toEqual(expected)
    expect(await countOf(query)).toEqual({ count: expected.length, exact: true })
  })

  test('is filtered by employer, by organization and by ids', async () => {
    expect(await found(`employer-id=${other.employerId}`)).toEqual(['Cy', 'Dora'])
    expect(await found(`organization-id=${own.organizationId}`)).toEqual(['Ana', 'Zoë', 'Ben'])
    expect(await found(`id=${ids.Cy},${ids.Loner}`)).toEqual(['Cy', 'Loner'])
  })

  test.each([
    ['sort=name', ['Zoë', 'Ana', 'Cy', 'Dora', 'Loner', 'Ben']],
    ['sort=name&sort-order=desc', ['Ben', 'Loner', 'Dora', 'Cy', 'Ana', 'Zoë']],
    ['sort=status', ['Ana', 'Zoë', 'Ben', 'Cy', 'Dora', 'Loner']],
    ['sort=last_sign_in_at', ['Ana', 'Dora', 'Zoë', 'Ben', 'Cy', 'Loner']],
    ['sort=created_at&sort-order=desc', ['Loner', 'Cy', 'Ben', 'Zoë', 'Dora', 'Ana']],
  ])('is sorted by %s, page by page and backwards', async (query, expected) => {
    expect(await found(query)).toEqual(expected)
    const walk = async (direction: string) => {
      const pages: string[][] = []
      for (let lek: string | null = ''; lek !== null; ) {
        const page: Awaited<ReturnType<typeof list>> = await list(
          `${query}&limit=2&direction=${direction}${lek && `&lek=${encodeURIComponent(lek)}`}`,
        )
        pages.push(page.users.map((user) => user.first_name))
        lek = page.lek
      }
      return pages
    }
    expect((await walk('after')).flat()).toEqual(expected)
    expect((await walk('before')).reverse().flat()).toEqual(expected)
  })

  test.each([
    ['nunez', ['Ben']],
    ['zoe', ['Zoë']],
    ['loner@example.com', ['Loner']],
    ['303 555 0177', ['Loner']],
    ['dia dor', ['Dora']],
    ['nobody', []],
  ])('is searched for %s', async (q, expected) => {
    expect(await found(`q=${encodeURIComponent(q)}`)).toEqual(expected)
    expect((await countOf(`q=${encodeURIComponent(q)}`)).count).toBe(expected.length)
  })

  test('finds a user by id, also together with other nouns, but no employee by that id', async () => {
    expect(await found(`q=${ids.Cy}`)).toEqual(['Cy'])
    const { body } = await call(server, 'GET', `/search?ids=employees:${ids.Cy},users:${ids.Cy}`, admin)
    expect(Object.keys(body.records)).toEqual(['users'])
    expect(body.records.users.id).toBe(ids.Cy)
  })
})

describe('[PERM-003] an account manager', () => {
  const theirs = ['Ana', 'Zoë', 'Ben']

  test.each(userSorts)('sees only users of accessible employees, sorted by %s', async (sort) => {
    for (const order of ['asc', 'desc'])
      expect((await found(`sort=${sort}&sort-order=${order}`, manager)).sort()).toEqual([...theirs].sort())
  })

  test('learns of no other by any filter, search, count, id or part of a record', async () => {
    expect(await countOf('', manager)).toEqual({ count: 3, exact: true })
    for (const query of [
      'linked=NO',
      'status=DELETED',
      'q=loner',
      'q=diaz',
      `q=${ids.Cy}`,
      'name=gray',
      'email=loner',
      `employer-id=${other.employerId}`,
      `organization-id=${other.organizationId}`,
      `id=${ids.Cy},${ids.Loner}`,
      'brand=EARLYBIRD',
    ]) {
      expect([query, await found(query, manager)]).toEqual([query, []])
      expect([query, await countOf(query, manager)]).toEqual([query, { count: 0, exact: true }])
    }
    for (const path of ['', '/kyc', '/current-address', '/events'])
      for (const id of [ids.Loner, ids.Cy]) {
        const [there, none] = await Promise.all(
          [id, 987_654_321].map((each) => call(server, 'GET', `/users/${each}${path}`, manager)),
        )
        expect([there?.status, there?.body]).toEqual([404, none?.body])
      }
    expect((await call(server, 'GET', `/users/${ids.Ana}`, manager)).status).toBe(200)
  })

  test('no longer sees a user once the employee is unlinked', async () => {
    const { id, userId } = await createEmployee(server.db, { employerId: own.employerId, linked: {} })
    expect((await call(server, 'GET', `/users/${userId}`, manager)).status).toBe(200)
    await call(server, 'POST', `/employees/${id}/unlink`, { ...admin, body: {} })
    expect((await call(server, 'GET', `/users/${userId}`, manager)).status).toBe(404)
    expect((await call(server, 'GET', `/users/${userId}`, admin)).body.employee).toBeNull()
    await sql`delete from identity_checks where user_id = ${userId}`.execute(server.owner)
    await sql`delete from users where id = ${userId}`.execute(server.owner)
  })

  test('sees a user once the employee moves to an accessible employer', async () => {
    const { id, userId } = await createEmployee(server.db, { employerId: other.employerId, linked: {} })
    expect((await call(server, 'GET', `/users/${userId}`, manager)).status).toBe(404)
    await sql`update employees set employer_id = ${own.employerId}, organization_id = ${own.organizationId}
      where id = ${id}`.execute(server.owner)
    expect((await call(server, 'GET', `/users/${userId}`, manager)).status).toBe(200)
    await sql`delete from employees where id = ${id}`.execute(server.owner)
    expect((await call(server, 'GET', `/users/${userId}`, manager)).status).toBe(404)
  })
})

test('the status of an employee paid off-cycle is masked without its permission', async () => {
  const { id, userId } = await createEmployee(server.db, { employerId: own.employerId, linked: {} })
  await sql`update employees set status = 'OFFCYCLE_PAID' where id = ${id}`.execute(server.owner)
  const without = await personWith(
    server,
    permissionIds.filter((each) => each !== 17),
  )
  expect((await call(server, 'GET', `/users/${userId}`, without)).body.employee.status).toBeNull()
  expect((await call(server, 'GET', `/users/${userId}`, admin)).body.employee.status).toBe('OFFCYCLE_PAID')
})

test('[API-128] the current address of a user, or null if unknown', async () => {
  const address = {
    line_1: '12 Birch Lane',
    line_2: null,
    city: 'Elmville',
    state: 'CA',
    postal_code: '90210',
    since: '2025-03-01',
  }
  await server.db
    .insertInto('current_addresses')
    .values({ user_id: ids.Ana as number, ...address })
    .execute()
  expect((await call(server, 'GET', `/users/${ids.Ana}/current-address`, manager)).body).toEqual({ address })
  expect((await call(server, 'GET', `/users/${ids.Cy}/current-address`, admin)).body).toEqual({ address: null })
})

test('page 1,000 reads as much as page 1, in every order', async () => {
  await sql`insert into users (brand, first_name, last_name, email, status, last_sign_in_at, created_at)
    select 'DAYLINE', 'Many' || n % 97, 'Person' || n % 89, 'p' || n || '@example.com', 'ACTIVE', now() - n * interval '1 hour',
      now() - n * interval '1 minute' from generate_series(1, 12400) n`.execute(server.owner)
  await sql`analyze users`.execute(server.owner)
  const actor = { kind: 'ADMIN', id: admin.id, held: new Set<number>(permissionIds) } as unknown as Actor
  for (const sort of userSorts) {
    const page = (limit: number, from: Position | null) => (tx: Tx) =>
      userList.page({ tx, actor }, listUsers.query.parse({ sort, limit: String(limit) }), from)
    let deep: Position | null = null
    for (let read = 0; read < 60; read++) deep = (await page(200, deep)(server.db as unknown as Tx)).next
    expect(deep).not.toBeNull()
    const [first, far] = [await planOf(server, page(12, null)), await planOf(server, page(12, deep))]
    expect(
      [sort, far.chosen / first.chosen <= 1.2 || far.chosen - first.chosen <= 8],
      `${far.chosen} and ${first.chosen}`,
    ).toEqual([sort, true])
  }
})
