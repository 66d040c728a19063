import { afterAll, beforeAll, expect, test } from 'vitest'
import { searchable, searchKinds } from '#contract/search.ts'
import { createCompany, createEmployee } from '#tests/support/company.ts'
import { createInvoice, createRepayment } from '#tests/support/money.ts'
import { createPerson } from '#tests/support/people.ts'
import { call, createServer, type TestServer } from '#tests/support/server.ts'
import { type Headers, signInAs } from '#tests/support/sign-in.ts'

let server: TestServer
let admin: Headers
let manager: Headers
/** Records of the manager's company, and of another one. */
let own: { employerId: number; employee: number; invoice: number }
let other: typeof own

async function company(name: string): Promise<typeof own> {
  const { employerIds } = await createCompany(server.db, name)
  const employerId = employerIds[0] as number
  const { id } = await createEmployee(server.db, { employerId, firstName: 'Quill', lastName: name })
  const invoice = await createInvoice(server.db, { employerId })
  await createRepayment(server.db, { debtor: { type: 'EMPLOYER', id: employerId }, amount: 10_00 })
  return { employerId, employee: id, invoice: invoice.id }
}

beforeAll(async () => {
  server = await createServer()
  own = await company('Quayside')
  other = await company('Quarry')
  admin = await signInAs(server, await createPerson(server.db, { groups: [1] }))
  const kept = { kind: 'ACCOUNT_MANAGER', permissions: [2, 98], grants: [{ employerId: own.employerId }] } as const
  manager = await signInAs(server, await createPerson(server.db, kept))
})
afterAll(() => server.close())

interface Answer {
  lists: Record<string, Record<string, { id: number }[]>>
  similar?: Answer['lists']
  records: Record<string, { id: number }>
}

async function search(query: Record<string, string>, headers = admin): Promise<Answer> {
  const answer = await call(server, 'GET', `/search?${new URLSearchParams(query)}`, { headers })
  expect([answer.status, answer.body]).toEqual([200, expect.anything()])
  return answer.body as Answer
}
const rowsOf = (list: Answer['lists'][string] | undefined) => Object.values(list ?? {}).find(Array.isArray) ?? []
const sorted = (list: Answer['lists'][string] | undefined) => [...rowsOf(list)].sort((a, b) => a.id - b.id)
const idsOf = (answer: Answer, kind: string) => rowsOf(answer.lists[kind]).map((row: { id: number }) => row.id)

test('a search returns for each kind what its list returns', async () => {
  const kinds = searchKinds.join()
  for (const q of ['Qua', 'quarry', String(own.invoice)]) {
    const { lists } = await search({ q, kinds, limit: '5', include: 'employer' })
    expect(Object.keys(lists).sort()).toEqual([...searchKinds].sort())
    for (const kind of searchKinds) {
      const [{ path }] = searchable[kind]
      const include = kind === 'employees' ? '&include=employer' : ''
      const newest = ['repayments', 'bank-results'].includes(kind) ? '&sort-order=desc' : ''
      const { body } = await call(server, 'GET', `${path}?q=${q}&limit=5${newest}${include}`, { headers: admin })
      // Open work comes first here, which the test below covers.
      if (['invoices', 'write-offs', 'deductions'].includes(kind))
        expect([kind, sorted(lists[kind])]).toEqual([kind, sorted(body as Answer['lists'][string])])
      else expect([kind, lists[kind]]).toEqual([kind, body])
    }
  }
})

test('of an employer’s invoices the typed number comes first, then unpaid ones, then the newest', async () => {
  const { employerId, invoice } = await company('Quince')
  const made = async (status: 'CLOSED' | 'DRAFT' | 'SENT', dueDate = 5) =>
    (await createInvoice(server.db, { employerId, status, dueDate })).id
  const closed = [await made('CLOSED'), await made('CLOSED')]
  const overdue = await made('SENT', -3)
  const draft = await made('DRAFT')
  const found = async (limit: string) => idsOf(await search({ q: 'quince', kinds: 'invoices', limit }), 'invoices')
  expect(await found('5')).toEqual([overdue, invoice, draft, ...closed.toReversed()])
  expect(await found('3')).toEqual([overdue, invoice, draft])
  expect(await found('1')).toEqual([overdue])
  const repayments = idsOf(await search({ q: 'quince', kinds: 'repayments' }), 'repayments')
  const { id } = await createRepayment(server.db, { debtor: { type: 'EMPLOYER', id: employerId }, amount: 20_00 })
  expect(idsOf(await search({ q: 'quince', kinds: 'repayments' }), 'repayments')).toEqual([id, ...repayments])
  expect(idsOf(await search({ q: `INV-${invoice}`, kinds: 'invoices', limit: '3' }), 'invoices')).toEqual([invoice])
  expect(idsOf(await search({ q: String(invoice), kinds: 'invoices', limit: '3' }), 'invoices')[0]).toBe(invoice)
})

