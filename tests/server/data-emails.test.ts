import { createServer as createSmtp, type Socket } from 'node:net'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { deliverMail } from '#server/auth/mail.ts'
import { forgetOld } from '#server/auth/housekeeping.ts'
import { createCompany } from '#tests/support/company.ts'
import { createPerson } from '#tests/support/people.ts'
import { asking, refusedFields } from '#tests/support/asking.ts'
import { createServer, type TestServer } from '#tests/support/server.ts'
import { personWith, type SignedIn } from '#tests/support/session.ts'
import { signInAs } from '#tests/support/sign-in.ts'

let server: TestServer
let admin: SignedIn
let organizationId: number
let employerId: number
let sister: number
let companies = 0

const { send, good } = asking(
  () => server,
  () => admin,
)

beforeAll(async () => {
  server = await createServer()
  admin = await personWith(server, [3, 4, 1002, 1020], 'Ada Admin')
})
afterAll(() => server.close())
beforeEach(async () => {
  const company = await createCompany(server.db, `Harbor ${++companies}`, 2)
  organizationId = company.organizationId
  ;[employerId, sister] = company.employerIds as [number, number]
})

const employees = (email: string, more: object = {}) => ({
  organization_id: organizationId,
  type: 'ELIGIBLE_EMPLOYEE',
  email,
  ...more,
})
const times = (email: string, more: object = {}) => employees(email, { type: 'TIMEKEEPING', ...more })
const ofEmployer = { organization_id: undefined, employer_id: 0 }
const listed = async (query: string, who: { headers: Record<string, string> } = admin) =>
  (await good('GET', `/data-emails?${query}`, undefined, who)).data_emails.map(({ email }: { email: string }) => email)

test('[API-099] [API-100] [ENT-132] [ENT-133] both kinds are added to an organization or employer, and found by each', async () => {
  const data_emails = [
    ...(await good('POST', '/data-emails', employees('People@Harbor.example'))).data_emails,
    ...(await good('POST', '/data-emails', times('hours@harbor.example'))).data_emails,
  ]
  expect(data_emails).toMatchObject([
    {
      type: 'ELIGIBLE_EMPLOYEE',
      email: 'people@harbor.example',
      level: 'ORGANIZATION',
      organization_id: organizationId,
      employer_id: null,
    },
    { type: 'TIMEKEEPING', email: 'hours@harbor.example', created_by: 'Ada Admin', version: 1 },
  ])
  const own = await good('POST', '/data-emails', times('own@harbor.example', { ...ofEmployer, employer_id: employerId }))
  expect(own.data_emails[0]).toMatchObject({ level: 'EMPLOYER', organization_id: organizationId, employer_id: employerId })
  expect(await listed(`organization-id=${organizationId}`)).toEqual([
    'hours@harbor.example',
    'own@harbor.example',
    'people@harbor.example',
  ])
  expect(await listed(`employer-id=${employerId}`)).toEqual(['own@harbor.example'])
  expect(await listed(`organization-id=${organizationId}&email=PEOPLE@harbor.example`)).toEqual(['people@harbor.example'])
  expect(await listed(`organization-id=${organizationId}&type=TIMEKEEPING&level=ORGANIZATION`)).toEqual(['hours@harbor.example'])
  expect(await listed(`organization-id=${organizationId}&q=own`)).toEqual(['own@harbor.example'])
  expect(await good('GET', `/data-emails/count?organization-id=${organizationId}`)).toEqual({ count: 3, exact: true })
  expect(await good('GET', `/data-emails/${data_emails[0].id}`)).toEqual(data_emails[0])
  const events = (await good('GET', `/organizations/${organizationId}/history`)).events
  expect(events.map(({ status, text }: { status: string; text: string }) => [status, text])).toEqual([
    ['Data e-mail added', 'Timekeeping: hours@harbor.example'],
    ['Data e-mail added', 'Eligible employee: people@harbor.example'],
  ])
  expect((await good('GET', `/employers/${employerId}/history`)).events[0].text).toBe('Timekeeping: own@harbor.example')
})

