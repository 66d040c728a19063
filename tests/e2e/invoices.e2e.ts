import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inField } from '#tests/e2e/at-work.ts'
import { createInvoice, createRepayment, type TestInvoice } from '#tests/support/money.ts'
import { drawn } from '#tests/e2e/drawn.ts'
import {
  axeViolations,
  follow,
  loadList,
  evaluate,
  openSignedIn,
  type Portal,
  problemsOf,
  shot,
  startPortal,
  visitList,
} from '#tests/e2e/support.ts'

let portal: Portal
let page: Page
/** Invoices of one employer, whose company codes start with this prefix. */
const code = 'E2E'
let employer: { id: number; name: string }
let overdue: TestInvoice
let overpaid: TestInvoice
let failed: { id: number; referenceId: string }

beforeAll(async () => {
  portal = await startPortal()
  const row = await portal.db
    .selectFrom('employers')
    .select(['id', 'internal_name'])
    .where('status', '=', 'ACTIVE')
    .orderBy('id')
    .executeTakeFirstOrThrow()
  employer = { id: row.id, name: row.internal_name }
  const at = { employerId: row.id, companyCode: `${code}-1` }
  overdue = await createInvoice(portal.db, { ...at, original: 600_000, lineCount: 3, paid: 250_000, dueDate: -12 })
  overpaid = await createInvoice(portal.db, { ...at, status: 'CLOSED', original: 100_000, paid: 110_000, dueDate: -3 })
  failed = await createRepayment(portal.db, {
    debtor: { type: 'EMPLOYER', id: row.id },
    amount: 70_000,
    failure: 'UNMATCHED',
    descriptor: 'HARBOR WIRE',
    notes: 'Nobody knows it',
  })
  page = await openSignedIn(portal, undefined, { path: '/employees' })
  await page.getByRole('grid').waitFor()
})
afterAll(() => portal?.stop())

const filter = `company_type=contains&company_value=${code}`
/** Oldest first. */
const own = `${filter}&sort=id`
const rows = () => page.locator('[role=row][id]')
const bar = () => page.locator('.frame-bar')
const address = () => page.url().slice(portal.origin.length)
const detail = () => page.locator('[data-region=detail]')
const heads = () => page.locator('[role=columnheader]').allInnerTexts()
const press = async (...keys: string[]) => {
  for (const key of keys) await page.keyboard.press(key)
}

const visit = (path: string) => visitList(page, path)
const load = (path: string) => loadList(page, path)

/** Opens a record with keyboard focus. */
async function visitRecord(path: string, heading: string): Promise<void> {
  await follow(page, path)
  await page.getByRole('heading', { name: heading, exact: true }).waitFor()
  await page.locator('[data-region=detail]:focus').waitFor()
}

