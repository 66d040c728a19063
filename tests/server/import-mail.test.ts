import { connect } from 'node:net'
import { sql } from 'kysely'
import MailComposer from 'nodemailer/lib/mail-composer/index.js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { importFiles } from '#server/jobs/imports/import-files.ts'
import { readMailApart } from '#server/jobs/imports/read-mail.ts'
import { asking } from '#tests/support/asking.ts'
import { createCompany } from '#tests/support/company.ts'
import { testAuth } from '#tests/support/people.ts'
import { call, createServer, type TestServer } from '#tests/support/server.ts'
import { personWith, type SignedIn } from '#tests/support/session.ts'

const key = 'the key of the mail intake'
let server: TestServer
let admin: SignedIn
let organizationId: number
let employers: [number, number]

const { good } = asking(
  () => server,
  () => admin,
)

beforeAll(async () => {
  server = await createServer({ auth: { ...testAuth, mailKey: key } })
  admin = await personWith(server, [2, 3, 4, 8, 1002, 1003, 1020], 'Ada Admin')
  const company = await createCompany(server.db, 'Harbor', 2)
  organizationId = company.organizationId
  employers = company.employerIds as [number, number]
  await sql`insert into configurations (organization_id, withdraw_limit_type, withdraw_limit_amount, withdraw_amount_max)
    values (${organizationId}, 'PERCENTAGE', 5000, 300000)`.execute(server.db)
  const columns = [
    { header: 'Code', field: 'employee_code' },
    { header: 'Name', field: 'full_name' },
    { header: 'Status', field: 'status' },
  ]
  await good('POST', '/mappings/employees', { employer_id: employers[0], file_name: 'harbor_ee.csv', columns })
  await good('POST', '/data-emails', {
    organization_id: organizationId,
    type: 'ELIGIBLE_EMPLOYEE',
    email: 'Payroll@Harbor.example.com',
  })
})
afterAll(() => server.close())

type Files = Record<string, string>
const mailFrom = async (from: string, files: Files): Promise<string> => {
  const attachments = Object.entries(files).map(([filename, content]) => ({ filename, content }))
  const mail = new MailComposer({ from, to: 'files@example.com', subject: 'Files', text: 'Ours.', attachments })
  return (await mail.compile().build()).toString('base64')
}
const postMail = (message: string, headers: Record<string, string> = { ...server.application, key }) =>
  call(server, 'POST', '/imports/mail', { headers, body: { message } })
const sendMail = async (from: string, files: Files, more: Record<string, string> = {}) =>
  postMail(await mailFrom(from, files), { ...server.application, key, ...more })
const raw = (mail: string) => postMail(Buffer.from(mail).toString('base64'))
const file = 'Code,Name,Status\nW1,Ann Lee,Active\n'

test('a file sent by mail from an address of the company is imported', async () => {
  const { status, body } = await sendMail('Pay Roll <payroll@harbor.example.com>', {
    'harbor_20260105_ee.csv': file,
    'logo.png': 'x',
  })
  expect([status, body.files]).toEqual([
    200,
    [{ file_name: 'harbor_20260105_ee.csv', import_id: expect.any(Number), message: null }],
  ])
  await importFiles(server.services, () => false)
  expect(await good('GET', `/imports/${body.files[0].import_id}`)).toMatchObject({
    status: 'SUCCESS',
    source: 'EMAIL',
    received_by: 'payroll@harbor.example.com',
    employer_id: employers[0],
    created: 1,
  })
  // A mail handed in twice is imported once.
  const again = await sendMail('payroll@harbor.example.com', { 'harbor_ee.csv': file })
  expect((await good('GET', `/imports/${again.body.files[0].import_id}`)).status).toBe('DUPLICATED')
})

test('files from another address, of another kind or with another name are refused with a reason', async () => {
  const refusalOf = async (from: string, name: string) => (await sendMail(from, { [name]: file })).body.files
  const nobody = 'Nobody may send such files from this address.'
  expect(await refusalOf('mallory@example.com', 'harbor_ee.csv')).toEqual([
    { file_name: 'harbor_ee.csv', import_id: null, message: nobody },
  ])
  expect(await refusalOf('payroll@harbor.example.com', 'harbor_tk.csv')).toMatchObject([{ import_id: null, message: nobody }])
  expect(await refusalOf('payroll@harbor.example.com', 'staff.csv')).toMatchObject([
    {
      import_id: null,
      message:
        'File names must end with _ee for employees or _tk for timekeeping, before .csv or .xlsx. Other names need a confirmation file mapping.',
    },
  ])
})