test('[API-100] the parameters of the specification work in the query, in the body, or in both', async () => {
  const made = async (path: string, body: object = {}) => (await good('POST', path, body)).data_emails
  const ofOrganization = { level: 'ORGANIZATION', organization_id: organizationId, employer_id: null, type: 'ELIGIBLE_EMPLOYEE' }
  expect(await made(`/data-emails?organization-id=${organizationId}&email=query@harbor.example`)).toMatchObject([
    { ...ofOrganization, email: 'query@harbor.example' },
  ])
  expect(await made('/data-emails', { organization_id: organizationId, email: 'body@harbor.example' })).toMatchObject([
    { ...ofOrganization, email: 'body@harbor.example' },
  ])
  const mixed = { email: 'mixed@harbor.example', employer_id: employerId, type: 'TIMEKEEPING' }
  expect(await made(`/data-emails?employer-id=${employerId}`, mixed)).toMatchObject([
    { level: 'EMPLOYER', organization_id: organizationId, employer_id: employerId, type: 'TIMEKEEPING', email: mixed.email },
  ])
  // Two companies in one call are an error, and nothing is added.
  expect(refusedFields(await send('POST', `/data-emails?employer-id=${sister}`, mixed))).toEqual({
    employer_id: 'Differs from the parameter employer-id.',
  })
  expect(refusedFields(await send('POST', `/data-emails?organization-id=${organizationId}`, mixed))).toEqual({
    organization_id: 'Name an organization or an employer.',
  })
  expect(refusedFields(await send('POST', `/data-emails?organization-id=${organizationId}`, {}))).toEqual({
    email: 'E-mail is required',
  })
  expect(await listed(`organization-id=${organizationId}`)).toEqual([
    'body@harbor.example',
    'mixed@harbor.example',
    'query@harbor.example',
  ])
})

test('[DEM-001] [DEM-004] an address must be valid, and must not be a number with a leading zero', async () => {
  for (const wrong of ['harbor', 'a@b', 'two@a.example, three@a.example'])
    expect(refusedFields(await send('POST', '/data-emails', employees(wrong)))).toEqual({ email: 'Invalid email' })
  expect(refusedFields(await send('POST', '/data-emails', employees('007@harbor.example')))).toEqual({
    email: 'email number must not start with zero',
  })
  await good('POST', '/data-emails', employees('700@harbor.example'))
  await good('POST', '/data-emails', employees('0ffice@harbor.example'))
})

test('[DEM-002] an address cannot also be of the other type, in either order', async () => {
  const refused = async (body: object) => refusedFields(await send('POST', '/data-emails', body))
  await good('POST', '/data-emails', employees('one@harbor.example'))
  expect(await refused(times('ONE@harbor.example'))).toEqual({ email: 'This is the eligible employee e-mail. Use another one.' })
  await good('POST', '/data-emails', times('two@harbor.example'))
  expect(await refused(employees('Two@harbor.example'))).toEqual({ email: 'This is the timekeeping e-mail. Use another one.' })
  expect(await listed(`organization-id=${organizationId}`)).toEqual(['one@harbor.example', 'two@harbor.example'])
  // Each level is independent.
  await good('POST', '/data-emails', times('one@harbor.example', { ...ofEmployer, employer_id: employerId }))
})

test('[DEM-003] an address is unique per kind and level', async () => {
  await good('POST', '/data-emails', employees('one@harbor.example'))
  expect(refusedFields(await send('POST', '/data-emails', employees('One@harbor.example')))).toEqual({
    email: 'This eligible employee e-mail exists already.',
  })
  expect(await listed(`organization-id=${organizationId}`)).toEqual(['one@harbor.example'])
  await good('POST', '/data-emails', employees('one@harbor.example', { ...ofEmployer, employer_id: sister }))
  const race = await Promise.all([1, 2].map(() => send('POST', '/data-emails', employees('race@harbor.example'))))
  expect(race.map(({ status }) => status).sort()).toEqual([201, 422])
})

