import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inField, run, said } from '#tests/e2e/at-work.ts'
import { drawn } from '#tests/e2e/drawn.ts'
import {
  axeViolations,
  failAt,
  follow,
  openPage,
  openSignedIn,
  type Portal,
  problemsOf,
  startPortal,
} from '#tests/e2e/support.ts'
import { createCompany } from '#tests/support/company.ts'
import { createPerson } from '#tests/support/people.ts'
import { demoPerson } from '#tests/support/sign-in.ts'

let portal: Portal
let page: Page
beforeAll(async () => {
  portal = await startPortal()
  page = await openSignedIn(portal, undefined, { path: '/account-managers', width: 1440, height: 900 })
  await page.locator('[role=row][id]').first().waitFor()
})
afterAll(() => portal?.stop())

const detail = () => page.locator('[data-region=detail]')
const heading = (name: string) => detail().getByRole('heading', { name, level: 2 }).waitFor()
const focused = (role: 'listbox' | 'grid', name: string) => page.getByRole(role, { name }).and(page.locator(':focus')).waitFor()
/** Moves from the focused step of the wizard to the last one, and submits. */
async function goToLastStep(connections: boolean): Promise<void> {
  await page.keyboard.press('Control+Enter')
  if (connections) {
    await inField(page, 'Organizations')
    await page.keyboard.press('Control+Enter')
  }
  await focused('listbox', 'Groups')
  await page.keyboard.press('Control+Enter')
  await focused('grid', 'Permissions')
  await page.keyboard.press('Control+Enter')
}
const fieldOf = (label: string) => page.getByLabel(label, { exact: true })

test('[SCR-012] [SCR-008] the wizard creates an account manager by keyboard; inputs survive going back and forth', async () => {
  await page.getByText('Maya Lindt').first().waitFor()
  await run(page, 'create account manager')
  await inField(page, 'Full name')
  await page.keyboard.press('Control+Enter')
  await page.getByText('E-mail is required').waitFor()
  await inField(page, 'Full name')
  await page.keyboard.type('Nadia Flores')
  await page.keyboard.press('Tab')
  await page.keyboard.type('nadia.flores@example.com')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Space')
  await page.keyboard.press('Control+Enter')
  await inField(page, 'Organizations')
  await page.keyboard.type('heron')
  await page.getByRole('option', { name: /Heron/ }).first().waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: /Remove Heron/ }).waitFor()
  await page.keyboard.press('Control+Enter')
  await page.getByRole('listbox', { name: 'Groups' }).and(page.locator(':focus')).waitFor()
  await page.keyboard.press('Space')
  await page.keyboard.press('Control+Enter')
  const matrix = page.getByRole('grid', { name: 'Permissions' })
  await matrix.and(page.locator(':focus')).waitFor()
  // Timekeeping is part of the group; wages are granted individually.
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Space')
  const cell = (row: RegExp, name: RegExp) => matrix.getByRole('row', { name: row }).getByRole('gridcell', { name })
  expect(await cell(/^Employee wage/, /See/).getAttribute('aria-selected')).toBe('true')
  expect(await cell(/^Timekeeping/, /See by group/).getAttribute('aria-disabled')).toBe('true')
  expect(await axeViolations(page, '[role=dialog]')).toEqual([])
  await page
    .getByRole('button', { name: /^1 ?Create$|^Create$/ })
    .first()
    .click()
  await inField(page, 'Full name')
  expect(await fieldOf('Full name').inputValue()).toBe('Nadia Flores')
  // After being left half way, also by a reload, it resumes with everything that was chosen.
  for (let tries = 0; tries < 3 && (await page.getByRole('dialog').count()) > 0; tries++) await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.reload()
  await page.getByText('Maya Lindt').first().waitFor()
  await run(page, 'create account manager')
  await inField(page, 'Full name')
  expect(await fieldOf('Full name').inputValue()).toBe('Nadia Flores')
  await page.keyboard.press('Control+Enter')
  await page.getByRole('button', { name: /Remove Heron/ }).waitFor()
  await page.keyboard.press('Control+Enter')
  await focused('listbox', 'Groups')
  await page.keyboard.press('Control+Enter')
  await page.getByText(/^Will be able to: .*Approve time entry/).waitFor()
  await page
    .getByRole('button', { name: /^1 ?Create$|^Create$/ })
    .first()
    .click()
  await inField(page, 'Full name')
  await goToLastStep(true)
  await said(page, 'Created Nadia Flores. The invitation is on its way')
  await heading('Nadia Flores')
})

