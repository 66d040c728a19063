import type { Page } from 'playwright-core'
import { figuresOf, type Measure } from '#tests/bench/figures.ts'
import { probe } from '#tests/bench/probe.ts'
import { protocolOf } from '#tests/e2e/profiles.ts'
import { openPage, type Portal, signIn, slowDown } from '#tests/e2e/support.ts'

const row = '[role=grid] [role=row][aria-selected]'
const holdFor = 3000
const keys = { ArrowDown: 40, PageDown: 34 } as const

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

async function openList(portal: Portal, rate: number): Promise<Page> {
  const page = await openPage(portal)
  await signIn(portal, page)
  await page.context().addInitScript(probe, { row, quiet: 150 })
  await slowDown(page, rate)
  await page.goto('/employees')
  await page.waitForFunction(() => window.bench.rowsAt !== null)
  await pause(1500)
  return page
}

/** Opens the list of a signed-in person; the first time with an empty browser cache. */
async function opening(page: Page): Promise<number> {
  await (await protocolOf(page)).send('Network.clearBrowserCache')
  await page.reload()
  await page.waitForFunction(() => window.bench.rowsAt !== null)
  return page.evaluate(() => window.bench.rowsAt as number)
}

async function palette(page: Page): Promise<{ opens: number[]; typed: number[]; first: number[]; jumps: number[] }> {
  const opens: number[] = []
  const typed: number[] = []
  const first: number[] = []
  const jumps: number[] = []
  const box = '[role=dialog] [role=combobox]'
  for (let round = 0; round < 20; round++) {
    await page.evaluate((selector) => window.bench.until(selector), box)
    await page.keyboard.press('ControlOrMeta+k')
    opens.push(await page.evaluate(() => window.bench.untilDone))
    await page.keyboard.press('Escape')
    await page.locator(box).waitFor({ state: 'detached' })
    await pause(150)
  }
  await page.keyboard.press('ControlOrMeta+k')
  await page.locator(box).waitFor()
  await page.evaluate(() => window.bench.watch('[role=dialog] [role=listbox]'))
  for (const word of ['employ', 'garcia', 'pause', 'theme']) {
    for (const key of [...word, ...[...word].map(() => 'Backspace')]) {
      await page.evaluate(() => window.bench.begin())
      await page.keyboard.press(key)
      const result = await page.evaluate(() => window.bench.result)
      first.push(result.first)
      if (result.changes > 0) typed.push(result.shown)
    }
  }
  await page.keyboard.press('Escape')
  await page.locator(box).waitFor({ state: 'detached' })

  const ids = await page
    .locator(`${row}`)
    .evaluateAll((rows) => rows.map((each) => /\d{6,}/.exec(each.textContent ?? '')?.[0] ?? ''))
  for (const id of ids.filter(Boolean).slice(0, 8)) {
    await page.keyboard.press('ControlOrMeta+k')
    await page.locator(box).waitFor()
    await page.keyboard.type(id)
    await page.evaluate((selector) => window.bench.until(selector), '[role=tabpanel]')
    await page.keyboard.press('Enter')
    jumps.push(await page.evaluate(() => window.bench.untilDone))
    await page.keyboard.press('Escape')
    await page.locator('[role=tabpanel]').waitFor({ state: 'detached' })
    await pause(200)
  }
  return { opens, typed, first, jumps }
}

/**
 * Opens employees that are not cached yet, from search results: milliseconds from Enter until the record is shown with its active
 * tab, and the number of repeated reads of an employee.
 */
async function openFound(page: Page, portal: Portal): Promise<{ times: number[]; reads: number }> {
  const box = '[role=dialog] [role=combobox]'
  const far = portal.db.selectFrom('employees').select(['id', 'first_name', 'last_name']).orderBy('id', 'desc').limit(20)
  const times: number[] = []
  let reads = 0
  page.on('request', (request) => {
    if (/\/api\/employees\/\d+$/.test(new URL(request.url()).pathname)) reads += 1
  })
  for (const { id, first_name, last_name } of await far.execute()) {
    await page.keyboard.press('ControlOrMeta+k')
    await page.locator(box).waitFor()
    await page.keyboard.type(String(id))
    await page.getByRole('option', { name: `${first_name} ${last_name}` }).waitFor()
    await page.evaluate((selector) => window.bench.until(selector), '[role=tabpanel][aria-busy=false] dd')
    await page.keyboard.press('Enter')
    times.push(await page.evaluate(() => window.bench.untilDone))
    await page.keyboard.press('Escape')
    await page.locator('[role=tabpanel]').waitFor({ state: 'detached' })
    await pause(200)
  }
  return { times, reads }
}

