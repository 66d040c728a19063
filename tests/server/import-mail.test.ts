import { sql } from 'kysely'
import MailComposer from 'nodemailer/lib/mail-composer/index.js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { importFiles } from '#server/jobs/imports/import-files.ts'
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
    types: ['ELIGIBLE_EMPLOYEE'],
    eligible_employee_email: 'Payroll@Harbor.example.com',
  })
})
afterAll(() => server.close())

type Files = Record<string, string>
const mailFrom = async (from: string, files: Files): Promise<string> => {
  const attachments = Object.entries(files).map(([filename, content]) => ({ filename, content }))
  const mail = new MailComposer({ from, to: 'files@example.com', subject: 'Files', text: 'Ours.', attachments })
  return (await mail.compile().build()).toString('base64')
}
const hand = async (from: string, files: Files, more: object = {}) =>
  call(server, 'POST', '/imports/mail', {
    headers: server.application,
    body: { key, message: await mailFrom(from, files), ...more },
  })
const file = 'Code,Name,Status\nW1,Ann Lee,Active\n'

test('a file that comes by mail from an address of the company is imported', async () => {
  const { status, body } = await hand('Pay Roll <payroll@harbor.example.com>', {
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
  // A mail that is handed on twice is imported once.
  const again = await hand('payroll@harbor.example.com', { 'harbor_ee.csv': file })
  expect((await good('GET', `/imports/${again.body.files[0].import_id}`)).status).toBe('DUPLICATED')
})

test('of another address, of another kind or with another name nothing is taken, and each is told why', async () => {
  const why = async (from: string, name: string) => (await hand(from, { [name]: file })).body.files
  const nobody = 'Nobody may send such files from this address.'
  expect(await why('mallory@example.com', 'harbor_ee.csv')).toEqual([
    { file_name: 'harbor_ee.csv', import_id: null, message: nobody },
  ])
  expect(await why('payroll@harbor.example.com', 'harbor_tk.csv')).toMatchObject([{ import_id: null, message: nobody }])
  expect(await why('payroll@harbor.example.com', 'staff.csv')).toMatchObject([
    { import_id: null, message: 'File names must end with _ee for employees or _tk for timekeeping, before .csv or .xlsx.' },
  ])
})

test('without the key, with another one, or of what is no mail nothing is taken', async () => {
  const wrong = await hand('payroll@harbor.example.com', { 'harbor_ee.csv': file }, { key: 'another key of the intake' })
  expect([wrong.status, wrong.body.code]).toEqual([401, 'credentials-invalid'])
  const none = await hand('payroll@harbor.example.com', { 'harbor_ee.csv': file }, { key: undefined })
  expect(none.status).toBe(422)
  const empty = await hand('x', {}, { message: Buffer.from('no mail at all').toString('base64') })
  expect([empty.status, empty.body.errors]).toEqual([
    422,
    [{ path: 'message', message: 'The mail does not say who it is from.' }],
  ])
  const closed = await createServer()
  const answer = await call(closed, 'POST', '/imports/mail', { headers: closed.application, body: { key, message: 'eA==' } })
  expect(answer.status).toBe(404)
  await closed.close()
})