test('[API-101] is deleted once, with the version that was seen, and is in the history', async () => {
  const [made] = (await good('POST', '/data-emails', employees('one@harbor.example'))).data_emails
  const stale = await send('DELETE', `/data-emails/${made.id}?version=7`, {})
  expect([stale.status, stale.body.facts]).toEqual([409, made])
  const both = await Promise.all([1, 2].map(() => send('DELETE', `/data-emails/${made.id}?version=1`, {})))
  expect(both.map(({ status }) => status).sort()).toEqual([200, 404])
  expect((await good('GET', `/organizations/${organizationId}/history`)).events[0]).toMatchObject({
    status: 'Data e-mail deleted',
    text: 'Eligible employee: one@harbor.example',
  })
})

test('reading needs employers or organizations, changing write:integrations, both within access', async () => {
  const [whole] = (await good('POST', '/data-emails', employees('whole@harbor.example'))).data_emails
  const [own] = (await good('POST', '/data-emails', employees('own@harbor.example', { ...ofEmployer, employer_id: employerId })))
    .data_emails
  for (const permission of [3, 4])
    expect((await send('GET', '/data-emails', undefined, await personWith(server, [permission]))).status).toBe(200)
  expect((await send('GET', '/data-emails', undefined, await personWith(server, [1, 2]))).status).toBe(403)
  const reader = await personWith(server, [3, 4])
  expect((await send('POST', '/data-emails', employees('x@harbor.example'), reader)).status).toBe(403)
  expect((await send('DELETE', `/data-emails/${own.id}?version=1`, {}, reader)).status).toBe(403)
  const person = await createPerson(server.db, { kind: 'ACCOUNT_MANAGER', permissions: [3, 4, 1020], grants: [{ employerId }] })
  const manager = { headers: await signInAs(server, person) }
  expect(await listed(`organization-id=${organizationId}`, manager)).toEqual(['own@harbor.example'])
  expect((await good('GET', '/data-emails/count', undefined, manager)).count).toBe(1)
  expect((await send('GET', `/data-emails/${whole.id}`, undefined, manager)).status).toBe(404)
  expect((await send('DELETE', `/data-emails/${whole.id}?version=1`, {}, manager)).status).toBe(404)
  expect((await send('POST', '/data-emails', employees('x@harbor.example'), manager)).status).toBe(404)
  expect(
    (await send('POST', '/data-emails', employees('x@harbor.example', { ...ofEmployer, employer_id: sister }), manager)).status,
  ).toBe(404)
  await good('POST', '/data-emails', employees('x@harbor.example', { ...ofEmployer, employer_id: employerId }), manager)
})

test('the owner gets a mail, which is in the communications of each employer concerned', async () => {
  const [whole] = (await good('POST', '/data-emails', employees('whole@harbor.example'))).data_emails
  await good('POST', '/data-emails', times('own@harbor.example', { ...ofEmployer, employer_id: employerId }))
  const mails = async (id: number, query = '') => (await good('GET', `/employers/${id}/communications${query}`)).communications
  const of = async (id: number) =>
    (await mails(id)).map(({ recipient, state }: { recipient: string; state: string }) => [recipient, state])
  expect(await of(employerId)).toEqual([
    ['whole@harbor.example', 'QUEUED'],
    ['own@harbor.example', 'QUEUED'],
  ])
  expect(await of(sister)).toEqual([['whole@harbor.example', 'QUEUED']])
  const [first] = await mails(sister)
  expect(first).toMatchObject({ kind: 'DATA_EMAIL_ADDED', sent_at: null, resent: 0 })
  const early = await send('POST', `/communications/${first.id}/resend`, { version: 1 })
  expect([early.status, early.body.detail]).toEqual([409, 'This mail is on its way already.'])
  await sql`update outbox set attempts = 8 where communication_id = ${first.id}`.execute(server.db)
  expect((await good('GET', `/communications/${first.id}`)).state).toBe('FAILED')
  const again = await good('POST', `/communications/${first.id}/resend`, { version: 1 })
  expect(again).toMatchObject({ state: 'QUEUED', resent: 1, version: 2 })
  await sql`update communications set sent_at = now() where id = ${first.id}`.execute(server.db)
  expect((await mails(sister, '?state=SENT&q=whole'))[0]).toMatchObject({ id: first.id, state: 'SENT' })
  expect(await good('GET', `/employers/${employerId}/communications/count?kind=DATA_EMAIL_REMOVED`)).toMatchObject({ count: 0 })
  await good('DELETE', `/data-emails/${whole.id}?version=1`, {})
  expect(await good('GET', `/employers/${employerId}/communications/count?kind=DATA_EMAIL_REMOVED`)).toMatchObject({ count: 1 })

  const person = await createPerson(server.db, { kind: 'ACCOUNT_MANAGER', permissions: [3], grants: [{ employerId: sister }] })
  const manager = { headers: await signInAs(server, person) }
  expect((await send('GET', `/employers/${employerId}/communications`, undefined, manager)).status).toBe(404)
  expect((await send('GET', `/communications/${first.id}`, undefined, manager)).status).toBe(200)
  expect((await send('POST', `/communications/${first.id}/resend`, { version: 2 }, manager)).status).toBe(403)
})

