import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { run, said } from '#tests/e2e/at-work.ts'
import { axeViolations, openSignedIn, type Portal, problemsOf, shot, startPortal } from '#tests/e2e/support.ts'

let portal: Portal
let page: Page
let employer: { id: number; internal_name: string; organization_id: number }
let organization: { id: number; name: string }

beforeAll(async () => {
  // A portal of its own: files that share one save configurations of every employer of its demo company.
  portal = await startPortal()
  const { rows } = await sql<typeof employer>`select id, internal_name, organization_id from employers e where status = 'ACTIVE'
    and not exists (select from configurations c where c.employer_id = e.id)
    and not exists (select from deduction_configurations d where d.employer_id = e.id)
    and exists (select from employees p join work_period_balances b on b.employee_id = p.id and b.is_open
      where p.employer_id = e.id and p.status = 'ACTIVE') order by id limit 1`.execute(portal.db)
  employer = rows[0] as typeof employer
  // On the first day of a period nobody has earned anything yet.
  await sql`update work_period_balances b set earned_amount = 50000 from employees p
    where b.employee_id = p.id and b.is_open and b.earned_amount = 0 and p.employer_id = ${employer.id}`.execute(portal.db)
  organization = await portal.db
    .selectFrom('organizations')
    .select(['id', 'name'])
    .where('id', '=', employer.organization_id)
    .executeTakeFirstOrThrow()
  page = await openSignedIn(portal, undefined, { path: `/organizations/${organization.id}`, width: 1440, height: 900 })
  await page.getByRole('heading', { name: organization.name }).waitFor()
})
afterAll(() => portal?.stop())

const path = () => new URL(page.url()).pathname
const field = (label: string | RegExp) => page.locator('.page').getByLabel(label)
const aside = () => page.locator('.page-aside')
async function set(label: string | RegExp, value: string): Promise<void> {
  await field(label).focus()
  await page.keyboard.press('Control+a')
  await page.keyboard.type(value)
}

test('[CFG-015] [CFG-016] [VAL-015] the configuration of an organization shows a lower limit on an example', async () => {
  await run(page, 'edit organization configuration')
  await page.locator('.page :focus').waitFor()
  expect(path()).toBe(`/organizations/${organization.id}/configuration`)
  await aside()
    .getByText(/^What it means for /)
    .waitFor()
  await page.getByRole('radio', { name: 'Percentage' }).click()
  await set(/^Withdraw limit/, '2')
  await aside()
    .getByText(/ has earned \$\d.* so far and could withdraw up to \$\d.* instead of \$\d.*\.$/)
    .waitFor()
  await set(/^Integrations folder/, 'bay area')
  await page.getByRole('switch', { name: 'Every pay code' }).focus()
  await page.keyboard.press('Space')
  await page.keyboard.press('Control+Enter')
  const alert = page.getByRole('alert')
  await alert.getByText('Integrations folder: Only letters, numbers, _ or -, and no spaces').waitFor()
  await page.getByRole('switch', { name: 'Every pay code' }).focus()
  await shot(page, 'organization-configuration-light')
  expect(await axeViolations(page)).toEqual([])
  await set(/^Integrations folder/, 'bay_area-1')
  await page.keyboard.press('Control+Enter')
  await alert.getByText('Pay codes: At least one item is required.').waitFor()
  await field(/^Pay codes/).focus()
  await page.keyboard.type('REG,OT,')
  await page.keyboard.press('Control+Enter')
  await said(page, `Saved the configuration of ${organization.name}`)
  const saved = await portal.db
    .selectFrom('configurations')
    .selectAll()
    .where('organization_id', '=', organization.id)
    .executeTakeFirstOrThrow()
  expect(saved).toMatchObject({ withdraw_limit_amount: 200, integrations_folder: 'bay_area-1', pay_codes: ['REG', 'OT'] })
  await page.keyboard.press('Escape')
  await page.getByRole('heading', { name: organization.name }).waitFor()
})

test('[CFG-014] deductions of an employer are inherited until its own are saved; rollover is at most 10%', async () => {
  await page.goto(new URL(`/employers/${employer.id}?tab=configurations`, page.url()).href)
  await page.getByRole('heading', { name: employer.internal_name }).waitFor()
  await run(page, 'edit deduction configuration of an employer')
  await page.locator('.page :focus').waitFor()
  expect(path()).toBe(`/employers/${employer.id}/deductions`)
  await set(/^Allowed rollover/, '10.01')
  await page.keyboard.press('Control+Enter')
  await page.getByRole('alert').getByText('Allowed rollover: At most 10%').waitFor()
  await set(/^Allowed rollover/, '10')
  await page.keyboard.press('Control+Enter')
  await page.getByLabel(/^Type/).and(page.locator(':focus')).waitFor()
  await page.keyboard.type(employer.internal_name)
  await page.emulateMedia({ colorScheme: 'dark' })
  await shot(page, 'deduction-configuration-dark')
  expect(await axeViolations(page)).toEqual([])
  await page.keyboard.press('Control+Enter')
  await said(page, `Saved the deduction configuration of ${employer.internal_name}`)
  const { rows: own } =
    await sql`select allowed_rollover_percentage from deduction_configurations where employer_id = ${employer.id}`.execute(
      portal.db,
    )
  expect(own).toEqual([{ allowed_rollover_percentage: 1_000 }])
})

test('[API-069] a link to a partner must start with https', async () => {
  await page.goto(new URL(`/organizations/${organization.id}?tab=configurations`, page.url()).href)
  await page.getByRole('heading', { name: organization.name }).waitFor()
  await run(page, 'edit ems configuration of an organization')
  await page.locator('.page :focus').waitFor()
  await page.getByRole('radio', { name: 'Embedded' }).focus()
  await page.keyboard.press('Space')
  await set(/^Partner URL/, 'http://partner.example.com')
  await page.keyboard.press('Control+Enter')
  await page.getByRole('alert').getByText('Partner URL: Enter a URL that begins with https://').waitFor()
  await set(/^Partner URL/, 'https://partner.example.com')
  await page.keyboard.press('Control+Enter')
  await said(page, `Saved the EMS configuration of ${organization.name}`)
  await shot(page, 'ems-configuration-dark')
  await page.keyboard.press('Escape')
  await page.getByText('https://partner.example.com').waitFor()
  await page.emulateMedia({ colorScheme: 'light' })
  await shot(page, 'organization-configurations-tab-light')
  expect(await axeViolations(page, '[data-region=detail]')).toEqual([])
  expect(problemsOf(page)).toEqual([])
})
