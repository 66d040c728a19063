import type { Page } from 'playwright-core'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { run, said } from '#tests/e2e/at-work.ts'
import { drawn } from '#tests/e2e/drawn.ts'
import { axeViolations, follow, openSignedIn, type Portal, problemsOf, shot, sharePortal } from '#tests/e2e/support.ts'
import { createCompany } from '#tests/support/company.ts'
import { configureOrganization } from '#tests/support/imports.ts'

let portal: Portal
let page: Page
let employer: { id: number; internal_name: string; organization_id: number }

beforeAll(async () => {
  portal = await sharePortal()
  const { organizationId } = await createCompany(portal.db, 'Fresh Fields')
  await configureOrganization(portal.db, organizationId)
  const { rows } = await sql<typeof employer>`
    insert into employers (organization_id, internal_name, external_name, external_code, lookup_name, brand, direct_customer, status)
    values (${organizationId}, 'Fresh Fields 1', 'Fresh Fields', 'FF-9001', 'fresh-fields-1', 'DAYLINE', false, 'INACTIVE')
    returning id, internal_name, organization_id`.execute(portal.db)
  employer = rows[0] as typeof employer
  page = await openSignedIn(portal, undefined, { path: `/employers/${employer.id}?tab=onboarding`, width: 1440, height: 900 })
  await page.getByRole('heading', { name: employer.internal_name }).waitFor()
})
afterAll(() => portal?.stop())

const list = () => page.getByRole('grid', { name: 'Onboarding' })
/** The text of the focused row. */
const current = () =>
  list().evaluate((grid) => document.getElementById(grid.getAttribute('aria-activedescendant') ?? '')?.textContent ?? '')
const row = (title: string) => list().getByRole('row').filter({ hasText: title })

/** Moves the focus to a step. */
async function goTo(title: string): Promise<void> {
  // The list is rendered before its rows: counted too early, it has no steps.
  await row(title).first().waitFor()
  await list().focus()
  await page.keyboard.press('Control+Home')
  const titles = await list()
    .getByRole('row')
    .filter({ has: page.getByRole('gridcell') })
    .allTextContents()
  for (let steps = titles.findIndex((one) => one.startsWith(title)); steps > 0; steps -= 1) await page.keyboard.press('ArrowDown')
  await expect.poll(async () => (await current()).startsWith(title)).toBe(true)
}

test('the checklist of a new employer shows what is missing, and each step is one Enter away', async () => {
  await row('Pay group').getByText('No pay periods, no invoices.').waitFor()
  await row('Active').getByText('Missing').waitFor()
  await shot(page, 'onboarding-light')
  expect(await axeViolations(page, '[data-region=detail]')).toEqual([])
  await goTo('Pay group')
  await page.keyboard.press('Enter')
  await page.getByLabel('Name', { exact: true }).and(page.locator(':focus')).waitFor()
  expect(new URL(page.url()).pathname).toBe(`/employers/${employer.id}/pay-group`)
  // Leaving returns to the step, which has the focus.
  await page.keyboard.press('Escape')
  await row('Customer success manager').waitFor()
  await expect.poll(() => list().evaluate((grid) => grid === document.activeElement)).toBe(true)
  expect(await current()).toMatch(/^Pay group/)
  // In a narrow window, too, each step shows what is missing.
  await page.setViewportSize({ width: 1024, height: 768 })
  const notice = row('Pay group').getByText('No pay periods, no invoices.')
  await expect.poll(() => notice.evaluate((text) => text.checkVisibility() && text.scrollWidth <= text.clientWidth)).toBe(true)
  await shot(page, 'onboarding-light-1024')
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.emulateMedia({ colorScheme: 'dark' })
  await shot(page, 'onboarding-dark')
  expect(problemsOf(page)).toEqual([])
})

