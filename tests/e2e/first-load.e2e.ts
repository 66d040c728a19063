import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openSignedIn, type Portal, problemsOf, startPortal } from '#tests/e2e/support.ts'

let portal: Portal
let page: Page
beforeAll(async () => {
  portal = await startPortal()
  page = await openSignedIn(portal)
  await page.getByRole('grid').waitFor()
})
afterAll(() => portal?.stop())

const everything = '**/assets/everything-*.js'
const rows = () => page.locator('[role=row][id]')
const address = () => page.url().slice(portal.origin.length)

/** Holds a part of the portal back until it is let go. */
async function held(pattern: string): Promise<() => void> {
  let letGo = () => {}
  const gate = new Promise<void>((resolve) => {
    letGo = resolve
  })
  await page.route(pattern, async (route) => {
    await gate
    await route.continue()
  })
  return letGo
}

describe('while commands are still on their way', () => {
  test('the first list and the ways to the others are there', async () => {
    const go = await held(everything)
    await page.goto('/invoices')
    await rows().first().waitFor()
    expect(await page.locator('.rail-item').count()).toBe(10)
    await page.locator('[role=grid]:focus').waitFor()
    await page.keyboard.press('g')
    await page.keyboard.press('e')
    await expect.poll(address).toBe('/employees')
    await rows().first().waitFor()
    go()
  })

  test('a key of a row is kept and answered when its command is there', async () => {
    const go = await held(everything)
    await page.goto('/employees?status_type=is&status_value=ACTIVE')
    await rows().first().waitFor()
    await page.locator('[role=grid]:focus').waitFor()
    await page.keyboard.press('p')
    await page.waitForTimeout(300)
    expect(await page.getByRole('dialog').count()).toBe(0)
    go()
    await page.getByRole('dialog', { name: 'Pause employee' }).waitFor()
    await page.keyboard.press('Escape')
  })

  test('Enter opens the row when its command is there', async () => {
    const go = await held(everything)
    await page.goto('/employees')
    await rows().first().waitFor()
    await page.locator('[role=grid]:focus').waitFor()
    await page.keyboard.press('Enter')
    go()
    await expect.poll(address, { timeout: 10_000 }).toMatch(/^\/employees\/\d+$/)
    await page.locator('[data-region=detail] h2').waitFor()
  })

  test('what is typed into the palette stands in its field', async () => {
    const go = await held(everything)
    await page.goto('/employees')
    await rows().first().waitFor()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('open invoices')
    go()
    await page.getByRole('option', { name: /Open invoices/ }).waitFor()
    expect(await page.getByRole('combobox').inputValue()).toBe('open invoices')
    await page.keyboard.press('Enter')
    await expect.poll(address, { timeout: 10_000 }).toBe('/invoices')
    expect(problemsOf(page)).toEqual([])
  })
})

test('a list that does not arrive says so, and comes when it is asked for again', async () => {
  const pattern = '**/assets/deductions-*.js'
  await page.route(pattern, (route) => route.abort())
  await page.goto('/deductions')
  const again = page.getByRole('button', { name: 'Try again' })
  // Until the lists that are fetched ahead had their turn, too.
  await page.waitForLoadState('networkidle')
  await again.waitFor()
  await page.unroute(pattern)
  await again.click()
  await rows().first().waitFor()
  expect(await page.getByRole('heading', { name: 'Deductions', exact: true }).count()).toBe(1)
})
