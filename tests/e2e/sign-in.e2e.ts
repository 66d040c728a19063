import { createServer } from 'node:net'
import jsqr from 'jsqr'
import type { Locator, Page, Request, Route } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { demoPassword } from '#server/auth/demo-people.ts'
import { atAccount, takeGuess } from '#server/limits/guesses.ts'
import { invite } from '#server/auth/invitation.ts'
import { digest } from '#server/auth/secret.ts'
import { codeOfStep, stepAt } from '#server/auth/totp.ts'
import { launch, leaveProfiles } from '#tests/e2e/profiles.ts'
import {
  axeViolations,
  evaluate,
  openPage,
  openSignedIn,
  type Portal,
  portalOn,
  problemsOf,
  signIn,
  startPortal,
} from '#tests/e2e/support.ts'
import { createPerson } from '#tests/support/people.ts'
import { startProcess } from '#tests/support/process.ts'
import { callsOut } from '#tests/e2e/random-keys.ts'
import { demoPerson } from '#tests/support/sign-in.ts'

let portal: Portal
beforeAll(async () => {
  portal = await startPortal({ settings: { ENVIRONMENT: 'staging' } })
})
afterAll(() => portal?.stop())
afterEach(() => leaveProfiles(portal))
beforeEach(async () => {
  await portal.db.deleteFrom('attempt_limits').execute()
  await portal.db.deleteFrom('guesses').execute()
})

const priya = demoPerson('priya.raman@example.com')
const wrong = 'Something went wrong. Try again later.'

/** Types e-mail and password into the first screen and presses Enter. */
async function typePassword(page: Page, email: string, password = demoPassword): Promise<void> {
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.keyboard.press('Enter')
}

const codeField = (page: Page) => page.locator('input[autocomplete=one-time-code]')
const shown = async (what: Locator) => {
  await what.first().waitFor()
  expect(await what.first().isVisible()).toBe(true)
}
const alert = (page: Page, text: string) => shown(page.locator('main').getByRole('alert').filter({ hasText: text }))
/** The first page after the sign-in (SCR-007). */
const firstPage = (page: Page) => heading(page, 'Today')
const heading = (page: Page, name: string) => shown(page.getByRole('heading', { name, exact: true }))
const newPassword = (page: Page) => page.getByLabel('New password', { exact: true })

/** Invites somebody; returns the address of the mailed link. */
async function invited(): Promise<{ id: string; email: string; path: string }> {
  const { id, email } = await createPerson(portal.db, { totpSecret: null })
  await portal.db.updateTable('people').set({ password_hash: null, status: 'INVITED' }).where('id', '=', id).execute()
  const link = await portal.db.transaction().execute((tx) => invite(tx, id, { portalAddress: portal.origin }, new Date()))
  return { id, email, path: link.slice(portal.origin.length) }
}

/** Lets an account sign in again at once: a code can be used once. */
const freshCode = (email: string) =>
  portal.db.updateTable('people').set({ totp_last_step: null }).where('email', '=', email).execute()

