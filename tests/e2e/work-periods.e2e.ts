import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { formatCents } from '#domain/money.ts'
import { inField, run, said } from '#tests/e2e/at-work.ts'
import { axeViolations, openSignedIn, type Portal, problemsOf, sharePortal } from '#tests/e2e/support.ts'

let portal: Portal
let page: Page

beforeAll(async () => {
  portal = await sharePortal()
  page = await openSignedIn(portal, undefined, { width: 1440, height: 900 })
})
afterAll(() => portal?.stop())

/** The id of the first employee for which a condition on `e`, its open balance `b` and its terms `t` holds. */
async function employeeWhere(condition: ReturnType<typeof sql>): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    select e.id from employees e join users u on u.id = e.user_id join employers on employers.id = e.employer_id
    left join work_period_balances b on b.employee_id = e.id and b.is_open
    cross join lateral (select * from configurations given where given.employer_id = e.employer_id
      or given.organization_id = employers.organization_id order by given.employer_id nulls last limit 1) t
    cross join lateral (select count(*) as used from transactions where work_period_balance_id = b.id and status in ('COMPLETE', 'PENDING')) x
    cross join lateral (select count(*) as granted from additional_transactions where work_period_balance_id = b.id) g
    where e.status = 'ACTIVE' and u.kyc_status = 'APPROVED' and employers.status = 'ACTIVE' and ${condition} order by e.id limit 1`.execute(
    portal.db,
  )
  return rows[0]?.id as number
}
const rows = (label: string) => page.locator(`[role=grid][aria-label="${label}"] [role=row][id]`)
const open = async (id: number, tab: string) => {
  await page.goto(`${portal.origin}/employees/${id}?tab=${tab}`)
  await page.locator('[data-region=detail]:focus').waitFor()
}

/** Focuses the list in the open tab with the digit of the tab. */
const enterTab = async (tab: string) =>
  page.keyboard.press((await page.locator(`[role=tab][data-tab=${tab}]`).getAttribute('aria-keyshortcuts')) as string)

test('the figures of an employee are on one line at 1024 pixels, even with a title of two lines', async () => {
  const id = await employeeWhere(sql`b.taken_amount > 0`)
  await page.setViewportSize({ width: 1024, height: 768 })
  await page.goto(`${portal.origin}/employees/${id}`)
  const figures = page.locator('.sums dd')
  await figures.first().waitFor()
  const edges = await figures.evaluateAll((all) => all.slice(0, 2).map((each) => Math.round(each.getBoundingClientRect().bottom)))
  await page.setViewportSize({ width: 1440, height: 900 })
  expect(new Set(edges).size).toBe(1)
})

test('[SCR-046] the tab Pay period shows the current balance, past ones, and their invoices', async () => {
  const id = await employeeWhere(
    sql`b.taken_amount > 0 and exists (select from work_period_balances past where past.employee_id = e.id and not is_open and taken_amount > 0)`,
  )
  const { rows: balances } = await sql<{ id: number; taken_amount: number; available_amount: number; is_open: boolean }>`
    select id, taken_amount, available_amount, is_open from work_period_balances where employee_id = ${id} order by work_period_start desc`.execute(
    portal.db,
  )
  await open(id, 'pay-period')
  const label = 'Work period balances of the employee'
  await rows(label).first().waitFor()
  const current = balances[0] as (typeof balances)[number]
  expect(current.is_open).toBe(true)
  await expect.poll(() => page.locator('.sums').innerText()).toContain(formatCents(current.available_amount))
  await page.getByText(/requests? left of/).waitFor()
  expect(await rows(label).first().innerText()).toContain(formatCents(current.taken_amount))
  const details = page.getByRole('region', { name: 'Invoice details' })
  await expect.poll(() => details.innerText()).toContain(formatCents(current.taken_amount))
  // Down to a past period, whose invoice includes what was withdrawn.
  const place = balances.findIndex((one) => !one.is_open && one.taken_amount > 0)
  await enterTab('pay-period')
  for (let step = 0; step < place; step += 1) await page.keyboard.press('ArrowDown')
  await expect.poll(() => details.innerText()).toContain(formatCents(balances[place]?.taken_amount as number))
  await details.getByRole('link').first().click()
  await page.waitForURL(/\/invoices\/\d+/)
  await page.goBack()
  await rows(label).first().waitFor()
  expect(await axeViolations(page)).toEqual([])
  expect(problemsOf(page)).toEqual([])
})

test('[ERR-018] [EMP-017] where the balance fails to load, the tab and the command say so', async () => {
  const id = await employeeWhere(sql`b.id is null`)
  await open(id, 'pay-period')
  await page.getByRole('alert').getByText('The balance cannot be loaded.').waitFor()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('additional transaction')
  const option = page.getByRole('option', { name: /Additional transaction/ }).first()
  await option.waitFor()
  expect(await option.innerText()).toContain('The balance cannot be loaded.')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  expect(problemsOf(page)).toEqual([])
})

test('[SCR-049] the tab Transactions is a list with filters, cursor and keys', async () => {
  const id = await employeeWhere(
    sql`(select count(distinct status) from transactions where employee_id = e.id and status in ('FAIL', 'COMPLETE')) = 2`,
  )
  const { rows: all } = await sql<{ status: string; amount: number }>`
    select status, amount from transactions where employee_id = ${id} order by requested_at desc, id desc`.execute(portal.db)
  await open(id, 'transactions')
  const label = 'Transactions of the employee'
  await expect.poll(() => rows(label).count()).toBe(all.length)
  expect(await rows(label).first().innerText()).toContain(formatCents(all[0]?.amount as number))
  await enterTab('transactions')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Control+c')
  await page.getByText('1 row copied').first().waitFor()
  await open(id, 'transactions&transactions-status_type=is&transactions-status_value=FAIL')
  await page.getByRole('region', { name: 'Filters' }).getByText('Status is').waitFor()
  await expect.poll(() => rows(label).count()).toBe(all.filter(({ status }) => status === 'FAIL').length)
  expect(await rows(label).first().innerText()).toContain('Failed')
  expect(await axeViolations(page)).toEqual([])
  expect(problemsOf(page)).toEqual([])
})

test('[EMP-007] [EMP-015] [ENUM-020] an additional transaction shows its effect, and is refused while one is left', async () => {
  const used = sql`b.work_period_end > current_date and x.used >= t.requests_per_cycle + g.granted`
  const id = await employeeWhere(used)
  await open(id, 'general')
  await run(page, 'Additional transaction')
  await inField(page, 'Notes')
  await page.getByText('requests left').waitFor()
  await page.getByText('This cannot be undone.').waitFor()
  await page.keyboard.type('Rent is due')
  await page.keyboard.press('Control+Enter')
  const { first_name, last_name } = await portal.db
    .selectFrom('employees')
    .select(['first_name', 'last_name'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  await said(page, `${first_name} ${last_name} may make one more request in this pay period`)
  await open(id, 'history')
  const granted = page.locator('[aria-label="History of the employee"] [role=row]', { hasText: 'Rent is due' })
  await granted.getByText('Additional Transaction', { exact: true }).waitFor()
  // Again: the reason is shown before it is chosen.
  await page.keyboard.press('Control+k')
  await page.keyboard.type('additional transaction')
  const again = page.getByRole('option', { name: /Additional transaction/ }).first()
  await again.getByText('An additional transaction was granted and is not used yet.').waitFor()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  expect(problemsOf(page)).toEqual([])
})

test('a work period balance is adjusted with a preview of the effect, and put back', async () => {
  const id = await employeeWhere(sql`t.withdraw_limit_type = 'PERCENTAGE' and b.earned_amount > 10000`)
  const earned = async (): Promise<number | undefined> =>
    (
      await portal.db
        .selectFrom('work_period_balances')
        .select('earned_amount')
        .where('employee_id', '=', id)
        .where('is_open', '=', true)
        .execute()
    )[0]?.earned_amount
  const before = await earned()
  await open(id, 'general')
  await run(page, 'Adjust work period balance')
  await inField(page, 'Earned in this period')
  await page.keyboard.press('Control+a')
  await page.keyboard.type('123.45')
  await page.getByRole('dialog').getByText('$123.45').first().waitFor()
  await page.getByRole('dialog').getByText('available').first().waitFor()
  await page.keyboard.press('Enter')
  await inField(page, 'Reason')
  await page.keyboard.type('Hours were counted twice')
  await page.keyboard.press('Control+Enter')
  await page
    .getByText(/in this pay period is \$123\.45/)
    .first()
    .waitFor()
  expect(await earned()).toBe(123_45)
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.keyboard.press('Control+z')
  await page
    .getByText(/^Adjust work period balance undone for /)
    .first()
    .waitFor()
  await expect.poll(earned).toBe(before)
  expect(problemsOf(page)).toEqual([])
})
