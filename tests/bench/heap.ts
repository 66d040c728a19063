import type { Page } from 'playwright-core'
import type { Measure } from '#tests/bench/figures.ts'
import { protocolOf } from '#tests/e2e/profiles.ts'
import { openSignedIn, type Portal } from '#tests/e2e/support.ts'

/** One round has 20 actions: rows, records, filters, the palette, a command and its undo. */
const rounds = 100
const parts = 3
const warmUp = 20

/** Bytes in use after two garbage collections, so that only retained memory counts. */
async function held(page: Page): Promise<number> {
  const protocol = await protocolOf(page)
  await page.waitForTimeout(1500)
  await protocol.send('HeapProfiler.collectGarbage')
  await protocol.send('HeapProfiler.collectGarbage')
  return (await protocol.send('Runtime.getHeapUsage')).usedSize
}

async function round(page: Page, index: number): Promise<void> {
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key)
  }
  await press('PageDown', 'PageDown', 'ArrowDown', 'ArrowDown')
  // After a jump the row may not be loaded yet, and cannot be marked or opened before.
  await page.locator('[role=grid][aria-activedescendant]').waitFor()
  await press('x', 'x', 'Enter')
  await page.locator('[data-region=detail]').waitFor()
  await press('j', 'k', '2', '1', 'Escape')
  await page.locator('[data-region=detail]').waitFor({ state: 'detached' })
  await press('Control+k')
  await page.locator('[role=dialog] [role=combobox]').waitFor()
  await page.keyboard.type(index % 2 ? 'pau' : 'theme')
  await press('Escape', 'Escape')
  await page.locator('[role=dialog]').waitFor({ state: 'detached' })
  if (index % 5 === 0) await press(index % 10 ? 'Control+End' : 'Control+Home')
  await page.locator('[role=grid]').focus()
}

/** Runs thousands of keyboard actions and compares the heap after each part with the heap at the start. */
export async function benchHeap(portal: Portal): Promise<Measure[]> {
  const page = await openSignedIn(portal, undefined, { path: '/employees' })
  await page.locator('[role=grid] .grid-row').first().waitFor()
  await page.locator('[role=grid]').focus()
  for (let index = 0; index < warmUp; index++) await round(page, index)
  const before = await held(page)
  const after: number[] = []
  for (let part = 0; part < parts; part++) {
    for (let index = 0; index < rounds; index++) await round(page, index)
    after.push(await held(page))
  }
  await page.context().close()
  const actions = (part: number) => ((part + 1) * rounds * 20).toLocaleString('en-US')
  return [
    { what: 'heap after some use', value: before / 1024, unit: 'kB', budget: null },
    ...after.map((bytes, part): Measure => {
      return { what: `heap after ${actions(part)} more actions`, value: bytes / 1024, unit: 'kB', budget: null }
    }),
    { what: 'heap at the end / at the start', value: (after.at(-1) ?? Number.NaN) / before, unit: 'times', budget: 1.1 },
  ]
}
