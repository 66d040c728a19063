import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { axeViolations, openSignedIn, type Portal, problemsOf, routed, shot, startPortal } from '#tests/e2e/support.ts'

let portal: Portal
let page: Page

beforeAll(async () => {
  portal = await startPortal()
  page = await openSignedIn(portal, undefined, { path: '/employees', width: 1440, height: 900 })
  page.setDefaultTimeout(20_000)
})
afterAll(() => portal?.stop())

/** Sends a call as the page would; returns the id of what it creates. */
const post = (path: string, command: string, body: object) =>
  page.evaluate(
    async ([at, named, sent]) => {
      const headers = {
        authorization: `Bearer ${localStorage.getItem('admin-portal.token')}`,
        'application-key': localStorage.getItem('admin-portal.application-key') ?? '',
        'application-name': 'ADMIN_PORTAL',
        'content-type': 'application/json',
        command: named,
        'idempotency-key': crypto.randomUUID(),
      }
      const answer = await fetch(at, { method: 'POST', headers, body: JSON.stringify(sent) })
      return ((await answer.json()) as { id: number | string }).id
    },
    [path, command, body] as const,
  )
const uploadUnmapped = async (name: string) => {
  const { id } = await portal.db
    .selectFrom('employers')
    .select('id')
    .where('status', '=', 'ACTIVE')
    .orderBy('id')
    .executeTakeFirstOrThrow()
  const content = Buffer.from('Code,Name\nA1,Mia Torres\n').toString('base64')
  return Number(await post('/api/imports', 'import.upload', { employer_id: id, file: { name, content } }))
}
const row = (text: string) => page.locator('[data-line]').filter({ hasText: text })
const unreadInBar = () => page.locator('.frame-bar').getByRole('button', { name: /^\d+ notices?/ })

test('an upload that failed is a notice, found, read and opened by keys alone', async () => {
  const id = await uploadUnmapped('unmapped_notice_ee.csv')
  await expect
    .poll(async () => (await portal.db.selectFrom('imports').select('status').where('id', '=', id).executeTakeFirst())?.status)
    .toBe('FAIL')
  await page.getByRole('grid').focus()
  await page.keyboard.press('g')
  await page.keyboard.press('n')
  await row('unmapped_notice_ee.csv was not imported').waitFor()
  await unreadInBar().waitFor()
  await expect.poll(() => page.evaluate(() => document.activeElement?.hasAttribute('data-line'))).toBe(true)
  await shot(page, 'notices-light')
  expect(await axeViolations(page)).toEqual([])
  // Decisions of others come first: from the last one, `k` goes up.
  await page.keyboard.press('Home')
  for (let steps = 0; steps < 5; steps++) {
    if (await row('unmapped_notice_ee.csv').evaluate((one) => one === document.activeElement)) break
    await page.keyboard.press('j')
  }
  await page.keyboard.press('Space')
  await expect.poll(() => row('unmapped_notice_ee.csv').innerText()).not.toContain('Unread')
  await page.keyboard.press('Enter')
  await page.locator('[data-region=detail]').getByRole('heading', { name: 'unmapped_notice_ee.csv' }).waitFor()
  expect(new URL(page.url()).pathname).toBe(`/imports/${id}`)
  await page.goBack()
  await row('unmapped_notice_ee.csv').waitFor()
  await page.keyboard.press('Shift+R')
  await unreadInBar().waitFor({ state: 'detached' })
  await page.reload()
  await page.getByText('All read').waitFor()
  expect(problemsOf(page)).toEqual([])
})

test('a read that fails leaves the notices and says so; the next one removes that', async () => {
  await routed(page, '**/api/runs', (route) => route.fulfill({ status: 500, body: '{}' }))
  await page.keyboard.press('r')
  await page.getByText('Some notices could not be refreshed.').waitFor()
  expect(await row('unmapped_notice_ee.csv').count()).toBe(1)
  await page.unroute('**/api/runs')
  await page.keyboard.press('r')
  await page.getByText('Some notices could not be refreshed.').waitFor({ state: 'detached' })
})

test('the end of a batch run on the server is a notice, which opens its result over the page', async () => {
  const rows = await portal.db.selectFrom('employees').select(['id', 'status']).orderBy('id').execute()
  const ids = ['ACTIVE', 'ACTIVE', 'TERMINATED'].map((status) => {
    const at = rows.findIndex((one) => one.status === status)
    return rows.splice(at, 1)[0]?.id as number
  })
  const intent = { intent: 'employee.pause', command: 'employee.pause', body: { status: 'PAUSED', reason: 'Payroll stopped' } }
  const id = String(await post('/api/runs', 'employee.pause', { ...intent, targets: { ids } }))
  await expect
    .poll(async () => (await portal.db.selectFrom('runs').select('state').where('id', '=', id).executeTakeFirst())?.state)
    .toBe('done')
  await page.keyboard.press('r')
  const ended = row('Pause employee: ended, not all done')
  await ended.waitFor()
  expect(await ended.innerText()).toContain('2 of 3 rows done, 1 refused')
  await ended.focus()
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').getByText('2 done, 0 failed, 1 refused').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await expect.poll(() => ended.evaluate((one) => one === document.activeElement)).toBe(true)
  expect(await ended.innerText()).not.toContain('Unread')
})
