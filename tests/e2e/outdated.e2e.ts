import { execFileSync } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { axeViolations, openSignedIn, type Portal, portalOn } from '#tests/e2e/support.ts'
import { startProcess } from '#tests/support/process.ts'

let copy: string
let portal: Portal & { leave: () => Promise<void> }
let page: Page

/** The build id of the copy. */
const built = async (): Promise<string> =>
  (JSON.parse(await readFile(join(copy, 'dist/version.json'), 'utf8')) as { version: string }).version

/** Builds the current state of the copy. */
async function build(): Promise<string> {
  execFileSync(process.execPath, ['node_modules/vite/bin/vite.js', 'build', '--logLevel', 'error'], {
    cwd: copy,
    stdio: 'inherit',
  })
  return built()
}

beforeAll(async () => {
  copy = await mkdtemp(join(tmpdir(), 'admin-portal-copy-'))
  // The build that every browser test uses: the first of the two.
  for (const name of [
    'dist',
    'src',
    'commands',
    'scripts',
    'public',
    'index.html',
    'vite.config.ts',
    'package.json',
    'tsconfig.json',
  ])
    await cp(name, join(copy, name), { recursive: true })
  await symlink(resolve('node_modules'), join(copy, 'node_modules'), 'dir')
  const folder = join(copy, 'data')
  const server = startProcess({ DATA_DIR: folder }, copy)
  portal = await portalOn(await server.ready, folder, server)
})
afterAll(async () => {
  await portal?.stop()
  await rm(copy, { recursive: true, force: true })
})

test('[SCR-075] a new build is deployed: people with the old one are asked to log in again', async () => {
  const first = await built()
  page = await openSignedIn(portal, 'sam.okoye@example.com', { path: '/employees?q=an' })
  await page.getByRole('grid').waitFor()
  const asked = page.waitForResponse('**/config.json')
  await page.evaluate(() => dispatchEvent(new Event('focus')))
  expect(await (await asked).json()).toMatchObject({ version: first })

  const file = join(copy, 'src/portal/shell/downtime.tsx')
  const text = await readFile(file, 'utf8')
  await writeFile(file, text.replace('away for a moment', 'away for a little while'))
  const second = await build()
  expect(second).not.toBe(first)
  expect(await page.getByRole('alertdialog').count()).toBe(0)
  await page.evaluate(() => dispatchEvent(new Event('focus')))
  await page.getByText(/Please log in again/).waitFor()
  expect(await axeViolations(page, '[role=alertdialog]')).toEqual([])
  await page.evaluate(() => sessionStorage.setItem('admin-portal.draft.of-a-form', 'typed'))
  // It cannot be closed, and keeps the focus.
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+k')
  expect(await page.getByRole('combobox').count()).toBe(0)
  await page.locator('[role=alertdialog] button:focus').waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Sign in', exact: true }).waitFor()
  // The new build shows the sign-in.
  expect(await page.locator('meta[name=version]').getAttribute('content')).toBe(second)
  // The person did not sign out: place and drafts are restored after the sign-in.
  expect(page.url()).toBe(`${portal.origin}/employees?q=an`)
  expect(await page.evaluate(() => sessionStorage.getItem('admin-portal.draft.of-a-form'))).toBe('typed')
})

test('no build serves a source map', async () => {
  const served = await page.evaluate(() => performance.getEntriesByType('resource').map((entry) => entry.name))
  const scripts = served.filter((address) => address.endsWith('.js') && address.includes('/assets/'))
  expect(scripts.length).toBeGreaterThan(2)
  for (const script of scripts)
    for (const end of ['.map', '.map.br', '.map.gz']) expect([script, (await fetch(script + end)).status]).toEqual([script, 404])
})
