import { sql } from 'kysely'
import { extractText, getDocumentProxy } from 'unpdf'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { formatCents } from '#domain/money.ts'
import { dispositionOf } from '#server/http/file-answer.ts'
import { createCompany, createEmployee, organizationOfInvoice } from '#tests/support/company.ts'
import { createInvoice, type TestInvoice } from '#tests/support/money.ts'
import { createPerson } from '#tests/support/people.ts'
import { call, createServer, type TestServer } from '#tests/support/server.ts'
import { type Headers, signInAs } from '#tests/support/sign-in.ts'

const people = 90
let server: TestServer
let admin: Headers
let employerId: number
let invoice: TestInvoice
let draft: TestInvoice

beforeAll(async () => {
  server = await createServer()
  const { db } = server
  ;[employerId] = (await createCompany(db, 'Harbor')).employerIds as [number]
  const lines: { employeeId: number; amount: number; departmentCode: string }[] = []
  for (let at = 0; at < people; at += 1) {
    const { id } = await createEmployee(db, {
      employerId,
      firstName: ['Chloé', 'Dmitri', 'Siobhán Montgomery Fitzgerald Elizabeth Alexandra'][at % 3] as string,
      lastName: ['Żuraw-Łęcki', 'Иванов', "O'Brien-Featherstonehaugh of the Western Isles"][at % 3] as string,
      code: `HF-${10_000 + at}`,
      email: 'secret@example.org',
      phone: '(917) 555-0173',
      rate: 98_76,
    })
    lines.push({ employeeId: id, amount: 1_000_00 + at * 37, departmentCode: `D-${at % 4}` })
  }
  invoice = await createInvoice(db, { employerId, lines, paid: 345_67, dueDate: 9 })
  draft = await createInvoice(db, { employerId, status: 'DRAFT', original: 123_45 })
  // A write-off like an approval makes it, so that all amounts differ.
  for (const [kind, amount, line] of [
    ['WRITE_OFF', 123_45, invoice.lineIds[4]],
    ['ROLLOVER_IN', 67_89, null],
  ] as const)
    await sql`insert into ledger_entries (organization_id, invoice_id, kind, amount, line_id, actor_id, actor_name)
      values (${organizationOfInvoice(invoice.id)}, ${invoice.id}, ${kind}, ${amount}, ${line}, 'service', 'System')`.execute(db)
  admin = await signInAs(server, await createPerson(db, { groups: [1] }))
})
afterAll(() => server.close())

const fetchFile = (path: string) => fetch(`${server.origin}/api${path}`, { headers: admin })
const api = async (id: number) => (await call(server, 'GET', `/invoices/${id}`, { headers: admin })).body
async function pdfOf(id: number, query = '') {
  const answer = await fetchFile(`/invoices/${id}/download${query}`)
  expect(answer.status).toBe(200)
  const pdf = await getDocumentProxy(new Uint8Array(await answer.arrayBuffer()))
  const { text } = await extractText(pdf, { mergePages: false })
  const [first] = text
  const { width, height } = (await pdf.getPage(1)).getViewport({ scale: 1 })
  return {
    answer,
    text,
    pages: text.map((page) => page.replace(/\s+/g, ' ')),
    first: first as string,
    paper: [width, height],
    pdf,
  }
}
const written = (date: string) =>
  new Date(`${date}T00:00:00Z`).toLocaleDateString('en-US', { timeZone: 'UTC', year: 'numeric', month: 'short', day: 'numeric' })

