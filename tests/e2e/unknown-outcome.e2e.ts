import type { Page, Route } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { employeesOf, eventsOf, inField, openAt, type Someone, said, statusOf } from '#tests/e2e/at-work.ts'
import { drawn } from '#tests/e2e/drawn.ts'
import { offline, type Portal, routed, signIn, sharePortal, whenSent } from '#tests/e2e/support.ts'

let portal: Portal
let employee: ReturnType<typeof employeesOf>
beforeAll(async () => {
  portal = await sharePortal()
  employee = employeesOf(portal)
})
afterAll(() => portal?.stop())

const checking = 'Checking whether it went through'
const changeOf = (someone: Someone) => (url: URL) => url.pathname === `/api/employees/${someone.id}`
/** Intercepts changes of an employee; reads pass. */
const onChange = (page: Page, someone: Someone, handle: (route: Route) => Promise<void>) =>
  routed(page, changeOf(someone), (route) => (route.request().method() === 'PATCH' ? handle(route) : route.continue()))

/** Waits until every part of a page has loaded: what was not sent would be offered by then. */
async function allLoaded(page: Page): Promise<void> {
  await page.locator('input[placeholder^="Type a command"]').waitFor({ state: 'attached' })
  await page.waitForLoadState('networkidle')
  await drawn(page)
}

async function fillIn(page: Page, reason: string): Promise<void> {
  await page.keyboard.press('p')
  await inField(page, 'Reason')
  await page.keyboard.type(reason)
}

test('[EMP-001] the answer is lost after the server worked: retried under the same key, it happened once', async () => {
  const someone = await employee('ACTIVE')
  const page = await openAt(portal, someone)
  const keys: string[] = []
  await onChange(page, someone, async (route) => {
    keys.push(route.request().headers()['idempotency-key'] ?? '')
    if (keys.length > 2) return route.continue()
    await route.fetch()
    await route.abort('connectionreset')
  })
  await fillIn(page, 'Lost answer')
  await page.keyboard.press('Control+Enter')
  await page.getByText(checking).waitFor()
  await said(page, `Paused ${someone.name}`)
  expect(keys.length).toBe(3)
  expect(new Set(keys).size).toBe(1)
  expect(await eventsOf(portal, someone, 'Paused')).toBe(1)
  await page.context().close()
})

test('[EMP-001] the network fails: the command is shown as unconfirmed, and continues once it is back', async () => {
  const someone = await employee('ACTIVE')
  const page = await openAt(portal, someone)
  await fillIn(page, 'Cut off')
  await offline(page, true)
  await page.keyboard.press('Control+Enter')
  await page.getByText(checking).waitFor()
  await page.locator('.frame-bar').getByText(`Pause employee, ${someone.name}`).waitFor()
  // Leaving the form does not stop the retries.
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  expect(await statusOf(portal, someone)).toBe('ACTIVE')
  // The form, opened again, shows what was sent instead of asking for it again.
  await page.keyboard.press('p')
  const dialog = page.getByRole('dialog')
  await dialog.getByText(`${checking}: Pause employee, ${someone.name}`).waitFor()
  expect(await dialog.getByLabel('Reason').count()).toBe(0)
  await offline(page, false)
  await said(page, `Paused ${someone.name}`)
  await dialog.getByText('Already paused.').waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  expect(await eventsOf(portal, someone, 'Paused')).toBe(1)
  await page.context().close()
})

test('[EMP-001] key and body survive a reload: the call is retried and its result shown', async () => {
  const someone = await employee('ACTIVE')
  const page = await openAt(portal, someone)
  const keys: string[] = []
  let reloaded = false
  let release = () => {}
  const named = new Promise<void>((resolve) => {
    release = resolve
  })
  await onChange(page, someone, async (route) => {
    if (reloaded) return named.then(() => route.continue())
    keys.push(route.request().headers()['idempotency-key'] ?? '')
    await route.fetch()
    await route.abort('connectionreset')
  })
  await fillIn(page, 'Reloaded')
  await page.keyboard.press('Control+Enter')
  await page.getByText(checking).waitFor()
  await page.reload({ waitUntil: 'commit' })
  reloaded = true
  const again = page.waitForRequest((request) => request.method() === 'PATCH')
  expect((await again).headers()['idempotency-key']).toBe(keys[0])
  await page.getByText(`Not confirmed yet: Pause employee, ${someone.name}`).waitFor()
  release()
  await said(page, `Paused ${someone.name}`)
  expect(await eventsOf(portal, someone, 'Paused')).toBe(1)
  expect(await page.evaluate(() => localStorage.getItem('admin-portal.pending'))).toBeNull()
  await page.context().close()
})