describe('signing in', () => {
  test('[SCR-001, SCR-006, API-006, API-007] password and code by keyboard lead to the requested address', async () => {
    const page = await openPage(portal, { path: '/employees?status_type=is&status_value=PAUSED' })
    const calls: string[] = []
    page.on('response', (response) =>
      calls.push(`${response.request().method()} ${new URL(response.url()).pathname} ${response.status()}`),
    )
    await heading(page, 'Sign in')
    await signIn(portal, page)
    await page.getByRole('grid').waitFor()
    expect(new URL(page.url()).search).toBe('?status_type=is&status_value=PAUSED')
    expect(calls).toContain('POST /api/auth 200')
    expect(calls.some((call) => /^POST \/api\/[0-9a-f-]{36}\/mfa 200$/.test(call))).toBe(true)
    expect(problemsOf(page)).toEqual([])
  })

  test('[API-002..005] every call carries application key, application name and token', async () => {
    const page = await openPage(portal)
    const seen: Request[] = []
    page.on('request', (request) => {
      if (new URL(request.url()).pathname.startsWith('/api/') && !request.url().endsWith('openapi.json')) seen.push(request)
    })
    await page.reload()
    await signIn(portal, page)
    await firstPage(page)
    const kept = await page.evaluate(() => ({
      key: localStorage.getItem('admin-portal.application-key'),
      token: localStorage.getItem('admin-portal.token'),
    }))
    const figures = seen.filter((request) => new URL(request.url()).pathname === '/api/dashboard/summary')
    expect(figures.length).toBeGreaterThan(0)
    for (const request of seen) {
      const headers = request.headers()
      expect(headers['application-name']).toBe('ADMIN_PORTAL')
      expect(headers['application-key']).toBe(request.url().endsWith('/credentials') ? 'public-local' : kept.key)
    }
    for (const request of figures) expect(request.headers()['authorization']).toBe(`Bearer ${kept.token}`)
    expect(await page.getByTitle('Environment').textContent()).toBe('STAGING')
  })

  test('an expired application key is fetched again once, unnoticed', async () => {
    const page = await openPage(portal)
    await page.evaluate(() => localStorage.setItem('admin-portal.application-key', 'of-yesterday'))
    await page.reload()
    await signIn(portal, page)
    await firstPage(page)
    expect(await page.evaluate(() => localStorage.getItem('admin-portal.application-key'))).not.toBe('of-yesterday')
  })

  test('a wrong password is refused, and keeps the e-mail', async () => {
    const page = await openPage(portal)
    await typePassword(page, priya.email, 'Not-This-1')
    await alert(page, 'The e-mail address or the password is not right.')
    expect(await page.getByLabel('E-mail').inputValue()).toBe(priya.email)
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('type'))).toBe('password')
  })

  test('[ERR-001] a login that fails without a reason shows the default message', async () => {
    const page = await openPage(portal)
    await page.route('**/api/auth', (route) => route.abort())
    await typePassword(page, priya.email)
    await alert(page, wrong)
  })

  test('[ERR-004] a code that fails without a reason; the right one afterwards still works', async () => {
    const page = await openPage(portal)
    await freshCode(priya.email)
    await typePassword(page, priya.email)
    await codeField(page).waitFor()
    await page.route('**/mfa', (route) => route.abort())
    await codeField(page).fill('123456')
    await page.keyboard.press('Enter')
    await alert(page, wrong)
    await page.unroute('**/mfa')
    await codeField(page).fill(codeOfStep(priya.totpSecret as string, stepAt(new Date())))
    await page.keyboard.press('Enter')
    await firstPage(page)
  })

  test('the demo lists its accounts, signs in by Enter, shows the code, and sends it when complete', async () => {
    const page = await openPage(portal)
    await freshCode(priya.email)
    // Each on one line, without truncation, in the portal's own font: fallback fonts may be wider.
    await page.getByRole('button', { name: /Priya Raman/ }).waitFor()
    await page.evaluate(() => document.fonts.ready)
    const lines = await page
      .locator('.demo button')
      .evaluateAll((all) =>
        all.map((each) => [
          each.clientHeight < 36,
          ...[...each.children].map((part) => part.scrollWidth <= part.clientWidth + 1),
        ]),
      )
    expect(lines.length).toBeGreaterThan(3)
    expect(lines.filter((fits) => fits.includes(false))).toEqual([])
    await page.getByRole('button', { name: /Priya Raman/ }).focus()
    await page.keyboard.press('Enter')
    await codeField(page).waitFor()
    await page.keyboard.type((await page.locator('.demo b').textContent()) ?? '')
    await firstPage(page)
  })
})

