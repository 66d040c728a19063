import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { importFiles } from '#server/jobs/imports/import-files.ts'
import { asking } from '#tests/support/asking.ts'
import { createCompany, createEmployee } from '#tests/support/company.ts'
import { configureOrganization } from '#tests/support/imports.ts'
import { createInvoice, type InvoiceInput } from '#tests/support/money.ts'
import { createServer, keyed, type TestServer } from '#tests/support/server.ts'
import { personWith, type SignedIn } from '#tests/support/session.ts'

let server: TestServer
let admin: SignedIn
let employerId: number
let companies = 0
const { send, good } = asking(
  () => server,
  () => admin,
)

beforeAll(async () => {
  server = await createServer()
  admin = await personWith(server, [1, 2, 3, 4, 8, 1001, 1020], 'Ada Admin')
})
afterAll(() => server.close())
beforeEach(async () => {
  const company = await createCompany(server.db, `Confirming ${++companies}`)
  ;[employerId] = company.employerIds as [number]
  await configureOrganization(server.db, company.organizationId)
})

const columns = [
  { header: 'Code', field: 'employee_code' },
  { header: 'Taken', field: 'deduction_withheld' },
  { header: 'Left', field: 'deduction_not_withheld' },
  { header: 'From', field: 'period_start' },
  { header: 'Paid', field: 'payment_date' },
]
/** The names of the columns that a file of this test has. */
const mapped = (...headers: string[]) =>
  good('POST', '/mappings/confirmations', {
    employer_id: employerId,
    file_name: 'withheld.csv',
    columns: columns.filter(({ header }) => headers.includes(header)),
  })

/** People by code, with fixed positions across several invoices. */
async function people(...codes: string[]): Promise<Record<string, number>> {
  const made: Record<string, number> = {}
  for (const code of codes) made[code] = (await createEmployee(server.db, { employerId, code })).id
  return made
}
/** A deduction that waits after its file was delivered; `lines` in cents by employee. */
async function createDelivered(lines: readonly [number, number][], more: Partial<InvoiceInput> = {}) {
  const invoice = await createInvoice(server.db, {
    employerId,
    status: 'ON_DEDUCTION_FILE',
    reportDate: '2026-01-05',
    confirmationFlow: 'SINGLE',
    ...more,
    lines: lines.map(([employeeId, amount]) => ({ employeeId, amount })),
  })
  const id = invoice.deductionId as number
  await good('POST', `/deductions/${id}/approve`, { version: 1 }, { headers: keyed(admin.headers) })
  await good('POST', `/deductions/${id}/deliver`, { version: 2 }, { headers: keyed(admin.headers) })
  return { ...invoice, id, of: (await good('GET', `/deductions/${id}`)).invoice_number as string }
}
const deductionOf = (id: number) => good('GET', `/deductions/${id}`)
/** The confirmed amount of each line, in the order of creation. */
const withheld = async ({ lineIds }: { lineIds: number[] }) =>
  (
    await sql<{
      cents: number | null
    }>`select withheld_amount as cents from invoice_lines where id = any(${lineIds}::bigint[]) order by id`.execute(server.db)
  ).rows.map(({ cents }) => cents)

const upload = (text: string, name = 'withheld_20260107.csv', as = admin) =>
  send('POST', '/imports', { employer_id: employerId, file: { name, content: Buffer.from(text).toString('base64') } }, as)
async function imported(text: string, name?: string) {
  const { status, body } = await upload(text, name)
  expect(status, JSON.stringify(body)).toBe(201)
  await importFiles(server.services, () => false)
  return good('GET', `/imports/${body.id}`)
}
const faults = async (id: number) =>
  (await good('GET', `/imports/${id}/rejected-lines`)).rejected_lines.map(
    ({ line, message }: { line: number; message: string }) => `${line}: ${message}`,
  )

test('[MAP-032] a file for a confirmation mapping records withheld amounts like a person does', async () => {
  await mapped('Code', 'Taken', 'Left')
  const { A = 0, B = 0, C = 0 } = await people('A', 'B', 'C')
  const one = await createDelivered([
    [A, 100_00],
    [B, 50_00],
    [C, 25_50],
  ])
  const done = await imported('Code,Taken,Left\nA,$100.00,\nB,,50.00\nC,20.25,5.25\n')
  expect(done).toMatchObject({
    status: 'SUCCESS',
    kind: 'CONFIRMATION',
    lines: 3,
    accepted: 3,
    rejected: 0,
    changed: 3,
    message: null,
  })
  expect(await withheld(one)).toEqual([100_00, 0, 20_25])
  expect(await deductionOf(one.id)).toMatchObject({ status: 'DELIVERED', confirmations: 1, confirmed_amount: 120_25 })
  const [event] = (await good('GET', `/deductions/${one.id}/history`)).events
  expect(event).toMatchObject({ status: 'Confirmations recorded', text: `Import ${done.id}`, actor: { name: 'Ada Admin' } })
  // Withheld amounts are not payments: no amount of the invoice changes.
  expect(await good('GET', `/invoices/${(await deductionOf(one.id)).invoice_id}`)).toMatchObject({
    outstanding_amount: 175_50,
    paid_amount: 0,
  })
})

