import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  axeViolations,
  evaluate,
  follow,
  loadList,
  openSignedIn,
  type Portal,
  problemsOf,
  startPortal,
  visitList,
} from '#tests/e2e/support.ts'
import { createCompany } from '#tests/support/company.ts'
import { createInvoice } from '#tests/support/money.ts'

/** Labels from section 3 of the specification. */
const labels = {
  DRAFT: 'Draft',
  ON_DEDUCTION_FILE: 'In Review',
  DEDUCTION_APPROVED: 'Approved',
  SCHEDULED: 'Scheduled',
  SENT: 'Sent',
  PROCESSING: 'Processing',
  CLOSED: 'Paid',
  RETURNED: 'Returned',
  PARTIALLY_RETURNED: 'Partially Returned',
  REFUND_IN_PROGRESS: 'Refund In Progress',
  REFUNDED: 'Refunded',
} as const

let portal: Portal
let page: Page
beforeAll(async () => {
  portal = await startPortal()
  page = await openSignedIn(portal, undefined, { path: '/employees' })
  await rows().first().waitFor()
})
afterAll(() => portal?.stop())

const rows = (on = page) => on.locator('[role=row][id]')
const heads = (on = page) => on.locator('[role=columnheader]').allInnerTexts()
const activeName = (on = page) =>
  evaluate<string | null>(
    on,
    `document.getElementById(document.activeElement?.getAttribute('aria-activedescendant') ?? '')?.querySelector('strong')?.textContent ?? null`,
  )
const address = (on = page) => on.url().slice(portal.origin.length)
const press = async (...keys: string[]) => {
  for (const key of keys) await page.keyboard.press(key)
}
const bar = () => page.locator('.frame-bar')

/** Number of rendered rows above and below the viewport, and their height. */
const drawn = () =>
  page.evaluate(() => {
    const grid = document.querySelector('[role=grid]') as HTMLElement
    const all = [...grid.querySelectorAll('[role=row][id]')].map((row) => ({
      at: Number(row.getAttribute('aria-rowindex')),
      box: row.getBoundingClientRect(),
    }))
    const head = grid.querySelector('[role=columnheader]')?.getBoundingClientRect().bottom ?? 0
    const foot = grid.getBoundingClientRect().bottom
    const indexes = all.map((row) => row.at)
    const seen = all.filter(({ box }) => box.bottom > head && box.top < foot).map((row) => row.at)
    return {
      above: Math.min(...seen) - Math.min(...indexes),
      below: Math.max(...indexes) - Math.max(...seen),
      blankRows: Math.max(...indexes) - Math.min(...indexes) + 1 - indexes.length,
      heights: [...new Set(all.map(({ box }) => box.height))],
    }
  })

const visit = (path: string) => visitList(page, path)
const load = (path: string) => loadList(page, path)

