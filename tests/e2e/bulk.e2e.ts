import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inField, run } from '#tests/e2e/at-work.ts'
import { drawn } from '#tests/e2e/drawn.ts'
import { closeAll, openSignedIn, type Portal, routed, signIn, startPortal, whenSent } from '#tests/e2e/support.ts'

let portal: Portal
beforeAll(async () => {
  portal = await startPortal()
})
afterAll(() => portal?.stop())

const statuses = async (ids: readonly number[]) =>
  (await portal.db.selectFrom('employees').select('status').where('id', 'in', ids).orderBy('id').execute()).map(
    (row) => row.status,
  )

test('[EMP-001, CARD-006] several rows: a preview, then one form, one result per row, and one undo', async () => {
  // The list starts with the lowest ids.
  const rows = await portal.db.selectFrom('employees').select('id').orderBy('id').limit(4).execute()
  const ids = rows.map((row) => row.id)
  await portal.db.updateTable('employees').set({ status: 'ELIGIBLE', user_id: null }).where('id', 'in', ids.slice(0, 3)).execute()
  await portal.db
    .updateTable('employees')
    .set({ status: 'TERMINATED' })
    .where('id', '=', ids[3] as number)
    .execute()
  const page = await openSignedIn(portal, undefined, { path: '/employees' })
  await page.getByRole('row').nth(4).waitFor()
  for (let row = 0; row < 4; row++) {
    await page.keyboard.press('x')
    await page.keyboard.press('ArrowDown')
  }
  await page.keyboard.press('p')
  await page.getByText('3 eligible, 1 blocked').waitFor()
  await page.getByText('Actions unavailable when in Terminated.').waitFor()
  await inField(page, 'Reason')
  await page.keyboard.type('Payroll stopped')
  await page.keyboard.press('Control+Enter')
  await page.getByText('3 done, 0 failed, 1 refused').waitFor()
  expect(await page.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('4')
  const refused = page.getByLabel('Results by row').getByRole('listitem').filter({ hasText: 'Refused' })
  expect(await refused.count()).toBe(1)
  await refused.getByText('Actions unavailable when in Terminated.').waitFor()
  expect(await statuses(ids)).toEqual(['PAUSED', 'PAUSED', 'PAUSED', 'TERMINATED'])
  await page.getByRole('button', { name: 'Undo 3' }).focus()
  await page.keyboard.press('Enter')
  await page.getByText('Pause undone for 3 employees').first().waitFor()
  expect(await statuses(ids)).toEqual(['ELIGIBLE', 'ELIGIBLE', 'ELIGIBLE', 'TERMINATED'])
  // What was undone is not offered again, and its key says so.
  await page.getByRole('button', { name: 'Undo 3' }).waitFor({ state: 'detached' })
  expect(await page.getByRole('dialog').getByText('Undone', { exact: true }).count()).toBe(3)
  await page.keyboard.press('Control+z')
  await page.getByText('Already undone.').first().waitFor()
  await page.context().close()
})

test('[EMP-001] rows that cannot be undone are counted before, not reported as undone after, and explained', async () => {
  const rows = await portal.db.selectFrom('employees').select('id').orderBy('id').limit(7).execute()
  const ids = rows.map((row) => row.id).slice(4)
  await portal.db
    .updateTable('employees')
    .set({ status: 'ELIGIBLE', user_id: null, unrecovered_amount: 0 })
    .where('id', 'in', ids)
    .execute()
  const [owing] = ids
  await portal.db
    .updateTable('employees')
    .set({ unrecovered_amount: 50_00 })
    .where('id', '=', owing as number)
    .execute()
  const page = await openSignedIn(portal, undefined, { path: `/employees/${owing}` })
  await page.locator('[data-region=detail]:focus').waitFor()
  await page.keyboard.press('p')
  await page.getByText('This cannot be undone. An earlier balance was not recovered.').waitFor()
  await page.goto('/employees')
  await page.getByRole('row').nth(7).waitFor()
  for (let row = 0; row < 4; row++) await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Shift+ArrowDown')
  await page.keyboard.press('Shift+ArrowDown')
  await page.keyboard.press('p')
  await page.getByText('3 eligible').waitFor()
  await page.getByText('1 could not be undone afterwards').waitFor()
  await page.getByText('Can be undone for 2 of 3, for 10 minutes.').waitFor()
  await inField(page, 'Reason')
  await page.keyboard.type('Payroll stopped')
  await page.keyboard.press('Control+Enter')
  await page.getByText('3 done, 0 failed, 0 refused').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.keyboard.press('Control+z')
  await page.getByText('Pause undone for 2 of 3 employees.').first().waitFor()
  expect(await statuses(ids)).toEqual(['PAUSED', 'ELIGIBLE', 'ELIGIBLE'])
  await run(page, 'Session activity')
  await page.getByRole('option', { name: /undone, except for 1/ }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').getByText('Pause undone for 2 of 3 employees. An earlier balance was not recovered.').waitFor()
  await page.context().close()
})

const priya = '00000000-0000-4000-8000-000000000001'
const endSessions = () => portal.db.deleteFrom('sessions').where('person_id', '=', priya).execute()
const unsent = 'Not sent: your session had ended.'

/** Fills in the pause of the first rows of the list without sending it. Returns the page and the ids. */
async function fillInPause(many: number): Promise<{ page: Page; ids: number[] }> {
  const ids = (await portal.db.selectFrom('employees').select('id').orderBy('id').limit(many).execute()).map((row) => row.id)
  const notPaused = {
    paused_at: null,
    paused_by: null,
    paused_by_name: null,
    pause_reason: null,
    pause_details: null,
    status_before_pause: null,
  }
  await portal.db
    .updateTable('employees')
    .set({ ...notPaused, status: 'ELIGIBLE', user_id: null, unrecovered_amount: 0 })
    .where('id', 'in', ids)
    .execute()
  const page = await openSignedIn(portal, undefined, { path: '/employees' })
  await page.getByRole('row').nth(4).waitFor()
  for (let row = 0; row < many; row++) {
    await page.keyboard.press('x')
    await page.keyboard.press('ArrowDown')
  }
  await page.keyboard.press('p')
  await page.getByText(`${many} eligible`).waitFor()
  await inField(page, 'Reason')
  await page.keyboard.type('Payroll stopped')
  return { page, ids }
}

/** The same for three rows, sent after the session has ended. */
async function pauseAfterSessionEnd(): Promise<{ page: Page; ids: number[] }> {
  const { page, ids } = await fillInPause(3)
  await whenSent(page, endSessions)
  await page.keyboard.press('Control+Enter')
  await expect.poll(() => page.locator('body').innerText()).toContain('Your last change was not sent.')
  return { page, ids }
}

test('[EMP-001] a session that ends before a bulk run: nothing is done, and all rows can be retried', async () => {
  const { page, ids } = await pauseAfterSessionEnd()
  await signIn(portal, page)
  await page.getByRole('dialog').getByText(unsent).first().waitFor()
  await drawn(page)
  expect(await statuses(ids)).toEqual(['ELIGIBLE', 'ELIGIBLE', 'ELIGIBLE'])
  for (const name of [/^Close/, /^Retry the 3/]) {
    await page.getByRole('button', { name }).and(page.locator(':focus')).waitFor()
    await page.keyboard.press(name.source === '^Close' ? 'Shift+Tab' : 'Enter')
  }
  await page.getByText('3 done, 0 failed, 0 refused').waitFor()
  expect(await statuses(ids)).toEqual(['PAUSED', 'PAUSED', 'PAUSED'])
  await page.keyboard.press('Control+z')
  await page.getByText('Pause undone for 3 employees').first().waitFor()
  await page.context().close()
})

test('[EMP-001] a bulk run whose page is gone after the sign-in reports how many were not done', async () => {
  const { page, ids } = await pauseAfterSessionEnd()
  await page.reload()
  await signIn(portal, page)
  await page.getByText('Not sent: Pause employee, 3 employees').first().waitFor()
  await page.getByText('Your session had ended. Do it again if it is still wanted.').first().waitFor()
  expect(await statuses(ids)).toEqual(['ELIGIBLE', 'ELIGIBLE', 'ELIGIBLE'])
  await page.context().close()
})

/** Starts to pause ten rows. The first `atOnce` are answered at once, the others after `goOn()`. */
async function startPause(atOnce: number): Promise<{ page: Page; ids: number[]; release: () => void }> {
  const { page, ids } = await fillInPause(10)
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  let seen = 0
  await routed(page, /\/api\/employees\/\d+$/, async (route) => {
    if (route.request().method() === 'PATCH' && ++seen > atOnce) await held
    // Requests of an earlier page are not held any more.
    await route.continue().catch(() => undefined)
  })
  await page.keyboard.press('Control+Enter')
  await page.getByText(`${atOnce} done, 0 failed, 0 refused, ${10 - atOnce} to go`).waitFor()
  return { page, ids, release }
}

test('[EMP-001] while a run is in progress, undo is about that run: it says so, and undoes nothing older', async () => {
  const { page, ids, release } = await startPause(3)
  await page.keyboard.press('Control+z')
  const why = 'This run is still under way. Stop it first, or wait for its end.'
  await page.getByText(why).first().waitFor()
  await closeAll(page)
  await run(page, 'Session activity')
  await page
    .getByRole('option', { name: /Pause employee: \d of 10 done/ })
    .and(page.locator(':not(:has-text("cannot"))'))
    .waitFor()
  await page.keyboard.press('u')
  await page.getByText(why).nth(1).waitFor()
  await closeAll(page)
  release()
  await page.getByText('Pause employee: 10 done').first().waitFor()
  expect(await statuses(ids)).toEqual(ids.map(() => 'PAUSED'))
  await page.keyboard.press('Control+z')
  await page.getByText('Pause undone for 10 employees').first().waitFor()
  expect(await statuses(ids)).toEqual(ids.map(() => 'ELIGIBLE'))
  await page.context().close()
})

test('[EMP-001] a session that ends in the middle of a run: the finished part is in the session activity', async () => {
  const { page, ids, release } = await startPause(3)
  await endSessions()
  release()
  await page.getByText('Your last change was sent only in part.', { exact: false }).waitFor()
  const done = (await statuses(ids)).filter((status) => status === 'PAUSED').length
  expect(done).toBe(3)
  await signIn(portal, page)
  await page.getByText(`3 done, 4 failed, 0 refused, 3 not started`).waitFor()
  await page.getByRole('button', { name: 'Retry the 7 not done' }).waitFor()
  await closeAll(page)
  await run(page, 'Session activity')
  await page.getByRole('option', { name: /Pause employee: 3 done, 4 failed, 3 not started/ }).waitFor()
  await closeAll(page)
  await page.keyboard.press('Control+z')
  await page.getByText('Pause undone for 3 employees').first().waitFor()
  expect(await statuses(ids)).toEqual(ids.map(() => 'ELIGIBLE'))
  await page.context().close()
})

test('[EMP-001] leaving the page of a run asks first, and after a reload its finished part can be undone', async () => {
  const { page, ids, release } = await startPause(3)
  let asked = ''
  page.on('dialog', async (dialog) => {
    asked = dialog.type()
    await dialog.accept()
  })
  await page.reload()
  release()
  expect(asked).toBe('beforeunload')
  await page.getByText('Pause employee: 3 of 10 done').first().waitFor()
  // Requests under way are confirmed one by one; the remaining rows were not started.
  await expect.poll(() => statuses(ids)).toEqual(ids.map((_, index) => (index < 7 ? 'PAUSED' : 'ELIGIBLE')))
  // The first three are one undo, and each of the other four is its own, in any order.
  const paused = async () => (await statuses(ids)).filter((status) => status === 'PAUSED').length
  for (let undone = 0; undone < 5; undone++) {
    const before = await paused()
    await page.keyboard.press('Control+z')
    await expect.poll(paused).toBeLessThan(before)
  }
  await expect.poll(paused).toBe(0)
  await page.context().close()
})

const count = async (status: string) =>
  Number(
    (
      await portal.db
        .selectFrom('employees')
        .select(({ fn }) => fn.countAll().as('count'))
        .where('status', '=', status)
        .executeTakeFirstOrThrow()
    ).count,
  )

/** Selects every row of the open filtered list, fills in the pause, and stops at the field for the count. */
async function pauseAll(page: Page, reason: string, many: number): Promise<void> {
  await page.getByRole('row').nth(1).waitFor()
  await page.keyboard.press('Control+a')
  await run(page, 'Pause employee')
  await inField(page, 'Reason')
  await page.keyboard.type(reason)
  await page.keyboard.press('Control+Enter')
  await page.getByText(`${many.toLocaleString('en-US')} eligible`).waitFor()
  await inField(page, `Type ${many} to confirm`)
}

test('[EMP-001] a session that ends before a server run starts: nothing runs, and its form says so', async () => {
  const before = await count('CREATED')
  expect(before).toBeGreaterThan(0)
  const page = await openSignedIn(portal, undefined, { path: '/employees?status_type=is&status_value=CREATED' })
  await pauseAll(page, 'Too late', before)
  await page.keyboard.type(String(before))
  await whenSent(page, endSessions)
  await page.keyboard.press('Control+Enter')
  await expect.poll(() => page.locator('body').innerText()).toContain('Your last change was not sent.')
  await signIn(portal, page)
  await inField(page, 'Reason')
  expect(await page.getByLabel('Reason').inputValue()).toBe('Too late')
  await page.getByRole('dialog').getByRole('alert').filter({ hasText: unsent }).waitFor()
  expect(await count('CREATED')).toBe(before)
  await page.context().close()
})

test('[EMP-001] all rows of a filter: the server counts, the count is typed, and the rows are read again', async () => {
  const before = await count('CREATED')
  expect(before).toBeGreaterThan(0)
  const page = await openSignedIn(portal, undefined, { path: '/employees?status_type=is&status_value=CREATED' })
  await pauseAll(page, 'All of them', before)
  await page.keyboard.press('Control+Enter')
  await page.keyboard.type(String(before + 1))
  await page.keyboard.press('Control+Enter')
  await page.getByText(`This has to be exactly: ${before}`).waitFor()
  expect(await count('CREATED')).toBe(before)
  await page.keyboard.press('Backspace')
  for (const _ of String(before)) await page.keyboard.press('Backspace')
  await page.keyboard.type(String(before))
  await page.keyboard.press('Control+Enter')
  await page.getByText(`${before} done, 0 failed, 0 refused`).waitFor({ timeout: 120_000 })
  expect(await count('CREATED')).toBe(0)
  // The list behind refreshes by itself: none of these rows match any more.
  await page.waitForFunction(() => document.querySelectorAll('[role=grid] [role=row][aria-rowindex="2"]').length === 0)
  // 'Close' returns to the list: the palette would offer the same command again.
  await page
    .getByRole('button', { name: /^Close/ })
    .and(page.locator(':focus'))
    .waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.locator('[role=grid]:focus').waitFor()
  await page.context().close()
})

test('[EMP-001, CARD-006] a long run stays visible on every page, is reopened after a reload, and undone in one step', async () => {
  // Long enough for a few checks.
  const eligible = portal.db.selectFrom('employees').select('id').where('status', '=', 'ELIGIBLE')
  await portal.db
    .updateTable('employees')
    .set({ status: 'INELIGIBLE' })
    .where('id', 'in', eligible.orderBy('id').offset(250))
    .execute()
  const [before, paused] = [await count('ELIGIBLE'), await count('PAUSED')]
  expect(before).toBeGreaterThan(200)
  const page = await openSignedIn(portal, undefined, { path: '/employees?status_type=is&status_value=ELIGIBLE' })
  await pauseAll(page, 'Payroll moved', before)
  await page.keyboard.type(String(before))
  await page.keyboard.press('Control+Enter')
  await page.getByRole('progressbar').waitFor()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  const bar = page.getByRole('contentinfo')
  await bar.getByRole('button', { name: /Pause employee: [\d,]+ (of|done)/ }).waitFor()
  await page.getByRole('link', { name: 'Invoices' }).first().click()
  await page.waitForURL('**/invoices*')
  await bar.getByRole('button', { name: /Pause employee: [\d,]+ (of|done)/ }).waitFor()
  await page.reload()
  await expect.poll(() => count('ELIGIBLE'), { timeout: 120_000 }).toBe(0)
  await run(page, 'Show the last run')
  await page.getByText(`${before.toLocaleString('en-US')} done, 0 failed, 0 refused`).waitFor({ timeout: 120_000 })
  await page.getByRole('button', { name: `Undo ${before.toLocaleString('en-US')}` }).waitFor()
  // The undo key also works while its result is shown.
  await page.keyboard.press('Control+z')
  await page.getByRole('dialog').getByText('Undo pause employee').waitFor()
  const over = page.getByRole('status').filter({ hasText: /^[\d,]+ done, 0 failed, [\d,]+ refused$/ })
  await over.waitFor({ timeout: 120_000 })
  const [done = 0, , refused = 0] =
    ((await over.textContent()) ?? '')
      .replaceAll(/(\d),(\d)/g, '$1$2')
      .match(/\d+/g)
      ?.map(Number) ?? []
  // Employees that a rule keeps paused are refused with a reason per row; the others are as before.
  expect(done + refused).toBe(before)
  expect([await count('ELIGIBLE'), await count('PAUSED')]).toEqual([done, paused + refused])
  expect(done).toBeGreaterThan(refused)
  const events = await portal.db.selectFrom('audit_events').select('id').where('command', '=', 'session.undo').execute()
  expect(events.length).toBeGreaterThanOrEqual(done)
  // The session activity links to the run.
  for (let presses = 0; presses < 4 && (await page.getByRole('dialog').count()); presses++) await page.keyboard.press('Escape')
  await run(page, 'Session activity')
  await page.keyboard.press('Enter')
  await page
    .getByRole('dialog')
    .getByText(`${before.toLocaleString('en-US')} done`)
    .waitFor()
  await page.context().close()
})

test('[EMP-001] a spreadsheet column pasted into the palette: unmatched lines are reported, then one run', async () => {
  const active = portal.db.selectFrom('employees').select('id').where('status', '=', 'ACTIVE').orderBy('id').limit(55)
  const ids = (await active.execute()).map((row) => row.id)
  const page = await openSignedIn(portal, undefined, { path: '/invoices' })
  await page.getByRole('row').nth(1).waitFor()
  const lines = [
    'Employee ID\tName',
    ...ids.map((id) => `${id}\tSomebody`),
    '',
    `${ids[0]}\tAgain`,
    '999999999\tNobody',
    'n/a\tTotal',
  ]
  await page.evaluate((text) => navigator.clipboard.writeText(text), lines.join('\r\n'))
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').waitFor()
  await page.keyboard.press('Control+v')
  const dialog = page.getByRole('dialog')
  // The same with invoices selected: no invoice has these numbers.
  await dialog.getByText('55 employees found, 4 left out').waitFor()
  expect(await dialog.getByRole('region', { name: 'Left out' }).getByRole('listitem').allTextContents()).toEqual([
    'Line 1Employee ID NameHeading.',
    `Line 58${ids[0]}Already in line 2.`,
    'Line 59999999999No such employee, or you have no access.',
    'Line 60n/aThis is not an id.',
  ])
  await page.keyboard.press('Control+Enter')
  await dialog.getByText('55 employees', { exact: true }).waitFor()
  await page.keyboard.type('Pause employee')
  await dialog.getByRole('option', { name: /Pause employee/ }).waitFor()
  await page.keyboard.press('Enter')
  await inField(page, 'Reason')
  await page.keyboard.type('On the list of the payroll office')
  await page.keyboard.press('Control+Enter')
  await page.getByText('55 eligible').waitFor()
  await inField(page, 'Type 55 to confirm')
  await page.keyboard.type('55')
  await page.keyboard.press('Control+Enter')
  await page.getByText('55 done, 0 failed, 0 refused').waitFor({ timeout: 120_000 })
  expect(new Set(await statuses(ids))).toEqual(new Set(['PAUSED']))
  await page.context().close()
})
