import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { run } from '#tests/e2e/at-work.ts'
import { protocolOf } from '#tests/e2e/profiles.ts'
import { axeViolations, closeAll, follow, openSignedIn, type Portal, sharePortal } from '#tests/e2e/support.ts'

let portal: Portal
let page: Page
beforeAll(async () => {
  portal = await sharePortal()
  page = await openSignedIn(portal, undefined, { path: '/employers', width: 1440, height: 900 })
})
afterAll(() => portal.stop())

const record = () => page.locator('[data-region=detail]')
const notes = async (text: string) => (await portal.db.selectFrom('notes').select('id').where('text', '=', text).execute()).length
/** The rows of boxes that its visible children are in. */
const rowsIn = (selector: string) =>
  page.locator(selector).evaluate((box) => {
    const parts = [...box.querySelectorAll('button')].filter((each) => each.checkVisibility())
    const { right } = box.getBoundingClientRect()
    return {
      rows: new Set(parts.map((each) => Math.floor(each.getBoundingClientRect().bottom / 16))).size,
      cut: parts.filter((each) => each.getBoundingClientRect().right > right + 1).length,
      shown: parts.length,
    }
  })

test('actions and tabs of a record are one row at every width, the rest is in a menu', async () => {
  await page.locator('[role=grid] [role=row][id]').first().waitFor()
  await page.keyboard.press('Enter')
  await record().and(page.locator(':focus')).waitFor()
  await page.getByRole('tab', { name: 'History', includeHidden: true }).waitFor({ state: 'attached' })
  for (const [width, height] of [
    [800, 600],
    [1024, 768],
    [1440, 900],
    [1920, 1080],
  ] as const) {
    await page.setViewportSize({ width, height })
    for (const row of ['.detail-tabs', '.detail-acts'])
      await expect.poll(() => rowsIn(row), { message: `${row} at ${width}` }).toMatchObject({ rows: 1, cut: 0 })
    expect(await page.getByRole('button', { name: 'All actions' }).isVisible()).toBe(true)
  }
  await page.setViewportSize({ width: 1024, height: 768 })
  await expect.poll(async () => (await rowsIn('.detail-tabs')).shown).toBeLessThan(11)
  // A tab that does not fit opens by its number, and is then shown in the row.
  expect(await page.getByRole('tab', { name: 'Timekeepings' }).count()).toBe(0)
  await page.keyboard.press('9')
  await page.getByRole('tab', { name: 'Timekeepings', selected: true }).waitFor()
  expect(await rowsIn('.detail-tabs')).toMatchObject({ rows: 1, cut: 0 })
})

test('the menu of further tabs is reached and used by keyboard', async () => {
  await page.keyboard.press('1')
  await page.getByRole('tab', { name: 'General', selected: true }).focus()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: 'History' }).waitFor()
  expect(await axeViolations(page, '[role=menu]')).toEqual([])
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await page.getByRole('tab', { name: 'History', selected: true }).waitFor()
  expect(new URL(page.url()).searchParams.get('tab')).toBe('history')
  await page.locator('[role=tab]:focus', { hasText: 'History' }).waitFor()
  // The arrows pass through all tabs, those in the menu too.
  await page.keyboard.press('ArrowLeft')
  await page.locator('[role=tab]:focus', { hasText: 'Onboarding' }).waitFor()
  expect(await axeViolations(page, '.detail')).toEqual([])
})

test('the browser tab is titled by the record', async () => {
  await follow(page, '/employees')
  await expect.poll(() => page.title()).toBe('Employees - Admin Portal')
  await page.locator('[role=grid] [role=row][id]').first().waitFor()
  await page.locator('[role=grid]').focus()
  await page.keyboard.press('Enter')
  const name = await record().locator('h2').innerText()
  await expect.poll(() => page.title()).toBe(`${name} - Employees - Admin Portal`)
})

