import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { protocolOf } from '#tests/e2e/profiles.ts'
import { employeesOf, inField, type Someone, statusOf } from '#tests/e2e/at-work.ts'
import { callsOut, type KnownEmployees, random, same, sequence, typed } from '#tests/e2e/random-keys.ts'
import { openSignedIn, type Portal, slowDown, startPortal } from '#tests/e2e/support.ts'

/** Total number of sequences: by default two per condition, since one takes about ten seconds. */
const sequences = Number(process.env['KEY_SEQUENCES'] ?? 8)
const ownSeed = process.env['KEY_SEED']
/** Seeds are the same in every run, so that a failure is caused by the change; `new` or a number selects others. */
const seeds = ownSeed ? [ownSeed === 'new' ? Math.floor(Math.random() * 1_000_000) : Number(ownSeed)] : [8, 73276]
console.log(`Random keys: ${sequences} sequences with KEY_SEED ${seeds.join(' and ')}`)

let portal: Portal
let first: Page
let known: KnownEmployees
let employee: ReturnType<typeof employeesOf>

beforeAll(async () => {
  portal = await startPortal()
  employee = employeesOf(portal)
  const rows = await portal.db.selectFrom('employees').select('id').orderBy('id').execute()
  const ids = rows.map((row) => String(row.id))
  first = await openSignedIn(portal, undefined, { path: '/employees' })
  known = { near: ids.slice(0, 12), far: ids.slice(1_200, 1_212) }
})
afterAll(() => portal?.stop())

/** Slows the processor and the network of a page down as long as it is on: a slow load is another test. */
async function slowness(
  page: Page,
  { speed, network }: { speed: number; network: number },
): Promise<(on: boolean) => Promise<void>> {
  const protocol = await protocolOf(page)
  await protocol.send('Network.enable')
  return async (on) => {
    // By the protocol: a route would also switch the cache off, and with it double the time of a load.
    const speedOfNetwork = { offline: false, downloadThroughput: -1, uploadThroughput: -1 }
    await protocol.send('Network.emulateNetworkConditions', { ...speedOfNetwork, latency: on ? network : 0 })
    await slowDown(page, on ? speed : 1)
  }
}

/** Holds back calls until they are released. */
async function holdCalls(page: Page, pattern: string | RegExp): Promise<() => void> {
  let release = () => {}
  const gate = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route(pattern, async (route) => {
    await gate
    await route.continue().catch(() => undefined)
  })
  return release
}

describe('keys pressed without a pause have the same effect as keys with a pause', () => {
  const conditions = [
    { speed: 1, network: 0 },
    { speed: 4, network: 0 },
    { speed: 1, network: 300 },
    { speed: 4, network: 300 },
  ]

  /** A page of a signed-in person, in a profile of its own. */
  async function another(signedIn: Page, found: string[]): Promise<Page> {
    const browser = signedIn.context().browser()
    const context = await browser?.newContext({
      baseURL: portal.origin,
      viewport: { width: 1280, height: 800 },
      storageState: await signedIn.context().storageState(),
    })
    const page = (await context?.newPage()) as Page
    page.on('pageerror', (error) => found.push(String(error)))
    page.setDefaultTimeout(120_000)
    await page.goto('/employees')
    await page.locator('[role=row][id]').first().waitFor()
    return page
  }

  test.concurrent.each(conditions)(
    'processor $speed times slower, $network ms of network',
    async ({ speed, network }) => {
      const at = conditions.findIndex((each) => each.speed === speed && each.network === network)
      const mine = Array.from({ length: sequences }, (_, number) => number).filter((number) => number % conditions.length === at)
      const found: string[] = []
      const wrong: unknown[] = []
      let ignored = 0
      const page = await another(first, found)
      const slowly = await slowness(page, { speed, network })
      const out = callsOut(page)
      for (const number of mine) {
        const seed = seeds[Math.floor(number / conditions.length) % seeds.length] as number
        const one = sequence(random(seed * 1_000_003 + number), known)
        const rest = 500 + network
        const slow = await typed(page, one, { out, slowly, apart: 300, rest })
        const fast = await typed(page, one, { out, slowly, apart: 0, rest, like: slow })
        // Delays longer than the key queue waits are covered by another test.
        if (fast.ignored.length || slow.ignored.length) ignored++
        else if (!same(fast, slow)) wrong.push({ seed, number, ...one, fast, slow })
      }
      await page.context().close()
      expect(wrong).toEqual([])
      expect(found).toEqual([])
      expect(ignored, 'sequences of which keys were ignored').toBeLessThanOrEqual(1 + mine.length / 10)
    },
    600_000 + sequences * 10_000,
  )
})

