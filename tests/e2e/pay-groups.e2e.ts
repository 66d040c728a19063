import type { Page } from 'playwright-core'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDays } from '#domain/calendar.ts'
import { run, said } from '#tests/e2e/at-work.ts'
import { axeViolations, openSignedIn, type Portal, problemsOf, shot, sharePortal } from '#tests/e2e/support.ts'

let portal: Portal
let page: Page
let employer: { id: number; internal_name: string }

beforeAll(async () => {
  portal = await sharePortal()
  employer = await portal.db
    .selectFrom('employers')
    .select(['id', 'internal_name'])
    .where('status', '=', 'ACTIVE')
    .where((where) =>
      where.exists(
        where.selectFrom('pay_groups').whereRef('pay_groups.employer_id', '=', 'employers.id').where('derived', '=', true),
      ),
    )
    .orderBy('id')
    .limit(1)
    .executeTakeFirstOrThrow()
  page = await openSignedIn(portal, undefined, { path: `/employers/${employer.id}?tab=payroll-group`, width: 1440, height: 900 })
  await page.getByRole('heading', { name: employer.internal_name }).waitFor()
})
afterAll(() => portal?.stop())

// The next New Year's Day is no business day, whatever its weekday.
const newYear = `${new Date().getUTCFullYear() + 1}-01-01`
const start = addDays(newYear, -16)

const detail = () => page.locator('[data-region=detail]')
const focused = (label: string) => page.getByLabel(label, { exact: true }).and(page.locator(':focus')).waitFor()
const aside = () => page.locator('.page-aside')
const groups = () => portal.db.selectFrom('pay_groups').selectAll().where('employer_id', '=', employer.id).orderBy('id').execute()
/** Moves to a field with Tab. */
async function to(label: string): Promise<void> {
  const there = page.getByLabel(label, { exact: true }).and(page.locator(':focus'))
  for (let tabs = 0; tabs < 12 && !(await there.count()); tabs += 1) await page.keyboard.press('Tab')
  await there.waitFor()
}
async function type(label: string, value: string): Promise<void> {
  await to(label)
  await page.keyboard.press('Control+a')
  await page.keyboard.type(value)
}

test('[SCR-066] [PGR-001] [PGR-006] a pay group by keyboard: errors, a date moved by a holiday, its periods', async () => {
  await run(page, 'add pay group')
  await focused('Name')
  expect(new URL(page.url()).pathname).toBe(`/employers/${employer.id}/pay-group`)
  await page.keyboard.press('Control+Enter')
  await page.getByRole('alert').getByText('7 fields to correct before saving').waitFor()
  await focused('Name')
  await page.keyboard.type('Night shift')
  await type('External code', 'NS-77')
  await page.keyboard.press('Tab')
  await page.keyboard.press('ArrowDown')
  await page.getByRole('radio', { name: 'Bi-weekly' }).and(page.locator(':checked')).waitFor()
  await type('First start', start)
  // The end follows from the start; it is only typed where it differs.
  await expect.poll(() => page.getByLabel('First end', { exact: true }).inputValue()).toBe(addDays(start, 13))
  await type('First report date', start)
  await type('First payment date', addDays(newYear, 5))
  await aside().getByText('The report date must be after the start date.').waitFor()
  await page.keyboard.press('Control+Enter')
  await page.getByRole('alert').getByText('1 field to correct before saving').waitFor()
  await shot(page, 'pay-group-wrong-light')
  await type('First report date', newYear)
  await aside()
    .getByText(/^Report date moved from .* 1 Jan \d{4}: New Year's Day$/)
    .first()
    .waitFor()
  await shot(page, 'pay-group-new-light')
  expect(await axeViolations(page)).toEqual([])
  await page.keyboard.press('Control+Enter')
  await said(page, `Added the pay group Night shift (NS-77) to ${employer.internal_name}`)
  await detail().getByText('Night shift').waitFor()
  expect(new URL(page.url()).search).toBe('?tab=payroll-group')
  const made = (await groups()).at(-1)
  expect(made).toMatchObject({ name: 'Night shift', external_code: 'NS-77', payroll_frequency: 'BI_WEEKLY', derived: false })
  const { rows } = await sql<{
    reach: boolean
  }>`select max(end_date) >= business_date() + 365 as reach from pay_periods where pay_group_id = ${made?.id}`.execute(portal.db)
  expect(rows).toEqual([{ reach: true }])
  await shot(page, 'pay-group-tab-light')
  expect(await axeViolations(page, '[data-region=detail]')).toEqual([])
})

test('[SCR-036] a derived group says so; an edit shows the effect on its invoices, and is confirmed', async () => {
  const [derived] = await groups()
  await page.goto(new URL(`/paygroups/${derived?.id}/edit`, page.url()).href)
  await focused('Name')
  await aside().getByText('Saving confirms this pay group: its periods are generated a year ahead.').waitFor()
  await aside()
    .getByText(/^Periods up to .* have invoices and stay as they are\.$/)
    .waitFor()
  await page.keyboard.press('Control+a')
  await page.keyboard.type('Everybody')
  await page.emulateMedia({ colorScheme: 'dark' })
  await shot(page, 'pay-group-edit-dark')
  expect(await axeViolations(page)).toEqual([])
  await page.setViewportSize({ width: 1024, height: 768 })
  await shot(page, 'pay-group-edit-dark-1024')
  await page.keyboard.press('Control+Enter')
  await said(page, `Saved the pay group Everybody (${derived?.external_code})`)
  await expect.poll(async () => (await groups())[0]).toMatchObject({ name: 'Everybody', derived: false })
  expect(problemsOf(page)).toEqual([])
})
