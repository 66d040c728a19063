import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { drawn } from '#tests/e2e/drawn.ts'
import {
  axeViolations,
  evaluate,
  follow,
  offline,
  openPage,
  openSignedIn,
  type Portal,
  problemsOf,
  startPortal,
  visitList,
} from '#tests/e2e/support.ts'

let portal: Portal
let page: Page
beforeAll(async () => {
  portal = await startPortal()
  page = await openSignedIn(portal, undefined, { path: '/employees' })
  await page.getByRole('grid').waitFor()
})
afterAll(() => portal?.stop())

const seen = async (what: Locator) => {
  await what.first().waitFor()
  expect(await what.first().isVisible()).toBe(true)
}
const gone = async (what: Locator) => {
  await what.first().waitFor({ state: 'detached' })
  expect(await what.count()).toBe(0)
}
const focused = () =>
  page.evaluate(() => document.activeElement?.getAttribute('role') ?? document.activeElement?.tagName.toLowerCase() ?? '')
const grid = async () => {
  await page.getByRole('grid').focus()
}

describe('keys', () => {
  test('? opens the key map, and Escape returns the focus to the list', async () => {
    await grid()
    await page.keyboard.press('?')
    await seen(page.getByRole('heading', { name: 'Keys' }))
    const map = page.getByRole('dialog', { name: 'Keys' })
    await seen(map.getByText('Pause or resume'))
    // It starts with the current scope: its heading is visible, even where it is longer than the screen.
    const head = page.getByRole('heading', { name: 'Keys' })
    expect(await head.evaluate((one) => one.getBoundingClientRect().top)).toBeGreaterThanOrEqual(0)
    await page.keyboard.type('pause')
    await gone(map.getByText('Extend the selection'))
    expect(await map.locator('dd').allInnerTexts()).toEqual(['Pause or resume'])
    await page.keyboard.press('Escape')
    await gone(page.getByRole('heading', { name: 'Keys' }))
    await expect.poll(focused).toBe('grid')
  })

  test('the key map fits into 800 by 600, and the keys scroll below the search', async () => {
    await page.setViewportSize({ width: 800, height: 600 })
    await grid()
    await page.keyboard.press('?')
    const map = page.getByRole('dialog', { name: 'Keys' })
    await seen(map.getByText('Everywhere'))
    const panel = await map.locator('.sheet').boundingBox()
    expect(panel && [panel.x >= 0, panel.y >= 0, panel.x + panel.width <= 800, panel.y + panel.height <= 600]).toEqual(
      Array(4).fill(true),
    )
    const top = () => map.getByRole('region', { name: 'All keys' }).evaluate((one) => one.scrollTop)
    await page.keyboard.press('PageDown')
    await expect.poll(top).toBeGreaterThan(200)
    await page.keyboard.press('Escape')
    await page.setViewportSize({ width: 1280, height: 800 })
  })

  test('a sequence shows its continuations after a moment, and expires after a second', async () => {
    await grid()
    await page.keyboard.press('g')
    const overlay = page.getByRole('status', { name: 'Next keys' })
    await seen(overlay.getByText('Open employees'))
    await gone(overlay)
    await page.keyboard.press('e')
    expect(new URL(page.url()).pathname).toBe('/employees')
  })

  test('g e goes to the employees without filters, and shows no hint when typed fast', async () => {
    await page.goto('/employees?q=ann')
    await page.getByRole('grid').waitFor()
    await grid()
    await page.keyboard.press('g')
    await page.keyboard.press('e')
    await expect.poll(() => new URL(page.url()).search).toBe('')
    expect(await page.getByRole('status', { name: 'Next keys' }).count()).toBe(0)
  })

  test.each(['Enter', 'the mouse'])('a page of the rail, opened by %s, has the focus', async (by) => {
    await visitList(page, '/employees')
    const link = page.getByRole('link', { name: /^Invoices/ })
    if (by === 'Enter') await link.press('Enter')
    else await link.click()
    await page.locator('[role=grid][aria-label=Invoices]:focus').waitFor()
    await page.keyboard.press('p')
    await seen(page.getByRole('dialog', { name: 'Add repayment' }))
    await page.keyboard.press('Escape')
  })

  test('a row key is not lost while rows and commands of a list are loading', async () => {
    await page.goto('/employees')
    await page.locator('[role=grid]:focus').waitFor()
    // The palette includes everything that all lists need, without the commands of other nouns.
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').waitFor()
    await page.keyboard.press('Escape')
    await page.locator('[role=grid]:focus').waitFor()
    await page.route('**/api/invoices?*', async (route) => {
      await new Promise((go) => setTimeout(go, 300))
      await route.continue()
    })
    await page.keyboard.press('g')
    await page.keyboard.press('i')
    await page.locator('[role=grid][aria-label=Invoices]:focus').waitFor()
    await page.keyboard.press('p')
    await seen(page.getByRole('dialog', { name: 'Add repayment' }))
    await page.keyboard.press('Escape')
    // Also for a list that is read again meanwhile.
    await page.unrouteAll({ behavior: 'wait' })
  })

  test('Forward gives a record the focus, and Back gives it to the list', async () => {
    await visitList(page, '/employees')
    await page.keyboard.press('Enter')
    const record = page.locator('[data-region=detail]:focus')
    await record.waitFor()
    await page.goBack()
    await page.locator('[role=grid]:focus').waitFor()
    await page.goForward()
    await record.waitFor()
    // In the record, j opens the next one, which keeps the focus.
    const name = await record.getAttribute('aria-label')
    await page.keyboard.press('j')
    await expect.poll(() => record.getAttribute('aria-label')).not.toBe(name)
    await visitList(page, '/employees')
  })

  test('a wrong second key is swallowed', async () => {
    await grid()
    await page.keyboard.press('g')
    await page.keyboard.press('?')
    await drawn(page)
    expect(await page.getByRole('heading', { name: 'Keys' }).count()).toBe(0)
  })

  test('Mod+K works inside a text field; letters and undo keep their meaning there', async () => {
    const search = page.getByPlaceholder(/search/i).first()
    await search.click()
    await page.keyboard.type('p?y')
    expect(await search.inputValue()).toBe('p?y')
    expect(await page.getByRole('dialog').count()).toBe(0)
    await page.keyboard.press('Control+k')
    await seen(page.getByRole('combobox'))
    await page.keyboard.press('Escape')
    await gone(page.getByRole('dialog'))
    // A search that ends later would be another test's.
    await page.waitForURL(/[?&]q=/)
    await search.fill('')
    await page.waitForURL((url) => !url.searchParams.has('q'))
  })

  test('a, Shift+F10 and the menu key open the actions of the row', async () => {
    for (const key of ['a', 'Shift+F10', 'ContextMenu']) {
      await grid()
      await page.keyboard.press(key)
      await seen(page.getByText('On this employee'))
      await page.keyboard.press('Escape')
      await gone(page.getByRole('dialog'))
    }
  })

  test('keys of an active input method are ignored', async () => {
    await grid()
    await evaluate(
      page,
      `document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: '?', isComposing: true, bubbles: true, cancelable: true }))`,
    )
    await drawn(page)
    expect(await page.getByRole('heading', { name: 'Keys' }).count()).toBe(0)
  })

  test('single-letter keys can be switched off, also after a reload', async () => {
    await evaluate(page, `localStorage.setItem('admin-portal.letter-keys', 'false')`)
    await page.reload()
    await page.getByRole('grid').waitFor()
    await grid()
    await page.keyboard.press('?')
    await drawn(page)
    expect(await page.getByRole('heading', { name: 'Keys' }).count()).toBe(0)
    expect(await page.locator('footer').textContent()).not.toContain('actions')
    await evaluate(page, `localStorage.removeItem('admin-portal.letter-keys')`)
    await page.reload()
    await page.getByRole('grid').waitFor()
  })

  test('Tab moves between regions, one stop each; arrows move within', async () => {
    // The rail comes before the list, which takes the focus once loaded.
    await page.getByRole('grid').waitFor()
    await page.getByRole('navigation').getByRole('link').first().focus()
    await page.keyboard.press('Shift+Tab')
    expect(await page.evaluate(() => document.activeElement?.closest('header') !== null)).toBe(true)
    await page.keyboard.press('ArrowRight')
    expect(await page.evaluate(() => document.activeElement?.closest('header') !== null)).toBe(true)
    await page.keyboard.press('Tab')
    expect(await page.evaluate(() => document.activeElement?.closest('nav') !== null)).toBe(true)
    await page.keyboard.press('Tab')
    expect(await page.evaluate(() => document.activeElement?.closest('main') !== null)).toBe(true)
  })

  test('the first stop of the page is a link to the list', async () => {
    await page.reload()
    await page.getByRole('grid').waitFor()
    await page.getByRole('button', { name: 'Skip to the list' }).focus()
    await page.keyboard.press('Enter')
    expect(await focused()).toBe('grid')
  })
})

