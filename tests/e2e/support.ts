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

/** The whole product as a person starts it: the server as a program, on a data folder and a port of its own. */
export interface Portal {
  /** `http://127.0.0.1:12345` */
  origin: string
  /** The data folder, which another server may share. */
  folder: string
  db: Kysely<Database>
  /** More settings than every server has here. */
  settings: Record<string, string>
  /** The program, to be killed in the middle of something. */
  server: ServerProcess
  /** Starts it again on the same folder and port after it ended. */
  restart: () => Promise<void>
  /** Closes its pages, ends the program and throws the folder away. */
  stop: () => Promise<void>
}

export interface PortalOptions {
  /** Makes a demo company of that size, which takes seconds. */
  employees?: number
  /** More settings of the server, such as IDLE_MINUTES. */
  settings?: Record<string, string>
}

const unnamed = new WeakMap<Portal, Set<string>>()

/**
 * The change that a request asks for without the name of a registered command, whose id is its path; null where there is
 * none. Signing in and out stands before and after every command, and a dry run changes nothing.
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

function refuseUnnamed(portal: Portal): void {
  const without = [...(unnamed.get(portal) ?? [])]
  unnamed.delete(portal)
  if (without.length) throw new Error(`Something was changed that no registered command changes: ${without.join('; ')}`)
}

/** A portal whose server runs already on that data folder; `leave` only closes its pages and the database. */
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
    refuseUnnamed(portal)
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
 * Starts the real server on a copy of this run's demo company, which has 2,000 employees, or on one of its own of another
 * size. One for each file of browser tests, in `beforeAll`.
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
 * The portal that the files of a process share, one after the other, which saves each of them a start of the server and the first load in
 * a new browser profile. For files that choose what they change, count nothing of others, and leave what a demo person sees first as
 * it was: their order is any. Its server ends with the run.
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
    refuseUnnamed(portal)
  }
  return Object.assign(portal, { stop })
}

export interface PageOptions {
  theme?: 'light' | 'dark'
  width?: number
  height?: number
  reducedMotion?: boolean
  /** The address to go to first. */
  path?: string
}

const problems = new WeakMap<Page, string[]>()

/** What went wrong in a page so far: uncaught errors, errors on its console, breaches of its Content-Security-Policy. */
export const problemsOf = (page: Page): readonly string[] => problems.get(page) ?? []

/** What a browser keeps of somebody who is signed in, by name. */
type StoredState = { name: string; value: string }[]

/**
 * Opens the portal in a browser profile of its own, as a person does who was never there, or who left only `kept` there. Where one is
 * kept, it may be a profile that a test before left, of which nothing but what it fetched is there any more.
 */
export async function openPage(portal: Portal, options: PageOptions = {}, kept: StoredState = []): Promise<Page> {
  const { theme = 'light', width = 1280, height = 800, reducedMotion = false, path = '/' } = options
  const look = { theme, width, height, reducedMotion }
  const before = kept.length > 0 ? await leftPage(portal, look) : undefined
  const page = before ?? (await newPage(portal, look))
  if (!before) page.context().on('request', (request) => void noteUnnamed(portal, request))
  const found: string[] = []
  problems.set(page, found)
  page.on('pageerror', (error) => found.push(String(error)))
  page.on('console', (message) => {
    // A refused call is told by the browser as well; that is the answer, not a fault of the page.
    if (message.type() === 'error' && !/Failed to load resource/.test(message.text())) found.push(message.text())
  })
  if (kept.length === 0) {
    await page.goto(path)
    return page
  }
  // Not by a storage state, for which a page more would be opened and closed. Only for the first load: it may change later.
  const keeping = await page.addInitScript((items) => {
    for (const storage of [sessionStorage, localStorage]) storage.clear()
    for (const { name, value } of items) localStorage.setItem(name, value)
  }, kept)
  await page.goto(path)
  await keeping.dispose()
  return page
}

function noteUnnamed(portal: Portal, request: Request): void {
  const change = unnamedChange(request)
  if (change) unnamed.set(portal, (unnamed.get(portal) ?? new Set()).add(change))
}