test('with forced colours the open tab, the active row and the focused pane are drawn', async () => {
  await page.emulateMedia({ forcedColors: 'active' })
  const styleOf = (selector: string, name: string) =>
    page
      .locator(selector)
      .first()
      .evaluate((one, property) => getComputedStyle(one).getPropertyValue(property), name)
  await page.locator('[data-region=detail]').focus()
  expect(await styleOf('[role=tab][aria-selected=true]', 'border-bottom-width')).toBe('3px')
  expect(await styleOf('[role=tab][aria-selected=false]', 'border-bottom-width')).toBe('0px')
  expect(await styleOf('.detail', 'outline-style')).toBe('solid')
  expect(await styleOf('.grid-now', 'outline-style')).toBe('dashed')
  await page.keyboard.press('F6')
  await page.locator('[role=grid]:focus').waitFor()
  expect(await styleOf('.grid-now', 'outline-style')).toBe('solid')
  expect(await styleOf('.detail', 'outline-style')).toBe('none')
  await page.emulateMedia({ forcedColors: 'none' })
})

test('a screen reader hears the row at the cursor, with its words apart', async () => {
  const protocol = await protocolOf(page)
  const heard = async () => {
    const { nodes } = await protocol.send('Accessibility.getFullAXTree')
    const grid = nodes.find(({ role }) => role?.value === 'grid')
    const active = grid?.properties?.find(({ name }) => name === 'activedescendant')?.value.relatedNodes?.[0]
    return nodes.find(({ backendDOMNodeId }) => backendDOMNodeId === active?.backendDOMNodeId)
  }
  await follow(page, '/employees')
  await page.locator('[role=grid]').focus()
  const names = new Set<string>()
  for (let row = 0; row < 3; row++) {
    await page.keyboard.press('ArrowDown')
    const wordsNow = async () => (await page.locator('.grid-now').innerText()).split(/\s+/).filter(Boolean).join(' ')
    // Another row than before, and the one that is shown.
    const isHeard = async () => {
      const name = (await heard())?.name?.value as string
      return name === (await wordsNow()) && !names.has(name)
    }
    await expect.poll(isHeard).toBe(true)
    expect((await heard())?.role?.value).toBe('row')
    names.add(await wordsNow())
  }
  expect(names.size).toBe(3)
})

test('with single-key shortcuts switched off, no such key is shown or named anywhere', async () => {
  const plain = () =>
    page.evaluate(() => {
      const drawn = [...document.querySelectorAll('kbd')]
        .filter((one) => one.checkVisibility())
        .map((one) => one.innerText.trim())
      const named = [...document.querySelectorAll('[aria-keyshortcuts]')].map(
        (one) => one.getAttribute('aria-keyshortcuts') ?? '',
      )
      return [...drawn, ...named].filter((key) => /^(\S|1–9|g \S)$/.test(key) && !/^[↵↓↑←→⌫]$/.test(key))
    })
  await page.locator('[role=grid]').focus()
  await page.keyboard.press('Enter')
  await page.locator('.detail-acts kbd').first().waitFor()
  expect((await plain()).length).toBeGreaterThan(10)
  // As the command 'Single-key shortcuts' keeps it.
  await page.evaluate(() => localStorage.setItem('admin-portal.letter-keys', 'false'))
  await page.reload()
  await page.locator('.detail-acts .btn').first().waitFor()
  await expect.poll(plain).toEqual([])
  await page.keyboard.press('Control+k')
  await page.keyboard.type('show employee notes')
  await page.getByRole('option', { name: 'Show employee notes' }).waitFor()
  // The question mark is typed into the palette, where it always works.
  expect((await plain()).filter((key) => key !== '?')).toEqual([])
  await closeAll(page)
  await run(page, 'Show all keys')
  await page.getByRole('dialog', { name: 'Keys' }).getByText('Everywhere').waitFor()
  expect(await plain()).toEqual([])
  await page.keyboard.press('Escape')
  await page.evaluate(() => localStorage.removeItem('admin-portal.letter-keys'))
  await page.reload()
  await page.locator('.detail-acts kbd').first().waitFor()
  expect((await plain()).length).toBeGreaterThan(10)
})

test('the search box of the palette is as wide as what is typed, beside a long name and a count', async () => {
  await page.keyboard.press('Control+k')
  const box = page.getByRole('combobox', { name: 'Command palette' })
  await page.keyboard.type('overdue invoices of laurel parking 1 over 500 dollars')
  await page.getByRole('option').first().waitFor()
  const room = () => box.evaluate((one) => one.scrollWidth - one.clientWidth)
  await expect.poll(room).toBeLessThanOrEqual(0)
  await closeAll(page)
})

