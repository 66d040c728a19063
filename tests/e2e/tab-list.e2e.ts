import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from 'kysely'
import { formatCents } from '#domain/money.ts'
import { axeViolations, follow, openSignedIn, type Portal, problemsOf, sharePortal } from '#tests/e2e/support.ts'
import type { Page } from 'playwright-core'

let portal: Portal
let page: Page
let invoiceId: number

beforeAll(async () => {
  portal = await sharePortal()
  // An invoice with several repayments, and with several employees.
  const { invoice_id } = await portal.db
    .selectFrom('ledger_entries')
    .select('invoice_id')
    .where('kind', '=', 'PAYMENT')
    .where('invoice_id', 'is not', null)
    .where('invoice_id', 'in', (eb) =>
      eb
        .selectFrom('invoice_lines')
        .select('invoice_id')
        .groupBy('invoice_id')
        .having((of) => of.fn.countAll(), '>', 1),
    )
    .groupBy('invoice_id')
    .orderBy((eb) => eb.fn.countAll(), 'desc')
    .orderBy('invoice_id')
    .limit(1)
    .executeTakeFirstOrThrow()
  invoiceId = Number(invoice_id)
  page = await openSignedIn(portal, undefined, { width: 1440, height: 900, path: `/invoices/${invoiceId}` })
  await page.locator('[data-region=detail]:focus').waitFor()
})
afterAll(() => portal?.stop())

const rows = (label: string) => page.locator(`[role=grid][aria-label="${label}"] [role=row][id]`)
const active = () =>
  page.evaluate(() => {
    const named = document.activeElement?.getAttribute('aria-activedescendant') ?? ''
    return document.getElementById(named)?.innerText ?? null
  })

