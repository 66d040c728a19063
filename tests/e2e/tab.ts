import type { Portal } from '#tests/e2e/support.ts'
import { launch } from '#tests/e2e/profiles.ts'
import { evaluate } from '#tests/e2e/support.ts'
import { signInAs } from '#tests/support/sign-in.ts'

/** The minimal interface that a test needs of any browser. */
export interface Tab {
  goto: (address: string) => Promise<void>
  /** Evaluates in the page, whatever its CSP; awaits promises. */
  ask: <T>(expression: string) => Promise<T>
  /** `Control+k`, `Enter`, `p` */
  press: (chord: string) => Promise<void>
  type: (text: string) => Promise<void>
  close: () => Promise<void>
}

/** A tab of the Chromium of the tests, with its cache enabled. */
export async function openChromium(): Promise<Tab> {
  const browser = await launch()
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
  return {
    goto: async (address) => void (await page.goto(address)),
    ask: (expression) => evaluate(page, `(async () => (await (${expression})) ?? null)()`),
    press: (chord) => page.keyboard.press(chord),
    type: (text) => page.keyboard.type(text),
    close: () => browser.close(),
  }
}

/** Waits at most 90 s until an expression is true in the page. */
export async function until(tab: Tab, expression: string): Promise<void> {
  const end = Date.now() + 90_000
  for (;;) {
    // While a page unloads there is nothing to evaluate.
    if (await tab.ask<boolean>(`Boolean(${expression})`).catch(() => false)) return
    if (Date.now() > end) {
      const shown = await tab.ask<string>('location.pathname + location.search + "\\n" + document.body.innerText').catch(String)
      throw new Error(`Not true within 90 s: ${expression}. The page shows:\n${shown}`)
    }
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/**
 * Expression that clicks the button with this text and returns whether it exists; the click comes after the answer, since it may
 * leave the page.
 */
export const clicks = (text: string): string =>
  `(() => {
    const button = [...document.querySelectorAll('button')].find((each) => each.innerText.trim() === ${JSON.stringify(text)})
    if (button) setTimeout(() => button.click())
    return button
  })()`

/** Clicks the button with this text as soon as it exists. */
export const click = (tab: Tab, text: string): Promise<void> => until(tab, clicks(text))

const sessions = new WeakMap<Portal, ReturnType<typeof signInAs>>()

/** Signs a demo account in at `origin`, through which the portal is reached; once for all tabs of a portal. */
export async function signedIn(tab: Tab, portal: Portal, origin: string): Promise<void> {
  const session = sessions.get(portal) ?? signInAs(portal, 'priya.raman@example.com')
  sessions.set(portal, session)
  const { authorization = '' } = await session
  await tab.goto(`${origin}/mark.svg`)
  await tab.ask(`localStorage.setItem('admin-portal.token', ${JSON.stringify(authorization.replace('Bearer ', ''))})`)
}
