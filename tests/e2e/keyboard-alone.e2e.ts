import { globSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { withList } from '#entities/with-list.ts'
import type { Command } from '#kernel/command.ts'
import { inField, said } from '#tests/e2e/at-work.ts'
import { closeAll, follow, openSignedIn, type Portal, sharePortal } from '#tests/e2e/support.ts'
import { figuresOf } from '#tests/support/billing.ts'
import { createCompany, createEmployee } from '#tests/support/company.ts'
import { createInvoice, createWriteOff } from '#tests/support/money.ts'
import { createPerson } from '#tests/support/people.ts'
import { signInAs } from '#tests/support/sign-in.ts'

let portal: Portal
let page: Page
let company: { employerId: number; organizationId: number; organization: string }

declare global {
  interface Window {
    /** Pointer events that reached the page. */
    pointed: string[]
  }
}

beforeAll(async () => {
  portal = await sharePortal()
  const name = `Keyboard ${Date.now()}`
  const { employerIds, organizationId } = await createCompany(portal.db, name)
  company = { employerId: employerIds[0] as number, organizationId, organization: name }
  page = await openSignedIn(portal, undefined, { path: '/employees', width: 1440, height: 900 })
  await page.locator('[role=row][id]').first().waitFor()
  await page.evaluate(() => {
    window.pointed = []
    for (const type of ['pointerdown', 'pointerup', 'mousedown', 'touchstart', 'wheel'])
      addEventListener(type, (event) => window.pointed.push(event.type), { capture: true, passive: true })
  })
})
afterAll(() => portal?.stop())

const palette = () => page.getByRole('combobox', { name: 'Command palette' })
const press = (...keys: string[]) => keys.reduce((before, key) => before.then(() => page.keyboard.press(key)), Promise.resolve())
const type = (text: string) => page.keyboard.type(text)

/**
 * Types into the palette and presses Enter on the first row, which must have this name; where none is highlighted, `ArrowDown`
 * selects it.
 */
async function choose(words: string, title: string): Promise<void> {
  await press('Control+k')
  await palette().waitFor()
  await type(words)
  await page.locator('[role=option][data-position="0"] [id$="-title"]').getByText(title, { exact: true }).waitFor()
  if ((await page.locator('[role=option][aria-selected=true]').count()) === 0) await press('ArrowDown')
  await press('Enter')
}

/** Opens a record by text that somebody reads from a list or hears on the phone. */
async function open(words: string, title: string): Promise<void> {
  await choose(words, title)
  await page.locator('[data-region=detail]:focus h2', { hasText: title }).waitFor()
}

const closed = () => page.getByRole('dialog').waitFor({ state: 'detached' })

describe('from the palette, by keys alone', () => {
  test('[CARD-005] an employee is paused', async () => {
    const { id } = await createEmployee(portal.db, { employerId: company.employerId, firstName: 'Wanda', lastName: 'Quill' })
    await open(String(id), 'Wanda Quill')
    await choose('pause employee', 'Pause employee')
    await inField(page, 'Reason')
    await type('Fraud check')
    await press('Control+Enter')
    await said(page, 'Paused Wanda Quill')
    const row = await portal.db.selectFrom('employees').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    expect(row).toMatchObject({ status: 'PAUSED', pause_reason: 'Fraud check' })
    await closed()
  })

  test('[CARD-005] a repayment is added, and the invoice is closed', async () => {
    const { id } = await createInvoice(portal.db, { employerId: company.employerId, original: 90_00 })
    await open(`INV-${id}`, `INV-${id}`)
    await choose('add repayment', 'Add repayment')
    await inField(page, 'Amount')
    await type('40')
    await page.getByRole('dialog').locator('.money-line').first().waitFor()
    await press('Control+Enter')
    await closed()
    expect(await figuresOf(portal as never, id)).toMatchObject({ status: 'SENT', paid_amount: 40_00, outstanding_amount: 50_00 })
    await choose('close invoice', 'Close invoice')
    await page.getByRole('dialog').getByText('$50.00 is outstanding; the invoice stays underpaid.').waitFor()
    await press('Control+Enter')
    await said(page, `Closed INV-${id}`)
    expect(await figuresOf(portal as never, id)).toMatchObject({ status: 'CLOSED', outstanding_amount: 50_00 })
    await closed()
  })

  test('[CARD-005] a write-off is approved', async () => {
    const { id, lineIds } = await createInvoice(portal.db, { employerId: company.employerId, original: 90_00 })
    const suggested = await createWriteOff(portal.db, { invoiceId: id, lineId: lineIds[0] as number, amount: 30_00 })
    await follow(page, `/write-offs/${suggested.id}`)
    await page.locator('[data-region=detail]:focus h2', { hasText: `INV-${id}` }).waitFor()
    await choose('approve write-off', 'Approve write-off')
    await inField(page, 'Approved amount')
    await press('Control+a')
    await type('25')
    await press('Tab')
    await inField(page, 'Reason')
    await type('Left the company')
    // Nothing is sent before its preview is shown.
    await page.getByRole('dialog').locator('.money-line').first().waitFor()
    await press('Control+Enter')
    await closed()
    expect(await figuresOf(portal as never, id)).toMatchObject({ writeoff_amount: 25_00, outstanding_amount: 65_00 })
  })

  test('[CARD-005] an account manager is linked to an organization', async () => {
    const name = `Wilma Keys ${company.organizationId}`
    const { id } = await createPerson(portal.db, { kind: 'ACCOUNT_MANAGER', name, permissions: [3] })
    await open(name, name)
    await choose('link account manager', 'Change connections of account manager')
    await inField(page, 'Organizations')
    const chip = page.getByRole('button', { name: `Remove ${company.organization}` })
    const add = async () => {
      await type(company.organization)
      await page.getByRole('option', { name: company.organization }).first().waitFor()
      await press('Enter')
      await chip.waitFor()
    }
    await add()
    await press('Backspace')
    await chip.waitFor({ state: 'detached' })
    await add()
    for (const [role, label] of [
      ['listbox', 'Groups'],
      ['grid', 'Permissions'],
    ] as const) {
      await press('Control+Enter')
      await page.getByRole(role, { name: label }).and(page.locator(':focus')).waitFor()
    }
    await page.getByRole('dialog').getByText(`with ${company.organization}`).waitFor()
    await press('Control+Enter')
    await said(page, `${name} is connected to 1 organization and 0 employers`)
    const grants = await portal.db.selectFrom('access_grants').selectAll().where('person_id', '=', id).execute()
    expect(grants).toMatchObject([{ organization_id: company.organizationId, employer_id: null }])
    await closed()
  })
})

const modules = await Promise.all(
  globSync('commands/**/!(*.page).ts').map((path) => import(new URL(`../../${path}`, import.meta.url).href)),
)
/** Commands whose form is a page. */
const pages = new Set(globSync('commands/**/*.page.ts').map((path) => path.split(/[/.]/).slice(1, 3).join('.')))
const withForm = modules
  .flatMap((module) => [module.default].flat() as Command[])
  .filter((command) => pages.has(command.id) || ('does' in command && command.form?.schema))

/** The newest record of a list; null where the demo company has none. */
async function newestOf(noun: (typeof withList)[number], headers: Record<string, string>): Promise<string | null> {
  const query = new URLSearchParams({ ...noun.query, limit: '1' })
  const answer = await fetch(`${portal.origin}/api${noun.list.path}?${query}`, { headers })
  const [row] = noun.rows((await answer.json()) as never)
  return row === undefined ? null : noun.id(row)
}

const form = '[role=dialog] form, [data-region=page] form'

/** Opens the form of a command from the palette; false where it cannot be run on the open record. */
async function openForm(command: Command): Promise<boolean> {
  await press('Control+k')
  await palette().waitFor()
  await page.keyboard.insertText(`>${command.title}`)
  const first = page.locator('[role=option][data-position="0"]')
  await expect.poll(() => first.locator('span[id$=-title]').textContent(), { interval: 10 }).toBe(command.title)
  if ((await first.getAttribute('aria-disabled')) !== null) return false
  await press('Enter')
  // A row may be blocked only after Enter, once the data for its reason is read.
  await page.locator(`:is(${form}), [data-position="0"][aria-disabled=true]`).first().waitFor()
  if ((await page.locator(form).count()) === 0) return false
  await page.locator(form).last().locator(':focus').first().waitFor()
  return true
}

/**
 * Controls of a form that the keyboard cannot reach: Tab never stops there, and they belong to no list, grid or group in which
 * Tab stops and arrows move on.
 */
async function unreachableControls(): Promise<string[]> {
  await page.evaluate(() => {
    for (const each of document.querySelectorAll('[data-reached]')) each.removeAttribute('data-reached')
  })
  const reach = () =>
    page.evaluate(() => {
      const isNew = document.activeElement?.hasAttribute('data-reached') === false
      document.activeElement?.setAttribute('data-reached', '')
      return isNew
    })
  // A full round without a new stop: fields may still be rendered meanwhile.
  for (let [reached, old] = [0, 0]; reached < 100 && old <= reached; ) {
    if (await reach()) [reached, old] = [reached + 1, 0]
    else old += 1
    await press('Tab')
  }
  return page.evaluate((selector) => {
    const controls = [...document.querySelectorAll(selector)]
      .at(-1)
      ?.querySelectorAll<HTMLElement>(
        'button, a[href], input, select, textarea, [contenteditable], [role=option], [role=gridcell], [role=switch], [role=combobox]',
      )
    const isReached = (one: Element) => {
      const list = one.closest('[role=listbox], [role=grid], [role=radiogroup], [role=tablist], table, [role=group]')
      return [one, ...(list ? [list, ...list.querySelectorAll('*')] : [])].some((each) => each.hasAttribute('data-reached'))
    }
    // The list of a combobox is navigated from its field.
    const isListOf = (one: Element) =>
      [...document.querySelectorAll('[data-reached][aria-controls]')].some((field) =>
        one.closest(`[id="${field.getAttribute('aria-controls')}"]`),
      )
    return (
      [...(controls ?? [])]
        .filter((one) => one.checkVisibility({ visibilityProperty: true }) && !one.closest('[inert], [aria-hidden=true]'))
        .filter((one) => !one.matches(':disabled, [aria-disabled=true], [aria-current]'))
        // 'Choose a file' is an alternative to the file input, Backspace in the field removes a chip, and F6 goes to the next
        // section.
        .filter((one) => !one.matches('input[type=file], [aria-label^="Remove "], .page-sections button'))
        .filter((one) => !isReached(one) && !isListOf(one))
        .map((one) => one.ariaLabel ?? one.textContent ?? one.tagName)
    )
  }, form)
}

test('[CARD-006] every form of the newest records is opened, traversed and left by keyboard', async () => {
  const headers = await signInAs(portal, 'priya.raman@example.com')
  const faults: string[] = []
  const walked: string[] = []
  const walk = async (command: Command, path: string) => {
    await closeAll(page)
    if (!page.url().endsWith(path)) {
      await follow(page, path)
      await page.locator('[data-region=detail] [role=tabpanel]:not(:empty), [role=row][id]').first().waitFor()
    }
    if (!(await openForm(command))) return
    walked.push(command.id)
    await page.locator(`:is(${form}):is([data-waits], [aria-busy=true])`).waitFor({ state: 'detached' })
    // Controls rendered in the meantime are traversed again.
    let missed = await unreachableControls()
    for (let tries = 0; tries < 3 && missed.length > 0; tries++) missed = await unreachableControls()
    for (const control of missed) faults.push(`${command.id}: ${control}`)
    // A page is left by Escape, too, wherever Tab has moved the focus.
    const left = () =>
      page
        .locator(form)
        .waitFor({ state: 'detached', timeout: 2_000 })
        .then(
          () => true,
          () => false,
        )
    // On a busy machine it takes a moment to go, in which another Escape would be for what is behind it.
    for (let tries = 0; tries < 6; tries++) {
      await press('Escape')
      if (await left()) break
    }
    await page.locator(form).waitFor({ state: 'detached' })
  }
  for (const noun of withList) {
    const id = await newestOf(noun, headers)
    if (id !== null) for (const command of withForm) if (command.on?.name === noun.name) await walk(command, `${noun.path}/${id}`)
  }
  for (const command of withForm) if (!command.on) await walk(command, '/employees')
  expect(faults).toEqual([])
  expect(walked.length, walked.join()).toBeGreaterThan(40)
  expect(await page.evaluate(() => window.pointed)).toEqual([])
}, 300_000)
