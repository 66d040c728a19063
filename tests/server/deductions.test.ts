import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { permissionIds } from '#domain/permissions.ts'
import { deductionSorts } from '#contract/deductions.ts'
import { deductionStatuses } from '#domain/deduction.ts'
import { approveDeductionOf, lockDeduction } from '#server/tables/deductions.ts'
import { service } from '#server/tables/ledger.ts'
import { versionsBehind } from '#tests/support/billing.ts'
import { createCompany } from '#tests/support/company.ts'
import { createInvoice, createWriteOff, type InvoiceInput } from '#tests/support/money.ts'
import { auditMoney } from '#tests/support/money-audit.ts'
import { createPerson } from '#tests/support/people.ts'
import { keyed, call, createServer, type TestServer } from '#tests/support/server.ts'
import { personWith, type SignedIn } from '#tests/support/session.ts'
import { signInAs } from '#tests/support/sign-in.ts'

let server: TestServer
let employerId: number
let biller: SignedIn
let approver: SignedIn

beforeAll(async () => {
  server = await createServer()
  employerId = (await createCompany(server.db, 'Harbor')).employerIds[0] as number
  biller = await personWith(server, [1, 1001], 'Tom Berg')
  approver = await personWith(server, [1, 1008], 'Priya Raman')
})
afterAll(async () => {
  expect(await auditMoney(server.db)).toEqual([])
  await server.close()
})

const get = (path: string, { headers } = biller) => call(server, 'GET', path, { headers })
const post = (path: string, body: unknown, { headers } = biller) => call(server, 'POST', path, { headers: keyed(headers), body })
/** Decides on a write-off, with the current version of its invoice. */
const decide = async (id: number, step: 'approve' | 'reverse', body: object, who = biller) =>
  post(`/write-offs/${id}/${step}`, { expected: await versionsBehind(server, 'write-offs', id), ...body }, who)

/** An invoice with a pending deduction. */
async function reported(more: Partial<InvoiceInput> = {}) {
  const invoice = await createInvoice(server.db, {
    employerId,
    status: 'ON_DEDUCTION_FILE',
    original: 300_00,
    lineCount: 3,
    reportDate: '2026-01-05',
    ...more,
  })
  return { invoice, id: invoice.deductionId as number }
}
/** A deduction with a delivered file. */
async function delivered(more: Partial<InvoiceInput> = {}) {
  const made = await reported(more)
  await post(`/deductions/${made.id}/approve`, { version: 1 })
  const answer = await post(`/deductions/${made.id}/deliver`, { version: 2 })
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  return { ...made, answer }
}
const invoiceOf = async (id: number) =>
  (
    await sql<{ status: string; outstanding_amount: number; version: number }>`
      select status, outstanding_amount, version from invoices where id = ${id}`.execute(server.db)
  ).rows[0]

test('[DED-001] [SCR-063] a deduction waits with the amounts to withhold', async () => {
  const { invoice, id } = await reported()
  const { body } = await get(`/deductions/${id}`)
  expect(body).toMatchObject({
    id,
    status: 'PENDING',
    invoice_id: invoice.id,
    invoice_number: invoice.number,
    invoice_status: 'ON_DEDUCTION_FILE',
    employer: { id: employerId },
    report_date: '2026-01-05',
    amount: 300_00,
    employees: 3,
    pending_write_offs: 0,
    confirmed_amount: null,
    file_name: null,
    approved_by: null,
    version: 1,
  })
  expect(deductionStatuses.label(body.status)).toBe('Pending')
})

