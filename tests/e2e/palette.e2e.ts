import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { searchKinds } from '#contract/search.ts'
import { employeesOf, inField, statusOf } from '#tests/e2e/at-work.ts'
import { drawn, holdCalls } from '#tests/e2e/drawn.ts'
import { callsOut } from '#tests/e2e/random-keys.ts'
import { axeViolations, follow, openSignedIn, type Portal, problemsOf, shot, slowDown, startPortal } from '#tests/e2e/support.ts'
import { demoPerson } from '#tests/support/sign-in.ts'

let portal: Portal
let page: Page
let employee: { id: number; first_name: string; last_name: string; employee_code: string; email: string | null }
/** An employee far below the loaded rows of the list: only the server knows them. */
let stranger: number

beforeAll(async () => {
  portal = await startPortal()
  employee = await portal.db
    .selectFrom('employees')
    .select(['id', 'first_name', 'last_name', 'employee_code', 'email'])
    .where('status', '=', 'ACTIVE')
    .where('email', 'is not', null)
    .orderBy('id')
    .offset(20)
    .executeTakeFirstOrThrow()
    .then((row) => ({ ...row, id: Number(row.id) }))
  stranger = await portal.db
    .selectFrom('employees')
    .select('id')
    .orderBy('id')
    .offset(1_500)
    .executeTakeFirstOrThrow()
    .then((row) => Number(row.id))
  page = await openSignedIn(portal, undefined, { path: '/employees' })
  await page.locator('[role=grid] [role=row][aria-rowindex="2"]').waitFor()
})
afterAll(() => portal?.stop())

beforeEach(async () => {
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  for (let presses = 0; presses < 5 && (await page.locator('[role=dialog]').count()); presses++)
    await page.keyboard.press('Escape')
  await follow(page, '/employees')
  await page.locator('[role=grid]').focus()
  await page.keyboard.press('Control+Home')
  await page.locator('[role=grid] [role=row][aria-rowindex="2"]').waitFor()
})

const field = () => page.locator('[role=dialog] [role=combobox]')
const options = () => page.locator('[role=dialog] [role=option]')
const active = () => page.locator('[role=dialog] [role=option][aria-selected=true]')
const titles = () => options().locator('[id$="-title"]').allTextContents()

async function open(typed = ''): Promise<void> {
  await page.keyboard.press('Control+k')
  await field().waitFor()
  if (typed) await page.keyboard.type(typed)
}

/** Waits for the answers to the current input. */
async function settled(on = page): Promise<void> {
  await drawn(on)
  await on.waitForFunction(() => !document.querySelector('[role=dialog] [aria-busy=true]'))
}

test('[CARD-007] a typed id opens that employee with one Enter', async () => {
  await open(String(employee.id))
  await page.keyboard.press('Enter')
  await page.waitForURL(`**/employees/${employee.id}*`)
  await page.getByRole('heading', { name: `${employee.first_name} ${employee.last_name}` }).waitFor()
  expect(await page.locator('[role=dialog]').count()).toBe(0)
})

test('[CARD-007] a complete id is the only result', async () => {
  const out = callsOut(page)
  await open(String(employee.id))
  await settled()
  expect(await titles()).toEqual([`${employee.first_name} ${employee.last_name}`])
  await expect.poll(() => out.size).toBe(0)
  await drawn(page)
  expect(await options().count()).toBe(1)
})

test('[CARD-007] a pasted link of the portal counts as its id', async () => {
  await open()
  await page.keyboard.insertText(`${portal.origin}/employees/${employee.id}?tab=history`)
  await page.keyboard.press('Enter')
  await page.waitForURL(`**/employees/${employee.id}*`)
  expect(new URL(page.url()).pathname).toBe(`/employees/${employee.id}`)
  // The tab of the link, too.
  expect(new URL(page.url()).searchParams.get('tab')).toBe('history')
})

test('[CARD-007] an unknown id is looked up once more on Enter, and the answer is shown', async () => {
  await open('999999999999')
  await settled()
  expect(await titles()).toEqual(['Open employee 999999999999'])
  await page.keyboard.press('Enter')
  await page.getByText('No employee 999999999999').first().waitFor()
  expect(new URL(page.url()).pathname).toBe('/employees')
})

test('[CARD-003, CARD-007] an employee is found by name in any order, by e-mail and by code', async () => {
  for (const typed of [`${employee.last_name} ${employee.first_name}`, employee.email as string, employee.employee_code]) {
    await open(typed)
    await settled()
    expect(await titles(), typed).toContain(`${employee.first_name} ${employee.last_name}`)
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
  }
})

test('[CARD-003] a misspelled name finds similar ones in palette and list, neither of which highlights any', async () => {
  const { id } = await portal.db.selectFrom('employees').select('id').orderBy('id').offset(1_600).executeTakeFirstOrThrow()
  const name = { first_name: 'Guillermina', last_name: 'Fitzwilliam' }
  await portal.db.updateTable('employees').set(name).where('id', '=', id).execute()
  await open('guilermina fitzwillaim')
  await page.locator('[role=dialog]').getByText('Similar names').waitFor()
  expect(await titles()).toContain('Guillermina Fitzwilliam')
  expect(await active().count()).toBe(0)
  await page.keyboard.press('Enter')
  expect(await options().count()).toBeGreaterThan(0)
  expect(new URL(page.url()).pathname).toBe('/employees')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Guillermina Fitzwilliam' }).waitFor()
  await follow(page, '/employees?q=guilermina+fitzwillaim')
  await page.getByText('No employees match.').waitFor()
  await page.getByRole('group', { name: 'Similar names' }).getByRole('button').click()
  await page.waitForURL(`**/employees/${id}*`)
  await page.getByRole('heading', { name: 'Guillermina Fitzwilliam' }).waitFor()
})

