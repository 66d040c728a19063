import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { run, said } from '#tests/e2e/at-work.ts'
import { workbook } from '#tests/support/workbook.ts'
import { axeViolations, follow, openSignedIn, type Portal, problemsOf, shot, startPortal } from '#tests/e2e/support.ts'

let portal: Portal
let page: Page
let employer: { id: number; internal_name: string }

beforeAll(async () => {
  portal = await startPortal()
  employer = await portal.db
    .selectFrom('employers')
    .select(['id', 'internal_name'])
    .where((where) => where.not(where.exists(where.selectFrom('mappings').whereRef('mappings.employer_id', '=', 'employers.id'))))
    .orderBy('id')
    .limit(1)
    .executeTakeFirstOrThrow()
  page = await openSignedIn(portal, undefined, { path: `/employers/${employer.id}?tab=file-mapping`, width: 1440, height: 900 })
  await page.getByText('This employer has no file mapping. Its files are refused until one is added.').waitFor()
})
afterAll(() => portal?.stop())

const cell = (column: string, row: number) => page.getByLabel(`${column}, column ${row}`, { exact: true })
const focused = (column: string, row: number) =>
  expect.poll(() => cell(column, row).evaluate((input) => input === document.activeElement)).toBe(true)
const kept = () => portal.db.selectFrom('mappings').selectAll().where('employer_id', '=', employer.id).orderBy('id').execute()
const headers = async () => (await kept()).map((row) => (row.columns as unknown as { header: string }[]).map((one) => one.header))

test('[SCR-032] [MAP-034] a mapping is added by keyboard: pasted rows, an error shown in its cell and fixed', async () => {
  await page.keyboard.press('i')
  await page.getByLabel('Eligible employee', { exact: true }).waitFor()
  expect(new URL(page.url()).pathname).toBe(`/employers/${employer.id}/new-mapping`)
  await page.getByLabel('Eligible employee', { exact: true }).focus()
  await page.keyboard.press('Space')
  await page.keyboard.press('Tab')
  await page.keyboard.type('acme_ee.csv')
  await page.getByRole('button', { name: 'Add column' }).focus()
  await page.keyboard.press('Enter')
  await focused('Column header', 1)
  await page.evaluate(() => {
    const data = new DataTransfer()
    data.setData('text/plain', 'Employee No\tEmployee code\nName, all\tFull name\nState\tstatus\n')
    document.activeElement?.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))
  })
  await expect.poll(() => cell('Column header', 3).inputValue()).toBe('State')
  expect(await cell('Stands for', 2).inputValue()).toBe('full_name')
  await page.keyboard.press('Control+Enter')
  await page.getByRole('alert').getByText('1 field to correct before saving').waitFor()
  await page.getByRole('button', { name: 'column 2, Column header: A column header must not contain commas.' }).waitFor()
  await focused('Column header', 2)
  await shot(page, 'mapping-wrong-light')
  expect(await axeViolations(page)).toEqual([])
  await page.keyboard.press('Control+a')
  await page.keyboard.type('Name')
  await expect.poll(() => page.locator('.table-wrong').count()).toBe(0)
  // Moved up, and back down.
  await page.keyboard.press('Control+Shift+ArrowUp')
  await focused('Column header', 1)
  expect(await cell('Column header', 1).inputValue()).toBe('Name')
  await page.keyboard.press('Control+Enter')
  await said(page, `Added a file mapping to ${employer.internal_name}`)
  await page.getByRole('row', { name: /acme_ee\.csv/ }).waitFor()
  expect(await headers()).toEqual([['Name', 'Employee No', 'State']])
  await shot(page, 'mapping-list-light')
})

