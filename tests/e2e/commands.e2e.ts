import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { employeesOf, eventsOf, openSharedAt, inField, openAt, run, said, type Someone, statusOf } from '#tests/e2e/at-work.ts'
import { dialogsOpened, drawn } from '#tests/e2e/drawn.ts'
import { follow, openShared, type Portal, problemsOf, shot, startPortal } from '#tests/e2e/support.ts'

let portal: Portal
let employee: ReturnType<typeof employeesOf>
beforeAll(async () => {
  portal = await startPortal()
  employee = employeesOf(portal)
})
afterAll(() => portal?.stop())

test('[EMP-001, EMP-002, CARD-005, CARD-006] pause by keyboard: one key, a reason, sent; undone by Ctrl+Z', async () => {
  const someone = await employee('ACTIVE', { linked: true })
  const page = await openSharedAt(portal, someone)
  await page.keyboard.press('p')
  await inField(page, 'Reason')
  await page.keyboard.press('Control+Enter')
  // Nothing is sent without a reason: the message is beside the field, which has the focus.
  const reason = page.getByLabel('Reason')
  await expect.poll(() => reason.getAttribute('aria-invalid')).toBe('true')
  expect(await page.locator(`[id="${await reason.getAttribute('aria-describedby')}"]`).textContent()).toBe(
    'This is a required field.',
  )
  expect(await statusOf(portal, someone)).toBe('ACTIVE')
  await page.keyboard.type('Fraud check')
  await page.keyboard.press('Control+Enter')
  await said(page, `Paused ${someone.name}`)
  expect(await statusOf(portal, someone)).toBe('PAUSED')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.keyboard.press('Control+z')
  await said(page, `Pause undone for ${someone.name}`)
  expect(await statusOf(portal, someone)).toBe('ACTIVE')
  expect(problemsOf(page)).toEqual([])
})

test('[CARD-003, CARD-005, CARD-007, EMP-001] end to end: one key, a typed id, and that employee is paused', async () => {
  const someone = await employee('ELIGIBLE')
  const page = await openShared(portal)
  await page.keyboard.press('Control+k')
  await page.keyboard.type(String(someone.id))
  await page.getByRole('option', { name: someone.name }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: someone.name }).waitFor()
  await run(page, 'Pause employee')
  await inField(page, 'Reason')
  await page.keyboard.type('On request')
  await page.keyboard.press('Enter')
  await inField(page, 'Details')
  await page.keyboard.type('By phone')
  await page.keyboard.press('Control+Enter')
  await said(page, `Paused ${someone.name}`)
  const row = await portal.db
    .selectFrom('employees')
    .select(['pause_reason', 'pause_details'])
    .where('id', '=', someone.id)
    .executeTakeFirstOrThrow()
  expect(row).toEqual({ pause_reason: 'On request', pause_details: 'By phone' })
})

test('[EMP-004, EMP-005] resume with notes, and undone', async () => {
  const someone = await employee('PAUSED', { linked: true })
  const page = await openSharedAt(portal, someone)
  await page.keyboard.press('p')
  await inField(page, 'Notes')
  await page.keyboard.type('All clear')
  await page.keyboard.press('Control+Enter')
  await said(page, `Resumed ${someone.name}`)
  expect(await statusOf(portal, someone)).toBe('ACTIVE')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.keyboard.press('Control+z')
  await said(page, `Resume undone for ${someone.name}`)
  expect(await statusOf(portal, someone)).toBe('PAUSED')
})

test('[EMP-006] resume asks can-unpause first, and shows its reasons instead of the form', async () => {
  const someone = await employee('PAUSED')
  await portal.db.updateTable('employees').set({ unrecovered_amount: 12_500 }).where('id', '=', someone.id).execute()
  const page = await openSharedAt(portal, someone)
  const asked = page.waitForResponse((response) => response.url().endsWith(`/employees/${someone.id}/can-unpause`))
  await page.keyboard.press('p')
  await asked
  await page.getByRole('alert').getByText('An earlier balance was not recovered.').waitFor()
  expect(await page.getByLabel('Notes').count()).toBe(0)
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  expect(await statusOf(portal, someone)).toBe('PAUSED')
})

