import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { notedEntities } from '#domain/note.ts'
import { createCompany, createEmployee } from '#tests/support/company.ts'
import { createInvoice, createRepayment, createWriteOff } from '#tests/support/money.ts'
import { createPerson, type TestPerson } from '#tests/support/people.ts'
import { type Answer, call, createServer, type TestServer } from '#tests/support/server.ts'
import { signInAs } from '#tests/support/sign-in.ts'

let server: TestServer
let employerId: number
let elsewhere: number
let invoiceId: number
let employeeId: number
let ada: Someone
let ben: Someone

interface Someone {
  id: string
  send: (method: string, path: string, body?: unknown, key?: string) => Promise<Answer>
  add: (text: unknown, more?: Record<string, unknown>) => Promise<Answer>
}

async function someone(person: TestPerson): Promise<Someone> {
  const headers = await signInAs(server, person)
  const send: Someone['send'] = (method, path, body, key) =>
    call(server, method, path, { headers: key ? { ...headers, 'idempotency-key': key } : headers, body })
  const add: Someone['add'] = (text, more = {}) =>
    send('POST', `/notes/entity/${invoiceId}`, { text, user_id: person.id, entity_type: 'invoice', ...more })
  return { id: person.id, send, add }
}
const managerOf = async (permissions: number[], ...grants: number[]) =>
  someone(
    await createPerson(server.db, {
      kind: 'ACCOUNT_MANAGER',
      permissions,
      grants: grants.map((each) => ({ employerId: each })),
    }),
  )
const texts = async (who: Someone, path = `/notes/entity/${invoiceId}?entity_type=invoice`): Promise<string[]> => {
  const { status, body } = await who.send('GET', path)
  expect(status, JSON.stringify(body)).toBe(200)
  return body.notes.map((note: { text: string }) => note.text)
}

beforeAll(async () => {
  server = await createServer()
  const company = await createCompany(server.db, 'Harbor', 2)
  ;[employerId, elsewhere] = company.employerIds as [number, number]
  invoiceId = (await createInvoice(server.db, { employerId })).id
  employeeId = (await createEmployee(server.db, { employerId })).id
  ada = await someone(await createPerson(server.db, { name: 'Ada Admin', groups: [1] }))
  ben = await someone(await createPerson(server.db, { name: 'Ben Billing', permissions: [1, 2] }))
})
afterAll(() => server.close())

test('[API-133] [API-134] [ENT-107] [ENT-109] added notes are listed newest first, page by page', async () => {
  const added = await ada.add('  Called payroll.\nThey check the rate. ')
  expect([added.status, added.body]).toEqual([
    201,
    {
      id: expect.any(Number),
      entity_type: 'invoice',
      entity_id: String(invoiceId),
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      text: 'Called payroll.\nThey check the rate.',
      user: { id: ada.id, name: 'Ada Admin' },
      own: true,
    },
  ])
  await ben.add('Second')
  const first = await ada.send('GET', `/notes/entity/${invoiceId}?entity_type=invoice&limit=1`)
  expect(first.body.notes).toMatchObject([{ text: 'Second', own: false, user: { name: 'Ben Billing' } }])
  const rest = `/notes/entity/${invoiceId}?entity_type=invoice&limit=1&lek=${encodeURIComponent(first.body.lek)}`
  expect(await texts(ada, rest)).toEqual(['Called payroll.\nThey check the rate.'])
  expect((await ben.send('GET', rest)).body.code).toBe('cursor-invalid')
  expect((await ada.send('GET', `/notes/${added.body.id}`)).body).toEqual(added.body)
  expect((await ada.send('GET', `/invoices/${invoiceId}`)).body.has_notes).toBe(true)
})

test('[ENT-108] an employee has own notes; without entity_type all accessible records with the id count', async () => {
  const body = { text: 'Moved to cold storage.', user_id: ben.id, entity_type: 'employee' }
  expect((await ben.send('POST', `/notes/entity/${employeeId}`, body)).status).toBe(201)
  for (const query of ['?entity_type=employee', ''])
    expect((await ada.send('GET', `/notes/entity/${employeeId}${query}`)).body.notes).toMatchObject([
      { text: body.text, user: { id: ben.id, name: 'Ben Billing' } },
    ])
  expect((await ada.send('GET', `/notes/entity/${employeeId}?entity_type=invoice`)).status).toBe(404)
  expect(
    (await ada.send('POST', `/notes/entity/${employeeId}`, { ...body, user_id: ada.id, entity_type: 'invoice' })).status,
  ).toBe(404)
})