test('the command for the tab opens its list; a digit opens the tab with no current row', async () => {
  await follow(page, `/employers/${employer.id}`)
  await page.getByRole('heading', { name: employer.internal_name }).waitFor()
  await run(page, 'Show File Mapping of employer')
  const list = page.locator('[data-region=detail] [role=grid]')
  await list.and(page.locator(':focus')).waitFor()
  const now = page.locator('[data-region=detail] .grid-now')
  const outline = () => now.evaluate((row) => getComputedStyle(row).boxShadow)
  expect(await outline()).not.toBe('none')
  await page.keyboard.press('e')
  await cell('Column header', 1).waitFor()
  expect(new URL(page.url()).pathname).toMatch(/^\/mappings\/\d+\/edit$/)
  await follow(page, `/employers/${employer.id}`)
  await page.locator('[data-region=detail] .facts').first().waitFor()
  await page.locator('[data-region=detail]').focus()
  const number = await page.getByRole('tab', { name: 'File Mapping', includeHidden: true }).getAttribute('aria-keyshortcuts')
  await page.keyboard.press(number as string)
  await now.waitFor()
  expect(await outline()).toBe('none')
  await page.keyboard.press('e')
  await page.getByRole('dialog', { name: 'Edit employer' }).waitFor()
  await page.keyboard.press('Escape')
})

test('[SCR-032] it is edited and deleted from its row, the kind is fixed, and unsaved changes come back', async () => {
  await page.getByRole('row', { name: /acme_ee\.csv/ }).click()
  await page.keyboard.press('e')
  await cell('Column header', 1).waitFor()
  expect(new URL(page.url()).pathname).toMatch(/^\/mappings\/\d+\/edit$/)
  expect(await page.getByLabel('Timekeeping', { exact: true }).count()).toBe(0)
  await cell('Column header', 3).focus()
  await page.keyboard.press('Enter')
  await focused('Column header', 4)
  await page.keyboard.type('Town')
  await page.keyboard.press('Tab')
  await page.keyboard.type('City')
  await page.reload()
  await page.getByText('Draft restored').waitFor()
  expect(await cell('Stands for', 4).inputValue()).toBe('city')
  await page.emulateMedia({ colorScheme: 'dark' })
  await shot(page, 'mapping-edit-dark')
  expect(await axeViolations(page)).toEqual([])
  await cell('Column header', 4).focus()
  await page.keyboard.press('Control+Enter')
  await said(page, 'Changed the file mapping acme_ee.csv')
  expect(await headers()).toEqual([['Name', 'Employee No', 'State', 'Town']])
  await page.getByText('No changes').waitFor()
  await page.keyboard.press('Alt+Delete')
  await focused('Column header', 3)
  await page.keyboard.press('Control+Enter')
  await expect.poll(headers).toEqual([['Name', 'Employee No', 'State']])
  await page.keyboard.press('Escape')
  await page.getByRole('row', { name: /acme_ee\.csv/ }).click()
  await page.keyboard.press('Backspace')
  await page.getByLabel(/^Type acme_ee\.csv/).waitFor()
  await page.keyboard.type('acme_ee.csv')
  await page.keyboard.press('Control+Enter')
  await said(page, 'Deleted the file mapping acme_ee.csv')
  await page.getByText('This employer has no file mapping.').waitFor()
  expect(await kept()).toEqual([])
  expect(problemsOf(page)).toEqual([])
})

test('[MAP-030] a timekeeping mapping is added by keyboard, changed and deleted', async () => {
  await page.keyboard.press('i')
  await page.getByLabel('Timekeeping', { exact: true }).waitFor()
  await page.getByLabel('Timekeeping', { exact: true }).focus()
  await page.keyboard.press('Space')
  await page.keyboard.press('Tab')
  await page.keyboard.type('acme_tk.csv')
  await page.getByRole('button', { name: 'Add column' }).focus()
  await page.keyboard.press('Enter')
  await focused('Column header', 1)
  await page.evaluate(() => {
    const data = new DataTransfer()
    data.setData('text/plain', 'Employee No\tEmployee code\nDay\tWork date\nHours\tWork hours\n')
    document.activeElement?.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))
  })
  await expect.poll(() => cell('Stands for', 3).inputValue()).toBe('work_hours')
  await page.keyboard.press('Control+Enter')
  await said(page, `Added a file mapping to ${employer.internal_name}`)
  const row = page.getByRole('row', { name: /acme_tk\.csv/ })
  await row.click()
  await page.keyboard.press('e')
  await cell('Column header', 3).waitFor()
  await cell('Column header', 3).focus()
  await page.keyboard.press('Control+a')
  await page.keyboard.type('Worked')
  await page.keyboard.press('Control+Enter')
  await said(page, 'Changed the file mapping acme_tk.csv')
  expect((await kept()).map(({ kind }) => kind)).toEqual(['TIMEKEEPING'])
  expect(await headers()).toEqual([['Employee No', 'Day', 'Worked']])
  await page.keyboard.press('Escape')
  await row.click()
  await page.keyboard.press('Backspace')
  await page.getByLabel(/^Type acme_tk\.csv/).waitFor()
  await page.keyboard.type('acme_tk.csv')
  await page.keyboard.press('Control+Enter')
  await said(page, 'Deleted the file mapping acme_tk.csv')
  expect(await kept()).toEqual([])
})

