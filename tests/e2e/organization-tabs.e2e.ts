import { sql } from 'kysely'
import { generateKey } from 'openpgp'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inField, said } from '#tests/e2e/at-work.ts'
import { axeViolations, failAt, openSignedIn, openTab, type Portal, problemsOf, sharePortal } from '#tests/e2e/support.ts'

let portal: Portal
let page: Page
let organizationId: number
beforeAll(async () => {
  portal = await sharePortal()
  const { rows } = await sql<{ id: number }>`
    select organizations.id from organizations join employers on employers.organization_id = organizations.id
    group by organizations.id having count(*) between 3 and 10 order by organizations.id limit 1`.execute(portal.db)
  organizationId = rows[0]?.id as number
  page = await openSignedIn(portal, undefined, { path: `/organizations/${organizationId}`, width: 1440, height: 900 })
  await page.locator('[data-region=detail] h2').waitFor()
})
afterAll(() => portal?.stop())

const detail = () => page.locator('[data-region=detail]')
/** Loaded rows: until then placeholders are shown. */
const rows = () => detail().locator('.grid-row[id]')
const tab = (name: string) => openTab(page, name)
/** Types into consecutive fields with Tab. */
async function fill(fields: Readonly<Record<string, string>>): Promise<void> {
  for (const [label, value] of Object.entries(fields)) {
    for (let tabs = 0; tabs < 9 && !(await isIn(label)); tabs += 1) await page.keyboard.press('Tab')
    await inField(page, label)
    await page.keyboard.type(value)
  }
}
const isIn = async (label: string): Promise<boolean> =>
  (await page
    .getByLabel(new RegExp(`^${label}`))
    .and(page.locator(':focus'))
    .count()) > 0

test('[SCR-024] [VAL-012] the encryption key is set by keyboard, shown by its fingerprint, and removed', async () => {
  await tab('Encryption')
  await detail()
    .getByText('No encryption key, or none that you have access to. Without one EWA files are not encrypted.')
    .waitFor()
  await page.keyboard.press('i')
  await inField(page, 'Public key')
  await page.keyboard.insertText('ssh-ed25519 AAAAC3Nz ada')
  await page.keyboard.press('Control+Enter')
  await page.getByText('This is an SSH key. Paste an OpenPGP public key.').waitFor()
  const { publicKey } = await generateKey({ userIDs: [{ name: 'Hanna Harbor' }], format: 'armored' })
  await page.keyboard.press('Control+a')
  await page.keyboard.insertText(publicKey)
  await page.keyboard.press('Control+Enter')
  await detail()
    .getByText(/^([\dA-F]{4} ){9}[\dA-F]{4}$/)
    .waitFor()
  await detail().getByText('Hanna Harbor').waitFor()
  expect(await axeViolations(page, '[data-region=detail]')).toEqual([])
  await page.keyboard.press('Backspace')
  await page.getByText('EWA files are not encrypted from now on.').waitFor()
  const { name } = await portal.db
    .selectFrom('organizations')
    .select('name')
    .where('id', '=', organizationId)
    .executeTakeFirstOrThrow()
  await page.keyboard.type(name)
  await page.keyboard.press('Control+Enter')
  await detail()
    .getByText('No encryption key, or none that you have access to. Without one EWA files are not encrypted.')
    .waitFor()
})

test('[SCR-025] [DEM-002] [DEM-004] [DEM-005] import emails of both kinds are required, with validation messages', async () => {
  await tab('Import Emails')
  await detail().locator('.tab-list [role=grid]').waitFor()
  await page.keyboard.press('i')
  await page.getByRole('listbox', { name: 'Types' }).and(page.locator(':focus')).waitFor()
  await page.keyboard.press('Control+a')
  await fill({ 'Timekeeping e-mail': 'one@ridge.example' })
  await page.keyboard.press('Control+Enter')
  await page.getByText('This is a required field.', { exact: true }).waitFor()
  await page.keyboard.type('one@ridge.example')
  await page.keyboard.press('Control+Enter')
  await page.getByText('This is the eligible employee e-mail. Use another one.').waitFor()
  await page.keyboard.press('Control+a')
  await page.keyboard.type('007@ridge.example')
  await page.keyboard.press('Control+Enter')
  await page.getByText('email number must not start with zero').waitFor()
  expect(await rows().filter({ hasText: 'ridge.example' }).count()).toBe(0)
})

