import type { Page } from 'playwright-core'

/** Waits until the page has drawn what earlier keys and answers changed: two frames, and the tasks after them. */
export const drawn = (page: Page): Promise<void> =>
  page.evaluate(() => new Promise<void>((go) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(go)))))

/** Records from now on which dialogs open, also for a moment; the function returns their names. */
export async function dialogsOpened(page: Page): Promise<() => Promise<string[]>> {
  await page.evaluate(() => {
    const opened = new Set<string>()
    Reflect.set(window, 'dialogsOpened', opened)
    const look = () => {
      for (const dialog of document.querySelectorAll('[role=dialog], [role=alertdialog]'))
        opened.add(dialog.getAttribute('aria-label') ?? dialog.textContent ?? '')
    }
    new MutationObserver(look).observe(document.body, { childList: true, subtree: true, attributes: true })
  })
  return () => page.evaluate(() => [...(Reflect.get(window, 'dialogsOpened') as Set<string>)])
}

/** Holds back calls until they are released. */
export async function holdCalls(page: Page, pattern: string | RegExp): Promise<{ held: string[]; release: () => void }> {
  const gate = Promise.withResolvers<void>()
  const held: string[] = []
  await page.route(pattern, async (route) => {
    held.push(route.request().url())
    await gate.promise
    await route.continue().catch(() => undefined)
  })
  return { held, release: gate.resolve }
}
