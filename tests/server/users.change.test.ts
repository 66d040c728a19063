import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { lockUser } from '#server/tables/users.ts'
import type { Actor } from '#server/access/actor.ts'
import { createCompany, createEmployee, createUser } from '#tests/support/company.ts'
import { call, createServer, type TestServer } from '#tests/support/server.ts'
import { personWith, type SignedIn } from '#tests/support/session.ts'
import { waitingForLocks } from '#tests/support/locks.ts'
import { permissionIds } from '#domain/permissions.ts'

let server: TestServer
let admin: SignedIn
let employerId: number

beforeAll(async () => {
  server = await createServer()
  employerId = (await createCompany(server.db, 'Harbor')).employerIds[0] as number
  admin = await personWith(server, permissionIds)
})
afterAll(() => server.close())

interface More {
  who?: SignedIn
  headers?: Record<string, string>
}

const send = (method: string, path: string, body: unknown, { who = admin, headers = {} }: More = {}) =>
  call(server, method, `/users/${path}`, { headers: { ...who.headers, ...headers }, body })
const read = async (path: string, who = admin) => call(server, 'GET', path, who)
const userOf = async (id: number) => (await read(`/users/${id}`)).body
/** The newest event of a user. */
const lastEvent = async (id: number) => (await read(`/users/${id}/events`)).body.events[0]
const linked = async (more: { kyc?: string | null; email?: string } = {}) => {
  const made = await createEmployee(server.db, { employerId, linked: more })
  return { employee: made.id, id: made.userId as number }
}
const kycOf = async (id: number) => (await read(`/users/${id}/kyc`)).body.kyc

/** Each change with its body for a user of version 1, and the permission that it needs. */
const changes: readonly (readonly [
  name: string,
  permission: number,
  send: (id: number, more?: More) => ReturnType<typeof send>,
])[] = [
  ['names', 1021, (id, more) => send('PATCH', `${id}/names`, { first_name: 'Ada', last_name: 'Lovelace', version: 1 }, more)],
  [
    'e-mail',
    1021,
    (id, more) =>
      send(
        'PUT',
        `${id}/update-email`,
        { email: 'new@example.com', version: 1 },
        { ...more, headers: { brand: 'DAYLINE', ...more?.headers } },
      ),
  ],
  ['phone', 1021, (id, more) => send('PATCH', `${id}/clear-phone-number`, { version: 1 }, more)],
  [
    'documents',
    1021,
    async (id, more) =>
      send(
        'POST',
        `${id}/kyc/${(await kycOf(id))?.id}/document-configurations`,
        { document_types: ['LICENSE'], version: 1 },
        more,
      ),
  ],
  [
    'review',
    1021,
    async (id, more) =>
      send('POST', `${id}/kyc/${(await kycOf(id))?.id}/review`, { status: 'DENIED', reason: 'Blurred', version: 1 }, more),
  ],
  ['delete', 1015, (id, more) => send('PATCH', `${id}/deactivate`, { version: 1 }, more)],
]

/** A user of version 1 to whom every change can be applied. */
const ready = async (name: string) => (name === 'delete' ? (await createUser(server.db)).id : (await linked()).id)

test('[PERM-035] a user is deleted only by somebody who holds 1015', async () => {
  const { id } = await createUser(server.db)
  const path = `${id}/deactivate`
  const without = await send(
    'PATCH',
    path,
    { version: 1 },
    {
      who: await personWith(
        server,
        permissionIds.filter((each) => each !== 1015),
      ),
    },
  )
  expect([without.status, without.body.code]).toEqual([403, 'permission-denied'])
  expect((await send('PATCH', path, { version: 1 }, { who: await personWith(server, [2, 1015]) })).status).toBe(200)
})