test('[SCR-025] [ERR-039] import emails are added, and one is deleted and restored', async () => {
  await page.keyboard.press('Control+a')
  await page.keyboard.type('two@ridge.example')
  await failAt(page, '**/api/data-emails*', 'POST')
  await page.keyboard.press('Control+Enter')
  await page.getByText('Could not create Data Emails').first().waitFor()
  await page.unroute('**/api/data-emails*')
  await page.keyboard.press('Control+Enter')
  await said(page, 'Data e-mails added')
  const own = rows().filter({ hasText: 'one@ridge.example' })
  await own.click()
  expect(await axeViolations(page, '[data-region=detail]')).toEqual([])
  await page.keyboard.press('Backspace')
  await page.getByText('Files from this address are refused from now on. Its owner is notified by e-mail.').waitFor()
  await page.keyboard.press('Control+Enter')
  await said(page, 'Deleted one@ridge.example')
  await expect.poll(() => own.count()).toBe(0)
  await page.keyboard.press('Control+z')
  await expect.poll(() => own.count()).toBe(1)
})

test('[SCR-026] [ITG-003] [ITG-005] integrations are added by keyboard, get a vendor (undone), and are deleted', async () => {
  await sql`delete from integrations where organization_id = ${organizationId}`.execute(portal.db)
  await tab('Integrations')
  await detail().getByText('No integration, or none that you have access to.').waitFor()
  await page.keyboard.press('i')
  await page.getByRole('listbox', { name: 'Imports' }).and(page.locator(':focus')).waitFor()
  await page.keyboard.press('Control+Enter')
  await page.getByText('At least one item is required').waitFor()
  await page.keyboard.press('Space')
  await page.getByText('At least one item is required').waitFor({ state: 'detached' })
  await fill({ Type: '' })
  await page.keyboard.press('Space')
  await page.getByRole('option', { name: 'SFTP, external' }).click()
  await fill({ URL: 'sftp://files.ridge.example', Username: 'earnly' })
  await page.getByRole('switch', { name: 'Incremental' }).click()
  await page.keyboard.press('Control+Enter')
  await page.getByText('An SSH key or a password must be filled').waitFor()
  expect(await page.getByText('This is a required field.', { exact: true }).count()).toBe(1)
  await page.getByLabel(/^Password/).fill('their-secret-1')
  await page.getByLabel(/^Terminated values/).click()
  await page.keyboard.type('T,Left')
  await page.keyboard.press('Control+Enter')
  await said(page, 'Integration added')
  await rows().first().waitFor()
  expect(await axeViolations(page, '[data-region=detail]')).toEqual([])
  expect(await rows().first().innerText()).toContain('SFTP, external')
  await rows().first().click()
  await page.keyboard.press('e')
  await page.getByText('Payharbor', { exact: true }).click()
  await page.keyboard.press('Control+Enter')
  await expect.poll(() => rows().first().innerText()).toContain('Payharbor')
  await page.keyboard.press('Backspace')
  await page.getByText('Nothing comes in this way from now on. What it signs in with is forgotten.').waitFor()
  await page.keyboard.type('Eligible employee')
  await page.keyboard.press('Control+Enter')
  await said(page, 'Deleted Eligible employee by SFTP')
  await detail().getByText('No integration, or none that you have access to.').waitFor()
})

