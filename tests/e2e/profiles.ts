import { type Browser, type BrowserContext, type CDPSession, chromium, type Page } from 'playwright-core'
import { findChromium } from '../../scripts/chromium.ts'

/** The owner of a page: the portal at an origin. */
interface Owner {
  origin: string
}

interface Look {
  theme: 'light' | 'dark'
  width: number
  height: number
  reducedMotion: boolean
}

/** The Chromium of this process, shared by its test files, with a profile per page. */
let browser: Promise<Browser> | undefined
const profiles = new WeakMap<Owner, BrowserContext[]>()
/** Pages whose profile was closed by their test, to be reused. */
const left = new WeakMap<Owner, Page[]>()
const sessions = new WeakMap<Page, Promise<CDPSession>>()
/** Closes a profile for good. */
const closers = new WeakMap<BrowserContext, () => Promise<void>>()

/** Starts the Chromium of the tests. A crash before the first page is retried once. */
export function launch(): Promise<Browser> {
  const executablePath = findChromium()
  if (!executablePath) throw new Error('There is no Chromium: install one, or name it in CHROMIUM.')
  const options = {
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      // Skips the frames of smooth scrolling, which no test looks at; the benches do.
      ...(process.env['VITEST'] ? ['--disable-smooth-scrolling'] : []),
      // With two pages on two processors, the compiler and garbage collector threads of each page cost a tenth more time. The
      // optimizing compilers cost a page that lives for seconds more than they save it; the benches have them.
      `--js-flags=--single-threaded${process.env['VITEST'] ? ' --no-opt --no-maglev' : ''}`,
      // Two processes less per browser, with the same work: a load is an eighth faster.
      '--in-process-gpu',
      '--enable-features=NetworkServiceInProcess2,CDPScreenshotNewSurface',
    ],
  }
  return chromium.launch(options).catch(() => chromium.launch(options))
}

/** Closes the Chromium of the pages. A process that is not a test would never exit without this. */
export async function closeBrowser(): Promise<void> {
  await (await browser)?.close()
  browser = undefined
}

/** The DevTools protocol session of a page. */
export function protocolOf(page: Page): Promise<CDPSession> {
  const known = sessions.get(page) ?? page.context().newCDPSession(page)
  sessions.set(page, known)
  return known
}

/** Milliseconds. Generous, since durations are measured by the benches. */
const defaultTimeout = 90_000

const motionOf = ({ reducedMotion }: Look) => (reducedMotion ? 'reduce' : 'no-preference')

/**
 * A page in a new profile. Closing the profile leaves its page for `leftPage`: a first load takes twice as long as one with the
 * portal's files in the cache.
 */
export async function newPage(owner: Owner, look: Look): Promise<Page> {
  browser ??= launch()
  const context = await (await browser).newContext({
    baseURL: owner.origin,
    viewport: { width: look.width, height: look.height },
    colorScheme: look.theme,
    reducedMotion: motionOf(look),
    locale: 'en-US',
    timezoneId: 'America/New_York',
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  profiles.set(owner, [...(profiles.get(owner) ?? []), context])
  context.setDefaultTimeout(defaultTimeout)
  const page = await context.newPage()
  closers.set(context, context.close.bind(context))
  context.close = () => leave(owner, page)
  return page
}

/** A reused page, which looks like a new profile once it is loaded; undefined where there is none. */
export async function leftPage(owner: Owner, look: Look): Promise<Page | undefined> {
  const page = left.get(owner)?.pop()
  if (!page) return undefined
  await page.setViewportSize({ width: look.width, height: look.height })
  await page.emulateMedia({
    media: null,
    forcedColors: null,
    contrast: null,
    colorScheme: look.theme,
    reducedMotion: motionOf(look),
  })
  await page.context().clearCookies()
  const protocol = await protocolOf(page)
  await protocol.send('Page.setWebLifecycleState', { state: 'active' })
  // Back leads nowhere, as in a new tab.
  await protocol.send('Page.resetNavigationHistory')
  return page
}

/** Resets what a test has done to a page, except for its storage, which is replaced on the next load. */
async function leave(owner: Owner, page: Page): Promise<void> {
  const context = page.context()
  if (left.get(owner)?.includes(page)) return
  if (page.isClosed()) return end(context)
  for (const other of context.pages()) if (other !== page) await other.close()
  page.removeAllListeners()
  page.setDefaultTimeout(defaultTimeout)
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await context.unrouteAll({ behavior: 'ignoreErrors' })
  await context.setOffline(false)
  const protocol = await protocolOf(page)
  await protocol.send('Emulation.setCPUThrottlingRate', { rate: 1 })
  // A page waiting for reuse makes no requests.
  await protocol.send('Page.setWebLifecycleState', { state: 'frozen' })
  left.set(owner, [...(left.get(owner) ?? []), page])
}

/** Makes closing the profile of a page final, so that a later user of the page sees that it is closed. */
export function closeForGood(page: Page): void {
  const context = page.context()
  context.close = () => end(context)
}

const end = async (context: BrowserContext): Promise<void> => closers.get(context)?.()

/** Closes the open profiles of a portal and keeps their pages for reuse. */
export async function leaveProfiles(owner: Owner): Promise<void> {
  for (const context of profiles.get(owner) ?? []) await context.close()
}

/** Closes the profiles of a portal for good. */
export async function closeProfiles(owner: Owner): Promise<void> {
  for (const context of profiles.get(owner) ?? []) await end(context)
}