describe('the list of employees', () => {
  test('[SCR-038] has a tab Employee Data', async () => {
    await visit('/employees')
    expect(await heads()).toEqual(['Name, id', 'Employer', 'Status', 'Rate', 'Pay frequency', 'Brand', 'Available'])
    expect(await page.getByRole('tab', { selected: true }).innerText()).toBe('Employee Data')
  })

  test('[SCR-039] has a tab User Data, opened by address and by keyboard', async () => {
    await visit('/employees')
    await page.getByRole('tab', { name: 'Employee Data' }).focus()
    await press('ArrowRight')
    await expect.poll(() => address()).toBe('/users')
    await expect.poll(() => heads()).toContain('User status')
    await visit('/users')
    expect(await page.getByRole('tab', { selected: true }).innerText()).toBe('User Data')
  })

  test('[API-139] is filled by the API, and shows the position', async () => {
    await visit('/employees')
    await expect.poll(() => bar().innerText()).toContain('row 1 of 2,000')
    expect(await page.locator('[role=grid]').getAttribute('aria-rowcount')).toBe('2001')
  })

  test('a reload keeps the row, navigation does not', async () => {
    const own = await openSignedIn(portal, undefined, { path: '/employees' })
    const says = (row: string) => expect.poll(() => own.locator('.frame-bar').innerText()).toContain(`row ${row} of 2,000`)
    await rows(own).first().waitFor()
    for (let page = 0; page < 30; page++) await own.keyboard.press('PageDown')
    // The last of these moves may still be to come.
    let row = ''
    await expect
      .poll(async () => {
        const before = row
        row = /row ([\d,]+) of/.exec(await own.locator('.frame-bar').innerText())?.[1] ?? ''
        return row === before && /^[34]\d\d$/.test(row)
      })
      .toBe(true)
    const name = await activeName(own)
    await own.reload()
    await says(row)
    await expect.poll(() => activeName(own)).toBe(name)
    // The keys continue from there.
    await own.keyboard.press('ArrowDown')
    await says(String(Number(row) + 1))
    await own.goto(`${portal.origin}/employees?sort=id`)
    await says('1')
    await own.context().close()
  })

  test('[CARD-004, CONST-007, CONST-008] renders rows of 50 pixels: those on screen and ten on each side', async () => {
    await visit('/employees')
    await press('PageDown', 'PageDown', 'PageDown', 'PageDown')
    await expect.poll(drawn).toEqual({ above: 10, below: 10, blankRows: 0, heights: [50] })
    await press('ArrowDown', 'ArrowDown', 'ArrowDown')
    await expect.poll(drawn).toEqual({ above: 10, below: 10, blankRows: 0, heights: [50] })
  })

  test('is navigated by keyboard; the active row is always rendered, so that it can be announced', async () => {
    await load('/employees')
    const first = await activeName()
    await press('ArrowDown', 'j', 'ArrowDown', 'k')
    await expect.poll(() => bar().innerText()).toContain('row 3 of')
    await press('Control+End')
    await expect.poll(() => bar().innerText()).toContain('row 2,000 of 2,000')
    await expect.poll(() => activeName()).not.toBeNull()
    await press('ArrowUp')
    await expect.poll(() => bar().innerText()).toContain('row 1,999 of')
    await press('Control+Home')
    await expect.poll(() => activeName()).toBe(first)
    await page.mouse.move(600, 400)
    const scrolled = () => page.locator('[role=grid]').evaluate((grid) => grid.scrollTop)
    const top = await scrolled()
    await page.mouse.wheel(0, 4000)
    await expect.poll(scrolled).toBeGreaterThan(top + 1000)
    expect(await activeName()).toBe(first)
  })

  test('a held key passes every row: nothing is skipped and nothing stays blank', async () => {
    await visit('/employees')
    for (let i = 0; i < 60; i++) await press('PageDown')
    await expect.poll(() => page.locator('.grid-skeleton').count()).toBe(0)
    const numbers = async () => {
      const texts = await rows().allInnerTexts()
      return texts.map((text) => Number(/\n(\d{6})/.exec(text)?.[1])).sort((a, b) => a - b)
    }
    // Rows outside of the viewport are rendered shortly after those on screen.
    const blankRows = async () => {
      const ids = await numbers()
      return ids.at(-1)! - ids[0]! - (ids.length - 1)
    }
    await expect.poll(blankRows).toBe(0)
    expect((await numbers()).length).toBeGreaterThan(20)
  })

  test('a page is rendered fully; pages passed quickly show only names until the list rests', async () => {
    await visit('/employees')
    const cells = () =>
      page.evaluate(() => {
        const box = document.querySelector('[role=grid]')!.getBoundingClientRect()
        const seen = [...document.querySelectorAll('[role=grid] [role=row][id]')].filter((row) => {
          const { top, bottom } = row.getBoundingClientRect()
          return bottom > box.top && top < box.bottom
        })
        return [...new Set(seen.map((row) => row.querySelectorAll('[role=rowheader], [role=gridcell]').length))].sort()
      })
    // The rows of the next page have already loaded, and the list has settled.
    await press('Control+Home')
    await expect.poll(() => bar().innerText()).toContain('row 1 of')
    await page.waitForTimeout(300)
    await press('PageDown')
    expect(await cells()).toEqual([7])
    await page.waitForTimeout(300)
    // With the key held down, the row under the cursor is always readable.
    const hold = () =>
      page.evaluate(async () => {
        const grid = document.querySelector('[role=grid]') as HTMLElement
        const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
        const seen: number[][] = []
        for (let times = 0; times < 8; times += 1) {
          grid.dispatchEvent(new KeyboardEvent('keydown', { key: 'PageDown', bubbles: true, cancelable: true }))
          await frame()
          await frame()
          const rows = [...grid.querySelectorAll('[role=row][id]:not(.grid-now)')]
          const now = grid.querySelector('.grid-now')
          seen.push([rows.at(-1), now].map((row) => row?.querySelectorAll('[role=rowheader], [role=gridcell]').length ?? 0))
        }
        return seen
      })
    // The key is held again where the list settled on the way: a machine that stalls for 100 ms between two keys lets it settle.
    const held = async () => {
      const seen = await hold()
      expect(seen.map(([, now]) => now)).toEqual(Array(8).fill(7))
      return seen.at(-1)
    }
    await expect.poll(held).toEqual([1, 7])
    expect(await activeName()).not.toBeNull()
    await expect.poll(cells).toEqual([7])
  })

  test('marks rows by keyboard, extends, marks all that match, and copies them with headers', async () => {
    await visit('/employees')
    await press('x', 'Shift+ArrowDown', 'Shift+ArrowDown')
    await expect.poll(() => bar().innerText()).toContain('3 selected')
    expect(await page.locator('[role=row][aria-selected=true]').count()).toBe(3)
    await press('Control+c')
    await page.getByText('3 rows copied').first().waitFor()
    const lines = (await page.evaluate(() => navigator.clipboard.readText())).split('\n')
    expect(lines).toHaveLength(4)
    expect(lines[0]).toBe('Name, id\tEmployer\tStatus\tRate\tPay frequency\tBrand\tAvailable')
    await press('Control+a')
    await expect.poll(() => bar().innerText()).toContain('2,000 selected')
    await press('Control+c')
    await page
      .getByText('200 rows copied', { exact: false })
      .or(page.getByText(/\d+ rows copied/))
      .first()
      .waitFor()
    await press('Escape')
    expect(await page.locator('[role=row][aria-selected=true]').count()).toBe(0)
  })

  test('copies link, id, e-mail and phone number of the row, and the active cell', async () => {
    const copied = async (keys: string[], says: RegExp) => {
      await page.evaluate(() => navigator.clipboard.writeText('nothing yet'))
      await press(...keys)
      await page.locator('[aria-label=Messages]').getByText(says).last().waitFor()
      // The message of an earlier copy may still be visible, with the same text.
      const read = () => page.evaluate(() => navigator.clipboard.readText())
      await expect.poll(read).not.toBe('nothing yet')
      return read()
    }
    await load('/employees')
    await press('j')
    const id = await copied(['y', 'i'], /^Copied \d+$/)
    expect(await rows().nth(1).innerText()).toContain(id)
    expect(await copied(['y', 'y'], /^Link copied$/)).toBe(`${portal.origin}/employees/${id}`)
    expect(await copied(['y', 'e'], /^Copied .*@/)).toMatch(/@/)
    expect(await copied(['y', 'p'], /^Copied \+?[\d() -]+$/)).toMatch(/^\+?[\d() -]{7,}$/)
    expect(await page.getByRole('dialog').count()).toBe(0)
    await press('ArrowRight', 'ArrowRight')
    const cell = await copied(['Control+c'], /^Copied [A-Z]/)
    expect(await rows().nth(1).innerText()).toContain(cell.split(', ')[0])
    expect(cell).not.toContain('\t')
  })

  test('the second click of a double-click opens the record wide, and presses no button in it', async () => {
    await page.setViewportSize({ width: 1440, height: 900 })
    await load('/employees')
    const box = (await rows().nth(3).boundingBox()) as { x: number; y: number; width: number; height: number }
    const [x, y] = [box.x + box.width - 90, box.y + box.height / 2]
    await page.mouse.click(x, y)
    const action = (await page.locator('[data-region=detail] button.btn').last().boundingBox()) as typeof box
    await press('Escape')
    await page.locator('[data-region=detail]').waitFor({ state: 'detached' })
    // A row below a button of the record.
    const [at, row] = [action.x + action.width / 2, action.y + action.height / 2]
    await page.mouse.dblclick(at, row, { delay: 20 })
    await page.locator('.work-wide').waitFor()
    expect(await page.getByRole('dialog').count()).toBe(0)
    await press('Escape')
    await page.setViewportSize({ width: 1280, height: 800 })
  })

  test('moves among cells, and scrolls to the last one where the columns are wider than the list', async () => {
    await page.setViewportSize({ width: 900, height: 700 })
    await visit('/users')
    await press('ArrowDown', 'End')
    const cell = page.locator('.cell-now')
    expect(await page.locator('[role=grid]').getAttribute('aria-activedescendant')).toBe(await cell.getAttribute('id'))
    expect(await cell.innerText()).toMatch(/\d{4}|—/)
    const [inner, outer] = [await cell.boundingBox(), await page.locator('[role=grid]').boundingBox()]
    expect(inner!.x + inner!.width).toBeLessThanOrEqual(outer!.x + outer!.width)
    await page.setViewportSize({ width: 1280, height: 800 })
  })

  test('mouse: Shift-click marks a range, right-click opens the row actions, the header marks all', async () => {
    await load('/employees')
    const marked = () => page.locator('.grid-marked').evaluateAll((all) => all.map(({ id }) => id))
    const ids = await rows().evaluateAll((all) => all.map(({ id }) => id))
    await rows().nth(1).locator('.pick').click()
    await rows()
      .nth(4)
      .click({ modifiers: ['Shift'] })
    await expect.poll(marked).toEqual(ids.slice(1, 5))
    expect(await page.evaluate(() => getSelection()?.toString() ?? '')).toBe('')
    await page.locator('[role=grid]:focus').waitFor()

    const actions = page.getByRole('dialog')
    await rows().nth(2).click({ button: 'right' })
    await actions.getByText('On 4 employees').waitFor()
    await press('Escape')
    // For a row that is not marked, the actions are about that row only.
    await rows().nth(6).click({ button: 'right' })
    await actions.getByText('On this employee').waitFor()
    await press('Escape')
    expect(await marked()).toEqual([])
    expect(await page.locator('.grid-now').getAttribute('id')).toBe(ids[6])

    const all = page.locator('.grid-head .pick')
    await all.click()
    await page.locator('.grid-head .pick[data-on]').waitFor()
    expect((await marked()).length).toBe(await rows().count())
    await all.click()
    await expect.poll(marked).toEqual([])
  })

  test('is sorted by its headers, and shows the order', async () => {
    await visit('/employees')
    await page.getByRole('columnheader', { name: 'Name, id' }).click()
    await expect.poll(() => address()).toBe('/employees?sort=name')
    expect(await page.getByRole('columnheader', { name: 'Name, id' }).getAttribute('aria-sort')).toBe('ascending')
    await page.getByRole('columnheader', { name: 'Name, id' }).click()
    await expect.poll(() => address()).toBe('/employees?sort=name&order=desc')
  })

  test('keeps its heading, the name and one figure with the state below it in a narrow window', async () => {
    await page.setViewportSize({ width: 1024, height: 768 })
    await visit('/employees')
    await press(' ')
    await page.locator('[data-region=detail]').waitFor()
    await expect.poll(() => page.locator('[role=columnheader]:visible').allInnerTexts()).toEqual(['Name, id', 'Available'])
    expect(await page.getByRole('heading', { name: 'Employees', exact: true }).isVisible()).toBe(true)
    expect(await rows().first().locator('.cell-right small .status').count()).toBe(1)
    await press(' ')
    await page.setViewportSize({ width: 1280, height: 800 })
  })
})