test('[ENT-004] [SCR-009] [SCR-010] [SCR-011] the record has General, Connections and Permissions', async () => {
  await detail().getByText('Manual', { exact: true }).waitFor()
  await detail().getByText('Invited', { exact: true }).first().waitFor()
  await page.keyboard.press('2')
  await detail().getByRole('link', { name: /Heron/ }).waitFor()
  await page.keyboard.press('3')
  await detail().getByText('Timekeeping approvers').first().waitFor()
  await detail().getByText('See wages', { exact: false }).first().waitFor()
  expect(await axeViolations(page, '[data-region=detail]')).toEqual([])
})

test('[SCR-010] Connections lists organizations and single employers, each linking to its record', async () => {
  const here = new URL(page.url()).pathname
  const [whole, of] = [await createCompany(portal.db, 'Whole Company'), await createCompany(portal.db, 'Part Company')]
  const employerId = of.employerIds[0] as number
  const person = await createPerson(portal.db, {
    kind: 'ACCOUNT_MANAGER',
    permissions: [3],
    grants: [{ organizationId: whole.organizationId }, { employerId }],
  })
  await follow(page, `/account-managers/${person.id}?tab=connections`)
  const { internal_name: name } = await portal.db
    .selectFrom('employers')
    .select('internal_name')
    .where('id', '=', employerId)
    .executeTakeFirstOrThrow()
  const links = detail().getByRole('tabpanel').getByRole('link')
  await links.first().waitFor()
  expect(await links.allInnerTexts()).toEqual(['Whole Company', name])
  expect(await links.last().getAttribute('href')).toBe(`/employers/${employerId}`)
  await follow(page, here)
  await heading('Nadia Flores')
})

test('[SCR-013] [ERR-010] the wizard edits in the same steps as creation, with the current values', async () => {
  const rail = page.getByRole('dialog').getByRole('listitem')
  await page.keyboard.press('e')
  await inField(page, 'Full name')
  expect((await rail.allInnerTexts()).map((step) => step.replace(/^\d\s*/, ''))).toEqual([
    'Create',
    'Connections',
    'Groups',
    'Permissions',
  ])
  expect(await fieldOf('Full name').inputValue()).toBe('Nadia Flores')
  expect(await fieldOf('E-mail').inputValue()).toBe('nadia.flores@example.com')
  await page.keyboard.press('Control+Enter')
  await inField(page, 'Organizations')
  await page.getByRole('button', { name: /Remove Heron/ }).waitFor()
  await page.keyboard.press('Control+Enter')
  await focused('listbox', 'Groups')
  expect(await page.getByRole('option', { name: /Timekeeping approvers/ }).getAttribute('aria-selected')).toBe('true')
  await page.keyboard.press('Control+Enter')
  await focused('grid', 'Permissions')
  const wage = page.getByRole('grid', { name: 'Permissions' }).getByRole('row', { name: /^Employee wage/ })
  expect(await wage.getByRole('gridcell', { name: /See/ }).getAttribute('aria-selected')).toBe('true')
  for (let tries = 0; tries < 3 && (await page.getByRole('dialog').count()) > 0; tries++) await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  // A separate command opens the same wizard at its step.
  await run(page, 'change permissions of account manager')
  await focused('listbox', 'Groups')
  await page.keyboard.press('Space')
  await page.keyboard.press('Control+Enter')
  await focused('grid', 'Permissions')
  // Removing the group also removes the permissions it gave.
  await page.getByRole('dialog').getByText('Change timekeeping').first().waitFor()
  const meaning = page.getByText(/^Will no longer be able to: .*Approve time entry/)
  await meaning.waitFor()
  // It stays visible, whatever is above it.
  const inSight = (element: Element) => {
    const { left, top, height } = element.getBoundingClientRect()
    return element.contains(document.elementFromPoint(left + 2, top + height / 2))
  }
  expect(await meaning.evaluate(inSight)).toBe(true)
  await page.keyboard.press('Control+Enter')
  await said(page, 'Nadia Flores has 4 fewer permissions now')
  await run(page, 'change connections of account manager')
  await inField(page, 'Organizations')
  await page.getByRole('button', { name: /Remove Heron/ }).waitFor()
  await page.keyboard.press('Backspace')
  // The last step lists added and removed permissions.
  const { internal_name: works } = await portal.db.selectFrom('employers').select('internal_name').executeTakeFirstOrThrow()
  await page.keyboard.press('Tab')
  await page.keyboard.type(works)
  await page.getByRole('option', { name: works }).first().waitFor()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Control+Enter')
  await focused('listbox', 'Groups')
  await page.keyboard.press('Control+Enter')
  await focused('grid', 'Permissions')
  await page.getByText(/without Heron/).waitFor()
  await page.getByText(`with ${works}`, { exact: true }).waitFor()
  await page.keyboard.press('Control+Enter')
  await said(page, 'Nadia Flores is connected to 0 organizations and 1 employer')
  await failAt(page, '**/api/account-managers/*', 'PATCH')
  await page.keyboard.press('e')
  await inField(page, 'Full name')
  await page.keyboard.press('Control+a')
  await page.keyboard.type('Nadia Stone')
  await page.keyboard.press('Control+Enter')
  await inField(page, 'Organizations')
  await page.keyboard.press('Control+Enter')
  await focused('listbox', 'Groups')
  await page.keyboard.press('Control+Enter')
  await focused('grid', 'Permissions')
  // Nothing is sent before its preview was shown.
  await page.getByRole('dialog').getByText('Nadia Stone', { exact: true }).waitFor()
  await page.keyboard.press('Control+Enter')
  await page.getByText('Unable to edit Account Manager.').first().waitFor()
  await page.unroute('**/api/account-managers/*')
  await page.keyboard.press('Control+Enter')
  await said(page, 'Changed Nadia Flores')
  await heading('Nadia Stone')
})