test('Back returns to a step, also on a page whose list loaded late', async () => {
  let go = () => {}
  const late = new Promise<void>((resolve) => {
    go = resolve
  })
  await page.route('**/assets/employers-*.js', async (route) => {
    await late
    await route.continue()
  })
  await page.goto(`${portal.origin}/employers/${employer.id}?tab=onboarding`)
  // The key handler is attached once the frame is rendered.
  await page.getByRole('navigation').first().waitFor()
  await drawn(page)
  go()
  await goTo('Pay group')
  await page.keyboard.press('Enter')
  await page.getByLabel('Name', { exact: true }).and(page.locator(':focus')).waitFor()
  await page.keyboard.press('Escape')
  await expect.poll(() => list().evaluate((grid) => grid === document.activeElement)).toBe(true)
  await page.unroute('**/assets/employers-*.js')
})

test('a step opens the field that it is about, in a form that knows its owner', async () => {
  for (const [step, field, address] of [
    ['LMS configuration', '[data-field=payment_method]', `/employers/${employer.id}/configuration`],
    ['Integrations folder', '[data-field=integrations_folder]', `/organizations/${employer.organization_id}/configuration`],
  ] as const) {
    await goTo(step)
    await page.keyboard.press('Enter')
    await page.locator(`${field} :focus`).waitFor()
    expect(new URL(page.url()).pathname).toBe(address)
    await page.keyboard.press('Escape')
    await row('Customer success manager').waitFor()
  }
  await goTo('Customer success manager')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: /^Set customer success manager/ }).waitFor()
  await page.getByRole('combobox', { name: 'Customer success manager' }).and(page.locator(':focus')).waitFor()
  // First to its names, then to the form.
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await sql`insert into integrations (employer_id, organization_id, import_type, type, sftp_type, created_by, created_by_name)
    values (${employer.id}, ${employer.organization_id}, 'ELIGIBLE_EMPLOYEE', 'SFTP', 'INTERNAL', 'service', 'System')`.execute(
    portal.db,
  )
  await page.keyboard.press('r')
  await row('SFTP user').waitFor()
  await goTo('SFTP user')
  await page.keyboard.press('Enter')
  const { name } = await portal.db
    .selectFrom('organizations')
    .select('name')
    .where('id', '=', employer.organization_id)
    .executeTakeFirstOrThrow()
  await expect.poll(() => page.getByLabel('Organization', { exact: true }).inputValue()).toBe(name)
  // A parameter that the step already has is not asked for.
  await page.getByLabel('Username', { exact: true }).and(page.locator(':focus')).waitFor()
  await page.keyboard.press('Escape')
  expect(problemsOf(page)).toEqual([])
})

test('the checklist is found by its name, and the step for a file mapping preselects its kind', async () => {
  await page.emulateMedia({ colorScheme: 'light' })
  await follow(page, `/employers/${employer.id}`)
  await page.getByRole('heading', { name: employer.internal_name }).waitFor()
  await run(page, 'onboarding')
  await list().waitFor()
  await page.keyboard.press('1')
  await list().waitFor({ state: 'detached' })
  await page.keyboard.press('s')
  await list().waitFor()
  // It would be the tenth tab, without a digit: its key opens it and focuses the list.
  await page.keyboard.press('s')
  await list().and(page.locator(':focus')).waitFor()
  for (const [step, kind] of [
    ['EWA file mapping', 'EWA'],
    ['Timekeeping file mapping', 'Timekeeping'],
  ] as const) {
    await goTo(step)
    await page.keyboard.press('Enter')
    await page.getByLabel('File name').and(page.locator(':focus')).waitFor()
    expect(await page.getByLabel(kind, { exact: true }).isChecked()).toBe(true)
    await page.getByRole('button', { name: 'Discard' }).click()
    await page.keyboard.press('Escape')
    await row('Customer success manager').waitFor()
  }
  expect(problemsOf(page)).toEqual([])
})

