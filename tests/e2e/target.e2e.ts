import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { drawn } from '#tests/e2e/drawn.ts'
import { openSignedIn, type Portal, problemsOf, sharePortal } from '#tests/e2e/support.ts'

let portal: Portal
let page: Page
/** Active employees in list order: the first ones are loaded with the list, the last one is not. */
let people: { id: string; name: string }[]
let outside: { id: string; name: string }

beforeAll(async () => {
  portal = await sharePortal()
  const rows = await portal.db.selectFrom('employees').select(['id', 'first_name', 'last_name', 'status']).orderBy('id').execute()
  people = rows.map((row) => ({ id: String(row.id), name: `${row.first_name} ${row.last_name}` }))
  // Rows follow it, also where another test has changed who is active.
  const far = rows.findLast((row, index) => row.status === 'ACTIVE' && index > 1_200 && index < rows.length - 5)
  outside = { id: String(far?.id), name: `${far?.first_name} ${far?.last_name}` }
  page = await openSignedIn(portal, undefined, { path: '/employees' })
  await page.getByRole('grid').waitFor()
})
afterAll(() => portal?.stop())

beforeEach(async () => {
  await page.unrouteAll({ behavior: 'ignoreErrors' })
})

const person = (row: number) => people[row] as { id: string; name: string }
const dialog = () => page.getByRole('dialog')
const rows = () => page.locator('[role=row][id]')
const detailReady = () => page.locator('[data-region=detail] .facts').first().waitFor()
const inDetail = () =>
  page.waitForFunction(() => document.activeElement?.closest('[data-region=detail]') !== null).then(() => undefined)

/** The name of a record in a form, a chip and a confirmation. */
const named = ({ id, name }: { id: string; name: string }) => `${name} · ${id}`

/** Presses a key that opens a form of an employee, and returns the name in it. */
async function formBy(key: string): Promise<string> {
  await page.keyboard.press(key)
  return formNames()
}

async function formNames(): Promise<string> {
  await dialog().getByRole('heading').waitFor()
  const text = (await dialog().textContent()) ?? ''
  await page.keyboard.press('Escape')
  await dialog().waitFor({ state: 'detached' })
  return text
}

/** The target of the palette. */
async function chip(): Promise<string> {
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Command palette' }).waitFor()
  const text = (await dialog().textContent()) ?? ''
  await page.keyboard.press('Escape')
  await dialog().waitFor({ state: 'detached' })
  return text
}

/** Opens a record by its address, focused as for a person. */
async function openByLink(id: string, search = ''): Promise<void> {
  await page.goto(`/employees/${id}${search}`)
  await detailReady()
  await rows().first().waitFor()
  await inDetail()
}

describe('a record opened by link, far outside of the loaded rows', () => {
  test('is the target of keys, buttons, palette and menu', async () => {
    await openByLink(outside.id)
    expect(await formBy('p')).toContain(named(outside))
    expect(await chip()).toContain(named(outside))
    await page.getByRole('toolbar', { name: 'Actions' }).getByRole('button', { name: 'Pause' }).click()
    expect(await formNames()).toContain(named(outside))
    await page.getByRole('toolbar', { name: 'Actions' }).getByRole('button', { name: 'All actions' }).click()
    await dialog().waitFor()
    expect(await dialog().textContent()).toContain(named(outside))
    await page.keyboard.press('Escape')
    await page.keyboard.press('a')
    await dialog().waitFor()
    expect(await dialog().textContent()).toContain(named(outside))
    await page.keyboard.press('Escape')
    expect(problemsOf(page)).toEqual([])
  })

  test('stays the target after a reload, a refresh of the rows and another filter', async () => {
    await openByLink(outside.id)
    await page.reload()
    await detailReady()
    await rows().first().waitFor()
    await inDetail()
    expect(await chip()).toContain(named(outside))
    const fresh = page.waitForResponse((response) => /\/api\/employees\?/.test(response.url()))
    await page.evaluate(() => dispatchEvent(new Event('focus')))
    await fresh
    expect(await formBy('p')).toContain(named(outside))
    await openByLink(outside.id, '?status_type=is&status_value=PAUSED')
    expect(await formBy('p')).toContain(named(outside))
  })

  test('no row of the list looks current until somebody moves there', async () => {
    await openByLink(outside.id)
    expect(await page.locator('.grid-now').count()).toBe(0)
    await page.getByRole('grid').focus()
    expect(await chip()).toContain(named(outside))
    await page.keyboard.press('ArrowDown')
    await page.waitForURL(`**/employees/${person(0).id}*`)
    await expect.poll(() => page.locator('.grid-now').count()).toBe(1)
    expect(await chip()).toContain(named(person(0)))
  })

  test('is where j and k continue from, in list order, however fast they are typed', async () => {
    const at = people.findIndex(({ id }) => id === outside.id)
    await openByLink(outside.id)
    await page.keyboard.press('j')
    await page.waitForURL(`**/employees/${person(at + 1).id}*`)
    for (const key of 'jjk') await page.keyboard.press(key)
    await page.waitForURL(`**/employees/${person(at + 2).id}*`)
    await page.keyboard.press('p')
    expect(await formNames()).toContain(named(person(at + 2)))
    for (const key of 'kkkk') await page.keyboard.press(key)
    await page.waitForURL(`**/employees/${person(at - 2).id}*`)
    // A record outside of the list behind it: the first step enters the list.
    await openByLink(outside.id, '?status_type=is&status_value=PAUSED')
    const first = (await rows().first().getAttribute('id'))?.replace('row-', '')
    await page.keyboard.press('j')
    await page.waitForURL(`**/employees/${first}*`)
  })

  test.each(['record', 'list'])('also where the %s loads late', async (late) => {
    const pattern = late === 'record' ? `**/api/employees/${outside.id}` : '**/api/employees?*'
    let letGo = () => {}
    const gate = new Promise<void>((resolve) => {
      letGo = resolve
    })
    await page.route(pattern, async (route) => {
      await gate
      await route.continue()
    })
    await page.goto(`/employees/${outside.id}`)
    await page.locator('[data-region=detail]').waitFor()
    if (late === 'record') await rows().first().waitFor()
    await inDetail()
    await page.keyboard.press('p')
    // Until the record is there its form has a field for text, and nothing to send.
    const ahead = dialog().getByRole('textbox', { name: 'Text for the form' })
    if (late === 'record') {
      await ahead.waitFor()
      expect(await dialog().locator('form').count()).toBe(0)
    }
    letGo()
    await ahead.waitFor({ state: 'detached' })
    expect(await formNames()).toContain(named(outside))
  })

  test('one that fails to load says so, and no other row becomes the target', async () => {
    await page.goto('/employees/999999999')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Back' }).waitFor()
    await page.keyboard.press('p')
    await drawn(page)
    expect(await dialog().count()).toBe(0)
    await page.keyboard.press('Escape')
    await page.waitForURL('**/employees')
  })
})