test('a missing or wrong key, or a message that is not a mail, is refused', async () => {
  const wrong = await sendMail('payroll@harbor.example.com', { 'harbor_ee.csv': file }, { key: 'another key of the intake' })
  expect([wrong.status, wrong.body.code]).toEqual([401, 'credentials-invalid'])
  const none = await postMail('eA==', server.application)
  expect(none.status).toBe(401)
  const empty = await raw('no mail at all')
  expect([empty.status, empty.body.errors]).toEqual([
    422,
    [{ path: 'message', message: 'The mail does not say who it is from.' }],
  ])
  const closed = await createServer()
  const answer = await call(closed, 'POST', '/imports/mail', {
    headers: { ...closed.application, key },
    body: { message: 'eA==' },
  })
  expect(answer.status).toBe(404)
  await closed.close()
})

const ours = 'payroll@harbor.example.com'
const part = (name: string) => `--b\r\nContent-Disposition: attachment; filename="${name}"\r\n\r\n${file}\r\n`
const withParts = (head: string, parts: readonly string[]) =>
  `${head}\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n${parts.join('')}--b--\r\n`

test.each([
  ['twice', `From: ${ours}\r\nFrom: mallory@example.com`],
  ['of two', `From: ${ours}, mallory@example.com`],
  ['of two addresses without a comma', `From: <${ours}> <mallory@example.com>`],
  ['of a name that is an address', `From: mallory@example.com <${ours}>`],
  ['of a group', `From: Payroll: ${ours};`],
])('a mail with a sender %s is refused', async (_, head) => {
  const { status, body } = await raw(withParts(head, [part('harbor_ee.csv')]))
  expect([status, body.errors]).toEqual([422, [{ path: 'message', message: 'The e-mail does not have exactly one sender.' }]])
})

test('an address within a name, or as a part of another one, is not the sender', async () => {
  for (const from of [
    `"${ours}" <mallory@example.com>`,
    `mallory@example.com (${ours})`,
    `=?utf-8?q?${ours.replace('@', '=40')}?= <m@example.com>`,
  ])
    expect((await raw(withParts(`From: ${from}`, [part('harbor_ee.csv')]))).body.files).toMatchObject([
      { import_id: null, message: 'Nobody may send such files from this address.' },
    ])
})

test('pictures do not count as files, and each file above the limit is reported', async () => {
  const pictures = Array.from({ length: 25 }, (_, at) => part(`logo${at}.png`))
  const files = Array.from({ length: 21 }, (_, at) => part(`harbor_${20260201 + at}_ee.csv`))
  const results = (await raw(withParts(`From: ${ours}`, [...pictures, ...files]))).body.files
  expect(results).toHaveLength(21)
  expect(results[19]).toMatchObject({ import_id: expect.any(Number) })
  expect(results[20]).toMatchObject({ import_id: null, message: 'Of one mail 20 files are taken at most.' })
})

interface MailInput {
  from?: string
  headers?: Record<string, string>
  attachments?: { filename?: string | false; content: string; contentType?: string }[]
}
/** Hands in a mail, and returns its record with the answers that its sender got since. */
async function recordOf({ from = ours, headers = {}, attachments = [] }: MailInput) {
  const answers = async () =>
    (
      await sql<{ id: number; recipient: string; subject: string; body: string }>`select c.id, c.recipient, c.subject, c.body
        from communications c join outbox o on o.communication_id = c.id where c.kind = 'IMPORT_FAILED' order by c.id`.execute(
        server.db,
      )
    ).rows
  const before = (await answers()).length
  const mail = new MailComposer({
    from,
    to: 'files@example.com',
    subject: 'Files',
    text: 'https://files.example.com/1',
    headers,
    attachments,
  })
  const { status, body } = await postMail((await mail.compile().build()).toString('base64'))
  expect(status).toBe(200)
  const record = body.record_id === null ? null : await good('GET', `/imports/${body.record_id}`)
  return { files: body.files, record, answers: (await answers()).slice(before) }
}