describe('the list of invoices', () => {
  test('[SCR-050] has the columns of an invoice, one row each, and totals', async () => {
    await visit(`/invoices?${own}`)
    expect(await heads()).toEqual([
      expect.stringContaining('Employer, number'),
      'Status',
      'Due date',
      'Invoice',
      'Paid',
      'Outstanding',
    ])
    expect(await rows().count()).toBe(2)
    await expect.poll(() => bar().innerText()).toContain('row 1 of 2')
    const words = (await bar().innerText()).replace(/\s+/g, ' ')
    expect(words).toContain('invoiced $7,000.00')
    expect(words).toContain('paid $3,600.00')
    expect(words).toContain('outstanding $3,400.00')
  })

  test('[SCR-050, INV-013, INV-014, INV-015] shows states derived from amounts and dates beside the status', async () => {
    await visit(`/invoices?${own}`)
    const texts = await rows().allInnerTexts()
    expect(texts[0]).toMatch(/Sent\s+Overdue 12 d, underpaid/)
    expect(texts[1]).toMatch(/Paid\s+Overpaid/)
    expect(texts[1]).toContain('−$100.00')
  })

  test('[SCR-051] is filtered from the palette, by keyboard alone', async () => {
    await visit(`/invoices?${own}`)
    await press('/')
    await page.getByRole('combobox').waitFor()
    await page.keyboard.type('status')
    await page.getByRole('option', { name: /Filter invoices by status/ }).waitFor()
    await press('Escape', 'Escape')
    await visit(`/invoices?${own}&status_type=is&status_value=OVERPAID`)
    await expect.poll(() => bar().innerText()).toContain('row 1 of 1')
    expect(await rows().first().innerText()).toContain(overpaid.number)
  })

  test('shows a view by its name after /', async () => {
    await visit('/invoices')
    await page.keyboard.type('/open')
    await press('Enter')
    await page.locator('[role=grid]:focus').waitFor()
    const shown = () => Object.fromEntries(new URL(page.url()).searchParams)
    const open = { status_type: 'is_not', status_value: 'DRAFT,CLOSED,REFUNDED', sort: 'due_date' }
    await expect.poll(shown).toEqual(open)
    expect(await page.getByRole('dialog').count()).toBe(0)
  })

  test('[VAL-002] several filters and the search are set at once by text after /', async () => {
    await visit(`/invoices?${own}`)
    await page.keyboard.press('/')
    await page.keyboard.type('overdue > 3,499.99 harbor')
    await page.getByRole('option', { name: /Outstanding over \$3,499.99 · Status is Overdue · Search for “harbor”/ }).waitFor()
    await shot(page, 'filter-words')
    await press('Escape')
    await page.keyboard.type('/overdue > 3,499.99')
    await press('Enter')
    await page.locator('[role=grid]:focus').waitFor()
    const chips = page.getByRole('region', { name: 'Filters' })
    await expect.poll(() => chips.innerText()).toMatch(/Outstanding over\s+\$3,499.99/)
    await expect.poll(() => rows().evaluateAll((all) => all.map(({ id }) => id))).toEqual([`row-${overdue.id}`])
    expect(address()).toContain('outstanding_type=over&outstanding_value=349999')
    // The column before the operator is compared; dates, too.
    await page.keyboard.type('/outstanding > 3,499.99 due before 1/1/2099')
    await press('Enter')
    await page.locator('[role=grid]:focus').waitFor()
    await expect.poll(() => chips.innerText()).toMatch(/Due date\s+1 Jan 1900 to 31 Dec 2098/)
    await expect.poll(() => rows().evaluateAll((all) => all.map(({ id }) => id))).toContain(`row-${overdue.id}`)
    expect(address()).not.toContain('q=outstanding')
    // The same chip opens the form, with the amount in dollars; the invoice owes exactly this amount.
    await follow(page, `/invoices?${own}&outstanding_type=over&outstanding_value=350000`)
    await page.getByText('No invoices match').waitFor()
    await page.locator('[data-chip]', { hasText: 'Outstanding' }).click()
    await expect.poll(() => page.getByRole('dialog').getByRole('textbox', { name: 'Outstanding' }).inputValue()).toBe('3,500.00')
    await shot(page, 'filter-amount')
    await press('Escape', 'Escape')
    // The chip opens the form with both dates, and a missing one is required.
    await follow(page, `/invoices?${own}&due_type=between&due_value=1900-01-01..2098-12-31`)
    await page.locator('[data-chip]', { hasText: 'Due date' }).click()
    const end = (name: string) => page.getByRole('dialog').getByRole('textbox', { name })
    await expect.poll(() => end('To').inputValue()).toBe('2098-12-31')
    expect(await end('From').inputValue()).toBe('1900-01-01')
    await end('To').fill('')
    await press('Enter')
    await page.getByText('A date range needs both dates.', { exact: true }).waitFor()
    await end('From').fill('2020-01-01')
    await end('To').fill('2098-12-31')
    await press('Enter')
    await expect.poll(() => chips.innerText()).toMatch(/Due date\s+1 Jan 2020 to 31 Dec 2098/)
  })

  test('keeps a saved view, also in another browser, until it is removed', async () => {
    await load(`/invoices?${own}`)
    await press('v')
    const name = page.getByRole('dialog').getByRole('textbox', { name: 'Name' })
    await inField(page, 'Name')
    await page.keyboard.type('overdue')
    await press('Enter')
    await page.getByText('There is a view of this name already.').first().waitFor()
    await name.fill('Our employer')
    await shot(page, 'save-view')
    await press('Enter')
    const view = (on: Page) => on.getByRole('group', { name: 'Views' }).getByRole('button', { name: 'Our employer' })
    await expect.poll(() => view(page).getAttribute('aria-pressed')).toBe('true')
    await shot(page, 'saved-view')
    const other = await openSignedIn(portal, undefined, { path: '/invoices' })
    await view(other).click()
    await expect.poll(() => new URL(other.url()).search).toBe(`?${new URLSearchParams(own)}`)
    // By its name from any page, like the built-in views.
    await other.goto(`${portal.origin}/employers`)
    await other.getByRole('heading', { name: 'Employers' }).waitFor()
    await other.keyboard.press('Control+k')
    await other.keyboard.type('our empl')
    const found = other.getByRole('option', { name: /Show invoices: Our employer/ })
    await expect.poll(() => found.getAttribute('aria-selected')).toBe('true')
    await other.keyboard.press('Enter')
    await expect
      .poll(() => new URL(other.url()).pathname + new URL(other.url()).search)
      .toBe(`/invoices?${new URLSearchParams(own)}`)
    await other.context().close()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('remove view')
    await page.getByRole('option', { name: /Remove a saved view/ }).waitFor()
    await press('Enter')
    await page.getByRole('dialog').getByText('Our employer').waitFor()
    await press('Control+Enter')
    await view(page).waitFor({ state: 'detached' })
    await page.keyboard.press('Control+k')
    await page.keyboard.type('our empl')
    await page.getByText('Nothing matches “our empl”', { exact: false }).first().waitFor()
    await press('Escape', 'Escape')
  })

  test('[ENT-090] [ENT-091] shows confirmation flow and automatic approval, once their columns are chosen', async () => {
    const words = { NONE: 'None', SINGLE: 'Single', MULTIPLE: 'Multiple' } as const
    const wanted: [string, string][] = []
    const made: TestInvoice[] = []
    for (const [confirmationFlow, autoApprove] of [
      ['NONE', true],
      ['SINGLE', false],
      ['MULTIPLE', true],
    ] as const) {
      made.push(await createInvoice(portal.db, { employerId: employer.id, companyCode: 'FLOW', confirmationFlow, autoApprove }))
      wanted.push([words[confirmationFlow], autoApprove ? 'Yes' : 'No'])
    }
    await load('/invoices?company_type=contains&company_value=FLOW&sort=id')
    await page.getByRole('button', { name: 'Columns' }).click()
    const chooser = page.getByRole('listbox', { name: 'Columns' })
    for (const title of ['Confirmation flow', 'Auto approve EWA file', 'Paid', 'Invoice'])
      await chooser.getByRole('option', { name: title, exact: true }).click()
    await press('Control+Enter')
    await expect.poll(heads).toEqual(expect.arrayContaining(['Confirmation flow', 'Auto approve EWA file']))
    const places = (await heads()).flatMap((head, at) => (/^(Confirmation|Auto)/.test(head) ? at : []))
    const cells = async () =>
      Promise.all(
        (await rows().all()).map(async (row) => {
          const texts = await row.locator('[role=rowheader], [role=gridcell]').allInnerTexts()
          return places.map((at) => texts[at])
        }),
      )
    await expect.poll(cells).toEqual(wanted)
    const [first] = made as [TestInvoice]
    await visitRecord(`/invoices/${first.id}`, first.number)
    const facts = detail().locator('dt', { hasText: /^(Confirmation flow|Auto approve EWA file)$/ })
    await expect.poll(() => facts.locator('xpath=following-sibling::dd[1]').allInnerTexts()).toEqual(wanted[0])
    await evaluate(page, `localStorage.removeItem('admin-portal.columns.invoices')`)
  })

  test('[SCR-052] is sorted by its headers, and by the address', async () => {
    await load(`/invoices?${own}`)
    await page.getByRole('columnheader', { name: 'Outstanding' }).click()
    // The largest amounts first; a second click reverses the order.
    await expect.poll(() => address()).toContain('sort=outstanding_amount&order=desc')
    await expect.poll(() => rows().first().innerText()).toContain(overdue.number)
    await page.getByRole('columnheader', { name: 'Outstanding' }).click()
    await expect.poll(() => rows().first().innerText()).toContain(overpaid.number)
    await visit(`/invoices?${filter}&sort=outstanding_amount&order=desc`)
    expect(await rows().first().innerText()).toContain(overdue.number)
  })

  test('[ERR-030] shows a default message where invoices fail to load without a reason', async () => {
    await page.route('**/api/invoices?*', (route) => route.fulfill({ status: 502, body: '' }))
    await page.goto('/invoices')
    const alert = page.getByRole('alert').filter({ hasText: 'Unable to load invoices' })
    await alert.waitFor()
    expect(await alert.innerText()).toContain('Unable to load invoices')
    await page.unroute('**/api/invoices?*')
    await page.locator('[role=grid]').focus()
    await press('r')
    await rows().first().waitFor()
    await alert.waitFor({ state: 'detached' })
  })
})

