import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  axeViolations,
  closeAll,
  loadList,
  openSignedIn,
  type Portal,
  problemsOf,
  sharePortal,
  visitList,
} from '#tests/e2e/support.ts'

let portal: Portal
let page: Page

beforeAll(async () => {
  portal = await sharePortal()
  page = await openSignedIn(portal, undefined, { path: '/employees' })
  page.setDefaultTimeout(20_000)
})
afterAll(() => portal?.stop())

const dialog = () => page.getByRole('dialog')
const field = () => page.getByRole('textbox', { name: 'New keys' })
const toast = (text: string) => page.getByRole('region', { name: 'Messages' }).getByText(text).first().waitFor()

/** Opens the dialog for a command from the palette. */
async function change(command: string): Promise<void> {
  await page.keyboard.press('Control+k')
  await page.keyboard.type(`change shortcut of ${command}`)
  await dialog()
    .getByRole('option', { name: `Change shortcut of ${command}` })
    .first()
    .waitFor()
  await page.keyboard.press('Enter')
  await field().waitFor()
}

const railKeys = (place: string) =>
  page.getByRole('navigation', { name: 'Places' }).getByRole('link', { name: place }).first().locator('kbd').textContent()

test('a shortcut changed by keyboard works at once and after a reload, and is shown everywhere', async () => {
  await visitList(page, '/employees')
  await change('Open invoices')
  await page.keyboard.press('Control+t')
  await dialog().getByText('The browser keeps these keys').waitFor()
  await page.keyboard.press('b')
  await dialog().getByText('These keys are free.').waitFor()
  expect(await axeViolations(page)).toEqual([])
  await page.keyboard.press('Enter')
  await toast('Open invoices has a new shortcut')
  expect(await railKeys('Invoices')).toBe('b')
  await loadList(page, '/employees')
  await page.keyboard.press('b')
  await page.waitForURL(/\/invoices/)
  await visitList(page, '/employees')
  await page.keyboard.press('Control+k')
  await page.keyboard.type('open invoices')
  const row = dialog()
    .getByRole('option', { name: /Open invoices/ })
    .first()
  await expect.poll(() => row.getAttribute('aria-keyshortcuts')).toBe('b')
  await closeAll(page)
})

test('keys of another command are named and swapped, and the fixed keys are refused', async () => {
  await visitList(page, '/invoices')
  await change('Download invoice')
  await page.keyboard.press('x')
  await dialog().getByText('This key always means: select.').waitFor()
  await page.keyboard.press('Enter')
  expect(await field().count()).toBe(1)
  await page.keyboard.press('ArrowDown')
  await dialog().getByText('This key always means: next row.').waitFor()
  await page.keyboard.press('c')
  await dialog().getByText('Close invoice has these keys. Enter swaps').waitFor()
  await page.keyboard.press('Enter')
  await toast('have exchanged shortcuts')
  await page.locator('[role=grid]:focus').waitFor()
  await page.keyboard.press('c')
  await dialog().getByRole('heading', { name: 'Download invoice' }).waitFor()
  await closeAll(page)
})

test('the page finds, exports, imports and resets shortcuts', async () => {
  await visitList(page, '/employees')
  await page.keyboard.press('Control+k')
  await page.keyboard.type('>change keyboard shortcuts')
  await dialog()
    .getByRole('option', { name: /Change keyboard shortcuts/ })
    .first()
    .waitFor()
  await page.keyboard.press('Enter')
  const find = page.getByRole('combobox', { name: 'Find a command' })
  await find.waitFor()
  expect(await axeViolations(page)).toEqual([])
  await page.keyboard.type('open invoices')
  await page.getByRole('option', { name: /Open invoices.*changed.*b/ }).waitFor()
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export' }).focus()
  await page.keyboard.press('Enter')
  expect((await saved).suggestedFilename()).toBe('admin-portal-shortcuts.json')
  await page.getByRole('button', { name: 'Reset all' }).focus()
  await page.keyboard.press('Enter')
  await toast('have their original keys again')
  expect(await railKeys('Invoices')).toBe('g i')
  const shortcuts = { 'open.invoices': 'q', 'open.nowhere': 'z', 'open.employees': 'Mod+W' }
  const text = JSON.stringify({ kind: 'admin-portal-shortcuts', version: 1, shortcuts })
  const file = { name: 'mine.json', mimeType: 'application/json', buffer: Buffer.from(text) }
  await page.locator('input[type=file]').setInputFiles(file)
  await page.getByText('open.nowhere: z (there is no such command)').waitFor()
  await page.getByText('open.employees: Mod+W (The browser keeps these keys for itself)').waitFor()
  await expect.poll(() => railKeys('Invoices')).toBe('q')
  await page.getByRole('combobox', { name: 'Find a command' }).focus()
  for (let times = 0; times < 2; times++) await page.keyboard.press('Escape')
  await page.waitForURL(/\/employees/)
  expect(problemsOf(page)).toEqual([])
})