test('[ERR-011] [ERR-012] an e-mail in use is reported beside its field, and the inputs stay', async () => {
  await run(page, 'create account manager')
  await inField(page, 'Full name')
  await page.keyboard.type('Second Nadia')
  await page.keyboard.press('Tab')
  await page.keyboard.type('maya.lindt@example.com')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Space')
  await goToLastStep(true)
  await page.getByText('Email address already used').waitFor()
  expect(await fieldOf('Full name').inputValue()).toBe('Second Nadia')
  await failAt(page, '**/api/account-managers', 'POST')
  await fieldOf('E-mail').fill('second.nadia@example.com')
  await goToLastStep(true)
  await page.getByText('Creation failed, please try again.').first().waitFor()
  await page.unroute('**/api/account-managers')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
})

test('a concurrent change asks before it is overwritten, also after the record was refreshed', async () => {
  const held = async () => {
    const { groups } = await portal.db
      .selectFrom('person_groups')
      .innerJoin('people', 'people.id', 'person_groups.person_id')
      .select(({ fn }) => fn.agg<number[] | null>('array_agg', ['group_id']).as('groups'))
      .where('email', '=', 'nadia.flores@example.com')
      .executeTakeFirstOrThrow()
    return [...(groups ?? [])].sort()
  }
  const before = await held()
  await run(page, 'change permissions of account manager')
  await focused('listbox', 'Groups')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Space')
  await page.keyboard.press('Control+Enter')
  await focused('grid', 'Permissions')
  const other = await openSignedIn(portal, undefined, { path: new URL(page.url()).pathname })
  await other.locator('[data-region=detail] h2', { hasText: 'Nadia' }).waitFor()
  await run(other, 'change permissions of account manager')
  await other.getByRole('listbox', { name: 'Groups' }).and(other.locator(':focus')).waitFor()
  await other.keyboard.press('Space')
  await other.keyboard.press('Control+Enter')
  // Nothing is sent before its effect was shown.
  await other
    .getByText('Will no longer be able to', { exact: false })
    .or(other.getByText('Will be able to', { exact: false }))
    .first()
    .waitFor()
  await other.keyboard.press('Control+Enter')
  await other
    .getByText(/^Nadia Stone has \d+ (more|fewer).* permissions now$/)
    .first()
    .waitFor()
  await other.close()
  const theirs = await held()
  expect(theirs).not.toEqual(before)
  // The record is read again on window focus.
  const read = page.waitForResponse((answer) => /\/api\/account-managers\/[^/]+$/.test(new URL(answer.url()).pathname))
  await page.evaluate(() => dispatchEvent(new Event('focus')))
  await read
  await drawn(page)
  await page.keyboard.press('Control+Enter')
  await page
    .getByRole('dialog')
    .getByText(/changed this (in another tab )?while you were editing/)
    .waitFor()
  expect(await held()).toEqual(theirs)
  // Both changed the groups: overwriting the other change asks first.
  await page.keyboard.press('Control+Enter')
  await page.getByRole('button', { name: 'Send as shown' }).and(page.locator(':focus')).waitFor()
  expect(await held()).toEqual(theirs)
  await page.keyboard.press('Enter')
  await page
    .getByText(/^Nadia Stone has \d+ (more|fewer).* permissions now$/)
    .first()
    .waitFor()
  expect(await held()).not.toEqual(theirs)
})

