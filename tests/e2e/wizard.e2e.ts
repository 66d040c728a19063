import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { inField, run, said } from '#tests/e2e/at-work.ts'
import { axeViolations, offline, openSignedIn, type Portal, problemsOf, signIn, startPortal } from '#tests/e2e/support.ts'
import { demoPerson } from '#tests/support/sign-in.ts'

// An admin who may create account managers, and whose permissions others change while a wizard is open.
const { email, id: person } = demoPerson('tom.berg@example.com')
const payroll = 4
let portal: Portal
let page: Page
let made = 0

/** Sets the permissions of this admin, as another admin would. */
async function holds(permissions: readonly number[], groups: readonly number[] = [payroll]): Promise<void> {
  await portal.db.deleteFrom('person_permissions').where('person_id', '=', person).execute()
  await portal.db.deleteFrom('person_groups').where('person_id', '=', person).execute()
  for (const permission_id of permissions)
    await portal.db.insertInto('person_permissions').values({ person_id: person, permission_id }).execute()
  for (const group_id of groups) await portal.db.insertInto('person_groups').values({ person_id: person, group_id }).execute()
}
/** Creates account managers, and sees employees and organizations. */
const all = [2, 4, 1019]

const sheet = () => page.getByRole('dialog')
const focused = (role: 'listbox' | 'grid', name: string) => page.getByRole(role, { name }).and(page.locator(':focus')).waitFor()
const fieldOf = (label: string) => page.getByLabel(label, { exact: true })
const onward = () => page.keyboard.press('Control+Enter')
const people = async (name: string) =>
  portal.db.selectFrom('people').select(['status', 'id']).where('name', '=', name).where('status', '<>', 'DELETED').execute()
const grantsOf = (id: string) =>
  portal.db.selectFrom('access_grants').select('organization_id').where('person_id', '=', id).execute()

async function close(): Promise<void> {
  for (let tries = 0; tries < 5 && (await sheet().count()) > 0; tries++) await page.keyboard.press('Escape')
  await sheet().waitFor({ state: 'detached' })
}

/** Fills in the wizard by keyboard, up to its step Groups. Returns the name. */
async function toGroups(): Promise<string> {
  made += 1
  const name = `Nadia ${['One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight'][made - 1]}`
  await run(page, 'create account manager')
  await inField(page, 'Full name')
  await page.keyboard.type(name)
  await page.keyboard.press('Tab')
  await page.keyboard.type(`nadia.${made}@example.com`)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Space')
  await onward()
  await inField(page, 'Organizations')
  await page.keyboard.type('heron')
  await page.getByRole('option', { name: /Heron/ }).first().waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: /Remove Heron/ }).waitFor()
  await onward()
  await focused('listbox', 'Groups')
  return name
}

/** Goes to the last step, with the group that this person holds. */
async function toPermissions(): Promise<void> {
  await page.keyboard.press('End')
  await page.keyboard.press('Space')
  await onward()
  await focused('grid', 'Permissions')
}

/** The inputs of earlier steps are still there. */
async function expectEntriesKept(name: string): Promise<void> {
  for (const step of ['Create', 'Connections'])
    await page
      .getByRole('button', { name: new RegExp(`^\\d? ?${step}$`) })
      .first()
      .waitFor()
  await page
    .getByRole('button', { name: /^\d? ?Create$/ })
    .first()
    .click()
  await inField(page, 'Full name')
  expect(await fieldOf('Full name').inputValue()).toBe(name)
  await onward()
  await page.getByRole('button', { name: /Remove Heron/ }).waitFor()
  await onward()
  await focused('listbox', 'Groups')
  await page.getByRole('option', { name: /Payroll/, selected: true }).waitFor()
  await onward()
  await focused('grid', 'Permissions')
}

/** Submits, and expects one account manager with everything that was chosen. */
async function expectCreated(name: string): Promise<void> {
  await onward()
  await said(page, `Created ${name}. The invitation is on its way`)
  const [one, ...more] = await people(name)
  expect([one?.status, more]).toEqual(['INVITED', []])
  expect(await grantsOf(one?.id as string)).toHaveLength(1)
}

beforeAll(async () => {
  portal = await startPortal()
  await holds(all)
  page = await openSignedIn(portal, email, { path: '/account-managers', width: 1440, height: 900 })
})
afterAll(() => portal?.stop())
beforeEach(async () => {
  await holds(all)
  await page.goto('/account-managers')
  await page.locator('[role=row][id]').first().waitFor()
})

