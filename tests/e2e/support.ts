import { randomUUID } from 'node:crypto'
import { existsSync, writeFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import axe from 'axe-core'
import type { Kysely } from 'kysely'
import type { Page, Request } from 'playwright-core'
import { demoPassword } from '#server/auth/demo-people.ts'
import { codeOfStep, stepAt } from '#server/auth/totp.ts'
import type { Database } from '#server/tables/database.ts'
import { closeProfiles, closeForGood, leaveProfiles, leftPage, newPage, protocolOf } from '#tests/e2e/profiles.ts'
import { demoEmployees, sharedFolder, sharedServer } from '#tests/support/demo-folder.ts'
import { copyData, databaseIn, type ServerProcess, startProcess } from '#tests/support/process.ts'
import { demoPerson, signInAs } from '#tests/support/sign-in.ts'

/** The complete product: the server as a process, with its own data folder and port. */
export interface Portal {
  /** `http://127.0.0.1:12345` */
  origin: string
  /** The data folder, which may be shared with another server. */
  folder: string
  db: Kysely<Database>
  /** Further settings of this server. */
  settings: Record<string, string>
  /** The server process, so that tests can kill it. */
  server: ServerProcess
  /** Restarts it on the same folder and port after it ended. */
  restart: () => Promise<void>
  /** Closes its pages, stops the process and deletes the folder. */
  stop: () => Promise<void>
}

export interface PortalOptions {
  /** Creates a demo company of that size, which takes seconds. */
  employees?: number
  /** Further settings of the server, such as IDLE_MINUTES. */
  settings?: Record<string, string>
}

const unnamed = new WeakMap<Portal, Set<string>>()

/**
 * The change of a request without the name of a registered command, whose id is its path; null where there is none. Sign-in and
 * sign-out calls do not belong to a command, and a dry run changes nothing.
 */
export function unnamedChange(request: Request): string | null {
  const path = new URL(request.url()).pathname
  const { command } = request.headers()
  const apart =
    /^\/api\/(auth\b|[0-9a-f-]{36}\/(mfa|recovery-code)$|mappings\/preview$)/.test(path) ||
    /"dry_run":true/.test(request.postData() ?? '')
  if (!path.startsWith('/api/') || ['GET', 'HEAD', 'OPTIONS'].includes(request.method()) || apart) return null
  const [noun, verb] = command?.split('.') ?? []
  return noun && verb && existsSync(`commands/${noun}/${verb}.ts`)
    ? null
    : `${request.method()} ${path} by ${command ?? 'no command'}`
}

function expectNoUnnamedChange(portal: Portal): void {
  const without = [...(unnamed.get(portal) ?? [])]
  unnamed.delete(portal)
  if (without.length) throw new Error(`Changes without a registered command: ${without.join('; ')}`)
}

/** A portal whose server already runs on that data folder; `leave` only closes its pages and the database. */
export async function portalOn(
  origin: string,
  folder: string,
  server: ServerProcess,
  settings: Record<string, string> = {},
): Promise<Portal & { leave: () => Promise<void> }> {
  const db = await databaseIn(folder)
  const leave = async () => {
    await closeProfiles(portal)
    await db.destroy()
    expectNoUnnamedChange(portal)
  }
  const portal = {
    origin,
    folder,
    db,
    settings,
    server,
    leave,
    restart: async () => {
      portal.server = startProcess({ DATA_DIR: folder, ...settings, PORT: new URL(origin).port })
      await portal.server.ready
    },
    stop: async () => {
      try {
        await leave()
      } finally {
        portal.server.child.kill('SIGTERM')
        await portal.server.ended
        await rm(folder, { recursive: true, force: true })
      }
    },
  }
  return portal
}

/**
 * Starts the real server on a copy of this run's demo company, which has 2,000 employees, or on its own of another size. One per
 * file of browser tests, in `beforeAll`.
 */
export const startPortal = async (options?: PortalOptions): Promise<Portal> =>
  startIn(await mkdtemp(join(tmpdir(), 'admin-portal-e2e-')), options)

async function startIn(folder: string, { employees, settings = {} }: PortalOptions = {}): Promise<Portal> {
  if (employees === undefined) copyData((await import('vitest')).inject('demoFolder'), folder)
  const all = { EMPLOYEES: String(employees ?? demoEmployees), ...settings }
  const server = startProcess({ DATA_DIR: folder, ...all })
  return portalOn(await server.ready, folder, server, all)
}

let shared: Promise<Portal> | undefined

/**
 * The portal shared by the files of a process, which saves each a server start and the first load in a new profile. For files
 * that select their own data, do not count that of others, and leave what a demo person sees first unchanged: they run in any
 * order. Its server stops with the run.
 */
export function sharePortal(): Promise<Portal> {
  shared ??= startShared()
  return shared
}

async function startShared(): Promise<Portal> {
  const { inject } = await import('vitest')
  const folder = sharedFolder(inject('demoFolder'), process.env['VITEST_POOL_ID'] as string)
  const portal = await startIn(folder)
  writeFileSync(join(folder, sharedServer), String(portal.server.child.pid))
  const stop = async () => {
    await leaveProfiles(portal)
    expectNoUnnamedChange(portal)
  }
  return Object.assign(portal, { stop })
}

export interface PageOptions {
  theme?: 'light' | 'dark'
  width?: number
  height?: number
  reducedMotion?: boolean
  /** The address to open first. */
  path?: string
  /** Installs a clock that the test can advance (`page.clock`). Such a page is not reused. */
  clock?: boolean
}

const problems = new WeakMap<Page, string[]>()

/** Problems of a page so far: uncaught errors, console errors, violations of its Content-Security-Policy. */
export const problemsOf = (page: Page): readonly string[] => problems.get(page) ?? []

/** Local storage of a signed-in person. */
type StoredState = { name: string; value: string }[]

/**
 * Opens the portal in a browser profile without any data, or with only `kept`. The profile may be one left by an earlier test, with
 * nothing but cached files.
 */
export async function openPage(portal: Portal, options: PageOptions = {}, kept: StoredState = []): Promise<Page> {
  const { theme = 'light', width = 1280, height = 800, reducedMotion = false, path = '/', clock = false } = options
  const look = { theme, width, height, reducedMotion }
  const before = clock ? undefined : await leftPage(portal, look)
  const page = before ?? (await newPage(portal, look))
  if (!before) page.context().on('request', (request) => void recordUnnamedChange(portal, request))
  if (clock) {
    await page.clock.install()
    closeForGood(page)
  }
  const found: string[] = []
  problems.set(page, found)
  page.on('pageerror', (error) => found.push(String(error)))
  page.on('console', (message) => {
    // The browser also logs a refused call; that is not an error of the page.
    if (message.type() === 'error' && !/Failed to load resource/.test(message.text())) found.push(message.text())
  })
  // Another hash of the address left there would load nothing.
  if (before && path.includes('#')) await page.goto('about:blank')
  // A storage state would open and close another page. Only for the first load: the storage may change later.
  const keeping = await page.addInitScript((items) => {
    for (const storage of [sessionStorage, localStorage]) storage.clear()
    for (const { name, value } of items) localStorage.setItem(name, value)
  }, kept)
  await page.goto(path)
  await keeping.dispose()
  return page
}

function recordUnnamedChange(portal: Portal, request: Request): void {
  const change = unnamedChange(request)
  if (change) unnamed.set(portal, (unnamed.get(portal) ?? new Set()).add(change))
}

/** Signs a demo account in by keyboard, with password and code, and waits until the sign-in has closed. */
export async function signIn(portal: Portal, page: Page, email = 'priya.raman@example.com'): Promise<void> {
  const person = demoPerson(email)
  if (!person.totpSecret) throw new Error(`There is no demo account ${email} with an authenticator.`)
  // As if half a minute had passed since the last sign-in of this account: a code can be used once.
  await portal.db.updateTable('people').set({ totp_last_step: null }).where('email', '=', email).execute()
  await page.locator('input[type=email]:focus, input[type=password]:focus').waitFor()
  if ((await focusedType(page)) === 'password') {
    // After an ended session the e-mail is prefilled; keys typed on are swallowed until a pause.
    await page.waitForTimeout(900)
    const was = await page.locator('input[type=email]').inputValue()
    if (was !== email) throw new Error(`The sign-in is that of ${was}.`)
  } else {
    await page.keyboard.type(email)
    await page.keyboard.press('Tab')
  }
  // A button may be between the two fields.
  for (let hops = 0; hops < 3 && (await focusedType(page)) !== 'password'; hops++) await page.keyboard.press('Tab')
  await page.keyboard.type(demoPassword)
  await page.keyboard.press('Enter')
  const code = page.locator('input[autocomplete=one-time-code]:focus')
  await code.waitFor()
  await page.keyboard.type(codeOfStep(person.totpSecret, stepAt(new Date())))
  await page.keyboard.press('Enter')
  await code.waitFor({ state: 'detached' })
}

const focusedType = (page: Page): Promise<string | null> =>
  page.evaluate(() => document.activeElement?.getAttribute('type') ?? null)

const sessionsKept = new WeakMap<Portal, Map<string, StoredState>>()

/** The stored session of a person in this file: the previous one while it is valid, else a new one. */
async function sessionOf(portal: Portal, email: string): Promise<StoredState> {
  const sessions = sessionsKept.get(portal) ?? new Map<string, StoredState>()
  sessionsKept.set(portal, sessions)
  const before = sessions.get(email)
  const keptAs = (name: string) => before?.find((each) => each.name === `admin-portal.${name}`)?.value ?? ''
  const headers = {
    'application-key': keptAs('application-key'),
    'application-name': 'ADMIN_PORTAL',
    authorization: `Bearer ${keptAs('token')}`,
  }
  if (before && (await fetch(`${portal.origin}/api/me`, { headers })).ok) return before
  const device = randomUUID()
  const made = await signInAs(portal, email, { 'device-id': device })
  const kept = Object.entries({
    'application-key': made['application-key'] as string,
    token: (made.authorization as string).slice('Bearer '.length),
    device,
  }).map(([name, value]) => ({ name: `admin-portal.${name}`, value }))
  sessions.set(email, kept)
  return kept
}

/**
 * A page of a signed-in person, like another tab; sign-in has its own tests. Every part of it has loaded: keys wait at most two
 * seconds, which a busy machine may need for that.
 */
export async function openSignedIn(portal: Portal, email = 'priya.raman@example.com', options?: PageOptions): Promise<Page> {
  // Another API may have no call that identifies the user: there only signing in does.
  const page = await openPage(portal, options, portal.settings['API_BASE'] ? [] : await sessionOf(portal, email))
  if (portal.settings['API_BASE']) await signIn(portal, page, email)
  await page.locator('[data-region=work]').waitFor()
  // Parts that are missing by then are the subject of the test.
  const palette = page.locator('input[placeholder^="Type a command"]')
  await palette.waitFor({ state: 'attached', timeout: 10_000 }).catch(() => undefined)
  return page
}

const sharedPages = new WeakMap<Portal, Map<string, Page>>()

/**
 * The page that the tests of a file share: loaded once, then only navigated. For tests that leave it intact: no failing calls, no
 * other profile.
 */
export async function openShared(portal: Portal, email = 'priya.raman@example.com', path = '/'): Promise<Page> {
  const pages = sharedPages.get(portal) ?? new Map<string, Page>()
  sharedPages.set(portal, pages)
  const known = pages.get(email)
  if (known && !known.isClosed()) {
    await closeAll(known)
    await follow(known, path)
    return known
  }
  const page = await openSignedIn(portal, email, { path })
  closeForGood(page)
  pages.set(email, page)
  return page
}

/** Closes everything over the page. */
export async function closeAll(page: Page): Promise<void> {
  for (let tries = 0; tries < 400; tries++) {
    if ((await page.locator('[role=dialog], [role=alertdialog], [role=menu]').count()) === 0) return
    await page.keyboard.press('Escape')
    await page.waitForTimeout(30)
  }
  throw new Error('Something over the screen does not close by Escape.')
}

/**
 * Navigates as Back and Forward do, without a load: a load takes more than a second of processor time, and is for tests of
 * reloads and external links.
 */
export const follow = (page: Page, path: string): Promise<void> =>
  page.evaluate((address) => {
    history.pushState(null, '', address)
    dispatchEvent(new PopStateEvent('popstate'))
  }, path)

/** Waits until a list has loaded and has the focus. */
async function inList(page: Page): Promise<void> {
  await page.locator('[role=grid]:focus').waitFor()
  await page.locator('[role=row][id]').first().waitFor()
}

/** Opens a list with focus; its marked rows and current row are kept. */
export async function visitList(page: Page, path: string): Promise<void> {
  await follow(page, path)
  await inList(page)
}

/** The same with a load: nothing is marked, and the first row is current. */
export async function loadList(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await inList(page)
}

const recordTab = (page: Page, options: Parameters<Page['getByRole']>[1]) =>
  page.locator('[data-region=detail]').getByRole('tab', options)

/** The titles of the tabs of the open record, also of those in the menu at the end of their row. */
export const tabsOf = (page: Page): Promise<string[]> => recordTab(page, { includeHidden: true }).allTextContents()

/** Opens a tab of the open record, from the menu at the end of the row if it does not fit into it. */
export async function openTab(page: Page, name: string): Promise<void> {
  const tab = recordTab(page, { name, exact: true, includeHidden: true })
  await tab.waitFor({ state: 'attached' })
  if (await tab.isVisible()) await tab.click()
  else {
    await page.getByRole('button', { name: 'More tabs' }).click()
    await page.getByRole('menuitem', { name }).click()
  }
  await recordTab(page, { name, exact: true, selected: true }).waitFor()
}

/** Evaluates in the page through the protocol, which bypasses its CSP; awaits promises. */
export async function evaluate<T>(page: Page, expression: string): Promise<T> {
  const protocol = await protocolOf(page)
  const { result, exceptionDetails } = await protocol.send('Runtime.evaluate', {
    expression,
    awaitPromise: true,
    returnByValue: true,
  })
  if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text)
  return result.value as T
}