test('an invitation is withdrawn by keyboard: its link says so, and another one can be sent', async () => {
  const mailed = async () => {
    const mail = await portal.db
      .selectFrom('outbox')
      .select('body')
      .where('recipient', '=', 'nadia.flores@example.com')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    return /\/welcome#token=\S+/.exec(mail.body)?.[0] ?? ''
  }
  const link = await mailed()
  await page.keyboard.press('1')
  await detail().getByText('the link is good until', { exact: false }).waitFor()
  await run(page, 'withdraw invitation of account manager')
  const sheet = page.getByRole('dialog')
  await sheet.getByText('The link sent to nadia.flores@example.com stops working.', { exact: false }).waitFor()
  await sheet.getByText('This cannot be undone.').waitFor()
  await page.keyboard.press('Control+Enter')
  await said(page, 'Withdrew the invitation of Nadia Stone')
  await detail().getByText('Invitation withdrawn', { exact: true }).first().waitFor()
  await page.keyboard.press('4')
  await detail().getByRole('tabpanel').getByText('Invitation withdrawn').first().waitFor()
  expect(await axeViolations(page, '[data-region=detail]')).toEqual([])

  const guest = await openPage(portal, { path: link })
  await guest.getByText('This invitation was withdrawn. Ask the person who invited you for a new one.').waitFor()

  // There is nothing left to withdraw, and the palette says why.
  await page.keyboard.press('Control+k')
  await page.keyboard.type('withdraw invitation of account manager')
  await page.getByText('The invitation was withdrawn already.').first().waitFor()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await run(page, 'send the invitation of account manager again')
  await page.getByText('The link in the earlier e-mail stops working.').waitFor()
  await page.keyboard.press('Control+Enter')
  await said(page, 'Mailed an invitation to nadia.flores@example.com')
  // The new link also opens in the tab of the old one.
  await guest.goto(await mailed())
  await guest.getByText('Choose the password that you will sign in with.').waitFor()
  await guest.getByText('This invitation was withdrawn.', { exact: false }).waitFor({ state: 'detached' })
  await guest.close()
  await page.keyboard.press('1')
  await detail().getByText('the link is good until', { exact: false }).waitFor()
})

test('[ERR-009] a password that cannot be removed says so', async () => {
  const path = '**/api/account-managers/*/password-resets'
  await failAt(page, path)
  // An invited person has no password yet.
  await portal.db.updateTable('people').set({ status: 'ACTIVE' }).where('email', '=', 'nadia.flores@example.com').execute()
  await page.reload()
  await heading('Nadia Stone')
  await run(page, 'reset password of account manager')
  await page.getByText(/Their password stops working/).waitFor()
  await page.keyboard.press('Control+Enter')
  await page.getByText('Password reset failed').first().waitFor()
  await page.unroute(path)
  await page.keyboard.press('Control+Enter')
  await said(page, 'Mailed a link to nadia.flores@example.com')
  expect(await axeViolations(page, '[data-region=detail]')).toEqual([])
})

test('[ERR-008] removing asks for the name, and a failure has its own message', async () => {
  await failAt(page, '**/api/account-managers/*', 'DELETE')
  await run(page, 'remove account manager')
  await page.getByText('They are signed out at once, and cannot sign in again.').waitFor()
  await page.keyboard.type('Nadia Stone')
  await page.keyboard.press('Control+Enter')
  await page.getByText('Could not remove Account Manager').first().waitFor()
  await page.unroute('**/api/account-managers/*')
  await page.keyboard.press('Control+Enter')
  await said(page, 'Removed Nadia Stone')
  await expect.poll(() => page.locator('[role=row]', { hasText: 'Nadia Stone' }).count()).toBe(0)
  expect(new URL(page.url()).pathname).toBe('/account-managers')
})

