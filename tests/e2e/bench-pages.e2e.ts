import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type BenchPages, serveBenchPages } from '#tests/support/bench-pages.ts'
import { newPage } from '#tests/e2e/profiles.ts'

let pages: BenchPages
beforeAll(async () => {
  pages = await serveBenchPages()
})
afterAll(() => pages.stop())

async function open(address: string): Promise<Page> {
  const owner = { origin: new URL(address).origin }
  const page = await newPage(owner, { theme: 'light', width: 1280, height: 800, reducedMotion: false })
  await page.goto(address)
  return page
}

test.each([100_000, 1_000_000])('the bench page of the grid shows rows of %i, without skeletons', async (rows) => {
  const page = await open(pages.grid(rows))
  await page.getByRole('rowheader', { name: 'R0', exact: true }).waitFor()
  await page.getByRole('grid').press('PageDown')
  await page.getByRole('rowheader', { name: 'R20', exact: true }).waitFor()
  expect(await page.locator('.grid-skeleton').count()).toBe(0)
  await page.context().close()
})

test('the bench page of the palette finds one of 10,000 records, and its search succeeds', async () => {
  const page = await open(pages.palette(10_000))
  await page.locator('[role=combobox]').waitFor({ state: 'attached' })
  await page.keyboard.press('Control+k')
  await page.keyboard.type('117850')
  await page
    .getByRole('option', { name: /employee 117850/ })
    .first()
    .waitFor()
  await page.locator('[aria-busy=true]').waitFor({ state: 'detached' })
  expect(await page.getByText('could not be searched').count()).toBe(0)
  await page.context().close()
})