test('[SCR-031] the integrations of an employer in its tab, starting with those of its organization', async () => {
  const { rows: found } = await sql<{ id: number }>`
    select id from employers where organization_id = ${organizationId} order by id limit 1`.execute(portal.db)
  const employerPage = await openSignedIn(portal, undefined, {
    path: `/employers/${found[0]?.id}?tab=integrations`,
    width: 1440,
    height: 900,
  })
  const region = employerPage.locator('[data-region=detail]')
  await region.getByText('No integration of its own: those of the organization hold for it.').waitFor()
  await region.locator('h2').first().waitFor()
  await region.focus()
  await employerPage.keyboard.press('i')
  await employerPage.getByRole('listbox', { name: 'Imports' }).and(employerPage.locator(':focus')).waitFor()
  await employerPage.keyboard.press('Control+a')
  await employerPage.keyboard.press('Tab')
  await employerPage.keyboard.press('Space')
  await employerPage.getByRole('option', { name: 'CSV' }).click()
  await employerPage.keyboard.press('Control+Enter')
  await said(employerPage, 'Integrations added')
  await expect.poll(() => region.locator('.grid-row[id]').count()).toBe(2)
  expect(await axeViolations(employerPage, '[data-region=detail]')).toEqual([])
  expect(problemsOf(employerPage)).toEqual([])
  await employerPage.context().close()
})

test('[SCR-035] e-mails about an employer are in the tab Communications: a failed one is sent again', async () => {
  const { rows: found } = await sql<{ id: number }>`
    select id from employers where organization_id = ${organizationId} order by id limit 1`.execute(portal.db)
  await sql`update outbox set attempts = 8 where recipient = 'two@ridge.example'`.execute(portal.db)
  const employerPage = await openSignedIn(portal, undefined, {
    path: `/employers/${found[0]?.id}?tab=communications`,
    width: 1440,
    height: 900,
  })
  const failed = employerPage.locator('.tab-list .grid-row').filter({ hasText: 'two@ridge.example' })
  await failed.first().waitFor()
  expect(await failed.innerText()).toContain('Failed')
  expect(await axeViolations(employerPage, '[data-region=detail]')).toEqual([])
  await failed.click()
  await employerPage.keyboard.press('s')
  await employerPage.getByText('It is sent to two@ridge.example once more.').waitFor()
  await employerPage.keyboard.press('Control+Enter')
  await expect.poll(() => failed.innerText()).toContain('Queued')
  expect(problemsOf(employerPage)).toEqual([])
  await employerPage.context().close()
})

test('[SCR-027] [ENT-124] [ERR-046] billing accounts: one is added by keyboard for one employer, edited and deleted', async () => {
  await tab('Billing Accounts')
  await rows().first().waitFor()
  expect(await axeViolations(page, '[data-region=detail]')).toEqual([])
  const before = await rows().count()
  await page.keyboard.press('i')
  await inField(page, 'Account name')
  await fill({ 'Account name': 'Ridge Foods', Nickname: 'Second', Bank: 'Harborline Bank' })
  await page.getByLabel('Specific employers').click()
  await fill({ Employers: '' })
  await page.keyboard.press('ArrowDown')
  await page.getByRole('option').first().waitFor()
  await page.keyboard.press('Enter')
  await fill({ 'Routing number': '121000249', 'Account number': '998877665544' })
  await page.keyboard.press('Control+Enter')
  await page.getByText('The check digit does not fit: a digit of this routing number is wrong.').waitFor()
  await page.keyboard.press('Backspace')
  await page.keyboard.type('8')
  await failAt(page, '**/api/billing-accounts', 'POST')
  await page.keyboard.press('Control+Enter')
  await page.getByText('Something went wrong saving the billing account configuration').first().waitFor()
  await page.unroute('**/api/billing-accounts')
  await page.keyboard.press('Control+Enter')
  await said(page, 'Billing account created')
  await expect.poll(() => rows().count()).toBe(before + 1)
  const own = rows().filter({ hasText: '••••5544' })
  await own.click()
  await page.keyboard.press('e')
  await inField(page, 'Account name')
  await fill({ Nickname: ' account' })
  await page.keyboard.press('Control+Enter')
  await said(page, 'Billing account updated')
  await expect.poll(() => own.innerText()).toContain('account')
  await page.keyboard.press('Backspace')
  await page.getByText('No further debit is made from it. It stays in the list as deleted.').waitFor()
  await page.keyboard.type('5544')
  await page.keyboard.press('Control+Enter')
  await said(page, 'Billing account deleted')
  await expect.poll(() => own.innerText()).toContain('Deleted')
  expect(problemsOf(page)).toEqual([])
})
