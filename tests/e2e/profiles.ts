import { type Browser, type BrowserContext, type CDPSession, chromium, type Page } from 'playwright-core'
import { findChromium } from '../../scripts/chromium.ts'

/** Whose pages they are: the portal at an address. */
interface Owner {
  origin: string
}

interface Look {
  theme: 'light' | 'dark'
  width: number
  height: number
  reducedMotion: boolean
}

/** The Chromium of this process, which serves one file of tests after the other, each page in a profile of its own. */
let browser: Promise<Browser> | undefined
const profiles = new WeakMap<Owner, BrowserContext[]>()
/** Pages whose tests have closed their profile. */
const left = new WeakMap<Owner, Page[]>()
const sessions = new WeakMap<Page, Promise<CDPSession>>()
/** Ends a profile for good. */
const closers = new WeakMap<BrowserContext, () => Promise<void>>()

/** Starts the Chromium that the tests use. One that crashed before it had a page is started once more. */
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
      // Frames between two places of a list, at which no test looks; the benches do.
      ...(process.env['VITEST'] ? ['--disable-smooth-scrolling'] : []),
      // Where two pages keep two processors busy, threads that compile and collect beside each page take a tenth more for the same.
      '--js-flags=--single-threaded',
      // Two processes less for each browser, whose work is there either way: a load takes an eighth less.
      '--in-process-gpu',
      '--enable-features=NetworkServiceInProcess2,CDPScreenshotNewSurface',
    ],
  }
  return chromium.launch(options).catch(() => chromium.launch(options))
}

/** Ends the Chromium that pages were opened in, without which a process that is no test would never end. */
export async function closeBrowser(): Promise<void> {
  await (await browser)?.close()
  browser = undefined
}

/** The DevTools protocol of a page. */
export function protocolOf(page: Page): Promise<CDPSession> {
  const known = sessions.get(page) ?? page.context().newCDPSession(page)
  sessions.set(page, known)
  return known
}

/** Milliseconds. A person would still be waiting; how long something takes is what the benches measure. */
const patience = 90_000

const motionOf = ({ reducedMotion }: Look) => (reducedMotion ? 'reduce' : 'no-preference')

/**
 * A page in a profile in which nobody was before. Who closes the profile leaves its page for `leftPage`: a first load takes twice as long
 * as one in a browser that has the portal's files.
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
  context.setDefaultTimeout(patience)
  const page = await context.newPage()
  closers.set(context, context.close.bind(context))
  context.close = () => leave(owner, page)
  return page
}

/** A page that was left, as it would look in a new profile once it is loaded; undefined where there is none. */
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

/** What a test has done to a page is taken back, but for what is stored, which goes with the next load. */
async function leave(owner: Owner, page: Page): Promise<void> {
  const context = page.context()
  if (left.get(owner)?.includes(page)) return
  if (page.isClosed()) return end(context)
  for (const other of context.pages()) if (other !== page) await other.close()
  page.removeAllListeners()
  page.setDefaultTimeout(patience)
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await context.unrouteAll({ behavior: 'ignoreErrors' })
  await context.setOffline(false)
  const protocol = await protocolOf(page)
  await protocol.send('Emulation.setCPUThrottlingRate', { rate: 1 })
  // What is left asks nothing more.
  await protocol.send('Page.setWebLifecycleState', { state: 'frozen' })
  left.set(owner, [...(left.get(owner) ?? []), page])
}

/** Closing the profile of a page ends it from now on: whoever comes back to the page has to see that it is gone. */
export function closeForGood(page: Page): void {
  const context = page.context()
  context.close = () => end(context)
}

const end = async (context: BrowserContext): Promise<void> => closers.get(context)?.()

/** Closes the profiles of a portal that are open, whose pages are left for the next who opens one. */
export async function leaveProfiles(owner: Owner): Promise<void> {
  for (const context of profiles.get(owner) ?? []) await context.close()
}

/** Ends the profiles of a portal. */
export async function closeProfiles(owner: Owner): Promise<void> {
  for (const context of profiles.get(owner) ?? []) await end(context)
}
