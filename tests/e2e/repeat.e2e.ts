import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { employeesOf, type Someone, statusOf } from '#tests/e2e/at-work.ts'
import { closeAll, follow, openSignedIn, type Portal, problemsOf, sharePortal, visitList } from '#tests/e2e/support.ts'

let portal: Portal
let page: Page
let active: Someone[]

beforeAll(async () => {
  portal = await sharePortal()
  const one = employeesOf(portal)
  active = await Promise.all([one('ACTIVE'), one('ACTIVE'), one('ACTIVE')])
  page = await openSignedIn(portal, undefined, { path: '/employees' })
  page.setDefaultTimeout(20_000)
})
afterAll(() => portal?.stop())

const dialog = () => page.getByRole('dialog')
const reason = () => dialog().getByRole('textbox', { name: 'Reason' })
const toast = (text: string) => page.getByRole('region', { name: 'Messages' }).getByText(text).first().waitFor()
const open = async ({ id }: Someone) => {
  await follow(page, `/employees/${id}`)
  await page.locator('[data-region=detail]:focus-within .facts').first().waitFor()
}
const formIsFor = ({ name }: Someone) => dialog().getByText(name).first().waitFor()

test('`.` opens the last command on the record with the last reason, Ctrl+Enter sends it', async () => {
  const [first, second] = active as [Someone, Someone]
  await open(first)
  await page.keyboard.press('.')
  await toast('There is nothing to repeat')
  // Text right after a refused key is ignored; another key ends that.
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('p')
  await reason().waitFor()
  await page.keyboard.type('card was stolen')
  await page.keyboard.press('Control+Enter')
  await toast(`Paused ${first.name}`)
  await open(second)
  await page.keyboard.press('.')
  await formIsFor(second)
  await expect.poll(() => reason().inputValue()).toBe('card was stolen')
  expect(await statusOf(portal, second)).toBe('ACTIVE')
  await page.keyboard.press('Control+Enter')
  await toast(`Paused ${second.name}`)
  await expect.poll(() => statusOf(portal, second)).toBe('PAUSED')
})

test('`.` on a record that it does not apply to says why and opens nothing', async () => {
  await open(active[1] as Someone)
  await page.keyboard.press('.')
  await toast('Already paused')
  expect(await dialog().count()).toBe(0)
  await visitList(page, '/invoices')
  await page.keyboard.press('.')
  await toast('Pause employee is for employees. This is an invoice.')
  expect(await dialog().count()).toBe(0)
})

test('in a list `.` goes to the row below the one of the last run', async () => {
  const one = employeesOf(portal)
  const own = await Promise.all([one('ACTIVE'), one('ACTIVE')])
  await visitList(page, `/employees?id_type=is&id_value=${own.map(({ id }) => id)}`)
  await page.keyboard.press('Control+Home')
  // Rows are reused: their order in the document is not that of the list.
  const rows = await page.locator('[role=row][id]').evaluateAll((all) =>
    all
      .map((row) => ({
        index: Number(row.getAttribute('aria-rowindex')),
        name: row.querySelector('[role=rowheader]')?.firstElementChild?.textContent ?? '',
      }))
      .sort((one, other) => one.index - other.index),
  )
  const [top, below] = rows.map(({ name }) => name) as [string, string]
  await page.keyboard.press('p')
  await reason().waitFor()
  await page.keyboard.type('asked for it')
  await page.keyboard.press('Control+Enter')
  await toast(`Paused ${top}`)
  await page.locator('[role=grid]:focus').waitFor()
  await page.keyboard.press('.')
  await reason().waitFor()
  const text = (await dialog().textContent()) ?? ''
  expect([text.includes(below), text.includes(top)]).toEqual([true, false])
  expect(await reason().inputValue()).toBe('asked for it')
  await closeAll(page)
})

test('the palette names the command that it repeats, also after a reload', async () => {
  const third = active[2] as Someone
  await page.goto(`/employees/${third.id}`)
  await page.locator('[data-region=detail]:focus-within .facts').first().waitFor()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('repeat')
  const row = dialog()
    .getByRole('option', { name: /Repeat: / })
    .first()
  await row.waitFor()
  await page.keyboard.press('Enter')
  await formIsFor(third)
  await closeAll(page)
  expect(problemsOf(page)).toEqual([])
})