test('[MAP-032] an invalid line is rejected with its reason, and its deduction keeps waiting', async () => {
  await mapped('Code', 'Taken', 'Left')
  const { A = 0, B = 0, C = 0, D = 0, E = 0 } = await people('A', 'B', 'C', 'D', 'E', 'F')
  const one = await createDelivered([
    [A, 100_00],
    [B, 50_00],
    [C, 25_00],
    [D, 10_00],
    [E, 10_00],
  ])
  const done = await imported('Code,Taken,Left\nA,100.01,\nB,30,10\nC,25,\nD,5,\nD,5,\nE,-1,\nF,1,\nX,1,\n')
  expect(await faults(done.id)).toEqual([
    '2: The amount cannot exceed what was asked for: $100.00.',
    '3: Withheld and not withheld come to $40.00, and $50.00 was asked for.',
    `5: Several lines are about D and ${one.of}.`,
    `6: Several lines are about D and ${one.of}.`,
    '7: An amount is not below zero.',
    '8: No deduction of F waits for a confirmation.',
    '9: Nobody is named X.',
  ])
  expect(done).toMatchObject({
    accepted: 1,
    rejected: 7,
    changed: 1,
    message: `More confirmations are waited for: ${one.of} (4 employees).`,
  })
  expect(await withheld(one)).toEqual([null, null, 25_00, null, null])
  expect(await deductionOf(one.id)).toMatchObject({ status: 'WAITING_CONFIRMATION', confirmations: 1, confirmed_at: null })
  // The corrected lines come again in the same file.
  await imported('Code,Taken,Left\nA,100,\nB,30,20\nC,25,\nD,10,\nE,0,\n')
  expect(await withheld(one)).toEqual([100_00, 30_00, 25_00, 10_00, 0])
  expect(await deductionOf(one.id)).toMatchObject({ status: 'DELIVERED', confirmed_amount: 165_00 })
})

test('write-offs before the delivery of the file reduce the requested amount, later ones do not', async () => {
  await mapped('Code', 'Taken')
  const { A = 0 } = await people('A')
  const one = await createDelivered([[A, 100_00]])
  await sql`insert into ledger_entries (organization_id, invoice_id, kind, amount, line_id, actor_id, actor_name, at)
    select organization_id, invoice_id, 'WRITE_OFF', 4000, id, 'service', 'System', now() + interval '1 hour' from invoice_lines where id = ${one.lineIds[0]}`.execute(
    server.db,
  )
  await sql`insert into ledger_entries (organization_id, invoice_id, kind, amount, line_id, actor_id, actor_name, at)
    select organization_id, invoice_id, 'WRITE_OFF', 1000, id, 'service', 'System', now() - interval '1 day' from invoice_lines where id = ${one.lineIds[0]}`.execute(
    server.db,
  )
  const over = await imported('Code,Taken\nA,90.01\n')
  expect(await faults(over.id)).toEqual(['2: The amount cannot exceed what was asked for: $90.00.'])
  await imported('Code,Taken\nA,90\n')
  expect(await withheld(one)).toEqual([90_00])
})

test('if two periods wait, a line names one, or concerns the one that is not yet confirmed', async () => {
  await mapped('Code', 'Taken', 'From')
  const { A = 0, B = 0 } = await people('A', 'B')
  const first = await createDelivered(
    [
      [A, 10_00],
      [B, 10_00],
    ],
    { periodStart: '2025-12-01', periodEnd: '2025-12-14' },
  )
  const second = await createDelivered(
    [
      [A, 10_00],
      [B, 10_00],
    ],
    { periodStart: '2025-12-15', periodEnd: '2025-12-28' },
  )
  const unclear = await imported('Code,Taken,From\nA,1,\nB,2,12/15/2025\nB,3,11/01/2025\n')
  expect(await faults(unclear.id)).toEqual([
    `2: Several deductions of A wait for a confirmation, and the line does not single out one of them by its period or payment date: ${first.of}, ${second.of}.`,
    '4: No deduction of B for this period waits for a confirmation.',
  ])
  expect([await withheld(first), await withheld(second)]).toEqual([
    [null, null],
    [null, 2_00],
  ])
  // B is confirmed in the second one, so that a line without a period concerns the first.
  await imported('Code,Taken,From\nA,4,12/01/2025\nB,5,\nA,6,12/15/2025\n')
  expect([await withheld(first), await withheld(second)]).toEqual([
    [4_00, 5_00],
    [6_00, 2_00],
  ])
  for (const { id } of [first, second]) expect((await deductionOf(id)).status).toBe('DELIVERED')
})