test('[SCR-014] [AUTH-006] admins are listed, and the wizard rejects an invalid e-mail', async () => {
  await follow(page, '/admins')
  await page.locator('[role=row][id]').first().waitFor()
  await page.getByText('Tom Berg').first().waitFor()
  await run(page, 'create admin')
  await inField(page, 'Name')
  await page.keyboard.type('Ines Park')
  await page.keyboard.press('Tab')
  await page.keyboard.type('ines.park')
  await page.keyboard.press('Control+Enter')
  await page.getByText('Invalid email', { exact: true }).waitFor()
  await inField(page, 'E-mail')
  expect(await fieldOf('E-mail').getAttribute('aria-invalid')).toBe('true')
})

test('[SCR-015] [SCR-016] [ERR-015] an admin is created by a wizard that reports a failure', async () => {
  await page.keyboard.press('End')
  await page.keyboard.type('@example.com')
  await page.keyboard.press('Tab')
  await page.keyboard.type('+1 415 555 0134')
  await failAt(page, '**/api/admins', 'POST')
  await goToLastStep(false)
  await page.getByText('Creation failed, please try again.').first().waitFor()
  await page.unroute('**/api/admins')
  await page.keyboard.press('Control+Enter')
  await said(page, 'Created Ines Park. The invitation is on its way')
  await heading('Ines Park')
  expect(new URL(page.url()).pathname).toMatch(/^\/admins\/[\da-f-]{36}$/)
  for (const fact of ['ines.park@example.com', '+1 415 555 0134']) await detail().getByText(fact).first().waitFor()
})

test('[SCR-017] the wizard edits an admin in the steps Groups and Permissions, with the current values', async () => {
  await run(page, 'change permissions of admin')
  await focused('listbox', 'Groups')
  const rail = page.getByRole('dialog').getByRole('listitem')
  expect((await rail.allInnerTexts()).map((step) => step.replace(/^\d\s*/, ''))).toEqual(['Groups', 'Permissions'])
  // Super-admin is last, so that nobody chooses it with the first key.
  await page.keyboard.press('End')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Space')
  await page.keyboard.press('Control+Enter')
  await focused('grid', 'Permissions')
  await page.getByText('See billing').first().waitFor()
  await page.keyboard.press('Control+Enter')
  await said(page, 'Ines Park has 11 more permissions now')
  await page.keyboard.press('2')
  await detail().getByText('Payroll').first().waitFor()
  expect(await axeViolations(page, '[data-region=detail]')).toEqual([])
})

test('[ERR-009] the password of an admin is removed by a command, which reports a failure', async () => {
  const other = await portal.db
    .selectFrom('people')
    .select(['id', 'name', 'email'])
    .where('kind', '=', 'ADMIN')
    .where('status', '=', 'ACTIVE')
    .where('password_hash', 'is not', null)
    .where('email', '=', 'sam.okoye@example.com')
    .executeTakeFirstOrThrow()
  const path = '**/api/admins/*/password-resets'
  const { pathname: before } = new URL(page.url())
  await failAt(page, path)
  await follow(page, `/admins/${other.id}`)
  await heading(other.name)
  await run(page, 'reset password of admin')
  await page.getByText(/Their password stops working/).waitFor()
  await page.keyboard.press('Control+Enter')
  await page.getByText('Password reset failed').first().waitFor()
  await page.unroute(path)
  await page.keyboard.press('Control+Enter')
  await said(page, `Mailed a link to ${other.email}`)
  expect(await axeViolations(page, '[data-region=detail]')).toEqual([])
  await follow(page, before)
})

