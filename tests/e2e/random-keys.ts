import type { Page, Request } from 'playwright-core'

/** A seeded random generator of numbers between 0 and 1 (mulberry32). */
export function random(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** The start of a sequence and its keys in order; the keys of a chord are one entry. */
export interface Sequence {
  path: string
  keys: readonly string[]
}

/** Employees that sequences may use: among the first rows of the list, and far below them. */
export interface KnownEmployees {
  near: readonly string[]
  far: readonly string[]
}

const moves = ['j', 'j', 'k', 'ArrowDown', 'ArrowDown', 'ArrowUp', 'PageDown']
const reasons = ['Fraud', 'Leave', 'On request']

/** One sequence: moves, marks, records, tabs, other lists, ids and names in the palette, forms and their inputs. */
export function sequence(next: () => number, { near, far }: KnownEmployees): Sequence {
  const one = <T>(of: readonly T[]): T => of[Math.floor(next() * of.length)] as T
  const letters = (text: string) => [...text].map((letter) => (letter === ' ' ? 'Space' : letter))
  const some = (min: number, max: number, of: () => string[]) =>
    Array.from({ length: min + Math.floor(next() * (max - min + 1)) }, of).flat()
  const move = () => some(1, 3, () => [one(moves)])
  const jump = () => ['Control+k', ...letters(one([one(near), one(far)])), 'Enter']
  const parts: (() => string[])[] = [
    move,
    move,
    () => ['x', ...move(), 'x'],
    () => ['Enter', one(['1', '2', 'j', 'k'])],
    () => ['Space'],
    () => ['Enter', ...move()],
    jump,
    jump,
    () => [`g ${one(['e', 'i', 'r', 'w'])}`],
  ]
  const ends: (() => string[])[] = [
    () => ['p', ...letters(one(reasons))],
    () => ['p', ...letters(one(reasons))],
    () => ['p', ...letters(one(reasons)), 'Tab', ...letters('By phone')],
    () => ['p', ...letters(one(reasons)), 'Enter', ...letters('By phone')],
    () => ['Control+k', ...letters('>pause employee'), 'Enter', ...letters(one(reasons))],
    () => ['Control+k', ...letters('pau')],
    () => ['/', ...letters('status')],
    () => ['g i', ...move(), 'p', ...letters('12')],
    () => jump(),
    () => move(),
    () => ['a', 'ArrowDown', 'Enter'],
    () => ['g i', 'a', 'ArrowDown', 'Enter'],
    () => ['Control+k', ...some(0, 2, () => ['ArrowDown']), 'Enter'],
  ]
  const path = one(['/employees', '/employees', `/employees/${one(near)}`, `/employees/${one(far)}`, '/invoices'])
  return { path, keys: [...some(1, 3, () => one(parts)()), ...one(ends)()] }
}

/** Records messages about ignored keys, which disappear by themselves. */
const listen = (page: Page) =>
  page.evaluate(() => {
    const said = new Set<string>()
    Reflect.set(window, 'ignoredKeys', said)
    const look = () => {
      for (const line of document.querySelectorAll('section[aria-label=Messages] p'))
        if (/^(Not sent|Keys pressed while)/.test(line.textContent ?? '')) said.add(line.textContent ?? '')
    }
    new MutationObserver(look).observe(document.body, { childList: true, subtree: true })
  })

/** The visible state: address, row, marks, overlays, and the values of fields. */
const outcome = (page: Page) =>
  page.evaluate(() => {
    const text = (selector: string) => document.querySelector(selector)?.textContent?.trim() ?? null
    const active = document.activeElement
    const dialog = document.querySelector('[role=dialog], [role=alertdialog]')
    const palette = dialog?.querySelector('[role=combobox]') as HTMLInputElement | null
    return {
      address: `${location.pathname}${location.search}`,
      row: document.querySelector('.grid-now')?.id ?? null,
      marked: [...document.querySelectorAll('.grid-marked')].map((row) => row.id).sort(),
      record: text('[data-region=detail] h2'),
      tab: text('[data-region=detail] [role=tab][aria-selected=true]'),
      dialog: dialog?.getAttribute('aria-label') ?? text('[role=alertdialog] h2'),
      about: palette
        ? (palette.previousElementSibling?.textContent ?? null)
        : (dialog?.querySelector('h2')?.parentElement?.textContent ?? null),
      typed: palette?.value ?? null,
      highlit: document.getElementById(palette?.getAttribute('aria-activedescendant') ?? '')?.textContent ?? null,
      fields: palette
        ? []
        : [...(dialog?.querySelectorAll('input, textarea') ?? [])].map((field) => [
            (field as HTMLInputElement).labels?.[0]?.textContent?.trim() ?? field.getAttribute('aria-label'),
            (field as HTMLInputElement).value,
            (field as HTMLInputElement).checked ?? false,
          ]),
      keyboard:
        active?.getAttribute('aria-label') ??
        (active as HTMLInputElement | null)?.labels?.[0]?.textContent?.trim() ??
        active?.textContent?.slice(0, 40) ??
        null,
      ignored: [...(Reflect.get(window, 'ignoredKeys') as Set<string>)],
    }
  })

export type Outcome = Awaited<ReturnType<typeof outcome>>

/**
 * The outcome once nothing has changed and no call was pending for `rest` milliseconds. While it differs from `like`, waits as
 * long as a key may be queued, too.
 */
async function settled(page: Page, out: ReadonlySet<Request>, rest: number, like?: Outcome): Promise<Outcome> {
  let last = await outcome(page)
  const longEnough = () => (like === undefined || same(last, like) ? rest : rest + 2_000)
  for (let since = Date.now(), until = since + 30_000; Date.now() - since < longEnough() && Date.now() < until; ) {
    await page.waitForTimeout(100)
    const now = await outcome(page)
    if (out.size || !same(now, last)) since = Date.now()
    last = now
  }
  return last
}

/** Pending calls: on a slow machine the effect of a key is visible only after the answer. */
export function callsOut(page: Page): ReadonlySet<Request> {
  const out = new Set<Request>()
  page.on('request', (request) => void (request.url().includes('/api/') && out.add(request)))
  const ended = (request: Request) => void out.delete(request)
  page.on('requestfinished', ended)
  page.on('requestfailed', ended)
  return out
}

/** Whether two outcomes are equal. */
export const same = (one: Outcome, other: Outcome): boolean => JSON.stringify(one) === JSON.stringify(other)

interface Typing {
  out: ReadonlySet<Request>
  slowly: (on: boolean) => Promise<void>
  apart: number
  rest: number
  like?: Outcome
}

/**
 * Types a sequence on a fresh page, with a fixed delay between keys, and returns the outcome. Storage of an earlier sequence is
 * cleared. `out` holds the pending calls of the page; `slowly` slows it down once it has loaded.
 */
export async function typed(page: Page, { path, keys }: Sequence, { out, slowly, apart, rest, like }: Typing): Promise<Outcome> {
  await page.evaluate(() => {
    sessionStorage.clear()
    for (const name of Object.keys(localStorage)) if (/\.(uses|recent)\./.test(name)) localStorage.removeItem(name)
  })
  await slowly(false)
  await page.goto(path)
  await page.locator('[role=row][id]').first().waitFor()
  if (/\d$/.test(path)) await page.locator('[data-region=detail]:focus').waitFor()
  else await page.locator('[role=grid]:focus').waitFor()
  // Every part has loaded: typing before that is another test.
  await page.locator('input[placeholder^="Type a command"]').waitFor({ state: 'attached' })
  await page.waitForLoadState('networkidle')
  await listen(page)
  await slowly(true)
  for (const key of keys) {
    // Both keys of a chord at once: on a busy machine an answer between them may take longer than the second key may wait.
    await Promise.all(key.split(' ').map((press) => page.keyboard.press(press)))
    if (apart) await page.waitForTimeout(apart)
  }
  return settled(page, out, rest, like)
}
