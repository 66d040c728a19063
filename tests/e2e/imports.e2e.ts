import { readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { run, said } from '#tests/e2e/at-work.ts'
import { createEmployee } from '#tests/support/company.ts'
import { axeViolations, openSignedIn, type Portal, problemsOf, shot, startPortal } from '#tests/e2e/support.ts'

let portal: Portal
let page: Page
let employer: { id: number; internal_name: string; people: number }
let codes: string[]

beforeAll(async () => {
  portal = await startPortal()
  employer = await portal.db
    .selectFrom('employers')
    .innerJoin('employees', 'employees.employer_id', 'employers.id')
    .where('employees.status', 'in', ['IMPORTED', 'CREATED', 'ELIGIBLE', 'ACTIVE', 'PAUSED'])
    .select(['employers.id', 'internal_name', (make) => make.fn.countAll<number>().as('people')])
    .groupBy(['employers.id', 'internal_name'])
    .orderBy('people', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  const columns = [
    { header: 'Code', field: 'employee_code' },
    { header: 'Name', field: 'full_name' },
    { header: 'Status', field: 'status' },
    { header: 'Rate', field: 'rate' },
  ]
  await portal.db
    .insertInto('mappings')
    .values({
      kind: 'EMPLOYEE',
      employer_id: employer.id,
      file_name: 'staff_ee.csv',
      file_key: 'staff',
      vendor: null,
      columns: JSON.stringify(columns),
    })
    .execute()
  codes = (
    await portal.db
      .selectFrom('employees')
      .select('employee_code')
      .where('employer_id', '=', employer.id)
      .where('status', 'in', ['IMPORTED', 'CREATED', 'ELIGIBLE', 'ACTIVE', 'PAUSED'])
      .orderBy('id')
      .execute()
  ).map((row) => row.employee_code)
  page = await openSignedIn(portal, undefined, { path: `/employers/${employer.id}`, width: 1440, height: 900 })
  await page.getByRole('heading', { name: employer.internal_name, level: 2 }).waitFor()
})
afterAll(() => portal?.stop())

const detail = () => page.locator('[data-region=detail]')
const path = () => new URL(page.url()).pathname
/** Lines for all employees except the first few, followed by extra lines. */
const fileOf = (leftOut: number, ...more: string[]) => ({
  name: 'staff_20260105_ee.csv' as string,
  mimeType: 'text/csv',
  buffer: Buffer.from(
    ['Code,Name,Status,Rate', ...codes.slice(leftOut).map((code) => `${code},,Active,`), ...more, ''].join('\n'),
  ),
})
async function upload(file: ReturnType<typeof fileOf>) {
  await run(page, 'import file of employer')
  const form = page.getByRole('button', { name: 'File Choose a file' })
  await form.waitFor()
  await expect.poll(() => form.evaluate((button) => button === document.activeElement)).toBe(true)
  await page.getByLabel('File to choose').setInputFiles(file)
  await page.getByText(file.name, { exact: true }).waitFor()
}
const fact = (name: string) =>
  detail()
    .locator('dt', { hasText: new RegExp(`^${name}`) })
    .locator('+ dd')

test('a file is uploaded from its employer, and its record shows the progress', async () => {
  await upload(fileOf(0, 'NEW-1,Ann Lee,Active,18.50', 'NEW-2,Mono,Active,', 'NEW-3,Bo Yu,Active,much'))
  await shot(page, 'import-form-light')
  expect(await axeViolations(page)).toEqual([])
  await page.keyboard.press('Control+Enter')
  await said(page, 'Received staff_20260105_ee.csv')
  await expect.poll(path).toMatch(/^\/imports\/\d+$/)
  await detail().getByText('Success', { exact: true }).first().waitFor()
  await expect.poll(() => fact('Lines').innerText()).toBe((codes.length + 3).toLocaleString('en-US'))
  expect([await fact('Rejected').innerText(), await fact('Employees created').innerText()]).toEqual(['2', '1'])
  await shot(page, 'import-done-light')
  expect(await axeViolations(page)).toEqual([])
})

test('rejected lines are in a tab with their reason, and are saved as a file', async () => {
  await page.keyboard.press('2')
  await detail().getByText('“much” is no amount, such as 1,234.50.').waitFor()
  await detail().getByText('A new employee needs a first and a last name.').waitFor()
  await shot(page, 'import-rejected-light')
  expect(await axeViolations(page)).toEqual([])
  await page.keyboard.press('Escape')
  const saved = page.waitForEvent('download')
  await run(page, 'download rejected lines')
  const text = await readFile(await (await saved).path(), 'utf8')
  expect(text.split('\r\n')[2]).toBe(
    '"NEW-3",Bo Yu,Active,much,"Rate: “much” is no amount, such as 1,234.50."'.replaceAll('"NEW-3"', 'NEW-3'),
  )
})

test('a file that omits many employees waits, and is imported once the number was typed', async () => {
  const leftOut = Math.ceil(employer.people / 4)
  await page.goto(`${portal.origin}/employers/${employer.id}`)
  await page.getByRole('heading', { name: employer.internal_name, level: 2 }).waitFor()
  await upload({ ...fileOf(leftOut + 1), name: 'staff_20260106_ee.csv' })
  await page.keyboard.press('Control+Enter')
  await detail().getByText('Waits for a decision', { exact: true }).first().waitFor()
  await page.goto(`${portal.origin}/employers/${employer.id}`)
  await page.getByRole('heading', { name: employer.internal_name, level: 2 }).waitFor()
  await upload(fileOf(leftOut))
  await page.keyboard.press('Control+Enter')
  await detail().getByText('Waits for a decision', { exact: true }).first().waitFor()
  await expect.poll(() => fact('Also waiting').innerText()).toContain('staff_20260106_ee.csv')
  await detail()
    .getByText(/^The file leaves out \d+ of \d+ employees, who would no longer be eligible\.$/)
    .waitFor()
  await page.emulateMedia({ colorScheme: 'dark' })
  await shot(page, 'import-waits-dark')
  expect(await axeViolations(page)).toEqual([])
  const seen = Number(/^[\d,]+/.exec(await fact('Not in the file').innerText())?.[0].replaceAll(',', ''))
  // One employee is hired before the form opens and one while it is open: both are counted before anybody loses access.
  await createEmployee(portal.db, { employerId: employer.id, code: 'HIRED-1' })
  await page.keyboard.press('p')
  const says = (count: number) =>
    page.getByText(`${count.toLocaleString('en-US')} employees are not in the file, and will no longer be eligible.`)
  await says(seen + 1).waitFor()
  await createEmployee(portal.db, { employerId: employer.id, code: 'HIRED-2' })
  await page.keyboard.type(String(seen + 1))
  await page.keyboard.press('Control+Enter')
  await page.getByText(`The file leaves out ${(seen + 2).toLocaleString('en-US')} employees now, not`, { exact: false }).waitFor()
  await says(seen + 2).waitFor()
  const absent = String(seen + 2)
  await page.getByLabel(`Type ${absent} to confirm`).fill('')
  await page.keyboard.type(absent)
  await shot(page, 'import-confirm-dark')
  await page.keyboard.press('Control+Enter')
  await said(page, 'staff_20260105_ee.csv is being imported')
  await detail().getByText('Success', { exact: true }).first().waitFor()
  expect(await fact('No longer eligible').innerText()).toContain(absent)
})

test('a file shows whether it waits or is being imported, and is stopped by keyboard', async () => {
  await page.goto(`${portal.origin}/employers/${employer.id}`)
  await page.getByRole('heading', { name: employer.internal_name, level: 2 }).waitFor()
  const wanda = () => portal.db.selectFrom('employees').select('id').where('employee_code', '=', 'W1').execute()
  // Its employees are locked, so that the import takes long enough; until then other files are imported.
  await portal.db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_lock(hashtextextended('imports small', 2))`.execute(tx)
    await sql`select 1 from employees where employer_id = ${employer.id} for update`.execute(tx)
    await upload(fileOf(0, 'W1,"Waits, Wanda",Active,18'))
    await page.keyboard.press('Control+Enter')
    await detail().getByText('It waits for its turn', { exact: false }).waitFor()
    await sql`select pg_advisory_unlock(hashtextextended('imports small', 2))`.execute(tx)
    await detail().getByText('being imported. This page follows it.', { exact: false }).waitFor()
    await page.keyboard.press('Backspace')
    await page.getByRole('dialog').getByText('Nothing of this file is imported. It can be sent again.').waitFor()
    await page.keyboard.press('Control+Enter')
    await said(page, 'Rejected staff_20260105_ee.csv')
    await detail().getByText('being imported', { exact: false }).waitFor({ state: 'detached' })
    expect(await wanda()).toEqual([])
  })
  // The import that was stopped has ended once it lets go of its turn.
  await portal.db
    .transaction()
    .execute((tx) => sql`select pg_advisory_xact_lock(hashtextextended('imports small', 2))`.execute(tx))
  expect(await wanda()).toEqual([])
})

test('a file without a mapping leads to creating one, and is then imported again', async () => {
  await page.goto(`${portal.origin}/employers/${employer.id}`)
  await page.getByRole('heading', { name: employer.internal_name, level: 2 }).waitFor()
  const file = { ...fileOf(0), name: 'other_ee.csv' }
  await upload(file)
  await page.keyboard.press('Control+Enter')
  await detail().getByText('File mapping not found', { exact: true }).waitFor()
  await detail().getByText('Add a file mapping, then import the file again.').waitFor()
  expect(await axeViolations(page)).toEqual([])
  const failed = path()
  await detail().getByRole('button', { name: 'Add a file mapping', exact: true }).click()
  await expect.poll(path).toBe(`/employers/${employer.id}/new-mapping`)
  expect(await page.getByLabel('Eligible employee', { exact: true }).isChecked()).toBe(true)
  await page.getByLabel('File name').and(page.locator(':focus')).waitFor()
  await portal.db
    .insertInto('mappings')
    .columns(['kind', 'employer_id', 'file_name', 'file_key', 'vendor', 'columns'])
    .expression((make) =>
      make
        .selectFrom('mappings')
        .select((of) => [
          'kind',
          'employer_id',
          of.val('other_ee.csv').as('file_name'),
          of.val('other').as('file_key'),
          'vendor',
          'columns',
        ])
        .where('file_key', '=', 'staff'),
    )
    .execute()
  await page.goto(`${portal.origin}${failed}`)
  await detail()
    .getByRole('button', { name: /^Add file mapping/ })
    .waitFor()
  await page.keyboard.press('u')
  await page.getByRole('button', { name: 'File Choose a file' }).and(page.locator(':focus')).waitFor()
  await page.getByLabel('File to choose').setInputFiles(file)
  await page.getByText(file.name, { exact: true }).last().waitFor()
  await page.keyboard.press('Control+Enter')
  await said(page, 'Received other_ee.csv')
  await expect.poll(path).not.toBe(failed)
  await detail().getByText('Success', { exact: true }).first().waitFor()
  expect(await detail().getByText('File mapping not found').count()).toBe(0)
})

test('a question about the header line of a file is answered by keyboard, and the file imported', async () => {
  await page.goto(`${portal.origin}/employers/${employer.id}`)
  await page.getByRole('heading', { name: employer.internal_name, level: 2 }).waitFor()
  const plain = fileOf(0)
  await upload({ ...plain, name: 'other_ee.csv', buffer: Buffer.concat([Buffer.from('Acme Foods East\nStaff\n'), plain.buffer]) })
  await page.keyboard.press('Control+Enter')
  await detail().getByText('Line 1 holds “Acme Foods East”. The headers are in line 3.').waitFor()
  expect(await axeViolations(page)).toEqual([])
  await page.keyboard.press('w')
  await page.getByRole('radio', { name: 'The headers are in line 3' }).waitFor()
  await page.keyboard.press('Space')
  await page.keyboard.press('Control+Enter')
  await said(page, 'Answered for other_ee.csv')
  await detail().getByText('Success', { exact: true }).first().waitFor()
  await expect.poll(() => fact('Header line').innerText()).toBe('3')
})

test('all imports are in a list of their own, reached by a key', async () => {
  await page.keyboard.press('g')
  await page.keyboard.press('f')
  await expect.poll(path).toBe('/imports')
  await expect.poll(() => page.getByRole('row', { name: /staff_20260105_ee\.csv/ }).count()).toBe(3)
  await page.setViewportSize({ width: 1024, height: 768 })
  await shot(page, 'imports-list-dark-1024')
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize({ width: 1440, height: 900 })
  await shot(page, 'imports-list-light')
  expect(await axeViolations(page)).toEqual([])
  expect(problemsOf(page)).toEqual([])
})
