import type { Page, Route } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inField } from '#tests/e2e/at-work.ts'
import {
  axeViolations,
  closeAll,
  evaluate,
  openSignedIn,
  type Portal,
  problemsOf,
  sharePortal,
  shot,
} from '#tests/e2e/support.ts'

let portal: Portal
/** Priya may share, Tom is in payroll. */
let priya: Page
let tom: Page

const filter = 'company_type=contains&company_value=SHARED'
const view = (page: Page, name: string) => page.getByRole('group', { name: 'Views' }).getByRole('button', { name })
/** As if the person came back to the tab. */
const comeBack = (page: Page) => evaluate(page, `dispatchEvent(new Event('focus'))`)
/** Comes back until a view is in the header, or is not: a tab that the browser counts as hidden reads nothing. */
const comesBackTo = (page: Page, name: string, count: number) =>
  expect
    .poll(async () => {
      await comeBack(page)
      return view(page, name).count()
    })
    .toBe(count)
async function start(page: Page, words: string, title: string): Promise<void> {
  await page.keyboard.press('Control+k')
  await page.keyboard.type(words)
  await expect.poll(() => page.getByRole('option', { name: title }).first().getAttribute('aria-selected')).toBe('true')
  await page.keyboard.press('Enter')
}

beforeAll(async () => {
  portal = await sharePortal()
  priya = await openSignedIn(portal, undefined, { path: `/invoices?${filter}` })
  tom = await openSignedIn(portal, 'tom.berg@example.com', { path: '/invoices' })
})
afterAll(async () => {
  await portal?.db.deleteFrom('shared_views').execute()
  for (const page of [priya, tom]) await page?.context().close()
  await portal?.stop()
})

describe('a shared view', () => {
  test('is shared with a group, and opened by its members from the header and by its name', async () => {
    await start(priya, 'share this view', 'Share this view')
    await inField(priya, 'Name')
    await priya.keyboard.type('overdue')
    await priya.keyboard.press('Tab')
    await priya.getByRole('listbox', { name: 'Share with' }).and(priya.locator(':focus')).waitFor()
    await priya.keyboard.type('payroll')
    await priya.keyboard.press('Space')
    await priya.keyboard.press('Control+Enter')
    await priya.getByText('There is a view of this name already.').first().waitFor()
    await priya.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Shared invoices')
    await shot(priya, 'share-view')
    expect(await axeViolations(priya)).toEqual([])
    await priya.keyboard.press('Control+Enter')
    await expect.poll(() => view(priya, 'Shared invoices').getAttribute('aria-pressed')).toBe('true')
    await comeBack(tom)
    await view(tom, 'Shared invoices').waitFor()
    expect(await view(tom, 'Shared invoices').getAttribute('title')).toMatch(/^Shared with payroll by .?Priya Raman/)
    await view(tom, 'Shared invoices').click()
    await expect.poll(() => new URL(tom.url()).search).toBe(`?${filter}`)
    await shot(tom, 'shared-view')
    expect(await axeViolations(tom)).toEqual([])
    await tom.keyboard.press('Control+k')
    await tom.keyboard.type('shared invo')
    await tom.getByRole('option', { name: /Show invoices: Shared invoices/ }).waitFor()
    await closeAll(tom)
  })

  test('is changed only by people who may share', async () => {
    await tom.keyboard.press('Control+k')
    await tom.keyboard.type('change a shared view')
    const locked = tom.getByRole('option', { name: /^Change a shared view/ }).first()
    await expect.poll(() => locked.innerText()).toContain('It needs the right to share views.')
    await closeAll(tom)
  })

  test('is renamed after a look at the change of somebody else', async () => {
    await start(priya, 'change a shared view', 'Change a shared view')
    const name = priya.getByRole('dialog').getByRole('textbox', { name: 'New name' })
    await name.fill('Invoices of the team')
    await priya.getByRole('dialog').getByRole('table').getByText('Invoices of the team').waitFor()
    await portal.db
      .updateTable('shared_views')
      .set({ shared_with: ['PAYROLL', 'HUMAN_RESOURCES'], version: 2 })
      .execute()
    // The message waits for the view as it is now: otherwise the next try would send the old version again.
    const slowly = async (route: Route) => {
      if (route.request().method() === 'GET') await new Promise((resolve) => setTimeout(resolve, 700))
      await route.continue()
    }
    await priya.route(/shared-views/, slowly)
    await priya.keyboard.press('Control+Enter')
    await priya.getByText('This was changed in the meantime. Look at it as it is now, then try again.').first().waitFor()
    await shot(priya, 'shared-view-conflict')
    await priya.keyboard.press('Control+Enter')
    await view(priya, 'Invoices of the team').waitFor()
    await priya.unroute(/shared-views/, slowly)
    await comesBackTo(tom, 'Invoices of the team', 1)
    expect(await view(tom, 'Invoices of the team').getAttribute('title')).toMatch(/^Shared with payroll and human resources by/)
  })

  test('keeps its filters where it is open when it is no longer shared', async () => {
    await start(priya, 'stop sharing a view', 'Stop sharing a view')
    await priya.getByRole('dialog').getByText('Invoices of the team').first().waitFor()
    await priya.keyboard.press('Control+Enter')
    await view(priya, 'Invoices of the team').waitFor({ state: 'detached' })
    await comesBackTo(tom, 'Invoices of the team', 0)
    expect(new URL(tom.url()).search).toBe(`?${filter}`)
    expect([...problemsOf(priya), ...problemsOf(tom)]).toEqual([])
  })
})