describe('the frame', () => {
  test('the status bar shows the keys for the current focus', async () => {
    await grid()
    await page.keyboard.press('Control+Home')
    await expect.poll(() => page.locator('footer').textContent()).toMatch(/open.*pause|open.*resume|open.*peek/)
    await expect.poll(() => page.locator('footer').textContent()).toMatch(/row 1 of 2,000/)
    await page
      .getByPlaceholder(/search/i)
      .first()
      .focus()
    await expect.poll(() => page.locator('footer').textContent()).toMatch(/anything/)
  })

  test('a lost network is reported at once, and so is its return', async () => {
    await offline(page, true)
    await seen(page.locator('footer').getByText('No connection.'))
    await offline(page, false)
    await gone(page.locator('footer').getByText('No connection.'))
  })

  test('an unknown address offers a way back', async () => {
    await page.goto('/nowhere')
    await seen(page.getByRole('heading', { name: 'There is no such page' }))
    await page.getByRole('link', { name: 'Go to dashboard' }).press('Enter')
    await seen(page.getByRole('heading', { name: 'Today', exact: true }))
    await follow(page, '/employees')
    await seen(page.getByRole('grid'))
  })

  test('the theme is changed in the menu of the person, and applied before later first paints', async () => {
    // A menu that is opened before its code has loaded opens, too.
    await page.reload()
    await page.getByRole('button', { name: /menu/ }).click()
    await page.getByRole('menuitem', { name: 'Switch theme' }).press('Enter')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    await evaluate(page, `localStorage.setItem('theme', 'dark')`)
    await page.reload()
    expect(await page.evaluate(() => document.documentElement.dataset['theme'])).toBe('dark')
    await evaluate(page, `localStorage.removeItem('theme')`)
    await page.reload()
    await page.getByRole('grid').waitFor()
  })

  test('the title names the page', async () => {
    await expect.poll(() => page.title()).toBe('Employees - Admin Portal')
  })
})

