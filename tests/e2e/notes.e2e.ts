import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { digest } from '#server/auth/secret.ts'
import { employeesOf, openAt, run, type Someone, said } from '#tests/e2e/at-work.ts'
import {
  axeViolations,
  follow,
  openSignedIn,
  type Portal,
  problemsOf,
  routed,
  shot,
  signIn,
  sharePortal,
} from '#tests/e2e/support.ts'

let portal: Portal
let page: Page
let someone: Someone

beforeAll(async () => {
  portal = await sharePortal()
  someone = await employeesOf(portal)('ACTIVE')
  page = await openAt(portal, someone, undefined, { width: 1440, height: 900, clock: true })
})
afterAll(() => portal?.stop())

const drawer = () => page.getByRole('complementary', { name: /^Notes of/ })
const field = () => page.locator('[data-region=drawer] textarea:focus')
const notes = () => drawer().getByRole('article')
const record = () => page.locator('[data-region=detail]:focus')
const ofAnother = (text: string, at: { entity: 'employee' | 'invoice'; id: number }) =>
  portal.db
    .insertInto('notes')
    .values({ entity_type: at.entity, entity_id: String(at.id), text, user_id: 'another', user_name: 'Tom Berg' })
    .execute()

/** Advances the clock of the page until the open notes are read again. */
async function nextRead(): Promise<void> {
  const read = page.waitForResponse((answer) => answer.url().includes('/api/notes/entity/'))
  await page.clock.fastForward(5_000)
  await read
}

test('[SCR-069] n opens the notes beside the record with the field focused; keys typed at once arrive', async () => {
  await record().waitFor()
  await page.keyboard.press('n')
  await page.keyboard.type('Payroll confirms the rate.')
  await expect.poll(() => field().inputValue()).toBe('Payroll confirms the rate.')
  const { searchParams } = new URL(page.url())
  expect(Object.fromEntries(searchParams)).toMatchObject({
    entity_type: 'employee',
    entity_id: String(someone.id),
    title: someone.name,
  })
  await drawer().getByText('No notes yet.').waitFor()
  expect(await axeViolations(page)).toEqual([])
  // The address is not a filter of the list beside it.
  expect(await page.getByRole('region', { name: 'Filters' }).count()).toBe(0)
})

test('Escape keeps a draft and returns the focus; a reload keeps the draft and the open drawer', async () => {
  await page.keyboard.press('Escape')
  await record().waitFor()
  expect(await drawer().count()).toBe(0)
  await page.keyboard.press('n')
  await expect.poll(() => field().inputValue()).toBe('Payroll confirms the rate.')
  await page.reload()
  await expect.poll(() => drawer().getByRole('textbox').inputValue()).toBe('Payroll confirms the rate.')
})

test('the palette command shares the draft; an added note clears it, and can be undone', async () => {
  await run(page, 'Add employee note')
  await expect.poll(() => page.locator('[role=dialog] textarea:focus').inputValue()).toBe('Payroll confirms the rate.')
  await page.keyboard.press('Control+Enter')
  await said(page, `Added a note to ${someone.name}`)
  await notes().getByText('Payroll confirms the rate.').waitFor()
  await expect.poll(() => drawer().getByRole('textbox').inputValue()).toBe('')
  await page.getByRole('button', { name: 'Undo' }).first().click()
  await said(page, `Deleted the note on ${someone.name}`)
  await expect.poll(() => notes().count()).toBe(0)
  await drawer().getByText('No notes yet.').waitFor()
})

test('[NOTE-001] a note without text is refused with a message', async () => {
  await drawer().getByRole('textbox').focus()
  await page.keyboard.type('   ')
  await page.keyboard.press('Control+Enter')
  await drawer().getByRole('alert').getByText('This is a required field.').waitFor()
  expect(await notes().count()).toBe(0)
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Delete')
})

