import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { employeesOf, type Someone, statusOf } from '#tests/e2e/at-work.ts'
import { axeViolations, follow, openSignedIn, type Portal, problemsOf, sharePortal, shot } from '#tests/e2e/support.ts'

let portal: Portal
let page: Page
let first: Someone
let second: Someone

beforeAll(async () => {
  portal = await sharePortal()
  const one = employeesOf(portal)
  first = await one('ACTIVE')
  second = await one('ACTIVE')
  page = await openSignedIn(portal, undefined, { path: `/employees/${first.id}`, width: 1440, height: 900 })
  page.setDefaultTimeout(20_000)
  await page.locator('[data-side=main] .facts').first().waitFor()
})
afterAll(() => portal?.stop())

const heading = (side: 'main' | 'beside', { name }: Someone) =>
  page.locator(`[data-side=${side}]`).getByRole('heading', { name, level: 2 })
const focusedSide = () =>
  page.evaluate(() => document.activeElement?.closest<HTMLElement>('[data-side]')?.dataset['side'] ?? null)
const reason = () => page.getByRole('dialog').getByRole('textbox', { name: 'Reason' })
const toast = (text: string) => page.getByRole('region', { name: 'Messages' }).getByText(text).first().waitFor()

test('Ctrl+Enter in the palette opens a second record beside, which has its own keys', async () => {
  await page.keyboard.press('Control+k')
  await page.keyboard.type(String(second.id))
  await page.getByRole('option').filter({ hasText: second.name }).first().waitFor()
  await page.keyboard.press('Control+Enter')
  await heading('beside', second).waitFor()
  await heading('main', first).waitFor()
  await expect.poll(focusedSide).toBe('beside')
  await page.keyboard.press('2')
  await expect.poll(() => new URL(page.url()).searchParams.has('beside-tab')).toBe(true)
  expect(new URL(page.url()).searchParams.has('tab')).toBe(false)
  await page.keyboard.press('1')
  await page.locator('[data-side=beside] .facts').first().waitFor()
  await shot(page, 'beside-light')
  expect(await axeViolations(page)).toEqual([])
})

test('a command is about the record whose side has the focus', async () => {
  await page.keyboard.press('p')
  await reason().waitFor()
  await page.getByRole('dialog').getByText(second.name).first().waitFor()
  await page.keyboard.type('compared with another')
  await page.keyboard.press('Control+Enter')
  await toast(`Paused ${second.name}`)
  await expect.poll(() => statusOf(portal, second)).toBe('PAUSED')
  expect(await statusOf(portal, first)).toBe('ACTIVE')
  await expect.poll(focusedSide).toBe('beside')
  await page.keyboard.press('Shift+F6')
  await expect.poll(focusedSide).toBe('main')
  await page.keyboard.press('p')
  await page.getByRole('dialog').getByText(first.name).first().waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
})

test('a reload shows both again; Escape closes the record beside, and Back opens it again', async () => {
  await page.reload()
  await heading('main', first).waitFor()
  await heading('beside', second).waitFor()
  await page.keyboard.press('F6')
  await expect.poll(focusedSide).toBe('beside')
  await page.keyboard.press('Escape')
  await heading('beside', second).waitFor({ state: 'detached' })
  await expect.poll(focusedSide).toBe('main')
  expect(new URL(page.url()).searchParams.has('beside')).toBe(false)
  await page.goBack()
  await heading('beside', second).waitFor()
  expect(problemsOf(page)).toEqual([])
})

test('from a list, Ctrl+Enter opens a row beside it, and Enter another one as the open record', async () => {
  await follow(page, '/employees')
  await page.getByRole('grid').focus()
  await page.keyboard.press('Control+Home')
  await page.keyboard.press('Control+Enter')
  await page.locator('[data-side=beside] .facts').first().waitFor()
  await expect.poll(focusedSide).toBe('beside')
  await page.keyboard.press('Shift+F6')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.locator('[data-side=main] .facts').first().waitFor()
  await expect.poll(focusedSide).toBe('main')
  const [main, beside] = await Promise.all(
    ['main', 'beside'].map((side) => page.locator(`[data-side=${side}] h2`).first().innerText()),
  )
  expect(main).not.toBe(beside)
  for (const side of ['main', 'beside']) expect(await page.locator(`[data-side=${side}]`).isVisible()).toBe(true)
})

test('a row that is peeked at where the list gives way to two records takes the focus with it', async () => {
  await follow(page, '/employees')
  await page.getByRole('grid').focus()
  await page.keyboard.press('Control+Home')
  await page.keyboard.press('Control+Enter')
  await page.locator('[data-side=beside] .facts').first().waitFor()
  await page.keyboard.press('Shift+F6')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Space')
  await page.locator('[data-side=main] .facts').first().waitFor()
  await expect.poll(focusedSide).toBe('main')
  expect(await page.locator('.work > .pane').isVisible()).toBe(false)
  await page.keyboard.press('Escape')
  await expect.poll(() => page.locator('.work > .pane').isVisible()).toBe(true)
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('grid')
})
