import type { Page } from 'playwright-core'
import type { Command } from '#kernel/command.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { drawn } from '#tests/e2e/drawn.ts'
import { protocolOf } from '#tests/e2e/profiles.ts'
import { openSignedIn, type Portal, problemsOf, startPortal } from '#tests/e2e/support.ts'

let portal: Portal
let page: Page
beforeAll(async () => {
  portal = await startPortal()
  page = await openSignedIn(portal, undefined, { path: '/employees' })
  await page.getByRole('grid').waitFor()
  // Keys wait at most two seconds, which has its own test. Here they wait as long as a busy machine loads.
  await page.addInitScript(() => {
    const start = performance.now()
    performance.now = () => start
  })
})
afterAll(() => portal?.stop())

const everything = '**/assets/everything-*.js'
/** The links of the rail, all of which this person may follow. */
const places = Object.values(
  import.meta.glob<Command | Command[]>('../../commands/open/*.ts', { eager: true, import: 'default' }),
)
  .flat()
  .filter((command) => 'place' in command && typeof command.place === 'object')
const rows = () => page.locator('[role=row][id]')
const address = () => page.url().slice(portal.origin.length)

/** Holds back a part of the portal until it is released. */
async function held(pattern: string): Promise<() => void> {
  let release = () => {}
  const gate = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route(pattern, async (route) => {
    await gate
    await route.continue()
  })
  return release
}

describe('while commands are loading', () => {
  test('the first list and the links to the others are shown', async () => {
    const go = await held(everything)
    await page.goto('/invoices')
    await rows().first().waitFor()
    expect(await page.locator('.rail-item').count()).toBe(places.length)
    await page.locator('[role=grid]:focus').waitFor()
    await page.keyboard.press('g')
    await page.keyboard.press('e')
    await expect.poll(address).toBe('/employees')
    await rows().first().waitFor()
    go()
  })

  test('a key of a row is queued, with the text after it, and handled once its command has loaded', async () => {
    const go = await held(everything)
    await page.goto('/employees?status_type=is&status_value=ACTIVE')
    await rows().first().waitFor()
    await page.locator('[role=grid]:focus').waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('p')
    await page.keyboard.type('Fraud')
    await drawn(page)
    expect(await page.getByRole('dialog').count()).toBe(0)
    go()
    await page.getByRole('dialog', { name: 'Pause employee' }).first().waitFor()
    await expect.poll(() => page.evaluate(() => (document.activeElement as HTMLInputElement).value)).toBe('Fraud')
    await page.keyboard.press('Escape')
  })

  test('Enter opens the row once its command has loaded', async () => {
    const go = await held(everything)
    await page.goto('/employees')
    await rows().first().waitFor()
    await page.locator('[role=grid]:focus').waitFor()
    await page.keyboard.press('Enter')
    go()
    await page.locator('[data-region=detail] h2').first().waitFor()
    expect(address()).toMatch(/^\/employees\/\d+$/)
  })

  test('text typed into the palette appears in its field', async () => {
    const go = await held(everything)
    await page.goto('/employees')
    await rows().first().waitFor()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('open invoices')
    go()
    await page.getByRole('option', { name: /Open invoices/ }).waitFor()
    expect(await page.getByRole('combobox').inputValue()).toBe('open invoices')
    await page.keyboard.press('Enter')
    await expect.poll(address, { timeout: 60_000 }).toMatch(/^\/invoices\?status_type=is_not&/)
    expect(problemsOf(page)).toEqual([])
  })
})