describe('an invalid note', () => {
  test.each([
    ['[NOTE-001] empty', '', 'This is a required field.'],
    ['[NOTE-001] blank', '    ', 'This is a required field.'],
    ['[NOTE-001] unseen', '\u200b\u200b', 'This is a required field.'],
    ['[NOTE-002] longer than 500', 'x'.repeat(501), 'At most 500 characters'],
    ['of control characters', 'a\u0007b', 'Control characters are not allowed.'],
  ])('%s', async (_, text, message) => {
    const answer = await ada.add(text)
    expect([answer.status, answer.body.errors]).toEqual([422, [{ path: 'text', message }]])
  })
  test('[NOTE-002] 500 are accepted, also of characters that take two', async () => {
    expect((await ada.add('x'.repeat(500))).status).toBe(201)
    expect((await ada.add('😀'.repeat(250))).status).toBe(201)
  })
  test('has another author, another kind, or extra fields', async () => {
    expect((await ada.add('x', { user_id: ben.id })).body.errors).toMatchObject([{ path: 'user_id' }])
    for (const wrong of [{ entity_type: 'person' }, { user_id: 7 }, { own: true }, { created_at: '2020-01-01' }])
      expect((await ada.add('x', wrong)).status).toBe(422)
  })
})

test('[API-135] [PERM-039] only its author deletes a note, not even a super-admin; the invoice is then unmarked', async () => {
  const { id } = await createInvoice(server.db, { employerId })
  const made = await ben.send('POST', `/notes/entity/${id}`, { text: 'Mine', user_id: ben.id, entity_type: 'invoice' })
  const path = `/notes/${made.body.id}`
  const refused = await ada.send('DELETE', path, {})
  expect([refused.status, refused.body.code, refused.body.detail]).toEqual([
    403,
    'permission-denied',
    'Only its author can delete a note.',
  ])
  // Two concurrent deletions by the author count once.
  const answers = await Promise.all([ben.send('DELETE', path, {}), ben.send('DELETE', path)])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 404])
  expect(answers.find(({ status }) => status === 200)?.body).toMatchObject({ id: made.body.id, text: 'Mine' })
  expect((await ada.send('GET', path)).status).toBe(404)
  expect((await ada.send('GET', `/invoices/${id}`)).body.has_notes).toBe(false)
  const { events } = (await ada.send('GET', `/invoices/${id}/history`)).body
  expect(events).toMatchObject([
    { status: 'Note deleted', text: 'Mine', actor: { name: 'Ben Billing' } },
    { status: 'Note added', text: 'Mine', actor: { name: 'Ben Billing' } },
  ])
})

test('a note added and deleted concurrently leaves a correct mark on the invoice', async () => {
  const { id } = await createInvoice(server.db, { employerId })
  const add = (who: Someone) => who.send('POST', `/notes/entity/${id}`, { text: 'x', user_id: who.id, entity_type: 'invoice' })
  for (let round = 0; round < 4; round++) {
    const first = await add(ben)
    const [, second] = await Promise.all([ben.send('DELETE', `/notes/${first.body.id}`, {}), add(ada)])
    expect((await ada.send('GET', `/invoices/${id}`)).body.has_notes).toBe(true)
    await ada.send('DELETE', `/notes/${second.body.id}`, {})
    expect((await ada.send('GET', `/invoices/${id}`)).body.has_notes).toBe(false)
  }
})

test('sent twice under one key it is one note, returned again only while the record is open', async () => {
  const person = await createPerson(server.db, { kind: 'ACCOUNT_MANAGER', permissions: [1], grants: [{ employerId }] })
  const manager = await someone(person)
  const body = { text: 'Once', user_id: manager.id, entity_type: 'invoice' }
  const send = () => manager.send('POST', `/notes/entity/${invoiceId}`, body, 'note-once-0001')
  const [first, second] = [await send(), await send()]
  expect([first.status, second.status, second.body]).toEqual([201, 201, first.body])
  expect((await texts(manager)).filter((text) => text === 'Once')).toHaveLength(1)
  await server.db.deleteFrom('access_grants').where('person_id', '=', person.id).execute()
  expect((await send()).status).toBe(404)
  expect((await manager.send('GET', `/notes/entity/${invoiceId}?entity_type=invoice`)).status).toBe(404)
})

test('[PERM-003] notes need access to their record', async () => {
  const { body: note } = await ada.add('Not for everybody')
  const path = `/notes/entity/${invoiceId}`
  const manager = await managerOf([1], employerId)
  expect(await texts(manager)).toContain('Not for everybody')
  for (const stranger of [await managerOf([1], elsewhere), await managerOf([1])]) {
    for (const query of ['', '?entity_type=invoice']) expect((await stranger.send('GET', path + query)).status).toBe(404)
    expect((await stranger.send('GET', `/notes/${note.id}`)).status).toBe(404)
    expect((await stranger.send('DELETE', `/notes/${note.id}`, {})).status).toBe(404)
    expect((await stranger.add('x')).status).toBe(404)
  }
  const unable = await managerOf([2], employerId)
  for (const id of [invoiceId, 999_999_999])
    expect((await unable.send('GET', `/notes/entity/${id}?entity_type=invoice`)).status).toBe(403)
  expect((await unable.add('x')).status).toBe(403)
  for (const asked of [path, `/notes/${note.id}`]) expect((await unable.send('GET', asked)).status).toBe(404)
  expect((await unable.send('DELETE', `/notes/${note.id}`, {})).status).toBe(404)
  const nobody = await managerOf([], employerId)
  expect((await nobody.send('GET', path)).status).toBe(403)
})

