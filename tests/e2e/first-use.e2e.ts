import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { employeesOf, type Someone, statusOf } from '#tests/e2e/at-work.ts'
import {
  axeViolations,
  closeAll,
  follow,
  loadList,
  openSignedIn,
  type Portal,
  problemsOf,
  sharePortal,
  visitList,
} from '#tests/e2e/support.ts'

let portal: Portal
beforeAll(async () => {
  portal = await sharePortal()
})
afterAll(() => portal?.stop())

async function opened(path: string, size: { width: number; height: number } = { width: 1280, height: 800 }): Promise<Page> {
  const page = await openSignedIn(portal, undefined, { path, ...size })
  page.setDefaultTimeout(20_000)
  return page
}

const palette = (page: Page) => page.getByRole('dialog', { name: 'Command palette' })
const groupOf = (page: Page, title: string) => palette(page).getByRole('group', { name: title })
const highlighted = (page: Page) => page.locator('[role=option][aria-selected=true]')

/** The requests of a page that could change something from now on. */
function changesOf(page: Page): readonly string[] {
  const found: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/api/') && !['GET', 'HEAD'].includes(request.method())) found.push(`${request.method()} ${pathname}`)
  })
  return found
}

describe('somebody new', () => {
  test('gets examples of their own data, and each of them finds what it says', async () => {
    const page = await opened('/dashboard')
    const changes = changesOf(page)
    await page.getByRole('heading', { name: 'Today', exact: true }).waitFor()
    await page.keyboard.press('Control+k')
    const examples = groupOf(page, 'Examples').getByRole('option')
    await examples.first().waitFor()
    expect(await axeViolations(page)).toEqual([])
    const texts = await examples.evaluateAll((rows) => rows.map((row) => row.querySelector('span')?.textContent ?? ''))
    expect(texts).toEqual([
      'Take the tour',
      expect.stringMatching(/^\d+$/),
      expect.any(String),
      expect.stringMatching(/ employees$/),
      '?',
    ])
    for (const text of texts.slice(1)) {
      // The highlight is still on the example before.
      await page.keyboard.press('ArrowDown')
      await highlighted(page)
        .filter({ has: page.getByText(text, { exact: true }) })
        .waitFor()
      await page.keyboard.press('Enter')
      expect(await page.getByRole('combobox').inputValue()).toBe(text)
      await highlighted(page).waitFor()
      await page.keyboard.press('Escape')
      await examples.first().waitFor()
    }
    expect(changes).toEqual([])
    expect(problemsOf(page)).toEqual([])
  })

  test('sees places last, and no row moves while the palette is open', async () => {
    const page = await opened('/employees')
    await page.locator('[role=grid]:focus').waitFor()
    await page.keyboard.press('Control+k')
    const groups = palette(page).getByRole('group')
    await groupOf(page, 'Examples').waitFor()
    // A note may still be replaced by the reason why the server would refuse a command.
    const titles = () =>
      palette(page)
        .getByRole('option')
        .evaluateAll((rows) => rows.map((row) => row.querySelector('span')?.textContent))
    const before = await titles()
    await page.evaluate(() => new Promise((done) => requestIdleCallback(done)))
    await page.waitForLoadState('networkidle')
    expect(await titles()).toEqual(before)
    expect(await groups.first().getAttribute('aria-labelledby')).toBeTruthy()
    expect(before.length).toBeLessThanOrEqual(12)
  })
})

