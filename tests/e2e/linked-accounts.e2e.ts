import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventsOf, employeesOf, inField, openAt, run, said, statusOf } from '#tests/e2e/at-work.ts'
import { createLinkedAccount } from '#tests/support/company.ts'
import { openSignedIn, type Portal, problemsOf, sharePortal } from '#tests/e2e/support.ts'

let portal: Portal
let employee: ReturnType<typeof employeesOf>
beforeAll(async () => {
  portal = await sharePortal()
  employee = employeesOf(portal)
})
afterAll(() => portal?.stop())

/** An employee of a flow whose user has exactly this linked: a bank account, a card, or a card that failed to link. */
async function withAccounts(flow: 'PAYROLL' | 'CONSUMER') {
  const someone = await employee('ACTIVE', { linked: true })
  await sql`update employees set flow = ${flow} where id = ${someone.id}`.execute(portal.db)
  await sql`update linked_accounts set user_id = (select max(id) from users)
    where user_id = (select user_id from employees where id = ${someone.id})`.execute(portal.db)
  const { user_id } = await portal.db
    .selectFrom('employees')
    .select('user_id')
    .where('id', '=', someone.id)
    .executeTakeFirstOrThrow()
  const link = (kind: 'BANK_ACCOUNT' | 'CARD', lastFour: string, status: 'ACTIVE' | 'FAIL' = 'ACTIVE') =>
    createLinkedAccount(portal.db, { userId: user_id as number, kind, lastFour, status })
  const ids = new Map([
    ['1111', await link('BANK_ACCOUNT', '1111')],
    ['2222', await link('CARD', '2222')],
    ['3333', await link('CARD', '3333', 'FAIL')],
  ])
  const idOf = (four: string): number => ids.get(four) as number
  return { someone, idOf }
}

const stateOf = async (id: number) =>
  (
    await sql<{ status: string; deletion_reason: string | null; deletion_notes: string | null }>`
      select status, deletion_reason, deletion_notes from linked_accounts where id = ${id}`.execute(portal.db)
  ).rows[0]

test('[SCR-043] [VAL-007] [VAL-009] [VAL-010] states are shown; a card is deleted by keyboard with reason, digits', async () => {
  const { someone, idOf } = await withAccounts('PAYROLL')
  const page = await openAt(portal, someone)
  const rows = page.locator('.tab-list .grid-row')
  await page.keyboard.press('2')
  await expect.poll(() => rows.allInnerTexts()).toHaveLength(3)
  const texts = (await rows.allInnerTexts()).join('\n')
  for (const words of [
    'Harborline Bank',
    'Bank account ending in 1111',
    'Card ending in 2222',
    'Active',
    'Failed',
    'The bank did not know the account.',
  ])
    expect(texts).toContain(words)
  await page.keyboard.press('2')
  await page.locator('.tab-list [role=grid]:focus').waitFor()
  await page.keyboard.press('ArrowDown')
  await expect.poll(() => page.locator('.tab-list .grid-now').innerText()).toContain('2222')
  await page.keyboard.press('Backspace')
  await inField(page, 'Reason')
  await page.getByText('This cannot be undone.').waitFor()
  await page.keyboard.press('Control+Enter')
  await expect.poll(() => page.getByText('This is a required field.').count()).toBe(2)
  expect((await stateOf(idOf('2222')))?.status).toBe('ACTIVE')
  await inField(page, 'Reason')
  await page.keyboard.type('Lost')
  await page.getByLabel('Notes').fill('Reported by phone')
  await page.keyboard.press('Control+Enter')
  await inField(page, 'Type')
  await page.keyboard.type('2222')
  await page.keyboard.press('Control+Enter')
  await said(page, 'Deleted the card Visa ending in 2222')
  expect(await stateOf(idOf('2222'))).toEqual({ status: 'DELETED', deletion_reason: 'Lost', deletion_notes: 'Reported by phone' })
  await expect.poll(() => page.locator('.tab-list .grid-now').innerText()).toContain('Deleted')
  // A failure is reported under the same key.
  await page.keyboard.press('ArrowDown')
  await expect.poll(() => page.locator('.tab-list .grid-now').innerText()).toContain('3333')
  await page.keyboard.press('Backspace')
  await page.getByText('Failed card links cannot be deleted.').first().waitFor()
  expect(problemsOf(page)).toEqual([])
  await page.context().close()
})

test('[VAL-008] [ERR-027] the bank account of a consumer flow user cannot be deleted while a card is linked', async () => {
  const { someone, idOf } = await withAccounts('CONSUMER')
  const page = await openAt(portal, someone)
  await page.keyboard.press('2')
  await page.locator('.tab-list .grid-row').nth(2).waitFor()
  await page.keyboard.press('2')
  await page.locator('.tab-list [role=grid]:focus').waitFor()
  await expect.poll(() => page.locator('.tab-list .grid-now').innerText()).toContain('1111')
  await page.keyboard.press('Backspace')
  await page
    .getByText(
      "This is a consumer flow user. It's forbidden to deactivate the bank account while user still has a card connected.",
    )
    .first()
    .waitFor()
  await sql`update linked_accounts set status = 'DELETED', deleted_at = now(), deleted_by_name = 'Somebody' where id = ${idOf('2222')}`.execute(
    portal.db,
  )
  // Its letter would be ignored: it follows a refused key without a pause.
  await run(page, 'Refresh')
  await expect
    .poll(() =>
      page
        .locator('.tab-list .grid-row')
        .allInnerTexts()
        .then((all) => all.join()),
    )
    .toContain('Deleted')
  await page.keyboard.press('Backspace')
  await inField(page, 'Type')
  await page.keyboard.type('1111')
  await page.keyboard.press('Control+Enter')
  await said(page, 'Deleted the bank account Harborline Bank ending in 1111')
  expect((await stateOf(idOf('1111')))?.status).toBe('DELETED')
  await page.context().close()
})