describe('the step SIGN_IN', () => {
  test('[AUTH-001] comes first, and again after too many wrong codes, with the e-mail kept', async () => {
    const page = await openPage(portal)
    await freshCode(priya.email)
    const sent = page.waitForRequest('**/api/auth')
    await typePassword(page, priya.email)
    expect((await sent).postDataJSON()).toMatchObject({ step: 'SIGN_IN', email: priya.email })
    await codeField(page).waitFor()
    await portal.db.updateTable('challenges').set({ tries: 5 }).where('person_id', '=', priya.id).execute()
    await codeField(page).fill('000000')
    await page.keyboard.press('Enter')
    await heading(page, 'Sign in')
    await shown(page.getByRole('status').filter({ hasText: 'These were too many wrong codes. Start again with your password.' }))
    expect(await page.getByLabel('E-mail').inputValue()).toBe(priya.email)
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('type'))).toBe('password')
  })
})

describe('an account under a guessing attack', () => {
  const email = 'sam.okoye@example.com'
  const sam = demoPerson(email)
  const guessed = async () => {
    for (let time = 100; time > 0; time -= 1)
      await takeGuess(portal.db, atAccount(digest('account', email)), new Date(Date.now() - time * 61_000))
  }

  test('is signed in to by a mailed link, by keyboard; this browser is then trusted', async () => {
    const page = await openPage(portal)
    await guessed()
    await typePassword(page, email)
    await heading(page, 'Confirm by e-mail')
    await shown(page.getByText('There were too many wrong tries on this account today.'))
    expect(await axeViolations(page)).toEqual([])
    await page.keyboard.press('Enter')
    await heading(page, 'Open the link')
    await page
      .locator('.demo')
      .filter({ hasText: /device#token=/ })
      .waitFor()
    const link = /\S+\/device#token=[\w-]+/.exec((await page.locator('.demo').textContent()) ?? '')?.[0] ?? ''
    await page.goto(new URL(link).pathname + new URL(link).hash)
    await heading(page, 'Sign in on this device')
    expect(await axeViolations(page)).toEqual([])
    await page.keyboard.press('Enter')
    await heading(page, 'Sign in')
    await shown(page.getByRole('status').filter({ hasText: 'You can sign in on this device now.' }))
    expect(await page.getByLabel('E-mail').inputValue()).toBe(email)
    await freshCode(email)
    await page.keyboard.type(demoPassword)
    await page.keyboard.press('Enter')
    await codeField(page).fill(codeOfStep(sam.totpSecret as string, stepAt(new Date())))
    await page.keyboard.press('Enter')
    await firstPage(page)

    await page.evaluate(() => localStorage.removeItem('admin-portal.token'))
    await page.goto('/')
    await signIn(portal, page, email)
    await firstPage(page)

    const used = await openPage(portal, { path: new URL(link).pathname + new URL(link).hash })
    await used.getByRole('button', { name: 'Continue' }).click()
    await alert(used, 'This link was used already or is too old.')
    expect(problemsOf(page)).toEqual([])
  })
})

/** Decodes the QR code in a part of the page. */
async function scanned(page: Page, part: Locator): Promise<string | undefined> {
  const picture = (await part.screenshot()).toString('base64')
  const { width, height, pixels } = await evaluate<{ width: number; height: number; pixels: number[] }>(
    page,
    `(async () => {
      const bytes = Uint8Array.from(atob('${picture}'), (letter) => letter.charCodeAt(0))
      const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }))
      const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d')
      context.drawImage(bitmap, 0, 0)
      const { width, height, data } = context.getImageData(0, 0, bitmap.width, bitmap.height)
      return { width, height, pixels: [...data] }
    })()`,
  )
  return jsqr.default(Uint8ClampedArray.from(pixels), width, height)?.data
}

describe('the authenticator', () => {
  test.each(['light', 'dark'] as const)(
    '[SCR-005] in %s, the QR code has the account, the issuer, and the secret shown beside it',
    async (theme) => {
      const page = await openPage(portal, { theme })
      await typePassword(page, 'nadia.new@example.com')
      await heading(page, 'Set up your authenticator')
      const secret = ((await page.locator('code').textContent()) ?? '').replaceAll(' ', '')
      const read = new URL((await scanned(page, page.getByRole('img', { name: /QR code/ }))) ?? 'about:nothing')
      expect(read.protocol + read.host).toBe('otpauth:totp')
      expect(decodeURIComponent(read.pathname)).toBe('/Admin Portal:nadia.new@example.com')
      expect(Object.fromEntries(read.searchParams)).toMatchObject({ issuer: 'Admin Portal', secret })
      // The URL omits the defaults of authenticators: SHA-1, 6 digits, 30 seconds (RFC 6238).
      expect(read.searchParams.get('algorithm') ?? 'SHA1').toBe('SHA1')
      expect(read.searchParams.get('digits') ?? '6').toBe('6')
      expect(read.searchParams.get('period') ?? '30').toBe('30')
    },
  )

  test('[SCR-005, AUTH-002, AUTH-003] is set up by a QR code or the secret as text, and a first code', async () => {
    const page = await openPage(portal)
    await typePassword(page, 'nadia.new@example.com')
    await heading(page, 'Set up your authenticator')
    await page.getByRole('img', { name: /QR code/ }).waitFor()
    const secret = ((await page.locator('code').textContent()) ?? '').replaceAll(' ', '')
    expect(secret).toMatch(/^[A-Z2-7]{32}$/)
    expect(await axeViolations(page)).toEqual([])
    await codeField(page).fill('000000')
    await page.keyboard.press('Enter')
    await page.locator('main').getByRole('alert').filter({ hasText: 'That code is not right' }).waitFor()
    const sent = page.waitForRequest('**/mfa')
    await codeField(page).fill(codeOfStep(secret, stepAt(new Date())))
    await page.keyboard.press('Enter')
    expect((await sent).postDataJSON()).toMatchObject({ step: 'VERIFY_SOFTWARE_TOKEN' })
    await heading(page, 'Save your recovery codes')
    const codes = await page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem').allTextContents()
    expect(codes).toHaveLength(10)
    expect(await axeViolations(page)).toEqual([])
    await page.getByRole('button', { name: 'Copy all' }).press('Enter')
    expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(codes[9])
    await page.getByRole('button', { name: 'I saved them' }).press('Enter')
    await page.getByRole('navigation').waitFor()

    // Without the phone: a recovery code signs in and sets up a new authenticator.
    const other = await openPage(portal)
    await typePassword(other, 'nadia.new@example.com')
    await other.getByRole('button', { name: 'Use a recovery code' }).press('Enter')
    await other.keyboard.type('not a code')
    await other.keyboard.press('Enter')
    await alert(other, 'A recovery code has 16 letters and digits')
    expect(await axeViolations(other)).toEqual([])
    await other.getByLabel('Recovery code', { exact: true }).fill((codes[0] as string).toLowerCase().replaceAll('-', ' '))
    await other.keyboard.press('Enter')
    await heading(other, 'Set up your authenticator')
    const replaced = ((await other.locator('code').textContent()) ?? '').replaceAll(' ', '')
    expect(replaced).not.toBe(secret)
    await codeField(other).fill(codeOfStep(replaced, stepAt(new Date())))
    await heading(other, 'Save your recovery codes')
    const next = await other.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem').allTextContents()
    // Enter right after the sixth digit is ignored, so that nobody leaves this page by habit.
    await other.getByRole('button', { name: 'I saved them' }).press('Space')
    await other.getByRole('navigation').waitFor()

    // The old codes are invalid. A new one signs in and leaves the authenticator unchanged.
    const last = await openPage(portal)
    await typePassword(last, 'nadia.new@example.com')
    await last.getByRole('button', { name: 'Use a recovery code' }).press('Enter')
    await last.getByLabel('Recovery code', { exact: true }).fill(codes[1] as string)
    await last.keyboard.press('Tab')
    await last.keyboard.press('Space')
    await last.keyboard.press('Enter')
    await alert(last, 'That recovery code is not right or was used already.')
    await last.getByLabel('Recovery code', { exact: true }).fill(next[0] as string)
    await last.keyboard.press('Enter')
    await shown(last.getByText('Signed in with a recovery code. 9 codes are left.'))
  })
})

describe('a forgotten password', () => {
  test('[ERR-003] is not changed where the server fails or does not answer; it can be sent again', async () => {
    const email = 'tom.berg@example.com'
    const page = await openPage(portal)
    await page.getByRole('button', { name: 'Forgot password?' }).click()
    await page.getByLabel('E-mail').fill(email)
    await page.keyboard.press('Enter')
    await page.locator('.demo').filter({ hasText: /\d{6}/ }).waitFor()
    await codeField(page).fill(/\b\d{6}\b/.exec((await page.locator('.demo').textContent()) ?? '')?.[0] ?? '')
    await page.keyboard.press('Enter')
    await heading(page, 'Choose a new password')
    await newPassword(page).fill('Another-Demo-1')
    for (const fail of [
      (route: Route) => route.abort(),
      (route: Route) => route.fulfill({ status: 500, body: '' }),
      (route: Route) => route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad gateway</h1>' }),
    ]) {
      await page.route('**/auth/forgot-password/confirm', fail)
      // The message of the previous attempt is still visible when this one starts.
      const tried = page.waitForEvent('request', (request) => request.url().endsWith('/auth/forgot-password/confirm'))
      await page.keyboard.press('Enter')
      await (await tried).response().catch(() => null)
      await alert(page, wrong)
      expect(await newPassword(page).inputValue()).toBe('Another-Demo-1')
      await page.unroute('**/auth/forgot-password/confirm')
    }
    await page.keyboard.press('Enter')
    await heading(page, 'Sign in')
    await shown(page.getByText('Your password was changed. Sign in with the new one.'))
  })

  test('[SCR-002, SCR-003, SCR-004, ERR-005] e-mail, code and new password lead back to the sign-in form', async () => {
    const email = 'tom.berg@example.com'
    const page = await openPage(portal)
    await page.getByLabel('E-mail').fill(email)
    await page.getByRole('button', { name: 'Forgot password?' }).click()
    await heading(page, 'Forgot password')
    expect(await page.getByLabel('E-mail').inputValue()).toBe(email)
    await page.keyboard.press('Enter')
    await heading(page, 'Enter the code')
    await codeField(page).fill('000000')
    await page.keyboard.press('Enter')
    await alert(page, 'Invalid authorization code')
    await page.locator('.demo').filter({ hasText: /\d{6}/ }).waitFor()
    const code = /\b\d{6}\b/.exec((await page.locator('.demo').textContent()) ?? '')?.[0] ?? ''
    await codeField(page).fill(code)
    await page.keyboard.press('Enter')
    await heading(page, 'Choose a new password')
    expect(await axeViolations(page)).toEqual([])
    await newPassword(page).fill('Another-Demo-2')
    await page.keyboard.press('Enter')
    await heading(page, 'Sign in')
    await page.getByText('Your password was changed. Sign in with the new one.').waitFor()
    expect(await page.getByLabel('E-mail').inputValue()).toBe(email)
    await freshCode(email)
    await page.getByLabel('Password', { exact: true }).fill('Another-Demo-2')
    await page.keyboard.press('Enter')
    await codeField(page).waitFor()
  })

  test('[ERR-002] requesting the code fails without a reason', async () => {
    const page = await openPage(portal)
    await page.getByRole('button', { name: 'Forgot password?' }).click()
    await page.route('**/forgot-password', (route) => route.abort())
    await page.getByLabel('E-mail').fill(priya.email)
    await page.keyboard.press('Enter')
    await alert(page, wrong)
  })

  test('[ERR-003] the first password fails without a reason, and stays in its field', async () => {
    const { path } = await invited()
    const page = await openPage(portal, { path })
    await heading(page, 'Welcome')
    await page.route('**/auth/invitation', (route) => route.abort())
    await newPassword(page).fill('Another-Demo-2')
    await page.keyboard.press('Enter')
    await alert(page, wrong)
    expect(await newPassword(page).inputValue()).toBe('Another-Demo-2')
  })

  test('a used or expired link says so at once, and leads to the sign-in', async () => {
    const page = await openPage(portal, { path: '/welcome#token=abcdefghijklmnopqrstuvwxyz' })
    await heading(page, 'This link no longer works')
    await shown(page.getByText('This set-up link was used already or is too old. Ask for a new one.'))
    expect(await newPassword(page).count()).toBe(0)
    expect(await axeViolations(page)).toEqual([])
    await page.keyboard.press('Enter')
    await page.getByLabel('E-mail').waitFor()
    // A mail program may have truncated it.
    await page.goto('/welcome#token=abcdef')
    await heading(page, 'This link is not complete')
    await shown(page.getByText('Open the whole link of the mail, or ask for a new one.'))
    expect(await newPassword(page).count()).toBe(0)
  })

  test('a link that expires while the password is typed says so; opening it twice is harmless', async () => {
    const { id, email, path } = await invited()
    const page = await openPage(portal, { path })
    await page.reload()
    await shown(page.getByText(`Choose the password that you will sign in with. Your e-mail: ${email}.`))
    // A password manager stores it under the e-mail.
    await expect.poll(() => page.locator('input[name=username]').inputValue()).toBe(email)
    await newPassword(page).fill('Another-Demo-2')
    await portal.db.updateTable('invitations').set({ withdrawn_at: new Date() }).where('person_id', '=', id).execute()
    await page.keyboard.press('Enter')
    await alert(page, 'This invitation was withdrawn. Ask the person who invited you for a new one.')
    expect(await newPassword(page).inputValue()).toBe('Another-Demo-2')
  })

  test('where the API cannot verify a link, the password is still asked for', async () => {
    const { path } = await invited()
    const page = await openPage(portal)
    await page.route('**/auth/invitation/check', (route) => route.fulfill({ status: 404, body: '' }))
    await page.goto(`${portal.origin}${path}`)
    await newPassword(page).fill('Another-Demo-2')
    await page.keyboard.press('Enter')
    await shown(page.getByText('Your password is set. Sign in with it.'))
  })
})

const freePort = () =>
  new Promise<number>((resolve) => {
    const listener = createServer().listen(0, '127.0.0.1', () => {
      const { port } = listener.address() as { port: number }
      listener.close(() => resolve(port))
    })
  })

describe('an API on another origin', () => {
  test('[API-001] the same build signs in and lists there by configuration, and makes no call here', async () => {
    const port = await freePort()
    const folder = { DATA_DIR: portal.folder }
    const api = startProcess({ ...folder, PORTAL_ORIGINS: `http://127.0.0.1:${port}`, ENVIRONMENT: 'production' })
    const base = await api.ready
    const own = startProcess({ ...folder, PORT: String(port), API_BASE: `${base}/api`, ENVIRONMENT: 'sandbox' })
    const browser = await launch()
    try {
      const page = await browser.newPage({ baseURL: await own.ready })
      const called = new Set<string>()
      const breaches: string[] = []
      page.on('console', (message) => message.type() === 'error' && breaches.push(message.text()))
      page.on('request', (request) => {
        if (new URL(request.url()).pathname.startsWith('/api')) called.add(new URL(request.url()).origin)
      })
      await page.goto('/employees')
      await signIn(portal, page)
      await page.locator('[role=row][id]').first().waitFor()
      expect([...called]).toEqual([base])
      expect(await page.getByTitle('Environment').textContent()).toBe('SANDBOX')
      await expect.poll(() => page.locator('.frame-bar').innerText()).toContain('row 1 of 2,000')
      // A call with a CORS preflight: it has an application key and changes something.
      const out = callsOut(page)
      await page.locator('[role=grid]').press('Control+k')
      await page.getByRole('combobox', { name: 'Command palette' }).fill('sign out')
      await page.getByRole('option', { name: 'Sign out', exact: true }).waitFor()
      // A search that arrives after signing out is answered by 401.
      await expect.poll(() => out.size).toBe(0)
      const left = page.waitForResponse((response) => response.request().method() === 'POST')
      await page.keyboard.press('Enter')
      expect((await left).ok()).toBe(true)
      await heading(page, 'Sign in')
      expect(breaches).toEqual([])
    } finally {
      await browser.close()
      for (const { child, ended } of [own, api]) {
        child.kill('SIGTERM')
        await ended
      }
    }
  })
})

describe('the end of a session', () => {
  const session = async (page: Page) => {
    const token = (await page.evaluate(() => localStorage.getItem('admin-portal.token'))) as string
    return portal.db.updateTable('sessions').where('token_hash', '=', digest(token))
  }

  test('[ERR-007, CONST-013] by inactivity is reported, and the next sign-in returns to the same place', async () => {
    const page = await openSignedIn(portal, undefined, { path: '/employees?q=ann' })
    await page.getByRole('grid').waitFor()
    const notice = page.getByText('Your session has expired due to inactivity. Please login again to continue working.')
    const own = await session(page)
    const idle = async () => {
      await own.set({ last_active_at: new Date(Date.now() - 3_600_000) }).execute()
      await page.evaluate(() => dispatchEvent(new Event('focus')))
      return notice.isVisible()
    }
    // A request that was under way counts as activity after all: the hour passes again until none is left.
    await expect.poll(idle).toBe(true)
    await signIn(portal, page)
    await page.getByRole('grid').waitFor()
    expect(new URL(page.url()).search).toBe('?q=ann')
  })

  test('[ERR-006] by expiry is reported', async () => {
    const page = await openSignedIn(portal, undefined, { path: '/employees' })
    await page.getByRole('grid').waitFor()
    await (await session(page)).set({ expires_at: new Date(Date.now() - 1000) }).execute()
    await page.evaluate(() => dispatchEvent(new Event('focus')))
    await shown(page.getByText('Your session has expired. Please login again.', { exact: true }))
  })

  test('in one tab ends it in the others, and on the server', async () => {
    const page = await openSignedIn(portal, undefined, { path: '/employees' })
    await page.getByRole('grid').waitFor()
    const other = await page.context().newPage()
    await other.goto('/employees')
    await other.getByRole('grid').waitFor()
    await other.keyboard.press('p')
    await other.getByRole('dialog').getByLabel('Reason').fill('Lost the card')
    const drafts = () => other.evaluate(() => Object.keys(sessionStorage).filter((name) => name.includes('.draft.')).length)
    expect(await drafts()).toBe(1)
    const query = await session(page)
    await page.getByRole('button', { name: /menu/ }).click()
    await page.getByRole('menuitem', { name: /Sign out/ }).click()
    await heading(other, 'Sign in')
    await heading(page, 'Sign in')
    await expect.poll(drafts).toBe(0)
    const { numUpdatedRows } = await query.set({ address: 'seen' }).where('ended_at', 'is not', null).executeTakeFirst()
    expect(numUpdatedRows).toBe(1n)
  })

  test('[CONST-013] is preceded by a warning at the configured time, and any key extends it', async () => {
    const settings = { IDLE_MINUTES: '1', WARNING_SECONDS: '50' }
    const server = startProcess({ DATA_DIR: portal.folder, ...settings })
    const short = await portalOn(await server.ready, portal.folder, server, settings)
    try {
      const page = await openSignedIn(short, undefined, { path: '/employees' })
      await page.getByRole('grid').waitFor()
      const dialog = page.getByRole('alertdialog').getByText('Are you still there?')
      expect(await dialog.count()).toBe(0)
      await shown(dialog)
      expect(await axeViolations(page, '[role=alertdialog]')).toEqual([])
      const kept = page.waitForRequest((request) => request.url().endsWith('/api/me') && !request.headers()['x-background'])
      await page.keyboard.press('Shift')
      await kept
      await dialog.waitFor({ state: 'detached' })
      await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('grid')
    } finally {
      await short.leave()
      server.child.kill('SIGTERM')
      await server.ended
    }
  })
})
