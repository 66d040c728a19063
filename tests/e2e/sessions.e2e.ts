import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { digest } from '#server/auth/secret.ts'
import { employeesOf, run, said } from '#tests/e2e/at-work.ts'
import {
  axeViolations,
  closeAll,
  openSignedIn,
  type Portal,
  problemsOf,
  shot,
  signIn,
  startPortal,
  visitList,
} from '#tests/e2e/support.ts'
import { demoPerson, signInAs } from '#tests/support/sign-in.ts'

const tom = 'tom.berg@example.com'
const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0'

let portal: Portal
let page: Page
beforeAll(async () => {
  portal = await startPortal()
  page = await openSignedIn(portal, undefined, { path: '/employees', width: 1440, height: 900 })
  await page.locator('[role=row][id]').first().waitFor()
})
afterAll(() => portal?.stop())

const path = () => new URL(page.url()).pathname
const rows = () => page.locator('[role=row][id]')
const statusOf = async (headers: Record<string, string>) => (await fetch(`${portal.origin}/api/me`, { headers })).status

test('a person sees and ends their sessions by keyboard, except for the current one', async () => {
  const away = await signInAs(portal, 'priya.raman@example.com', { 'user-agent': firefox })
  await run(page, 'your sessions')
  await expect.poll(path).toBe('/sessions')
  await rows().filter({ hasText: 'This one' }).waitFor()
  await rows().filter({ hasText: 'Firefox 140 on Windows' }).waitFor()
  expect(await axeViolations(page)).toEqual([])
  await shot(page, 'sessions')
  // The most recently used comes first: this one, or the one that just started.
  await page.keyboard.press('Control+Home')
  await page.keyboard.press('Enter')
  const detail = page.locator('[data-region=detail]')
  await detail.getByRole('heading', { level: 2 }).waitFor()
  if (!(await detail.getByRole('heading', { name: 'Firefox 140 on Windows' }).count())) {
    // Their own session cannot be ended here, and the reason is shown.
    await page.keyboard.press('Backspace')
    await said(page, 'This is your current session. Sign out to end it.')
    await page.keyboard.press('j')
  }
  await detail.getByRole('heading', { name: 'Firefox 140 on Windows' }).waitFor()
  expect(await axeViolations(page, '[data-region=detail]')).toEqual([])
  await page.keyboard.press('Backspace')
  await page.getByText('The person has to sign in again there', { exact: false }).first().waitFor()
  await page.keyboard.press('Control+Enter')
  await said(page, 'Ended the session of Firefox 140 on Windows')
  await expect.poll(path).toBe('/sessions')
  await rows().filter({ hasText: 'Firefox 140 on Windows' }).waitFor({ state: 'detached' })
  expect(await statusOf(away)).toBe(401)
})

test('signing out everywhere else keeps this session', async () => {
  const away = await signInAs(portal, 'priya.raman@example.com', { 'user-agent': firefox })
  // Outside of their list, the command lists the sessions: no search finds them.
  await visitList(page, '/employees')
  await run(page, 'end session')
  await page.getByRole('option').filter({ hasText: 'Firefox 140 on Windows' }).first().waitFor()
  await closeAll(page)
  await visitList(page, '/sessions')
  await run(page, 'sign out everywhere else')
  await page.getByText('Every session but this one ends', { exact: false }).first().waitFor()
  expect(await axeViolations(page, '[role=dialog]')).toEqual([])
  await page.keyboard.press('Control+Enter')
  await said(page, 'Signed out everywhere else')
  expect(await statusOf(away)).toBe(401)
  await expect.poll(() => rows().count()).toBe(1)
  await rows().filter({ hasText: 'This one' }).waitFor()
  expect(problemsOf(page)).toEqual([])
})

test('a session ended elsewhere says so at the next call, and drafts are there after signing in', async () => {
  const someone = await employeesOf(portal)('ACTIVE')
  const mine = await openSignedIn(portal, tom, { path: `/employees/${someone.id}` })
  await mine.getByRole('heading', { name: someone.name }).waitFor()
  await mine.keyboard.press('p')
  const reason = mine.getByRole('dialog').getByLabel('Reason')
  await reason.waitFor()
  await mine.keyboard.type('Hours under review by the employer')
  const token = (await mine.evaluate(() => localStorage.getItem('admin-portal.token'))) as string
  const { id } = await portal.db
    .selectFrom('sessions')
    .select('id')
    .where('token_hash', '=', digest(token))
    .executeTakeFirstOrThrow()
  const other = await signInAs(portal, tom)
  const ended = await fetch(`${portal.origin}/api/sessions/${id}`, { method: 'DELETE', headers: other })
  expect(ended.status).toBe(200)
  await mine.evaluate(() => dispatchEvent(new Event('focus')))
  await mine.getByText('This session was ended elsewhere. Please login again to continue working.').waitFor()
  await shot(mine, 'session-ended')
  await signIn(portal, mine, tom)
  await expect.poll(() => new URL(mine.url()).pathname).toBe(`/employees/${someone.id}`)
  await mine.getByRole('heading', { name: someone.name }).waitFor()
  await reason.waitFor()
  expect(await reason.inputValue()).toBe('Hours under review by the employer')
  await shot(mine, 'session-again')
})