describe('favourites', () => {
  let page: Page
  let someone: Someone
  const toast = (text: string) => page.getByRole('region', { name: 'Messages' }).getByText(text).first().waitFor()
  const favourites = () => page.getByRole('listbox', { name: /^Favourites/ })
  const names = () => favourites().getByRole('option').allInnerTexts()

  beforeAll(async () => {
    someone = await employeesOf(portal)('ACTIVE')
    page = await opened('/employees')
  })

  test('a record, a view and a command are added by one shortcut, and listed in the empty palette', async () => {
    await follow(page, `/employees/${someone.id}`)
    await page.locator('[data-region=detail]:focus-within .facts').first().waitFor()
    await page.keyboard.press('Control+Shift+F')
    await toast(`Added to favourites: ${someone.name}`)
    await visitList(page, '/employees')
    await page.keyboard.press('g')
    await page.keyboard.press('i')
    await page.waitForURL(/\/invoices\?status_type=is_not/)
    await page.locator('[role=grid]:focus').waitFor()
    await page.keyboard.press('Control+Shift+F')
    await toast('Added to favourites: Show invoices: Open')
    await page.keyboard.press('Control+k')
    await page.keyboard.type('switch theme')
    await highlighted(page).filter({ hasText: 'Switch theme' }).waitFor()
    await page.keyboard.press('Control+Shift+F')
    await toast('Added to favourites: Switch theme')
    await closeAll(page)
    await page.keyboard.press('Control+k')
    await groupOf(page, 'Favourites').waitFor()
    const rows = groupOf(page, 'Favourites').getByRole('option')
    expect(await rows.evaluateAll((all) => all.map((row) => row.querySelector('span')?.textContent))).toEqual([
      someone.name,
      'Show invoices: Open',
      'Switch theme',
    ])
    expect(await axeViolations(page)).toEqual([])
    await closeAll(page)
  })

  test('their page moves, removes and opens them, and gives one a shortcut that outlives a reload', async () => {
    await visitList(page, '/employees')
    await page.keyboard.press('g')
    await page.keyboard.press('v')
    await favourites().waitFor()
    await page.keyboard.press('Shift+ArrowDown')
    expect((await names()).map((name) => name.split('\n')[0])).toEqual(['Show invoices: Open', someone.name, 'Switch theme'])
    expect(await axeViolations(page)).toEqual([])
    await page.keyboard.press('s')
    await page.getByRole('textbox', { name: 'New keys' }).waitFor()
    await page.keyboard.press('b')
    await page.getByText('These keys are free.').waitFor()
    await page.keyboard.press('Enter')
    await toast('has a new shortcut')
    await loadList(page, '/employees')
    await page.keyboard.press('b')
    await page.waitForURL(new RegExp(`/employees/${someone.id}$`))
    await page.locator('[data-region=detail]:focus-within .facts').first().waitFor()
    await page.keyboard.press('Control+Shift+F')
    await toast(`Removed from favourites: ${someone.name}`)
    await page.keyboard.press('g')
    await page.keyboard.press('v')
    await favourites().waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Delete')
    await toast('Removed from favourites: Switch theme')
    await expect.poll(names).toEqual([expect.stringContaining('Show invoices: Open')])
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/invoices\?status_type=is_not/)
    expect(problemsOf(page)).toEqual([])
  })

  test('a filtered list says that its view has to be saved first', async () => {
    await visitList(page, '/employees?status_type=is&status_value=PAUSED')
    await page.keyboard.press('Control+Shift+F')
    await toast('Save this view first.')
    expect(problemsOf(page)).toEqual([])
  })
})

describe('the tour', () => {
  const strip = (page: Page) => page.getByRole('complementary', { name: 'Tour' })
  const step = (page: Page, name: RegExp) => strip(page).getByRole('heading', { name }).waitFor()

  async function started(size?: { width: number; height: number }): Promise<Page> {
    const page = await opened('/employees', size)
    await page.locator('[role=grid]:focus').waitFor()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('take the tour')
    await highlighted(page).filter({ hasText: 'Take the tour' }).waitFor()
    await page.keyboard.press('Enter')
    await step(page, /^Open the palette/)
    return page
  }

  test('is done by the real keys at 1024 by 768, over a reload, and changes nothing', async () => {
    const page = await started({ width: 1024, height: 768 })
    const changes = changesOf(page)
    expect(await axeViolations(page)).toEqual([])
    await page.keyboard.press('Control+k')
    await step(page, /^Jump to employee/)
    const id = (await strip(page).locator('code').innerText()).trim()
    const [above, below] = [await palette(page).boundingBox(), await strip(page).boundingBox()]
    expect((above?.y ?? 0) + (above?.height ?? 0)).toBeLessThanOrEqual(below?.y ?? 0)
    expect(await axeViolations(page)).toEqual([])
    await page.keyboard.type(id)
    await highlighted(page).waitFor()
    await page.keyboard.press('Enter')
    await step(page, /^Move between/)
    await page.keyboard.press('F6')
    await step(page, /^Open the form/)
    const before = await statusOf(portal, { id: Number(id), name: '' })
    await page.reload()
    await step(page, /^Open the form/)
    await page.locator('[data-region=detail] .facts').first().waitFor()
    await page.keyboard.press(await strip(page).locator('kbd').first().innerText())
    await step(page, /^Leave the form/)
    await page.keyboard.press('Escape')
    await step(page, /^Filter the list/)
    await page.keyboard.press('/')
    await page.keyboard.type((await strip(page).locator('code').innerText()).trim())
    await highlighted(page).waitFor()
    await page.keyboard.press('Enter')
    await step(page, /^See the keys/)
    await page.keyboard.press('?')
    await page.getByRole('textbox', { name: 'Search the keys' }).waitFor()
    await page.keyboard.press('Escape')
    await step(page, /^That was the tour/)
    await page.keyboard.press('Escape')
    await strip(page).waitFor({ state: 'detached' })
    expect(await statusOf(portal, { id: Number(id), name: '' })).toBe(before)
    expect(changes).toEqual([])
    expect(problemsOf(page)).toEqual([])
  })

  test('Escape leaves it at a step, after the palette that is open, and it can be taken again', async () => {
    const page = await started()
    await page.keyboard.press('Control+k')
    await step(page, /^Jump to/)
    await page.keyboard.press('Escape')
    await palette(page).waitFor({ state: 'hidden' })
    await step(page, /^Jump to/)
    await page.keyboard.press('Escape')
    await strip(page).waitFor({ state: 'detached' })
    await page.locator('[role=grid]:focus').waitFor()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('take the tour')
    await highlighted(page).filter({ hasText: 'Take the tour' }).waitFor()
    await page.keyboard.press('Enter')
    await step(page, /^Open the palette/)
    expect(problemsOf(page)).toEqual([])
  })
})