describe('the list in the tab of a record', () => {
  test('has the keys, cursor and commands of a list; Escape returns them to the record', async () => {
    await page.keyboard.press('3')
    await rows('Repayments').first().waitFor()
    const first = await rows('Repayments').first().innerText()
    await page.keyboard.press('ArrowDown')
    await expect.poll(active).toBe(first)
    // Commands apply to the focused row, not to the invoice around it.
    await page.keyboard.press('Control+k')
    const [reference = ''] = /REP-\d+/.exec(first) ?? []
    await page.locator('[role=dialog]').getByText(reference).first().waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('x')
    await page.locator('.frame-bar').getByText('1 selected').waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await page.locator('[data-region=detail]:focus').waitFor()
    await page.keyboard.press('Control+k')
    await page.locator('[role=dialog]').getByText(`INV-${invoiceId}`).first().waitFor()
    await page.keyboard.press('Escape')
  })

  test('opens its row, and coming back finds the row again', async () => {
    await page.keyboard.press('3')
    const before = await active()
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/repayments\/\d+/)
    await page.locator('[data-region=detail]:focus').waitFor()
    await page.goBack()
    await rows('Repayments').first().waitFor()
    expect(new URL(page.url()).pathname).toBe(`/invoices/${invoiceId}`)
    await page.keyboard.press('3')
    await expect.poll(active).toBe(before)
  })

  test('keeps its filters in the address under the name of its tab, apart from those of the list', async () => {
    await page.goto(`/invoices/${invoiceId}?tab=repayments&repayments-origin_type=is&repayments-origin_value=USER`)
    await rows('Invoices').first().waitFor()
    await page.getByRole('region', { name: 'Filters' }).getByText('Origin is').waitFor()
    expect(await page.getByRole('region', { name: 'Filters' }).count()).toBe(1)
    await page.keyboard.press('Escape')
    await page.waitForURL((url) => url.pathname === '/invoices')
    expect(new URL(page.url()).search).toBe('')
  })

  test('shows rows without a record of their own, and opens what they are about', async () => {
    await follow(page, `/invoices/${invoiceId}?tab=employees`)
    await rows('Employees of the invoice').first().waitFor()
    await page.keyboard.press('2')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/employees\/\d+/)
    await follow(page, `/invoices/${invoiceId}?tab=ledger`)
    await rows('Ledger of the invoice').first().waitFor()
    const last = await rows('Ledger of the invoice').last().innerText()
    const outstanding = await portal.db
      .selectFrom('invoices')
      .select('outstanding_amount')
      .where('id', '=', invoiceId)
      .executeTakeFirstOrThrow()
    expect(last.split('\n').at(-1)).toBe(
      (outstanding.outstanding_amount / 100).toLocaleString('en-US', { style: 'currency', currency: 'USD' }).replace('-', '−'),
    )
    expect(await axeViolations(page)).toEqual([])
    expect(problemsOf(page)).toEqual([])
  })

  test('Escape leads from what a line opened back to the line, then to the record and its list', async () => {
    await page.goto(`/invoices/${invoiceId}?tab=employees`)
    await rows('Employees of the invoice').first().waitFor()
    await page.locator('[data-region=detail]:focus').waitFor()
    await page.keyboard.press('2')
    await page.locator('[data-region=detail] [role=grid]:focus').waitFor()
    await page.keyboard.press('ArrowDown')
    const line = await rows('Employees of the invoice').nth(1).innerText()
    const opened = () => page.locator('[data-region=detail]:focus:not([aria-label^="INV-"])').waitFor()
    const escapes = async () => {
      await page.keyboard.press('Escape')
      await arrives()
    }
    const arrives = async () => {
      await page.waitForURL((url) => url.pathname === `/invoices/${invoiceId}` && url.search === '?tab=employees')
      await page.locator('[data-region=detail] [role=grid]:focus').waitFor()
    }
    const expectEscapeToLine = async () => {
      await escapes()
      await expect.poll(active).toBe(line)
    }
    await expect.poll(active).toBe(line)
    await page.keyboard.press('Enter')
    await opened()
    // Another tab is the same history entry.
    await page.keyboard.press('2')
    await page.waitForURL(/\/employees\/\d+\?tab=/)
    await expectEscapeToLine()
    await page.keyboard.press('Enter')
    await opened()
    // The record beside it adds no history entry either.
    const address = page.url()
    await rows('Employees').first().waitFor()
    await page.keyboard.press('j')
    await page.waitForURL((url) => url.href !== address)
    await expectEscapeToLine()
    await page.keyboard.press('Enter')
    await opened()
    await page.reload()
    await opened()
    await expectEscapeToLine()
    // So does the Back button of the browser.
    await page.keyboard.press('Enter')
    await opened()
    await page.reload()
    await opened()
    await rows('Employees').first().waitFor()
    await page.goBack()
    await arrives()
    await expect.poll(active).toBe(line)
    // State stored by an earlier version has the entry, and not the row.
    await page.keyboard.press('Enter')
    await opened()
    await page.evaluate(() => {
      const kept: { key: string }[] = JSON.parse(sessionStorage.getItem('admin-portal.lines') ?? '')
      sessionStorage.setItem('admin-portal.lines', JSON.stringify(kept.map(({ key }) => key)))
    })
    await page.reload()
    await opened()
    await escapes()
    await page.keyboard.press('Escape')
    await page.locator('[data-region=detail]:focus').waitFor()
    await page.keyboard.press('Escape')
    await page.waitForURL((url) => url.pathname === '/invoices')
  })

  test('Escape after a reload returns to a line beyond the first pages of its list', async () => {
    const { id: employerId } = await portal.db
      .selectFrom('employers')
      .select('id')
      .orderBy('id')
      .limit(1)
      .executeTakeFirstOrThrow()
    // More than the list reads ahead, which is three pages of 200.
    await sql`
      insert into invoices (employer_id, debtor_type, debtor_id, status, company_code, payment_method, period_start, period_end,
        issue_date, report_date, due_date)
      select ${employerId}, 'EMPLOYER', ${employerId}, 'DRAFT', 'CO-1', 'SELF_PAY', '2026-01-01', '2026-01-15', '2026-01-20',
        '2026-01-20', '2026-01-30' from generate_series(1, 1000)`.execute(portal.db)
    await page.goto(`/employers/${employerId}?tab=invoices`)
    await rows('Invoices').first().waitFor()
    await page.locator('[data-region=detail]:focus').waitFor()
    await page.keyboard.press('6')
    await page.locator('[data-region=detail] [role=grid]:focus').waitFor()
    const number = () =>
      page.evaluate(() => {
        const named = document.activeElement?.getAttribute('aria-activedescendant') ?? ''
        return Number(document.getElementById(named)?.getAttribute('aria-rowindex'))
      })
    await expect.poll(number).toBe(2)
    // Each key was handled before the next: a queued one would move on after the line was read.
    for (let now = await number(); now < 820; now = await number()) {
      await page.keyboard.press('PageDown')
      await expect.poll(number).toBeGreaterThan(now)
    }
    const line = await active()
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/invoices\/\d+/)
    await page.locator('[data-region=detail]:focus').waitFor()
    await page.reload()
    await page.locator('[data-region=detail]:focus').waitFor()
    await page.keyboard.press('Escape')
    await page.waitForURL((url) => url.pathname === `/employers/${employerId}`)
    await expect.poll(active, { timeout: 10_000 }).toBe(line)
    expect(problemsOf(page)).toEqual([])
  })

  test("[SCR-045] an employee's invoices are shares: commands, filters and copying use their invoices", async () => {
    const { employee_id, invoice_id, original_amount } = await portal.db
      .selectFrom('invoice_lines')
      .innerJoin('invoices', 'invoices.id', 'invoice_lines.invoice_id')
      .select(['employee_id', 'invoice_id', 'invoice_lines.original_amount'])
      .where('status', '=', 'SENT')
      .orderBy('invoice_id', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow()
    const share = (original_amount / 100).toLocaleString('en-US', { style: 'currency', currency: 'USD' })
    await follow(page, `/employees/${employee_id}?tab=invoices&invoices-status_type=is&invoices-status_value=SENT`)
    await rows('Invoices of the employee').first().waitFor()
    await page.getByRole('region', { name: 'Filters' }).getByText('Status is').waitFor()
    await page.locator('[data-region=detail]:focus').waitFor()
    await page.keyboard.press('4')
    await expect.poll(active).toContain(`INV-${invoice_id}`)
    expect(await active()).toContain(share)
    await page.keyboard.press('Control+c')
    await page.getByText('1 row copied').first().waitFor()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(share)
    // The actions of the record are now those of the invoice, and keys apply to the invoice.
    await page.getByRole('toolbar', { name: 'Actions' }).getByText(`INV-${invoice_id}`).waitFor()
    await page.keyboard.press('c')
    await page.locator('[role=dialog]').getByText(`INV-${invoice_id}`).first().waitFor()
    await page.keyboard.press('Escape')
    await page.locator('[role=dialog]').waitFor({ state: 'hidden' })
    await page.keyboard.press('Enter')
    await page.waitForURL(new RegExp(`/invoices/${invoice_id}$`))
    await page.goBack()
    await rows('Invoices of the employee').first().waitFor()
    expect(problemsOf(page)).toEqual([])
  })

  test("[SCR-048] an employee's time is an ordinary list, whose rows are approved and rejected by commands", async () => {
    const { rows: found } = await sql<{ id: number; employee_id: number }>`
      select t.id, t.employee_id from time_entries t join work_period_balances b on b.employee_id = t.employee_id and b.is_open
        and t.work_date between b.work_period_start and b.work_period_end
      where t.status = 'PENDING' and t.earned_amount > 0 and not exists (
        select from time_entries other where other.employee_id = t.employee_id and other.status = 'PENDING' and other.id <> t.id)
      order by t.work_date desc limit 1`.execute(portal.db)
    const { id, employee_id } = found[0] as { id: number; employee_id: number }
    const earned = async () => {
      const { rows: balances } = await sql<{ earned: number }>`select earned_amount as earned from work_period_balances
        where employee_id = ${employee_id} and is_open`.execute(portal.db)
      return formatCents(balances[0]?.earned as number)
    }
    // Data cached before the change must not be shown as the current state.
    await follow(page, `/employees/${employee_id}`)
    await page
      .locator('[data-region=detail]')
      .getByText(await earned())
      .first()
      .waitFor()
    const before = await earned()
    await follow(page, `/employees/${employee_id}?tab=timekeeping&timekeeping-status_type=is&timekeeping-status_value=PENDING`)
    await page.locator('[data-region=detail]:focus').waitFor()
    await rows('Timekeeping').first().waitFor()
    await page.keyboard.press('7')
    await expect.poll(active).toContain('Pending')
    const status = async () =>
      (await portal.db.selectFrom('time_entries').select('status').where('id', '=', id).executeTakeFirstOrThrow()).status
    await page.keyboard.press('p')
    await page.locator('[role=dialog]').getByText('Approve time entry').first().waitFor()
    await page.keyboard.press('Control+Enter')
    await expect.poll(status).toBe('APPROVED')
    await expect.poll(() => page.locator('[role=dialog]').count()).toBe(0)
    await page.keyboard.press('1')
    expect(await earned()).not.toBe(before)
    await page
      .locator('[data-region=detail]')
      .getByText(await earned())
      .first()
      .waitFor()
    // The focused list is gone with its tab: the record has the focus.
    await page.locator('[data-region=detail]:focus').waitFor()
    await page.keyboard.press('Control+z')
    await expect.poll(status).toBe('PENDING')
    await page.locator('[data-region=detail]').getByText(before).first().waitFor()
    await page.keyboard.press('7')
    await page.keyboard.press('7')
    // Of more tabs than fit on a line, the open one is visible.
    await page.setViewportSize({ width: 1024, height: 768 })
    await page.keyboard.press('Escape')
    await page.locator('[data-region=detail]:focus').waitFor()
    await page.keyboard.press('8')
    const right = () =>
      page.getByRole('tab', { name: 'Transactions', selected: true }).evaluate((tab) => tab.getBoundingClientRect().right)
    await expect.poll(right).toBeLessThanOrEqual(1024)
    expect(await axeViolations(page)).toEqual([])
    expect(problemsOf(page)).toEqual([])
  })
})