test('changed permissions apply from the next request on, and the screen says so', async () => {
  const someone = await employeesOf(portal)('ACTIVE')
  const mine = await openSignedIn(portal, 'sam.okoye@example.com', { path: `/employees/${someone.id}` })
  await mine.getByRole('heading', { name: someone.name }).waitFor()
  const sam = '00000000-0000-4000-8000-000000000003'
  await portal.db.insertInto('person_permissions').values({ person_id: sam, permission_id: 9 }).execute()
  await mine.evaluate(() => dispatchEvent(new Event('focus')))
  await mine.getByText('Your permissions changed.').first().waitFor()
  await mine.getByText('Added: change employees.').first().waitFor()
  await mine.keyboard.press('p')
  await mine.getByRole('dialog').getByLabel('Reason').waitFor()
  await mine.keyboard.type('Rate')
  await portal.db.deleteFrom('person_permissions').where('person_id', '=', sam).where('permission_id', '=', 9).execute()
  await mine.keyboard.press('Control+Enter')
  await mine.getByText("You don't have permission to take this action.").first().waitFor()
  await mine.getByText('Removed: change employees.').first().waitFor()
  await shot(mine, 'rights-removed')
  expect(await mine.getByRole('dialog').getByLabel('Reason').inputValue()).toBe('Rate')
  expect(
    (await portal.db.selectFrom('employees').select('status').where('id', '=', someone.id).executeTakeFirstOrThrow()).status,
  ).toBe('ACTIVE')
  expect(problemsOf(mine)).toEqual([])
})

test('[PERM-003] an open record that becomes inaccessible disappears, also after a command answered 404', async () => {
  const maya = 'maya.lindt@example.com'
  const { id: person } = demoPerson(maya)
  const { id, name } = await employeesOf(portal)('ACTIVE')
  const { employer_id: employer } = await portal.db
    .selectFrom('employees')
    .select('employer_id')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const grant = async () => {
    await portal.db.deleteFrom('access_grants').where('person_id', '=', person).execute()
    await portal.db
      .insertInto('access_grants')
      .values({ person_id: person, organization_id: null, employer_id: employer })
      .execute()
  }
  const goneIn = async (mine: Page) => {
    await mine.getByText(`Employee ${id} could not be loaded.`).waitFor({ timeout: 15_000 })
    await mine.getByRole('heading', { name }).waitFor({ state: 'detached' })
    await mine.getByText('No organization or employer is connected to you any more.').first().waitFor()
    await expect.poll(() => rowsOf(mine)).toBe(0)
    expect(problemsOf(mine)).toEqual([])
    await mine.context().close()
  }
  const rowsOf = (mine: Page) => mine.locator('[role=row][id]').count()
  const opened = async () => {
    await grant()
    const mine = await openSignedIn(portal, maya, { path: '/employees', width: 1440, height: 900 })
    await mine.locator('[role=row][id]').first().waitFor()
    await mine.keyboard.press('Control+k')
    await mine.keyboard.type(String(id))
    await mine.keyboard.press('Enter')
    await mine.getByRole('heading', { name }).waitFor()
    return mine
  }
  const first = await opened()
  await portal.db.deleteFrom('access_grants').where('person_id', '=', person).execute()
  await first.evaluate(() => dispatchEvent(new Event('focus')))
  await goneIn(first)

  // A form that is open over it keeps its inputs, and says why it cannot be sent.
  const third = await opened()
  await third.keyboard.press('p')
  const reason = third.getByRole('dialog').getByLabel('Reason')
  await reason.fill('Rate')
  await portal.db.deleteFrom('access_grants').where('person_id', '=', person).execute()
  await third.evaluate(() => dispatchEvent(new Event('focus')))
  await third.getByText('No organization or employer is connected to you any more.').first().waitFor()
  await third.getByText(`Employee ${id} could not be loaded.`).waitFor()
  expect(await reason.inputValue()).toBe('Rate')
  await third.keyboard.press('Control+Enter')
  await third.getByRole('dialog').getByText("This record doesn't exist, or you don't have access to it.").first().waitFor()
  expect(await reason.inputValue()).toBe('Rate')
  await third.context().close()

  // So does a page form whose preview is about real employees.
  const fourth = await opened()
  await fourth.goto(`/employers/${employer}/configuration`)
  await fourth.locator('[data-region=page] input').first().waitFor()
  // The rights that it starts with are read by then: without them nothing would be a change.
  await fourth.waitForLoadState('networkidle')
  await portal.db.deleteFrom('access_grants').where('person_id', '=', person).execute()
  await fourth.evaluate(() => dispatchEvent(new Event('focus')))
  await fourth.getByText('No such employer, or you have no access').waitFor()
  expect(await fourth.locator('[data-region=page] input').count()).toBe(0)
  await fourth.context().close()

  const second = await opened()
  await portal.db.deleteFrom('access_grants').where('person_id', '=', person).execute()
  // Only the notes are requested, which answer 404.
  await second.keyboard.press('n')
  await goneIn(second)
})