describe('every kind of record', () => {
  /** One record of each kind, of the first employer or its organization, with the rights for its notes. */
  async function all() {
    const { rows } = await sql<{
      id: number
    }>`select organization_id as id from employers where id = ${employerId}`.execute(server.db)
    const organizationId = rows[0]?.id as number
    const invoice = await createInvoice(server.db, { employerId, status: 'ON_DEDUCTION_FILE', original: 80_00 })
    const lineId = invoice.lineIds[0] as number
    const deduction = await server.db
      .selectFrom('deductions')
      .select('id')
      .where('invoice_id', '=', invoice.id)
      .executeTakeFirstOrThrow()
    return {
      organizationId,
      records: [
        ['employee', employeeId, 2],
        ['employer', employerId, 3],
        ['organization', organizationId, 4],
        ['invoice', invoice.id, 1],
        ['repayment', (await createRepayment(server.db, { debtor: { type: 'EMPLOYER', id: employerId }, amount: 100 })).id, 1],
        ['write-off', (await createWriteOff(server.db, { invoiceId: invoice.id, lineId, amount: 100 })).id, 1],
        ['deduction', deduction.id, 1],
      ] as const,
    }
  }

  test('[API-133, API-134] has own notes and their history, for people with the right and access to its company', async () => {
    const { organizationId, records } = await all()
    expect(records.map(([entity]) => entity).sort()).toEqual([...notedEntities].sort())
    const manager = async (permissions: number[], ...grants: ({ organizationId: number } | { employerId: number })[]) =>
      someone(await createPerson(server.db, { kind: 'ACCOUNT_MANAGER', permissions, grants }))
    const ours = await manager([1, 2, 3, 4], { organizationId })
    const stranger = await manager([1, 2, 3, 4], { employerId: elsewhere })
    for (const [entity, id, permission] of records) {
      const path = `/notes/entity/${id}?entity_type=${entity}`
      const text = `Of the ${entity}`
      const add = (who: Someone) => who.send('POST', `/notes/entity/${id}`, { text, user_id: who.id, entity_type: entity })
      expect([entity, (await add(ours)).status]).toEqual([entity, 201])
      expect(await texts(ours, path)).toContain(text)
      expect([entity, (await stranger.send('GET', path)).status, (await add(stranger)).status]).toEqual([entity, 404, 404])
      const lacks = await manager(
        [1, 2, 3, 4].filter((each) => each !== permission),
        { organizationId },
      )
      expect([entity, (await lacks.send('GET', path)).status, (await add(lacks)).status]).toEqual([entity, 403, 403])
      const marked = `/notes/marked?entity_type=${entity}&entity_ids=${id},999999999`
      expect([entity, (await ours.send('GET', marked)).body]).toEqual([entity, { entity_ids: [id] }])
      expect([entity, (await stranger.send('GET', marked)).body]).toEqual([entity, { entity_ids: [] }])
      expect([entity, (await lacks.send('GET', marked)).status]).toEqual([entity, 403])
    }
  })

  test('notes of an organization are hidden from people granted only some of its employers', async () => {
    const { organizationId } = await all()
    const body = { text: 'For those who have all of it', user_id: ada.id, entity_type: 'organization' }
    expect((await ada.send('POST', `/notes/entity/${organizationId}`, body)).status).toBe(201)
    const single = await managerOf([1, 2, 3, 4], employerId)
    expect((await single.send('GET', `/notes/entity/${organizationId}?entity_type=organization`)).status).toBe(404)
    const marked = `/notes/marked?entity_type=organization&entity_ids=${organizationId}`
    expect((await single.send('GET', marked)).body.entity_ids).toEqual([])
    expect((await ada.send('GET', marked)).body.entity_ids).toEqual([organizationId])
  })

  test('is marked until its last note is deleted', async () => {
    const { id } = await createEmployee(server.db, { employerId })
    const marked = async () => (await ada.send('GET', `/notes/marked?entity_type=employee&entity_ids=${id}`)).body.entity_ids
    expect(await marked()).toEqual([])
    const made = await ada.send('POST', `/notes/entity/${id}`, { text: 'x', user_id: ada.id, entity_type: 'employee' })
    expect(await marked()).toEqual([id])
    await ada.send('DELETE', `/notes/${made.body.id}`, {})
    expect(await marked()).toEqual([])
  })
})