test('of several partial files, the one that leaves nobody unconfirmed completes the deduction', async () => {
  await mapped('Code', 'Taken')
  const { A = 0, B = 0 } = await people('A', 'B')
  const one = await createDelivered(
    [
      [A, 10_00],
      [B, 10_00],
    ],
    { confirmationFlow: 'MULTIPLE' },
  )
  const part = await imported('Code,Taken\nA,10\n')
  expect(part.message).toBe(`More confirmations are waited for: ${one.of} (1 employee).`)
  const importer = await personWith(server, [2, 3, 4, 1020], 'Ina Importer')
  expect((await send('GET', `/imports/${part.id}`, undefined, importer)).body).toMatchObject({ status: 'SUCCESS', message: null })
  expect((await deductionOf(one.id)).status).toBe('WAITING_CONFIRMATION')
  // The same file again is a duplicate, but a later one corrects its lines.
  expect((await imported('Code,Taken\nA,10\n')).status).toBe('DUPLICATED')
  await imported('Code,Taken\nA,9\nB,10\n')
  expect(await withheld(one)).toEqual([9_00, 10_00])
  expect(await deductionOf(one.id)).toMatchObject({ status: 'DELIVERED', confirmations: 2 })
})

test('half of the only file completes nothing, the whole one does; the same bytes count later', async () => {
  await mapped('Code', 'Taken')
  const { A = 0, B = 0 } = await people('A', 'B')
  const lines = [
    [A, 10_00],
    [B, 10_00],
  ] as const
  const first = await createDelivered(lines as never)
  const half = await imported('Code,Taken\nA,4\n')
  expect(half.message).toBe(`More confirmations are waited for: ${first.of} (1 employee).`)
  expect(await deductionOf(first.id)).toMatchObject({ status: 'WAITING_CONFIRMATION', confirmed_amount: 4_00 })
  expect(await imported('Code,Taken\nA,10\nB,10\n')).toMatchObject({ status: 'SUCCESS', message: null })
  expect(await deductionOf(first.id)).toMatchObject({ status: 'DELIVERED', confirmed_amount: 20_00 })
  expect((await imported('Code,Taken\nA,10\nB,10\n')).status).toBe('DUPLICATED')
  const second = await createDelivered(lines as never)
  expect((await imported('Code,Taken\nA,10\nB,10\n')).status).toBe('SUCCESS')
  expect(await withheld(second)).toEqual([10_00, 10_00])
})

test('a name without a suffix is accepted only with a confirmation mapping', async () => {
  const name = await upload('Code,Taken\nA,1\n', 'other.csv')
  expect(name.status).toBe(422)
  expect(name.body.errors).toEqual([
    {
      path: 'file',
      message:
        'File names must end with _ee for employees or _tk for timekeeping, before .csv or .xlsx. Other names need a confirmation file mapping.',
    },
  ])
})

test('a line with ids of two employees counts for neither; an unknown payment date is ignored', async () => {
  await good('POST', '/mappings/confirmations', {
    employer_id: employerId,
    file_name: 'withheld.csv',
    columns: [...columns.filter(({ header }) => header !== 'Left'), { header: 'Badge', field: 'external_tk_id' }],
  })
  const { A = 0, B = 0 } = await people('A', 'B')
  await sql`update employees set external_tk_id = 'T-' || employee_code where id in (${A}, ${B})`.execute(server.db)
  const one = await createDelivered([
    [A, 10_00],
    [B, 10_00],
  ])
  const done = await imported('Code,Taken,From,Paid,Badge\nA,3,,,T-B\nB,4,,2026-01-09,T-B\nA,2,,,T-9\n')
  expect(await faults(done.id)).toEqual(['2: Another employee is named T-B.'])
  expect(await withheld(one)).toEqual([2_00, 4_00])
})

test('withheld amounts can be imported and read only with the rights that forms and lists need', async () => {
  await mapped('Code', 'Taken')
  const { A = 0 } = await people('A')
  const one = await createDelivered([[A, 10_00]])
  const importer = await personWith(server, [2, 3, 4, 1020], 'Ina Importer')
  const refused = await upload('Code,Taken\nA,10\n', undefined, importer)
  expect(refused).toMatchObject({ status: 403, body: { errors: [{ message: 'write:billing' }] } })
  const done = await imported('Code,Taken\nA,11\n')
  expect(await withheld(one)).toEqual([null])
  expect((await send('GET', `/imports/${done.id}/rejected-lines`, undefined, importer)).status).toBe(403)
  expect((await send('GET', `/imports/${done.id}/rejected-lines`, undefined, admin)).status).toBe(200)
})
