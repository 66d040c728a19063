import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { moveInvoices } from '#server/money/billing/clock.ts'
import { outgoingFiles } from '#server/sftp/outgoing.ts'
import { asking } from '#tests/support/asking.ts'
import { setToday } from '#tests/support/bank.ts'
import { createCompany } from '#tests/support/company.ts'
import { createInvoice } from '#tests/support/money.ts'
import { createServer, keyed, type TestServer } from '#tests/support/server.ts'
import { personWith, type SignedIn } from '#tests/support/session.ts'

let server: TestServer
let biller: SignedIn
let companies = 0
const { good, send } = asking(
  () => server,
  () => biller,
)

beforeAll(async () => {
  server = await createServer()
  biller = await personWith(server, [1, 3, 1001, 1002], 'Bea Biller')
})
afterAll(() => server.close())

interface Terms {
  should_send_ewa_file?: boolean
  should_send_empty_ewa_file?: boolean
  send_ewa_email?: boolean
  real_time_deductions?: boolean
}

/** An approved deduction of $20.00 for two employees, of an employer with this configuration. */
async function approved(terms: Terms, { empty = false } = {}) {
  companies += 1
  const company = await createCompany(server.db, `Files ${companies}`)
  const [employerId] = company.employerIds as [number]
  await server.db
    .insertInto('deduction_configurations' as never)
    .values({ employer_id: employerId, ...terms } as never)
    .execute()
  const invoice = await createInvoice(server.db, {
    employerId,
    status: 'ON_DEDUCTION_FILE',
    original: 20_00,
    lineCount: 2,
    reportDate: '2026-01-05',
    confirmationFlow: 'NONE',
  })
  if (empty)
    for (const line of invoice.lineIds)
      await sql`insert into ledger_entries (organization_id, invoice_id, kind, amount, line_id, actor_id, actor_name)
        values (${company.organizationId}, ${invoice.id}, 'WRITE_OFF', 1000, ${line}, 'service', 'System')`.execute(server.db)
  const id = invoice.deductionId as number
  const { version } = await good('GET', `/deductions/${id}`)
  const after = await good('POST', `/deductions/${id}/approve`, { version }, { headers: keyed(biller.headers) })
  return { id, employerId, organizationId: company.organizationId, version: after.version as number }
}
const out = async (organization_id: number) =>
  (await outgoingFiles(server.services, { organization_id } as never)).map(({ name }) => name)
const mailsTo = async (employerId: number) =>
  (await good('GET', `/employers/${employerId}/communications?kind=EWA_FILE_READY`)).communications

test('[ENT-066] an employer with file delivery gets files in its folder, others do not', async () => {
  const yes = await approved({})
  const sent = await good('POST', `/deductions/${yes.id}/deliver`, { version: yes.version }, { headers: keyed(biller.headers) })
  expect(sent).toMatchObject({ status: 'DELIVERED', sent: true })
  expect(await out(yes.organizationId)).toEqual([sent.file_name])

  const no = await approved({ should_send_ewa_file: false, send_ewa_email: true })
  const kept = await good('POST', `/deductions/${no.id}/deliver`, { version: no.version }, { headers: keyed(biller.headers) })
  expect(kept).toMatchObject({ status: 'DELIVERED', sent: false })
  expect(await out(no.organizationId)).toEqual([])
  expect(await mailsTo(no.employerId)).toEqual([])
})

test('a file without a deduction is sent only where empty files are configured', async () => {
  for (const should_send_empty_ewa_file of [true, false]) {
    const one = await approved({ should_send_empty_ewa_file }, { empty: true })
    const after = await good(
      'POST',
      `/deductions/${one.id}/deliver`,
      { version: one.version },
      { headers: keyed(biller.headers) },
    )
    expect(after).toMatchObject({ employees: 0, sent: should_send_empty_ewa_file })
    expect(await out(one.organizationId)).toHaveLength(should_send_empty_ewa_file ? 1 : 0)
  }
})

