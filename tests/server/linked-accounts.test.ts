import { afterAll, beforeAll, expect, test } from 'vitest'
import { permissionIds } from '#domain/permissions.ts'
import { createCompany, createEmployee, createLinkedAccount } from '#tests/support/company.ts'
import { createPerson } from '#tests/support/people.ts'
import { call, createServer, type TestServer } from '#tests/support/server.ts'
import { type Headers, signInAs } from '#tests/support/sign-in.ts'

let server: TestServer
let admin: Headers
let other: Headers
let employerId: number

beforeAll(async () => {
  server = await createServer()
  employerId = (await createCompany(server.db, 'Harbor')).employerIds[0] as number
  admin = await signInAs(server, await createPerson(server.db, { name: 'Ada Admin', groups: [1] }))
  other = await signInAs(server, await createPerson(server.db, { name: 'Otto Other', groups: [1] }))
})
afterAll(() => server.close())

const get = (path: string, headers = admin) => call(server, 'GET', path, { headers })
const headersWith = async (...permissions: number[]) => signInAs(server, await createPerson(server.db, { permissions }))

/** An employee with a user and linked accounts, in this order. */
async function linkedTo(flow: 'PAYROLL' | 'CONSUMER', ...links: readonly (readonly ['BANK_ACCOUNT' | 'CARD', string])[]) {
  const { id, userId } = await createEmployee(server.db, { employerId, flow, linked: {} })
  const ids: number[] = []
  for (const [kind, status] of links)
    ids.push(await createLinkedAccount(server.db, { userId: userId as number, kind, status: status as 'ACTIVE' }))
  return { id, userId: userId as number, ids }
}

const because = { reason: 'Lost', notes: 'Reported by phone' }
const deleteCard = (userId: number, id: number, body: object = because, headers = admin, version: number | '' = 1) =>
  call(server, 'DELETE', `/users/${userId}/cards/${id}?version=${version}`, { headers, body })
const deleteBank = (userId: number, id: number, headers = admin, version: number | '' = 1) =>
  call(server, 'DELETE', `/users/${userId}/bank-accounts/${id}?version=${version}`, { headers, body: {} })

test('linked accounts have their state, by employee, by user, and one by one', async () => {
  const { id, userId, ids } = await linkedTo('PAYROLL', ['BANK_ACCOUNT', 'ACTIVE'], ['CARD', 'FAIL'], ['CARD', 'PENDING'])
  const { body } = await get(`/employees/${id}/linked-accounts`)
  expect(body.linked_accounts.map((one: { id: number; kind: string; status: string }) => [one.id, one.kind, one.status])).toEqual(
    [
      [ids[0], 'BANK_ACCOUNT', 'ACTIVE'],
      [ids[1], 'CARD', 'FAIL'],
      [ids[2], 'CARD', 'PENDING'],
    ],
  )
  expect(body.linked_accounts[1]).toMatchObject({ brand: 'Visa', bank_name: null, last_four: '4242', deletion: null })
  expect(body.linked_accounts[1].failure).not.toBeNull()
  expect((await get(`/employees/${id}/linked-accounts/count?kind=CARD&status-not=FAIL`)).body).toEqual({ count: 1, exact: true })
  expect((await get(`/users/${userId}/bank-accounts`)).body.bank_accounts).toEqual([body.linked_accounts[0]])
  expect((await get(`/users/${userId}/cards?status=PENDING`)).body.cards).toEqual([body.linked_accounts[2]])
  expect((await get(`/linked-accounts/${ids[0]}`)).body).toEqual(body.linked_accounts[0])
})

