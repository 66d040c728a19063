import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { overdueIn } from '#domain/invoice.ts'
import { drawn } from '#tests/e2e/drawn.ts'
import { axeViolations, closeAll, follow, openSignedIn, type Portal, problemsOf, shot, startPortal } from '#tests/e2e/support.ts'

let portal: Portal
let page: Page

beforeAll(async () => {
  portal = await startPortal()
  page = await openSignedIn(portal, undefined, { width: 1440, height: 900 })
})
afterAll(() => portal?.stop())

/** The path and query of the address in readable form: a comma of a query may be encoded as %2C. */
const address = (of = page) => decodeURIComponent(of.url().slice(portal.origin.length))
const lines = (of = page) => of.locator('[data-line]')
const focused = () => page.evaluate(() => document.activeElement?.getAttribute('href'))
const summary = '**/api/dashboard/summary'

test('[SCR-007] the dashboard is the first page, and shows the figures of the API', async () => {
  await expect.poll(() => address()).toBe('/dashboard')
  await page.getByRole('heading', { name: 'Today', exact: true }).waitFor()
  await lines().first().waitFor()
  const { rows } = await sql<{
    count: number
    cents: number
  }>`select count(*)::int as count, sum(outstanding_amount)::int8 as cents
    from invoices where outstanding_amount > 0 and due_date < business_date() and status in (${sql.join(overdueIn)})`.execute(
    portal.db,
  )
  const { count = 0, cents = 0 } = rows[0] ?? {}
  expect(count).toBeGreaterThan(0)
  const dollars = (Number(cents) / 100).toLocaleString('en-US', { style: 'currency', currency: 'USD' })
  const overdue = lines().filter({ hasText: 'Overdue invoices' })
  expect((await overdue.innerText()).split(/\s+/).join(' ')).toContain(
    `Overdue invoices ${count.toLocaleString('en-US')} ${dollars} Outstanding`,
  )
  expect(await page.locator('.today-age').innerText()).toMatch(/^Updated \d+ s ago, updates every 60 s$/)
  await page.locator('.plot-bar').first().waitFor({ state: 'attached' })
  expect(await page.locator('figure').count()).toBe(4)
  await shot(page, 'dashboard-light')
  expect(await axeViolations(page)).toEqual([])
})

test.each(['/dashboard', '/my-permissions', '/access'])(
  'the palette keeps the keyboard focus while %s arrives behind it',
  async (path) => {
    await follow(page, '/employees')
    await page.locator('[role=grid]:focus').waitFor()
    await follow(page, path)
    await page.keyboard.press('Control+k')
    await page.keyboard.type('pau')
    await page.locator('main :is(h1, h2)').first().waitFor()
    await drawn(page)
    const field = page.getByRole('combobox', { name: 'Command palette' })
    expect(await field.evaluate((input) => [(input as HTMLInputElement).value, input === document.activeElement])).toEqual([
      'pau',
      true,
    ])
    await closeAll(page)
    await follow(page, '/dashboard')
  },
)

test('a number, or Enter on a line, opens the list that it counts; Back returns to the line', async () => {
  await expect.poll(focused).toBe(await lines().first().getAttribute('href'))
  const all = await lines().allInnerTexts()
  const at = all.findIndex((text) => text.startsWith('Overdue invoices'))
  const count = /^Overdue invoices\s+([\d,]+)/.exec(all[at] ?? '')?.[1]
  await page.keyboard.press(String(at + 1))
  await expect.poll(() => address()).toMatch(/^\/invoices\?status_type=is&status_value=OVERDUE/)
  await page.getByText(new RegExp(`row 1 of ${count}$`)).waitFor()
  await page.goBack()
  await lines().first().waitFor()
  await expect.poll(focused).toBe(await lines().nth(at).getAttribute('href'))
  await page.keyboard.press('Home')
  await page.keyboard.press('j')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('k')
  const second = await lines().nth(1).getAttribute('href')
  expect(await focused()).toBe(second)
  await page.keyboard.press('Enter')
  await expect.poll(() => address()).toBe(second)
  await page.locator('[role=grid]:focus').waitFor()
  await page.keyboard.press('g')
  await page.keyboard.press('h')
  await expect.poll(() => address()).toBe('/dashboard')
  await expect.poll(focused).toBe(second)
})

test('the palette finds it, and the keyboard focus returns to its line', async () => {
  const before = await focused()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill('open dashboard')
  await page.locator('[role=option][aria-selected=true]', { hasText: 'Open dashboard' }).waitFor()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await expect.poll(focused).toBe(before)
})

test('all its keys are in the key map, which opens from here', async () => {
  await page.keyboard.press('?')
  const map = page.getByRole('dialog', { name: 'Keys' })
  await map.getByRole('heading', { name: 'Here: dashboard' }).waitFor()
  await page.keyboard.press('Escape')
  await map.waitFor({ state: 'detached' })
  expect(await lines().count()).toBeGreaterThan(2)
})

test('a table is available for each plot, and dark mode and small screens are readable', async () => {
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.setViewportSize({ width: 1024, height: 768 })
  await shot(page, 'dashboard-dark-1024')
  for (const [title, head] of [
    ['Outstanding by age', 'Over 90 days'],
    ['Recovery rate by week', 'Week from'],
  ] as const) {
    const table = page.locator('figure', { hasText: title })
    await table.getByText('As a table').focus()
    await page.keyboard.press('Enter')
    await table.getByRole('table').waitFor()
    expect(await table.innerText()).toContain(head)
  }
  expect(await axeViolations(page)).toEqual([])
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize({ width: 1440, height: 900 })
})

