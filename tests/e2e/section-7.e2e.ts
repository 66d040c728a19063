import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { employeesOf, inField, run, said, type Someone, statusOf } from '#tests/e2e/at-work.ts'
import { follow, openSignedIn, openTab, type Portal, problemsOf, shot, startPortal, tabsOf } from '#tests/e2e/support.ts'
import { type Section7, startSection7 } from '#tests/support/section-7.ts'

let api: Section7
let portal: Portal
let page: Page
let someone: Someone
const notOffered = 'Not offered by this API'

beforeAll(async () => {
  api = await startSection7()
  portal = await startPortal({ settings: { API_BASE: api.base } })
  api.origin = portal.origin
  someone = await employeesOf(portal)('ACTIVE', { linked: true })
  page = await openSignedIn(portal, undefined, { path: '/employees', width: 1440, height: 900 })
})
afterAll(async () => {
  await shot(page, 's7-end')
  await portal?.stop()
  await api?.stop()
})

const grid = () => page.getByRole('grid')
const rows = () => page.locator('[role=row][id]')
const detail = () => page.locator('[data-region=detail]')
const palette = () => page.getByRole('combobox', { name: 'Command palette' })
/** Opens the palette if it is closed, and waits until it accepts text. */
async function openPalette(): Promise<void> {
  if (!(await palette().isVisible())) await page.keyboard.press('Control+k')
  await page.locator('input[placeholder^="Type a command"]:focus').waitFor()
}
/** The rows of the palette for a text. */
async function found(text: string): Promise<string[]> {
  await openPalette()
  await palette().fill(text)
  await page.locator('[role=dialog] [aria-busy=true]').waitFor({ state: 'detached' })
  return page.getByRole('option').allInnerTexts()
}
/** Closes the palette, whatever its text. */
async function closePalette(): Promise<void> {
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await palette().waitFor({ state: 'hidden' })
}
/** Types an id into the palette and opens its record. */
async function openById(id: string, name: string): Promise<void> {
  await openPalette()
  await palette().fill(id)
  await page.keyboard.press('Enter')
  await detail().getByRole('heading', { name }).waitFor()
  await palette().waitFor({ state: 'hidden' })
}

test('the user is identified, the list loads, and the rail has only what this API supports', async () => {
  await rows().first().waitFor()
  expect(await page.getByRole('navigation', { name: 'Places' }).getByRole('link').allInnerTexts()).toEqual([
    expect.stringContaining('Employees'),
    expect.stringContaining('Users'),
    expect.stringContaining('Invoices'),
    expect.stringContaining('Repayments'),
    expect.stringContaining('Timekeeping'),
    expect.stringContaining('Employers'),
    expect.stringContaining('Organizations'),
    expect.stringContaining('SFTP users'),
    expect.stringContaining('Account managers'),
    expect.stringContaining('Admins'),
  ])
  await page.reload()
  await rows().first().waitFor()
  // Answers of 50 rows each, in sequence.
  await grid().focus()
  await page.keyboard.press('Control+End')
  await expect
    .poll(async () => Number(/row ([\d,]+)/.exec(await page.locator('.frame-bar').innerText())?.[1]?.replace(',', '')))
    .toBeGreaterThan(60)
  await shot(page, 'section-7-employees')
})

test('unspecified filters and sorts are not offered, the others work', async () => {
  expect(await found('filter employees by department')).toEqual([expect.stringContaining(notOffered)])
  expect(await found('sort this list')).toEqual([expect.stringContaining('This list has one order only.')])
  expect((await found('filter employees by status'))[0]).not.toContain(notOffered)
  await page.goto('/employees?status_type=is&status_value=PAUSED')
  await rows().first().waitFor()
  await expect
    .poll(async () => new Set(await page.locator('[role=row][id] .status').allInnerTexts()))
    .toEqual(new Set(['Paused']))
})

test('an employee is opened from its row and by id; all specified actions work', async () => {
  await page.goto('/employees')
  await rows().first().waitFor()
  await grid().focus()
  await page.keyboard.press('Enter')
  await detail().locator('.facts').first().waitFor()
  await openById(String(someone.id), someone.name)
  await detail().focus()
  await page.keyboard.press('p')
  await inField(page, 'Reason')
  await page.keyboard.type('Leave')
  await page.keyboard.press('Control+Enter')
  await said(page, `Paused ${someone.name}`)
  expect(await statusOf(portal, someone)).toBe('PAUSED')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.keyboard.press('p')
  await inField(page, 'Notes')
  await page.keyboard.press('Control+Enter')
  await said(page, `Resumed ${someone.name}`)
  expect(await statusOf(portal, someone)).toBe('ACTIVE')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await run(page, 'Force password change')
  await said(page, `${someone.name} must choose a new password at the next sign-in`)
  await run(page, 'Cancel forced password change')
  await said(page, `${someone.name} may keep the password`)
  await run(page, 'Unlink employee from user')
  await inField(page, 'Type')
  await page.keyboard.type(someone.name)
  await page.keyboard.press('Control+Enter')
  await said(page, `Unlinked ${someone.name}`)
})