test('[CARD-003] the palette opens from inside a field, and returns the focus there', async () => {
  const search = page.locator('main input, [data-region=work] input').first()
  await search.focus()
  const before = await search.evaluate((element) => element === document.activeElement)
  await open()
  await page.keyboard.press('Escape')
  await page.locator('[role=dialog]').waitFor({ state: 'detached' })
  expect([before, await search.evaluate((element) => element === document.activeElement)]).toEqual([true, true])
})

test('no keystroke is lost while answers arrive, and a late answer never replaces a newer one', async () => {
  const name = employee.last_name
  const asked: string[] = []
  const late = Promise.withResolvers<void>()
  let answered = 0
  await page.route('**/api/search?*', async (route) => {
    const q = new URL(route.request().url()).searchParams.get('q')
    if (q === null) return route.continue()
    asked.push(q)
    // The first answers arrive after that of the whole name.
    if (q !== name) await late.promise
    await route.continue().catch(() => undefined)
    answered++
  })
  await open()
  await page.keyboard.type(name.slice(0, 2))
  await expect.poll(() => asked.at(-1)).toBe(name.slice(0, 2))
  await page.keyboard.type(name.slice(2, 3))
  await expect.poll(() => asked.at(-1)).toBe(name.slice(0, 3))
  await page.keyboard.type(name.slice(3), { delay: 15 })
  expect(await field().inputValue()).toBe(name)
  await expect.poll(() => asked.at(-1)).toBe(name)
  await settled()
  const before = await titles()
  expect(before.length).toBeGreaterThan(0)
  expect(before.filter((title) => !title.toLowerCase().includes(name.toLowerCase()))).toEqual([])
  late.resolve()
  await expect.poll(() => answered).toBe(asked.length)
  await drawn(page)
  expect(await titles()).toEqual(before)
  expect(await field().inputValue()).toBe(name)
})

test('an AltGr character is queued like letters', async () => {
  await page.locator('[role=grid]').focus()
  await page.evaluate(() => {
    const press = (key: string, more: KeyboardEventInit = {}) =>
      document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...more }))
    press('k', { ctrlKey: true })
    press('a')
    // Windows reports Ctrl and Alt with it, a Mac Alt.
    press('@', { ctrlKey: true, altKey: true, modifierAltGraph: true })
    press('b')
    press('€', { altKey: true, modifierAltGraph: true })
    press('c')
  })
  await expect.poll(() => field().inputValue()).toBe('a@b€c')
})

test('Enter waits for the answer to the current input, and then acts on it', async () => {
  const { held, release } = await holdCalls(page, /\/api\/(employees[/?]|search\?)/)
  await open(`${stranger}`)
  await page.keyboard.press('Enter')
  await expect.poll(() => held.length).toBeGreaterThan(0)
  await drawn(page)
  expect(new URL(page.url()).pathname).toBe('/employees')
  release()
  await page.waitForURL(`**/employees/${stranger}*`)
  expect(new URL(page.url()).pathname).toBe(`/employees/${stranger}`)
})

test('[CARD-007] Enter on the id of an employee in the list waits for no answer', async () => {
  const { release } = await holdCalls(page, '**/api/**')
  await open(`${employee.id}`)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: `${employee.first_name} ${employee.last_name}` }).waitFor()
  expect(new URL(page.url()).pathname).toBe(`/employees/${employee.id}`)
  release()
})

test('[CARD-007] a partial id is not looked up; the complete one is', async () => {
  const asked: string[] = []
  page.on('request', (request) => {
    const ids = new URL(request.url()).searchParams.get('ids')
    if (ids) asked.push(...ids.split(',').map((each) => each.replace(/^[a-z-]+:/, '')))
  })
  await open()
  await page.keyboard.type(`${stranger}`, { delay: 180 })
  await settled()
  expect(new Set(asked)).toEqual(new Set([`${stranger}`]))
})

test('Enter pressed before the palette has loaded acts on the typed text', async () => {
  const held: (() => void)[] = []
  let free = false
  await page.route('**/assets/everything-*.js', async (route) => {
    if (!free) await new Promise<void>((go) => held.push(go))
    await route.continue()
  })
  await page.reload()
  await page.locator('[role=grid] [role=row][aria-rowindex="2"]').waitFor()
  await page.keyboard.press('Control+k')
  await page.locator('[role=dialog] input').waitFor()
  expect(await field().count()).toBe(0)
  await page.keyboard.type(`${stranger}`)
  await page.keyboard.press('Enter')
  await expect.poll(() => held.length).toBeGreaterThan(0)
  await drawn(page)
  expect(new URL(page.url()).pathname).toBe('/employees')
  free = true
  for (const go of held) go()
  await page.waitForURL(`**/employees/${stranger}*`)
  await page.locator('[role=tabpanel]').waitFor()
  expect(await page.locator('[role=dialog]').count()).toBe(0)
})