test('[SCR-054] the PDF has every amount of the API, and the next step for the customer', async () => {
  const one = await api(invoice.id)
  const { answer, pages, paper } = await pdfOf(invoice.id)
  expect(answer.headers.get('content-type')).toBe('application/pdf')
  expect(answer.headers.get('content-disposition')).toBe(`attachment; filename="INV-${invoice.id}.pdf"`)
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
  expect(paper).toEqual([612, 792])
  const [first] = pages as [string]
  for (const [name, amount] of [
    ['Original amount', one.original_amount],
    ['Write-offs', -one.writeoff_amount],
    ['Credit rolled over', -one.rollover_amount],
    ['Invoice amount', one.invoice_amount],
    ['Paid', -one.paid_amount],
    ['Outstanding', one.outstanding_amount],
  ] as const)
    expect(first).toContain(`${name} ${formatCents(amount)}`)
  expect(one).toMatchObject({ writeoff_amount: 123_45, rollover_amount: 67_89, paid_amount: 345_67 })
  for (const [name, value] of [
    ['Number', one.number],
    ['Issued', written(one.issue_date)],
    ['Reported', written(one.report_date)],
    ['Due', written(one.due_date)],
    ['Work period', `${written(one.period_start)} to ${written(one.period_end)}`],
    ['Billed to', 'Harbor Works'],
    ['Employer', `Harbor Works (${one.employer.code})`],
    ['Company code', one.company_code],
  ])
    expect(first).toContain(`${name} ${value}`)
  expect(first).toContain('Dayline')
  expect(first).toContain(`Please pay ${formatCents(one.outstanding_amount)} by ${written(one.due_date)} and write ${one.number}`)
  expect(first).not.toContain('Draft')
})

test('[SCR-054] the PDF lists every employee, with headings and numbers on each page, and nothing masked', async () => {
  const { pages } = await pdfOf(invoice.id, '?paper=A4')
  expect(pages.length).toBeGreaterThan(3)
  for (const [at, page] of pages.entries()) {
    expect(page).toContain('Employee Code Department Amount Write-off Billed')
    expect(page).toContain(`Page ${at + 1} of ${pages.length}`)
    expect(page).toContain(`Dayline · INV-${invoice.id}`)
  }
  const whole = pages.join(' ')
  const { lines } = (await call(server, 'GET', `/invoices/${invoice.id}/lines?limit=200`, { headers: admin })).body
  expect(lines).toHaveLength(people)
  for (const line of lines) {
    const amounts = [line.original_amount, -line.writeoff_amount, line.original_amount - line.writeoff_amount].map(formatCents)
    // A long name wraps in its cell; code and amounts are on its first line.
    expect(whole).toContain(`${line.employee_code} ${line.department_code} ${amounts.join(' ')}`)
  }
  for (const word of ['Chloé Żuraw-Łęcki', 'Dmitri Иванов', 'Featherstonehaugh']) expect(whole).toContain(word)
  const sum = (pick: (line: { original_amount: number; writeoff_amount: number }) => number) =>
    formatCents(lines.reduce((total: number, line: never) => total + pick(line), 0))
  expect(whole).toContain(
    `Total ${sum((l) => l.original_amount)} ${sum((l) => -l.writeoff_amount)} ${sum((l) => l.original_amount - l.writeoff_amount)}`,
  )
  for (const secret of ['secret@example.org', '555-0173', '98.76']) expect(whole).not.toContain(secret)
})

test('[SCR-054] the PDF has subtotals by department only where configured', async () => {
  expect((await pdfOf(invoice.id)).first).not.toContain('Departments')
  await sql`insert into lms_configurations (employer_id, payment_method, show_amount_per_department_code)
    values (${employerId}, 'SELF_PAY', true)`.execute(server.db)
  const [first] = (await pdfOf(invoice.id)).pages as [string]
  const { lines } = (await call(server, 'GET', `/invoices/${invoice.id}/lines?limit=200`, { headers: admin })).body
  expect(first).toContain('Departments (4) Department Employees Amount Write-off Billed')
  for (const code of ['D-0', 'D-1', 'D-2', 'D-3']) {
    const own = lines.filter((line: { department_code: string }) => line.department_code === code)
    const sum = (name: string) => own.reduce((total: number, line: Record<string, number>) => total + (line[name] ?? 0), 0)
    const [amount, off] = [sum('original_amount'), sum('writeoff_amount')]
    expect(first).toContain(`${code} ${own.length} ${formatCents(amount)} ${formatCents(-off)} ${formatCents(amount - off)}`)
  }
  await sql`delete from lms_configurations where employer_id = ${employerId}`.execute(server.db)
})