describe('the columns', () => {
  test('are resized and reordered by mouse and keyboard, and keep it over a reload', async () => {
    await visit('/employees')
    const before = await heads()
    const head = (id: string) => page.locator(`[data-column=${id}]`)
    const widths = async () =>
      Object.fromEntries(
        await page
          .locator('[data-column]')
          .evaluateAll((all) => all.map((each) => [each.dataset['column'], (each as HTMLElement).offsetWidth])),
      )
    /** Drags from the center of an element to `to`, in pixels from the left edge of the screen. */
    const drag = async (from: ReturnType<typeof head>, to: (x: number) => number | Promise<number>) => {
      const box = await from.boundingBox()
      if (!box) throw new Error('It is not drawn.')
      const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
      await page.mouse.move(x, y)
      await page.mouse.down()
      // What follows the pointer may still be moving.
      await expect
        .poll(async () => {
          await page.mouse.move((await to(x)) - 1, y)
          await page.mouse.move(await to(x), y)
          return [await widths(), await page.locator('[data-drop]').count()]
        })
        .not.toEqual([was, 0])
      await page.mouse.up()
    }
    await head('employer').waitFor()
    let was = await widths()
    await drag(head('employer').locator('.cell-edge'), (x) => x - 60)
    await expect.poll(async () => (await widths())['employer']).toBe((was['employer'] ?? 0) - 60)
    expect((await widths())['name']).toBe(was['name'])
    expect(address()).toBe('/employees')

    was = await widths()
    await drag(head('brand'), async () => ((await head('status').boundingBox())?.x ?? 0) + 2)
    const moved = ['Name, id', 'Employer', 'Brand', 'Status', 'Rate', 'Pay frequency', 'Available']
    await expect.poll(() => heads()).toEqual(moved)

    await head('name').locator('.cell-edge').dblclick()
    await expect.poll(async () => (await widths())['name']).toBeLessThan(was['name'] ?? 0)

    await page.locator('[role=grid]').focus()
    await press('ArrowRight', 'ArrowRight')
    await page.locator('.cell-now').waitFor()
    const narrow = (await widths())['employer'] ?? 0
    await press('>')
    await expect.poll(async () => (await widths())['employer']).toBe(narrow + 24)
    await press('Shift+ArrowRight')
    await expect.poll(() => heads()).toEqual(['Name, id', 'Brand', 'Employer', ...moved.slice(3)])
    const kept = await widths()
    await page.reload()
    await rows().first().waitFor()
    expect(await widths()).toEqual(kept)

    await press('Control+k')
    await page.getByRole('combobox', { name: 'Command palette' }).waitFor()
    await page.keyboard.type('reset columns')
    await page.getByRole('option', { name: 'Reset columns' }).waitFor()
    await press('Enter')
    await expect.poll(() => heads()).toEqual(before)
  })
})