test('a closed palette stays rendered, but is invisible, unreachable and silent', async () => {
  await open('pause')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await page.locator('[role=dialog]').waitFor({ state: 'detached' })
  const kept = page.locator('input[placeholder^="Type a command"]')
  await expect.poll(async () => [await kept.count(), await kept.isVisible()]).toEqual([1, false])
  expect(await page.getByRole('combobox', { name: 'Command palette' }).count()).toBe(0)
  expect(await page.locator('body').ariaSnapshot()).not.toContain('Command palette')
  const stops = new Set<string>()
  for (let press = 0; press < 40; press++) {
    await page.keyboard.press('Tab')
    stops.add((await page.evaluate(() => document.activeElement?.getAttribute('placeholder'))) ?? '')
  }
  expect([...stops].filter((stop) => stop.startsWith('Type a command'))).toEqual([])
  await open()
  expect(await field().inputValue()).toBe('')
  expect(await options().count()).toBeLessThanOrEqual(12)
})

test('a click outside of the palette closes it, and the list has the focus', async () => {
  for (const button of ['left', 'right'] as const) {
    await open('pause')
    await page.mouse.click(200, 700, { button })
    await page.locator('[role=dialog]').waitFor({ state: 'detached' })
    await page.locator('[role=grid]:focus').waitFor()
    await page.keyboard.press('j')
    expect(await page.locator('.grid-now').count()).toBe(1)
  }
})

test('matching letters are highlighted', async () => {
  await open(employee.last_name)
  await settled()
  const marked = await page.evaluate(() =>
    [...(CSS.highlights.get('typed-letters') ?? [])].map((range) =>
      (range as Range).startContainer.nodeValue?.slice(range.startOffset, range.endOffset).toLowerCase(),
    ),
  )
  expect(marked.length).toBeGreaterThan(0)
  expect(new Set(marked)).toEqual(new Set([employee.last_name.toLowerCase()]))
})

test('Escape after Enter cancels the Enter; other keys wait until it has happened', async () => {
  // Employees opened by earlier tests are forgotten.
  await page.goto('/employees')
  await page.locator('[role=grid]:focus').waitFor()
  const calls = /\/api\/(employees[/?]|search\?)/
  const out = callsOut(page)
  const first = await holdCalls(page, calls)
  await open(`${stranger}`)
  await page.keyboard.press('Enter')
  await expect.poll(() => first.held.length).toBeGreaterThan(0)
  await page.keyboard.press('Escape')
  first.release()
  await expect.poll(() => out.size).toBe(0)
  await drawn(page)
  expect(new URL(page.url()).pathname).toBe('/employees')
  expect(await field().inputValue()).toBe('')
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  const second = await holdCalls(page, calls)
  await page.keyboard.type(`${stranger}`)
  await page.keyboard.press('Enter')
  await page.keyboard.press('Backspace')
  second.release()
  await page.waitForURL(`**/employees/${stranger}*`)
  await page.locator('[role=dialog]').waitFor({ state: 'detached' })
  expect(new URL(page.url()).pathname).toBe(`/employees/${stranger}`)
})

test('a failed search shows an alert, and Enter does nothing unasked', async () => {
  await page.route('**/api/search?*', (route) => route.abort())
  await open('zzyzzx')
  await page.keyboard.press('Enter')
  await page.locator('[role=dialog] [role=alert]', { hasText: 'could not be searched' }).waitFor({ state: 'attached' })
  expect(await field().inputValue()).toBe('zzyzzx')
  expect(await titles()).toContain('Records could not be searched')
})

test('Enter, Tab and the arrows belong to an active input method', async () => {
  await open('pa')
  await settled()
  const before = await active().textContent()
  const prevented = await field().evaluate((input) =>
    ['Enter', 'Tab', 'ArrowDown', 'ArrowUp'].map(
      (key) =>
        !input.dispatchEvent(new KeyboardEvent('keydown', { key, isComposing: true, bubbles: true, cancelable: true })) ||
        !input.dispatchEvent(new KeyboardEvent('keydown', { key, keyCode: 229, bubbles: true, cancelable: true })),
    ),
  )
  expect(prevented).toEqual([false, false, false, false])
  expect(await active().textContent()).toBe(before)
  expect(await page.locator('[role=dialog]').count()).toBe(1)
})

test('[CARD-006] Backspace on an empty field removes the chip; Esc clears the text, then closes', async () => {
  await page.locator('[role=grid]').focus()
  await page.keyboard.press('ArrowDown')
  await open()
  await page.locator('[role=dialog]', { hasText: 'On this employee' }).waitFor()
  await page.keyboard.press('Backspace')
  await page.waitForFunction(() => !document.querySelector('[role=dialog]')?.textContent?.includes('On this employee'))
  await page.keyboard.type('pause')
  await page.keyboard.press('Escape')
  expect(await field().inputValue()).toBe('')
  await page.keyboard.press('Escape')
  await page.locator('[role=dialog]').waitFor({ state: 'detached' })
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('grid')
})

test('[CARD-005, CARD-006] a command without a selection asks for a target, and Backspace goes back', async () => {
  await open()
  await page.keyboard.press('Backspace')
  await page.keyboard.type('>pause employee')
  await page.keyboard.press('Enter')
  await page.getByRole('combobox', { name: 'Pause employee: which employee?' }).waitFor()
  await page.keyboard.press('Backspace')
  await page.getByRole('combobox', { name: 'Command palette' }).waitFor()
  await page.keyboard.type('>pause employee')
  await page.keyboard.press('Enter')
  await page.getByRole('combobox', { name: 'Pause employee: which employee?' }).waitFor()
  await page.keyboard.type(String(employee.id))
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Pause employee' }).getByLabel('Reason').waitFor()
  expect(await page.locator('[role=dialog]').textContent()).toContain(`${employee.first_name} ${employee.last_name}`)
})