test('a form closes with its record when the browser goes back', async () => {
  await page.goto('/employees?status_value=ACTIVE')
  await rows().first().waitFor()
  await page.locator('[role=grid]:focus').waitFor()
  await page.keyboard.press('Enter')
  await detailReady()
  await inDetail()
  await page.keyboard.press('p')
  await dialog().getByRole('heading').waitFor()
  await page.goBack()
  await dialog().waitFor({ state: 'detached' })
  await page.locator('[data-region=detail]').waitFor({ state: 'detached' })
  await page.locator('[role=grid]:focus').waitFor()
  const now = async () => (await page.locator('.pane .grid-now').innerText()).split('\n')[0] as string
  const before = await now()
  await page.keyboard.press('j')
  await expect.poll(now).not.toBe(before)
  expect(await formBy('p')).toContain(await now())
})

describe('marked rows', () => {
  test('are the target while the list has the focus, and not in a record', async () => {
    await page.goto('/employees')
    await rows().first().waitFor()
    await page.locator('[role=grid]:focus').waitFor()
    for (const key of ['x', 'j', 'x', 'j', 'j']) await page.keyboard.press(key)
    expect(await chip()).toContain('2 employees')
    await page.keyboard.press('Enter')
    await inDetail()
    expect(await chip()).toContain(named(person(3)))
    const open = page.waitForURL(`**/employees/${person(4).id}*`)
    await page.keyboard.press('j')
    await open
    expect(await chip()).toContain(named(person(4)))
    await page.getByRole('grid').focus()
    expect(await chip()).toContain('2 employees')
  })
})

test('the target of the palette does not change when the list behind it does', async () => {
  await page.goto('/employees?status_type=is&status_value=ACTIVE')
  await rows().first().waitFor()
  await page.locator('[role=grid]:focus').waitFor()
  const first = await page.locator('.grid-now').getAttribute('id')
  await page.keyboard.press('j')
  await expect.poll(() => page.locator('.grid-now').getAttribute('id')).not.toBe(first)
  const id = await page.locator('.grid-now').getAttribute('id')
  const one = people.find((each) => `row-${each.id}` === id) as { id: string; name: string }
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Command palette' }).waitFor()
  await portal.db.updateTable('employees').set({ status: 'ELIGIBLE' }).where('id', '=', Number(one.id)).execute()
  const fresh = page.waitForResponse((response) => /\/api\/employees\?/.test(response.url()))
  await page.evaluate(() => dispatchEvent(new Event('focus')))
  await fresh
  await page.locator(`#row-${one.id}`).waitFor({ state: 'detached' })
  expect(await dialog().textContent()).toContain(named(one))
  await page.keyboard.press('Escape')
})

test('a noun without a search says where its records are', async () => {
  await page.goto('/dashboard')
  await page.locator('[data-region=screen]').waitFor()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill('edit file mapping')
  await page.getByRole('option', { name: 'Edit file mapping' }).first().waitFor()
  await page.keyboard.press('Enter')
  const where = dialog().getByText('File mappings are found in the tab File Mapping of an employer.').first()
  await where.waitFor()
  await page.keyboard.type('bluebird')
  await page.waitForTimeout(600)
  await where.waitFor()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  expect(problemsOf(page)).toEqual([])
})