describe.each(changes)('%s', (name, permission, change) => {
  test('needs its permission, and no other is enough', async () => {
    const id = await ready(name)
    const others = permissionIds.filter((each) => each !== permission)
    const refused = await change(id, { who: await personWith(server, others) })
    expect([refused.status, refused.body.code, refused.body.detail]).toEqual([
      403,
      'permission-denied',
      "You don't have permission to take this action.",
    ])
    expect((await change(id, { who: await personWith(server, [2, permission]) })).status).toBe(200)
  })

  test('is refused with a stale version, with the current user', async () => {
    const id = await ready(name)
    await server.db.updateTable('users').set({ version: 7 }).where('id', '=', id).execute()
    const stale = await change(id)
    expect([stale.status, stale.body.code, stale.body.facts.version]).toEqual([409, 'stale-version', 7])
  })

  test('sent twice under one key happens once, and the same key with another body is refused', async () => {
    const id = await ready(name)
    const headers = { 'idempotency-key': `once-${name}` }
    const both = await Promise.all([change(id, { headers }), change(id, { headers })])
    expect(both.map(({ status, body }) => [status, body.version])).toEqual([
      [200, 2],
      [200, 2],
    ])
    expect((await userOf(id)).version).toBe(2)
    const other = await send('PATCH', `${id}/names`, { first_name: 'Else', last_name: 'Where', version: 2 }, { headers })
    expect(other.body.code).toBe('idempotency-key-reused')
  })

  test('sent concurrently happens once', async () => {
    const id = await ready(name)
    const answers = await Promise.all([change(id), change(id), change(id)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
    expect((await read(`/users/${id}/events`)).body.events).toHaveLength(1)
  })

  test('does nothing to a deleted, missing or inaccessible user', async () => {
    const gone = await createUser(server.db, { status: 'DELETED' })
    const deleted = await change(gone.id)
    expect([deleted.status, deleted.body.detail]).toEqual([409, 'Actions unavailable when in Deleted.'])
    const who = await personWith(server, permissionIds, 'Sam Stranger', 'ACCOUNT_MANAGER')
    expect((await change(await ready(name), { who })).status).toBe(404)
    if (!['documents', 'review'].includes(name)) expect((await change(999_999_999)).status).toBe(404)
  })
})

describe('what a change does', () => {
  test('[API-129] names are changed, recorded in the history, and missing ones are refused', async () => {
    const { id, employee } = await linked()
    const answer = await send('PATCH', `${id}/names`, { first_name: ' Zoë ', last_name: 'Núñez', version: 1 })
    expect(answer.body).toMatchObject({ id, first_name: 'Zoë', last_name: 'Núñez', version: 2, employee: { id: employee } })
    expect(await lastEvent(id)).toMatchObject({
      status: 'Names changed',
      changes: expect.arrayContaining([
        { field: 'first_name', before: 'Mia', after: 'Zoë' },
        { field: 'last_name', before: 'Torres', after: 'Núñez' },
      ]),
    })
    const wrong = await send('PATCH', `${id}/names`, { first_name: '  ', last_name: 'Núñez', version: 2 })
    expect([wrong.status, wrong.body.errors]).toEqual([422, [{ path: 'first_name', message: 'This is a required field.' }]])
  })

  test('[API-131] a new e-mail needs the brand in the header, and takes effect once its owner confirms it', async () => {
    const { id } = await linked({ email: 'old@example.com' })
    const change = (email: string, version: number, headers: Record<string, string>) =>
      send('PUT', `${id}/update-email`, { email, version }, { headers })
    for (const headers of [{}, { brand: 'EARLYBIRD' }, { brand: 'NOBODY' }] as Record<string, string>[]) {
      const wrong = await change('next@example.com', 1, headers)
      expect([headers, wrong.status, wrong.body.errors[0].path]).toEqual([headers, 422, 'brand'])
    }
    // In the body the brand has no effect.
    expect((await send('PUT', `${id}/update-email`, { email: 'next@example.com', brand: 'DAYLINE', version: 1 })).status).toBe(
      422,
    )
    expect((await change('none', 1, { brand: 'DAYLINE' })).body.errors[0].message).toBe('Invalid email')
    expect((await change('old@example.com', 1, { brand: 'DAYLINE' })).body.detail).toBe('This is the e-mail already.')

    expect((await change('next@example.com', 1, { brand: 'DAYLINE' })).body).toMatchObject({
      status: 'PENDING_EMAIL_UPDATE',
      email: 'old@example.com',
      pending_email: 'next@example.com',
    })
    expect(await lastEvent(id)).toMatchObject({ status: 'E-mail changed' })
    const mail = await server.db
      .selectFrom('outbox')
      .selectAll()
      .where('recipient', '=', 'next@example.com')
      .executeTakeFirstOrThrow()
    const token = /code: (\S+)/.exec(mail.body)?.[1]
    const confirm = (sent: unknown) => call(server, 'POST', '/users/confirm-email', { body: { token: sent } })
    expect((await confirm('another')).status).toBe(410)
    expect((await confirm(token)).status).toBe(200)
    expect((await confirm(token)).status).toBe(410)
    expect(await userOf(id)).toMatchObject({ status: 'ACTIVE', email: 'next@example.com', pending_email: null, version: 3 })
    expect(await lastEvent(id)).toMatchObject({ status: 'E-mail confirmed', actor: { name: 'The user' } })
  })

  test('an e-mail of another user of the brand is not confirmed, one of a deleted user is', async () => {
    const tokenOf = async (id: number, email: string) => {
      await send('PUT', `${id}/update-email`, { email, version: 1 }, { headers: { brand: 'DAYLINE' } })
      const mail = await server.db
        .selectFrom('outbox')
        .selectAll()
        .where('recipient', '=', email)
        .orderBy('id', 'desc')
        .executeTakeFirstOrThrow()
      return /code: (\S+)/.exec(mail.body)?.[1]
    }
    const confirm = (token: unknown) => call(server, 'POST', '/users/confirm-email', { body: { token } })
    const one = await createUser(server.db, { email: 'one.of.two@example.com' })
    const other = await createUser(server.db, { email: 'other.of.two@example.com' })
    const tokens = [await tokenOf(one.id, 'shared@example.com'), await tokenOf(other.id, 'Shared@example.com')]
    const answers = await Promise.all(tokens.map(confirm))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(answers.find(({ status }) => status === 409)?.body.detail).toBe('Another account has this e-mail already.')
    await sql`update users set status = 'DELETED' where lower(email) = 'shared@example.com'`.execute(server.owner)
    expect((await confirm(tokens[answers.findIndex(({ status }) => status === 409)])).status).toBe(200)
  })

  test('entering the current e-mail again cancels the pending one and its code', async () => {
    const { id } = await createUser(server.db, { email: 'first@example.com', status: 'CONFIRMATION_PENDING' })
    const change = (email: string, version: number) =>
      send('PUT', `${id}/update-email`, { email, version }, { headers: { brand: 'DAYLINE' } })
    await change('second@example.com', 1)
    const mail = await server.db
      .selectFrom('outbox')
      .selectAll()
      .where('recipient', '=', 'second@example.com')
      .executeTakeFirstOrThrow()
    expect((await change('first@example.com', 2)).body).toMatchObject({
      status: 'CONFIRMATION_PENDING',
      email: 'first@example.com',
      pending_email: null,
    })
    const token = /code: (\S+)/.exec(mail.body)?.[1]
    expect((await call(server, 'POST', '/users/confirm-email', { body: { token } })).status).toBe(410)
  })

  test('[API-127, ENUM-022] the phone number is removed, which the history calls Phone Removal', async () => {
    const { id } = await linked()
    expect((await send('PATCH', `${id}/clear-phone-number`, { version: 1 })).body).toMatchObject({ phone_number: null })
    expect(await lastEvent(id)).toMatchObject({
      status: 'Phone Removal',
      category: 'user',
      changes: [{ field: 'phone_number', before: '(212) 555-0111', after: null }],
    })
    const again = await send('PATCH', `${id}/clear-phone-number`, { version: 2 })
    expect([again.status, again.body.detail]).toEqual([409, 'This user has no phone number.'])
  })

  test('[API-126] the documents requested by an identity check are a closed set, and changes have an event', async () => {
    const { id, employee } = await linked({ kyc: 'UNDER_REVIEW' })
    const check = await kycOf(id)
    expect(check).toMatchObject({ status: 'UNDER_REVIEW', document_types: [] })
    const path = `${id}/kyc/${check.id}/document-configurations`
    for (const document_types of [[], ['PASSPORT'], 'LICENSE'])
      expect((await send('POST', path, { document_types, version: 1 })).status).toBe(422)
    const asked = ['ID_CARD', 'LICENSE', 'LICENSE']
    expect((await send('POST', path, { document_types: asked, version: 1 })).body).toMatchObject({ version: 2 })
    expect((await kycOf(id)).document_types).toEqual(['ID_CARD', 'LICENSE'])
    expect((await read(`/employees/${employee}/events`)).body.events[0]).toMatchObject({ status: 'KYC Details Changed' })
    const other = await linked()
    const foreign = `${id}/kyc/${(await kycOf(other.id)).id}/document-configurations`
    expect((await send('POST', foreign, { document_types: ['LICENSE'], version: 2 })).status).toBe(404)
  })

  test.each([
    ['ENUM-008', 'LICENSE'],
    ['ENUM-009', 'ID_CARD'],
  ])('[%s] an identity check may request the document %s', async (_, type) => {
    const { id } = await linked()
    const path = `${id}/kyc/${(await kycOf(id)).id}/document-configurations`
    expect((await send('POST', path, { document_types: [type], version: 1 })).body.document_types).toEqual([type])
  })

  test('[API-125, ENUM-021] an identity check is denied with a reason, approved and reviewed again, each with an event', async () => {
    const { id } = await linked({ kyc: 'UNDER_REVIEW' })
    const path = `${id}/kyc/${(await kycOf(id)).id}/review`
    expect((await send('POST', path, { status: 'DENIED', reason: ' ', version: 1 })).status).toBe(422)
    expect((await send('POST', path, { status: 'UNDER_REVIEW', version: 1 })).body.detail).toBe(
      'The identity check is under review already.',
    )
    expect((await send('POST', path, { status: 'DENIED', reason: 'Blurred photo', version: 1 })).body.kyc_status).toBe('DENIED')
    expect(await kycOf(id)).toMatchObject({ status: 'DENIED', reason: 'Blurred photo', reviewed_by: admin.name })
    expect(await lastEvent(id)).toMatchObject({ status: 'KYC Details Changed', text: 'Blurred photo' })
    expect((await send('POST', path, { status: 'APPROVED', version: 2 })).body.kyc_status).toBe('APPROVED')
    expect((await kycOf(id)).reason).toBeNull()
    await send('POST', path, { status: 'UNDER_REVIEW', version: 3 })
    expect(await kycOf(id)).toMatchObject({ status: 'UNDER_REVIEW', reviewed_at: null, reviewed_by: null })
    expect((await read(`/users/${id}/events`)).body.events.map((event: { status: string }) => event.status)).toEqual(
      Array(3).fill('KYC Details Changed'),
    )
  })

  test('a user without an identity check has none to decide on', async () => {
    const { id } = await linked({ kyc: null })
    expect(await kycOf(id)).toBeNull()
    expect((await send('POST', `${id}/kyc/1/review`, { status: 'APPROVED', version: 1 })).status).toBe(404)
  })
})

describe('deleting a user', () => {
  test('[API-130] [EMP-012] keeps record and history, and frees nobody else', async () => {
    const { id } = await createUser(server.db, { email: 'gone@example.com' })
    expect((await send('PATCH', `${id}/deactivate`, { version: 1 })).body).toMatchObject({ status: 'DELETED', version: 2 })
    expect(await userOf(id)).toMatchObject({ status: 'DELETED', email: 'gone@example.com' })
    expect(await lastEvent(id)).toMatchObject({ status: 'DEACTIVATE', category: 'user' })
  })

  test('[ERR-026] [PERM-038] is refused while an employee is linked, and possible after unlinking', async () => {
    const { id, employee } = await linked()
    const refused = await send('PATCH', `${id}/deactivate`, { version: 1 })
    expect([refused.status, refused.body.code, refused.body.detail]).toEqual([
      409,
      'user-linked',
      'A linked user can not be deleted.',
    ])
    await call(server, 'POST', `/employees/${employee}/unlink`, { ...admin, body: {} })
    expect((await send('PATCH', `${id}/deactivate`, { version: 1 })).status).toBe(200)
  })

  const admins = { id: '', name: '', email: '', kind: 'ADMIN', groupIds: [], held: new Set(), sessionId: '' } as unknown as Actor
  const link = (employee: number, user: number) =>
    sql`update employees set user_id = ${user}, status = 'ACTIVE' where id = ${employee}`.execute(server.db)

  test('waits for an earlier concurrent link, and is refused', async () => {
    const { id } = await createUser(server.db)
    const { id: employee } = await createEmployee(server.db, { employerId })
    let deleting: Promise<Awaited<ReturnType<typeof send>>> | undefined
    await server.db.transaction().execute(async (tx) => {
      await sql`update employees set user_id = ${id}, status = 'ACTIVE' where id = ${employee}`.execute(tx)
      deleting = send('PATCH', `${id}/deactivate`, { version: 1 })
      await waitForLock()
    })
    expect((await deleting)?.body.detail).toBe('A linked user can not be deleted.')
  })

  test('prevents a later concurrent link', async () => {
    const { id } = await createUser(server.db)
    const { id: employee } = await createEmployee(server.db, { employerId })
    let linking: Promise<unknown> | undefined
    await server.db.transaction().execute(async (tx) => {
      await lockUser(tx, admins, id)
      linking = link(employee, id).catch((error: Error) => error.message)
      await waitForLock()
      await sql`update users set status = 'DELETED' where id = ${id}`.execute(tx)
    })
    expect(await linking).toContain('A deleted user cannot be linked.')
  })

  test('and a concurrent link leave only one of them, many times', async () => {
    for (let round = 0; round < 8; round++) {
      const { id } = await createUser(server.db)
      const { id: employee } = await createEmployee(server.db, { employerId })
      await Promise.all([send('PATCH', `${id}/deactivate`, { version: 1 }), link(employee, id).catch(() => null)])
      const { rows } = await sql<{ both: boolean }>`select u.status = 'DELETED' and e.user_id is not null as both
        from users u, employees e where u.id = ${id} and e.id = ${employee}`.execute(server.db)
      expect(rows[0]?.both).toBe(false)
    }
  })

  /** Resolves once a statement waits for a row lock of users. */
  async function waitForLock(): Promise<void> {
    await expect.poll(() => waitingForLocks(server), { interval: 10 }).toBeGreaterThan(0)
  }
})

test('a deleted user does not keep the employee from being unlinked', async () => {
  const { id, employee } = await linked()
  await sql`update users set status = 'DELETED' where id = ${id}`.execute(server.owner)
  const answer = await call(server, 'POST', `/employees/${employee}/unlink`, { ...admin, body: {} })
  expect(answer.status).toBe(200)
})