test('[ERR-021] retries of a failing server stop with the catalogue message, and the key is kept', async () => {
  const someone = await employee('ACTIVE')
  const page = await openAt(portal, someone)
  const keys: string[] = []
  await onChange(page, someone, async (route) => {
    keys.push(route.request().headers()['idempotency-key'] ?? '')
    if (keys.length > 4) return route.continue()
    const problem = {
      type: 'about:blank',
      title: 'Internal Server Error',
      status: 500,
      code: 'internal-error',
      detail: 'The ledger is closed.',
    }
    await route.fulfill({ status: 500, contentType: 'application/problem+json', body: JSON.stringify(problem) })
  })
  await fillIn(page, 'Failing')
  await page.keyboard.press('Control+Enter')
  const alert = page.getByRole('alert').filter({ hasText: `Something went wrong pausing ${someone.name}` })
  await alert.first().waitFor()
  expect(await alert.first().textContent()).toContain('The ledger is closed.')
  expect(await page.getByLabel('Reason').inputValue()).toBe('Failing')
  expect(await statusOf(portal, someone)).toBe('ACTIVE')
  await page.keyboard.press('Control+Enter')
  await said(page, `Paused ${someone.name}`)
  expect(keys.length).toBe(5)
  expect(new Set(keys).size).toBe(1)
  await page.context().close()
})

test('[EMP-001] two fast Enters are one request', async () => {
  const someone = await employee('ACTIVE')
  const page = await openAt(portal, someone)
  let sent = 0
  await onChange(page, someone, async (route) => {
    sent++
    await new Promise((resolve) => setTimeout(resolve, 150))
    await route.continue()
  })
  await fillIn(page, 'Twice')
  await Promise.all([
    page.keyboard.press('Control+Enter'),
    page.keyboard.press('Control+Enter'),
    page.keyboard.press('Control+Enter'),
  ])
  await said(page, `Paused ${someone.name}`)
  expect(sent).toBe(1)
  expect(await eventsOf(portal, someone, 'Paused')).toBe(1)
  await page.context().close()
})

const priya = 'priya.raman@example.com'
/** Deletes the sessions of a person, as long after their end. */
const endSessions = (of = '00000000-0000-4000-8000-000000000001') =>
  portal.db.deleteFrom('sessions').where('person_id', '=', of).execute()
const unsent = 'Not sent: your session had ended.'

test('[EMP-001] a session that ended before a send: nothing is sent by itself, and the form says so', async () => {
  const someone = await employee('ACTIVE')
  const page = await openAt(portal, someone, priya)
  const other = await page.context().newPage()
  await other.goto(`/employees/${someone.id}`)
  await other.getByRole('heading', { name: someone.name }).waitFor()
  await fillIn(page, 'Signed out')
  await page.getByText('Can be undone for 10 minutes.').waitFor()
  await whenSent(page, endSessions)
  await page.keyboard.press('Control+Enter')
  await page.locator('input[type=email]').waitFor()
  await page.getByText('Your session has expired. Please login again. Your last change was not sent.', { exact: true }).waitFor()
  // The other tab shows the reason, too.
  await other.getByText('Your session has expired. Please login again.', { exact: true }).waitFor()
  expect(await page.evaluate(() => localStorage.getItem('admin-portal.pending'))).toBeNull()
  await signIn(portal, page, priya)
  await inField(page, 'Reason')
  expect(await page.getByLabel('Reason').inputValue()).toBe('Signed out')
  await page.getByRole('alert').filter({ hasText: unsent }).waitFor()
  await other.reload()
  await other.getByRole('heading', { name: someone.name }).waitFor()
  await allLoaded(other)
  expect([await statusOf(portal, someone), await eventsOf(portal, someone, 'Paused')]).toEqual(['ACTIVE', 0])
  expect(await other.getByText(unsent).count()).toBe(0)
  await page.keyboard.press('Control+Enter')
  await said(page, `Paused ${someone.name}`)
  expect(await eventsOf(portal, someone, 'Paused')).toBe(1)
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
  await page.context().close()
})

test('[EMP-001] a reload of the sign-in keeps it: the form is open again after the sign-in, and says so', async () => {
  const someone = await employee('ACTIVE')
  const page = await openAt(portal, someone, priya)
  await fillIn(page, 'Reloaded')
  await whenSent(page, endSessions)
  await page.keyboard.press('Control+Enter')
  await page.getByText('Your last change was not sent.', { exact: false }).waitFor()
  await page.reload()
  await signIn(portal, page, priya)
  await inField(page, 'Reason')
  expect(await page.getByLabel('Reason').inputValue()).toBe('Reloaded')
  await page.getByRole('alert').filter({ hasText: unsent }).waitFor()
  expect(await eventsOf(portal, someone, 'Paused')).toBe(0)
  await page.context().close()
})