test('unaccepted text keeps the wizard on its step, until it is cleared or an option is chosen', async () => {
  await run(page, 'create account manager')
  await inField(page, 'Full name')
  await page.keyboard.type('Nadia Nobody')
  await page.keyboard.press('Tab')
  await page.keyboard.type('nadia.nobody@example.com')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Space')
  await onward()
  await inField(page, 'Organizations')
  await page.keyboard.type('no such inn 6')
  await page.getByText('No organization found').waitFor()
  await page.keyboard.press('Enter')
  await page.getByText('“no such inn 6” was not taken. Choose an organization from the list, or clear the field.').waitFor()
  for (const from of ['Organizations', 'Employers']) {
    if (from === 'Employers') await page.keyboard.press('Tab')
    await onward()
    await inField(page, 'Organizations')
    await page.getByText('was not taken').waitFor()
    expect(await page.getByRole('listbox', { name: 'Groups' }).count()).toBe(0)
  }
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Backspace')
  await page.getByText('was not taken').waitFor({ state: 'detached' })
  await onward()
  await focused('listbox', 'Groups')
  await close()
})

test('a right revoked between two steps is named; no input is lost, and restored it continues', async () => {
  const name = await toGroups()
  await holds([2, 4])
  await toPermissions()
  await onward()
  await sheet()
    .getByText("You don't have permission to take this action. It needs the right to change account managers.")
    .waitFor()
  await said(page, 'Your permissions changed.')
  // Shown once, and the same in every step.
  expect(await sheet().getByText("You don't have permission").count()).toBe(1)
  expect(await people(name)).toEqual([])
  await expectEntriesKept(name)
  await holds(all)
  await page.evaluate(() => dispatchEvent(new Event('focus')))
  await sheet().getByText("You don't have permission").waitFor({ state: 'detached' })
  await expectCreated(name)
})

test('a grantable right lost before saving is named beside its step, and nobody is created', async () => {
  const name = await toGroups()
  await toPermissions()
  await holds(all, [])
  await onward()
  await sheet()
    .getByText('You can give and take only what you hold yourself. You do not hold:', { exact: false })
    .first()
    .waitFor()
  await page.getByRole('option', { name: /Payroll/, selected: true }).waitFor()
  expect(await people(name)).toEqual([])
  await holds(all)
  await onward()
  await focused('grid', 'Permissions')
  await expectCreated(name)
})

test('a session that ends before saving: nothing is created until it is sent again, then once', async () => {
  const name = await toGroups()
  await toPermissions()
  await portal.db
    .updateTable('sessions')
    .set({ ended_at: new Date(), ended_reason: 'ENDED_ELSEWHERE' })
    .where('person_id', '=', person)
    .where('ended_at', 'is', null)
    .execute()
  await onward()
  await page.getByText('This session was ended elsewhere. Please login again to continue working.').waitFor()
  expect(await people(name)).toEqual([])
  await signIn(portal, page, email)
  await inField(page, 'Full name')
  await sheet().getByRole('alert').filter({ hasText: 'Not sent: your session had ended.' }).waitFor()
  expect(await people(name)).toEqual([])
  expect(await fieldOf('Full name').inputValue()).toBe(name)
  await onward()
  await page.getByRole('button', { name: /Remove Heron/ }).waitFor()
  await onward()
  await focused('listbox', 'Groups')
  await page.getByRole('option', { name: /Payroll/, selected: true }).waitFor()
  await onward()
  await focused('grid', 'Permissions')
  await expectCreated(name)
  await close()
  await run(page, 'create account manager')
  await inField(page, 'Full name')
  expect(await fieldOf('Full name').inputValue()).toBe('')
  await close()
})

test('the network fails before sending: retried once it is back, and one person is created', async () => {
  const name = await toGroups()
  await toPermissions()
  await offline(page, true)
  await onward()
  await page.getByText('Checking whether it went through').waitFor()
  expect(await people(name)).toEqual([])
  await offline(page, false)
  await said(page, `Created ${name}. The invitation is on its way`)
  expect(await people(name)).toHaveLength(1)
})