/** Signs a demo account in by keyboard alone, through password and code, and waits until the sign-in is gone. */
export async function signIn(portal: Portal, page: Page, email = 'priya.raman@example.com'): Promise<void> {
  const person = demoPerson(email)
  if (!person.totpSecret) throw new Error(`There is no demo account ${email} with an authenticator.`)
  // As if half a minute had gone by since this account signed in last: a code is good once.
  await portal.db.updateTable('people').set({ totp_last_step: null }).where('email', '=', email).execute()
  await page.locator('input[type=email]:focus, input[type=password]:focus').waitFor()
  if ((await focusedType(page)) === 'password') {
    // The e-mail of whose session ended in this page is there already; what runs on from before is swallowed until a pause.
    await page.waitForTimeout(900)
    const was = await page.locator('input[type=email]').inputValue()
    if (was !== email) throw new Error(`The sign-in is that of ${was}.`)
  } else {
    await page.keyboard.type(email)
    await page.keyboard.press('Tab')
  }
  // A button may stand between the two fields.
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

/** The session of somebody in this file, as a browser keeps it: the one of before while it lasts, else a new one. */
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
 * A page of somebody who is signed in, as in a tab more; how people sign in is for the tests of that. Every part of it has
 * arrived: keys wait two seconds at most, which a busy machine may need for that.
 */
export async function openSignedIn(portal: Portal, email = 'priya.raman@example.com', options?: PageOptions): Promise<Page> {
  // Another API may have no call that tells who one is: there only signing in does.
  const page = await openPage(portal, options, portal.settings['API_BASE'] ? [] : await sessionOf(portal, email))
  if (portal.settings['API_BASE']) await signIn(portal, page, email)
  await page.locator('[data-region=work]').waitFor()
  // What is not there by then is what a test is about.
  const palette = page.locator('input[placeholder^="Type a command"]')
  await palette.waitFor({ state: 'attached', timeout: 10_000 }).catch(() => undefined)
  return page
}

const goingOn = new WeakMap<Portal, Map<string, Page>>()

/**
 * The page in which somebody goes on from one test of a file to the next: loaded once, later nothing but taken elsewhere. For
 * tests that leave it whole: no calls that fail, no other profile.
 */
export async function goOn(portal: Portal, email = 'priya.raman@example.com', path = '/'): Promise<Page> {
  const pages = goingOn.get(portal) ?? new Map<string, Page>()
  goingOn.set(portal, pages)
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

/** Closes what lies over the page. */
export async function closeAll(page: Page): Promise<void> {
  for (let tries = 0; tries < 400; tries++) {
    if ((await page.locator('[role=dialog], [role=alertdialog], [role=menu]').count()) === 0) return
    await page.keyboard.press('Escape')
    await page.waitForTimeout(30)
  }
  throw new Error('Something over the screen does not close by Escape.')
}

/**
 * Goes to an address as Back and Forward do, in the page that is there: a load takes more than a second of processor, and
 * is for tests of what a reload or a link from outside does.
 */
export const follow = (page: Page, path: string): Promise<void> =>
  page.evaluate((address) => {
    history.pushState(null, '', address)
    dispatchEvent(new PopStateEvent('popstate'))
  }, path)

/** Waits until a list is there, with the keyboard in it. */
async function inList(page: Page): Promise<void> {
  await page.locator('[role=grid]:focus').waitFor()
  await page.locator('[role=row][id]').first().waitFor()
}

/** Goes to a list with the keyboard in it; what was marked there and the row one was at are kept. */
export async function visitList(page: Page, path: string): Promise<void> {
  await follow(page, path)
  await inList(page)
}

/** The same with a load: nothing is marked, and one is at the first row. */
export async function loadList(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await inList(page)
}

/** Evaluates in the page through the protocol, which no policy of the page stops; promises are waited for. */
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

/** What axe-core finds wrong with the page, or with a part of it: rule, element, and what to do. */
export async function axeViolations(page: Page, selector = 'html'): Promise<string[]> {
  if (!(await evaluate<boolean>(page, `typeof globalThis.axe === 'object'`))) await evaluate(page, axe.source)
  return evaluate(
    page,
    `axe.run(${JSON.stringify(selector)}, { resultTypes: ['violations'] }).then(({ violations }) =>
       violations.flatMap((rule) => rule.nodes.map((node) => rule.id + ': ' + node.target.join(' ') + ': ' + node.failureSummary)))`,
  )
}

/** Slows the processor of a page down: 4 is a weak laptop, 1 this machine. */
export async function slowDown(page: Page, rate: number): Promise<void> {
  await (await protocolOf(page)).send('Emulation.setCPUThrottlingRate', { rate })
}

/** Pulls the network plug of a page, or puts it back. */
export const offline = (page: Page, off: boolean): Promise<void> => page.context().setOffline(off)

let probes = 0

/**
 * Handles those calls from now on. A browser that has only just been told to still lets some through, the next four it was once: until
 * one of its own is handled nothing else is asked for.
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
 * Has the server fail at those calls, of one method where one is named. A change is sent again after 1, 2 and 4 seconds, or as soon as
 * the network is back: that is said at once, since how long it waits is for the tests of that.
 */
export async function failAt(page: Page, calls: string, method?: string): Promise<void> {
  await routed(page, calls, async (route) => {
    if (method && route.request().method() !== method) return route.continue()
    await route.fulfill({ status: 500, contentType: 'application/problem+json', body: '{}' })
    // It waits once it has read the answer. What has ended by then waits no more.
    await page.waitForTimeout(50).catch(() => undefined)
    await page.evaluate(() => dispatchEvent(new Event('online'))).catch(() => undefined)
  })
}

/** Keeps a picture of the page as .cache/shots/{name}.png. */
export async function shot(page: Page, name: string): Promise<void> {
  await mkdir('.cache/shots', { recursive: true })
  await page.screenshot({ path: `.cache/shots/${name}.png` })
}
