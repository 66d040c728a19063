import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from 'kysely'
import { inField, run, said } from '#tests/e2e/at-work.ts'
import { axeViolations, follow, openSignedIn, openTab, type Portal, problemsOf, sharePortal } from '#tests/e2e/support.ts'

let portal: Portal
let page: Page
beforeAll(async () => {
  portal = await sharePortal()
  page = await openSignedIn(portal, undefined, { path: '/organizations', width: 1440, height: 900 })
  await page.locator('[role=row][id]').first().waitFor()
})
afterAll(() => portal?.stop())

const detail = () => page.locator('[data-region=detail]')
const path = () => new URL(page.url()).pathname
const heading = (name: string) => detail().getByRole('heading', { name, level: 2 }).waitFor()

/** Types into consecutive fields with Tab. */
async function fill(fields: Readonly<Record<string, string>>): Promise<void> {
  for (const [label, value] of Object.entries(fields)) {
    for (let tabs = 0; tabs < 8 && !(await isIn(label)); tabs += 1) await page.keyboard.press('Tab')
    await inField(page, label)
    await page.keyboard.type(value)
  }
}
const isIn = async (label: string): Promise<boolean> => (await page.getByLabel(label).and(page.locator(':focus')).count()) > 0

test('[SCR-018] [SCR-019] [SCR-021] [VAL-011] an organization is created by keyboard, with errors of missing fields', async () => {
  await run(page, 'create organization')
  await inField(page, 'Name')
  await page.keyboard.type('Ridge Falls Group')
  await page.keyboard.press('Control+Enter')
  await expect.poll(() => page.getByText('This is a required field.', { exact: true }).count()).toBe(3)
  await fill({ 'Lookup name': 'ridge-falls' })
  await page.keyboard.press('Tab')
  await page.keyboard.press('Space')
  await fill({ 'Source code': 'SRC-9001', Notes: 'Signed in May' })
  await page.keyboard.press('Control+Enter')
  await said(page, 'Created Ridge Falls Group')
  await heading('Ridge Falls Group')
  expect(path()).toMatch(/^\/organizations\/\d+$/)
  await detail().getByText('Signed in May').waitFor()
  expect(await axeViolations(page, '[data-region=detail]')).toEqual([])
})

test('[SCR-023] [SCR-029] [EMR-003] an employer is added to it, and says why it cannot be activated yet', async () => {
  await page.keyboard.press('3')
  await page.getByText('This organization has no employer.').waitFor()
  await run(page, 'add employer to organization')
  await inField(page, 'Internal name')
  await fill({ 'Internal name': 'Ridge Falls Foods 1', 'External name': 'Ridge Falls Foods', 'External code': 'RF-1' })
  await page.keyboard.press('Control+Enter')
  await said(page, 'Added the employer Ridge Falls Foods 1')
  await heading('Ridge Falls Foods 1')
  expect(path()).toMatch(/^\/employers\/\d+$/)
  const facts = (await detail().locator('.facts').first().innerText()).split(/\s*\n\s*/)
  for (const [name, value] of [
    ['Internal name', 'Ridge Falls Foods 1'],
    ['External name', 'Ridge Falls Foods'],
    ['External code', 'RF-1'],
  ])
    expect(facts[facts.indexOf(name as string) + 1]).toBe(value)
  await page.keyboard.press('p')
  await said(page, 'Unable to activate employer, missing LMS configurations.')
})

test('[SCR-022] [SCR-030] [EMR-001] with a configuration it is activated and marked as onboarded, which is undone', async () => {
  const id = path().split('/')[2] as string
  // Letters that directly follow a refused key are ignored; this person reads the reason first.
  await page.waitForTimeout(800)
  await page.keyboard.press('c')
  await page.locator('.page :focus').waitFor()
  await page.keyboard.press('F6')
  await page.keyboard.press('F6')
  await page
    .getByLabel(/^Approval threshold/)
    .and(page.locator(':focus'))
    .waitFor()
  await page.keyboard.type('12')
  await page.keyboard.press('Control+Enter')
  await page.getByLabel(/^Type/).and(page.locator(':focus')).waitFor()
  await page.keyboard.type('Ridge Falls Foods 1')
  await page.keyboard.press('Control+Enter')
  await said(page, 'Saved the configuration of Ridge Falls Foods 1')
  await page.keyboard.press('Escape')
  await heading('Ridge Falls Foods 1')
  await page.keyboard.press('p')
  await page.getByText('Its employees can use the app again.').waitFor()
  await page.keyboard.press('Control+Enter')
  await said(page, 'Activated Ridge Falls Foods 1')
  await page.keyboard.press('o')
  await page.keyboard.press('Control+Enter')
  await said(page, 'Ridge Falls Foods 1 is onboarded')
  const row = () => portal.db.selectFrom('employers').selectAll().where('id', '=', Number(id)).executeTakeFirstOrThrow()
  expect(await row()).toMatchObject({ status: 'ACTIVE', onboarded: true })
  await page.keyboard.press('Control+z')
  await expect.poll(async () => (await row()).onboarded).toBe(false)
})