test('every tab of a narrow record is reached by digit or arrow, and visible while it is open', async () => {
  await page.setViewportSize({ width: 1024, height: 768 })
  const { id } = await portal.db.selectFrom('employers').select('id').limit(1).executeTakeFirstOrThrow()
  await follow(page, `/employers/${id}`)
  const tabs = page.locator('[data-region=detail] [role=tab]')
  const open = (at: number) => expect.poll(() => tabs.nth(at).getAttribute('aria-selected')).toBe('true')
  const record = page.locator('[data-region=detail]:focus')
  await record.waitFor()
  const many = await tabs.count()
  expect(many).toBeGreaterThan(9)
  const { x = 0, width = 0 } = (await record.boundingBox()) ?? {}
  for (let at = 0; at < many; at += 1) {
    const key = await tabs.nth(at).getAttribute('aria-keyshortcuts')
    expect([at, key]).toEqual([at, at < 9 ? String(at + 1) : null])
    await page.keyboard.press(key ?? 'ArrowRight')
    await open(at)
    await record.waitFor()
    // The others are in the menu of more tabs where the row is full.
    const box = await tabs.nth(at).boundingBox()
    expect([at, box !== null && box.x >= x && box.x + box.width <= x + width]).toEqual([at, true])
  }
  await page.keyboard.press('ArrowRight')
  await open(0)
  await page.keyboard.press('ArrowLeft')
  await open(many - 1)
  expect(await axeViolations(page)).toEqual([])
})

test('the same record, opened by the palette from the list in its tab, has the focus', async () => {
  await page.setViewportSize({ width: 1440, height: 900 })
  await follow(page, `/invoices/${invoiceId}`)
  await page.locator('[data-region=detail]:focus').waitFor()
  await page.keyboard.press('3')
  await rows('Repayments').first().waitFor()
  await page.keyboard.press('3')
  await page.locator('[data-region=detail] [role=grid]:focus').waitFor()
  await page.keyboard.press('Control+k')
  await page.keyboard.type(`INV-${invoiceId}`)
  await page.locator('[role=dialog] [role=option][aria-selected=true]').getByText(`INV-${invoiceId}`).first().waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL((url) => url.search === '')
  await page.locator('[data-region=detail]:focus').waitFor({ timeout: 5000 })
  // Its keys work at once.
  await page.keyboard.press('2')
  await expect.poll(() => page.locator('[role=tab]').nth(1).getAttribute('aria-selected')).toBe('true')
})