test.each([
  ['no file at all', [], 'Mail without a file', 'No .csv or .xlsx file is attached. A link to a file is not followed.'],
  [
    'winmail.dat',
    [{ filename: 'winmail.dat', content: 'x', contentType: 'application/ms-tnef' }],
    'winmail.dat',
    'Outlook packed the attachments into “winmail.dat”, which is not read. Send the mail as plain text or HTML, not as rich text.',
  ],
  [
    'a forwarded mail',
    [{ filename: 'Payroll.eml', content: 'From: a@example.com\r\n\r\nHello', contentType: 'message/rfc822' }],
    'Payroll.eml',
    'The mail forwards another mail. Attach the file itself to a new mail.',
  ],
  [
    'an archive',
    [{ filename: 'harbor_ee.zip', content: 'PK' }],
    'harbor_ee.zip',
    'Files in archives are not read. Attach the .csv or .xlsx file itself.',
  ],
  ['another format', [{ filename: 'harbor_ee.xls', content: 'x' }], 'harbor_ee.xls', '“harbor_ee.xls” is no .csv or .xlsx file.'],
  [
    'a refused name',
    [{ filename: 'harbor_ee (1).csv', content: file }],
    'harbor_ee (1).csv',
    '“harbor_ee (1).csv” is the name of a copy. Check that it is the newest version, and send it as harbor_ee.csv.',
  ],
])('a mail of a known sender with %s leaves a record and is answered once', async (_, attachments, file_name, why) => {
  const { record, answers } = await recordOf({ attachments })
  expect(record).toMatchObject({
    status: 'FAIL',
    source: 'EMAIL',
    file_name,
    message: `Nothing to import. ${why}`,
    organization_id: organizationId,
    received_by: ours,
  })
  expect(answers).toMatchObject([{ recipient: ours, subject: `Not imported: ${file_name}` }])
  expect(answers[0]?.body).toContain(`Why: Nothing to import. ${why}`)
  expect(answers[0]?.body).toContain(`Reference: import ${record.id}`)
  // It needs attention until somebody rejects it.
  const waiting = async () =>
    (await good('GET', `/imports?waiting=YES&organization-id=${organizationId}&limit=100`)).imports.map(
      ({ id }: { id: number }) => id,
    )
  expect(await waiting()).toContain(record.id)
  await good('POST', `/imports/${record.id}/reject`, { version: record.version })
  expect(await waiting()).not.toContain(record.id)
})

test('a mail of an unknown sender leaves no record and gets no answer', async () => {
  expect(await recordOf({ from: 'mallory@example.com' })).toEqual({ files: [], record: null, answers: [] })
  const withFile = await recordOf({ from: 'mallory@example.com', attachments: [{ filename: 'harbor_ee.csv', content: file }] })
  expect([withFile.record, withFile.answers]).toEqual([null, []])
})

test.each([
  ['an automatic reply', { 'Auto-Submitted': 'auto-replied' }, false],
  ['a delivery report', { 'Return-Path': '<>' }, false],
  ['a program', { 'Auto-Submitted': 'auto-generated' }, true],
  ['a list', { Precedence: 'list' }, true],
  ['a sender who wants no automatic answers', { 'X-Auto-Response-Suppress': 'All' }, true],
])('%s is never answered', async (_, headers, leavesRecord) => {
  const { record, answers } = await recordOf({ headers, attachments: [{ filename: 'notes.txt', content: 'x' }] })
  expect([record !== null, answers]).toEqual([leavesRecord, []])
})