/** Violations that axe-core finds in the page or a part of it: rule, element, and fix. */
export async function axeViolations(page: Page, selector = 'html'): Promise<string[]> {
  if (!(await evaluate<boolean>(page, `typeof globalThis.axe === 'object'`))) await evaluate(page, axe.source)
  return evaluate(
    page,
    `axe.run(${JSON.stringify(selector)}, { resultTypes: ['violations'] }).then(({ violations }) =>
       violations.flatMap((rule) => rule.nodes.map((node) => rule.id + ': ' + node.target.join(' ') + ': ' + node.failureSummary)))`,
  )
}

/** Slows down the processor of a page: 4 is a weak laptop, 1 this machine. */
export async function slowDown(page: Page, rate: number): Promise<void> {
  await (await protocolOf(page)).send('Emulation.setCPUThrottlingRate', { rate })
}

/** Takes a page offline, or back online. */
export const offline = (page: Page, off: boolean): Promise<void> => page.context().setOffline(off)

let probes = 0

/**
 * Intercepts these calls. Interception starts with a delay (once, four calls passed): waits until a probe call is intercepted.
 */
export async function routed(
  page: Page,
  calls: Parameters<Page['route']>[0],
  handle: Parameters<Page['route']>[1],
): Promise<void> {
  const probe = `/probe-${probes++}`
  await page.route(`**${probe}`, (route) => route.fulfill({ status: 204 }))
  await page.route(calls, handle)
  await page.waitForFunction(async (path) => (await fetch(path)).status === 204, probe)
}