test('[SCR-054] no text of the PDF lies outside of its page', async () => {
  const { pdf } = await pdfOf(invoice.id)
  for (let number = 1; number <= pdf.numPages; number += 1) {
    const { items } = await (await pdf.getPage(number)).getTextContent()
    for (const item of items as { str: string; transform: number[]; width: number }[]) {
      const [x, y] = item.transform.slice(4) as [number, number]
      expect([item.str, x >= 50, x + item.width <= 612 - 50, y >= 40, y <= 792 - 40]).toEqual([item.str, true, true, true, true])
    }
  }
})

test('[SCR-054] a draft is marked on every page, and has no payment request', async () => {
  const { answer, pages } = await pdfOf(draft.id)
  expect(answer.headers.get('content-disposition')).toBe(`attachment; filename="INV-${draft.id}-draft.pdf"`)
  for (const page of pages) expect(page.match(/Draft/g)?.length).toBeGreaterThanOrEqual(1)
  expect(pages[0]).toContain('Draft invoice')
  expect(pages[0]).toContain('nothing has to be paid yet')
  expect(pages[0]).not.toContain('Please pay')
})

test('[SCR-054] the CSV has a row per employee, and no text that a spreadsheet would execute', async () => {
  const { id } = await createEmployee(server.db, { employerId, firstName: '=HYPERLINK("x")', lastName: 'Ünal', code: '@SUM(1)' })
  const one = await createInvoice(server.db, {
    employerId,
    lines: [{ employeeId: id, amount: 1_234_50, departmentCode: '-D,1' }],
  })
  const answer = await fetchFile(`/invoices/${one.id}/download?format=csv`)
  expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  expect(answer.headers.get('content-disposition')).toBe(`attachment; filename="INV-${one.id}.csv"`)
  const bytes = new Uint8Array(await answer.arrayBuffer())
  expect([...bytes.slice(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
  const due = (await api(one.id)).due_date
  expect(new TextDecoder().decode(bytes)).toBe(
    `Invoice,Due date,Employee code,Employee,Department,Original amount,Write-off,Billed\r\n${one.number},${due},'@SUM(1),"'=HYPERLINK(""x"") Ünal","'-D,1",1234.50,0.00,1234.50\r\n`,
  )
})

test('[SCR-054] the billed amounts of the CSV add up to the invoice, with write-offs and credit', async () => {
  const one = await createInvoice(server.db, { employerId, original: 100_00, lineCount: 3 })
  await sql`insert into ledger_entries (organization_id, invoice_id, kind, amount, line_id, actor_id, actor_name)
    values (${organizationOfInvoice(one.id)}, ${one.id}, 'WRITE_OFF', 1234, ${one.lineIds[0] as number}, 'service', 'System'),
      (${organizationOfInvoice(one.id)}, ${one.id}, 'ROLLOVER_IN', 2001, null, 'service', 'System')`.execute(server.db)
  const [, ...rows] = (await (await fetchFile(`/invoices/${one.id}/download?format=csv`)).text()).trimEnd().split('\r\n')
  expect(rows.at(-1)).toBe(`${one.number},${(await api(one.id)).due_date},,Credit rolled over,,,,-20.01`)
  const billed = rows.map((row) => Math.round(Number(row.split(',').at(-1)) * 100))
  expect(billed.reduce((sum, cents) => sum + cents, 0)).toBe((await api(one.id)).invoice_amount)
  expect((await api(one.id)).invoice_amount).toBe(67_65)
})

test('[SCR-054] a file name is safe on every system, whatever the data', () => {
  expect(dispositionOf('INV-1.pdf')).toBe('attachment; filename="INV-1.pdf"')
  expect(dispositionOf('../a"b\r\nc.pdf')).toBe('attachment; filename="-a-b--c.pdf"')
  expect(dispositionOf('Łódź é.csv')).toMatch(
    /^attachment; filename="-odz e\.csv"; filename\*=UTF-8''%C5%81%C3%B3d%C5%BA%20%C3%A9\.csv$/,
  )
})