test('a mailed file that fails is answered once, whether on arrival or on import', async () => {
  const noMapping = await recordOf({ attachments: [{ filename: 'another_ee.csv', content: file }] })
  expect(noMapping.record).toBeNull()
  expect(noMapping.answers).toMatchObject([{ recipient: ours, subject: 'Not imported: another_ee.csv' }])
  expect(noMapping.answers[0]?.body).toContain('Why: File mapping not found')
  const rejected = await recordOf({
    attachments: [{ filename: 'harbor_20260301_ee.csv', content: 'Code,Name,Status\n,Ann Lee,Active\n' }],
  })
  expect([rejected.record, rejected.answers]).toEqual([null, []])
  const answersTo = async () =>
    (
      await sql<{ body: string }>`select body from communications where subject = 'Not imported: harbor_20260301_ee.csv'`.execute(
        server.db,
      )
    ).rows
  await importFiles(server.services, () => false)
  expect(await answersTo()).toMatchObject([{ body: expect.stringContaining('The only line of the file was rejected') }])
  await importFiles(server.services, () => false)
  expect(await answersTo()).toHaveLength(1)
})

test('an address gets at most 20 answers per hour, so that two programs cannot loop', async () => {
  await sql`insert into communications (organization_id, kind, recipient, subject, body)
    select ${organizationId}, 'IMPORT_FAILED', ${ours}, 'Before', '' from generate_series(1, 20)`.execute(server.db)
  const { record, answers } = await recordOf({})
  expect([record.status, answers]).toEqual(['FAIL', []])
  await sql`delete from communications where subject = 'Before'`.execute(server.db)
})

test('a file without a name uses the only mapping of its sender, or is refused if several fit', async () => {
  const unnamed = {
    attachments: [{ filename: false as const, content: 'Code,Name,Status\nW9,Una Named,Active\n', contentType: 'text/csv' }],
  }
  const { files, record } = await recordOf(unnamed)
  expect([files, record]).toEqual([[{ file_name: 'harbor_ee.csv', import_id: expect.any(Number), message: null }], null])
  await good('POST', '/mappings/employees', {
    employer_id: employers[1],
    file_name: 'second_ee.csv',
    columns: [
      { header: 'Code', field: 'employee_code' },
      { header: 'Name', field: 'full_name' },
      { header: 'Status', field: 'status' },
    ],
  })
  const several = await recordOf(unnamed)
  expect(several.record).toMatchObject({
    file_name: 'Mail without a file',
    message: 'Nothing to import. The attached file has no name. Attach it under its name, such as acme_ee.csv.',
  })
  expect(several.answers).toHaveLength(1)
})

test('for an address of two organizations neither shows the files of the other', async () => {
  const other = await createCompany(server.db, 'Quarry')
  for (const organization_id of [organizationId, other.organizationId])
    await good('POST', '/data-emails', {
      organization_id,
      type: 'ELIGIBLE_EMPLOYEE',
      email: 'bureau@payroll.example.com',
    })
  const { record, answers } = await recordOf({
    from: 'bureau@payroll.example.com',
    attachments: [{ filename: 'quarry_ee.zip', content: 'PK' }],
  })
  const { imports } = await good('GET', `/imports?organization-id=${other.organizationId}`)
  for (const one of [record, ...imports])
    expect([one.file_name, one.message]).toEqual([
      'Mail without a file',
      'Nothing to import. Several companies take files from this address.',
    ])
  expect(imports).toHaveLength(1)
  expect(answers).toHaveLength(1)
})

test('a mail with very many or deeply nested parts is refused', async () => {
  const deep = Array.from({ length: 60 }, (_, at) => `Content-Type: multipart/mixed; boundary=b${at}\r\n\r\n--b${at}\r\n`).join(
    '',
  )
  for (const mail of [
    `From: ${ours}\r\n${deep}`,
    withParts(
      `From: ${ours}`,
      Array.from({ length: 10_000 }, () => part('harbor_ee.csv')),
    ),
  ])
    expect((await raw(mail)).body.errors).toEqual([{ path: 'message', message: 'This is not an e-mail.' }])
})

test('other requests are answered while a malicious mail is read, which is then refused', async () => {
  // Their cost grows with the square of their number: tens of seconds on any machine.
  const parts = Array.from({ length: 600_000 }, () => '--b\r\n\r\nx\r\n')
  let underWay = true
  const refusal = raw(withParts(`From: ${ours}`, parts)).finally(() => {
    underWay = false
  })
  let answered = 0
  while (underWay) {
    await good('GET', '/imports')
    answered += 1
  }
  const { status, body } = await refusal
  expect([status, body.errors]).toEqual([
    422,
    [{ path: 'message', message: 'The mail takes too much to read. Send fewer files at once, or upload them.' }],
  ])
  expect(answered).toBeGreaterThan(4)
})