test('a change to an employee appears at the top of the history, which stays there', async () => {
  const someone = await employee('ACTIVE', { linked: true })
  const page = await openSharedAt(portal, someone)
  await follow(page, `/employees/${someone.id}?tab=history`)
  const grid = page.getByRole('grid', { name: 'History of the employee' })
  const top = () =>
    grid.evaluate((box) => {
      const least = box.getBoundingClientRect().top
      const rows = [...box.querySelectorAll<HTMLElement>('[role=row][id]')].map(
        (row) => [row.getBoundingClientRect().top, row] as const,
      )
      const [first] = rows.filter(([at]) => at >= least).sort(([one], [other]) => one - other)
      return [box.scrollTop, first?.[1].innerText ?? '']
    })
  await grid.locator('[role=row][id]').nth(9).waitFor()
  // The history is longer than the screen.
  expect(await grid.evaluate((box) => box.scrollHeight - box.clientHeight)).toBeGreaterThan(100)
  await page.locator('[data-region=detail]:focus').waitFor()
  await page.keyboard.press('p')
  await inField(page, 'Reason')
  await page.keyboard.type('Fraud check')
  await page.keyboard.press('Control+Enter')
  await said(page, `Paused ${someone.name}`)
  await expect.poll(top).toEqual([0, expect.stringMatching(/Paused/)])
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.keyboard.press('Control+z')
  await said(page, `Pause undone for ${someone.name}`)
  await expect.poll(top).toEqual([0, expect.stringMatching(/Resumed/)])
  // Scrolled down, it keeps its position.
  await grid.evaluate((box) => {
    box.scrollTop = 75
  })
  await page.keyboard.press('p')
  await inField(page, 'Reason')
  await page.keyboard.type('Fraud check')
  await page.keyboard.press('Control+Enter')
  await expect.poll(async () => (await top())[0]).toBe(125)
  await page.getByRole('dialog').waitFor({ state: 'detached' })
})

test('[EMP-008] unlink warns that it cannot be undone, asks for the name, and unlinks', async () => {
  const someone = await employee('ACTIVE', { linked: true })
  const page = await openSharedAt(portal, someone)
  await run(page, 'Unlink employee')
  await page.getByText('This cannot be undone.').waitFor()
  await page.getByText('The history stays.').waitFor()
  await page.keyboard.press('Control+Enter')
  await inField(page, 'Type')
  expect(
    (await portal.db.selectFrom('employees').select('user_id').where('id', '=', someone.id).executeTakeFirstOrThrow()).user_id,
  ).not.toBeNull()
  await page.keyboard.type(someone.name)
  await page.keyboard.press('Control+Enter')
  await said(page, `Unlinked ${someone.name}`)
  const row = await portal.db.selectFrom('employees').select('user_id').where('id', '=', someone.id).executeTakeFirstOrThrow()
  expect(row.user_id).toBeNull()
})

test('[EMP-009, EMP-010] a forced password change is set at once, cancelled, and the cancellation undone', async () => {
  const someone = await employee('ACTIVE', { linked: true })
  const forced = async () =>
    (
      await portal.db
        .selectFrom('users')
        .innerJoin('employees', 'employees.user_id', 'users.id')
        .select('force_password_change')
        .where('employees.id', '=', someone.id)
        .executeTakeFirstOrThrow()
    ).force_password_change
  const page = await openSharedAt(portal, someone)
  await run(page, 'Force password change')
  await said(page, `${someone.name} must choose a new password at the next sign-in`)
  expect(await forced()).toBe(true)
  await run(page, 'Cancel forced password change')
  await said(page, `${someone.name} may keep the password`)
  expect(await forced()).toBe(false)
  await page.keyboard.press('Control+z')
  await said(page, `Cancel forced password change undone for ${someone.name}`)
  expect(await forced()).toBe(true)
})

const forcedOf = async ({ id }: Someone): Promise<boolean> =>
  (
    await portal.db
      .selectFrom('users')
      .innerJoin('employees', 'employees.user_id', 'users.id')
      .select('force_password_change')
      .where('employees.id', '=', id)
      .executeTakeFirstOrThrow()
  ).force_password_change

