import { generatePrivateKey } from 'sshpk'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inField, run, said } from '#tests/e2e/at-work.ts'
import { axeViolations, openSignedIn, type Portal, problemsOf, sharePortal } from '#tests/e2e/support.ts'

let portal: Portal
let page: Page
beforeAll(async () => {
  portal = await sharePortal()
  page = await openSignedIn(portal, undefined, { path: '/employees', width: 1440, height: 900 })
  await page.locator('[role=row][id]').first().waitFor()
})
afterAll(() => portal?.stop())

const detail = () => page.locator('[data-region=detail]')
const path = () => new URL(page.url()).pathname
const focused = (label: string) => page.getByLabel(label, { exact: true }).and(page.locator(':focus'))

test('[SCR-067] [SFT-003] an SFTP user is created by keyboard with a generated password that only the browser shows', async () => {
  await page.keyboard.press('g')
  await page.keyboard.press('s')
  await expect.poll(path).toBe('/sftp-users')
  await page.locator('[role=row][id]').first().waitFor()
  expect(await axeViolations(page)).toEqual([])
  await run(page, 'create sftp user')
  await page.getByText('Create SFTP user', { exact: true }).first().waitFor()
  await inField(page, 'Organization')
  await page.keyboard.type('a')
  await page.getByRole('option').first().waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await inField(page, 'Username')
  await page.keyboard.type('ridge_files+1')
  await page.getByLabel('Password', { exact: true }).first().click()
  await page.getByRole('button', { name: 'Make one' }).click()
  const made = await page.locator('form input.font-mono').inputValue()
  expect(made).toMatch(/^[\w.+-]{24}$/)
  await page.keyboard.press('Control+Enter')
  await said(page, 'Created ridge_files+1')
  await detail().getByRole('heading', { name: 'ridge_files+1', level: 2 }).waitFor()
  await expect.poll(path).toMatch(/^\/sftp-users\/\d+$/)
  expect(await page.locator('body').innerText()).not.toContain(made)
  expect(await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }))).not.toContain(made)
  expect(await axeViolations(page, '[data-region=detail]')).toEqual([])
})

test('the page shows the text for the customer, and one key copies it', async () => {
  for (const fact of ['Tell the customer', 'Host', 'File names', 'Last sign-in'])
    await detail().getByText(fact, { exact: true }).waitFor()
  await detail().getByText('A file disappears from the folder once it was taken', { exact: false }).waitFor()
  await detail().getByText('Never', { exact: true }).waitFor()
  await page.keyboard.press('c')
  await said(page, 'Connection details copied')
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  expect(copied).toContain('Username: ridge_files+1')
  expect(await axeViolations(page, '[data-region=detail]')).toEqual([])
})

test('[SFT-005] a key replaces the password, an invalid key is refused, and the user is deleted', async () => {
  await page.keyboard.press('e')
  await page.getByText('The password of now is worth nothing from then on.').waitFor()
  await page.getByLabel('SSH key', { exact: true }).click()
  await page.keyboard.press('Tab')
  await focused('SSH public key').waitFor()
  await page.keyboard.insertText('-----BEGIN OPENSSH PRIVATE KEY-----\nabc')
  await page.keyboard.press('Control+Enter')
  await page.getByText(/^This is a private key, and nothing of it was kept/).waitFor()
  await page.keyboard.press('Control+a')
  await page.keyboard.insertText(generatePrivateKey('ed25519').toPublic().toString('ssh'))
  await page.keyboard.press('Control+Enter')
  await said(page, 'Changed how ridge_files+1 signs in')
  await detail().getByText('Ed25519', { exact: true }).waitFor()
  await detail()
    .getByText(/^SHA256:/)
    .waitFor()
  await page.keyboard.press('Backspace')
  await page.getByText('Nobody can sign in with it from now on. Files that it brought stay.').waitFor()
  await page.keyboard.type('ridge_files+1')
  await page.keyboard.press('Control+Enter')
  await said(page, 'Deleted ridge_files+1')
  await expect.poll(path).toBe('/sftp-users')
  expect(problemsOf(page)).toEqual([])
})