test('reading a mail has limits of memory, time and concurrency', async () => {
  const message = Buffer.from(
    withParts(
      `From: ${ours}`,
      Array.from({ length: 20_000 }, () => '--b\r\n\r\nx\r\n'),
    ),
  )
  const tooMuch = 'The mail takes too much to read. Send fewer files at once, or upload them.'
  await expect(readMailApart(message, undefined, { megabytes: 12, milliseconds: 60_000 })).rejects.toThrow(tooMuch)
  const small = Buffer.from(withParts(`From: ${ours}`, [part('harbor_ee.csv')]))
  const two = [1, 2].map(() =>
    readMailApart(message, undefined, { megabytes: 500, milliseconds: 100 }).catch(({ message }) => message),
  )
  const gone = new AbortController()
  const waiting = ['waits', 'leaves'].map((each) => readMailApart(small, each === 'leaves' ? gone.signal : undefined))
  gone.abort()
  await expect(waiting[1]).rejects.toMatchObject({ status: 503, code: 'unavailable' })
  expect(await waiting[0]).toMatchObject({ from: [ours], attachments: [{ name: 'harbor_ee.csv' }] })
  expect((await Promise.all(two)).filter((each) => typeof each === 'string')).not.toHaveLength(0)
})

test('a large mail keeps its attachments intact', async () => {
  const columns = Buffer.alloc(8_000_000, 'Code,Name,Status\nW1,Ann Lee,Active\n').toString()
  const message = Buffer.from(await mailFrom(ours, { 'harbor_ee.csv': columns, 'other_ee.csv': file }), 'base64')
  const { attachments } = await readMailApart(message, undefined, { megabytes: 512, milliseconds: 60_000 })
  expect(attachments.map(({ name, bytes }) => [name, Buffer.from(bytes).toString() === columns, bytes.length])).toEqual([
    ['harbor_ee.csv', true, 8_000_000],
    ['other_ee.csv', false, file.length],
  ])
})

test('a body with a file is only read from a known sender', async () => {
  const length = 40_000_000
  for (const [path, headers] of [
    ['/imports', {}],
    ['/imports', server.application],
    ['/imports', { ...server.application, authorization: 'Bearer nobody' }],
    ['/imports/mail', server.application],
    ['/imports/mail', { ...server.application, key: 'another key of the intake' }],
  ] as [string, Record<string, string>][]) {
    const answered = await new Promise<string>((resolve, reject) => {
      const socket = connect(Number(new URL(server.origin).port), '127.0.0.1')
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
      // Sends the head alone: a server that waited for the body would never answer.
      socket.write(
        `POST /api${path} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n${lines.join('')}\r\n`,
      )
      socket.once('data', (data) => {
        resolve(String(data).slice(0, 12))
        socket.destroy()
      })
      socket.once('error', reject)
    })
    expect([path, headers, answered]).toEqual([path, headers, 'HTTP/1.1 401'])
  }
})

test('the number of concurrently received bodies with files is limited', async () => {
  const sockets = Array.from({ length: 5 }, () => {
    const socket = connect(Number(new URL(server.origin).port), '127.0.0.1')
    const head = { ...server.application, key, host: 'x', 'content-type': 'application/json', 'content-length': '2000000' }
    socket.write(
      `POST /api/imports/mail HTTP/1.1\r\n${Object.entries(head)
        .map(([name, value]) => `${name}: ${value}\r\n`)
        .join('')}\r\n`,
    )
    return socket
  })
  const refused = await Promise.race(
    sockets.map((socket) => new Promise<string>((resolve) => socket.once('data', (data) => resolve(String(data))))),
  )
  expect(refused).toContain('503')
  expect(refused).toContain('Several files are being received right now. Try again in a few seconds.')
  for (const socket of sockets) socket.destroy()
  await expect.poll(async () => (await raw('no mail at all')).status).toBe(422)
})