describe('before the page listens', () => {
  /** Starts loading a page whose keys nobody handles yet. */
  async function early(): Promise<() => void> {
    const go = await held('**/assets/workspace-*.js')
    await page.goto('/employees?status_type=is&status_value=ACTIVE', { waitUntil: 'commit' })
    await page.waitForFunction(() => 'takeEarlyKeys' in globalThis && document.body !== null)
    return go
  }
  const found = () => page.locator('[role=option][aria-selected=true]', { hasText: 'Pause employee' })
  const field = () => page.getByRole('dialog', { name: 'Command palette' }).locator('input')
  const selection = () =>
    page.evaluate(() => {
      const { selectionStart, selectionEnd } = document.activeElement as HTMLInputElement
      return [selectionStart, selectionEnd]
    })

  test('the palette opens at once and keeps text and caret: no letter runs as a key', async () => {
    const go = await early()
    await page.keyboard.press('Control+k')
    expect(await field().evaluate((input) => input === document.activeElement)).toBe(true)
    await page.keyboard.type('puse')
    for (const key of ['Home', 'ArrowRight', 'a']) await page.keyboard.press(key)
    expect(await field().inputValue()).toBe('pause')
    go()
    await found().waitFor()
    expect(await page.getByRole('dialog').count()).toBe(1)
    expect(await page.getByRole('combobox').inputValue()).toBe('pause')
    expect(await selection()).toEqual([2, 2])
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await page.locator('[role=grid]:focus').waitFor()
  })

  test('Escape clears and closes it, and the row keys work after it', async () => {
    const go = await early()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('pause')
    await page.keyboard.press('Escape')
    expect(await field().inputValue()).toBe('')
    await page.keyboard.press('Escape')
    expect(await field().count()).toBe(0)
    go()
    await page.locator('[role=grid]:focus').waitFor()
    expect(await page.getByRole('dialog').count()).toBe(0)
  })

  test('Enter acts on its text, and keys after it are no text of it', async () => {
    const go = await early()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('open invoices')
    await page.keyboard.press('Enter')
    await page.keyboard.press('j')
    expect(await field().inputValue()).toBe('open invoices')
    go()
    await page.getByRole('heading', { name: 'Invoices', exact: true }).waitFor()
  })

  test('other keys are handled in order or reported, and a search after them by no row', async () => {
    const go = await early()
    await page.keyboard.press('j')
    await page.keyboard.press('Control+k')
    await page.keyboard.type('pause')
    go()
    // A slow machine may take longer than keys wait.
    const ignored = page.getByText('Keys pressed while it was loading were ignored.', { exact: true })
    await found().or(ignored).first().waitFor()
    expect(await page.getByRole('dialog', { name: 'Pause employee' }).count()).toBe(0)
    if ((await found().count()) > 0) expect(await page.getByRole('combobox').inputValue()).toBe('pause')
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
  })
})