test('a company that became inaccessible is refused beside its field, and another one works', async () => {
  const maya = demoPerson('maya.lindt@example.com')
  for (const permission_id of [4, 1019])
    await portal.db
      .insertInto('person_permissions')
      .values({ person_id: maya.id, permission_id })
      .onConflict((clash) => clash.doNothing())
      .execute()
  const { id: employer_id, internal_name } = await portal.db
    .selectFrom('employers')
    .select(['id', 'internal_name'])
    .where('status', '=', 'ACTIVE')
    .orderBy('id')
    .limit(1)
    .executeTakeFirstOrThrow()
  await portal.db
    .insertInto('access_grants')
    .values({ person_id: maya.id, organization_id: null, employer_id })
    .onConflict((clash) => clash.doNothing())
    .execute()
  const admins = page
  page = await openSignedIn(portal, maya.email, { path: '/account-managers', width: 1440, height: 900 })
  try {
    const name = await toGroups()
    await page.keyboard.press('Control+Enter')
    await focused('grid', 'Permissions')
    await sql`delete from access_grants where person_id = ${maya.id} and organization_id in
      (select id from organizations where name ilike '%heron%')`.execute(portal.db)
    await onward()
    await sheet().getByText('There is no such organization.').first().waitFor()
    expect(await people(name)).toEqual([])
    await page.getByRole('button', { name: /Remove Heron/ }).waitFor()
    await inField(page, 'Organizations')
    await page.keyboard.press('Backspace')
    await page.getByRole('button', { name: /Remove Heron/ }).waitFor({ state: 'detached' })
    // Without a company they would create somebody whom they cannot see.
    await onward()
    await focused('listbox', 'Groups')
    await onward()
    await focused('grid', 'Permissions')
    await onward()
    await sheet().getByText('Choose at least one organization or employer of yours: you could not see them otherwise.').waitFor()
    expect(await people(name)).toEqual([])
    await inField(page, 'Organizations')
    await page.keyboard.press('Tab')
    await inField(page, 'Employers')
    await page.keyboard.type(internal_name)
    await page.getByRole('option', { name: internal_name }).first().waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: `Remove ${internal_name}` }).waitFor()
    await onward()
    await focused('listbox', 'Groups')
    await onward()
    await focused('grid', 'Permissions')
    await onward()
    await said(page, `Created ${name}. The invitation is on its way`)
    expect(await people(name)).toHaveLength(1)
    expect(problemsOf(page)).toEqual([])
  } finally {
    await page.context().close()
    page = admins
  }
})

test('a reload in the middle keeps every step', async () => {
  const name = await toGroups()
  await page.keyboard.press('End')
  await page.keyboard.press('Space')
  await page.getByRole('option', { name: /Payroll/, selected: true }).waitFor()
  await page.reload()
  // It opens again by itself.
  await page.getByText('Draft restored').waitFor()
  for (const field of ['Full name', 'Organizations']) {
    await inField(page, field)
    await onward()
  }
  await focused('listbox', 'Groups')
  await onward()
  await focused('grid', 'Permissions')
  await expectEntriesKept(name)
  await expectCreated(name)
})

test('a field names the right that its search lacks, and marks what cannot be granted', async () => {
  await holds([2, 3, 1019])
  await page.goto('/account-managers')
  await page.locator('[role=row][id]').first().waitFor()
  await run(page, 'create account manager')
  await inField(page, 'Full name')
  await page.keyboard.type('Nadia Five')
  await page.keyboard.press('Tab')
  await page.keyboard.type('nadia.5@example.com')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Space')
  await onward()
  await inField(page, 'Organizations')
  await page.keyboard.type('heron')
  await sheet().getByText('Searching them needs the right to see organizations.').waitFor()
  // The empty list of results closes.
  await page.keyboard.press('Escape')
  await onward()
  await focused('listbox', 'Groups')
  await onward()
  const matrix = page.getByRole('grid', { name: 'Permissions' })
  const cell = (row: RegExp, name: RegExp) => matrix.getByRole('row', { name: row }).getByRole('gridcell', { name })
  await focused('grid', 'Permissions')
  expect(await cell(/^Organizations/, /See/).getAttribute('aria-disabled')).toBe('true')
  expect(await cell(/^Employers/, /See/).getAttribute('aria-disabled')).toBeNull()
  expect(await axeViolations(page, '[role=dialog]')).toEqual([])
  await close()
})

test('no page had errors', () => {
  expect(problemsOf(page)).toEqual([])
})