test('[ERR-016] [ERR-013] account managers that cannot be loaded or removed show an error', async () => {
  await failAt(page, '**/api/admins/*/permissions')
  await page.reload()
  await heading('Ines Park')
  await page.locator('[data-region=detail]:focus').waitFor()
  await page.keyboard.press('1')
  await detail().getByRole('tab', { name: 'General', selected: true }).waitFor()
  await page.keyboard.press('2')
  await detail().getByText('Could not fetch permissions list').waitFor()
  await page.unroute('**/api/admins/*/permissions')
  await detail().getByRole('button', { name: 'Try again' }).click()
  await detail().getByText('Payroll').first().waitFor()
  await failAt(page, '**/api/admins/*', 'DELETE')
  await run(page, 'remove admin')
  await page.getByText('They are signed out at once').waitFor()
  await page.keyboard.type('Ines Park')
  await page.keyboard.press('Control+Enter')
  await page.getByText('Could not remove Admin').first().waitFor()
  expect(await page.getByText('Could not remove Admin').count()).toBeGreaterThan(0)
  await page.unroute('**/api/admins/*')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
})

test('[SCR-068] My Permissions shows the groups and permissions of the signed-in person', async () => {
  await run(page, 'my permissions')
  await page.getByRole('heading', { name: 'My permissions' }).waitFor()
  await page.getByText('Super-admin').first().waitFor()
  await page.getByText('See billing').first().waitFor()
  expect(await page.title()).toBe('My permissions - Admin Portal')
  expect(await axeViolations(page)).toEqual([])
  // Content has a margin to the edges of the page.
  const left = async (selector: string) => (await page.locator(selector).first().boundingBox())?.x ?? 0
  expect((await left('.plain-page h2')) - (await left('.plain-page'))).toBeGreaterThanOrEqual(12)
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keys' }).getByRole('heading', { name: 'Everywhere' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog', { name: 'Keys' }).waitFor({ state: 'detached' })
  await page.keyboard.press('Escape')
  await page.locator('[role=row][id]').first().waitFor()
})

test('[ERR-051] a list of account managers that fails to load shows the reason, or a default message', async () => {
  const answer = { status: 500, contentType: 'application/problem+json' }
  const problem = {
    type: 'about:blank',
    title: 'No',
    status: 500,
    detail: 'The directory is being moved.',
    code: 'internal-error',
  }
  for (const [body, sentence] of [
    [JSON.stringify(problem), 'The directory is being moved.'],
    ['', 'Unable to load'],
  ] as const) {
    await page.route('**/api/account-managers?**', (route) => route.fulfill({ ...answer, body }))
    await page.goto('/account-managers')
    await page.getByText(sentence).first().waitFor()
    expect(await page.locator('[role=row][id]').count()).toBe(0)
    await page.unroute('**/api/account-managers?**')
  }
})

test('a record and a person explain why somebody cannot see or do something, and offer the right', async () => {
  const maya = demoPerson('maya.lindt@example.com')
  await portal.db.deleteFrom('access_grants').where('person_id', '=', maya.id).execute()
  const stranger = await portal.db
    .selectFrom('employees')
    .innerJoin('employers', 'employers.id', 'employees.employer_id')
    .select(['employees.id', 'first_name', 'last_name', 'employers.internal_name', 'employers.organization_id'])
    .where('employees.status', '=', 'ACTIVE')
    .orderBy('employees.id')
    .executeTakeFirstOrThrow()
  const answer = page.getByRole('status', { name: 'Answer' })
  const choose = async (field: string, words: string) => {
    const input = page.getByRole('combobox', { name: field })
    await input.focus()
    await page.keyboard.type(words)
    await page.getByRole('option', { name: words, exact: true }).waitFor()
    await page.keyboard.press('Enter')
    await expect.poll(() => input.inputValue()).toBe(words)
  }
  await follow(page, `/employees/${stranger.id}`)
  await heading(`${stranger.first_name} ${stranger.last_name}`)
  await run(page, 'explain access to employee')
  await page.getByRole('heading', { name: 'Explain access' }).waitFor()
  await page.locator('input[placeholder="Name or id of an account manager"]:focus').waitFor()
  await page.keyboard.type('maya')
  await page.getByRole('option', { name: /^Maya Lindt/ }).waitFor()
  await page.keyboard.press('Enter')
  await expect
    .poll(() => answer.innerText())
    .toContain(`Maya Lindt is not connected to ${stranger.internal_name}; a connection to`)
  expect(await axeViolations(page)).toEqual([])
  // The address opens the same question again.
  await page.reload()
  await answer.getByRole('button', { name: 'Change connections of account manager' }).click()
  await inField(page, 'Organizations')
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await choose('What they cannot do', 'Pause employee')
  await expect.poll(() => answer.innerText()).toContain('is not connected to')

  await portal.db.insertInto('access_grants').values({ person_id: maya.id, organization_id: stranger.organization_id }).execute()
  await page.goto(`/access?account-manager=${maya.id}&noun=employee&record=${stranger.id}&action=employee.terminate-off-cycle`)
  await expect.poll(() => answer.innerText()).toContain('Maya Lindt lacks the right to change off-cycle payments')
  await answer.getByRole('button', { name: 'Change permissions of account manager' }).waitFor()
  await choose('What they cannot do', 'Pause employee')
  await expect.poll(() => answer.innerText()).toBe('Nothing is missing: Maya Lindt may do this.')

  await follow(page, `/account-managers/${maya.id}`)
  await heading('Maya Lindt')
  await run(page, 'explain access of account manager')
  await page.locator('button[aria-haspopup=listbox]:focus').first().waitFor()
  await choose('What they cannot do', 'Create organization')
  await expect.poll(() => answer.innerText()).toContain('Maya Lindt lacks the right to change organizations')
  await page.keyboard.press('Escape')
  await heading('Maya Lindt')
})

