import type { Portal } from '#tests/e2e/support.ts'
import { launch } from '#tests/e2e/profiles.ts'
import { evaluate } from '#tests/e2e/support.ts'
import { signInAs } from '#tests/support/sign-in.ts'

/** The little that a test needs of any browser. */
export interface Tab {
  goto: (address: string) => Promise<void>
  /** Evaluates in the page, whatever its policy; promises are waited for. */
  ask: <T>(expression: string) => Promise<T>
  /** `Control+k`, `Enter`, `p` */
  press: (chord: string) => Promise<void>
  type: (text: string) => Promise<void>
  close: () => Promise<void>
}

/** A tab of the Chromium that the tests use, with its cache on. */
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

/** Waits until an expression is true in the page, at most 20 s. */
export async function until(tab: Tab, expression: string): Promise<void> {
  const end = Date.now() + 90_000
  for (;;) {
    // While a page is being left there is nothing to ask.
    if (await tab.ask<boolean>(`Boolean(${expression})`).catch(() => false)) return
    if (Date.now() > end) {
      const shown = await tab.ask<string>('location.pathname + location.search + "\\n" + document.body.innerText').catch(String)
      throw new Error(`It did not come to ${expression}. The page shows:\n${shown}`)
    }
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/** What clicks the button with this text where there is one, and answers it; the click comes after the answer, since it may leave the page. */
export const clicks = (text: string): string =>
  `(() => {
    const button = [...document.querySelectorAll('button')].find((each) => each.innerText.trim() === ${JSON.stringify(text)})
    if (button) setTimeout(() => button.click())
    return button
  })()`

/** Clicks the button with this text as soon as there is one. */
export const click = (tab: Tab, text: string): Promise<void> => until(tab, clicks(text))

/** Makes a demo account signed in at `origin`, through which the portal is reached. */
export async function signedIn(tab: Tab, portal: Portal, origin: string): Promise<void> {
  const { authorization = '' } = await signInAs(portal, 'priya.raman@example.com')
  await tab.goto(`${origin}/mark.svg`)
  await tab.ask(`localStorage.setItem('admin-portal.token', ${JSON.stringify(authorization.replace('Bearer ', ''))})`)
}