const sample = (name: string, content: string | Uint8Array) => ({
  name,
  mimeType: 'application/octet-stream',
  buffer: Buffer.from(content as string),
})
const give = (name: string, content: string | Uint8Array) => page.getByLabel('Sample file').setInputFiles(sample(name, content))
const newMapping = async () => {
  await page.emulateMedia({ colorScheme: 'light' })
  await page.goto(`${portal.origin}/employers/${employed.id}/new-mapping`)
  await page.getByRole('button', { name: 'Choose a sample' }).waitFor()
}
let employed: { id: number; internal_name: string; codes: string[] }
beforeAll(async () => {
  const row = await portal.db
    .selectFrom('employers')
    .innerJoin('employees', 'employees.employer_id', 'employers.id')
    .select(['employers.id', 'employers.internal_name'])
    .where('employers.status', '=', 'ACTIVE')
    .where('employees.status', '=', 'ACTIVE')
    .orderBy('employers.id')
    .executeTakeFirstOrThrow()
  const codes = await portal.db
    .selectFrom('employees')
    .select('employee_code')
    .where('employer_id', '=', row.id)
    .where('status', '=', 'ACTIVE')
    .orderBy('id')
    .limit(2)
    .execute()
  employed = { ...row, codes: codes.map((each) => each.employee_code) }
})

test('[SCR-032] [MAP-029] a dropped sample shows its columns, each proposal is accepted with Enter, with a dry run', async () => {
  await newMapping()
  const lines = [
    'Employee No,Surname,Given Name,Employment Status,Hire Dt,Shoe',
    `${employed.codes[0]},Zz,Yy,Active,1/5/2026,44`,
    `${employed.codes[1]},Zz,Yy,Active,1/6/2026,`,
    'NEW-1,Doe,Jo,Active,,',
    'NEW-2,Doe,Jo,Active,2026-02-30,',
    'NEW-1,Doe,Jo,Active,,',
  ]
  await give('zebra_20260105_ee.csv', lines.join('\r\n'))
  await page.getByRole('option', { name: /^Employee No / }).waitFor()
  // The file name implies the kind, and the mapping's own name has no date.
  expect(await page.getByLabel('Eligible employee', { exact: true }).isChecked()).toBe(true)
  expect(await page.getByLabel('File name').inputValue()).toBe('zebra_ee.csv')
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('listbox')
  for (const option of [/Employee code\?/, /Last name\?/, /First name\?/, /Status\?/, /Hire date\?/, /Not used/])
    await page.getByRole('option', { name: option }).waitFor()
  await page.keyboard.press('Enter')
  await expect.poll(() => cell('Stands for', 1).inputValue()).toBe('employee_code')
  // Parsed again with the accepted proposals, the list keeps its position.
  await page.getByText('5 lines: 0 good').waitFor()
  await page.keyboard.press('Enter')
  await expect.poll(() => cell('Stands for', 2).inputValue()).toBe('last_name')
  await page.keyboard.press('a')
  await expect.poll(() => cell('Stands for', 5).inputValue()).toBe('hire_date')
  await page.getByText('5 lines: 3 good').waitFor()
  await page.getByText('Line 5, Hire Dt: “2026-02-30” is no date. Dates look like 2026-11-20 or 11/20/2026.').waitFor()
  await page.getByText('Line 6: It repeats line 4.').waitFor()
  await page.getByRole('heading', { name: 'What it would do' }).waitFor()
  const figure = (name: string) => page.locator('.sample dt', { hasText: name }).locator('+ dd').innerText()
  expect([await figure('Created'), await figure('Changed'), await figure('Left alone')].map((text) => text.trim())).toEqual([
    '1',
    '2',
    '0',
  ])
  await shot(page, 'mapping-sample-light')
  expect(await axeViolations(page)).toEqual([])
  await page.emulateMedia({ colorScheme: 'dark' })
  await shot(page, 'mapping-sample-dark')
  await page.keyboard.press('Control+Enter')
  await said(page, `Added a file mapping to ${employed.internal_name}`)
  expect(problemsOf(page)).toEqual([])
})