test('without any configuration nothing is shown as inherited', async () => {
  const { rows } = await sql<{ id: number; name: string }>`with organization as (
      insert into organizations (name, lookup_name, brand, source_code, status)
      values ('Bare Harbor', 'bare-harbor', 'DAYLINE', 'BARE', 'ACTIVE') returning id)
    insert into employers (organization_id, internal_name, external_name, external_code, lookup_name, brand, direct_customer, status)
    select id, 'Bare Harbor 1', 'Bare', 'BARE-1', 'bare-harbor-1', 'DAYLINE', false, 'INACTIVE' from organization
    returning id, internal_name as name`.execute(portal.db)
  const [bare] = rows
  await follow(page, `/employers/${bare?.id}?tab=configurations`)
  await page.getByText('Nobody has set a configuration yet. These are the values until then.').waitFor()
  await page.getByText('Payment method').waitFor()
  await page.getByText('Employee management system').waitFor()
  expect(await page.locator('[data-region=detail]').getByText('from Bare Harbor').count()).toBe(0)
  await follow(page, `/employers/${bare?.id}/configuration`)
  const mark = (name: string) => page.locator(`[data-field=${name}] .page-mark`).innerText()
  await page.locator('[data-field=payment_method]').waitFor()
  expect([await mark('payment_method'), await mark('withdraw_limit_type')].map((text) => text.split('\n')[0]?.trim())).toEqual([
    'Default',
    'Default',
  ])
})

test('a completed step returns to the checklist, on the step after it', async () => {
  const address = `/employers/${employer.id}?tab=onboarding`
  await page.goto(`${portal.origin}${address}`)
  /** The step is complete: the checklist says so, and the next one has the focus. */
  const expectNextStep = async (step: string, after: string) => {
    await row(step).getByText('Done').waitFor()
    await expect.poll(() => list().evaluate((grid) => grid === document.activeElement)).toBe(true)
    await expect.poll(async () => (await current()).startsWith(after)).toBe(true)
    expect(page.url()).toBe(`${portal.origin}${address}`)
  }
  await goTo('SFTP user')
  await page.keyboard.press('Enter')
  await page.getByLabel('Username', { exact: true }).and(page.locator(':focus')).waitFor()
  await page.keyboard.type('fresh_fields')
  await page.getByLabel('Password', { exact: true }).first().click()
  await page.getByRole('button', { name: 'Make one' }).click()
  await page.keyboard.press('Control+Enter')
  await said(page, 'Created fresh_fields')
  await expectNextStep('SFTP user', 'Data e-mail')

  await goTo('Pay group')
  await page.keyboard.press('Enter')
  await page.getByLabel('Name', { exact: true }).and(page.locator(':focus')).waitFor()
  await page.keyboard.type('Day shift')
  await page.getByLabel('External code', { exact: true }).fill('DS-1')
  await page.getByRole('radio', { name: 'Bi-weekly' }).check()
  const start = new Date(Date.now() + 7 * 86_400_000)
  const day = (later: number) => new Date(start.getTime() + later * 86_400_000).toISOString().slice(0, 10)
  for (const [label, value] of [
    ['First start', day(0)],
    ['First report date', day(15)],
    ['First payment date', day(20)],
  ] as const)
    await page.getByLabel(label, { exact: true }).fill(value)
  await page.keyboard.press('Control+Enter')
  await expectNextStep('Pay group', 'Billing account')

  await goTo('Employee file mapping')
  await page.keyboard.press('Enter')
  await page.getByLabel('File name').and(page.locator(':focus')).waitFor()
  await page.keyboard.type('fresh_ee.csv')
  await page.getByRole('button', { name: 'Add column' }).focus()
  await page.keyboard.press('Enter')
  await page.getByLabel('Column header, column 1', { exact: true }).and(page.locator(':focus')).waitFor()
  await page.evaluate(() => {
    const data = new DataTransfer()
    data.setData('text/plain', 'Employee No\tEmployee code\nName\tFull name\nState\tstatus\n')
    document.activeElement?.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))
  })
  await expect.poll(() => page.getByLabel('Column header, column 3', { exact: true }).inputValue()).toBe('State')
  await page.keyboard.press('Control+Enter')
  await expectNextStep('Employee file mapping', 'Timekeeping file mapping')
  expect(problemsOf(page)).toEqual([])
})