test('[SCR-020] [SCR-022] [SCR-023] [VAL-011] an organization is edited by keyboard; configuration and employer tabs', async () => {
  const { id } = await portal.db
    .selectFrom('organizations')
    .select('id')
    .where('name', '=', 'Ridge Falls Group')
    .executeTakeFirstOrThrow()
  await follow(page, `/organizations/${id}`)
  await heading('Ridge Falls Group')
  await page.keyboard.press('e')
  await inField(page, 'Name')
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Backspace')
  await page.keyboard.press('Control+Enter')
  await page.getByText('This is a required field.', { exact: true }).waitFor()
  await page.keyboard.type('Ridge Falls Company')
  await page.keyboard.press('Control+Enter')
  await said(page, 'Changed Ridge Falls Company')
  await heading('Ridge Falls Company')
  await openTab(page, 'Employers')
  const employers = detail().locator('[role=row][id]')
  await employers.first().waitFor()
  expect(await employers.count()).toBe(1)
  expect(await employers.innerText()).toContain('Ridge Falls Foods 1')
  await openTab(page, 'Configurations')
  await detail().getByText('Nobody has set a configuration yet.', { exact: false }).waitFor()
  await sql`insert into configurations (organization_id, withdraw_limit_type, withdraw_limit_amount, transaction_fee)
    values (${id}, 'PERCENTAGE', 4321, 321)`.execute(portal.db)
  await follow(page, `/organizations/${id}`)
  await heading('Ridge Falls Company')
  await page.keyboard.press('r')
  await openTab(page, 'Configurations')
  await detail().getByText('43.21% of what was earned').waitFor()
  await detail().getByText('$3.21').waitFor()
  expect(await axeViolations(page, '[data-region=detail]')).toEqual([])
})

test('[SCR-028] [SCR-034] [SCR-036] [SCR-037] the list of employers, and the content of an employer’s tabs', async () => {
  await page.keyboard.press('g')
  await page.keyboard.press('c')
  await expect.poll(path).toBe('/employers')
  const first = page.locator('[role=row][id]').first()
  await first.waitFor()
  expect(await axeViolations(page)).toEqual([])
  await page.keyboard.press('Control+Home')
  await page.keyboard.press('Enter')
  await detail().getByText('External code', { exact: true }).waitFor()
  await detail()
    .getByText(/linked to a user$/)
    .waitFor()
  await page.keyboard.press('2')
  await detail().getByText('Withdraw limit', { exact: true }).waitFor()
  await openTab(page, 'Payroll Group')
  await detail()
    .getByText(/^Payment date$/)
    .first()
    .waitFor()
  expect(await axeViolations(page, '[data-region=detail]')).toEqual([])
  // Of an employer that has both, and only its own.
  const { employer_id: id } = await portal.db
    .selectFrom('time_entries')
    .select('employer_id')
    .where('employer_id', 'in', portal.db.selectFrom('invoices').select('employer_id'))
    .orderBy('employer_id')
    .executeTakeFirstOrThrow()
  const invoices = await portal.db.selectFrom('invoices').select('id').where('employer_id', '=', id).execute()
  const people = await portal.db.selectFrom('time_entries').select('employee_id').where('employer_id', '=', id).execute()
  for (const [tab, own] of [
    ['invoices', new Set(invoices.map((one) => `INV-${one.id}`))],
    ['timekeepings', new Set(people.map((one) => String(one.employee_id)))],
  ] as const) {
    await follow(page, `/employers/${id}?tab=${tab}`)
    const rows = detail().locator('[role=row][id]')
    await rows.first().waitFor()
    const texts = await rows.allInnerTexts()
    expect(texts.filter((text) => !(text.match(/INV-\d+|\b\d{6}\b/g) ?? []).some((found) => own.has(found)))).toEqual([])
    expect(await axeViolations(page, '[data-region=detail]')).toEqual([])
  }
  expect(problemsOf(page)).toEqual([])
})

for (const [id, noun] of [
  ['ERR-049', 'employers'],
  ['ERR-050', 'organizations'],
] as const)
  test(`[${id}] a list of ${noun} that fails to load shows the server’s message, or a default`, async () => {
    const list = new RegExp(`/api/${noun}\\?`)
    const answers = [
      {
        status: 503,
        contentType: 'application/problem+json',
        body: JSON.stringify({
          type: 'about:blank',
          title: 'Away',
          status: 503,
          code: 'unavailable',
          detail: 'The archive is being moved.',
        }),
      },
      { status: 500, contentType: 'text/plain', body: 'oops' },
    ]
    let answer = answers[0]
    await page.route(list, (route) => route.fulfill(answer))
    await page.goto(new URL(`/${noun}`, page.url()).href)
    const alert = page.locator('.list-notice[role=alert]')
    await alert.getByText('The archive is being moved.').waitFor()
    expect(await alert.getByText(`Unable to load ${noun}`).count()).toBe(0)
    answer = answers[1]
    await alert.getByRole('button', { name: /^Try again/ }).click()
    await alert.getByText(`Unable to load ${noun}`).waitFor()
    expect(await axeViolations(page)).toEqual([])
    await page.unroute(list)
    await alert.getByRole('button', { name: /^Try again/ }).click()
    await page.locator('[role=row][id]').first().waitFor()
  })