test('r refreshes; with plain letters off, no letter or digit does anything', async () => {
  await lines().first().focus()
  const read = page.waitForResponse((answer) => answer.url().endsWith('/api/dashboard/summary'))
  await page.keyboard.press('r')
  await read
  await page.evaluate(() => localStorage.setItem('admin-portal.letter-keys', 'false'))
  await page.goto('/dashboard')
  const first = await lines().first().getAttribute('href')
  await expect.poll(focused).toBe(first)
  await page.keyboard.press('1')
  await page.keyboard.press('j')
  expect([address(), await focused()]).toEqual(['/dashboard', first])
  await page.keyboard.press('ArrowDown')
  await expect.poll(focused).toBe(await lines().nth(1).getAttribute('href'))
  await page.evaluate(() => localStorage.removeItem('admin-portal.letter-keys'))
  await page.goto('/dashboard')
  await lines().first().waitFor()
})

test('placeholders are shown while loading, and the layout does not shift', async () => {
  let release = () => {}
  const gate = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route(summary, async (route) => {
    await gate
    await route.continue()
  })
  await page.goto('/dashboard')
  await page.locator('i.today-line').first().waitFor()
  await page.locator('.rail-item').first().waitFor()
  // The status bar lists the keys of the page once it has arrived, which moves things: before any figure.
  await page.locator('.bar-keys').getByText('open a line').waitFor()
  await page.evaluate(() => document.fonts.ready)
  await page.evaluate(() => {
    const moved = { sum: 0 }
    Object.assign(globalThis, { moved })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) moved.sum += (entry as PerformanceEntry & { value: number }).value
    }).observe({ type: 'layout-shift', buffered: false })
  })
  release()
  await page.locator('.plot-bar').first().waitFor({ state: 'attached' })
  await drawn(page)
  expect(await page.evaluate(() => (globalThis as unknown as { moved: { sum: number } }).moved.sum)).toBe(0)
  await page.unroute(summary)
})

test('figures that fail to load offer a retry; those already shown stay', async () => {
  const fail = () =>
    page.route(summary, (route) => route.fulfill({ status: 500, contentType: 'application/problem+json', body: '{}' }))
  await fail()
  await lines().first().focus()
  await page.keyboard.press('r')
  await page.getByRole('alert').getByText('The figures could not be refreshed.').waitFor()
  expect(await lines().count()).toBeGreaterThan(2)
  await page.goto('/dashboard')
  await page.getByRole('alert').getByText('Unable to load the dashboard.').waitFor()
  await shot(page, 'dashboard-error')
  expect(await axeViolations(page)).toEqual([])
  await page.unroute(summary)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await lines().first().waitFor()
  expect(await page.getByText('Unable to load the dashboard.').count()).toBe(0)
  expect(problemsOf(page)).toEqual([])
})

test('people without access to billing see no amounts and no plots', async () => {
  const sam = await openSignedIn(portal, 'sam.okoye@example.com')
  await expect.poll(() => address(sam)).toBe('/dashboard')
  await sam.getByRole('heading', { name: 'Needs attention' }).waitFor()
  const all = (await lines(sam).allInnerTexts()).map((text) => text.split('\n')[0])
  const known = ['Employers that cannot be activated', 'Paused longer than 30 days']
  expect(all.filter((text) => !known.some((title) => text?.startsWith(title)))).toEqual([])
  expect(await sam.locator('figure').count()).toBe(0)
  expect(await sam.locator('[data-region=screen]').innerText()).not.toContain('$')
  expect(await axeViolations(sam)).toEqual([])
})

test('an account manager sees their own companies, and nothing after losing access to them', async () => {
  const maya = sql`(select id from people where email = 'maya.lindt@example.com')`
  await sql`insert into person_permissions (person_id, permission_id) values (${maya}, 1)`.execute(portal.db)
  await sql`delete from access_grants where person_id = ${maya}`.execute(portal.db)
  await sql`insert into access_grants (person_id, employer_id) select ${maya}, employer_id from invoices
    where outstanding_amount > 0 and due_date < business_date() and status in (${sql.join(overdueIn)}) limit 1`.execute(portal.db)
  const theirs = await openSignedIn(portal, 'maya.lindt@example.com')
  await lines(theirs).filter({ hasText: 'Overdue invoices' }).waitFor()
  await sql`delete from access_grants where person_id = ${maya}`.execute(portal.db)
  await lines(theirs).first().focus()
  await theirs.keyboard.press('r')
  await theirs.getByText('Nothing needs you today.').waitFor()
  expect(await lines(theirs).count()).toBe(0)
  await expect.poll(() => theirs.evaluate(() => document.activeElement?.getAttribute('data-region'))).toBe('screen')
  await shot(theirs, 'dashboard-empty')
  expect(await axeViolations(theirs)).toEqual([])
})

test('people without access to any of it start with their first list', async () => {
  await sql`delete from person_permissions where person_id = (select id from people where email = 'sam.okoye@example.com')`.execute(
    portal.db,
  )
  await sql`insert into person_permissions (person_id, permission_id)
    select id, 4 from people where email = 'sam.okoye@example.com'`.execute(portal.db)
  const sam = await openSignedIn(portal, 'sam.okoye@example.com')
  await expect.poll(() => address(sam)).toBe('/organizations')
  await sam.goto('/dashboard')
  await sam.getByText("You don't have permission to take this action.").waitFor()
  await sam.goto('/admins')
  await sam.getByText("You don't have permission to take this action. It needs the right to see admins.").waitFor()
})