test('[CARD-006] Escape and Backspace return to the typed text and its target', async () => {
  await page.locator('[role=grid]').focus()
  await page.keyboard.press('ArrowDown')
  const name = `${employee.first_name} ${employee.last_name}`
  const typed = `pause ${employee.id}`
  await open(typed)
  const row = () => active().locator('[id$="-title"]').textContent()
  await expect.poll(row).toBe(`Pause employee: ${name}`)
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Pause employee' }).getByLabel('Reason').waitFor()
  await page.keyboard.press('Escape')
  // Not the row under the cursor of the list, which is another employee.
  await page.getByRole('combobox', { name: 'Command palette' }).waitFor()
  expect(await field().inputValue()).toBe(typed)
  await expect.poll(row).toBe(`Pause employee: ${name}`)
  // The next letter replaces it; Escape closes, since nothing new was typed.
  await page.keyboard.type('>pause employee')
  expect(await field().inputValue()).toBe('>pause employee')
  await page.keyboard.press('Backspace')
  await page.keyboard.type('e')
  await page.locator('[role=dialog]', { hasText: 'On this employee' }).waitFor()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Backspace')
  await page.keyboard.type('>pause employee')
  await page.keyboard.press('Enter')
  await page.getByRole('combobox', { name: 'Pause employee: which employee?' }).waitFor()
  await page.keyboard.press('Backspace')
  await page.getByRole('combobox', { name: 'Command palette' }).waitFor()
  expect(await field().inputValue()).toBe('>pause employee')
  await page.keyboard.press('Escape')
  await page.locator('[role=dialog]').waitFor({ state: 'detached' })
})

test('[CARD-006] after Escape the highlight is on the chosen row, and Ctrl+K starts afresh', async () => {
  const row = () => active().locator('[id$="-title"]').textContent()
  await open('pause chen')
  await settled()
  // Of several equal matches none is highlighted, unless one was opened lately: then the first key highlights the first row.
  const at = await page
    .locator('[role=option]')
    .evaluateAll((all) => all.findIndex((each) => each.getAttribute('aria-selected') === 'true'))
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  const chosen = await row()
  expect(chosen).toBe((await titles())[at + 2])
  expect(chosen).toMatch(/^Pause employee: /)
  await page.keyboard.press('Tab')
  await page.getByRole('dialog', { name: 'Pause employee' }).getByLabel('Reason').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('combobox', { name: 'Command palette' }).waitFor()
  await expect.poll(row).toBe(chosen)
  // After a restart, typing goes to the palette, and not to the list behind it, where letters are keys of its row.
  await page.keyboard.press('Control+k')
  await page.keyboard.type('pause zephyr')
  expect(await field().inputValue()).toBe('pause zephyr')
  await page.keyboard.press('Control+k')
  await page.keyboard.type('pay')
  expect(await field().inputValue()).toBe('pay')
})

test('[CARD-003] Ctrl+K over a form or row actions starts afresh, and closes only what it has opened', async () => {
  await page.keyboard.press('a')
  await page.getByRole('option', { name: /^Pause employee/ }).waitFor()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('pause employee')
  expect(await field().inputValue()).toBe('pause employee')
  await page.keyboard.press('Enter')
  const form = page.getByRole('dialog', { name: 'Pause employee' })
  await form.getByLabel('Reason').waitFor()
  await page.keyboard.type('Leave of absence')
  // An id that is needed while the form is open.
  await page.keyboard.press('Control+k')
  await page.keyboard.type(`id ${employee.id}`)
  await settled()
  expect(await titles()).toEqual([`${employee.first_name} ${employee.last_name}`])
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Backspace')
  await page.keyboard.press('Control+k')
  await expect.poll(() => page.locator('[role=dialog]').count()).toBe(0)
  await page.keyboard.press('p')
  await form.getByText('Draft restored').waitFor()
  expect(await form.getByLabel('Reason').inputValue()).toBe('Leave of absence')
})

test('[CARD-003] ids typed on one line are looked up by Enter', async () => {
  await open(`${employee.id} ${stranger}`)
  await page.getByText('Press Enter to look up these ids.').first().waitFor()
  expect(await page.getByRole('dialog').getByText('results', { exact: true }).count()).toBe(0)
  await page.keyboard.press('Enter')
  await page.locator('[role=dialog] textarea').waitFor()
  expect(await page.locator('[role=dialog] textarea').inputValue()).toBe(`${employee.id} ${stranger}`)
})