describe('the palette, opened while commands are loading', () => {
  test('offers nothing until it knows the commands of the row, and keeps the input', async () => {
    const go = await held(everything)
    await page.goto('/employees?status_type=is&status_value=ACTIVE')
    await page.locator('[role=grid]:focus').waitFor()
    await rows().first().waitFor()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('pause')
    await drawn(page)
    expect(await page.getByRole('option').count()).toBe(0)
    go()
    await page.locator('[role=option][aria-selected=true]', { hasText: 'Pause employee' }).first().waitFor()
    await page.unroute(everything)
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
  })

  test('finds a command of another noun, which asks for its target', async () => {
    const go = await held(everything)
    await page.goto('/repayments')
    await page.locator('[role=grid]:focus').waitFor()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('pause employee')
    go()
    await page.locator('[role=option][aria-selected=true]', { hasText: 'Pause employee' }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('combobox', { name: /employee/i }).waitFor()
    await page.unroute(everything)
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    expect(problemsOf(page)).toEqual([])
  })
})

describe('a browser', () => {
  /** A page of a signed-in person in a browser that lacks something. */
  async function without(take: () => void): Promise<Page> {
    const other = await page.context().newPage()
    await other.addInitScript(take)
    await other.goto('/employees')
    return other
  }

  test('without idle callbacks, as Safari, has the palette and its results', async () => {
    const other = await without(() => {
      Reflect.deleteProperty(window, 'requestIdleCallback')
      Reflect.deleteProperty(window, 'cancelIdleCallback')
    })
    const faults: string[] = []
    other.on('pageerror', (error) => faults.push(String(error)))
    await other.locator('[role=grid]:focus').waitFor()
    const [name = ''] = (await other.locator('[role=row][id] [role=rowheader]').first().innerText()).split('\n')
    for (const words of [name, 'open invoices']) {
      await other.keyboard.press('Control+k')
      await other.keyboard.type(words)
      await other
        .getByRole('option', { name: new RegExp(words, 'i') })
        .first()
        .waitFor()
      await other.keyboard.press('Escape')
      await other.keyboard.press('Escape')
    }
    expect(faults).toEqual([])
    await other.close()
  })

  test.each([
    ['a newer browser', () => Reflect.deleteProperty(Map, 'groupBy')],
    ['a secure connection', () => Object.defineProperty(window, 'isSecureContext', { value: false })],
    ['to keep data in this browser', () => Object.defineProperty(window, 'localStorage', { get: () => null })],
  ] as [string, () => void][])('without a required feature gets an explanation: %s', async (what, take) => {
    const other = await without(take)
    const faults: string[] = []
    other.on('pageerror', (error) => faults.push(String(error)))
    await expect.poll(() => other.locator('body').innerText()).toMatch(new RegExp(`^Admin Portal needs ${what}[^.]*\\.$`))
    expect(faults).toEqual([])
    await other.close()
  })
})

/** Trace event of a compiled script; without a size where no cached code was used. */
interface CompiledScript {
  args: { data?: { url?: string; consumedCacheSize?: number } }
  name: string
}

/** Bytes from which on Chromium stores the code of a script. */
const minStored = 1024

/** Loads the page; returns the parts of the portal that were compiled again, other than those too small to be stored. */
async function recompiled(on: Page): Promise<string[]> {
  const protocol = await protocolOf(on)
  const events: CompiledScript[] = []
  const take = ({ value }: { value: object[] }) => void events.push(...(value as CompiledScript[]))
  protocol.on('Tracing.dataCollected', take)
  await protocol.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { includedCategories: ['v8', 'devtools.timeline'] },
  })
  await on.goto('/employees')
  await on.locator('input[placeholder^="Type a command"]').waitFor({ state: 'attached' })
  // The parts that are loaded last count as well.
  await on.waitForLoadState('networkidle')
  await on.evaluate(() => new Promise((idle) => requestIdleCallback(idle)))
  const complete = new Promise((resolve) => protocol.once('Tracing.tracingComplete', resolve))
  await protocol.send('Tracing.end')
  await complete
  protocol.off('Tracing.dataCollected', take)
  const parts = events.filter(
    ({ name, args }) => name === 'v8.compileModule' && /assets\/(?!rolldown)/.test(args.data?.url ?? ''),
  )
  expect(parts.map(({ args }) => args.data?.url).join()).toContain('/assets/everything-')
  const again = parts.flatMap(({ args: { data } }) => (data?.url && !data.consumedCacheSize ? [data.url] : []))
  const sizes = await Promise.all(again.map(async (url) => (await (await on.request.get(url)).body()).length))
  return again.filter((_, at) => (sizes[at] as number) >= minStored)
}

test('a returning browser compiles no part of the portal again', async () => {
  const visitor = await openSignedIn(portal, undefined, { path: '/employees' })
  try {
    // Code is cached on the second load, once the browser is idle.
    await expect.poll(() => recompiled(visitor), { interval: 1_000 }).toEqual([])
  } finally {
    await visitor.context().close()
  }
})

test('a list that fails to load says so, and loads on retry', async () => {
  const pattern = '**/assets/invoices-*.js'
  await page.route(pattern, (route) => route.abort())
  await page.goto('/invoices')
  const again = page.getByRole('button', { name: 'Try again' })
  // Waits for the prefetched lists.
  await page.waitForLoadState('networkidle')
  await again.waitFor()
  await page.unroute(pattern)
  await again.click()
  await rows().first().waitFor()
  expect(await page.getByRole('heading', { name: 'Invoices', exact: true }).count()).toBe(1)
})