test('[DED-002] [DED-005] approving it approves its invoice', async () => {
  const { invoice, id } = await reported()
  const answer = await post(`/deductions/${id}/approve`, { version: 1 })
  expect(answer.status).toBe(200)
  expect(answer.body).toMatchObject({
    status: 'APPROVED',
    invoice_status: 'DEDUCTION_APPROVED',
    approved_by: { id: biller.id, name: 'Tom Berg' },
    version: 2,
  })
  expect(deductionStatuses.label(answer.body.status)).toBe('Approved')
  expect(await invoiceOf(invoice.id)).toMatchObject({ status: 'DEDUCTION_APPROVED', version: 2 })
  const { rows } = await sql<{ entity: string; status: string }>`
    select entity, status from audit_events where intent = 'deduction.approve'
      and (entity, entity_id) in (('invoice', ${String(invoice.id)}), ('deduction', ${String(id)})) order by entity`.execute(
    server.db,
  )
  expect(rows).toEqual([
    { entity: 'deduction', status: 'Deduction approved' },
    { entity: 'invoice', status: 'Deduction approved' },
  ])
  const again = await post(`/deductions/${id}/approve`, { version: 2 })
  expect([again.status, again.body.detail]).toEqual([409, 'Actions unavailable when in Approved.'])
})

test('[DED-005] with nothing outstanding the approval closes the invoice', async () => {
  const { invoice, id } = await reported({ original: 50_00, lineCount: 1 })
  const off = await createWriteOff(server.db, { invoiceId: invoice.id, lineId: invoice.lineIds[0] as number, amount: 50_00 })
  await decide(off.id, 'approve', { amount: 50_00, reason: 'Left', version: 1 }, approver)
  expect((await invoiceOf(invoice.id))?.status).toBe('ON_DEDUCTION_FILE')
  const answer = await post(`/deductions/${id}/approve`, { version: 2 })
  expect(answer.body).toMatchObject({ status: 'APPROVED', invoice_status: 'CLOSED', amount: 0, employees: 0 })
})

test('[DED-006] it is not approved while a write-off is pending', async () => {
  const { invoice, id } = await reported()
  const off = await createWriteOff(server.db, { invoiceId: invoice.id, lineId: invoice.lineIds[0] as number, amount: 40_00 })
  expect((await get(`/deductions/${id}`)).body.pending_write_offs).toBe(1)
  const refused = await post(`/deductions/${id}/approve`, { version: 1 })
  expect([refused.status, refused.body.code, refused.body.detail]).toEqual([
    409,
    'write-offs-pending',
    'Approve is not possible while write-offs are pending.',
  ])
  expect((await invoiceOf(invoice.id))?.status).toBe('ON_DEDUCTION_FILE')
  await decide(off.id, 'approve', { amount: 25_00, reason: 'Left', version: 1 }, approver)
  const seen = await post(`/deductions/${id}/approve`, { version: 1 })
  expect([seen.status, seen.body.code]).toEqual([409, 'stale-version'])
  expect(seen.body.facts).toMatchObject({ id, amount: 275_00, pending_write_offs: 0, version: 2 })
  expect((await post(`/deductions/${id}/approve`, { version: 2 })).status).toBe(200)
})

test('[DED-005] the service approves automatically, and both histories say so', async () => {
  const { invoice, id } = await reported()
  const off = await createWriteOff(server.db, { invoiceId: invoice.id, lineId: invoice.lineIds[0] as number, amount: 1_00 })
  const approve = () =>
    server.db.transaction().execute(async (tx) => {
      const locked = await lockDeduction(tx, null, id)
      return locked && approveDeductionOf(tx, service, locked, new Date())
    })
  await expect(approve()).rejects.toMatchObject({ code: 'write-offs-pending' })
  await post(`/write-offs/${off.id}/reject`, { reason: 'No', version: 1 }, approver)
  expect(await approve()).toMatchObject({ status: 'APPROVED', approved_by_name: 'System' })
  expect((await invoiceOf(invoice.id))?.status).toBe('DEDUCTION_APPROVED')
  const [event] = (await get(`/deductions/${id}/history`)).body.events
  expect(event).toMatchObject({
    status: 'Deduction approved',
    text: 'Approved automatically.',
    actor: { id: 'service' },
    changes: [{ field: 'status', before: 'PENDING', after: 'APPROVED' }],
  })
})