test('both kinds are one list, which for users without an employee is visible to admins only', async () => {
  const { id, userId, ids } = await linkedTo('PAYROLL', ['BANK_ACCOUNT', 'ACTIVE'], ['CARD', 'FAIL'], ['CARD', 'PENDING'])
  const idsOf = async (path: string, headers = admin) =>
    (await get(`/users/${userId}/linked-accounts${path}`, headers)).body.linked_accounts.map((one: { id: number }) => one.id)
  expect(await idsOf('')).toEqual(ids)
  expect(await idsOf('?kind=CARD&status-not=FAIL')).toEqual([ids[2]])
  expect((await get(`/users/${userId}/linked-accounts/count?kind=CARD`)).body).toEqual({ count: 2, exact: true })
  const first = (await get(`/users/${userId}/linked-accounts?limit=2`)).body
  expect((await idsOf(`?limit=2&lek=${first.lek}`)).concat(first.linked_accounts.length)).toEqual([ids[2], 2])
  const manager = async (...grants: { employerId: number }[]) =>
    signInAs(server, await createPerson(server.db, { kind: 'ACCOUNT_MANAGER', permissions: [2], grants }))
  const granted = await manager({ employerId })
  expect(await idsOf('', granted)).toEqual(ids)
  for (const path of ['', '/count'])
    expect((await get(`/users/${userId}/linked-accounts${path}`, await manager())).status).toBe(404)
  await call(server, 'POST', `/employees/${id}/unlink`, { headers: admin, body: {} })
  expect(await idsOf('')).toEqual(ids)
  for (const path of ['', '/count']) expect((await get(`/users/${userId}/linked-accounts${path}`, granted)).status).toBe(404)
})

test('the list is paged by cursor in every order, and empty without a linked user', async () => {
  const { id } = await linkedTo('PAYROLL', ['BANK_ACCOUNT', 'ACTIVE'], ['CARD', 'ACTIVE'], ['CARD', 'PENDING'])
  for (const sort of ['id', 'kind', 'status', 'added_at']) {
    const path = `/employees/${id}/linked-accounts?sort=${sort}&sort-order=desc`
    const whole = (await get(path)).body.linked_accounts
    const first = (await get(`${path}&limit=2`)).body
    const rest = (await get(`${path}&limit=2&lek=${first.lek}`)).body
    expect([...first.linked_accounts, ...rest.linked_accounts]).toEqual(whole)
    expect(rest.lek).toBeNull()
  }
  await call(server, 'POST', `/employees/${id}/unlink`, { headers: admin, body: {} })
  expect((await get(`/employees/${id}/linked-accounts`)).body).toEqual({ linked_accounts: [], lek: null })
  expect((await get(`/employees/${id}/linked-accounts/count`)).body.count).toBe(0)
})

test('[VAL-007] a card is deleted with actor, reason and time, and stays in the list', async () => {
  const { id, userId, ids } = await linkedTo('PAYROLL', ['CARD', 'ACTIVE'])
  const deleted = await deleteCard(userId, ids[0] as number)
  expect(deleted.status).toBe(200)
  expect(deleted.body).toMatchObject({
    id: ids[0],
    status: 'DELETED',
    version: 2,
    deletion: { by: { name: 'Ada Admin' }, reason: 'Lost', notes: 'Reported by phone' },
  })
  expect((await get(`/employees/${id}/linked-accounts`)).body.linked_accounts).toEqual([deleted.body])
  const again = await deleteCard(userId, ids[0] as number, because, admin, 2)
  expect([again.status, again.body.detail]).toEqual([409, 'Actions unavailable when in Deleted.'])
})

test('[VAL-009] [VAL-010] deleting a card needs a reason and notes', async () => {
  const { userId, ids } = await linkedTo('PAYROLL', ['CARD', 'ACTIVE'])
  for (const [body, path] of [
    [{ notes: 'Reported' }, 'reason'],
    [{ reason: '  ', notes: 'Reported' }, 'reason'],
    [{ reason: 'Lost' }, 'notes'],
    [{ reason: 'Lost', notes: ' \n ' }, 'notes'],
  ] as const) {
    const answer = await deleteCard(userId, ids[0] as number, body)
    expect([answer.status, answer.body.errors]).toEqual([422, [{ path, message: 'This is a required field.' }]])
  }
  expect((await get(`/linked-accounts/${ids[0]}`)).body.status).toBe('ACTIVE')
})