test('[CARD-003] typical questions from the phone find something', async () => {
  const { internal_name: name } = await portal.db
    .selectFrom('employers')
    .select('internal_name')
    .orderBy('id')
    .executeTakeFirstOrThrow()
  const word = name.split(' ')[0] as string
  const billed = await portal.db
    .selectFrom('invoices')
    .select('id')
    .where('status', '=', 'SENT')
    .where('id', 'not in', (of) => of.selectFrom('write_offs').select('id'))
    .orderBy('id')
    .limit(1)
    .executeTakeFirstOrThrow()
  const rowOf = (typed: string) => async () => {
    await page.keyboard.press('Control+a')
    await page.keyboard.type(typed)
    await settled()
    return (await titles())[0]
  }
  await open()
  for (const [typed, expected] of [
    [`why can't ${employee.id}`, `${employee.first_name} ${employee.last_name}`],
    [`unpaid ${word}`, `Show open invoices · Search for “${word}”`],
    [`config of ${name}`, `Show Configurations of employer: ${name}`],
    ['overdue > 500', 'Show overdue invoices · Outstanding over $500.00'],
    ['undo pause', 'Undo the last action'],
    // Also once the invoice is known.
    [`INV-${billed.id}`, `INV-${billed.id}`],
    [`suggest write-off ${billed.id}`, `Suggest write-offs: INV-${billed.id}`],
    [`Somebody <${employee.email}>`, `${employee.first_name} ${employee.last_name}`],
  ] as const)
    await expect.poll(rowOf(typed), { message: typed }).toBe(expected)
  expect(await rowOf('due last week')()).toMatch(/^Show all invoices · Due date /)
  await rowOf('overdue > 500')()
  await page.keyboard.press('Enter')
  await page.waitForURL((url) => url.searchParams.get('outstanding_value') === '50000')
  expect(new URL(page.url()).searchParams.get('status_value')).toBe('OVERDUE')
})

test('[CARD-005] a command without a selection lists possible targets, from any page', async () => {
  const page = await openSignedIn(portal, undefined, { path: '/dashboard' })
  const pending = await portal.db
    .selectFrom('write_offs')
    .select('id')
    .where('status', '=', 'PENDING')
    .orderBy('id')
    .limit(8)
    .execute()
  expect(pending.length).toBeGreaterThan(0)
  const list = '**/api/write-offs?*'
  await page.route(list, (route) => route.abort())
  await page.keyboard.press('Control+k')
  await page.keyboard.type('>approve write-off')
  await page.keyboard.press('Enter')
  const which = page.getByRole('combobox', { name: 'Approve write-off: which write-off?' })
  await which.waitFor()
  // A list that fails to load says so, and Enter retries.
  await page.getByRole('option', { name: 'Write-offs could not be searched' }).waitFor()
  await page.unroute(list)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page
    .getByRole('option')
    .nth(pending.length - 1)
    .waitFor()
  expect(await page.getByRole('option').count()).toBe(pending.length)
  // The first one is highlighted: Enter uses the listed data, without another read.
  await page.locator('[role=dialog] [role=option][aria-selected=true][data-position="0"]').waitFor()
  const read: string[] = []
  page.on('request', (request) => /write-offs\/\d+$/.test(request.url()) && read.push(request.url()))
  await page.keyboard.press('Enter')
  await which.waitFor({ state: 'detached' })
  await page.getByRole('dialog', { name: 'Approve write-off' }).waitFor()
  expect(read).toEqual([])
  await page.context().close()
})

test('[CARD-005] a command without a selection lists possible targets, people too', async () => {
  const page = await openSignedIn(portal, undefined, { path: '/dashboard' })
  await page.keyboard.press('Control+k')
  await page.keyboard.type('>resume employee')
  await page.keyboard.press('Enter')
  await page.getByRole('combobox', { name: 'Resume employee: which employee?' }).waitFor()
  const paused = await portal.db.selectFrom('employees').select('id').where('status', '=', 'PAUSED').limit(8).execute()
  expect(paused.length).toBeGreaterThan(0)
  const options = page.getByRole('option')
  await expect.poll(() => options.count()).toBe(paused.length)
  for (const text of await options.allInnerTexts()) expect(text).toContain('Paused')
  expect(await page.locator('[role=option][aria-disabled]').count()).toBe(0)
  await page.locator('[role=dialog] [role=option][aria-selected=true][data-position="0"]').waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Resume employee' }).waitFor()
  await page.context().close()
})

test('a command for single records says so over several, and lists the selected ones first', async () => {
  const page = await openSignedIn(portal, undefined, { path: '/repayments' })
  await page.getByRole('row').nth(3).waitFor()
  for (const key of ['x', 'ArrowDown', 'ArrowDown', 'x', 'p']) await page.keyboard.press(key)
  await page.getByText('One repayment at a time: choose one of the 2 selected').waitFor()
  expect(await page.getByRole('option').count()).toBe(2)
  await page.context().close()
})

test('[CARD-006] Tab on a record makes it the chip, with its commands first', async () => {
  await open(String(employee.id))
  await settled()
  await page.keyboard.press('Tab')
  await page.locator('[role=dialog]', { hasText: `${employee.first_name} ${employee.last_name} · ${employee.id}` }).waitFor()
  expect(await field().inputValue()).toBe('')
  expect(await page.locator('[role=dialog] [role=group]').first().getAttribute('aria-labelledby')).not.toBeNull()
  expect(await titles()).toContain('Pause employee')
})

test('a command and its target are typed in one go: Enter opens the form for the target', async () => {
  const rows = portal.db.selectFrom('employees').select('id').where('status', '=', 'ACTIVE').orderBy('id', 'desc')
  const { id } = await rows.executeTakeFirstOrThrow()
  await open(`pause ${id}`)
  await page.keyboard.press('Enter')
  const form = page.getByRole('dialog', { name: 'Pause employee' })
  await form.waitFor()
  await expect.poll(() => form.innerText()).toContain(`${id}`)
  for (let presses = 0; presses < 5 && (await page.locator('[role=dialog]').count()); presses++)
    await page.keyboard.press('Escape')
  const employer = await portal.db.selectFrom('employers').select('internal_name').orderBy('id').executeTakeFirstOrThrow()
  await open(`show employees of ${employer.internal_name}`)
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/employees\?employer_type=/)
})