test('[DED-003] on delivery its file gets a name, and it is delivered once', async () => {
  const { id, invoice, answer } = await delivered()
  expect(answer.body).toMatchObject({
    status: 'DELIVERED',
    file_name: `ha1-${invoice.id}_20260105_ewa.csv`,
    version: 3,
  })
  expect(answer.body.file_name.split('_')).toHaveLength(3)
  expect(answer.body.delivered_at).not.toBeNull()
  expect(deductionStatuses.label(answer.body.status)).toBe('Delivered')
  const again = await post(`/deductions/${id}/deliver`, { version: 3 })
  expect([again.status, again.body.detail]).toEqual([409, 'Actions unavailable when in Delivered.'])
  const early = await reported()
  const refused = await post(`/deductions/${early.id}/deliver`, { version: 1 })
  expect([refused.status, refused.body.detail]).toEqual([409, 'Actions unavailable when in Pending.'])
})

test('[DED-003] a file with an employee without identifier is not delivered', async () => {
  const works = (await createCompany(server.db, 'Timeclock')).employerIds[0] as number
  await sql`insert into deduction_configurations (employer_id, employee_identifier_type) values (${works}, 'EXTERNAL_TK_ID')`.execute(
    server.db,
  )
  const { invoice, id } = await reported({ employerId: works })
  await sql`update employees set external_tk_id = null where id = ${invoice.employeeIds[1] as number}`.execute(server.db)
  await post(`/deductions/${id}/approve`, { version: 1 })
  const refused = await post(`/deductions/${id}/deliver`, { version: 2 })
  expect([refused.status, refused.body.code, refused.body.detail]).toEqual([
    409,
    'identifier-missing',
    'The file names employees by external TK id, which Mia Torres does not have.',
  ])
  await sql`update employees set external_tk_id = 'TK-2' where id = ${invoice.employeeIds[1] as number}`.execute(server.db)
  expect((await post(`/deductions/${id}/deliver`, { version: 2 })).status).toBe(200)
})

