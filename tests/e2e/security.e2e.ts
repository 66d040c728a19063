import { afterAll, beforeAll, expect, test } from 'vitest'
import { drawn } from '#tests/e2e/drawn.ts'
import { axeViolations, evaluate, openPage, openSignedIn, type Portal, problemsOf, sharePortal } from '#tests/e2e/support.ts'

let portal: Portal
beforeAll(async () => {
  portal = await sharePortal()
})
afterAll(() => portal?.stop())

test('the portal renders without violating its own CSP, before and after the sign-in', async () => {
  const page = await openSignedIn(portal)
  await page.waitForLoadState('networkidle')
  expect(await page.locator('#root').textContent()).not.toBe('')
  expect(problemsOf(page)).toEqual([])
})

test('an injected script does not run', async () => {
  const page = await openPage(portal)
  await evaluate(
    page,
    `document.body.append(Object.assign(document.createElement('script'), { textContent: 'window.slipped = true' }))`,
  ).catch(() => undefined)
  await evaluate(page, `document.body.insertAdjacentHTML('beforeend', '<img src=x onerror="window.slipped = true">')`).catch(
    () => undefined,
  )
  await page.waitForFunction(() => [...document.images].every((image) => image.complete))
  await drawn(page)
  expect(await evaluate(page, 'window.slipped ?? null')).toBeNull()
})

test('text cannot become markup or code: Trusted Types are enforced', async () => {
  const page = await openPage(portal)
  const attempt = (code: string) =>
    evaluate<string>(page, `(() => { try { ${code}; return 'done' } catch (error) { return error.name } })()`)
  expect(await attempt(`document.createElement('div').innerHTML = '<b>x</b>'`)).toBe('TypeError')
  expect(await attempt(`document.createElement('script').src = '/first.js'`)).toBe('TypeError')
  expect(await attempt(`trustedTypes.createPolicy('any', { createHTML: (text) => text })`)).toBe('TypeError')
})

test('the page calls only its own API', async () => {
  const page = await openPage(portal)
  const reached = await evaluate<string>(
    page,
    `fetch('http://localhost:${new URL(portal.origin).port}/healthz').then(() => 'reached', () => 'stopped')`,
  )
  expect(reached).toBe('stopped')
})

test.each(['light', 'dark'] as const)('the sign-in has no accessibility violation in %s', async (theme) => {
  const page = await openPage(portal, { theme })
  await page.locator('input[type=email]:focus').waitFor()
  expect(await axeViolations(page)).toEqual([])
})