describe('an invoice', () => {
  test('opens by Enter, with its tabs on the digit keys', async () => {
    await visit(`/invoices?${own}`)
    await press('Enter')
    await page.getByRole('heading', { name: overdue.number }).waitFor()
    await expect.poll(() => detail().innerText()).toContain('Outstanding')
    const words = (await detail().innerText()).replace(/\s+/g, ' ')
    expect(words).toContain('Overdue 12 d')
    expect(words).toContain('Original $6,000.00')
    expect(words).toContain('Paid −$2,500.00')
    await page.locator('[data-region=detail]:focus').waitFor()
    // Tab reaches its links, such as the employer.
    await detail()
      .getByRole('link', { name: new RegExp(`^${employer.name} · `) })
      .focus()
    await press('Enter')
    await page.locator('[data-region=detail]:focus h2', { hasText: employer.name }).waitFor()
    await page.goBack()
    await page.locator('[data-region=detail]:focus h2', { hasText: overdue.number }).waitFor()
    await press('2')
    const rows = (label: string) => detail().getByRole('grid', { name: label }).locator('[role=row][id]')
    await expect.poll(() => rows('Employees of the invoice').count()).toBe(3)
    // Payments are made to the invoice: no line shows an outstanding amount.
    expect((await detail().locator('[role=columnheader]').allInnerTexts()).join()).toBe(
      'Employee,Original,Write-off,Billed,Withheld',
    )
    await press('5')
    await expect.poll(() => rows('Ledger of the invoice').count()).toBe(4)
    const ledger = await rows('Ledger of the invoice').allInnerTexts()
    expect(ledger.at(-1)).toContain('$3,500.00')
    await press('6')
    await expect.poll(() => address()).toContain('tab=history')
  })

  test('lists its repayments, and links to one', async () => {
    await visitRecord(`/invoices/${overdue.id}?tab=repayments`, overdue.number)
    await detail().getByText(`REP-${overdue.repaymentId}`).waitFor()
    await press('ArrowDown')
    await press('Enter')
    await page.getByRole('heading', { name: `REP-${overdue.repaymentId}` }).waitFor()
    expect(address()).toMatch(new RegExp(`^/repayments/${overdue.repaymentId}`))
    await page.locator('[data-region=detail]:focus').waitFor()
  })

  test('is found in the palette by its number, with or without its prefix', async () => {
    for (const typed of [overdue.number, String(overdue.id), overdue.number.toLowerCase()]) {
      await visit('/employees')
      await press('Control+k')
      await page.getByRole('combobox').waitFor()
      await page.keyboard.type(typed)
      await press('Enter')
      await page.getByRole('heading', { name: overdue.number }).waitFor()
      expect(address()).toBe(`/invoices/${overdue.id}`)
    }
  })
})