test('[ENUM-019] [ENUM-025] a deleted card is DEACTIVATE in the category card of the history', async () => {
  const { id, userId, ids } = await linkedTo('PAYROLL', ['CARD', 'ACTIVE'])
  await deleteCard(userId, ids[0] as number)
  const { events } = (await get(`/employees/${id}/events`)).body
  expect(events).toHaveLength(1)
  expect(events[0]).toMatchObject({
    status: 'DEACTIVATE',
    category: 'card',
    actor: { name: 'Ada Admin' },
    text: 'Visa 4242\nLost\nReported by phone',
    changes: [{ field: 'card_status', before: 'ACTIVE', after: 'DELETED' }],
  })
})

test('[VAL-008] a bank account is deleted, and named in the history under the category user', async () => {
  const { id, userId, ids } = await linkedTo('PAYROLL', ['BANK_ACCOUNT', 'ACTIVE'], ['CARD', 'ACTIVE'])
  const deleted = await deleteBank(userId, ids[0] as number)
  expect(deleted.body).toMatchObject({ status: 'DELETED', deletion: { by: { name: 'Ada Admin' }, reason: null, notes: null } })
  expect((await get(`/employees/${id}/events`)).body.events[0]).toMatchObject({
    status: 'Bank account deleted',
    category: 'user',
    text: 'Harborline Bank 4242',
  })
})

test('[ERR-027] the bank account of a consumer flow user stays while a card is connected', async () => {
  const sentence =
    "This is a consumer flow user. It's forbidden to deactivate the bank account while user still has a card connected."
  const { userId, ids } = await linkedTo('CONSUMER', ['BANK_ACCOUNT', 'ACTIVE'], ['CARD', 'ACTIVE'], ['CARD', 'FAIL'])
  const [bank, card] = ids as [number, number]
  const refused = await deleteBank(userId, bank)
  expect([refused.status, refused.body.code, refused.body.detail]).toEqual([409, 'card-connected', sentence])
  expect((await get(`/linked-accounts/${bank}`)).body).toMatchObject({ status: 'ACTIVE', card_connected: true, flow: 'CONSUMER' })
  await deleteCard(userId, card)
  expect((await deleteBank(userId, bank)).status).toBe(200)
})

test('[ERR-028] [ERR-029] failed links cannot be deleted', async () => {
  const { userId, ids } = await linkedTo('PAYROLL', ['BANK_ACCOUNT', 'FAIL'], ['CARD', 'FAIL'])
  const bank = await deleteBank(userId, ids[0] as number)
  expect([bank.status, bank.body.code, bank.body.detail]).toEqual([409, 'failed-link', 'Failed bank links cannot be deleted.'])
  const card = await deleteCard(userId, ids[1] as number)
  expect([card.status, card.body.code, card.body.detail]).toEqual([409, 'failed-link', 'Failed card links cannot be deleted.'])
})

test('a deletion needs a version: a missing one is refused, a stale one gets a conflict', async () => {
  const { userId, ids } = await linkedTo('PAYROLL', ['CARD', 'ACTIVE'])
  const [card] = ids as [number]
  const path = `/users/${userId}/cards/${card}`
  const missing = await call(server, 'DELETE', path, { headers: admin, body: because })
  expect([missing.status, missing.body.errors[0].path]).toEqual([422, 'version'])
  const stale = await deleteCard(userId, card, because, admin, 7)
  expect([stale.status, stale.body.code, stale.body.facts.id]).toEqual([409, 'stale-version', card])
})