test('actions on a record keep their order after use; part of a name asks for confirmation', async () => {
  const someone = await employee('ACTIVE', { linked: true })
  const page = await openSharedAt(portal, someone)
  const dialog = page.getByRole('dialog')
  const options = dialog.getByRole('option')
  const titles = () => options.locator('[id$="-title"]').allTextContents()
  await page.keyboard.press('a')
  await options.first().waitFor()
  const before = await titles()
  await page.keyboard.type('force pass')
  await dialog.locator('[role=option][aria-selected=true]', { hasText: 'Force password change' }).waitFor()
  await page.keyboard.press('Enter')
  // It shows what would be sent, and to whom; only a second Enter sends it.
  await dialog.getByText(`Force password change: ${someone.name}`).waitFor()
  await shot(page, 'one-more-enter')
  expect(await forcedOf(someone)).toBe(false)
  await page.keyboard.press('Enter')
  await said(page, `${someone.name} must choose a new password at the next sign-in`)
  expect(await forcedOf(someone)).toBe(true)
  await dialog.waitFor({ state: 'detached' })
  await page.keyboard.press('a')
  await options.first().waitFor()
  const possible = (all: readonly string[]) => all.filter((title) => !/forced? password|Additional/i.test(title))
  expect(possible(await titles())).toEqual(possible(before))
  await shot(page, 'actions-on-employee')
  await page.keyboard.press('ArrowDown')
  await dialog.locator('[role=option][aria-selected=true]', { hasText: 'Additional transaction' }).waitFor()
  await page.keyboard.press('Escape')
})

test('[EMP-006, EMP-015] a command that only the server can refuse is dimmed with its reason, in its place', async () => {
  const someone = await employee('ACTIVE', { linked: true })
  const page = await openSharedAt(portal, someone)
  const dialog = page.getByRole('dialog')
  const selected = dialog.locator('[role=option][aria-selected=true]')
  for (const typed of ['', 'additional']) {
    await page.keyboard.press('a')
    await page.keyboard.type(typed)
    const row = dialog.getByRole('option', { name: /^Additional transaction/ })
    await row.getByText(/transaction remaining|report date of this pay period has passed|granted and is not used/).waitFor()
    expect(await row.getAttribute('aria-disabled')).toBe('true')
    if (typed === '') await page.keyboard.press('ArrowDown')
    expect(await selected.textContent()).toContain('Additional transaction')
    // Enter would wait for an answer, and drop what is typed after two seconds.
    await dialog.locator('[aria-busy=true]').waitFor({ state: 'detached' })
    await page.keyboard.press('Enter')
    // What is typed next goes on in the palette.
    await page.keyboard.type('t')
    await expect.poll(() => dialog.getByRole('combobox').inputValue()).toBe(`${typed}t`)
    expect(await dialog.getByRole('heading').count()).toBe(0)
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
  }
  const owing = await employee('PAUSED')
  await portal.db.updateTable('employees').set({ unrecovered_amount: 12_500 }).where('id', '=', owing.id).execute()
  await openSharedAt(portal, owing)
  await page.keyboard.press('a')
  const resume = dialog.getByRole('option', { name: /^Resume employee/ })
  await resume.getByText('An earlier balance was not recovered.').waitFor()
  expect(await resume.getAttribute('aria-disabled')).toBe('true')
  await page.keyboard.press('Escape')
})

test('Enter in an empty palette changes nothing, though an undo was used last', async () => {
  const someone = await employee('ACTIVE', { linked: true })
  const page = await openSharedAt(portal, someone)
  for (const reason of ['First', 'Second']) {
    await page.keyboard.press('p')
    await inField(page, 'Reason')
    await page.keyboard.type(reason)
    await page.keyboard.press('Control+Enter')
    await said(page, `Paused ${someone.name}`)
    if (reason === 'Second') break
    await page.keyboard.press('Control+z')
    await said(page, `Pause undone for ${someone.name}`)
  }
  await page.keyboard.press('Control+k')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('option', { name: 'Undo the last action' }).waitFor()
  expect(await dialog.locator('[role=option][aria-selected=true]').count()).toBe(0)
  await shot(page, 'empty-palette-after-undo')
  await page.keyboard.press('Enter')
  // The palette is still open. Found by part of its name, the undo says what it undoes and waits for one more Enter.
  await page.keyboard.type('undo')
  await dialog.locator('[role=option][aria-selected=true]', { hasText: 'Undo the last action' }).waitFor()
  await page.keyboard.press('Enter')
  await dialog.getByText(`Undo the last action: Paused ${someone.name}`).waitFor()
  expect(await statusOf(portal, someone)).toBe('PAUSED')
  await page.keyboard.press('Enter')
  await expect.poll(() => statusOf(portal, someone)).toBe('ACTIVE')
})