describe('the column chooser', () => {
  test('[SCR-040] is opened and used by keyboard, and the choice is kept over a reload', async () => {
    await load('/employees')
    const before = await heads()
    await press('Control+k')
    await page.getByRole('combobox', { name: 'Command palette' }).waitFor()
    await page.keyboard.type('choose columns')
    await page.getByRole('option', { name: 'Choose columns' }).waitFor()
    await press('Enter')
    const chooser = page.getByRole('listbox', { name: 'Columns' })
    await chooser.waitFor()
    const chosen = () => chooser.getByRole('option', { selected: true }).allInnerTexts()
    await expect.poll(chosen).toEqual(before)
    // A letter jumps to the column, Space toggles it.
    await press('r', ' ', 'b', ' ', 'h', ' ')
    const wanted = before.filter((head) => head !== 'Rate' && head !== 'Brand')
    await expect.poll(async () => new Set(await chosen())).toEqual(new Set([...wanted, 'Hired']))
    await press('Control+Enter')
    await expect.poll(async () => new Set(await heads())).toEqual(new Set([...wanted, 'Hired']))
    const after = await heads()
    await page.reload()
    await rows().first().waitFor()
    expect(await heads()).toEqual(after)
    await visit('/users')
    expect(await heads()).toContain('User status')
    await evaluate(page, `localStorage.removeItem('admin-portal.columns.employees')`)
    await load('/employees')
    expect(await heads()).toEqual(before)
  })
})

describe('filters', () => {
  test('[SCR-041, SCR-072] a pasted address filters the list and shows the filters', async () => {
    await visit('/employees?status_type=is&status_value=PAUSED')
    expect(await page.locator('[data-chip]').allInnerTexts()).toEqual(['Status is\nPaused'])
    const statuses = await page.locator('[role=row][id] .status').allInnerTexts()
    expect(new Set(statuses)).toEqual(new Set(['Paused']))
  })

  test('[SCR-073] reload, back and forward restore them', async () => {
    await visit('/employees?status_type=is&status_value=PAUSED')
    await page.reload()
    await rows().first().waitFor()
    expect(await page.locator('[data-chip]').count()).toBe(1)
    await page.locator('[data-chip]').focus()
    await press('Delete')
    await expect.poll(() => address()).toBe('/employees')
    await expect.poll(() => page.locator('[data-chip]').count()).toBe(0)
    await page.goBack()
    await expect.poll(() => page.locator('[data-chip]').allInnerTexts()).toEqual(['Status is\nPaused'])
    await expect
      .poll(async () => new Set(await page.locator('[role=row][id] .status').allInnerTexts()))
      .toEqual(new Set(['Paused']))
    await page.goForward()
    await expect.poll(() => page.locator('[data-chip]').count()).toBe(0)
  })

  test('[CONST-006] one search request, half a second after the last letter, which is also in the address', async () => {
    await visit('/employees')
    const asked: string[] = []
    const listen = (request: { url(): string }) => {
      if (/employees\?.*q=/.test(request.url())) asked.push(new URL(request.url()).searchParams.get('q') ?? '')
    }
    page.on('request', listen)
    await page.getByRole('searchbox').focus()
    await page.keyboard.type('maria', { delay: 30 })
    await expect.poll(() => address()).toBe('/employees?q=maria')
    await expect.poll(() => asked).toContain('maria')
    page.off('request', listen)
    expect(new Set(asked)).toEqual(new Set(['maria']))
  })

  test('an invalid one is shown with its problem; an empty list offers to clear the filters', async () => {
    await load('/employees?status_type=is&status_value=ASLEEP')
    expect(await page.locator('.chip-wrong').innerText()).toContain('There is no status ASLEEP.')
    await follow(page, '/employees?q=qqqqzzzz')
    await page.getByText('No employees match.').waitFor()
    await page.getByRole('button', { name: 'Clear the filters' }).click()
    await expect.poll(() => address()).toBe('/employees')
    await rows().first().waitFor()
  })
})