/** The downloaded file of a deduction. */
async function fileOf(id: number, { headers } = biller) {
  const response = await fetch(`${server.origin}/api/deductions/${id}/file`, { headers })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

test('[DED-003] the file uses the identifiers of the employer, and does not change after delivery', async () => {
  const works = (await createCompany(server.db, 'Payroll')).employerIds[0] as number
  const { invoice, id } = await reported({ employerId: works })
  const [first, second, third] = invoice.lineIds as [number, number, number]
  const named = ['Abel,=1+1', 'Baker', 'Ćosić']
  for (const [at, name] of named.entries())
    await sql`update employees set last_name = ${name} where id = ${invoice.employeeIds[at] as number}`.execute(server.db)
  const writeOff = async (lineId: number, amount: number) => {
    const off = await createWriteOff(server.db, { invoiceId: invoice.id, lineId, amount })
    const approved = await decide(off.id, 'approve', { amount, reason: 'Left', version: 1 }, approver)
    expect(approved.status).toBe(200)
  }
  await writeOff(first, 100_00)
  await writeOff(second, 37_50)
  await post(`/deductions/${id}/approve`, { version: 3 })
  await post(`/deductions/${id}/deliver`, { version: 4 })
  await writeOff(third, 100_00)
  const file = await fileOf(id)
  expect([file.status, file.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8'])
  expect(file.headers.get('content-disposition')).toBe(`attachment; filename="pa1-${invoice.id}_20260105_ewa.csv"`)
  expect(file.text).toBe('employee_code,first_name,last_name,amount\nE-2,Mia,Baker,62.50\nE-3,Mia,Ćosić,100.00\n')
  expect((await get(`/deductions/${id}`)).body).toMatchObject({ amount: 62_50, employees: 1 })
  expect((await fileOf(id, await personWith(server, [1001]))).status).toBe(403)

  // A later name or kind of identifier does not change a delivered file.
  await sql`update employees set last_name = 'Married', employee_code = employee_code || 'X' where employer_id = ${works}`.execute(
    server.db,
  )
  await sql`insert into deduction_configurations (employer_id, employee_identifier_type) values (${works}, 'SECONDARY_EXTERNAL_TK_ID')`.execute(
    server.db,
  )
  expect((await fileOf(id)).text).toBe(file.text)
  const { head, rows } = (await get(`/deductions/${id}/file-preview`)).body
  expect([head.join(), ...rows.map((row: string[]) => row.join())].join('\n')).toBe(file.text.trim())

  const other = await reported({ employerId: works, lineCount: 1, original: 2_05 })
  const [somebody] = other.invoice.employeeIds as [number]
  await sql`update employees set last_name = 'Second', secondary_tk_id = 'S-1' where id = ${somebody}`.execute(server.db)
  expect((await fileOf(other.id)).text).toBe('secondary_external_tk_id,first_name,last_name,amount\nS-1,Mia,Second,2.05\n')
  await post(`/deductions/${other.id}/approve`, { version: 1 })
  expect((await post(`/deductions/${other.id}/deliver`, { version: 2 })).status).toBe(200)
  await sql`delete from deduction_configurations where employer_id = ${works}`.execute(server.db)

  const early = await reported({ employerId: works, lineCount: 1, original: 1_05 })
  await sql`update employees set last_name = ${named[0]} where id = ${early.invoice.employeeIds[0] as number}`.execute(server.db)
  await sql`insert into deduction_configurations (employer_id, employee_identifier_type) values (${works}, 'EXTERNAL_TK_ID')`.execute(
    server.db,
  )
  expect((await fileOf(early.id)).text).toBe('external_tk_id,first_name,last_name,amount\nTK-1,Mia,"Abel,=1+1",1.05\n')
  await sql`update employees set last_name = '=1+1' where id = ${early.invoice.employeeIds[0] as number}`.execute(server.db)
  expect((await fileOf(early.id)).text).toContain('TK-1,Mia,=1+1,1.05')
})

test('[DED-004] with one confirmation it waits for it, and is then complete', async () => {
  const { id, invoice, answer } = await delivered({ confirmationFlow: 'SINGLE' })
  expect(answer.body.status).toBe('WAITING_CONFIRMATION')
  expect(deductionStatuses.label(answer.body.status)).toBe('Waiting confirmation')
  const [first, second] = invoice.lineIds as [number, number]
  const confirmations = [
    { line_id: first, withheld_amount: 100_00 },
    { line_id: second, withheld_amount: 0 },
  ]
  const done = await post(`/deductions/${id}/confirmations`, { confirmations, notes: 'By mail', version: 3 })
  expect(done.body).toMatchObject({ status: 'DELIVERED', confirmations: 1, confirmed_amount: 100_00, version: 4 })
  expect(done.body.confirmed_at).not.toBeNull()
  expect(await invoiceOf(invoice.id)).toMatchObject({ status: 'DEDUCTION_APPROVED', outstanding_amount: 300_00 })
  const [event] = (await get(`/deductions/${id}/history`)).body.events
  expect(event).toMatchObject({ status: 'Confirmations recorded', text: 'By mail' })
  const again = await post(`/deductions/${id}/confirmations`, { confirmations, version: 4 })
  expect([again.status, again.body.detail]).toEqual([409, 'Actions unavailable when in Delivered.'])
})

test('[DED-004] with several confirmations it waits until everybody is confirmed', async () => {
  const { id, invoice } = await delivered({ confirmationFlow: 'MULTIPLE' })
  const [first, second, third] = invoice.lineIds as [number, number, number]
  const confirm = (version: number, ...lines: [number, number][]) =>
    post(`/deductions/${id}/confirmations`, {
      confirmations: lines.map(([line_id, withheld_amount]) => ({ line_id, withheld_amount })),
      version,
    })
  expect((await confirm(3, [first, 100_00], [second, 10_00])).body).toMatchObject({
    status: 'WAITING_CONFIRMATION',
    confirmations: 1,
    confirmed_amount: 110_00,
    confirmed_at: null,
  })
  expect((await confirm(4, [second, 20_00])).body).toMatchObject({ status: 'WAITING_CONFIRMATION', confirmed_amount: 120_00 })
  expect((await confirm(5, [third, 0])).body).toMatchObject({ status: 'DELIVERED', confirmations: 3, confirmed_amount: 120_00 })
})

test('[DED-004] an invalid confirmation is refused as a whole, with each line named', async () => {
  const { id, invoice } = await delivered({ confirmationFlow: 'SINGLE' })
  const other = await reported()
  const [first, second] = invoice.lineIds as [number, number]
  const confirmations = [
    { line_id: first, withheld_amount: 1_00 },
    { line_id: second, withheld_amount: 100_01 },
    { line_id: other.invoice.lineIds[0] as number, withheld_amount: 0 },
    { line_id: first, withheld_amount: 0 },
  ]
  const answer = await post(`/deductions/${id}/confirmations`, { confirmations, version: 3 })
  expect(answer.status).toBe(422)
  expect(answer.body.errors).toEqual([
    { path: 'confirmations.1.withheld_amount', message: 'The withheld amount cannot exceed what was asked for: $100.00.' },
    { path: 'confirmations.2.line_id', message: 'The file of this deduction has no such line.' },
    { path: 'confirmations.3.line_id', message: 'Mia Torres is named twice.' },
  ])
  expect((await get(`/deductions/${id}`)).body).toMatchObject({ confirmations: 0, confirmed_amount: null, version: 3 })
  const below = await post(`/deductions/${id}/confirmations`, {
    confirmations: [{ line_id: first, withheld_amount: -1 }],
    version: 3,
  })
  expect(below.status).toBe(422)
})

test('[DED-004] a write-off after delivery does not change the requested amount', async () => {
  const { id, invoice } = await delivered({ confirmationFlow: 'SINGLE' })
  const [first] = invoice.lineIds as [number]
  const off = await createWriteOff(server.db, { invoiceId: invoice.id, lineId: first, amount: 60_00 })
  expect((await decide(off.id, 'approve', { amount: 60_00, reason: 'Left', version: 1 }, approver)).status).toBe(200)
  const confirmations = [{ line_id: first, withheld_amount: 100_00 }]
  const stale = await post(`/deductions/${id}/confirmations`, { confirmations, version: 3 })
  expect([stale.status, stale.body.facts.amount]).toEqual([409, 240_00])
  expect((await post(`/deductions/${id}/confirmations`, { confirmations, version: 4 })).body.confirmed_amount).toBe(100_00)
})

test('[DED-003] a file without employees expects no confirmation', async () => {
  const { invoice, id } = await reported({ original: 50_00, lineCount: 1, confirmationFlow: 'SINGLE' })
  const off = await createWriteOff(server.db, { invoiceId: invoice.id, lineId: invoice.lineIds[0] as number, amount: 50_00 })
  await decide(off.id, 'approve', { amount: 50_00, reason: 'Left', version: 1 }, approver)
  await post(`/deductions/${id}/approve`, { version: 2 })
  expect((await post(`/deductions/${id}/deliver`, { version: 3 })).body.status).toBe('DELIVERED')
})

test('[DED-005] its steps need write:billing, its lists read:billing', async () => {
  const { id } = await reported()
  const reader = await personWith(server, [1])
  for (const [step, body] of [
    ['approve', { version: 1 }],
    ['deliver', { version: 1 }],
    ['confirmations', { confirmations: [{ line_id: 1, withheld_amount: 0 }], version: 1 }],
  ] as const)
    expect((await post(`/deductions/${id}/${step}`, body, reader)).status).toBe(403)
  expect((await get('/deductions', await personWith(server, [1001]))).status).toBe(403)
})

test('[PERM-003] deductions of another employer are neither found nor counted', async () => {
  const { organizationId, employerIds } = await createCompany(server.db, 'Elsewhere')
  const person = await createPerson(server.db, {
    kind: 'ACCOUNT_MANAGER',
    permissions: permissionIds,
    grants: [{ organizationId }],
  })
  const stranger = { ...biller, headers: await signInAs(server, person) }
  const { id } = await reported()
  const own = await reported({ employerId: employerIds[0] as number })
  for (const path of [`/deductions/${id}`, `/deductions/${id}/history`, `/deductions/${id}/file`])
    expect([path, (await get(path, stranger)).status]).toEqual([path, 404])
  for (const [step, body] of [
    ['approve', { version: 1 }],
    ['deliver', { version: 1 }],
    ['confirmations', { confirmations: [{ line_id: 1, withheld_amount: 0 }], version: 1 }],
  ] as const)
    expect([step, (await post(`/deductions/${id}/${step}`, body, stranger)).status]).toEqual([step, 404])
  for (const sort of deductionSorts) {
    const listed = (await get(`/deductions?sort=${sort}`, stranger)).body.deductions
    expect(listed.map((one: { id: number }) => one.id)).toEqual([own.id])
  }
  expect((await get('/deductions/count', stranger)).body).toEqual({ count: 1, exact: true, totals: { amount: 300_00 } })
  expect((await get(`/deductions/count?employer-id=${employerId}`, stranger)).body.count).toBe(0)
  const { lek } = (await get('/deductions?limit=1')).body
  expect((await get(`/deductions?limit=1&lek=${lek}`, stranger)).body.code).toBe('cursor-invalid')
})

test('[MAP-031] an EWA mapping writes columns, order and name of the file, as of its delivery', async () => {
  const works = (await createCompany(server.db, 'Mapped')).employerIds[0] as number
  const mapper = await personWith(server, [3, 1020])
  const columns = [
    { header: 'Type', static: true, static_value: 'EWA' },
    { header: 'Badge', field: 'external_tk_id' },
    { header: 'Who', field: 'full_name' },
    { header: 'Amount', field: 'deduction_amount' },
    { header: 'Was', field: 'original_amount' },
    { header: 'Off', field: 'writeoff_amount' },
    { header: 'From', field: 'period_start', day_adjustment: 1 },
    { header: 'Company', field: 'employer_code' },
    { header: 'Site', field: 'location_code' },
  ]
  const values = { file_name: 'mapped_deductions.csv', columns }
  const mapping = (await call(server, 'POST', '/mappings/deductions', { ...mapper, body: { employer_id: works, ...values } }))
    .body
  const { invoice, id } = await reported({ employerId: works, lineCount: 2, original: 200_00 })
  await sql`update employees set external_tk_id = null where id = ${invoice.employeeIds[1] as number}`.execute(server.db)
  await post(`/deductions/${id}/approve`, { version: 1 })
  const unnamed = await post(`/deductions/${id}/deliver`, { version: 2 })
  expect(unnamed.body.detail).toBe('The file names employees by external TK id, which Mia Torres does not have.')
  await sql`update employees set external_tk_id = 'TK-9' where id = ${invoice.employeeIds[1] as number}`.execute(server.db)
  const { rows } = await sql<{
    day: string
  }>`select (period_start + 1)::text as day from invoices where id = ${invoice.id}`.execute(server.db)
  const text = [
    'Type,Badge,Who,Amount,Was,Off,From,Company,Site',
    `EWA,TK-1,Mia Torres,100.00,100.00,0.00,${rows[0]?.day},MA-1,`,
    `EWA,TK-9,Mia Torres,100.00,100.00,0.00,${rows[0]?.day},MA-1,`,
    '',
  ].join('\n')
  expect((await fileOf(id)).text).toBe(text)
  expect((await get(`/deductions/${id}/file-preview`)).body).toEqual({
    name: `mapped_deductions_20260105-${invoice.id}.csv`,
    mapped: true,
    head: columns.map(({ header }) => header),
    rows: text
      .split('\n')
      .slice(1, 3)
      .map((line) => line.split(',')),
    lines: 2,
  })
  const made = await post(`/deductions/${id}/deliver`, { version: 2 })
  expect(made.body.file_name).toBe(`mapped_deductions_20260105-${invoice.id}.csv`)
  // Later changes and deletions only affect future files.
  const change = { ...values, columns: columns.slice(1, 4), version: 1 }
  await call(server, 'PUT', `/mappings/deductions/${mapping.id}`, { ...mapper, body: change })
  expect((await fileOf(id)).text).toBe(text)
  const next = await reported({ employerId: works, lineCount: 1 })
  expect((await fileOf(next.id)).text).toMatch(/^Badge,Who,Amount\nTK-1,/)
  await call(server, 'DELETE', `/mappings/deductions/${mapping.id}?version=2`, mapper)
  expect((await fileOf(id)).text).toBe(text)
  expect((await fileOf(next.id)).text).toMatch(/^employee_code,first_name,last_name,amount\n/)
})