test('moves run in sequence: a move that stops at the end of the list does not shorten the next', async () => {
  const here = () => first.locator('.grid-now').getAttribute('id')
  const rows: (string | null)[] = []
  for (const keys of [['PageDown'], ['ArrowUp', 'ArrowUp', 'PageDown']]) {
    await first.goto('/employees')
    await first.locator('[role=row][id]').first().waitFor()
    await first.locator('[role=grid]:focus').waitFor()
    const positionBefore = await here()
    for (const key of keys) await first.keyboard.press(key)
    await expect.poll(here).not.toBe(positionBefore)
    rows.push(await here())
  }
  expect(rows[1]).toBe(rows[0])
})

test('the list has the focus once a key has closed its record', async () => {
  await first.goto(`/employees/${known.near[3]}`)
  await first.locator('[data-region=detail]:focus').waitFor()
  await first.keyboard.press('g')
  await first.keyboard.press('e')
  await expect.poll(() => first.url().slice(portal.origin.length)).toBe('/employees')
  await first.locator('[role=grid]:focus').waitFor()
  expect(await first.locator('[data-region=detail]').count()).toBe(0)
})

describe('queued keys', () => {
  let page: Page
  let one: Someone
  const form = () => page.getByRole('dialog', { name: 'Pause employee' })

  /**
   * Opens a record whose answer is held back, after the list if the test goes back; returns the function that releases it. Unless
   * they expire after two seconds, keys wait as long as a busy machine takes.
   */
  async function loading({ expire = false, fromList = false } = {}): Promise<() => void> {
    page ??= await openSignedIn(portal, undefined, { path: '/employees' })
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    one = await employee('ACTIVE', {})
    if (fromList) {
      await page.goto('/employees')
      await page.locator('[role=row][id]').first().waitFor()
    }
    const release = await holdCalls(page, `**/api/employees/${one.id}`)
    // The list is empty: only the record itself has the name.
    await page.goto(`/employees/${one.id}?q=nobodyiscalledthis`)
    await page.locator('[data-region=detail]:focus').waitFor()
    // Every part of the portal has loaded: only the record is missing.
    await page.locator('input[placeholder^="Type a command"]').waitFor({ state: 'attached' })
    if (!expire)
      await page.evaluate(() => {
        const start = performance.now()
        performance.now = () => start
      })
    return release
  }

  test('letters typed for a form that has not opened yet arrive in its first field', async () => {
    const release = await loading()
    await page.keyboard.press('p')
    await page.keyboard.type('Fr')
    const field = page.getByRole('dialog').getByRole('textbox', { name: 'Text for the form' })
    await expect.poll(() => field.inputValue()).toBe('Fr')
    // The field is a real one, with a caret.
    for (const key of ['ArrowLeft', 'Backspace', 'F', 'End']) await page.keyboard.press(key)
    await page.keyboard.type('aud')
    expect(await field.inputValue()).toBe('Fraud')
    release()
    await form().waitFor()
    await inField(page, 'Reason')
    await expect.poll(() => form().getByLabel('Reason').inputValue()).toBe('Fraud')
    await page.keyboard.press('Escape')
  })

  test('a character being composed for a form is finished in its field, and then taken over', async () => {
    const release = await loading()
    await page.keyboard.press('p')
    const field = page.getByRole('textbox', { name: 'Text for the form' })
    await field.and(page.locator(':focus')).waitFor()
    const inputMethod = await protocolOf(page)
    await inputMethod.send('Input.imeSetComposition', { text: 'に', selectionStart: 1, selectionEnd: 1 })
    release()
    await page.locator('[data-region=detail] .facts').first().waitFor()
    expect(await field.inputValue()).toBe('に')
    await inputMethod.send('Input.insertText', { text: '日' })
    await inField(page, 'Reason')
    await expect.poll(() => form().getByLabel('Reason').inputValue()).toBe('日')
    await page.keyboard.press('Escape')
  })

  test('never send a form that was not rendered when Enter was pressed', async () => {
    // Which came first is decided by the clock.
    const release = await loading({ expire: true })
    await page.keyboard.press('p')
    await page.keyboard.type('Fraud')
    await page.keyboard.press('Control+Enter')
    await page.keyboard.type('jj')
    release()
    await page.getByText('Not sent: the form was not there yet').first().waitFor()
    expect(await form().getByLabel('Reason').inputValue()).toBe('Fraud')
    expect(await statusOf(portal, one)).toBe('ACTIVE')
    await page.keyboard.press('Control+Enter')
    await form().waitFor({ state: 'detached' })
    expect(await statusOf(portal, one)).toBe('PAUSED')
  })

  test.each(['Escape', 'a click', 'navigation'])('are dropped by %s', async (by) => {
    const release = await loading({ fromList: by === 'navigation' })
    await page.keyboard.press('p')
    await page.keyboard.type('Fraud')
    if (by === 'Escape') await page.keyboard.press('Escape')
    else if (by === 'a click') await page.mouse.click(5, 5)
    else await page.goBack()
    release()
    // A form that opened after all would get the next key, or be beside the palette.
    if (by === 'navigation') {
      await page.locator('[role=grid]:focus').waitFor()
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox', { name: 'Command palette' }).waitFor()
      expect(await form().count()).toBe(0)
    } else {
      await page.locator('[data-region=detail] .facts').first().waitFor()
      await page.locator('[data-region=detail]').focus()
      await page.keyboard.press('p')
      await inField(page, 'Reason')
      expect(await form().getByLabel('Reason').inputValue()).toBe('')
    }
    await page.keyboard.press('Escape')
    expect(await statusOf(portal, one)).toBe('ACTIVE')
  })

  test('are dropped after two seconds, with a message', async () => {
    const release = await loading({ expire: true })
    await page.keyboard.press('p')
    await page.keyboard.type('Fraud')
    await page.getByText('Keys pressed while it was loading were ignored.').first().waitFor()
    release()
    await page.locator('[data-region=detail] .facts').first().waitFor()
    await page.keyboard.press('p')
    await form().waitFor()
    expect(await form().getByLabel('Reason').inputValue()).toBe('')
    await page.keyboard.press('Escape')
  })

  test('are dropped with those that follow: letters of a dropped search do nothing to the record', async () => {
    const release = await loading({ expire: true })
    const ignored = page.getByText('Keys pressed while it was loading were ignored.').first()
    await page.keyboard.press('p')
    for (let keys = 0; keys < 100 && !(await ignored.count()); keys++) await page.keyboard.press('/', { delay: 30 })
    release()
    await page.keyboard.type('paused', { delay: 200 })
    await page.waitForTimeout(900)
    expect(await page.getByRole('dialog').count()).toBe(0)
    await page.getByRole('heading', { name: one.name }).waitFor()
    await page.keyboard.press('p')
    await form().waitFor()
    expect(await form().getByLabel('Reason').inputValue()).toBe('')
    await page.keyboard.press('Escape')
  })
})