test('[API-136] [PERM-039] notes of others appear by themselves, and only the author can delete a note', async () => {
  await drawer().getByRole('textbox').focus()
  await page.keyboard.type('My own')
  await page.keyboard.press('Control+Enter')
  await notes().getByText('My own').waitFor()
  await ofAnother('Moved to cold storage.', { entity: 'employee', id: someone.id })
  await nextRead()
  await notes().getByText('Moved to cold storage.').waitFor()
  expect(await notes().filter({ hasText: 'Tom Berg' }).getByRole('button').count()).toBe(0)
  expect(await axeViolations(page, '.drawer')).toEqual([])
  await shot(page, 'notes-1440-light')
  await notes().first().focus()
  await page.keyboard.press('Backspace')
  await page.getByText('Only its author can delete a note.').first().waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Backspace')
  await page.locator('[role=dialog]').getByText('This cannot be undone.').waitFor()
  // The focused item is visible.
  await page
    .locator('[role=dialog]')
    .getByText(/^“.+”$/)
    .waitFor()
  await page.keyboard.press('Control+Enter')
  await said(page, 'Deleted the note')
  await expect.poll(() => notes().count()).toBe(1)
})

test('[API-137] [API-138] an error shows an alert and stops the polling until somebody retries', async () => {
  let asked = 0
  await page.route('**/api/notes/entity/**', (route) => {
    asked++
    return route.fulfill({ status: 503, contentType: 'application/problem+json', body: '{}' })
  })
  await nextRead()
  await drawer().getByRole('alert').getByText('The notes could not be refreshed.').waitFor()
  // The notes stay, and one read was made: the unit test of the refresh covers that no more follow.
  expect([asked, await notes().count()]).toEqual([1, 1])
  await page.unroute('**/api/notes/entity/**')
  await drawer().getByRole('button', { name: 'Try again' }).click()
  await expect.poll(() => drawer().getByText('The notes could not be refreshed.').count()).toBe(0)
})

test('[SCR-070] [SCR-071] without entity_type it goes back and says so', async () => {
  const wrong = `/employees?entity_id=${someone.id}&title=x`
  await follow(page, '/invoices')
  await page.locator('[role=grid]:focus').waitFor()
  await page.evaluate((address) => {
    history.pushState(null, '', address)
    dispatchEvent(new PopStateEvent('popstate'))
  }, wrong)
  await page.getByText('These notes could not be opened.').first().waitFor()
  await page.waitForURL((url) => url.pathname === '/invoices' && url.search === '')
  // The first page of a tab has nothing to go back to.
  await page.goto(wrong)
  await page.getByText('These notes could not be opened.').first().waitFor()
  await page.waitForURL((url) => url.pathname === '/employees' && url.search === '')
  expect(await drawer().count()).toBe(0)
})

test('notes of an invoice are written from its row, and follow the record that is opened next', async () => {
  const small = await openSignedIn(portal, undefined, { width: 1024, height: 768, theme: 'dark', path: '/invoices', clock: true })
  page = small
  await page.locator('[role=grid]:focus').waitFor()
  await page.getByRole('row').nth(2).waitFor()
  await page.keyboard.press('n')
  await field().waitFor()
  await page.keyboard.type('Called the client.')
  await page.keyboard.press('Control+Enter')
  await notes().getByText('Called the client.').waitFor()
  await shot(page, 'notes-1024-dark')
  await page.keyboard.press('Escape')
  await page.locator('[role=grid]:focus').waitFor()
  await page.keyboard.press('Enter')
  await record().waitFor()
  await page.keyboard.press('n')
  await notes().getByText('Called the client.').waitFor()
  await shot(page, 'notes-1024-record')
  const first = new URL(page.url()).searchParams.get('entity_id')
  await page.locator('[data-region=detail]').focus()
  await page.keyboard.press('j')
  await expect.poll(() => new URL(page.url()).searchParams.get('entity_id') !== first).toBe(true)
  const { pathname, searchParams } = new URL(page.url())
  expect(searchParams.get('entity_id')).toBe(pathname.split('/').at(-1))
  expect(problemsOf(page)).toEqual([])
})