test('a record may be typed before its command: Enter waits for results, then opens the form', async () => {
  const rows = portal.db.selectFrom('employees').select('id').where('status', '=', 'ACTIVE').orderBy('id', 'desc').offset(1)
  const { id } = await rows.executeTakeFirstOrThrow()
  const form = page.getByRole('dialog', { name: 'Pause employee' })
  for (const typed of [`${id} pause`, `${id} pause employee`]) {
    await open(typed)
    await page.keyboard.press('Enter')
    await form.waitFor()
    await expect.poll(() => form.innerText()).toContain(`${id}`)
    for (let presses = 0; presses < 5 && (await page.locator('[role=dialog]').count()); presses++)
      await page.keyboard.press('Escape')
  }
  // A text without another reading is searched once.
  const asked: (string | null)[] = []
  await page.route('**/api/search?*', (route) => {
    asked.push(new URL(route.request().url()).searchParams.get('q'))
    return route.continue()
  })
  await open('nobody zzqxv')
  await settled()
  expect(asked.filter((q) => q === 'nobody zzqxv').length).toBe(1)
  expect(asked.at(-1)).toBe('nobody zzqxv')
  for (let presses = 0; presses < 5 && (await page.locator('[role=dialog]').count()); presses++)
    await page.keyboard.press('Escape')
  // The text may be replaced while it is searched again.
  await open(`${id} pause`)
  await settled()
  await page.keyboard.type('d')
  await settled()
  expect(await titles()).not.toContain('Pause employee')
})

test('an abbreviation of a noun narrows to it, though loaded rows contain its letters', async () => {
  const page = await openSignedIn(portal, undefined, { path: '/employees' })
  const { id } = await portal.db
    .selectFrom('people')
    .select('id')
    .where('email', '=', 'maya.lindt@example.com')
    .executeTakeFirstOrThrow()
  const others = portal.db.selectFrom('employees').select('id').where('id', '!=', employee.id)
  const { id: here } = await others.where('email', 'like', '%example%').orderBy('id').limit(1).executeTakeFirstOrThrow()
  await portal.db.updateTable('employees').set({ first_name: 'Maya' }).where('id', '=', here).execute()
  await page.reload()
  await page.getByRole('row').filter({ hasText: 'Maya' }).first().waitFor()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('am maya')
  await page.keyboard.press('Enter')
  await expect.poll(() => new URL(page.url()).pathname).toBe(`/account-managers/${id}`)
  await page.context().close()
})