test('of two people who delete one card, the second gets a conflict; a resent call is one', async () => {
  const { id, userId, ids } = await linkedTo('PAYROLL', ['CARD', 'ACTIVE'], ['CARD', 'ACTIVE'])
  const answers = await Promise.all([deleteCard(userId, ids[0] as number), deleteCard(userId, ids[0] as number, because, other)])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  expect(answers.find(({ status }) => status === 409)?.body.facts).toMatchObject({ status: 'DELETED', version: 2 })

  const headers = { ...admin, 'idempotency-key': `twice-${ids[1]}` }
  const twice = await Promise.all([1, 2].map(() => deleteCard(userId, ids[1] as number, because, headers)))
  expect(twice.map(({ status }) => status)).toEqual([200, 200])
  expect(twice[0]?.body).toEqual(twice[1]?.body)
  expect((await get(`/employees/${id}/events`)).body.events).toHaveLength(2)
})

test('a bank account and its last card deleted concurrently end as if in sequence', async () => {
  for (let round = 0; round < 4; round += 1) {
    const { userId, ids } = await linkedTo('CONSUMER', ['BANK_ACCOUNT', 'ACTIVE'], ['CARD', 'ACTIVE'])
    const [bank, card] = await Promise.all([
      deleteBank(userId, ids[0] as number),
      deleteCard(userId, ids[1] as number, because, other),
    ])
    expect(card.status).toBe(200)
    expect([200, 409]).toContain(bank.status)
    expect((await get(`/linked-accounts/${ids[0]}`)).body.status).toBe(bank.status === 200 ? 'DELETED' : 'ACTIVE')
  }
})

test('reading needs read:employees, deleting write:users', async () => {
  const { id, userId, ids } = await linkedTo('PAYROLL', ['CARD', 'ACTIVE'])
  const reader = await headersWith(2)
  expect((await get(`/employees/${id}/linked-accounts`, reader)).status).toBe(200)
  expect((await get(`/employees/${id}/linked-accounts`, await headersWith(1, 3))).status).toBe(403)
  expect((await deleteCard(userId, ids[0] as number, because, reader)).status).toBe(403)
  expect((await deleteCard(userId, ids[0] as number, because, await headersWith(2, 1021))).status).toBe(200)
})

test('[PERM-003] another user, kind or employee is 404, and without an employee admins only', async () => {
  const { id, userId, ids } = await linkedTo('PAYROLL', ['CARD', 'ACTIVE'], ['BANK_ACCOUNT', 'ACTIVE'])
  const [card, bank] = ids as [number, number]
  const elsewhere = (await createCompany(server.db, 'Elsewhere')).employerIds[0] as number
  const managerOf = async (employer: number) =>
    signInAs(
      server,
      await createPerson(server.db, { kind: 'ACCOUNT_MANAGER', permissions: permissionIds, grants: [{ employerId: employer }] }),
    )
  const stranger = await managerOf(elsewhere)
  const paths = [
    `/employees/${id}/linked-accounts`,
    `/employees/${id}/linked-accounts/count`,
    `/users/${userId}/cards`,
    `/users/${userId}/bank-accounts`,
    `/linked-accounts/${card}`,
  ]
  for (const path of paths) expect([path, (await get(path, stranger)).status]).toEqual([path, 404])
  expect((await deleteCard(userId, card, because, stranger)).status).toBe(404)
  const another = await linkedTo('PAYROLL')
  expect((await deleteCard(another.userId, card)).status).toBe(404)
  expect((await deleteCard(userId, bank)).status).toBe(404)
  expect((await deleteBank(userId, card)).status).toBe(404)

  const own = await managerOf(employerId)
  expect((await get(`/users/${userId}/cards`, own)).body.cards).toHaveLength(1)
  await call(server, 'POST', `/employees/${id}/unlink`, { headers: admin, body: {} })
  expect((await get(`/users/${userId}/cards`, own)).status).toBe(404)
  expect((await deleteCard(userId, card, because, own)).status).toBe(404)
  expect((await get(`/users/${userId}/cards`)).body.cards).toHaveLength(1)
  expect((await deleteCard(userId, card)).status).toBe(200)
})