test('[SCR-032] the dry run shows by their code which lines an import rejects, and that it would wait', async () => {
  await newMapping()
  const lines = [
    'Employee No,Surname,Given Name,Employment Status',
    `0${employed.codes[0]},Zz,Yy,Active`,
    '12-Mar,Doe,Jo,Active',
    'NEW-1,Doe,Jo,Active',
  ]
  await give('codes_ee.csv', lines.join('\r\n'))
  await page.getByRole('option', { name: /^Employee No / }).waitFor()
  await page.keyboard.press('a')
  await page.getByText('3 lines: 3 good').waitFor()
  const rejected = page.getByRole('list', { name: 'Lines that an import rejects' })
  await rejected.getByText(`Nobody is named 0${employed.codes[0]}: ${employed.codes[0]} is known.`).waitFor()
  await rejected.getByText('The cell shows “12-Mar”, and nobody has this code', { exact: false }).waitFor()
  await page.getByText('An import of this file waits until a person decides.', { exact: false }).waitFor()
  expect(await page.locator('.sample dt', { hasText: 'Created' }).locator('+ dd').innerText()).toBe('1')
  await page.getByRole('button', { name: 'Discard' }).click()
})

test('[SCR-032] headers below titles are found in a sample; an ambiguous date column is set by keyboard', async () => {
  await newMapping()
  const lines = [
    'Acme Foods East,,,,',
    'Staff as of 27 Nov 2026,,,,',
    'Employee No,Surname,Given Name,Employment Status,Hire Dt',
    'NEW-1,Doe,Jo,Active,05/06/2024',
  ]
  await give('titled_ee.csv', lines.join('\r\n'))
  await expect.poll(() => page.getByLabel('Header line').inputValue()).toBe('3')
  await page.getByRole('option', { name: /^Employee No / }).waitFor()
  await page.keyboard.press('a')
  await page.getByText('1 line: 1 good').waitFor()
  await page.getByText('Hire Dt: 05/06/2024 in line 4 can be read month first or day first', { exact: false }).waitFor()
  await cell('Read as', 5).focus()
  await page.keyboard.type('Day')
  await page.getByText('Hire Dt: read day first, as the mapping says.').waitFor()
  await page.getByText('which is right', { exact: false }).waitFor({ state: 'detached' })
  expect(await axeViolations(page)).toEqual([])
  await page.keyboard.press('Control+Enter')
  await said(page, `Added a file mapping to ${employed.internal_name}`)
  const saved = await portal.db
    .selectFrom('mappings')
    .selectAll()
    .where('file_name', '=', 'titled_ee.csv')
    .executeTakeFirstOrThrow()
  expect(saved.header_line).toBe(3)
  expect((saved.columns as unknown as { read_as: string | null }[]).map(({ read_as }) => read_as)).toEqual([
    null,
    null,
    null,
    null,
    'day-first',
  ])
})

