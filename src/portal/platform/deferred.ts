/**
 * The only place that loads chunks after the first page. The build wraps every `import()` in `deferred` (`vite.config.ts`), with
 * the files that the import needs beyond those of the first page.
 *
 * Browsers may cache a failed `import()` for the life of the page. So the files are loaded first: a failed one is requested again
 * by the next try, and only files that are in the browser's cache are imported.
 */

/** Files that are loaded or loading, by address. */
const loads = new Map<string, Promise<void>>()
/**
 * Imports that failed although their files had arrived, which the browser caches, and files missing on the server. Time of the
 * first failure, by file.
 */
const failedSince = new Map<string, number>()

let reload: () => boolean = () => false
let changed: () => void = () => {}

/**
 * Called by `main.tsx` with how to reload the page without losing input (false where that is not possible now), and a callback
 * for when the server no longer has a file.
 */
export function provideRecovery(reloadPage: () => boolean, buildChanged: () => void): void {
  reload = reloadPage
  changed = buildChanged
}

/** The server has another build, without this file. */
class FileMissing extends Error {
  readonly file: string
  constructor(file: string) {
    super(notArrived)
    this.file = file
  }
}

/** Message for a chunk that failed to load. */
export const notArrived = 'A part of the portal could not be loaded. Check the network and try again.'

async function styleSheet(address: string): Promise<void> {
  if (document.querySelector(`link[rel="stylesheet"][href="${address}"]`)) return
  // A link element does not report why it failed.
  await fetchToCache(address)
  await loadLink('stylesheet', address)
}

/** Scripts whose preload failed, which Chromium may answer later preloads and imports with; false once that caused a retry. */
const notPreloaded = new Map<string, boolean>()

/**
 * Preloads a script in the way the import requests it, without running it. A browser that got it through `fetch` compiles it on
 * every load instead of using its code cache (docs/decisions/2026-11-30-bundles-by-first-use.md).
 */
async function script(address: string): Promise<void> {
  if (notPreloaded.has(address)) return fetchToCache(address)
  try {
    await loadLink('preload', address)
  } catch {
    // A link element does not report why it failed.
    notPreloaded.set(address, true)
    await fetchToCache(address)
  }
}

/** Adds a link element; settles when its file has loaded or failed. */
const loadLink = (rel: string, address: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const link = document.createElement('link')
    link.rel = rel
    if (rel === 'preload') link.as = 'script'
    link.crossOrigin = ''
    link.href = address
    link.onload = () => resolve()
    link.onerror = () => {
      link.remove()
      reject(new Error(notArrived))
    }
    document.head.append(link)
  })

async function fetchToCache(address: string): Promise<void> {
  const response = await fetch(address).catch(() => null)
  if (response?.status === 404) throw new FileMissing(address)
  if (!response?.ok) throw new Error(notArrived)
  // Read to the end: only then is it in the cache.
  await response.arrayBuffer()
}

function loadFile(file: string): Promise<void> {
  const address = `/${file}`
  const known = loads.get(address)
  // A request that was in flight may have started before the network was back.
  if (known) return known.catch((error) => (error instanceof FileMissing ? known : loadFile(file)))
  const coming = (file.endsWith('.css') ? styleSheet : script)(address)
  loads.set(address, coming)
  coming.catch(() => loads.delete(address))
  return coming
}

/**
 * Imports a part of the portal, whose files are named from the root of the site. Rejects when it does not arrive; the next call
 * retries. Where a retry cannot help, because the browser caches the failure or the server has another build by now, the second
 * try reloads the page and never settles.
 */
export async function deferred<T>(load: () => Promise<T>, files: readonly string[] = []): Promise<T> {
  const [name = ''] = files
  const began = performance.now()
  try {
    await Promise.all(files.map(loadFile))
  } catch (error) {
    if (!(error instanceof FileMissing)) throw error
    changed()
    return reloadOnce(error.file, began, error)
  }
  try {
    return await load().catch((error) => (answeredByPreload(files) ? load() : Promise.reject(error)))
  } catch (error) {
    for (const file of files) loads.delete(`/${file}`)
    return reloadOnce(name, began, error)
  }
}

/** Whether an import may have failed because of an earlier preload, so that a retry can succeed. */
function answeredByPreload(files: readonly string[]): boolean {
  const failed = files.map((file) => `/${file}`).filter((address) => notPreloaded.get(address))
  for (const address of failed) notPreloaded.set(address, false)
  return failed.length > 0
}

/** Several chunks may share a file: only a request made after its first failure counts as a second try. */
function reloadOnce(name: string, began: number, error: unknown): Promise<never> {
  const since = failedSince.get(name)
  if (since !== undefined && since < began && reload()) return new Promise(() => {})
  failedSince.set(name, since ?? performance.now())
  throw error
}

/**
 * Loads something that is always needed, with retries until it succeeds: after some seconds, and as soon as the network is back.
 */
export async function untilThere<T>(load: () => Promise<T>, failed: () => void = () => {}): Promise<T> {
  for (let tries = 0; ; tries++) {
    try {
      return await load()
    } catch {
      failed()
      await new Promise<void>((resolve) => {
        const go = () => {
          clearTimeout(timer)
          removeEventListener('online', go)
          resolve()
        }
        const timer = setTimeout(go, Math.min(2 ** tries, 15) * 1000)
        addEventListener('online', go)
      })
    }
  }
}