/**
 * Does something when the next change arrives, before it is answered. What the page reads by itself waits until then, so that it
 * does not notice first, such as the end of the session.
 */
export async function whenSent(page: Page, act: () => Promise<unknown>): Promise<void> {
  let answered: Promise<unknown> | null = null
  await routed(page, '**/api/**', async (route) => {
    const request = route.request()
    if (!answered && request.method() !== 'GET') {
      const predicate = (each: Request) => each === request
      const ends = [page.waitForEvent('requestfinished', { predicate }), page.waitForEvent('requestfailed', { predicate })].map(
        (end) => end.catch(() => undefined),
      )
      // A page that is closed by then has no answer.
      answered = Promise.race(ends)
      await act()
    } else if (request.method() === 'GET') await answered
    await route.fallback()
  })
}

/**
 * Fails these calls, optionally of one method. A change is retried after 1, 2 and 4 seconds, or as soon as the network is back:
 * that event is sent at once, since the delays have their own tests.
 */
export async function failAt(page: Page, calls: string, method?: string): Promise<void> {
  await routed(page, calls, async (route) => {
    if (method && route.request().method() !== method) return route.continue()
    await route.fulfill({ status: 500, contentType: 'application/problem+json', body: '{}' })
    // The client waits once it has read the answer. A page that was closed by then needs no event.
    await page.waitForTimeout(50).catch(() => undefined)
    await page.evaluate(() => dispatchEvent(new Event('online'))).catch(() => undefined)
  })
}

/** Saves a screenshot of the page as .cache/shots/{name}.png, with `SHOTS=1`: nothing is tested by it. */
export async function shot(page: Page, name: string): Promise<void> {
  if (!process.env['SHOTS']) return
  await mkdir('.cache/shots', { recursive: true })
  await page.screenshot({ path: `.cache/shots/${name}.png` })
}
