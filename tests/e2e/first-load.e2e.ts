import type { Locator, Page } from 'playwright-core'
import type { Command } from '#kernel/command.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { protocolOf } from '#tests/e2e/profiles.ts'
import { openSignedIn, type Portal, problemsOf, startPortal } from '#tests/e2e/support.ts'

let portal: Portal
let page: Page
beforeAll(async () => {
  portal = await startPortal()
  page = await openSignedIn(portal, undefined, { path: '/employees' })
  await page.getByRole('grid').waitFor()
})
afterAll(() => portal?.stop())

const everything = '**/assets/everything-*.js'
/** The links of the rail, all of which this person may follow. */
const places = Object.values(
  import.meta.glob<Command | Command[]>('../../commands/open/*.ts', { eager: true, import: 'default' }),
)
  .flat()
  .filter((command) => 'place' in command && command.place)
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

/**
 * Repeats the steps until they reach `outcome`. Keys wait at most two seconds, and a slow machine may take longer: then the
 * portal says that it ignored them, and the steps are repeated. They are repeated only after that message.
 */
async function retryUntil(something: () => Promise<void>, outcome: () => Locator): Promise<void> {
  const ignored = page.getByText('Keys pressed while it was loading were ignored.', { exact: true })
  for (let tries = 1; ; tries++) {
    await something()
    await outcome().or(ignored).first().waitFor()
    if (tries === 3 || (await outcome().count()) > 0) return outcome().first().waitFor()
  }
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

  test('a key of a row is queued and handled once its command has loaded', async () => {
    await retryUntil(
      async () => {
        const go = await held(everything)
        await page.goto('/employees?status_type=is&status_value=ACTIVE')
        await rows().first().waitFor()
        await page.locator('[role=grid]:focus').waitFor()
        await page.keyboard.press('p')
        await page.waitForTimeout(300)
        expect(await page.getByRole('dialog').count()).toBe(0)
        go()
      },
      () => page.getByRole('dialog', { name: 'Pause employee' }),
    )
    await page.keyboard.press('Escape')
  })

  test('Enter opens the row once its command has loaded', async () => {
    await retryUntil(
      async () => {
        const go = await held(everything)
        await page.goto('/employees')
        await rows().first().waitFor()
        await page.locator('[role=grid]:focus').waitFor()
        await page.keyboard.press('Enter')
        go()
      },
      () => page.locator('[data-region=detail] h2'),
    )
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

test('keys pressed before the page listens are handled in order or reported, and by no row', async () => {
  const go = await held('**/assets/frame-*.js')
  await page.goto('/employees?status_type=is&status_value=ACTIVE', { waitUntil: 'commit' })
  await page.waitForFunction(() => 'takeEarlyKeys' in globalThis)
  await page.keyboard.press('Control+k')
  await page.keyboard.type('pause')
  go()
  const found = page.locator('[role=option][aria-selected=true]', { hasText: 'Pause employee' })
  // A slow machine may take longer than keys wait.
  const ignored = page.getByText('Keys pressed while it was loading were ignored.', { exact: true })
  await found.or(ignored).first().waitFor()
  expect(await page.getByRole('dialog', { name: 'Pause employee' }).count()).toBe(0)
  if ((await found.count()) > 0) expect(await page.getByRole('combobox').inputValue()).toBe('pause')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
})

describe('while the commands of a noun are loading', () => {
  const ofEmployees = '**/assets/people-commands-*.js'

  test('a key of a row is queued until its command has loaded', async () => {
    await retryUntil(
      async () => {
        const go = await held(ofEmployees)
        await page.goto('/employees?status_type=is&status_value=ACTIVE')
        await rows().first().waitFor()
        await page.locator('[role=grid]:focus').waitFor()
        await page.keyboard.press('ArrowDown')
        await page.keyboard.press('p')
        await page.keyboard.type('Fraud')
        await page.waitForTimeout(300)
        expect(await page.getByRole('dialog').count()).toBe(0)
        go()
      },
      () => page.getByRole('dialog', { name: 'Pause employee' }),
    )
    await expect.poll(() => page.evaluate(() => (document.activeElement as HTMLInputElement).value)).toBe('Fraud')
    await page.unroute(ofEmployees)
    await page.keyboard.press('Escape')
  })

  test('the palette waits for the commands of the row, and keeps the input', async () => {
    await retryUntil(
      async () => {
        const go = await held(ofEmployees)
        await page.goto('/employees?status_type=is&status_value=ACTIVE')
        await page.locator('[role=grid]:focus').waitFor()
        await rows().first().waitFor()
        await page.keyboard.press('Control+k')
        await page.keyboard.type('pause')
        await page.waitForTimeout(300)
        expect(await page.getByRole('option').count()).toBe(0)
        go()
      },
      () => page.locator('[role=option][aria-selected=true]', { hasText: 'Pause employee' }),
    )
    await page.unroute(ofEmployees)
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
  })

  test('a command is found from anywhere, and asks for its target once loaded', async () => {
    const go = await held(ofEmployees)
    await page.goto('/repayments')
    await page.locator('[role=grid]:focus').waitFor()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('pause employee')
    await page.locator('[role=option][aria-selected=true]', { hasText: 'Pause employee' }).waitFor()
    await page.keyboard.press('Enter')
    await page
      .getByRole('dialog')
      .getByText('Loading')
      .or(page.getByRole('status', { name: 'Loading' }))
      .first()
      .waitFor()
    go()
    await page.getByRole('combobox', { name: /employee/i }).waitFor()
    await page.unroute(ofEmployees)
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

/** Loads the page; returns the parts of the portal that were compiled again. */
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
  const complete = new Promise((resolve) => protocol.once('Tracing.tracingComplete', resolve))
  await protocol.send('Tracing.end')
  await complete
  protocol.off('Tracing.dataCollected', take)
  const parts = events.filter(
    ({ name, args }) => name === 'v8.compileModule' && /assets\/(?!rolldown)/.test(args.data?.url ?? ''),
  )
  expect(parts.map(({ args }) => args.data?.url).join()).toContain('/assets/everything-')
  return parts.flatMap(({ args: { data } }) => (data?.consumedCacheSize ? [] : [data?.url ?? '']))
}

test('a returning browser compiles no part of the portal again (D531)', async () => {
  const visitor = await openSignedIn(portal, undefined, { path: '/employees' })
  try {
    // Code is cached on the second load, once the browser is idle.
    await expect.poll(() => recompiled(visitor), { interval: 1_000 }).toEqual([])
  } finally {
    await visitor.context().close()
  }
})

test('a list that fails to load says so, and loads on retry', async () => {
  const pattern = '**/assets/money-list-*.js'
  await page.route(pattern, (route) => route.abort())
  await page.goto('/deductions')
  const again = page.getByRole('button', { name: 'Try again' })
  // Waits for the prefetched lists.
  await page.waitForLoadState('networkidle')
  await again.waitFor()
  await page.unroute(pattern)
  await again.click()
  await rows().first().waitFor()
  expect(await page.getByRole('heading', { name: 'Deductions', exact: true }).count()).toBe(1)
})