test('a note is added to all marked records, and undone', async () => {
  await follow(page, '/employees')
  await page.locator('[role=grid]').focus()
  await page.keyboard.press('Escape')
  for (const key of ['x', 'ArrowDown', 'x']) await page.keyboard.press(key)
  await run(page, 'Add employee note')
  await page.getByRole('dialog').getByText('2 employees').first().waitFor()
  await page.getByRole('textbox', { name: 'Note' }).fill('Called about the new card')
  const before = await notes('Called about the new card')
  await page.keyboard.press('Control+Enter')
  await page.getByText('2 done, 0 failed, 0 refused').first().waitFor()
  expect(await notes('Called about the new card')).toBe(before + 2)
  await page.keyboard.press('Control+z')
  await expect.poll(() => notes('Called about the new card')).toBe(before)
  await closeAll(page)
})

test('recent places lead back to a screen that was left, and Back to the previous one', async () => {
  await follow(page, '/write-offs')
  await page.getByRole('heading', { name: 'Write-offs' }).waitFor()
  await follow(page, '/repayments')
  await page.getByRole('heading', { name: 'Repayments', exact: true }).waitFor()
  await page.locator('[role=grid]').focus()
  await page.keyboard.press('g')
  await page.keyboard.press('b')
  const places = page.getByRole('listbox', { name: /^Recent places/ })
  await places.getByRole('option', { name: 'Write-offs' }).waitFor()
  expect(await places.getByRole('option').first().innerText()).toBe('Write-offs')
  expect(await places.getByRole('option', { name: 'Repayments' }).count()).toBe(0)
  expect(await axeViolations(page, '[role=dialog]')).toEqual([])
  await page.keyboard.press('Enter')
  await expect.poll(() => new URL(page.url()).pathname).toBe('/write-offs')
  await page.locator('[role=grid]:focus').waitFor()
  await run(page, 'Back to the previous screen')
  await expect.poll(() => new URL(page.url()).pathname).toBe('/repayments')
})

test('a recent place names its record only while it may be read', async () => {
  const [one] = (await portal.db.selectFrom('employees').select(['id', 'first_name', 'last_name']).limit(1).execute()) as [
    { id: number; first_name: string; last_name: string },
  ]
  const name = `${one.first_name} ${one.last_name}`
  await follow(page, `/employees/${one.id}`)
  await page.getByRole('heading', { name }).waitFor()
  await follow(page, '/write-offs')
  await page.getByRole('heading', { name: 'Write-offs' }).waitFor()
  const stored = () => page.evaluate(() => sessionStorage.getItem('admin-portal.places') ?? '')
  await expect.poll(stored).toContain(`/employees/${one.id}`)
  expect(await stored()).not.toContain(one.last_name)
  await page.locator('[role=grid]').focus()
  await page.keyboard.press('g')
  await page.keyboard.press('b')
  const places = page.getByRole('listbox', { name: /^Recent places/ })
  await places.getByRole('option', { name }).waitFor()
  await closeAll(page)
  // After a reload nothing is known about the employee until it is read again.
  await page.reload()
  await page.getByRole('heading', { name: 'Write-offs' }).waitFor()
  await page.locator('[role=grid]').focus()
  await page.keyboard.press('g')
  await page.keyboard.press('b')
  await places.getByRole('option', { name: `Employee ${one.id}` }).waitFor()
  await closeAll(page)
})

test('Enter in an empty list runs the next useful action', async () => {
  await follow(page, '/imports?filename_type=is&filename_value=nothing-is-called-this')
  await page.locator('.list-notice').waitFor()
  const next = page.locator('.list-notice [data-next]')
  await page.locator('[role=grid]').focus()
  await next.getByText('Clear the filters').or(next.getByText('Import file')).waitFor()
  if ((await next.innerText()).startsWith('Clear')) await page.keyboard.press('Enter')
  await next.getByText('Import file').waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Import file' }).locator('form').waitFor()
  expect(await page.getByRole('dialog', { name: 'Import file' }).locator('form').count()).toBe(1)
  await closeAll(page)
})