test('another person who signs in sends and sees nothing of it', async () => {
  const someone = await employee('ACTIVE')
  const page = await openAt(portal, someone, priya)
  await fillIn(page, 'Of another')
  await whenSent(page, endSessions)
  await page.keyboard.press('Control+Enter')
  await page.getByText('Your last change was not sent.', { exact: false }).waitFor()
  await page.reload()
  await signIn(portal, page, 'tom.berg@example.com')
  await page.getByRole('heading', { name: someone.name }).waitFor()
  await allLoaded(page)
  expect(await page.getByRole('dialog').count()).toBe(0)
  expect(await page.getByText(unsent).count()).toBe(0)
  expect(await eventsOf(portal, someone, 'Paused')).toBe(0)
  await page.context().close()
})

test('a command without a form says after the sign-in that it was not done', async () => {
  const someone = await employee('ACTIVE')
  const page = await openAt(portal, someone, priya)
  await fillIn(page, 'To be taken back')
  await page.keyboard.press('Control+Enter')
  await said(page, `Paused ${someone.name}`)
  await whenSent(page, endSessions)
  await page.keyboard.press('Control+z')
  await page.getByText('Your last change was not sent.', { exact: false }).waitFor()
  await signIn(portal, page, priya)
  await page.getByText(`Not sent: Undo pause employee, ${someone.name}`).first().waitFor()
  expect(await statusOf(portal, someone)).toBe('PAUSED')
  await page.keyboard.press('Control+z')
  await expect.poll(() => statusOf(portal, someone)).toBe('ACTIVE')
  await page.context().close()
})

test('a note that was not sent is reported after the sign-in, and is still in its field', async () => {
  const someone = await employee('ACTIVE')
  const page = await openAt(portal, someone, priya)
  const written = page.locator('[data-region=drawer] textarea')
  await page.locator('[data-region=detail]:focus').waitFor()
  await page.keyboard.press('n')
  await page.keyboard.type('Payroll confirms the rate.')
  await expect.poll(() => written.inputValue()).toBe('Payroll confirms the rate.')
  await whenSent(page, endSessions)
  await page.keyboard.press('Control+Enter')
  await page.getByText('Your last change was not sent.', { exact: false }).waitFor()
  await signIn(portal, page, priya)
  await page.getByText(`Not sent: Add employee note, ${someone.name}`).first().waitFor()
  await page.getByText('Your session had ended. What you typed is still in its form.').first().waitFor()
  await expect.poll(() => written.inputValue()).toBe('Payroll confirms the rate.')
  await page.context().close()
})

test('[EMP-001] a lost answer, then an ended session: the sign-in says so; the same person retries once', async () => {
  const someone = await employee('ACTIVE')
  const page = await openAt(portal, someone, priya)
  const keys: string[] = []
  let gone = false
  await onChange(page, someone, async (route) => {
    keys.push(route.request().headers()['idempotency-key'] ?? '')
    if (gone) return route.continue()
    await route.fetch()
    await endSessions()
    gone = true
    await route.abort('connectionreset')
  })
  await fillIn(page, 'Lost and late')
  await page.keyboard.press('Control+Enter')
  await page
    .getByText('Your last change is not confirmed: it may have gone through. It is sent again once you have signed in', {
      exact: false,
    })
    .waitFor()
  expect(await statusOf(portal, someone)).toBe('PAUSED')
  await signIn(portal, page, priya)
  await said(page, `Paused ${someone.name}`)
  expect(new Set(keys).size).toBe(1)
  expect(await eventsOf(portal, someone, 'Paused')).toBe(1)
  // Its form is closed: it does not report that the employee is already paused.
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
  expect(await page.evaluate(() => localStorage.getItem('admin-portal.pending'))).toBeNull()
  await page.context().close()
})

test('[EMP-001] no attempt arrived before the session ended: it continues after sign-in, and can be undone', async () => {
  const someone = await employee('ACTIVE')
  const page = await openAt(portal, someone, priya)
  let gone = false
  await onChange(page, someone, async (route) => {
    if (gone) return route.continue()
    await endSessions()
    gone = true
    await route.abort('connectionreset')
  })
  await fillIn(page, 'Signed out')
  await page.getByText('Can be undone for 10 minutes.').waitFor()
  await page.keyboard.press('Control+Enter')
  await page.getByText('it may have gone through.', { exact: false }).waitFor()
  expect(await statusOf(portal, someone)).toBe('ACTIVE')
  await signIn(portal, page, priya)
  await said(page, `Paused ${someone.name}`)
  expect(await eventsOf(portal, someone, 'Paused')).toBe(1)
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
  await page.getByRole('button', { name: /^Undo/ }).waitFor()
  await page.keyboard.press('Control+z')
  await expect.poll(() => statusOf(portal, someone)).toBe('ACTIVE')
  await page.context().close()
})