test('a search finds nothing of inaccessible companies, and no kind without its permission', async () => {
  const kinds = 'employees,employers,organizations,invoices'
  const ids = `employees:${other.employee},invoices:${own.invoice}`
  const found = await search({ q: 'Qua', kinds, ids, include: 'employer' }, manager)
  const people = found.lists['employees']?.['employees'] as unknown as { id: number; employer: { id: number } }[]
  expect(people[0]?.id).toBe(own.employee)
  expect(new Set(people.map(({ employer }) => employer.id))).toEqual(new Set([own.employerId]))
  expect(JSON.stringify(found)).not.toContain('Quarry')
  expect(Object.keys(found.lists)).not.toContain('invoices')
  expect(found.records).toEqual({})
})

test('a record is found by its id, besides the text matches', async () => {
  const ids = `employees:${own.employee},invoices:${other.invoice},repayments:99999999,deductions:nobody`
  const { lists, records } = await search({ ids })
  expect([records['employees']?.id, records['invoices']?.id]).toEqual([own.employee, other.invoice])
  expect([Object.keys(records).length, lists]).toEqual([2, {}])
})

test.each(['Barnes, Sadia', 'Barnes Sadia', 'Sadia Barnes', 'barnes,sadia', 'Sadia Barnes,'])(
  'finds employees, users, account managers and admins by the name %j',
  async (q) => {
    const [last, first] = ['Barnes', `Sadia${Date.now()}`]
    const name = q.replace(/sadia/i, first)
    const { id } = await createEmployee(server.db, {
      employerId: own.employerId,
      firstName: first,
      lastName: last,
      linked: { email: `${first}@example.com` },
    })
    await createEmployee(server.db, { employerId: own.employerId, firstName: first, lastName: 'Other' })
    const staff = `${first} ${last}`
    await createPerson(server.db, { kind: 'ACCOUNT_MANAGER', name: staff, grants: [{ employerId: own.employerId }] })
    await createPerson(server.db, { name: staff, permissions: [2] })
    const found = await search({ q: name, kinds: 'employees,users,account-managers,admins' })
    expect(idsOf(found, 'employees')).toEqual([id])
    const counts = ['users', 'account-managers', 'admins'].map((kind) => idsOf(found, kind).length)
    expect(counts).toEqual([1, 1, 1])
    // The filter of the list parses names like the search.
    const { body } = await call(server, 'GET', `/employees?${new URLSearchParams({ name })}`, { headers: admin })
    expect((body as { employees: { id: number }[] }).employees.map((one) => one.id)).toEqual([id])
  },
)

const guessedIds = (answer: Answer, kind: string) => rowsOf(answer.similar?.[kind]).map((row: { id: number }) => row.id)
const hire = async (firstName: string, lastName: string, employerId = own.employerId, email?: string) =>
  (await createEmployee(server.db, { employerId, firstName, lastName, ...(email ? { linked: { email } } : {}) })).id

test.each([
  ['jhon smith', 'John', 'Smith'],
  ['chole ochoa', 'Chloe', 'Ochoa'],
  ['Ochao, Chloe', 'Chloe', 'Ochoa'],
  ['guadelupe tores', 'Guadalupe', 'Torres'],
  ['jsoe nunez', 'José', 'Núñez'],
  ['mary anne obrian', 'Mary-Anne', 'O’Brien'],
  ['fitzgarald', 'Rae', 'Fitzgerald'],
])('lists guesses for the misspelled name %j separately from the results', async (q, first, last) => {
  const id = await hire(first, last, own.employerId, `${crypto.randomUUID()}@mail.example`)
  const found = await search({ q, kinds: 'employees,users' })
  expect([idsOf(found, 'employees'), idsOf(found, 'users')]).toEqual([[], []])
  expect(guessedIds(found, 'employees')).toContain(id)
  expect(guessedIds(found, 'users')).toHaveLength(guessedIds(found, 'employees').length)
})