test('a mapping that the dry run refuses is not saved; each hostile file ends in a clear error', async () => {
  await newMapping()
  await give('hostile_ee.csv', 'Code,Status\nA1,Active\n')
  await page.getByRole('option', { name: /^Code / }).waitFor()
  await page.keyboard.press('a')
  await page.getByText('1 line: 1 good').waitFor()
  const refused = async (name: string, content: string | Uint8Array, sentence: string | RegExp) => {
    await give(name, content)
    await page.locator('.page-tools [role=alert]').getByText(sentence).waitFor()
    await page
      .locator('.page-save')
      .getByText(/^The sample (has no column|cannot be read)/)
      .waitFor()
  }
  await refused('a_ee.csv', 'Code,State\nA1,Active\n', 'The file has no column “Status”.')
  await refused('b_ee.csv', 'Code,Status,Code\nA1,Active,\n', 'Line 1, Code: Two columns have this header.')
  await refused('c_ee.csv', 'Code,Status\nA1,Active\n"A2,Active\n', /Line 3.*A quote is opened here and never closed\./)
  await refused('d_ee.xlsx', 'Code,Status\nA1,Active\n', /This is no workbook, though its name says \.xlsx\./)
  await refused('e_ee.csv', workbook([['Code', 'Status']]), /This is a workbook \(\.xlsx\), though its name says \.csv\./)
  await refused('f_ee.csv', `${Array.from({ length: 10_000 }, (_, at) => `h${at}`).join(',')}\n`, /It has 10,000 columns/)
  const damaged = new Uint8Array([...new TextEncoder().encode('Code,Status\nZoë'), 0xff, 10])
  await refused('g_ee.csv', damaged, /Line 2, column 4: The text is not UTF-8\./)
  await refused('h_ee.csv', '', 'The file is empty.')
  await page.keyboard.press('Control+Enter')
  expect(await portal.db.selectFrom('mappings').select('id').where('file_name', '=', 'hostile_ee.csv').execute()).toEqual([])
  // An error that affects no other line rejects only its own line.
  await give('k_ee.csv', 'Code,Status\nA1,Active\nA"2,Active\nA3,Active\n')
  await page.getByText('3 lines: 2 good').waitFor()
  await page.getByText('A quote stands inside of a cell without a second one.', { exact: false }).first().waitFor()
  // A workbook, and UTF-16 text with a byte order mark, are read like any other file.
  await give(
    'i_ee.xlsx',
    workbook([
      ['Code', 'Status'],
      ['A1', 'Active'],
      ['A2', 'Active'],
    ]),
  )
  await page.getByText('2 lines: 2 good').waitFor()
  const text = '\ufeffCode;Status\r\nA1;Active\rA2;Active\nA3;Active'
  await give('j_ee.csv', new Uint8Array(new Uint16Array([...text].map((sign) => sign.charCodeAt(0))).buffer))
  await page.getByText('3 lines: 3 good').waitFor()
  await page
    .locator('.page-save')
    .getByText(/^The sample/)
    .waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Discard' }).click()
  expect(problemsOf(page)).toEqual([])
})

test('a sample fills in missing columns, its list has the page’s keys, and no label is covered', async () => {
  await newMapping()
  await page.setViewportSize({ width: 1024, height: 768 })
  await page.keyboard.press('Control+Enter')
  await page.getByText('No changes, 2 to correct').waitFor()
  await give('quay_20260105_ee.csv', 'Code,Status\nA1,Active\n')
  await page.getByRole('option', { name: /^Code / }).waitFor()
  await page.getByText('3 changes', { exact: true }).waitFor()
  expect(await page.locator('.page-fields .err').count()).toBe(0)
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('listbox')
  await page.locator('footer').getByText('next section').waitFor()
  const covered = await page.locator('.page-row:not(.page-row-wide)').evaluateAll((rows) =>
    rows.flatMap((row) => {
      const box = (part: Element) => part.getBoundingClientRect()
      const inputs = [...row.querySelectorAll('input, .radio, button')].map(box)
      return [...row.querySelectorAll('.label, p')]
        .filter((text) => text.checkVisibility() && text.textContent)
        .filter((text) =>
          inputs.some(
            (input) =>
              input.left < box(text).right - 1 &&
              box(text).left < input.right - 1 &&
              input.top < box(text).bottom - 1 &&
              box(text).top < input.bottom - 1,
          ),
        )
        .map((text) => text.textContent)
    }),
  )
  expect(covered).toEqual([])
  await shot(page, 'mapping-small-light')
  // An unreadable file has no columns, and no empty box for them.
  await give('quay_ee.csv', '')
  await page.getByText('The file is empty.').first().waitFor()
  expect(await page.getByRole('listbox').count()).toBe(0)
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.getByRole('button', { name: 'Discard' }).click()
  expect(problemsOf(page)).toEqual([])
})