test('text typed after a refused letter runs no command', async () => {
  const someone = await employee('TERMINATED', { linked: false })
  const page = await openSharedAt(portal, someone)
  const heading = page.getByRole('heading', { name: someone.name })
  const address = page.url()
  const palette = page.getByRole('combobox', { name: 'Command palette' })
  for (const text of ['pfraud', 'pause again\n', 'pa1nx', 'p e-mail y y']) {
    const opened = await dialogsOpened(page)
    await page.keyboard.type(text, { delay: 20 })
    await drawn(page)
    // A pause, Escape or a key with Ctrl ends that; the palette opens after all that the text has done.
    await page.keyboard.press('Control+k')
    await palette.waitFor()
    expect([text, await opened(), page.url()]).toEqual([text, ['Command palette'], address])
    expect(await palette.inputValue()).toBe('')
    await page.keyboard.press('Escape')
    await palette.waitFor({ state: 'detached' })
    await heading.waitFor()
  }
  await page.keyboard.type('pf', { delay: 20 })
  await page.keyboard.press('Escape')
  await page.keyboard.press('a')
  await page.getByRole('combobox', { name: 'Command palette' }).waitFor()
  await page.keyboard.press('Escape')
})

/** Types as a person does, who does not wait for the page: awaiting each key, a slow page would lengthen the pauses between them. */
async function typeAhead(page: Page, text: string, delay: number): Promise<void> {
  const sent: Promise<void>[] = []
  for (const character of text) {
    const key = character === '\n' ? 'Enter' : character
    sent.push(page.keyboard.down(key), page.keyboard.up(key))
    await new Promise((resolve) => setTimeout(resolve, delay))
  }
  await Promise.all(sent)
}

test('text typed after a letter does not press the button of the form that the letter opened', async () => {
  const { id } = await portal.db
    .selectFrom('employers')
    .select('id')
    .where('status', '=', 'INACTIVE')
    .orderBy('id')
    .executeTakeFirstOrThrow()
  const status = async () =>
    (await portal.db.selectFrom('employers').select('status').where('id', '=', id).executeTakeFirstOrThrow()).status
  const page = await openShared(portal, undefined, `/employers/${id}`)
  await page.locator('[data-region=detail]:focus').waitFor()
  const button = page.getByRole('dialog').getByRole('button', { name: /Activate employer/ })
  let sent = 0
  page.on('request', (request) => {
    if (request.method() !== 'GET') sent++
  })
  for (const [text, delay] of [
    ['pause again', 60],
    ['p\n\n\n', 40],
    ['p ', 0],
    ['pa\n', 100],
  ] as const) {
    await typeAhead(page, text, delay)
    await button.and(page.locator(':focus')).waitFor()
    await drawn(page)
    expect([text, await button.count()]).toEqual([text, 1])
    await page.keyboard.press('Escape')
    await page.locator('[data-region=detail]:focus').waitFor()
    expect([text, sent, await status()]).toEqual([text, 0, 'INACTIVE'])
  }
  await page.keyboard.press('p')
  await button.and(page.locator(':focus')).waitFor()
  // A person's pause, longer than the gaps within a text.
  await page.waitForTimeout(400)
  await page.keyboard.press('Enter')
  await expect.poll(status).toBe('ACTIVE')
  expect(sent).toBe(1)
})