test('an employee’s history is read; features that need an extension say so, also in the palette', async () => {
  await openTab(page, 'History')
  await detail().getByText('Unlinked').first().waitFor()
  await openTab(page, 'Invoices')
  await detail().getByText(notOffered).waitFor()
  expect(await detail().getByRole('button', { name: 'Try again' }).count()).toBe(0)
})

test('notes are read, added and deleted', async () => {
  await detail().focus()
  await page.keyboard.press('n')
  await page.locator('[data-region=drawer] textarea:focus').waitFor()
  await page.keyboard.type('Called back')
  await page.keyboard.press('Control+Enter')
  const note = page.getByRole('complementary', { name: /^Notes of/ }).getByRole('article')
  await note.getByText('Called back').waitFor()
  await note.getByText('You', { exact: true }).waitFor()
  await note.getByRole('button', { name: 'Delete note' }).click()
  await page.keyboard.press('Control+Enter')
  await expect.poll(() => note.count()).toBe(0)
})

test('the configuration of an employer is read, switched to its level and saved', async () => {
  const employer = await portal.db
    .selectFrom('employers')
    .select(['id', 'internal_name'])
    .where((where) =>
      where.not(where.exists(where.selectFrom('configurations').whereRef('configurations.employer_id', '=', 'employers.id'))),
    )
    .orderBy('id')
    .executeTakeFirstOrThrow()
  await follow(page, `/employers/${employer.id}/configuration`)
  const fee = page.getByLabel(/^Transaction fee/)
  await fee.fill('3.98')
  await page.keyboard.press('Control+Enter')
  await inField(page, 'Type')
  await page.keyboard.type(employer.internal_name)
  await page.keyboard.press('Control+Enter')
  await said(page, `Saved the configuration of ${employer.internal_name}`)
  const own = () => portal.db.selectFrom('configurations').selectAll().where('employer_id', '=', employer.id).execute()
  expect((await own()).map((one) => one.transaction_fee)).toEqual([398])
})

test('invoices are paged, and opened from a row and by id; their commands are dimmed', async () => {
  await page.goto('/employees')
  await rows().first().waitFor()
  await grid().focus()
  await page.keyboard.press('g')
  await page.keyboard.press('i')
  await page.getByRole('heading', { name: 'Invoices' }).waitFor()
  await rows().first().waitFor()
  // Its first view is the open invoices, which this API can only filter by listing all other statuses.
  expect(new URL(page.url()).searchParams.get('status_type')).toBe('is_not')
  await expect.poll(async () => (await page.locator('[role=row][id] .status').allInnerTexts()).includes('Paid')).toBe(false)
  await grid().focus()
  await page.keyboard.press('Enter')
  await detail().locator('.facts').first().waitFor()
  await shot(page, 'section-7-invoice')
  for (const tab of await tabsOf(page)) {
    await openTab(page, tab)
    await expect.poll(() => detail().getByRole('tabpanel').innerText()).not.toBe('')
    expect(await detail().getByRole('button', { name: 'Try again' }).count()).toBe(0)
  }
  const { id } = await portal.db
    .selectFrom('invoices')
    .select('id')
    .where('status', '=', 'SENT')
    .orderBy('id')
    .executeTakeFirstOrThrow()
  await openById(String(id), `INV-${id}`)
  for (const command of ['Close invoice', 'Add repayment', 'Suggest write-offs'])
    expect((await found(command))[0]).toContain(notOffered)
  await closePalette()
})

test('repayments are searched by their specified parameter, and opened', async () => {
  await page.goto('/repayments')
  await rows().first().waitFor()
  const { id } = await portal.db.selectFrom('repayments').select('id').orderBy('id').executeTakeFirstOrThrow()
  await page.getByRole('searchbox').fill(`REP-${id}`)
  await page.keyboard.press('Enter')
  await expect.poll(() => rows().count()).toBe(1)
  await grid().focus()
  await page.keyboard.press('Enter')
  await detail().locator('.facts').first().waitFor()
})

test('the palette searches lists in parallel; an unavailable list says so, with an alternative', async () => {
  const { internal_name: name } = await portal.db
    .selectFrom('employers')
    .select('internal_name')
    .orderBy('id')
    .executeTakeFirstOrThrow()
  expect((await found(name)).join()).toContain(name)
  const { last_name: last } = await portal.db
    .selectFrom('employees')
    .select('last_name')
    .where('id', '=', someone.id)
    .executeTakeFirstOrThrow()
  expect((await found(last)).join()).toContain(last)
  await closePalette()
  await follow(page, '/deductions')
  await page.getByText(notOffered).first().waitFor()
  await page.getByRole('link', { name: 'Go to employees' }).click()
  await rows().first().waitFor()
})

test('no call outside of section 7 was made; signing out leads back to the sign-in', async () => {
  expect([...new Set(api.unspecified)]).toEqual([])
  expect(problemsOf(page).filter((problem) => !problem.includes('/openapi.json'))).toEqual([])
  await run(page, 'Sign out')
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  expect(await page.getByRole('button', { name: 'Forgot password?' }).count()).toBe(0)
})