test('text typed right after adding a row appears in it, from its first letter on', async () => {
  await newMapping()
  await page.setViewportSize({ width: 1440, height: 900 })
  const headers = () =>
    page.locator('.table-row [data-column=header]').evaluateAll((all) => all.map((one) => (one as HTMLInputElement).value))
  await page.getByRole('button', { name: 'Add column' }).focus()
  await page.keyboard.press('Enter')
  const typed: string[] = []
  for (let turn = 0; turn < 8; turn += 1) {
    await page.keyboard.type('Employment Status')
    await page.keyboard.press('Alt+Enter')
    await page.keyboard.type('Pay Code')
    await page.keyboard.press('Enter')
    typed.push('Employment Status', 'Pay Code')
  }
  await page.keyboard.type('Last')
  typed.push('Last')
  await expect.poll(headers).toEqual(typed)
  await page.getByRole('button', { name: 'Discard' }).click()
})

test('a sample of 100,000 lines is checked while the page stays responsive', async () => {
  await newMapping()
  await give('large_ee.csv', 'Code,Status\nA1,Active\n')
  await page.getByRole('option', { name: /^Code / }).waitFor()
  await page.keyboard.press('a')
  await page.getByText('1 line: 1 good').waitFor()
  await page.evaluate(() => {
    const held = { tasks: [] as number[] }
    Object.assign(globalThis, { held })
    new PerformanceObserver((list) => held.tasks.push(...list.getEntries().map(({ duration }) => duration))).observe({
      type: 'longtask',
    })
    // The test itself selects the file.
    addEventListener('change', () => setTimeout(() => held.tasks.splice(0), 100), { capture: true })
  })
  const lines = Array.from(
    { length: 100_000 },
    (_, at) => `E${at},Active,Ada ${at},Lovelace,ada${at}@example.com,2026-01-05,21.50,D${at % 50}`,
  )
  const began = performance.now()
  await give('large_ee.csv', ['Code,Status,First,Last,Mail,Hired,Rate,Dept', ...lines].join('\n'))
  await page.getByText('100,000 lines: 100,000 good').waitFor()
  const took = performance.now() - began
  await page.getByRole('heading', { name: 'What it would do' }).waitFor()
  const tasks = await page.evaluate(() => (globalThis as unknown as { held: { tasks: number[] } }).held.tasks)
  console.log(
    `100,000 lines: ${Math.round(took)} ms, tasks of the page over 50 ms: ${tasks.map(Math.round).join(', ') || 'none'}`,
  )
  expect(Math.max(0, ...tasks)).toBeLessThan(200)
  await page.getByRole('button', { name: 'Discard' }).click()
})

test('[SCR-033] [MAP-031] the EWA files of an employer, and the first lines of each, as the mapping writes it', async () => {
  const { id, employer_id } = await portal.db
    .selectFrom('deductions')
    .innerJoin('invoices', 'invoices.id', 'deductions.invoice_id')
    .select(['deductions.id', 'invoices.employer_id'])
    .where('deductions.delivered_at', 'is', null)
    .orderBy('deductions.id', 'desc')
    .executeTakeFirstOrThrow()
  const column = (header: string, field: string) => ({ header, field, static: false, static_value: null, day_adjustment: 0 })
  await portal.db
    .insertInto('mappings')
    .values({
      kind: 'DEDUCTION',
      employer_id,
      file_name: 'withhold.csv',
      file_key: 'withhold',
      vendor: null,
      columns: JSON.stringify([column('Whose', 'full_name'), column('No', 'employee_code'), column('Take', 'deduction_amount')]),
    })
    .execute()
  await page.goto(`${portal.origin}/employers/${employer_id}?tab=ewa-files`)
  const row = page.locator('.tab-list [role=row][id]').first()
  await row.waitFor()
  await shot(page, 'ewa-files-light')
  expect(await axeViolations(page, '[data-region=detail]')).toEqual([])
  await page.goto(`${portal.origin}/deductions/${id}?tab=file`)
  await page.getByRole('heading', { name: /^withhold_\d{8}-\d+\.csv$/ }).waitFor()
  expect(await page.locator('[data-region=detail] table th').allInnerTexts()).toEqual(['Whose', 'No', 'Take'])
  expect(await page.locator('[data-region=detail] table tbody tr').first().innerText()).toMatch(/\t\d+\.\d\d$/)
  await shot(page, 'ewa-file-light')
  const [file] = await Promise.all([page.waitForEvent('download'), run(page, 'download ewa file')])
  expect(file.suggestedFilename()).toMatch(/^withhold_\d{8}-\d+\.csv$/)
  expect(problemsOf(page)).toEqual([])
})