describe('the other lists of money', () => {
  test('[SCR-063, SCR-064] are opened by a sequence of two keys, and so is the way back', async () => {
    await visit('/employees')
    for (const [key, path, title] of [
      ['i', '/invoices', 'Invoices'],
      ['r', '/repayments', 'Repayments'],
      ['w', '/write-offs', 'Write-offs'],
      ['d', '/deductions', 'Deductions'],
      ['e', '/employees', 'Employees'],
    ] as const) {
      await press('g', key)
      await expect.poll(() => address().split('?')[0]).toBe(path)
      await page.getByRole('heading', { name: title, exact: true }).waitFor()
      await page.locator('[role=grid]:focus').waitFor()
      expect(await page.getByRole('link', { name: title, exact: true }).getAttribute('aria-current')).toBe('page')
    }
  })

  test('[SCR-064, REP-003] repayments show a failed one as unreconciled/failed, and their totals', async () => {
    await visit(`/repayments?employer_type=is&employer_value=${employer.id}&status_type=is&status_value=FAILED`)
    const row = rows().filter({ hasText: failed.referenceId })
    await row.waitFor()
    expect(await row.innerText()).toContain('Unreconciled/Failed')
    expect(await row.innerText()).toContain('$700.00')
    await expect.poll(() => bar().innerText()).toMatch(/repaid\s+\$/)
  })

  test('[SCR-065] a repayment shows all its data', async () => {
    await visitRecord(`/repayments/${failed.id}`, failed.referenceId)
    await expect.poll(() => detail().innerText()).toContain('Reference id')
    const words = (await detail().innerText()).replace(/\s+/g, ' ')
    expect(words).toContain('Unreconciled/Failed Nobody could match it')
    expect(words).toContain('Descriptor HARBOR WIRE')
    expect(words).toContain('Notes Nobody knows it')
    expect(words).toContain(`Debtor ${employer.name} employer`)
  })

  test('[ERR-035] says that repayments cannot be loaded', async () => {
    await page.route('**/api/repayments?*', (route) => route.fulfill({ status: 502, body: '' }))
    await page.goto('/repayments')
    const alert = page.getByRole('alert').filter({ hasText: 'Unable to load repayments' })
    await alert.waitFor()
    expect(await alert.count()).toBe(1)
    await page.unroute('**/api/repayments?*')
  })

  test('[ERR-036] says that a repayment cannot be loaded', async () => {
    await page.route(`**/api/repayments/${failed.id}`, (route) => route.fulfill({ status: 502, body: '' }))
    // The list does not contain it: otherwise its cached row would be shown.
    await page.goto(`/repayments/${failed.id}?status_type=is&status_value=RECONCILED`)
    const dialog = page.getByRole('alertdialog')
    await dialog.getByRole('button', { name: 'Reload' }).waitFor()
    expect(await dialog.innerText()).toContain('Unable to load repayment details')
    await page.unroute(`**/api/repayments/${failed.id}`)
  })

  test('[SCR-063] deductions show the amount to withhold, and link to their invoice', async () => {
    await page.goto(`/deductions/${overdue.deductionId}`)
    await page.getByRole('heading', { name: `Deduction of ${overdue.number}`, exact: true }).waitFor()
    await expect.poll(() => detail().innerText()).toContain('To withhold')
    expect((await detail().innerText()).replace(/\s+/g, ' ')).toContain('To withhold $6,000.00')
    await detail().getByRole('link', { name: overdue.number }).click()
    await page.getByRole('heading', { name: overdue.number, exact: true }).waitFor()
  })

  test('exceptions that need attention have a page of their own', async () => {
    await load('/employees')
    await page.getByRole('link', { name: 'Failed repayments' }).click()
    await expect
      .poll(() => address())
      .toBe('/repayments?status_type=is&status_value=FAILED&origin_type=is_not&origin_value=RETURN')
    await rows().filter({ hasText: failed.referenceId }).waitFor()
    expect(await page.getByRole('link', { name: 'Failed repayments' }).getAttribute('aria-current')).toBe('page')
    expect(await page.getByRole('link', { name: 'Repayments', exact: true }).getAttribute('aria-current')).toBeNull()
    for (const place of ['Refunds without a next invoice', 'Unallocated repayments', 'Flagged debtors', 'Failed repayments']) {
      await page.getByRole('link', { name: place }).click()
      await page.locator('.chip').first().waitFor()
      // The same number as in the list itself; an empty list names no row.
      await expect
        .poll(async () => {
          const counted = await page.getByRole('link', { name: place }).locator('.rail-mark').innerText()
          const bar = await page.locator('.frame-bar').innerText()
          return counted === '0'
            ? /There are no|No \w+ match/.test(await page.locator('.pane').innerText())
            : bar.endsWith(` of ${counted}`)
        })
        .toBe(true)
      expect(await page.locator('.chip-wrong').count()).toBe(0)
      expect(await page.getByRole('alert').filter({ hasText: /\S/ }).count()).toBe(0)
    }
  })
})