test("[ENT-072] where configured, the eligible employee addresses get a mail, the employer's before others", async () => {
  const one = await approved({ send_ewa_email: true })
  const address = (email: string, type: string, employer: number | null) =>
    sql`insert into data_emails (organization_id, employer_id, type, email, created_by, created_by_name)
      values (${one.organizationId}, ${employer}, ${type}, ${email}, 'x', 'X')`.execute(server.db)
  await address('all@example.com', 'ELIGIBLE_EMPLOYEE', null)
  await address('time@example.com', 'TIMEKEEPING', one.employerId)
  await address('pay@example.com', 'ELIGIBLE_EMPLOYEE', one.employerId)
  const { file_name } = await good(
    'POST',
    `/deductions/${one.id}/deliver`,
    { version: one.version },
    { headers: keyed(biller.headers) },
  )
  const mails = await mailsTo(one.employerId)
  expect(mails.map(({ recipient }: { recipient: string }) => recipient)).toEqual(['pay@example.com'])
  expect(mails[0]).toMatchObject({ state: 'QUEUED', text: expect.stringContaining(`The file ${file_name} asks`) })
  expect(mails[0].text).toContain('$20.00 of 2 employees')
})

test('real-time deductions are delivered on approval, others wait for a person', async () => {
  const now = await approved({ real_time_deductions: true })
  const later = await approved({ real_time_deductions: false })
  await setToday(server.owner, '2026-01-05')
  expect(await moveInvoices(server, { processor: null })).toMatchObject({ delivered: 1, failed: 0 })
  expect(await good('GET', `/deductions/${now.id}`)).toMatchObject({ status: 'DELIVERED', sent: true })
  expect(await good('GET', `/deductions/${later.id}`)).toMatchObject({ status: 'APPROVED' })
  const { events } = await good('GET', `/deductions/${now.id}/history`)
  expect(events[0]).toMatchObject({ status: 'Deduction delivered', text: 'Delivered at once.' })
  expect(await moveInvoices(server, { processor: null })).toMatchObject({ delivered: 0, failed: 0 })
})

test('a file without a valid encryption key waits, and the mail has its final name', async () => {
  const one = await approved({ real_time_deductions: true, send_ewa_email: true })
  await sql`insert into data_emails (organization_id, employer_id, type, email, created_by, created_by_name)
    values (${one.organizationId}, ${one.employerId}, 'ELIGIBLE_EMPLOYEE', 'pay@example.com', 'x', 'X')`.execute(server.db)
  const key = (expires: string) =>
    sql`insert into encryption_keys (organization_id, armored, fingerprint, user_ids, algorithm, created_at, expires_at, added_at)
      values (${one.organizationId}, 'x', 'F', '{}', 'ed25519', now(), ${expires}::timestamptz, now())
      on conflict (organization_id) do update set expires_at = excluded.expires_at`.execute(server.db)
  await key('2020-01-01')
  await setToday(server.owner, '2026-01-05')
  expect(await moveInvoices(server, { processor: null })).toMatchObject({ delivered: 0, failed: 0 })
  const refused = await send(
    'POST',
    `/deductions/${one.id}/deliver`,
    { version: one.version },
    { headers: keyed(biller.headers) },
  )
  expect(refused).toMatchObject({
    status: 409,
    body: { detail: expect.stringContaining('encryption key of the organization has expired') },
  })
  expect(await mailsTo(one.employerId)).toEqual([])
  await key('2099-01-01')
  expect(await moveInvoices(server, { processor: null })).toMatchObject({ delivered: 1, failed: 0 })
  const [mail] = await mailsTo(one.employerId)
  const { file_name } = await good('GET', `/deductions/${one.id}`)
  expect(mail.text).toContain(`The file ${file_name}.pgp asks`)
  // There is no SFTP user for that folder.
  expect(mail.text).not.toContain('folder "out"')
})

test('a mail about a file is resent only to an address that still receives them', async () => {
  const one = await approved({ send_ewa_email: true })
  await sql`insert into data_emails (organization_id, employer_id, type, email, created_by, created_by_name)
    values (${one.organizationId}, ${one.employerId}, 'ELIGIBLE_EMPLOYEE', 'old@example.com', 'x', 'X')`.execute(server.db)
  await good('POST', `/deductions/${one.id}/deliver`, { version: one.version }, { headers: keyed(biller.headers) })
  await sql`update communications set sent_at = now() where employer_id = ${one.employerId}`.execute(server.db)
  const [mail] = await mailsTo(one.employerId)
  const again = await good('POST', `/communications/${mail.id}/resend`, { version: mail.version })
  expect(again.state).toBe('QUEUED')
  await sql`update communications set sent_at = now() where employer_id = ${one.employerId}`.execute(server.db)
  await sql`delete from data_emails where employer_id = ${one.employerId}`.execute(server.db)
  expect(await send('POST', `/communications/${mail.id}/resend`, { version: again.version })).toMatchObject({
    status: 409,
    body: { detail: 'Mails about EWA files do not go to old@example.com any more.' },
  })
})
