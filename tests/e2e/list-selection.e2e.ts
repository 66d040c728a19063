import { readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { formatCents } from '#domain/money.ts'
import { employeesOf, inField, said, statusOf } from '#tests/e2e/at-work.ts'
import { axeViolations, openSignedIn, type Portal, startPortal } from '#tests/e2e/support.ts'

let portal: Portal
beforeAll(async () => {
  portal = await startPortal()
})
afterAll(() => portal?.stop())

const bar = (page: Page) => page.locator('.frame-bar')

/** Searches the list, and marks its only row. */
async function markBySearch(page: Page, id: number): Promise<void> {
  await page.getByRole('searchbox').fill(String(id))
  await page.keyboard.press('Enter')
  const row = page.locator('[role=row][id]').filter({ hasText: String(id) })
  await row.waitFor()
  await bar(page).getByText('row 1 of 1', { exact: true }).waitFor()
  await page.keyboard.press('x')
  await row.and(page.locator('[aria-selected=true]')).waitFor()
}

test('marks three people found by three searches, shows them alone, and acts on all three', async () => {
  const someone = employeesOf(portal)
  const three = [await someone('ELIGIBLE'), await someone('ELIGIBLE'), await someone('ELIGIBLE')]
  const page = await openSignedIn(portal, undefined, { path: '/employees' })
  for (const { id } of three) await markBySearch(page, id)
  await bar(page).getByText('3 selected').waitFor()
  await bar(page).getByText('2 of them not shown').waitFor()
  await page.getByText('2 of the selected rows are not shown. Shift+X shows them.').waitFor({ state: 'attached' })
  expect(await axeViolations(page)).toEqual([])
  await page.keyboard.press('Shift+X')
  await bar(page).getByText('row 1 of 3').waitFor()
  for (const { name } of three) await page.locator('.chip').getByText(name).waitFor()
  expect(await bar(page).getByText('not shown').count()).toBe(0)
  await page.keyboard.press('p')
  await page.getByText('3 eligible').waitFor()
  await inField(page, 'Reason')
  await page.keyboard.type('Payroll stopped')
  await page.keyboard.press('Control+Enter')
  await page.getByText('3 done, 0 failed, 0 refused').waitFor()
  expect(await Promise.all(three.map((one) => statusOf(portal, one)))).toEqual(['PAUSED', 'PAUSED', 'PAUSED'])
  await page.context().close()
})

test('names and unmarks a hidden row that is no longer open to the person', async () => {
  const maya = await portal.db
    .selectFrom('people')
    .select('id')
    .where('email', '=', 'maya.lindt@example.com')
    .executeTakeFirstOrThrow()
  const rows = await portal.db
    .selectFrom('employees')
    .distinctOn('employer_id')
    .select(['id', 'first_name', 'last_name', 'employer_id'])
    .orderBy('employer_id')
    .orderBy('id')
    .limit(2)
    .execute()
  const [lost, kept] = rows as [(typeof rows)[0], (typeof rows)[0]]
  await portal.db.deleteFrom('access_grants').where('person_id', '=', maya.id).execute()
  const grant = (employer_id: number) => ({ person_id: maya.id, organization_id: null, employer_id })
  await portal.db
    .insertInto('access_grants')
    .values(rows.map(({ employer_id }) => grant(employer_id)))
    .execute()
  const page = await openSignedIn(portal, 'maya.lindt@example.com', { path: '/employees' })
  await markBySearch(page, lost.id)
  await markBySearch(page, kept.id)
  await bar(page).getByText('1 of them not shown').waitFor()
  await portal.db
    .deleteFrom('access_grants')
    .where('person_id', '=', maya.id)
    .where('employer_id', '=', lost.employer_id)
    .execute()
  await page.evaluate(() => dispatchEvent(new Event('focus')))
  await said(page, `No longer selected: ${lost.first_name} ${lost.last_name}`)
  await expect.poll(() => bar(page).innerText()).toContain('1 selected')
  await page.context().close()
})

test('sums what is selected, and for all matches what the server adds up', async () => {
  const page = await openSignedIn(portal, undefined, { path: '/invoices?sort=id' })
  await page.getByRole('row').nth(3).waitFor()
  const sums = sql<{ amount: number; outstanding: number }>`select sum(invoice_amount)::bigint as amount,
    sum(outstanding_amount)::bigint as outstanding from (select * from invoices order by id limit 2) first`
  const [two] = (await sums.execute(portal.db)).rows
  await page.keyboard.press('x')
  await page.keyboard.press('Shift+ArrowDown')
  await bar(page).getByText('2 selected').waitFor()
  await bar(page)
    .getByText(`invoice ${formatCents(two?.amount ?? 0)}`)
    .waitFor()
  await bar(page)
    .getByText(`outstanding ${formatCents(two?.outstanding ?? 0)}`)
    .waitFor()
  await page.getByText(/^Selected: invoice \$/).waitFor({ state: 'attached' })
  await page.keyboard.press('Control+a')
  const [all] = (
    await sql<{ count: number; amount: number }>`select count(*)::int as count, sum(invoice_amount)::bigint as amount
      from invoices`.execute(portal.db)
  ).rows
  await bar(page)
    .getByText(`${all?.count.toLocaleString('en-US')} selected`)
    .waitFor()
  await bar(page)
    .getByText(`invoice ${formatCents(all?.amount ?? 0)}`)
    .waitFor()
  await page.keyboard.press('Escape')
  await bar(page).getByText('invoiced').waitFor()
  expect(await bar(page).getByText('selected').count()).toBe(0)
  await page.context().close()
})

test('copies the column of the active cell, and exports the selected rows by key', async () => {
  const page = await openSignedIn(portal, undefined, { path: '/employers?sort=external_code' })
  await page.getByRole('row').nth(3).waitFor()
  const rows = await portal.db.selectFrom('employers').select('external_code').orderBy('external_code').execute()
  await page.keyboard.press('x')
  await page.keyboard.press('Shift+ArrowDown')
  for (const _ of ['name', 'status', 'organization', 'code']) await page.keyboard.press('ArrowRight')
  await page.keyboard.press('y')
  await page.keyboard.press('c')
  await said(page, '2 values of External code copied')
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
    rows
      .slice(0, 2)
      .map((row) => row.external_code)
      .join('\n'),
  )
  await page.keyboard.press('Shift+E')
  await page.getByText('The 2 rows selected').waitFor()
  const [file] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Control+Enter')])
  expect(file.suggestedFilename()).toMatch(/^employers-selected-.*\.csv$/)
  const lines = (await readFile(await file.path(), 'utf8')).trim().split('\r\n')
  expect(lines).toHaveLength(3)
  expect(lines[1]).toContain(rows[0]?.external_code)
  await page.context().close()
})