test('makes guesses for names of companies and staff', async () => {
  await createCompany(server.db, 'Kingfisher Logistics')
  const staff = { kind: 'ACCOUNT_MANAGER', name: 'Wilhelmina Kestrel', grants: [{ employerId: own.employerId }] } as const
  await createPerson(server.db, staff)
  await createPerson(server.db, { name: 'Theodora Kestrel', permissions: [2] })
  const kinds = searchKinds.join()
  const company = (await search({ q: 'kingfihser', kinds })).similar ?? {}
  expect(Object.keys(company).sort()).toEqual(['employers', 'organizations'])
  expect(Object.keys((await search({ q: 'wilhelmna kestrel', kinds })).similar ?? {})).toEqual(['account-managers'])
  expect(Object.keys((await search({ q: 'theodora kestrle', kinds })).similar ?? {})).toEqual(['admins'])
})

test('finds a name with and without its accents, not as a guess', async () => {
  const id = await hire('Zoë', 'Ibáñez')
  for (const q of ['zoe ibanez', 'Zoë Ibáñez', 'ZOË IBANEZ']) {
    const found = await search({ q, kinds: 'employees' })
    expect([idsOf(found, 'employees'), found.similar]).toEqual([[id], undefined])
  }
})

test('makes no guesses with enough results, or for short words, numbers and addresses', async () => {
  const [one, ...others] = [await hire('Odette', 'Marlowe'), await hire('Odilia', 'Marlowe'), await hire('Odin', 'Marlowe')]
  const near = await hire('Odette', 'Marlowa')
  const found = await search({ q: 'marlowe', kinds: 'employees' })
  expect([sorted(found.lists['employees']).map(({ id }) => id), found.similar]).toEqual([[one, ...others], undefined])
  // One is found: the similar name is listed beside it, and the result itself is not repeated as a guess.
  const few = await search({ q: 'odette marlowe', kinds: 'employees' })
  expect([idsOf(few, 'employees'), guessedIds(few, 'employees')]).toEqual([[one], [near]])
  await hire('Moe', 'Vex')
  for (const q of ['moa', 'vxe', '1234567', 'marlowe9', 'marlwoe@mail.example'])
    expect([q, (await search({ q, kinds: 'employees,users,employers' })).similar]).toEqual([q, undefined])
})

test('learns the names of people who are added and renamed', async () => {
  const id = await hire('Peregrine', 'Hollis')
  await server.db.updateTable('employees').set({ last_name: 'Abernathy' }).where('id', '=', id).execute()
  expect(guessedIds(await search({ q: 'abernahty', kinds: 'employees' }), 'employees')).toEqual([id])
  expect((await search({ q: 'holils', kinds: 'employees' })).similar).toBeUndefined()
})

test('[PERM-003] people of another employer take no place among the guesses of a manager', async () => {
  const mine = await hire('Tobin', 'Zarrov')
  const guesses = async () => guessedIds(await search({ q: 'zarroq', kinds: 'employees' }, manager), 'employees')
  expect(await guesses()).toEqual([mine])
  // Closer than hers in every order, and more than are tried.
  for (const letter of 'abcdefghijk') await hire('Tobin', `Zarro${letter}`, other.employerId)
  expect(await guesses()).toEqual([mine])
})

test('guesses only accessible people and companies', async () => {
  const mine = await hire('Seraphina', 'Lockwood')
  const theirs = await hire('Seraphine', 'Lockwood', other.employerId)
  const kinds = 'employees,employers,organizations'
  const all = guessedIds(await search({ q: 'seraphnia lockwood', kinds }), 'employees')
  expect(new Set(all)).toEqual(new Set([mine, theirs]))
  const asked = await search({ q: 'seraphnia lockwood', kinds }, manager)
  expect(guessedIds(asked, 'employees')).toEqual([mine])
  const hidden = await hire('Thaddeus', 'Winterbourne', other.employerId)
  expect(guessedIds(await search({ q: 'winterborne', kinds }), 'employees')).toEqual([hidden])
  expect((await search({ q: 'winterborne', kinds }, manager)).similar).toBeUndefined()
  expect((await search({ q: 'quarrry', kinds }, manager)).similar).toBeUndefined()
})

test.each([{ kinds: 'people' }, { q: 'a', kinds: 'employees', include: 'salary' }, { ids: 'employees' }, { limit: '51' }])(
  'a malformed search is refused: %o',
  async (query) => {
    const { status } = await call(server, 'GET', `/search?${new URLSearchParams(Object.entries(query))}`, { headers: admin })
    expect(status).toBe(422)
  },
)
