import { globSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { permissionIds } from '#domain/permissions.ts'
import { availability } from '#kernel/availability.ts'
import type { Command } from '#kernel/command.ts'
import { likelyQuery } from '#kernel/suggested-filter.ts'
import type { CommandContext } from '#kernel/command-context.ts'
import { inField } from '#tests/e2e/at-work.ts'
import { drawn } from '#tests/e2e/drawn.ts'
import { closeAll, follow, openSignedIn, type Portal, startPortal, unnamedChange } from '#tests/e2e/support.ts'
import { signInAs } from '#tests/support/sign-in.ts'

const modules = await Promise.all(
  globSync('commands/**/!(*.page).ts').map((path) => import(new URL(`../../${path}`, import.meta.url).href)),
)
const commands: Command[] = modules.flatMap((module) => [module.default].flat())
const ids = new Set(commands.map((command) => command.id))

let portal: Portal
let page: Page
/** Changes sent without the name of a command, and changes sent with one. */
const unnamed: string[] = []
const named = new Set<string>()

beforeAll(async () => {
  portal = await startPortal()
  page = await openSignedIn(portal, undefined, { path: '/employees', width: 1440, height: 900 })
  page.on('request', (request) => {
    const change = unnamedChange(request)
    const { command } = request.headers()
    if (change) unnamed.push(change)
    else if (request.method() !== 'GET' && command) named.add(command)
  })
  await page.locator('[role=row][id]').first().waitFor()
})
afterAll(() => portal?.stop())

const palette = () => page.getByRole('combobox', { name: 'Command palette' })

/** State that only a command may change, and when each command was used. */
interface PageState {
  /** The open list and tab, with the visible filters, search and sort order. */
  list: string
  /** The stored state of the browser, without recent uses and records. */
  keeps: string
  uses: Record<string, string>
  /** The name of the topmost dialog. */
  dialog: string | null
  said: string
}

const here = (): Promise<PageState> =>
  page.evaluate(() => {
    const kept = Object.entries(localStorage)
    const texts = (selector: string) => [...document.querySelectorAll<HTMLElement>(selector)].map((each) => each.innerText)
    const sheets = [...document.querySelectorAll('[role=dialog], [role=alertdialog]')]
    const heads = [...document.querySelectorAll('[aria-sort]')].map(
      (head) => `${head.textContent} ${head.getAttribute('aria-sort')}`,
    )
    return {
      list: [
        location.pathname.split('/')[1] + texts('[data-region=detail] [role=tab][aria-selected=true]').join(),
        ...texts('[data-chip]'),
        ...heads,
      ].join(' | '),
      keeps: JSON.stringify(kept.filter(([name]) => !/\.(uses|recent|active-at)\b/.test(name)).sort()),
      uses: Object.fromEntries(
        kept
          .filter(([name]) => name.includes('.uses.'))
          .flatMap(([, text]) =>
            Object.entries(JSON.parse(text) as Record<string, number[]>).map(([id, times]) => [id, times.join()]),
          ),
      ),
      dialog: sheets.at(-1)?.getAttribute('aria-label') ?? sheets.at(-1)?.querySelector('h2')?.textContent ?? null,
      said: texts('[aria-label=Messages] p').join(' | '),
    }
  })

/** The commands used between two states. */
const commandsUsedSince = (before: PageState, now: PageState): string[] =>
  Object.keys(now.uses).filter((id) => now.uses[id] !== before.uses[id])

/** Opens an address with nothing over the screen, and waits until it is rendered. */
async function goTo(path: string): Promise<void> {
  await closeAll(page)
  await follow(page, path)
  const [, list, record] = new URL(path, portal.origin).pathname.split('/')
  const content = record
    ? page.locator('[data-region=detail] [role=tabpanel]:not(:empty)')
    : page.locator(list ? '[role=row][id], .list-notice:visible, main h1' : 'main')
  await content
    .first()
    .waitFor({ timeout: 60_000 })
    .catch(() => Promise.reject(new Error(`${path} is not drawn.`)))
}

/** Everything clickable and visible below a selector. */
const controls = 'button:not([disabled]), a[href], [role=tab], [role=menuitem], [role=columnheader].cell-sorts'

const labelsIn = (within: string): Promise<string[]> =>
  page.evaluate(
    ([scope, selector]) => [
      ...new Set(
        [...document.querySelectorAll<HTMLElement>(scope as string)]
          .flatMap((part) => [...part.querySelectorAll<HTMLElement>(selector as string)])
          .filter((each) => each.checkVisibility({ visibilityProperty: true }))
          .map((each) => each.getAttribute('aria-label') ?? each.innerText.replace(/\s+/g, ' ').trim()),
      ),
    ],
    [within, controls],
  )

/** Clicks the first control with this label; false where it no longer exists. */
const click = (within: string, label: string): Promise<boolean> =>
  page.evaluate(
    ([scope, selector, wanted]) => {
      const found = [...document.querySelectorAll<HTMLElement>(scope as string)]
        .flatMap((part) => [...part.querySelectorAll<HTMLElement>(selector as string)])
        .filter((each) => each.checkVisibility({ visibilityProperty: true }))
        .find((each) => (each.getAttribute('aria-label') ?? each.innerText.replace(/\s+/g, ' ').trim()) === wanted)
      found?.focus()
      found?.click()
      return found !== undefined
    },
    [within, controls, label],
  )

/** Whether a registered command followed: used, asking for input, or explaining why not. */
const started = (before: PageState, now: PageState): boolean =>
  commandsUsedSince(before, now).some((id) => ids.has(id)) ||
  commands.some((command) => command.title === now.dialog) ||
  (now.said !== before.said && now.said !== '')

const frame = '.frame-top, .frame-rail, .frame-bar, nav'
const work = '[data-region=work]'

/** The newest record of a list. */
async function newestOf(list: string): Promise<string> {
  const table = list.replace('-', '_') as 'invoices'
  const row = await portal.db.selectFrom(table).select('id').orderBy('id', 'desc').limit(1).executeTakeFirstOrThrow()
  return String(row.id)
}

describe('every button', () => {
  test('[CARD-001, CARD-003] of every screen changes nothing, or runs a registered command', async () => {
    const records = [
      ...['general', 'linked-accounts', 'history', 'rewards'].map((tab) => ['employees', tab] as const),
      ['users', 'general'] as const,
      ...['general', 'employees', 'repayments', 'write-offs', 'ledger', 'history'].map((tab) => ['invoices', tab] as const),
      ...(['repayments', 'write-offs', 'deductions'] as const).map((list) => [list, 'general'] as const),
    ]
    const screens = [
      { path: '/employees', within: frame },
      ...[
        '/dashboard',
        '/employees',
        '/users',
        '/invoices',
        '/repayments',
        '/write-offs',
        '/deductions',
        '/bank-results',
        '/nowhere',
      ].map((path) => ({ path, within: work })),
      { path: '/employees?status_type=is&status_value=ACTIVE&brand_type=is&brand_value=none&q=a', within: work },
      { path: '/employees?q=qqqqzzzz', within: work },
      { path: '/invoices?status_type=is&status_value=ASLEEP', within: work },
      ...(await Promise.all(
        records.map(async ([list, tab]) => ({
          path: `/${list}/${await newestOf(list)}?tab=${tab}`,
          within: '[data-region=detail]',
        })),
      )),
    ]
    const clicked = new Set<string>()
    const faults: string[] = []
    for (const { path, within } of screens) {
      await goTo(path)
      const place = path.replace(/\d+/, 'N')
      for (const label of await labelsIn(within)) {
        const actions = within.includes('detail') ? path.split('/')[1] : place
        if (clicked.has(`${actions} ${label}`)) continue
        await goTo(path)
        const before = await here()
        if (!(await click(within, label))) continue
        clicked.add(`${actions} ${label}`)
        await drawn(page)
        const now = await here()
        const same = now.list.split(' | ')[0] === before.list.split(' | ')[0]
        const changed = now.keeps !== before.keeps || (same && now.list !== before.list)
        if (changed && !commandsUsedSince(before, now).some((id) => ids.has(id)))
          faults.push(`${label} at ${place}: ${before.list} -> ${now.list}; uses ${commandsUsedSince(before, now)}`)
      }
    }
    expect(faults).toEqual([])
    expect(unnamed).toEqual([])
    expect(clicked.size).toBeGreaterThan(100)
  })
})

describe('over the screens', () => {
  const pressed = async (name: string | RegExp, id: string) => {
    const before = await here()
    await page.getByRole('button', { name }).first().click()
    await expect.poll(async () => commandsUsedSince(before, await here()), { message: id }).toContain(id)
  }

  /** Starts to pause the first rows of the list, with delayed answers. */
  async function pauseRows(many: number): Promise<void> {
    await goTo('/employees?status_type=is&status_value=ACTIVE')
    await page.locator('[role=grid]').focus()
    await page.keyboard.press('Control+Home')
    for (let row = 0; row < many; row++) for (const key of ['x', 'ArrowDown']) await page.keyboard.press(key)
    await page.keyboard.press('p')
    await inField(page, 'Reason')
    await page.keyboard.type('Leave')
    await page.keyboard.press('Control+Enter')
  }

  test('[CARD-001] a bulk run is opened, stopped, retried and undone by registered commands', async () => {
    await page.route('**/api/employees/*', async (route) => {
      if (route.request().method() === 'PATCH') await new Promise((resolve) => setTimeout(resolve, 1_000))
      await route.fallback()
    })
    await pauseRows(20)
    await page.getByRole('button', { name: 'Stop' }).waitFor()
    await page.keyboard.press('Escape')
    await pressed(/Pause employee: /, 'session.run')
    await pressed('Stop', 'run.stop')
    await page.unroute('**/api/employees/*')
    await pressed(/^Retry the \d/, 'run.retry')
    await pressed(/^Undo \d/, 'session.undo')
    await expect.poll(() => [...named]).toEqual(expect.arrayContaining(['employee.pause']))
    expect(unnamed).toEqual([])
  })

  test('[CARD-001, CARD-003] the menu of the person has only registered commands', async () => {
    await goTo('/employees')
    const items = page.getByRole('menuitem')
    const button = page.getByRole('button', { name: /: menu$/ })
    await button.click()
    await items.first().waitFor()
    const titles = (await items.allInnerTexts()).map((text) => text.split('\n')[0] ?? '')
    expect(titles.length).toBeGreaterThan(3)
    for (const title of titles.filter((each) => each !== 'Sign out')) {
      await closeAll(page)
      const before = await here()
      await button.click()
      await items.filter({ hasText: title }).click()
      await expect.poll(async () => started(before, await here()), { message: title }).toBe(true)
    }
    expect(unnamed).toEqual([])
  })
})

/** Types a command's title into the palette, where it must be first; returns why it cannot be run, or null. */
async function whyNot(command: Command): Promise<string | null> {
  if ((await palette().count()) === 0) await page.keyboard.press('Control+k')
  await palette().fill(`>${command.title}`)
  const first = page.locator('[role=option][data-position="0"]')
  // The command that repeats is named after what it repeats, if something was run before.
  const shown = command.id === 'session.repeat' ? /^Repeat(: [A-Z].*| the last command)$/ : command.title
  const title = () => first.locator('span[id$=-title]').textContent()
  await expect.poll(title, { interval: 10 }).toEqual(typeof shown === 'string' ? shown : expect.stringMatching(shown))
  return (await first.getAttribute('aria-disabled')) === null ? null : first.locator('[id$=-note]').textContent()
}

describe('every command', () => {
  const last = 'session.sign-out'
  const walked = [...commands.filter(({ id }) => id !== last), ...commands.filter(({ id }) => id === last)]

  test('[CARD-003] is first in the palette by its title, and Enter asks, runs it, or says why not', async () => {
    await goTo('/employees')
    const silent: string[] = []
    const kinds = new Set<string>()
    for (const command of walked) {
      // Commands of a noun that nothing is selected of ask for their target, and a filter has a command for each noun and value:
      // one of each kind is run. That every title finds its command, and asks for a target, is tested without a browser.
      const { id, on } = command
      const kind =
        on && on.name !== 'employee'
          ? `other ${'does' in command ? 'change' : 'move'}`
          : (/^filter\.(by|show)/.exec(id)?.[0] ?? id)
      if (kinds.has(kind)) continue
      kinds.add(kind)
      const why = await whyNot(command)
      const before = await here()
      await page.keyboard.press('Enter')
      if (why !== null) {
        if (!/^[A-Z].*\.$/.test(why)) silent.push(`${command.id}: ${why}`)
        continue
      }
      await expect
        .poll(async () => started(before, await here()), { timeout: 30_000, interval: 10 })
        .toBe(true)
        .catch(() => silent.push(command.id))
      await closeAll(page)
    }
    expect(silent).toEqual([])
    expect(unnamed).toEqual([])
    expect(kinds.size).toBeGreaterThan(100)
  })

  test('[CARD-005] suggests filters of its list for eligible records, which are correct', async () => {
    const everywhere: CommandContext = {
      ...{ signedIn: true, held: new Set(permissionIds), supports: () => true },
      ...{ selection: null, pane: null, open: null, online: true },
    }
    const headers = await signInAs(portal, 'priya.raman@example.com')
    const odd: string[] = []
    const suggested = commands.filter(({ suggestedFilter }) => suggestedFilter)
    expect(suggested.length).toBeGreaterThan(20)
    for (const command of suggested) {
      const { on, suggestedFilter = {} } = command
      if (!on) throw new Error(`${command.id} has no noun.`)
      const filtered = likelyQuery({ ...command, on })
      const query = new URLSearchParams({ ...on.query, ...filtered, limit: '50' })
      const answer = await fetch(`${portal.origin}/api${on.list.path}?${query}`, { headers })
      const rows = answer.ok ? on.rows((await answer.json()) as never) : []
      const all = Object.keys(suggestedFilter).every((id) => on.filters.some((filter) => filter.id === id))
      if (!answer.ok || !all || Object.keys(filtered).length === 0) odd.push(`${command.id}: ${query}`)
      const refused = rows.filter((row) => 'sentence' in availability(command, everywhere, row))
      if (rows.length > 0 && refused.length === rows.length) odd.push(`${command.id}: ${refused.length} of ${rows.length} refuse`)
    }
    expect(odd).toEqual([])
  })
})
