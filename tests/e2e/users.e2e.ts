import { afterAll, beforeAll, expect, test } from 'vitest'
import { inField, run, said } from '#tests/e2e/at-work.ts'
import { axeViolations, openSignedIn, type Portal, problemsOf, sharePortal } from '#tests/e2e/support.ts'

let portal: Portal
beforeAll(async () => {
  portal = await sharePortal()
})
afterAll(() => portal?.stop())

interface Account {
  id: number
  name: string
  employee_id: number | null
}

/** An active user with an approved check and a phone number, linked or not. */
async function account(linked: boolean): Promise<Account> {
  const user = await portal.db
    .selectFrom('users')
    .leftJoin('employees', 'employees.user_id', 'users.id')
    .select(['users.id', 'users.first_name', 'users.last_name', 'employees.id as employee_id'])
    .where('users.status', '=', 'ACTIVE')
    .where('users.kyc_status', '=', 'APPROVED')
    .where('users.version', '=', 1)
    .where('employees.id', linked ? 'is not' : 'is', null)
    .orderBy('users.id')
    .limit(1)
    .executeTakeFirstOrThrow()
  return { id: user.id, name: `${user.first_name} ${user.last_name}`, employee_id: user.employee_id }
}

const row = (id: number) => portal.db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

test('a user is found by id, shows its data, and is one key away from the employee and back', async () => {
  const user = await account(true)
  const page = await openSignedIn(portal)
  await page.keyboard.press('Control+k')
  await page.keyboard.type(String(user.id))
  await page.getByRole('option', { name: user.name }).waitFor()
  expect(await page.getByRole('option').count()).toBe(1)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: user.name }).waitFor()
  await expect.poll(() => new URL(page.url()).pathname).toBe(`/users/${user.id}`)
  const detail = page.locator('[data-region=detail]')
  for (const part of ['Documents', 'Last sign-in', 'Employer']) await detail.getByText(part, { exact: true }).waitFor()
  await expect.poll(() => detail.locator('address').or(detail.getByText('No address is known.')).count()).toBe(1)
  expect(await axeViolations(page, '[data-region=detail]')).toEqual([])
  await page.keyboard.press('e')
  await expect.poll(() => new URL(page.url()).pathname).toBe(`/employees/${user.employee_id}`)
  await page.getByText('Employee code', { exact: true }).waitFor()
  await page.keyboard.press('u')
  await expect.poll(() => new URL(page.url()).pathname).toBe(`/users/${user.id}`)
  expect(problemsOf(page)).toEqual([])
  await page.context().close()
})

test('names are changed on the user and the e-mail on the employee; both are undone', async () => {
  const user = await account(true)
  const before = await row(user.id)
  const page = await openSignedIn(portal, undefined, { path: `/users/${user.id}` })
  await page.getByRole('heading', { name: user.name }).waitFor()
  await run(page, 'Change user names')
  await inField(page, 'First name')
  await page.keyboard.press('Control+a')
  await page.keyboard.type('Adelaide')
  await page.keyboard.press('Control+Enter')
  await said(page, `Changed the names of ${user.name}`)
  await page.getByRole('heading', { name: `Adelaide ${before.last_name}` }).waitFor()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.keyboard.press('Control+z')
  await page.getByRole('heading', { name: user.name }).waitFor()
  await page.keyboard.press('e')
  await page.getByText('Employee code', { exact: true }).waitFor()
  await run(page, 'Change e-mail of linked user')
  await inField(page, 'E-mail')
  await page.keyboard.type('adelaide@example.com')
  await page.keyboard.press('Control+Enter')
  await said(page, `Mailed the new address of ${user.name} to have it confirmed`)
  expect(await row(user.id)).toMatchObject({
    status: 'PENDING_EMAIL_UPDATE',
    email: before.email,
    pending_email: 'adelaide@example.com',
  })
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.keyboard.press('Control+z')
  await expect.poll(async () => (await row(user.id)).status).toBe('ACTIVE')
  expect(problemsOf(page)).toEqual([])
  await page.context().close()
})

test('[SCR-039, SCR-041] User Data has its own filters; a user without an employee is deleted by typing the name', async () => {
  const user = await account(false)
  const page = await openSignedIn(portal, undefined, {
    path: '/users?linked_type=is&linked_value=NO&status_type=is&status_value=ACTIVE',
  })
  expect(await page.locator('[data-chip]').allInnerTexts()).toEqual(['User status is\nActive', 'Employee link is\nNo'])
  await page.locator(`[role=row][id*="${user.id}"]`).first().waitFor()
  await page.locator(`[role=row][id*="${user.id}"]`).first().click()
  await page.getByRole('heading', { name: user.name }).waitFor()
  await run(page, 'Delete user')
  await page.getByText('The person can no longer sign in and cannot be linked again. The history stays.').waitFor()
  await page.locator('[role=dialog] input').last().focus()
  await page.keyboard.type(user.name)
  await page.keyboard.press('Control+Enter')
  await said(page, `Deleted ${user.name}`)
  expect(await row(user.id)).toMatchObject({ status: 'DELETED' })
  await page.context().close()
})

test('a name of maximum length stays inside of its form, and so does its preview', async () => {
  const user = await account(true)
  const page = await openSignedIn(portal, undefined, { path: `/users/${user.id}`, width: 1024, height: 768 })
  await page.getByRole('heading', { name: user.name }).waitFor()
  await run(page, 'Change user names')
  await inField(page, 'First name')
  await page.keyboard.press('Control+a')
  await page.keyboard.type('x'.repeat(100))
  const after = page.getByRole('dialog').getByRole('cell', { name: 'x'.repeat(100) })
  await after.waitFor()
  const wide = await page.evaluate(() =>
    [...document.querySelectorAll('[role=dialog] *')].flatMap((each) =>
      each.scrollWidth > each.clientWidth && getComputedStyle(each).overflowX === 'auto' ? [each.className] : [],
    ),
  )
  expect(wide).toEqual([])
  const [dialog, cell] = [await page.getByRole('dialog').boundingBox(), await after.boundingBox()]
  expect((cell?.x ?? 0) + (cell?.width ?? 0)).toBeLessThanOrEqual((dialog?.x ?? 0) + (dialog?.width ?? 0))
  expect(problemsOf(page)).toEqual([])
  await page.context().close()
})