test('a question in the palette opens its answer, also without a record', async () => {
  const answer = page.getByRole('status', { name: 'Answer' })
  for (const [question, sentence] of [
    ["why can't maya lindt approve write-offs?", 'Maya Lindt lacks the right'],
    ['can tom berg approve write-offs', 'Nothing is missing: Tom Berg may do this.'],
  ] as const) {
    await page.keyboard.press('Control+k')
    await page.keyboard.type(question)
    await page.locator('[role=option][aria-selected=true]').filter({ hasText: 'Explain access of' }).waitFor()
    await page.keyboard.press('Enter')
    await expect.poll(() => answer.innerText()).toContain(sentence)
    expect(await answer.innerText()).toContain('Choose a write-off to find out whether it depends on the record.')
    expect(await page.getByRole('listbox').count()).toBe(0)
    expect(await axeViolations(page)).toEqual([])
  }
})

test('[ENT-003] an account manager named by an uploaded file is shown as Automated', async () => {
  const { organizationId, employerIds } = await createCompany(portal.db, 'Kestrel Landing')
  const employerId = employerIds[0] as number
  await sql`insert into configurations (organization_id, withdraw_limit_type, withdraw_limit_amount, withdraw_amount_max)
    values (${organizationId}, 'PERCENTAGE', 5000, 300000)`.execute(portal.db)
  const columns = { Code: 'employee_code', Name: 'full_name', Status: 'status', Manager: 'account_manager_email' }
  const mapped = Object.entries(columns).map(([header, field]) => ({ header, field }))
  await sql`insert into mappings (kind, employer_id, file_name, file_key, columns)
    values ('EMPLOYEE', ${employerId}, 'kestrel_ee.csv', 'kestrel', ${JSON.stringify(mapped)}::jsonb)`.execute(portal.db)
  await follow(page, `/employers/${employerId}`)
  await heading('Kestrel Landing Works 1')
  await run(page, 'import file of employer')
  await page.getByRole('button', { name: 'File Choose a file' }).waitFor()
  const lines = 'Code,Name,Status,Manager\nK-1,Ann Lee,Active,rosa.marsh@kestrel.example\n'
  await page
    .getByLabel('File to choose')
    .setInputFiles({ name: 'kestrel_ee.csv', mimeType: 'text/csv', buffer: Buffer.from(lines) })
  await page.getByText('kestrel_ee.csv', { exact: true }).waitFor()
  await page.keyboard.press('Control+Enter')
  await said(page, 'Received kestrel_ee.csv')
  await detail().getByText('Success', { exact: true }).first().waitFor()
  await follow(page, '/account-managers?q=kestrel.example')
  const row = page.locator('[role=row][id]')
  await expect.poll(() => row.count()).toBe(1)
  await row.getByText('Automated', { exact: true }).waitFor()
  await row.getByText('Not invited', { exact: true }).waitFor()
  await page.keyboard.press('Enter')
  await heading('rosa.marsh@kestrel.example')
  await detail().getByText('Automated', { exact: true }).waitFor()
  await detail().getByText('Not invited', { exact: true }).first().waitFor()
})

test('no page had errors', () => {
  expect(problemsOf(page).filter((problem) => !/500/.test(problem))).toEqual([])
})