test('[SCR-043] [SCR-047] without a user nothing is linked; rewards are in their tab with their totals', async () => {
  const page = await openAt(portal, await employee('ELIGIBLE', { linked: false }))
  await page.keyboard.press('2')
  await page.getByText('This employee is not linked to a user.').waitFor()
  const { rows: rewarded } = await sql<{ id: number; cents: number; count: number }>`
    select employee_id as id, sum(amount)::int as cents, count(*)::int as count from rewards where employee_id in
      (select employee_id from rewards where kind = 'REFERRAL' and status = 'GRANTED') group by 1 order by 3 desc, 1 limit 1`.execute(
    portal.db,
  )
  const [one] = rewarded
  await page.goto(`${portal.origin}/employees/${one?.id}?tab=rewards`)
  const rows = page.locator('.tab-list .grid-row')
  await expect.poll(() => rows.allInnerTexts()).toHaveLength(one?.count as number)
  const texts = (await rows.allInnerTexts()).join('\n')
  for (const words of ['Referral', '$25.00', 'Granted']) expect(texts).toContain(words)
  await page
    .locator('.frame-bar')
    .getByText(`$${((one?.cents as number) / 100).toFixed(2)}`, { exact: false })
    .first()
    .waitFor()
  await page.context().close()
})

test('[EMP-011] [EMP-013] an off-cycle termination says that it is final, asks for the name, and happens once', async () => {
  const someone = await employee('ACTIVE', { linked: true })
  const page = await openAt(portal, someone)
  await run(page, 'Terminate employee off-cycle')
  await page.getByText('This cannot be undone.').waitFor()
  await page.getByText('Withdrawals stop for good. What was taken stays on the current invoice.').waitFor()
  await page.getByText('Off-cycle paid').first().waitFor()
  await page.keyboard.press('Control+Enter')
  await inField(page, 'Type')
  expect(await statusOf(portal, someone)).toBe('ACTIVE')
  await page.keyboard.type(someone.name)
  await page.keyboard.press('Control+Enter')
  await said(page, `Terminated ${someone.name} off-cycle`)
  expect([await statusOf(portal, someone), await eventsOf(portal, someone, 'Off-cycle paid')]).toEqual(['OFFCYCLE_PAID', 1])
  await page.context().close()
})

test('[ERR-020] a termination that fails unexpectedly shows the catalogue message with that of the server', async () => {
  const someone = await employee('ACTIVE', { linked: true })
  const page = await openAt(portal, someone)
  await page.route(/off-cycle-paid$/, (route) =>
    route.fulfill({
      status: 400,
      contentType: 'application/problem+json',
      body: JSON.stringify({
        type: 'about:blank',
        title: 'Bad',
        status: 400,
        code: 'malformed-request',
        detail: 'The line was cut.',
      }),
    }),
  )
  await run(page, 'Terminate employee off-cycle')
  await inField(page, 'Type')
  await page.keyboard.type(someone.name)
  await page.keyboard.press('Control+Enter')
  await page.getByText(`Something went wrong terminating ${someone.name}`).first().waitFor()
  await page.getByText('The line was cut.').first().waitFor()
  expect(await statusOf(portal, someone)).toBe('ACTIVE')
  await page.context().close()
})

test('[ENUM-024] [ENUM-025] the history is filtered by event and category, by command and by address', async () => {
  const { someone } = await withAccounts('PAYROLL')
  await sql`insert into audit_events (actor_id, actor_name, intent, entity, entity_id, category, status, text, version)
    select 'x', 'Somebody', 'x', case category when 'card' then 'user' else 'employee' end,
      case category when 'card' then user_id else employees.id end, category, event, words, 1
    from employees cross join (values ('card', 'CREATE', 'Visa 2222'), ('card', 'DEACTIVATE', 'Visa 0000'), ('user', 'Paused', 'Hours')) made(category, event, words)
    where employees.id = ${someone.id}`.execute(portal.db)
  const page = await openSignedIn(portal, undefined, {
    path: `/employees/${someone.id}?tab=history&history-category_type=is&history-category_value=card`,
  })
  const events = page.locator('[aria-label="History of the employee"] [role=row][id]')
  await expect.poll(() => events.count()).toBeGreaterThanOrEqual(2)
  const eventTexts = (await events.allInnerTexts()).join('\n')
  expect(eventTexts).toMatch(/Card deactivated[\s\S]*Card created/)
  expect(eventTexts).not.toContain('Paused')
  await run(page, 'Filter employee history')
  const event = page.getByRole('listbox', { name: 'Event' })
  await event.waitFor()
  await event.getByRole('option', { name: 'Paused' }).click()
  await page.keyboard.press('Control+Enter')
  await expect.poll(async () => (await events.allInnerTexts()).every((text) => text.includes('Paused'))).toBe(true)
  await expect.poll(() => page.url()).toContain('history-status_value=Paused')
  expect(page.url()).not.toContain('history-category')
  await page.getByRole('button', { name: 'Remove Event is' }).click()
  await expect.poll(() => events.count()).toBeGreaterThanOrEqual(3)
  expect(problemsOf(page)).toEqual([])
  await page.context().close()
})