describe('changes by others', () => {
  test('a list refreshed because of a change by others counts and sums again, and only then', async () => {
    const at = { employerId: employer.id, companyCode: 'OTHERS' }
    const paid = await createInvoice(portal.db, { ...at, original: 300_00, dueDate: -5 })
    await createInvoice(portal.db, { ...at, original: 100_00, dueDate: -4 })
    const own = await openSignedIn(portal, undefined, { path: '/invoices?company_type=contains&company_value=OTHERS' })
    const bar = () => own.locator('.frame-bar').innerText()
    const counted: string[] = []
    own.on('request', (request) => {
      const { pathname } = new URL(request.url())
      if (/^\/api\/invoices\/(count|totals)$/.test(pathname)) counted.push(pathname)
    })
    /** As after half a minute, or on window focus. */
    const readAgain = async () => {
      const read = own.waitForResponse((response) => new URL(response.url()).pathname === '/api/invoices')
      await own.evaluate(() => dispatchEvent(new Event('focus')))
      await read
    }
    await own.getByRole('grid').waitFor()
    await expect.poll(bar).toContain('$400.00')
    await own.waitForLoadState('networkidle')
    await own.keyboard.press('Control+a')
    await expect.poll(bar).toContain('2 selected')
    counted.length = 0
    await readAgain()
    await drawn(own)
    expect(counted).toEqual([])

    const tom = await openSignedIn(portal, 'tom.berg@example.com', { path: `/invoices/${paid.id}` })
    await tom.locator('[data-region=detail]:focus').waitFor()
    await tom.keyboard.press('p')
    await inField(tom, 'Amount')
    await tom.keyboard.type('50')
    await tom.getByRole('dialog').getByText('$250.00').first().waitFor()
    await tom.keyboard.press('Control+Enter')
    await tom
      .getByText(/^Added a repayment of \$50\.00/)
      .first()
      .waitFor()
    await readAgain()
    await expect.poll(bar).toContain('$350.00')

    await createInvoice(portal.db, { ...at, original: 20_00, dueDate: -3 })
    await readAgain()
    await expect.poll(bar).toContain('$370.00')
    const now = await bar()
    expect(now).toContain('3 selected')
    expect(now).toContain('of 3')
    await Promise.all([own.context().close(), tom.context().close()])
  })
})