test('a tab of a record is found by name, from anywhere', async () => {
  await open()
  await page.keyboard.type('linked accounts of emp')
  await page.getByRole('option', { name: /^Show Linked Accounts of employee/, selected: true }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('tab', { name: 'Linked Accounts', selected: true }).waitFor()
  expect(new URL(page.url()).search).toBe('?tab=linked-accounts')
  await page.goBack()
})

test('[CARD-003] the first character narrows the search', async () => {
  await open('?')
  expect(await titles()).toContain('Only commands')
  await field().fill('/')
  expect((await titles()).every((title) => title.startsWith('Filter employees'))).toBe(true)
  await field().fill('>open')
  await settled()
  expect(await titles()).toContain('Open employees')
  await field().fill('@zz')
  await settled()
  expect((await titles()).some((title) => title.startsWith('Filter'))).toBe(false)
})

test('an empty palette has at most 12 rows; a copied command link only opens the form', async () => {
  await open()
  expect(await options().count()).toBeLessThanOrEqual(12)
  expect(await options().count()).toBeGreaterThan(0)
  await page.keyboard.type(String(employee.id))
  await settled()
  await page.keyboard.press('Tab')
  await page.keyboard.type('pause employee')
  await page.keyboard.press('Control+c')
  await page.getByText('Link copied').first().waitFor()
  const link = await page.evaluate(() => navigator.clipboard.readText())
  expect(link).toBe(`${portal.origin}/?command=employee.pause&target=${employee.id}`)
  await page.goto(link)
  await page.getByRole('dialog', { name: 'Pause employee' }).getByLabel('Reason').waitFor()
  const row = await portal.db
    .selectFrom('employees')
    .select('status')
    .where('id', '=', String(employee.id) as never)
    .executeTakeFirst()
  expect(row?.status).toBe('ACTIVE')
})

test('the field and its list have accessible names', async () => {
  await open('employee')
  await settled()
  const input = field()
  const list = await input.getAttribute('aria-controls')
  expect(await page.locator(`[id="${list}"]`).getAttribute('role')).toBe('listbox')
  expect(await input.getAttribute('aria-activedescendant')).toBe(await active().getAttribute('id'))
  await page.keyboard.press('ArrowDown')
  expect(await input.getAttribute('aria-activedescendant')).toBe(await active().getAttribute('id'))
  const count = await options().count()
  expect(await options().last().getAttribute('aria-posinset')).toBe(String(count))
  // Rows far below are rendered on scrolling; all of them are counted.
  const all = Number(await options().first().getAttribute('aria-setsize'))
  expect(all).toBeGreaterThanOrEqual(count)
  await page.keyboard.press('Control+End')
  expect(await active().getAttribute('aria-posinset')).toBe(String(all))
  expect(await options().count()).toBe(all)
  expect(await page.locator('[role=dialog] [role=option][aria-selected=true]').count()).toBe(1)
  await page.locator('[role=dialog] [role=status]', { hasText: /\d+ results; first: / }).waitFor({ state: 'attached' })
})

test.each(['light', 'dark'] as const)('the palette has no accessibility violation in %s', async (theme) => {
  const other = await openSignedIn(portal, undefined, { path: '/employees', theme })
  await other.locator('[role=grid] [role=row][aria-rowindex="2"]').waitFor()
  await other.locator('[role=grid]').focus()
  await other.keyboard.press('ArrowDown')
  await other.keyboard.press('Control+k')
  await other.keyboard.type('pau')
  await settled(other)
  await shot(other, `palette-${theme}`)
  expect(await axeViolations(other, '[role=dialog]')).toEqual([])
  expect(problemsOf(other)).toEqual([])
  await other.context().close()
})

test('every letter arrives on a slow machine', async () => {
  await slowDown(page, 4)
  try {
    await open()
    await page.keyboard.type('show paused employees')
    expect(await field().inputValue()).toBe('show paused employees')
    await settled()
    expect((await titles())[0]).toBe('Show paused employees')
  } finally {
    await slowDown(page, 1)
  }
})

test('[CARD-008, PERM-003] an account manager’s search never finds employees outside of their connections', async () => {
  const maya = 'maya.lindt@example.com'
  const { id: person } = demoPerson(maya)
  const { employer_id: own } = await portal.db
    .selectFrom('employees')
    .select('employer_id')
    .where('id', '=', employee.id)
    .executeTakeFirstOrThrow()
  await portal.db.deleteFrom('access_grants').where('person_id', '=', person).execute()
  await portal.db.insertInto('access_grants').values({ person_id: person, organization_id: null, employer_id: own }).execute()
  const ofOthers = await portal.db
    .selectFrom('employees')
    .select(['id', 'last_name', 'employee_code'])
    .where('employer_id', '!=', own)
    .orderBy('id')
    .offset(3)
    .executeTakeFirstOrThrow()
  const other = await openSignedIn(portal, maya, { path: '/employees' })
  await other.locator('[role=grid] [role=row][aria-rowindex="2"]').waitFor()
  const asked: string[] = []
  for (const typed of [String(ofOthers.id), ofOthers.last_name, ofOthers.employee_code, `@${ofOthers.last_name}`]) {
    await other.keyboard.press('Control+k')
    await other.locator('[role=dialog] [role=combobox]').waitFor()
    await other.keyboard.type(typed)
    await settled(other)
    asked.push(typed)
    const notes = await other.locator('[role=dialog] [role=option] [id$="-note"]').allTextContents()
    expect(notes.filter((note) => note.startsWith(`${ofOthers.id} ·`))).toEqual([])
    await other.keyboard.press('Escape')
    await other.keyboard.press('Escape')
  }
  expect(asked).toHaveLength(4)
  await other.keyboard.press('Control+k')
  await other.keyboard.type(String(ofOthers.id))
  await other.keyboard.press('Enter')
  await other.getByText(`No employee ${ofOthers.id}`).first().waitFor()
  await other.context().close()
})

test('[CARD-008, PERM-003] recent records that became inaccessible vanish at once, and from storage at sign-out', async () => {
  const maya = 'maya.lindt@example.com'
  const { id: person } = demoPerson(maya)
  const employees = await portal.db
    .selectFrom('employees')
    .select(['id', 'first_name', 'last_name', 'employer_id'])
    .distinctOn('employer_id')
    .orderBy('employer_id')
    .limit(2)
    .execute()
  const [kept, taken] = employees as [(typeof employees)[0], (typeof employees)[0]]
  const named = (one: (typeof employees)[0]) => `${one.first_name} ${one.last_name}`
  await portal.db.deleteFrom('access_grants').where('person_id', '=', person).execute()
  const grants = employees.map(({ employer_id }) => ({ person_id: person, organization_id: null, employer_id }))
  await portal.db.insertInto('access_grants').values(grants).execute()
  const other = await openSignedIn(portal, maya)
  for (const one of [taken, kept]) {
    await other.goto(`/employees/${one.id}`)
    await other.getByRole('heading', { name: named(one) }).waitFor()
    await other.waitForFunction(
      (stored) =>
        Object.keys(localStorage).some((name) => name.includes('.recent.') && localStorage.getItem(name)?.includes(stored)),
      `"id":"${one.id}"`,
    )
  }
  const recent = other.getByRole('dialog').getByRole('group', { name: 'Recent' }).locator('[id$="-title"]')
  await other.keyboard.press('Control+k')
  // The empty palette shows what is known when it opens: titles that arrive later are in the next one.
  await expect
    .poll(async () => {
      if ((await recent.allTextContents()).includes(named(taken))) return true
      await other.keyboard.press('Escape')
      await other.keyboard.press('Control+k')
      return false
    })
    .toBe(true)
  const stored = () => other.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]))
  // Recent records are stored by id only.
  expect(await stored()).not.toContain(taken.last_name)
  await other.keyboard.press('Escape')
  await portal.db
    .deleteFrom('access_grants')
    .where('employer_id', '=', taken.employer_id)
    .where('person_id', '=', person)
    .execute()
  await other.keyboard.press('Control+k')
  await recent.filter({ hasText: named(taken) }).waitFor({ state: 'detached' })
  expect((await recent.allTextContents()).includes(named(kept))).toBe(true)
  // A recent record is changed by somebody else: its current state is shown.
  await other.keyboard.press('Escape')
  const { status } = await portal.db.selectFrom('employees').select('status').where('id', '=', kept.id).executeTakeFirstOrThrow()
  await portal.db.updateTable('employees').set({ status: 'DELETED' }).where('id', '=', kept.id).execute()
  await other.keyboard.press('Control+k')
  await other.getByRole('dialog').getByRole('group', { name: 'Recent' }).getByText(`${kept.id} · `).getByText('Deleted').waitFor()
  await portal.db.updateTable('employees').set({ status }).where('id', '=', kept.id).execute()
  await other.keyboard.type(taken.last_name)
  await settled(other)
  const notes = await other.locator('[role=dialog] [role=option] [id$="-note"]').allTextContents()
  expect(notes.filter((note) => note.startsWith(`${taken.id} ·`))).toEqual([])
  expect(await other.getByRole('dialog').textContent()).not.toContain(named(taken))
  expect(await stored()).not.toContain(`"id\\":\\"${taken.id}`)
  await other.keyboard.press('Escape')
  await other.keyboard.type('sign out')
  await other.keyboard.press('Enter')
  await other.locator('input[type=email]').waitFor()
  expect(await stored()).not.toMatch(/\.recent\.|\.history\.|employee:/)
  await other.context().close()
})