test('[EMP-001, EMP-008, EMP-009] refused by state: the reason is shown on the row, and nothing is sent', async () => {
  const someone = await employee('TERMINATED', { linked: false })
  const page = await openSharedAt(portal, someone)
  let sent = 0
  page.on('request', (request) => {
    if (request.method() !== 'GET') sent++
  })
  for (const [words, sentence] of [
    ['Pause employee', 'Actions unavailable when in Terminated.'],
    ['Unlink employee', 'This employee is not linked to a user.'],
    ['Force password change', 'This employee is not linked to a user.'],
  ] as const) {
    await run(page, words)
    await page.getByText(sentence).first().waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  }
  expect(sent).toBe(0)
})

test('[PERM-037, CARD-001] refused by permission: locked with the reason, and nothing is sent', async () => {
  const someone = await employee('ACTIVE')
  const page = await openSharedAt(portal, someone, 'sam.okoye@example.com')
  await run(page, 'Pause employee')
  await page.getByText("You don't have permission to take this action.").first().waitFor()
  expect(await page.getByLabel('Reason').count()).toBe(0)
  expect(await statusOf(portal, someone)).toBe('ACTIVE')
})

test('[PERM-037] a permission lost while a form is open is reported, and the inputs stay', async () => {
  const someone = await employee('ACTIVE')
  const page = await openAt(portal, someone, 'tom.berg@example.com')
  await page.keyboard.press('p')
  await inField(page, 'Reason')
  await page.keyboard.type('Fraud check')
  const groups = await portal.db
    .selectFrom('person_groups')
    .selectAll()
    .where('person_id', '=', '00000000-0000-4000-8000-000000000002')
    .execute()
  await portal.db
    .deleteFrom('person_groups')
    .where('person_id', '=', '00000000-0000-4000-8000-000000000002')
    .where('group_id', '=', 3)
    .execute()
  try {
    await page.keyboard.press('Control+Enter')
    await page.getByRole('alert').getByText("You don't have permission to take this action.").first().waitFor()
    expect(await page.getByLabel('Reason').inputValue()).toBe('Fraud check')
    expect(await statusOf(portal, someone)).toBe('ACTIVE')
  } finally {
    await portal.db
      .insertInto('person_groups')
      .values(groups)
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
  await page.context().close()
})

test('[EMP-001] two people pause the same employee: the second sees who did it, and keeps the inputs', async () => {
  const someone = await employee('ACTIVE')
  const [priya, tom] = [await openSharedAt(portal, someone), await openSharedAt(portal, someone, 'tom.berg@example.com')]
  for (const [page, reason] of [
    [priya, 'Fraud check'],
    [tom, 'On request'],
  ] as const) {
    await page.keyboard.press('p')
    await inField(page, 'Reason')
    await page.keyboard.type(reason)
  }
  await priya.keyboard.press('Control+Enter')
  await said(priya, `Paused ${someone.name}`)
  await tom.keyboard.press('Control+Enter')
  await tom.getByText('Priya Raman (Paused) changed this while you were editing.').waitFor()
  await tom.getByText('Already paused.').first().waitFor()
  expect(await tom.getByLabel('Reason').inputValue()).toBe('On request')
  await tom.keyboard.press('Control+Enter')
  expect(await eventsOf(portal, someone, 'Paused')).toBe(1)
})

test('a message dismissed over the palette leaves the keyboard focus there', async () => {
  const someone = await employee('ACTIVE', { linked: true })
  const page = await openSharedAt(portal, someone)
  await run(page, 'Force password change')
  await said(page, `${someone.name} must choose a new password at the next sign-in`)
  await page.keyboard.press('Control+k')
  const field = page.getByRole('combobox', { name: 'Command palette' })
  await field.waitFor()
  await page.keyboard.type('em')
  for (let left = await page.getByRole('button', { name: 'Dismiss' }).count(); left > 0; left--) {
    await page.getByRole('button', { name: 'Dismiss' }).first().click()
    await expect.poll(() => page.getByRole('button', { name: 'Dismiss' }).count()).toBe(left - 1)
  }
  await page.keyboard.type('pl')
  await expect.poll(() => field.inputValue()).toBe('empl')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
})

test('consecutive changes to one employee are undone one by one', async () => {
  const someone = await employee('ACTIVE', { linked: true })
  const page = await openSharedAt(portal, someone)
  await page.keyboard.press('p')
  await inField(page, 'Reason')
  await page.keyboard.type('Fraud check')
  await page.keyboard.press('Control+Enter')
  await said(page, `Paused ${someone.name}`)
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.keyboard.press('p')
  await inField(page, 'Notes')
  await page.keyboard.press('Control+Enter')
  await said(page, `Resumed ${someone.name}`)
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.keyboard.press('Control+z')
  await expect.poll(() => statusOf(portal, someone)).toBe('PAUSED')
  await page
    .getByText(/ undone for /)
    .first()
    .waitFor()
  await page.keyboard.press('Control+z')
  await expect.poll(() => statusOf(portal, someone)).toBe('ACTIVE')
})

test('text in a search field of a form that was not chosen is reported, and blocks sending', async () => {
  const page = await openShared(portal, undefined, '/employees')
  await page.locator('[role=grid] [role=row][id]').first().waitFor()
  await run(page, 'Filter employees by employer')
  const field = page.getByPlaceholder('Name or id of an employer')
  await field.waitFor()
  await page.keyboard.type('qqq zz')
  await page.getByText('No employer found').waitFor()
  await page.keyboard.press('Control+Enter')
  await page.getByText('“qqq zz” was not taken. Choose an employer from the list.').waitFor()
  // The text stays, to be corrected or cleared, and nothing is sent.
  expect(await field.inputValue()).toBe('qqq zz')
  for (const key of ['Control+Enter', 'Enter']) await page.keyboard.press(key)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Control+Enter')
  await page.waitForFunction(() => document.activeElement?.getAttribute('role') === 'combobox')
  expect(await page.getByRole('dialog').count()).toBe(1)
  await page.getByText('“qqq zz” was not taken.').waitFor()
  await page.keyboard.press('Control+a')
  await page.keyboard.type('a')
  await page.getByText('was not taken').waitFor({ state: 'detached' })
  await page.keyboard.press('Tab')
  await page.getByText('“a” was not taken.').waitFor()
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Backspace')
  await page.getByText('was not taken').waitFor({ state: 'detached' })
  // Typed and sent at once: Enter waits for the search results.
  await page.keyboard.type('laurel')
  await page.keyboard.press('Enter')
  await expect.poll(() => field.inputValue()).toMatch(/^Laurel/)
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page
    .getByRole('button', { name: /^Employer.*Laurel/ })
    .first()
    .waitFor()
})

test('[CARD-006] the session history repeats with the same inputs, links and undoes', async () => {
  const someone = await employee('ACTIVE', { linked: true })
  const page = await openSharedAt(portal, someone)
  await page.keyboard.press('p')
  await inField(page, 'Reason')
  await page.keyboard.type('For the record')
  await page.keyboard.press('Control+Enter')
  await said(page, `Paused ${someone.name}`)
  await run(page, 'Session activity')
  await page.getByRole('listbox', { name: 'What was done, newest first' }).waitFor()
  await page.keyboard.press('y')
  await said(page, 'Link copied')
  const link = new URL(await page.evaluate(() => navigator.clipboard.readText()))
  expect(Object.fromEntries(link.searchParams)).toEqual({
    command: 'employee.pause',
    target: String(someone.id),
    params: '{"reason":"For the record"}',
  })
  await page.keyboard.press('u')
  await said(page, `Pause undone for ${someone.name}`)
  expect(await statusOf(portal, someone)).toBe('ACTIVE')
  await page.keyboard.press('Enter')
  await inField(page, 'Reason')
  expect(await page.getByLabel('Reason').inputValue()).toBe('For the record')
})

test('the palette prints what is on screen, without the palette itself', async () => {
  const page = await openShared(portal, undefined, '/employees')
  await page.locator('[role=row][id]').first().waitFor()
  await page.evaluate(() => {
    const seen = globalThis as unknown as { printed?: number; print: () => void }
    seen.print = () => {
      seen.printed = document.querySelectorAll('[role=dialog]').length
    }
  })
  await run(page, 'Print what is on screen')
  await expect.poll(() => page.evaluate(() => (globalThis as unknown as { printed?: number }).printed)).toBe(0)
})