describe('on failures', () => {
  test('[SCR-074] an unreachable server is reported, and the portal recovers by itself', async () => {
    const away = await openPage(portal)
    await away.route('**/config.json', (route) => route.fulfill({ status: 503, body: '' }))
    await away.reload()
    await seen(away.getByRole('heading', { name: "We're making some improvements" }))
    expect(await axeViolations(away)).toEqual([])
    await away.unroute('**/config.json')
    await seen(away.getByRole('heading', { name: 'Sign in' }))
    await away.context().close()
  })

  test('[SCR-076] a record that fails to load offers Reload, which loads it', async () => {
    // A list without the record: a cached row would be shown without a read.
    const id = (await portal.db.selectFrom('employees').select('id').orderBy('id', 'desc').limit(1).executeTakeFirstOrThrow()).id
    await page.route(`**/api/employees/${id}*`, (route) => route.abort())
    await page.goto(`/employees/${id}?q=nobodyiscalledthis`)
    const reload = page.getByRole('alertdialog').getByRole('button', { name: 'Reload' })
    await seen(reload)
    expect(await axeViolations(page, '[role=alertdialog]')).toEqual([])
    await page.unroute(`**/api/employees/${id}*`)
    await reload.press('Enter')
    await gone(page.getByRole('alertdialog'))
    await seen(page.locator('[data-region="detail"]').getByRole('heading'))
  })

  test('[SCR-076] and Back, which goes back', async () => {
    await page.goto('/employees')
    await page.getByRole('grid').waitFor()
    await page.route('**/api/employees/999999999*', (route) => route.abort())
    await page.goto('/employees/999999999')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Back' }).press('Enter')
    await gone(page.getByRole('alertdialog'))
    await expect.poll(() => new URL(page.url()).pathname).toBe('/employees')
    await page.unroute('**/api/employees/999999999*')
  })
})

describe('accessibility', () => {
  test.each(['light', 'dark'] as const)(
    'the frame, its menu and its key map have no accessibility violation in %s',
    async (theme) => {
      await page.emulateMedia({ colorScheme: theme })
      await follow(page, '/employees')
      await page.getByRole('grid').waitFor()
      expect(await axeViolations(page, 'header, nav, footer')).toEqual([])
      await page.getByRole('button', { name: /menu/ }).click()
      await page.getByRole('menuitem').first().waitFor()
      expect(await axeViolations(page, '[role=menu]')).toEqual([])
      await page.keyboard.press('Escape')
      await grid()
      await page.keyboard.press('?')
      await page.getByRole('heading', { name: 'Keys' }).waitFor()
      expect(await axeViolations(page, '[role=dialog]')).toEqual([])
      await page.keyboard.press('Escape')
    },
  )

  test('at 1024 by 768, and at 200 percent of it, nothing is wider than the window', async () => {
    for (const [width, height] of [
      [1024, 768],
      [512, 384],
    ] as const) {
      await page.setViewportSize({ width, height })
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
      expect(await page.getByRole('button', { name: /menu/ }).isVisible()).toBe(true)
    }
    await page.setViewportSize({ width: 1280, height: 800 })
  })

  test('the whole session violated no policy of the page', () => {
    expect(problemsOf(page)).toEqual([])
  })
})