test('one call searches every noun; nouns without an index are searched only in their open list', async () => {
  const asked = async (typed: string) => {
    const urls: URL[] = []
    const listen = (request: { url(): string }) => urls.push(new URL(request.url()))
    page.on('request', listen)
    await open(typed)
    await settled()
    page.off('request', listen)
    return urls
      .filter(({ pathname, searchParams }) => pathname.startsWith('/api/') && searchParams.get('q') === typed)
      .map(({ pathname, searchParams }) => [pathname, searchParams.get('kinds')?.split(',').sort()])
  }
  const everywhere = searchKinds.filter((kind) => kind !== 'timekeeping' && kind !== 'imports').sort()
  expect(await asked('harbor')).toEqual([['/api/search', everywhere]])
  await page.goto('/timekeeping')
  await page.locator('[role=grid] [role=row][aria-rowindex="2"]').waitFor()
  expect(await asked('harbor')).toEqual([['/api/search', [...everywhere, 'timekeeping'].sort()]])
})

test('[CONST-003] 20 suggestions of employers and organizations in one call; without q, by name, one by one', async () => {
  const asked = async (typed: string) => {
    const urls: URL[] = []
    const listen = (request: { url(): string }) => urls.push(new URL(request.url()))
    page.on('request', listen)
    await open(typed)
    await settled()
    page.off('request', listen)
    return urls
      .filter(({ pathname }) => /\/api\/(search|employers|organizations)$/.test(pathname))
      .map(({ pathname, searchParams: query }) => [pathname, query.get('limit'), query.get('q'), query.get('name')])
      .sort()
  }
  const paths = ['/api/employers', '/api/organizations']
  expect((await asked('harb')).filter(([, , q]) => q === 'harb')).toEqual([['/api/search', '20', 'harb', null]])
  // An API without the search, and then one without `q`, like that of the specification.
  for (const [from, to] of [
    ['"/search"', '"/other"'],
    ['"name":"q"', '"name":"other"'],
  ] as const) {
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await page.route('**/openapi.json', async (route) => {
      const described = (await (await route.fetch()).text()).replace('"/search"', '"/other"')
      await route.fulfill({ contentType: 'application/json', body: described.replaceAll(from, to) })
    })
    await page.reload()
    await page.locator('[role=grid] [role=row][aria-rowindex="2"]').waitFor()
    const byName = to === '"name":"other"'
    // The first letters are searched at once, and the complete text last.
    const last = (await asked('harb')).filter(([, , q, name]) => q === 'harb' || name === 'harb')
    expect(last).toEqual(paths.map((path) => [path, '20', byName ? null : 'harb', byName ? 'harb' : null]))
  }
})

test('[EMP-002] a refresh before the answer to one’s own command reports no change by somebody else', async () => {
  const someone = await employeesOf(portal)('ACTIVE')
  const { id } = someone
  const out = callsOut(page)
  await page.goto(`/employees/${id}`)
  await page.locator('[data-region=detail] .facts').first().waitFor()
  await expect.poll(() => out.size).toBe(0)
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>()
  await page.route(`**/api/employees/${id}`, async (route) => {
    if (route.request().method() === 'GET') return route.continue()
    const response = await route.fetch()
    await answered
    await route.fulfill({ response })
  })
  await page.locator('[data-region=detail]').focus()
  await page.keyboard.press('p')
  await inField(page, 'Reason')
  await page.keyboard.type('Leave')
  await page.keyboard.press('Control+Enter')
  await expect.poll(() => statusOf(portal, someone), { timeout: 60_000 }).toBe('PAUSED')
  const eventsRead = page.waitForResponse((response) => response.url().includes(`/employees/${id}/events`))
  await page.evaluate(() => dispatchEvent(new Event('focus')))
  await eventsRead
  // Only the answer to the command is outstanding.
  await expect.poll(() => out.size).toBe(1)
  await drawn(page)
  expect(await page.locator('.detail-line').count()).toBe(0)
  answer()
  await page.locator('.detail-sub .status', { hasText: 'Paused' }).waitFor()
  expect(await page.locator('.detail-line').count()).toBe(0)
})

test('[CARD-003] filters after / apply to any list where none is open', async () => {
  await follow(page, '/')
  await open('/overdue > 500')
  await settled()
  await page.locator('[role=dialog] [role=option]').first().waitFor()
  expect((await titles())[0]).toBe('Show overdue invoices · Outstanding over $500.00')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/invoices?*outstanding_value=50000*')
})