type Load = keyof typeof keys | 'wheel'

/** Holds a key, or turns the wheel, for some seconds: the frames meanwhile. */
export async function hold(page: Page, what: Load): Promise<{ frames: number[]; blank: number; rows: number; waits: number[] }> {
  const protocol = await protocolOf(page)
  const box = await page.locator('[role=grid]').boundingBox()
  if (!box) throw new Error('There is no list on screen.')
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
  const every = what === 'wheel' ? 1000 / 60 : 1000 / 30
  await page.locator('[role=grid]').focus()
  await page.evaluate(([selector, left, top]) => window.bench.frames(selector, left, top), [
    '[role=grid] .grid-row',
    x,
    y,
  ] as const)
  const from = performance.now()
  const sent: Promise<unknown>[] = []
  for (let index = 0; index < holdFor / every; index++) {
    await pause(Math.max(0, from + index * every - performance.now()))
    sent.push(
      what === 'wheel'
        ? protocol.send('Input.dispatchMouseEvent', { type: 'mouseWheel', x, y, deltaX: 0, deltaY: 1200 })
        : protocol.send('Input.dispatchKeyEvent', {
            type: 'rawKeyDown',
            key: what,
            code: what,
            windowsVirtualKeyCode: keys[what],
            autoRepeat: index > 0,
          }),
    )
  }
  await Promise.all(sent)
  if (what !== 'wheel') {
    await protocol.send('Input.dispatchKeyEvent', { type: 'keyUp', key: what, code: what, windowsVirtualKeyCode: keys[what] })
  }
  const { frames, blank } = await page.evaluate(() => window.bench.stop())
  const rows = await page.locator('[role=grid] .grid-row').count()
  const waits = await page.evaluate(() => window.bench.filled)
  return { frames, blank, rows, waits }
}

/** The portal in Chromium, at full processor speed and slowed down four times. */
export async function benchBrowser(portal: Portal, employees: number): Promise<Measure[]> {
  const measures: Measure[] = []
  const all = employees.toLocaleString('en-US')
  for (const rate of [1, 4]) {
    const at = `at ${rate}x`
    const page = await openList(portal, rate)
    const opened = await opening(page)
    measures.push({ what: `page open to first rows, ${at}`, value: opened, unit: 'ms', budget: rate === 4 ? 1500 : null })
    await pause(1500)

    const found = await palette(page)
    const typed = figuresOf(found.typed)
    const first = figuresOf(found.first)
    const jumps = figuresOf(found.jumps)
    const opens = figuresOf(found.opens)
    measures.push(
      { what: `palette opens, ${at}, p95`, value: opens.p95, unit: 'ms', budget: rate === 4 ? 50 : null, detail: opens },
      {
        what: `palette, key to next frame, ${at}, p95`,
        value: first.p95,
        unit: 'ms',
        budget: rate === 4 ? 33 : 17,
        detail: first,
      },
      // API answers, requested 120 ms after the last key, change the list once more.
      {
        what: `palette, key to last change, API included, ${at}, p95`,
        value: typed.p95,
        unit: 'ms',
        budget: null,
        detail: typed,
      },
      {
        what: `id and Enter to the employee on screen, ${at}, p95`,
        value: jumps.p95,
        unit: 'ms',
        budget: rate === 1 ? 100 : null,
        detail: jumps,
      },
    )

    const { times, reads } = await openFound(page, portal)
    const records = figuresOf(times)
    measures.push(
      {
        what: `Enter on a result to its record with the active tab, ${at}, p95`,
        value: records.p95,
        unit: 'ms',
        budget: rate === 1 ? 100 : null,
        detail: records,
      },
      { what: `repeated reads of these, ${at}`, value: reads, unit: 'times', budget: 0 },
    )

    for (const what of ['ArrowDown', 'PageDown', 'wheel'] as const) {
      const { frames, blank, rows, waits } = await hold(page, what)
      const figures = figuresOf(frames)
      const long = frames.filter((time) => time > 50).length
      measures.push(
        {
          what: `${what} held through ${all} rows, ${at}, frame p95`,
          value: figures.p95,
          unit: 'ms',
          budget: null,
          detail: figures,
        },
        { what: `${what}, ${at}, frames over 50 ms`, value: long, unit: 'frames', budget: null },
        { what: `${what}, ${at}, blank frames`, value: blank, unit: 'frames', budget: 0 },
        { what: `${what}, ${at}, longest wait of a skeleton row`, value: Math.max(0, ...waits), unit: 'ms', budget: 300 },
        { what: `${what}, ${at}, rows in the page`, value: rows, unit: 'rows', budget: null },
      )
      await pause(800)
    }
    await page.context().close()
  }
  return measures
}