test.each([
  ['/employers', 'employer'],
  ['/organizations', 'organization'],
  ['/repayments', 'repayment'],
  ['/write-offs', 'write-off'],
  ['/deductions', 'deduction'],
])('[SCR-069] n opens the notes of a row of %s, and a row with notes is marked', async (path, entity) => {
  await follow(page, path)
  await page.locator('[role=grid]:focus').waitFor()
  await page.locator('[role=row][id]').first().waitFor()
  expect(await page.locator('.grid-noted').count()).toBe(0)
  await page.keyboard.press('n')
  await field().waitFor()
  expect(new URL(page.url()).searchParams.get('entity_type')).toBe(entity)
  await page.keyboard.type(`About this ${entity}.`)
  await page.keyboard.press('Control+Enter')
  await notes().getByText(`About this ${entity}.`).waitFor()
  await page.keyboard.press('Escape')
  await page.locator('[role=grid]:focus').waitFor()
  const marked = page.locator('.grid-noted')
  await marked.waitFor()
  expect(await marked.count()).toBe(1)
  expect(await marked.getAttribute('class')).toContain('grid-now')
  await page.getByRole('rowheader', { name: /, has notes$/ }).waitFor()
  expect(await axeViolations(page, '[data-region=work]')).toEqual([])
  if (entity === 'employer') await shot(page, 'notes-marks')
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from notes where entity_type = ${entity}`.execute(
    portal.db,
  )
  expect(rows[0]?.count).toBe(1)
})

test('the mark of a row follows its notes, own and others’, when the list refreshes', async () => {
  await follow(page, '/employers')
  const marked = page.locator('.grid-noted')
  await marked.waitFor()
  await portal.db.deleteFrom('notes').where('entity_type', '=', 'employer').execute()
  await page.keyboard.press('r')
  await marked.waitFor({ state: 'detached' })
  const { id } = await portal.db.selectFrom('employers').select('id').orderBy('id').executeTakeFirstOrThrow()
  await follow(page, `/employers?id_type=is&id_value=${id}`)
  await page.locator('[role=row][id]').first().waitFor()
  await portal.db
    .insertInto('notes')
    .values({
      entity_type: 'employer',
      entity_id: String(id),
      text: 'Of somebody else',
      user_id: 'another',
      user_name: 'Tom Berg',
    })
    .execute()
  await page.keyboard.press('r')
  await marked.first().waitFor()
  expect(await marked.count()).toBe(1)
})

test('[API-136] a refresh of the notes takes neither the focus nor a selection, in the field or the list', async () => {
  await follow(page, '/employees')
  await page.locator('[role=grid]:focus').waitFor()
  await page.locator('[role=row][id]').first().waitFor()
  await page.keyboard.press('n')
  await field().waitFor()
  await page.keyboard.type('Half a sentence')
  await page.keyboard.press('Shift+Control+ArrowLeft')
  const selection = () =>
    page.evaluate(() => {
      const area = document.activeElement as HTMLTextAreaElement
      return [area.tagName, area.selectionStart, area.selectionEnd]
    })
  const before = await selection()
  expect(before).toEqual(['TEXTAREA', 7, 15])
  const id = Number(new URL(page.url()).searchParams.get('entity_id'))
  await ofAnother('Meanwhile', { entity: 'employee', id })
  await nextRead()
  await notes().getByText('Meanwhile').waitFor()
  expect(await selection()).toEqual(before)
  await page.keyboard.press('F6')
  await page.locator('[role=grid]:focus').waitFor()
  for (const key of ['x', 'j', 'x']) await page.keyboard.press(key)
  const now = () =>
    page.evaluate(() => [
      document.activeElement?.getAttribute('role'),
      document.activeElement?.getAttribute('aria-activedescendant'),
      document.querySelectorAll('.grid-marked').length,
    ])
  const there = await now()
  expect([there[0], there[2]]).toEqual(['grid', 2])
  for (let reads = 0; reads < 2; reads++) await nextRead()
  await ofAnother('And again', { entity: 'employee', id })
  await nextRead()
  await notes().getByText('And again').waitFor()
  expect(await now()).toEqual(there)
})

test('[CONST-013] a session left with open notes ends as usual, and the notes are shown again after sign-in', async () => {
  const token = (await page.evaluate(() => localStorage.getItem('admin-portal.token'))) as string
  const tokenDigest = digest(token)
  const own = portal.db.updateTable('sessions').where('token_hash', '=', tokenDigest)
  const active = async () =>
    (
      await portal.db
        .selectFrom('sessions')
        .select('last_active_at')
        .where('token_hash', '=', tokenDigest)
        .executeTakeFirstOrThrow()
    ).last_active_at.getTime()
  const ago = new Date(Date.now() - 300_000)
  await own.set({ last_active_at: ago }).execute()
  for (let reads = 0; reads < 2; reads++) await nextRead()
  expect(await active()).toBe(ago.getTime())
  await own.set({ last_active_at: new Date(Date.now() - 3_600_000) }).execute()
  await page.clock.fastForward(5_000)
  await page.getByText('Your session has expired due to inactivity. Please login again to continue working.').waitFor()
  await signIn(portal, page)
  await drawer().waitFor()
  await notes().getByText('And again').waitFor()
  expect(problemsOf(page)).toEqual([])
})

test('typing when the session ends reaches no field of the sign-in, and the draft survives', async () => {
  const write = drawer().getByRole('textbox')
  await write.fill('')
  await page.keyboard.type('A long note that I am writing right now')
  const token = (await page.evaluate(() => localStorage.getItem('admin-portal.token'))) as string
  await portal.db.deleteFrom('sessions').where('token_hash', '=', digest(token)).execute()
  const signingIn = page.locator('input[type=password]:focus')
  let typed = 'A long note that I am writing right now'
  await page.evaluate(() => dispatchEvent(new Event('focus')))
  for (let letters = 0; letters < 400 && !(await signingIn.count()); letters++) {
    typed =
      (await page.evaluate(() => document.querySelector<HTMLTextAreaElement>('[data-region=drawer] textarea')?.value)) ?? typed
    await page.keyboard.press('m')
  }
  await page.keyboard.type(' and more', { delay: 60 })
  await page.keyboard.press('Enter')
  expect(await page.getByLabel('E-mail').inputValue()).toBe('priya.raman@example.com')
  expect(await signingIn.inputValue()).toBe('')
  expect(await page.locator('main').getByRole('alert').allTextContents()).toEqual([])
  await signIn(portal, page)
  const kept = await write.inputValue()
  expect(kept.startsWith(typed), kept).toBe(true)
  expect(kept).toMatch(/^A long note that I am writing right nowm*$/)
  await write.fill('')
})

test('[SCR-069] a link shows the title of its record in the notes until the record has loaded', async () => {
  const { id } = await portal.db.selectFrom('invoices').select('id').orderBy('id', 'desc').executeTakeFirstOrThrow()
  await ofAnother('Asked for a copy.', { entity: 'invoice', id })
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  const reads = new RegExp(`/api/invoices(/${id}|\\?.*\\bid=${id})`)
  await routed(page, reads, async (route) => {
    await held
    await route.continue()
  })
  // Records read before have their names at once.
  await page.goto('/employees')
  await page.locator('[role=row][id]').first().waitFor()
  const query = new URLSearchParams({ entity_type: 'invoice', entity_id: String(id), title: 'June invoice of Harbor' })
  await follow(page, `/employees?${query}`)
  await page.getByRole('complementary', { name: 'Notes of June invoice of Harbor' }).waitFor()
  await drawer().getByRole('article').getByText('Asked for a copy.').waitFor()
  release()
  await page.getByRole('complementary', { name: `Notes of INV-${id}` }).waitFor()
  await page.unroute(reads)
  expect(problemsOf(page)).toEqual([])
})