describe('a record', () => {
  test('[SCR-042] opens beside the list by Enter, with its tab General', async () => {
    await load('/employees?status_type=is&status_value=ACTIVE')
    const name = await activeName()
    await press('Enter')
    const detail = page.locator('[data-region=detail]:focus')
    await detail.waitFor()
    await expect.poll(() => detail.getByRole('heading', { level: 2 }).innerText()).toBe(name)
    expect(address()).toMatch(/^\/employees\/\d+\?status_type=is&status_value=ACTIVE$/)
    await expect
      .poll(() => detail.locator('dt').allInnerTexts())
      .toEqual(expect.arrayContaining(['Available', 'Employee code', 'Pay', 'E-mail']))
    await press('Enter')
    await expect.poll(() => page.locator('.work-wide').count()).toBe(1)
    await press('Escape', 'Escape')
    await page.locator('[role=grid]:focus').waitFor()
    expect(await activeName()).toBe(name)
    expect(address()).toBe('/employees?status_type=is&status_value=ACTIVE')
  })

  test('shows codes and address in General, and hides the address without the permission', async () => {
    const detailed = {
      ...{ business_unit_code: 'BU-7', location_code: 'SITE-3', pay_code: 'REG', payroll_code: 'PR-9', birth_date: '1988-03-05' },
      ...{ address: '12 Elm Street, Apt 4', city: 'Boston', state: 'MA', zip: '02110', country: 'USA' },
    }
    const { id } = await portal.db
      .selectFrom('employees')
      .select('id')
      .where('status', '=', 'ACTIVE')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    await portal.db.updateTable('employees').set(detailed).where('id', '=', id).execute()
    const factsFor = async (on: Page) => {
      const detail = on.locator('[data-region=detail]')
      await expect.poll(() => detail.locator('h3').allInnerTexts()).toEqual(expect.arrayContaining(['Codes', 'Personal details']))
      const names = await detail.locator('dt').allInnerTexts()
      const values = await detail.locator('dd').allInnerTexts()
      return { facts: Object.fromEntries(names.map((name, at) => [name, values[at]])), text: await detail.innerText() }
    }
    const codes = { 'Business unit': 'BU-7', 'Location code': 'SITE-3', 'Pay code': 'REG', 'Payroll code': 'PR-9' }
    await follow(page, `/employees/${id}?location_type=contains&location_value=site-3`)
    const seen = await factsFor(page)
    expect(seen.facts).toMatchObject({
      ...codes,
      'Birth date': '5 Mar 1988',
      Address: '12 Elm Street, Apt 4\nBoston, MA 02110\nUSA',
    })
    await expect.poll(() => rows().count()).toBe(1)
    const support = await openSignedIn(portal, 'sam.okoye@example.com', { path: `/employees/${id}` })
    const masked = await factsFor(support)
    expect(masked.facts).toMatchObject(codes)
    expect(masked.text).toContain('Birth date and address are hidden. Needs the right to see personal details')
    expect(masked.text).not.toMatch(/1988|Elm Street|Boston/)
  })

  test('j and k open the next one and keep the tab; Escape returns to its row', async () => {
    await load('/employees')
    await press('Enter')
    await page.locator('[data-region=detail]:focus').waitFor()
    await press('3', ...Array.from({ length: 30 }, () => 'j'))
    // The status bar is about the list in the tab; row numbers of the list behind count from its header.
    const list = page.locator('[data-list=employees]')
    const now = list.locator('.grid-now')
    await expect.poll(() => now.getAttribute('aria-rowindex')).toBe('32')
    const [row, grid] = [await now.boundingBox(), await list.boundingBox()]
    expect(row!.y + row!.height).toBeLessThanOrEqual(grid!.y + grid!.height + 1)
    await press(...Array.from({ length: 29 }, () => 'k'))
    await expect.poll(() => now.getAttribute('aria-rowindex')).toBe('3')
    await expect.poll(() => address()).toMatch(/\?tab=history$/)
    const title = await now.locator('[role=rowheader] strong').innerText()
    await expect.poll(() => page.locator('[data-region=detail] h2').innerText()).toBe(title)
    await press('Escape')
    await page.locator('[data-list=employees]:focus').waitFor()
    await expect.poll(() => activeName()).toBe(title)
  })

  test('opened from outside the loaded rows leaves no row selected, also after Escape', async () => {
    const { id } = await portal.db.selectFrom('employees').select('id').orderBy('id', 'desc').executeTakeFirstOrThrow()
    for (const way of ['link', 'palette'] as const) {
      if (way === 'link') await page.goto(`/employees/${id}`)
      else {
        await load('/employees')
        await press('Control+k')
        await page.keyboard.type(String(id))
        await press('Enter')
      }
      await page.locator('[data-region=detail]:focus').waitFor()
      await expect.poll(() => bar().innerText()).toContain('2,000 rows')
      expect(await bar().innerText()).not.toContain('row 1')
      await press('Escape')
      await page.locator('[role=grid]:focus').waitFor()
      expect(address()).toBe('/employees')
      expect(await activeName()).toBeNull()
      // Nobody is opened, previewed or marked before a row was chosen.
      await press('Enter', 'Space', 'x')
      expect(address()).toBe('/employees')
      expect(await page.locator('[data-region=detail]').count()).toBe(0)
      await expect.poll(() => bar().innerText()).toContain('choose a row')
      expect(await bar().innerText()).not.toMatch(/selected|open\b/)
      await press('ArrowDown')
      await expect.poll(() => bar().innerText()).toContain('row 1 of 2,000')
      const name = await activeName()
      await press('Enter')
      await expect.poll(() => page.locator('[data-region=detail] h2').innerText()).toBe(name)
      await press('Escape')
    }
  })

  test('[SCR-044] its history shows who did what, and what changed', async () => {
    const id = await pauseElsewhere()
    await follow(page, `/employees/${id}?tab=history`)
    const entry = page.locator('[aria-label="History of the employee"] [role=row]', { hasText: 'Paused' }).first()
    await entry.waitFor()
    expect(await entry.innerText()).toMatch(/Event[\s\S]*Paused[\s\S]*Tom Berg[\s\S]*Leave[\s\S]*Status: Active → Paused/)
  })

  test('[ERR-019] each tab that fails to load says so, and loads on retry', async () => {
    const id = await pauseElsewhere()
    await page.goto(`/employees/${id}`)
    const tabs = page.locator('[data-region=detail] [role=tab]')
    await tabs.first().waitFor()
    const all = await tabs.evaluateAll((found) => found.map((tab) => (tab as HTMLElement).dataset['tab'] ?? ''))
    expect(all.slice(0, 2)).toEqual(['general', 'linked-accounts'])
    // Fails the reads: the record for the first tab, and the separate read of each other tab.
    for (const [at, tab] of all.entries()) {
      const reads = new RegExp(
        at === 0 ? `/api/employees/${id}$` : `/api/(?!employees/${id}$|employees\\?|employees/count|me$).*${id}`,
      )
      await page.route(reads, (route) => route.abort())
      // A list without the record: otherwise its cached row would be shown.
      const address = `/employees/${id}?q=nobody-of-this-name&tab=${tab}`
      await (at === 0 ? page.goto(address) : follow(page, address))
      const said =
        at === 0 ? page.getByRole('alertdialog') : page.locator('[data-region=detail] [role=alert]').filter({ hasText: /\S/ })
      await said.getByRole('button').first().waitFor()
      expect(await said.first().innerText(), tab).toMatch(
        at === 0
          ? `Employee ${id} could not be loaded.`
          : /^(The \w+ (could not|cannot) be loaded\.|Unable to load (invoices|linked accounts|history entries|rewards|time entries|transactions|work period balances))/,
      )
      await page.unroute(reads)
      // The figures above a list and the list itself may be read separately.
      const again = said.getByRole('button', { name: at === 0 ? 'Reload' : 'Try again' })
      const left = async () => {
        if ((await again.count()) > 0)
          await again
            .first()
            .click({ timeout: 1_000 })
            .catch(() => {})
        return said.count()
      }
      await expect.poll(left, { interval: 300 }).toBe(0)
      await page.locator('[data-region=detail] [role=tabpanel]').locator('dd, li, td, [role=row]').first().waitFor()
    }
  })

  test('[ERR-019] a record whose code fails to load says so, and loads on retry', async () => {
    const { id } = await pausableEmployee()
    const part = /\/records-[^/]*\.js$/
    const own = await page.context().newPage()
    await own.route(part, (route) => route.abort())
    await own.goto(`/employees/${id}?tab=history`)
    const said = own.getByRole('alert').filter({ hasText: 'A part of the portal could not be loaded.' })
    await said.waitFor()
    expect(await said.innerText()).toContain('A part of the portal could not be loaded.')
    // Waits until everything that is prefetched had its turn.
    await own.waitForLoadState('networkidle')
    await own.unroute(part)
    await said.getByRole('button', { name: 'Try again' }).click()
    await said.waitFor({ state: 'detached' })
    await own.locator('[data-region=detail] [role=tabpanel]').locator('dd, li, td, [role=row]').first().waitFor()
    await own.close()
  })

  test('a concurrent change says who, when and what', async () => {
    const { id, change } = await pausableEmployee()
    await follow(page, `/employees/${id}`)
    await page.locator('[data-region=detail] .facts').first().waitFor()
    await page.waitForTimeout(500)
    await change()
    await evaluate(page, `dispatchEvent(new Event('focus'))`)
    const line = page.locator('.detail-line')
    await line.waitFor()
    expect(await line.innerText()).toMatch(/Tom Berg changed this .*: Paused \(.*status/)
    expect(await page.locator('.detail-sub .status').innerText()).toBe('Paused')
  })

  test('a record that does not exist can be left', async () => {
    await page.goto('/employees/99999999')
    const said = page.getByText('Employee 99999999 could not be loaded.')
    await said.waitFor()
    // Back leaves it, and Forward returns to it.
    await follow(page, '/invoices')
    await said.waitFor({ state: 'detached' })
    await page.locator('[role=grid]:focus').waitFor()
    await page.goBack()
    await said.waitFor()
    await page.getByRole('button', { name: /Back/ }).click()
    await expect.poll(() => address()).toBe('/employees')
    await rows().first().waitFor()
  })
})

/** An employee that may be paused, and its pause by another admin in another browser. */
async function pausableEmployee(): Promise<{ id: number; change: () => Promise<void> }> {
  const { id } = await portal.db
    .selectFrom('employees')
    .select('id')
    .where('status', '=', 'ACTIVE')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  const other = await openSignedIn(portal, 'tom.berg@example.com')
  const change = async () => {
    const status = await evaluate<number>(
      other,
      `(async () => {
        const headers = {
          'application-key': localStorage.getItem('admin-portal.application-key'),
          'application-name': 'ADMIN_PORTAL',
          authorization: 'Bearer ' + localStorage.getItem('admin-portal.token'),
          'content-type': 'application/json',
          command: 'employee.pause',
        }
        const one = await (await fetch('/api/employees/${id}', { headers })).json()
        const body = JSON.stringify({ status: 'PAUSED', reason: 'Leave', version: one.version })
        return (await fetch('/api/employees/${id}', { method: 'PATCH', headers, body })).status
      })()`,
    )
    expect(status).toBe(200)
    await other.context().close()
  }
  return { id, change }
}

async function pauseElsewhere(): Promise<number> {
  const { id, change } = await pausableEmployee()
  await change()
  return id
}

describe('a list that fails to load', () => {
  const list = /\/api\/employees\?/

  test('[API-140] shows the message of the server, and is retried with r', async () => {
    const body = JSON.stringify({
      type: 'about:blank',
      title: 'No',
      status: 503,
      code: 'unavailable',
      detail: 'The database is away.',
    })
    await page.route(list, (route) => route.fulfill({ status: 503, contentType: 'application/problem+json', body }))
    await page.goto('/employees')
    await page.getByText('The database is away.').waitFor()
    await page.unroute(list)
    await page.locator('[role=grid]').focus()
    await press('r')
    await rows().first().waitFor()
    expect(await page.locator('.list-notice').count()).toBe(0)
  })

  test('[API-141] shows the default message without a detail', async () => {
    await page.route(list, (route) => route.fulfill({ status: 500, body: '' }))
    await page.goto('/employees')
    await page.getByText('Unable to load employees').waitFor()
    expect(await page.locator('.list-notice').innerText()).toContain('Try again')
    await page.unroute(list)
  })
})

describe('without permission', () => {
  test('a column is left out of the list, and the record names the missing permission', async () => {
    const support = await openSignedIn(portal, 'sam.okoye@example.com', { path: '/employees' })
    await rows(support).first().waitFor()
    expect(await heads(support)).not.toContain('Rate')
    await support.keyboard.press('Enter')
    const detail = support.locator('[data-region=detail]:focus')
    await detail.waitFor()
    await expect.poll(() => detail.innerText()).toContain('Needs the right to see wages')
    expect(await detail.innerText()).not.toContain('$')
    await support.context().close()
  })
})

describe('accessibility', () => {
  test.each(['light', 'dark'] as const)('axe finds nothing in the %s list and record', async (theme) => {
    const own = await openSignedIn(portal, 'priya.raman@example.com', { path: '/employees', theme })
    await own.locator('[role=grid]:focus').waitFor()
    await rows(own).first().waitFor()
    expect(await axeViolations(own, '[data-region=work]')).toEqual([])
    await own.keyboard.press('Enter')
    await own.locator('[data-region=detail] .facts').first().waitFor()
    expect(await axeViolations(own, '[data-region=work]')).toEqual([])
    await own.keyboard.press('3')
    await own.getByRole('tab', { name: 'History', selected: true }).waitFor()
    expect(await axeViolations(own, '[data-region=work]')).toEqual([])
    expect(problemsOf(own)).toEqual([])
    await own.context().close()
  })
})

/** Number of rows added to short lists, more than any screen shows. */
const many = 120
async function addRows(): Promise<void> {
  const { db } = portal
  const numbers = Array.from({ length: many }, (_, at) => String(at + 1).padStart(3, '0'))
  for (const kind of ['ACCOUNT_MANAGER', 'ADMIN'] as const)
    await db
      .insertInto('people')
      .values(
        numbers.map((number) => ({
          id: randomUUID(),
          kind,
          name: `Virtual ${kind} ${number}`,
          email: `virtual-${kind}-${number}@example.com`.toLowerCase(),
        })),
      )
      .execute()
  await createCompany(db, 'Virtual', many)
  await db
    .insertInto('organizations')
    .values(
      numbers.map((number) => ({
        name: `Virtual organization ${number}`,
        lookup_name: `virtual-${number}`,
        brand: 'DAYLINE',
        source_code: `VIRTUAL-${number}`,
        status: 'ACTIVE' as const,
        notes: null,
      })),
    )
    .execute()
}

describe('every list is virtualized', () => {
  beforeAll(addRows)

  test.each([
    ['SCR-008', '/account-managers?q=virtual', /Virtual ACCOUNT_MANAGER \d{3}/],
    ['SCR-014', '/admins?q=virtual', /Virtual ADMIN \d{3}/],
    ['SCR-018', '/organizations?q=virtual', /^Virtual( organization \d{3})?\n/],
    ['SCR-028', '/employers?q=virtual', /Virtual Works \d+/],
    ['SCR-063', '/deductions', /INV-\d+/],
    ['SCR-064', '/repayments', /[A-Z]{2,}-?\d+/],
  ])('[%s] [CONST-007] [CONST-008] %s renders the rows on screen and ten on each side', async (_, path, content) => {
    await visit(path)
    const grid = page.locator('[role=grid]')
    await expect.poll(async () => Number(await grid.getAttribute('aria-rowcount'))).toBeGreaterThan(100)
    for (const text of (await rows().allInnerTexts()).slice(0, 5)) expect(text).toMatch(content)
    await press('PageDown', 'PageDown')
    await expect.poll(drawn).toEqual({ above: 10, below: 10, blankRows: 0, heights: [50] })
    expect(await rows().count()).toBeLessThan(Number(await grid.getAttribute('aria-rowcount')) / 2)
  })
})

describe('a state is a word with a mark', () => {
  /** Appearance of the mark before a word, with the theme's colours for marks. */
  const markOf = (label: string) =>
    page
      .locator('.status')
      .filter({ hasText: new RegExp(`^${label}$`) })
      .first()
      .evaluate((status) => {
        const probe = status.appendChild(document.createElement('i'))
        const colour = (name: string) => {
          probe.style.color = `var(--${name})`
          return getComputedStyle(probe).color
        }
        const colours = Object.fromEntries(['good', 'wait', 'bad', 'busy', 'idle'].map((name) => [name, colour(name)]))
        probe.remove()
        const { content, width, height, backgroundColor, backgroundImage, borderTopWidth, borderTopColor, borderTopLeftRadius } =
          getComputedStyle(status, '::before')
        const named = (value: string) => Object.keys(colours).find((name) => colours[name] === value) ?? value
        return {
          distinct: new Set(Object.values(colours)).size,
          drawn: content === '""' && width === '7px' && height === '7px',
          fill: backgroundImage.includes('linear-gradient') ? 'half' : named(backgroundColor),
          border: borderTopWidth === '0px' ? 'none' : named(borderTopColor),
          round: borderTopLeftRadius === '50%',
        }
      })
  const none = 'rgba(0, 0, 0, 0)'
  const looks = {
    good: { fill: 'good', border: 'none', round: true },
    wait: { fill: none, border: 'wait', round: true },
    bad: { fill: 'bad', border: 'none', round: false },
    busy: { fill: 'half', border: 'busy', round: true },
    idle: { fill: 'idle', border: 'none', round: true },
  }

  test.each([
    ['STA-001', 'employees', 'ACTIVE', 'Active', 'good'],
    ['STA-002', 'employees', 'DELETED', 'Deleted', 'bad'],
    ['STA-003', 'employees', 'IMPORTED', 'Imported', 'busy'],
    ['STA-004', 'employees', 'CREATED', 'Created', 'busy'],
    ['STA-005', 'timekeeping', 'APPROVED', 'Approved', 'good'],
    ['STA-006', 'timekeeping', 'PENDING', 'Pending', 'wait'],
    ['STA-007', 'timekeeping', 'REJECTED', 'Rejected', 'bad'],
    ['STA-008', 'timekeeping', 'AUTO', 'Auto', 'good'],
    ['STA-009', 'imports', 'FAIL', 'Failed', 'bad'],
    ['STA-010', 'imports', 'SUCCESS', 'Success', 'good'],
    ['STA-011', 'transactions', 'COMPLETE', 'Complete', 'good'],
    ['STA-012', 'employees', 'PAUSED', 'Paused', 'wait'],
    ['STA-013', 'employees', 'TERMINATED', 'Terminated', 'bad'],
    ['STA-014', 'employees', 'DUPLICATED', 'Duplicated', 'idle'],
    ['STA-015', 'employees', 'ELIGIBLE', 'Eligible', 'busy'],
    ['STA-016', 'employees', 'INELIGIBLE', 'Ineligible', 'idle'],
    ['STA-017', 'employees', 'OFFCYCLE_PAID', 'Off-cycle paid', 'idle'],
    ['STA-018', 'employees', 'UNKNOWN', 'Unknown', 'idle'],
  ] as const)('[%s] in %s %s is the word %s with the mark of %s', async (_, list, state, label, look) => {
    if (list === 'imports')
      await sql`insert into imports (organization_id, employer_id, kind, source, file_name, file_key, size, hash, status,
          received_by, received_by_name, finished_at)
        select organization_id, id, 'EMPLOYEE', 'SFTP', 'acme_ee.csv', 'acme', 12, ${state}::text, ${state}::text, 'sftp-user:1',
          'acme', now() from employers limit 1`.execute(portal.db)
    if (list === 'transactions') {
      const { rows: found } = await sql<{ id: number }>`select employee_id as id from transactions where status = ${state}
        order by id desc limit 1`.execute(portal.db)
      await follow(page, `/employees/${found[0]?.id}?tab=transactions`)
    } else await visit(`/${list}?status_type=is&status_value=${state}`)
    await page
      .locator('.status')
      .filter({ hasText: new RegExp(`^${label}$`) })
      .first()
      .waitFor()
    expect(await markOf(label)).toEqual({ distinct: 5, drawn: true, ...looks[look] })
  })
})

test('[INV-019] [INV-020] a refused action of an invoice says in its tooltip in which status it is unavailable', async () => {
  // On some business days the demo company has no approved one.
  const { employerIds } = await createCompany(portal.db, 'Approved')
  await createInvoice(portal.db, { employerId: employerIds[0] as number, status: 'DEDUCTION_APPROVED' })
  const { rows: found } = await sql<{ id: number; status: keyof typeof labels }>`
    select min(id)::int as id, status from invoices group by status`.execute(portal.db)
  const submitted = 'Cannot Edit invoice. A submission has been made, results are being processed'
  const seen: string[] = []
  for (const { id, status } of found) {
    await follow(page, `/invoices/${id}`)
    await page
      .locator('[data-region=detail]')
      .getByRole('heading', { name: `INV-${id}` })
      .waitFor()
    const tooltips = await page
      .locator('[data-region=detail] button[aria-disabled=true]')
      .evaluateAll((all) => all.map((button) => button.getAttribute('title') ?? ''))
    expect([status, tooltips.filter((text) => text === '')]).toEqual([status, []])
    const unavailable = tooltips.filter((text) => text.startsWith('Actions unavailable'))
    expect(new Set([`Actions unavailable when in ${labels[status]}.`, ...unavailable]).size).toBe(1)
    if (unavailable.length > 0) seen.push(status)
    if (status === 'PROCESSING') expect(tooltips).toContain(submitted)
  }
  // The available actions depend on the status, so some have none that are refused.
  expect(found.length).toBeGreaterThanOrEqual(8)
  expect(seen).toEqual(expect.arrayContaining(['DRAFT', 'ON_DEDUCTION_FILE', 'DEDUCTION_APPROVED']))
})

test.each([
  ['employees', sql`employees`],
  ['employers', sql`employers`],
  ['organizations', sql`organizations`],
  ['users', sql`users`],
  ['account-managers', sql`(select id, brand from people where kind = 'ACCOUNT_MANAGER')`],
] as const)('[CARD-009] a record of %s shows its brand by name and mark', async (path, table) => {
  await sql`update people set brand = 'EARLYBIRD' where kind = 'ACCOUNT_MANAGER' and brand is null`.execute(portal.db)
  const { rows: found } = await sql<{
    id: string
    brand: string
  }>`select id, brand from ${table} as one order by id limit 1`.execute(portal.db)
  await follow(page, `/${path}/${found[0]?.id}`)
  const brand = page.locator('[data-region=detail] .detail-sub .brand')
  await brand.waitFor()
  expect((await brand.innerText()).toUpperCase()).toBe(found[0]?.brand)
  expect(await brand.evaluate((element) => getComputedStyle(element, '::before').backgroundColor)).not.toBe('rgba(0, 0, 0, 0)')
})

test('[ERR-048] a list that fails to render shows Something went wrong inside the frame; Reload fixes it', async () => {
  const list = /\/api\/employers\?/
  await page.route(list, (route) =>
    route.fulfill({ json: { employers: [{ id: 1, internal_name: { broken: true }, version: 1 }], lek: null } }),
  )
  await page.goto(`${portal.origin}/employers`)
  const alert = page.getByRole('alert').filter({ hasText: 'Something went wrong' })
  await alert.waitFor()
  await page.getByRole('navigation', { name: 'Places' }).getByRole('link', { name: 'Employees' }).waitFor()
  expect(await axeViolations(page)).toEqual([])
  await page.unroute(list)
  await alert.getByRole('button', { name: 'Reload' }).click()
  await rows().first().waitFor()
})