/** A mail server that accepts everything. */
async function mailServer() {
  const listening = createSmtp((socket) => {
    let text = false
    socket.write('220 ready\r\n')
    socket.on('data', (bytes) => {
      const said = bytes.toString()
      if (text && !said.endsWith('\r\n.\r\n')) return
      const begins = !text && /^DATA/i.test(said)
      text = begins
      socket.write(begins ? '354 go on\r\n' : /^QUIT/i.test(said) ? '221 bye\r\n' : '250 ok\r\n')
    })
    socket.on('error', () => {})
  })
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve))
  const { port } = listening.address() as { port: number }
  return { url: `smtp://127.0.0.1:${port}`, close: () => listening.close() }
}

test('[SCR-035] a mail that the mail server accepted is sent', async () => {
  await good('POST', '/data-emails', employees('one@harbor.example'))
  const mail = await mailServer()
  // Some twenty mails are sent in parallel.
  const settings = { ...server.services.auth, smtpUrl: mail.url }
  let delivered = 0
  for (let sent = 1; sent > 0; delivered += sent) sent = await deliverMail(server.db, settings, new Date())
  expect(delivered).toBeGreaterThan(0)
  mail.close()
  const [sent] = (await good('GET', `/employers/${employerId}/communications`)).communications
  expect(sent).toMatchObject({ state: 'SENT', recipient: 'one@harbor.example', version: 2, sent_at: expect.any(String) })
})

test('a silent mail server holds up one mail, and not for long', async () => {
  await good('POST', '/data-emails', employees('one@harbor.example'))
  await good('POST', '/data-emails', employees('two@harbor.example'))
  await sql`delete from outbox where recipient not in ('one@harbor.example', 'two@harbor.example')`.execute(server.owner)
  const connections: Socket[] = []
  const silent = createSmtp((socket) => void connections.push(socket))
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  const { port } = silent.address() as { port: number }
  const smtpUrl = `smtp://127.0.0.1:${port}?greetingTimeout=400`
  const sending = deliverMail(server.db, { ...server.services.auth, smtpUrl }, new Date())
  await expect.poll(() => connections.length).toBe(1)
  const { rows } = await sql<{
    held: number
  }>`select count(*)::int as held from outbox where attempts > 0 and sent_at is null`.execute(server.db)
  expect(rows).toEqual([{ held: 1 }])
  expect(await sending).toBe(0)
  for (const socket of connections) socket.destroy()
  silent.close()
})

test('a mail that no server accepts fails after some time, and is kept for 13 months', async () => {
  await good('POST', '/data-emails', employees('one@harbor.example'))
  const count = async () => (await good('GET', `/employers/${employerId}/communications/count`)).count
  // Nothing listens there.
  await deliverMail(server.db, { ...server.services.auth, smtpUrl: 'smtp://127.0.0.1:9' }, new Date())
  expect((await good('GET', `/employers/${employerId}/communications?state=QUEUED`)).communications).toHaveLength(1)
  const newAdmin = () => personWith(server, [3, 4, 1002, 1020])
  const later = (months: number) => new Date(Date.now() + months * 30.5 * 24 * 60 * 60 * 1000)
  await forgetOld(server.db, later(12))
  admin = await newAdmin()
  expect([
    await count(),
    (await good('GET', `/employers/${employerId}/communications?state=FAILED`)).communications.length,
  ]).toEqual([1, 1])
  await forgetOld(server.db, later(14))
  admin = await newAdmin()
  expect(await count()).toBe(0)
})