describe('accessibility', () => {
  test.each([
    ['light', 1440, 900],
    ['dark', 1024, 768],
  ] as const)('the lists and records have no accessibility violation in %s at %d by %d', async (theme, width, height) => {
    const other = await openSignedIn(portal, 'tom.berg@example.com', {
      ...{ theme, width, height, reducedMotion: true },
      path: `/invoices?${own}`,
    })
    await other.getByRole('grid').waitFor()
    for (const path of [
      `/invoices?${own}`,
      `/invoices/${overdue.id}?${own}`,
      `/invoices/${overdue.id}?${own}&tab=employees`,
      `/invoices/${overdue.id}?${own}&tab=ledger`,
      `/repayments/${failed.id}`,
      '/write-offs',
      `/deductions/${overdue.deductionId}`,
    ]) {
      await follow(other, path)
      await other.locator(/\/\d/.test(path) ? '[data-region=detail]:focus' : '[role=grid]:focus').waitFor()
      await other.locator('[role=row][id]').first().waitFor()
      await drawn(other)
      expect(await axeViolations(other), path).toEqual([])
      const wide = await evaluate<number>(other, 'document.documentElement.scrollWidth - innerWidth')
      expect(wide, path).toBeLessThanOrEqual(0)
      await shot(other, `money-${theme}-${path.replace(/\W+/g, '-')}`)
    }
    expect(problemsOf(other)).toEqual([])
    await other.context().close()
  })

  test('no page had errors', () => {
    expect(problemsOf(page)).toEqual([])
  })
})
