import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { said } from '#tests/e2e/at-work.ts'
import { axeViolations, openSignedIn, type Portal, problemsOf, shot, sharePortal } from '#tests/e2e/support.ts'

let portal: Portal
let page: Page
let employer: { id: number; internal_name: string }

beforeAll(async () => {
  portal = await sharePortal()
  const { rows } = await sql<typeof employer>`
    insert into employers (organization_id, internal_name, external_name, external_code, lookup_name, brand, direct_customer, status)
    select id, 'Inkwell Press 1', 'Inkwell Press', 'IP-9001', 'inkwell-press-1', brand, false, 'ACTIVE' from organizations
    where id in (select organization_id from configurations) order by id limit 1
    returning id, internal_name`.execute(portal.db)
  employer = rows[0] as typeof employer
  page = await openSignedIn(portal, undefined, { path: '/employees', width: 1440, height: 900 })
  await page.locator('[role=row][id]').first().waitFor()
})
afterAll(() => portal?.stop())

const inField = (label: string) => page.locator(`.page :focus`).and(page.getByLabel(new RegExp(`^${label}`)))
const values = () => page.locator('.page-mark').allInnerTexts()
const own = () => portal.db.selectFrom('configurations').selectAll().where('employer_id', '=', employer.id).execute()

test('[SCR-030] [CFG-001] [CFG-002] [CFG-007] opened, corrected, switch confirmed and saved by keyboard alone', async () => {
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Command palette' }).waitFor()
  await page.keyboard.type('edit employer configuration')
  await page.getByRole('option', { name: /^Edit employer configuration/ }).waitFor()
  // While commands are still loading, a list that changes by itself may end without a highlight: the row is chosen then.
  if ((await page.locator('[role=option][aria-selected=true]').count()) === 0) await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.getByRole('combobox', { name: /employer/i }).waitFor()
  await page.keyboard.type(String(employer.id))
  await page
    .getByRole('option', { name: new RegExp(employer.internal_name) })
    .first()
    .waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: employer.internal_name }).waitFor()
  expect(new URL(page.url()).pathname).toBe(`/employers/${employer.id}/configuration`)
  await page.locator('.page input[type=radio]:focus').waitFor()
  expect(new Set((await values()).map((text) => text.split('\n')[0]?.trim()))).toEqual(new Set(['Inherited']))
  await page.keyboard.press('F6')
  await inField('Transaction fee').waitFor()
  await page.keyboard.press('Control+a')
  await page.keyboard.type('21')
  await page.keyboard.press('Control+Enter')
  await page.getByRole('alert').getByText('1 field to correct before saving').waitFor()
  await shot(page, 'configuration-wrong-light')
  expect(await axeViolations(page)).toEqual([])
  await page.keyboard.press('F8')
  await inField('Transaction fee').waitFor()
  await page.keyboard.press('Control+a')
  await page.keyboard.type('3.98')
  await page.getByText(/^Saving switches .* This cannot be undone\.$/).waitFor()
  await page.keyboard.press('Control+Enter')
  await inField('Type').waitFor()
  await page.keyboard.type(employer.internal_name)
  await shot(page, 'configuration-confirm-light')
  expect(await own()).toEqual([])
  await page.keyboard.press('Control+Enter')
  await said(page, `Saved the configuration of ${employer.internal_name}`)
  await expect.poll(async () => (await own()).map((one) => one.transaction_fee)).toEqual([398])
  await expect.poll(async () => (await values()).some((text) => text.includes('Inherited'))).toBe(false)
  await page.getByText('No changes').waitFor()
})

/** Whether the fields take up most of the page, and whether the focused one is fully visible. */
function inSight() {
  const top = document.querySelector('.page > header')?.getBoundingClientRect().bottom ?? 0
  const bottom = document.querySelector('.page-save')?.getBoundingClientRect().top ?? 0
  const lines = Array.from({ length: Math.floor(bottom - top) }, (_, line) => top + line)
  const ofFields = lines.filter((y) => document.elementFromPoint(200, y)?.closest('.page-fields'))
  const box = document.activeElement?.getBoundingClientRect()
  const seen = (y: number) => (box ? document.elementFromPoint(box.left + box.width / 2, y) === document.activeElement : false)
  return { fields: ofFields.length > lines.length / 2, typedIn: box ? seen(box.top + 3) && seen(box.bottom - 3) : false }
}

test('[SCR-030] after a reload the draft stays over what somebody else saved; Escape leads back', async () => {
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Command palette' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByLabel(/^Requests per cycle/).focus()
  await page.keyboard.press('Control+a')
  await page.keyboard.type('9')
  await page.reload()
  await page.getByText('Draft restored').waitFor()
  // The focus is on the restored field, which can be typed over or kept.
  await expect.poll(() => page.getByLabel(/^Requests per cycle/).evaluate((input) => input === document.activeElement)).toBe(true)
  expect(await page.getByLabel(/^Requests per cycle/).inputValue()).toBe('9')
  await page.setViewportSize({ width: 1024, height: 768 })
  await page.emulateMedia({ colorScheme: 'dark' })
  await shot(page, 'configuration-dark-1024')
  expect(await axeViolations(page)).toEqual([])
  // At 200% zoom the fields take more room than their explanations, and nothing covers the focused one.
  await page.setViewportSize({ width: 720, height: 450 })
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Tab')
  expect(await page.evaluate(inSight)).toEqual({ fields: true, typedIn: true })
  await page.setViewportSize({ width: 1024, height: 768 })
  await portal.db
    .updateTable('configurations')
    .set((set) => ({ daily_hours_limit: 11, version: set('version', '+', 1) }))
    .where('employer_id', '=', employer.id)
    .execute()
  await page.getByLabel(/^Requests per cycle/).focus()
  await page.keyboard.press('Control+Enter')
  await page
    .getByRole('alert')
    .getByText(/ changed this (in another tab )?while you were editing\.$/)
    .waitFor()
  await expect.poll(() => page.getByLabel(/^Daily hours limit/).inputValue()).toBe('11')
  await page.keyboard.press('Control+Enter')
  await expect.poll(async () => (await own()).map((one) => [one.requests_per_cycle, one.transaction_fee])).toEqual([[9, 398]])
  await page.getByText('No changes').waitFor()
  await page.keyboard.press('Control+a')
  await page.keyboard.type('8')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Escape')
  await said(page, 'Not saved: 1 change is kept as a draft.')
  await page.locator('[role=grid]:focus').waitFor()
  expect(new URL(page.url()).pathname).toBe('/employees')
  expect(problemsOf(page)).toEqual([])
})
