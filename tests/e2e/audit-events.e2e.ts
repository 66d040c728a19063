import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { employeesOf, inField, run, said, type Someone } from '#tests/e2e/at-work.ts'
import { axeViolations, openSignedIn, type Portal, problemsOf, shot, sharePortal } from '#tests/e2e/support.ts'

let portal: Portal
let page: Page
let someone: Someone
beforeAll(async () => {
  portal = await sharePortal()
  someone = await employeesOf(portal)('ACTIVE')
  page = await openSignedIn(portal, undefined, { path: `/employees/${someone.id}`, width: 1440, height: 900 })
  await page.getByRole('heading', { name: someone.name }).waitFor()
})
afterAll(() => portal?.stop())

const detail = () => page.locator('[data-region=detail]')
const path = () => new URL(page.url()).pathname
const rows = () => page.locator('[role=row][id]')

test('the audit of a record is opened by keyboard, and an event shows before and after in words', async () => {
  await page.keyboard.press('p')
  await inField(page, 'Reason')
  await page.keyboard.type('Hours under review')
  await page.keyboard.press('Control+Enter')
  await said(page, `Paused ${someone.name}`)
  await run(page, 'show audit of employee')
  await expect.poll(path).toBe('/audit-events')
  await rows().first().waitFor()
  await rows()
    .filter({ hasText: `Employee ${someone.id}` })
    .first()
    .waitFor()
  expect(
    await rows()
      .filter({ hasNotText: `Employee ${someone.id}` })
      .count(),
  ).toBe(0)
  expect(await axeViolations(page)).toEqual([])
  await shot(page, 'audit-record')
  await page.keyboard.press('Enter')
  await detail()
    .getByRole('heading', { name: `Paused: Employee ${someone.id}` })
    .waitFor()
  await detail().getByText('Pause employee').waitFor()
  await detail().getByText('Hours under review', { exact: true }).first().waitFor()
  const changed = detail().getByRole('row', { name: /^Status/ })
  await changed.waitFor()
  expect(await changed.innerText()).toMatch(/Status\s+Active\s+Paused/)
  expect(await axeViolations(page, '[data-region=detail]')).toEqual([])
  await shot(page, 'audit-event')
  await page.keyboard.press('o')
  await expect.poll(path).toBe(`/employees/${someone.id}`)
})

test('the events of a command are found by its title after /', async () => {
  await page.goto(`${new URL(page.url()).origin}/audit-events`)
  await rows().first().waitFor()
  await page.locator('[role=grid]:focus').waitFor()
  await page.keyboard.type('/pause employee')
  await page.getByRole('option', { name: /^Command contains pause employee/ }).waitFor()
  await page.keyboard.press('Enter')
  await expect.poll(() => new URL(page.url()).searchParams.get('command_value')).toBe('pause employee')
  await rows().filter({ hasText: 'Pause employee' }).first().waitFor()
})

test('a very long word wraps within the record, its history and the audit', async () => {
  const other = await employeesOf(portal)('ACTIVE')
  const word = 'payrollrunofnovember'.repeat(9)
  const isWithin = async (where: string) => {
    await detail().getByText(word).first().waitFor()
    const beyond = await page.evaluate(
      (text) =>
        [...document.querySelectorAll<HTMLElement>('[data-region=detail] [role=tabpanel] *')]
          .filter((each) => each.childElementCount === 0 && each.textContent?.includes(text))
          .filter((each) => each.scrollWidth > each.clientWidth && getComputedStyle(each).textOverflow !== 'ellipsis')
          .filter((each) => getComputedStyle(each).display !== 'inline')
          .map((each) => `${each.tagName} ${each.className}`),
      word,
    )
    const body = page.locator('[data-region=detail] [role=tabpanel]')
    expect([where, beyond, await body.evaluate((each) => each.scrollWidth - each.clientWidth)]).toEqual([where, [], 0])
  }
  await page.goto(`/employees/${other.id}`)
  await page.getByRole('heading', { name: other.name }).waitFor()
  await page.locator('[data-region=detail]:focus').waitFor()
  await page.keyboard.press('p')
  await inField(page, 'Reason')
  await page.keyboard.type(word)
  await page.keyboard.press('Control+Enter')
  await said(page, `Paused ${other.name}`)
  await isWithin('general')
  await page.keyboard.press('3')
  await isWithin('history')
  await run(page, 'show audit of employee')
  await expect.poll(path).toBe('/audit-events')
  await rows()
    .filter({ hasText: `Employee ${other.id}` })
    .first()
    .waitFor()
  await page.keyboard.press('Enter')
  await detail()
    .getByRole('heading', { name: `Paused: Employee ${other.id}` })
    .waitFor()
  await isWithin('audit')
  await page.keyboard.press('o')
  await expect.poll(path).toBe(`/employees/${other.id}`)
})

test('the whole audit has a key, is filtered by command, and exported', async () => {
  await page.keyboard.press('Escape')
  await page.keyboard.press('g')
  await page.keyboard.press('l')
  await expect.poll(path).toBe('/audit-events')
  await rows().first().waitFor()
  await shot(page, 'audit')
  await run(page, 'filter audit events by command')
  await inField(page, 'Command')
  await page.keyboard.type('pause')
  await page.keyboard.press('Control+Enter')
  await rows().filter({ hasText: 'Pause employee' }).first().waitFor()
  await expect.poll(() => rows().filter({ hasNotText: /Pause/i }).count()).toBe(0)
  const download = page.waitForEvent('download')
  await run(page, 'export list as csv')
  await page.getByRole('radio', { name: 'CSV (.csv)' }).waitFor()
  await page.keyboard.press('Enter')
  expect((await download).suggestedFilename()).toMatch(/^audit-events-.*pause.*-\d{4}-\d\d-\d\d-\d{4}\.csv$/)
  await page
    .getByText(/^Exported [\d,]+ audit events$/)
    .first()
    .waitFor()
})

test('the audit of a person shows what they did; account managers see only accessible events', async () => {
  await page.goto('/admins?q=priya')
  await rows().filter({ hasText: 'Priya Raman' }).waitFor()
  await expect.poll(() => rows().count()).toBe(1)
  await run(page, 'show what admin did')
  await expect.poll(path).toBe('/audit-events')
  await page.getByRole('button', { name: /Admin is Priya Raman/ }).waitFor()
  await rows()
    .filter({ hasText: `Employee ${someone.id}` })
    .first()
    .waitFor()
  await shot(page, 'audit-person')
  expect(problemsOf(page)).toEqual([])
  const maya = await openSignedIn(portal, 'maya.lindt@example.com', {
    path: '/audit-events',
    width: 1024,
    height: 768,
    theme: 'dark',
  })
  await maya.locator('[role=row][id]').first().waitFor()
  expect(await axeViolations(maya)).toEqual([])
  await shot(maya, 'audit-maya')
  expect(problemsOf(maya)).toEqual([])
})
