import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Page } from 'playwright-core'
import { hold } from '#tests/bench/browser.ts'
import { figuresOf, type Measure } from '#tests/bench/figures.ts'
import { type BenchPages, serveBenchPages } from '#tests/support/bench-pages.ts'
import { probe } from '#tests/bench/probe.ts'
import { newPage } from '#tests/e2e/profiles.ts'
import { slowDown } from '#tests/e2e/support.ts'

const row = '.grid-row:not(.grid-skeleton), [role=option]'
const queries = ['employ', 'garcia', '117850']

async function open(address: string, rate: number): Promise<Page> {
  const page = await newPage(
    { origin: new URL(address).origin },
    { theme: 'light', width: 1280, height: 800, reducedMotion: false },
  )
  await page.context().addInitScript(probe, { row, quiet: 400 })
  await slowDown(page, rate)
  await page.goto(address)
  return page
}

/** Milliseconds from each key to the frame with its results, for the keys that change them. */
async function typing(page: Page): Promise<number[]> {
  const times: number[] = []
  await page.locator('[role=combobox]').waitFor({ state: 'attached' })
  await page.keyboard.press('Control+k')
  await page.locator('[role=dialog] [role=combobox]').waitFor()
  await page.evaluate(() => window.bench.watch('[role=dialog] [role=listbox]'))
  for (const word of queries) {
    for (const key of [...word, ...[...word].map(() => 'Backspace')]) {
      await page.evaluate(() => window.bench.begin())
      await page.keyboard.press(key)
      const result = await page.evaluate(() => window.bench.result)
      if (result.changes > 0) times.push(result.shown)
    }
  }
  return times
}

/** The palette and the list alone, over generated data: the pages that are compared with other palettes and grids. */
async function benchPages(pages: BenchPages): Promise<Measure[]> {
  const measures: Measure[] = []
  for (const rate of [1, 4]) {
    const at = `at ${rate}x`
    const page = await open(pages.palette(10_000), rate)
    const keys = figuresOf(await typing(page))
    measures.push({ what: `palette of 10,000 records, key to results, ${at}, p50`, value: keys.p50, unit: 'ms', budget: null })
    measures.push({
      ...{ what: `palette of 10,000 records, key to results, ${at}, p95`, value: keys.p95, unit: 'ms', budget: null },
      detail: keys,
    })
    await page.context().close()
    for (const rows of [100_000, 1_000_000]) {
      const of = `grid of ${rows.toLocaleString('en-US')} rows`
      const list = await open(pages.grid(rows), rate)
      await list.waitForFunction(() => window.bench.rowsAt !== null)
      const first = await list.evaluate(() => window.bench.rowsAt as number)
      measures.push({ what: `${of}, page open to first rows, ${at}`, value: first, unit: 'ms', budget: null })
      for (const what of ['ArrowDown', 'PageDown', 'wheel'] as const) {
        const { frames, blank } = await hold(list, what)
        const figures = figuresOf(frames)
        const long = frames.filter((time) => time > 50).length
        measures.push(
          { what: `${of}, ${what} held, ${at}, frame p95`, value: figures.p95, unit: 'ms', budget: null, detail: figures },
          { what: `${of}, ${what} held, ${at}, frames over 50 ms`, value: long, unit: 'frames', budget: null },
          { what: `${of}, ${what} held, ${at}, blank frames`, value: blank, unit: 'frames', budget: 0 },
        )
      }
      await list.context().close()
    }
  }
  return measures
}

/**
 * Runs a comparison with other products in the same session, in a folder with its own `bench.mjs` and `ours.json`, whose rows
 * named `ours` get the addresses of our pages. It prints its own tables.
 */
async function benchBeside(folder: string, pages: BenchPages): Promise<void> {
  const at = resolve(folder)
  if (!existsSync(join(at, 'node_modules'))) throw new Error(`Run npm ci in ${at} first.`)
  type Candidate = { name: string; url?: string }
  const all = JSON.parse(readFileSync(join(at, 'ours.json'), 'utf8')) as Record<'palette' | 'grid', Candidate[]>
  const place = (list: Candidate[], url: string) => list.map((each) => (each.name === 'ours' ? { ...each, url } : each))
  const [palette, grid] = [pages.palette(0), pages.grid(0)].map((address) => address.replace('n=0', 'n={n}')) as [string, string]
  const [ours] = place(all.grid, grid)
  const million = ours ? [{ ...ours, name: 'ours, 1,000,000 rows', url: pages.grid(1_000_000) }] : []
  writeFileSync(
    join(at, 'beside.json'),
    JSON.stringify({ ...all, palette: place(all.palette, palette), grid: [...place(all.grid, grid), ...million] }),
  )
  const args = ['bench.mjs', '--candidates=beside.json', '--out=beside-results.json', '--only=palette,grid', '--sizes=10000']
  // Not spawnSync: this process serves our pages meanwhile.
  await once(spawn(process.execPath, args, { cwd: at, stdio: 'inherit' }), 'close')
}

/** Our bench pages, and `peers` beside them if their folder is given. */
export async function benchPeers(peers: string | undefined): Promise<Measure[]> {
  const pages = await serveBenchPages()
  try {
    const measures = await benchPages(pages)
    if (peers) await benchBeside(peers, pages)
    return measures
  } finally {
    await pages.stop()
  }
}
