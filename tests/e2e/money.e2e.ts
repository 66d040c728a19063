import { readFile } from 'node:fs/promises'
import { readSheet } from 'read-excel-file/node'
import { sql } from 'kysely'
import type { Download, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { noPermission } from '#domain/permissions.ts'
import { inField, run, said } from '#tests/e2e/at-work.ts'
import {
  axeViolations,
  closeAll,
  evaluate,
  failAt,
  follow,
  openShared,
  offline,
  openSignedIn,
  type Portal,
  problemsOf,
  routed,
  signIn,
  startPortal,
} from '#tests/e2e/support.ts'
import { figuresOf } from '#tests/support/billing.ts'
import { createCompany } from '#tests/support/company.ts'
import { createInvoice, createRepayment, type InvoiceInput, setRolloverPercentage } from '#tests/support/money.ts'

let portal: Portal
let companies = 0
beforeAll(async () => {
  portal = await startPortal()
})
afterAll(() => portal?.stop())

/** Not a super-admin: suggests what somebody else must approve. */
const tom = 'tom.berg@example.com'

/** A new organization with one employer, used by nobody else in this file. */
async function company(name = 'Quayside') {
  companies += 1
  const { employerIds, organizationId } = await createCompany(portal.db, `${name} ${companies}`)
  const employerId = employerIds[0] as number
  await setRolloverPercentage(portal.db, { employerId }, 1_000)
  return { employerId, organizationId, name: `${name} ${companies}` }
}
const invoice = (employerId: number, input: Partial<InvoiceInput> = {}) => createInvoice(portal.db, { employerId, ...input })
const stands = async (id: number) => {
  const { status, paid_amount, outstanding_amount } = await figuresOf(portal as never, id)
  return [status, paid_amount, outstanding_amount]
}

/** Waits until the record of an address is open with keyboard focus; `named` is its name, where that is not its id. */
const inRecord = (page: Page, path: string, named = /\d+(?=\?|$)/.exec(path)?.[0] ?? ''): Promise<void> =>
  page.locator('[data-region=detail]:focus h2', { hasText: named }).waitFor()

/** Opens a record. */
async function visit(page: Page, path: string, named?: string): Promise<void> {
  await follow(page, path)
  await inRecord(page, path, named)
}
async function openAt(path: string, email?: string): Promise<Page> {
  const page = await openSignedIn(portal, email, { path })
  await page
    .getByRole('heading', { level: 1 })
    .or(page.getByRole('heading', { level: 2 }))
    .first()
    .waitFor()
  return page
}
/** The same in the shared page of the file. */
async function openSharedAt(path: string, { email, named }: { email?: string; named?: string } = {}): Promise<Page> {
  const page = await openShared(portal, email, path)
  await inRecord(page, path, named)
  return page
}
/** The rows of the preview. */
const previewed = async (page: Page): Promise<string[]> =>
  (await page.getByRole('table', { name: 'What changes' }).locator('tbody tr').all()).length === 0
    ? []
    : page
        .getByRole('table', { name: 'What changes' })
        .locator('tbody tr')
        .evaluateAll((rows) =>
          rows.map((row) =>
            [...row.querySelectorAll('td')]
              .map(
                (cell) =>
                  [...cell.children]
                    .filter((each) => each.ariaHidden !== 'true')
                    .map((each) => each.textContent)
                    .join(' ') || cell.textContent,
              )
              .join(' | '),
          ),
        )
/** The lines of a money form: title, balance before, amount, balance after, and resulting state. */
const linesOf = (page: Page): Promise<string[]> =>
  page.locator('[role=dialog] .money-line:not(.money-all, .money-locked)').evaluateAll((rows) =>
    rows.map((row) => {
      const said = (part: string) => row.querySelector(part)?.textContent
      const moves = row.querySelector('input')?.value ?? said('.money-moves')
      return [said('.money-title p'), said('.money-was'), moves, said('.money-then b'), said('.money-then small')]
        .filter(Boolean)
        .join(' | ')
    }),
  )
/** The parts of a money form that are fully visible: within the window and not covered. */
const inSight = () => {
  const seen = (part: Element | null) => {
    if (!part) return false
    const { left, right, top, bottom } = part.getBoundingClientRect()
    const corners = [
      [left + 4, top + 4],
      [right - 4, top + 4],
      [left + 4, bottom - 4],
      [right - 4, bottom - 4],
    ] as const
    return corners.every(([x, y]) => part.contains(document.elementFromPoint(x, y)))
  }
  const parts: [string, Element | null][] = [
    ['typed in', document.activeElement],
    ['sums', document.querySelector('.money-sums')],
    ['send', document.querySelector('[data-go]')],
  ]
  return parts.filter(([, part]) => seen(part)).map(([name]) => name)
}
const closed = (page: Page) => page.getByRole('dialog').waitFor({ state: 'detached' })
const downloaded = async (page: Page, act: () => Promise<unknown>): Promise<Download> => {
  const [file] = await Promise.all([page.waitForEvent('download', { timeout: 60_000 }), act()])
  return file
}
const repaymentsOf = (employerId: number) =>
  portal.db
    .selectFrom('repayments')
    .selectAll()
    .where('debtor_id', '=', employerId)
    .where('debtor_type', '=', 'EMPLOYER')
    .execute()

describe('the month', () => {
  test('[SCR-057, SCR-051, CARD-005, INV-018] overdue invoices of one organization; one repayment over three of them', async () => {
    const { employerId, organizationId } = await company()
    const ids: number[] = []
    for (const [at, original] of [300_00, 200_00, 100_00].entries())
      ids.push((await invoice(employerId, { original, dueDate: -20 + at })).id)
    const page = await openShared(portal, undefined, `/invoices?organization_type=is&organization_value=${organizationId}`)
    await page.locator('[role=grid]:focus').waitFor()
    await run(page, 'Filter invoices by status')
    // The options 'is' and 'is not' come first; the typed text is the status.
    await page.locator('[role=listbox][aria-multiselectable]:focus').waitFor()
    await page.keyboard.type('o')
    for (let hops = 0; hops < 20; hops++) {
      const on = await page.evaluate(() => {
        const list = document.activeElement
        return document.getElementById(list?.getAttribute('aria-activedescendant') ?? '')?.textContent
      })
      if (on === 'Overdue') break
      await page.keyboard.press('ArrowDown')
    }
    await page.keyboard.press('Space')
    await page.keyboard.press('Enter')
    await closed(page)
    await expect.poll(() => page.locator('[role=row][id]').count()).toBe(3)
    await page.keyboard.press('p')
    await inField(page, 'Amount')
    // At 200% zoom a date is still fully visible.
    const [date, size] = [page.getByLabel('Repayment date'), page.viewportSize()]
    await page.setViewportSize({ width: 720, height: 450 })
    expect(await date.evaluate((input) => input.scrollWidth <= input.clientWidth)).toBe(true)
    if (size) await page.setViewportSize(size)
    await page.keyboard.type('600')
    // The invoice of the row is first, then the oldest due.
    await expect
      .poll(() => linesOf(page))
      .toEqual([
        `INV-${ids[2]} | $100.00 | 100.00 | $0.00 | closes`,
        `INV-${ids[0]} | $300.00 | 300.00 | $0.00 | closes`,
        `INV-${ids[1]} | $200.00 | 200.00 | $0.00 | closes`,
      ])
    expect(await axeViolations(page)).toEqual([])
    await page.keyboard.press('Control+Enter')
    await closed(page)
    expect(await Promise.all(ids.map(stands))).toEqual([
      ['CLOSED', 300_00, 0],
      ['CLOSED', 200_00, 0],
      ['CLOSED', 100_00, 0],
    ])
    expect(problemsOf(page)).toEqual([])
  })

  test('[CARD-005] paid rows leave the list with their marks; the remaining marked rows are counted afresh', async () => {
    const { employerId, organizationId } = await company()
    const ids: number[] = []
    for (const [at, original] of [300_00, 200_00, 100_00].entries())
      ids.push((await invoice(employerId, { original, dueDate: -20 + at })).id)
    const other = await company()
    const stay = [await invoice(other.employerId, { original: 50_00 }), await invoice(other.employerId, { original: 70_00 })]
    const search = `organization_type=is&organization_value=${organizationId},${other.organizationId}`
    const page = await openShared(portal, undefined, `/invoices?${search}&status_type=is&status_value=OVERDUE`)
    const selected = page.getByRole('contentinfo').getByText(/selected/)
    await page.locator('[role=grid]:focus').waitFor()
    await expect.poll(() => page.locator('[role=row][id]').count()).toBe(3)
    await page.keyboard.press('Shift+ArrowDown')
    await page.keyboard.press('Shift+ArrowDown')
    await page.getByText('3 selected').first().waitFor()
    await page.keyboard.press('p')
    await inField(page, 'Amount')
    await page.keyboard.type('600')
    await expect.poll(async () => (await linesOf(page)).length).toBe(3)
    await page.keyboard.press('Control+Enter')
    await closed(page)
    await expect.poll(() => page.locator('[role=row][id]').count()).toBe(0)
    await selected.waitFor({ state: 'detached' })
    await page.getByText('3 no longer in this list: nothing selected').waitFor({ state: 'attached' })

    // One of two marked rows is closed elsewhere: its cached state is stale.
    await page.goto(`/invoices?organization_type=is&organization_value=${other.organizationId}`)
    await page.locator('[role=grid]:focus').waitFor()
    await expect.poll(() => page.locator('[role=row][id]').count()).toBe(2)
    await page.keyboard.press('Shift+ArrowDown')
    await page.getByText('2 selected').first().waitFor()
    const elsewhere = await openSignedIn(portal, undefined, { path: `/invoices/${stay[0]?.id}` })
    await elsewhere.locator('[data-region=detail]:focus').waitFor()
    await run(elsewhere, 'Close invoice')
    await elsewhere.getByRole('dialog').getByText('What changes').first().waitFor()
    await elsewhere.keyboard.press('Control+Enter')
    await closed(elsewhere)
    await elsewhere.context().close()
    await run(page, 'Close invoice')
    await page.getByText('1 eligible, 1 blocked, $70.00 in all').waitFor()
    expect(problemsOf(page)).toEqual([])
  })

  /** The invoices of these organizations, the oldest due first, with the focus in the list. */
  async function listOf(rows: number, organizationIds: readonly number[], email?: string): Promise<Page> {
    const page = await openShared(
      portal,
      email,
      `/invoices?organization_type=is&organization_value=${organizationIds.join()}&sort=due_date&order=asc`,
    )
    await page.locator('[role=grid]:focus').waitFor()
    await expect.poll(() => page.locator('[role=row][id]').count()).toBe(rows)
    return page
  }
  const mark = async (page: Page, ...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key)
    await page
      .getByText(`${keys.filter((key) => key === 'x').length} selected`)
      .first()
      .waitFor()
  }
  const form = (page: Page) => page.getByRole('dialog', { name: 'Add repayment' })

  test('[SCR-057, CARD-005] three marked invoices of one employer: p opens one form, and one repayment pays them', async () => {
    const { employerId, organizationId } = await company()
    const ids: number[] = []
    for (const [at, original] of [70_00, 100_10, 50_05, 25_00].entries())
      ids.push((await invoice(employerId, { original, dueDate: -20 + at })).id)
    const [old, ...marked] = ids
    const page = await listOf(4, [organizationId])
    await mark(page, 'j', 'x', 'j', 'x', 'j', 'x')
    const sent: unknown[] = []
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/repayments')) sent.push(request.postDataJSON())
    })
    await page.keyboard.press('p')
    await inField(page, 'Amount')
    await form(page)
      .getByText(/^3 invoices · Quayside/)
      .first()
      .waitFor()
    // The total outstanding, by one key.
    await expect.poll(async () => (await linesOf(page)).length).toBe(4)
    await page.keyboard.type('*')
    await expect.poll(() => page.getByLabel('Amount', { exact: true }).inputValue()).toBe('175.15')
    await page.keyboard.press('Control+a')
    await page.keyboard.type('160')
    await expect
      .poll(() => linesOf(page))
      .toEqual([
        `INV-${marked[0]} | $100.10 | 100.10 | $0.00 | closes`,
        `INV-${marked[1]} | $50.05 | 50.05 | $0.00 | closes`,
        `INV-${marked[2]} | $25.00 | 9.85 | $15.15`,
        `INV-${old} | $70.00 | $70.00 | unchanged`,
      ])
    await form(page)
      .getByRole('rowheader', { name: /^Other open invoices of Quayside/ })
      .waitFor()
    expect(await axeViolations(page)).toEqual([])
    await page.keyboard.press('Control+Enter')
    await closed(page)
    expect(sent).toHaveLength(1)
    expect(await Promise.all(ids.map(stands))).toEqual([
      ['SENT', 0, 70_00],
      ['CLOSED', 100_10, 0],
      ['CLOSED', 50_05, 0],
      ['SENT', 9_85, 15_15],
    ])
    expect((await repaymentsOf(employerId)).map(({ amount }) => Number(amount))).toEqual([160_00])
    // A repeat is about all of them: it goes to the invoice that still owes, and the rest stays unallocated.
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').waitFor()
    await page.keyboard.type('session activity')
    await page.keyboard.press('Enter')
    await page.getByRole('listbox', { name: 'What was done, newest first' }).waitFor()
    await page.getByRole('option', { name: /repayment/i, selected: true }).waitFor()
    await page.keyboard.press('Enter')
    await form(page).getByText('New repayment: unallocated $144.85.').waitFor()
    expect(
      await form(page)
        .getByText(/^3 invoices/)
        .first()
        .textContent(),
    ).toMatch(/^3 invoices · Quayside/)
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await closed(page)
    // The draft is gone: it was sent.
    expect(await page.evaluate(() => Object.keys(sessionStorage).filter((name) => name.includes('add-repayment')))).toEqual([])
    expect(problemsOf(page)).toEqual([])
  })

  test('[SCR-057] one marked invoice is partly paid by somebody else: it is named, and nothing is sent', async () => {
    const { employerId, organizationId } = await company()
    const one = await invoice(employerId, { original: 110_47, dueDate: -20 })
    const other = await invoice(employerId, { original: 950_00, dueDate: -19 })
    const page = await listOf(2, [organizationId])
    await mark(page, 'x', 'j', 'x')
    await page.keyboard.press('p')
    await inField(page, 'Amount')
    await page.keyboard.type('1000')
    await expect
      .poll(() => linesOf(page))
      .toEqual([`${one.number} | $110.47 | 110.47 | $0.00 | closes`, `${other.number} | $950.00 | 889.53 | $60.47`])
    const beside = await openAt(`/invoices/${one.id}`, tom)
    await run(beside, 'Add repayment')
    await inField(beside, 'Amount')
    await beside.keyboard.type('50')
    await expect.poll(async () => (await linesOf(beside)).length).toBe(2)
    await beside.keyboard.press('Control+Enter')
    await closed(beside)
    await page.keyboard.press('Control+Enter')
    const alert = form(page).getByRole('alert')
    await alert.getByText(`${one.number} changed in the meantime: outstanding $110.47 before, $60.47 now.`).waitFor()
    await alert.getByText('What you typed is still here.').waitFor()
    await alert.getByText('Nothing was sent. The amounts below are not those you sent', { exact: false }).waitFor()
    expect(await form(page).getByText('Refresh the page').count()).toBe(0)
    await expect
      .poll(() => linesOf(page))
      .toEqual([`${one.number} | $60.47 | 60.47 | $0.00 | closes`, `${other.number} | $950.00 | 889.53 | $60.47`])
    // The same key leads to the confirmation, or an amount is changed.
    await page.keyboard.press('Control+Enter')
    await form(page).getByRole('button', { name: 'Send as shown' }).and(page.locator(':focus')).waitFor()
    await page.getByLabel(`Amount, ${other.number}`).focus()
    await page.keyboard.type('=')
    await form(page).getByRole('button', { name: 'Send as shown' }).waitFor({ state: 'detached' })
    await page.keyboard.press('Control+Enter')
    await closed(page)
    expect([await stands(one.id), await stands(other.id)]).toEqual([
      ['CLOSED', 110_47, 0],
      ['SENT', 939_53, 10_47],
    ])
    await Promise.all([page.context().close(), beside.context().close()])
  })

  test('[SCR-057] a payment by somebody else moves no amount of an open form, nor does a refusal', async () => {
    const { employerId } = await company()
    const one = await invoice(employerId, { original: 800_00, dueDate: -20 })
    const other = await invoice(employerId, { original: 950_00, dueDate: -19 })
    const [page, beside] = [await openAt(`/invoices/${one.id}`), await openAt(`/invoices/${one.id}`, tom)]
    for (const each of [page, beside]) {
      await run(each, 'Add repayment')
      await inField(each, 'Amount')
      await each.keyboard.type('800')
      await expect
        .poll(() => linesOf(each))
        .toEqual([`${one.number} | $800.00 | 800.00 | $0.00 | closes`, `${other.number} | $950.00 | $950.00 | unchanged`])
    }
    const before = await linesOf(page)
    await beside.keyboard.press('Control+Enter')
    await closed(beside)
    // As after half a minute, or on window focus.
    await page.evaluate(() => dispatchEvent(new Event('focus')))
    const alert = form(page).getByRole('alert')
    await alert.getByText(/^Tom Berg.* changed this while you were editing\./).waitFor()
    expect(await linesOf(page)).toEqual(before)
    await page.keyboard.press('Control+Enter')
    await alert
      .getByText(`${one.number} changed in the meantime: outstanding $800.00 before, $0.00 now.`, { exact: false })
      .waitFor()
    await alert.getByText('Nothing was sent.', { exact: false }).waitFor()
    // The other invoice gets nothing, and the same key sends nothing.
    const left = [`${one.number} | $0.00 |  | $0.00 | unchanged`, `${other.number} | $950.00 |  | $950.00 | unchanged`]
    await expect.poll(() => linesOf(page)).toEqual(left.map((line) => line.replace(' |  |', ' |')))
    await page.keyboard.press('Control+Enter')
    await form(page).getByRole('button', { name: 'Send as shown' }).and(page.locator(':focus')).waitFor()
    await page.keyboard.press('Control+Enter')
    await page.keyboard.press('Control+Enter')
    expect((await repaymentsOf(employerId)).map(({ amount }) => Number(amount))).toEqual([800_00])
    expect(await stands(other.id)).toEqual(['SENT', 0, 950_00])
    await page.keyboard.press('Enter')
    // Both would have added the same repayment: a duplicate requires a reason.
    await form(page).getByText('is the same repayment: $800.00', { exact: false }).first().waitFor()
    expect((await repaymentsOf(employerId)).map(({ amount }) => Number(amount))).toEqual([800_00])
    expect(await stands(other.id)).toEqual(['SENT', 0, 950_00])
    await Promise.all([page.context().close(), beside.context().close()])
  })

  test('[SCR-057] a refusal that arrives after the form was left is reported, and its draft is not sent', async () => {
    const { employerId, name } = await company()
    const one = await invoice(employerId, { original: 800_00, dueDate: -20 })
    const [page, beside] = [await openAt(`/invoices/${one.id}`), await openAt(`/invoices/${one.id}`, tom)]
    const begin = async (on: Page, amount: string) => {
      await run(on, 'Add repayment')
      await inField(on, 'Amount')
      await on.keyboard.type(amount)
    }
    await begin(page, '800')
    await expect.poll(() => linesOf(page)).toEqual([`${one.number} | $800.00 | 800.00 | $0.00 | closes`])
    await begin(beside, '100')
    await expect.poll(() => linesOf(beside)).toEqual([`${one.number} | $800.00 | 100.00 | $700.00`])
    await beside.keyboard.press('Control+Enter')
    await closed(beside)
    await page.keyboard.press('Control+Enter')
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').waitFor()
    await page
      .getByText(/^There was a problem with the repayment/)
      .first()
      .waitFor()
    await page.getByText(`Add repayment, ${one.number}: what you typed is still in its form.`).first().waitFor()
    await page.keyboard.press('Escape')
    await closed(page)
    const asked = async () => {
      await form(page).getByText('Draft restored').waitFor()
      await form(page).getByText('Nothing was sent', { exact: false }).waitFor()
      await expect.poll(() => linesOf(page)).toEqual([`${one.number} | $700.00 | 700.00 | $0.00 | closes`])
      await page.keyboard.press('Control+Enter')
      await form(page).getByRole('button', { name: 'Send as shown' }).and(page.locator(':focus')).waitFor()
    }
    await run(page, 'Add repayment')
    await asked()
    await page.reload()
    await asked()
    expect((await repaymentsOf(employerId)).map(({ amount }) => Number(amount))).toEqual([100_00])
    await page.keyboard.press('Enter')
    await page.getByText(`Added a repayment of $800.00 from ${name} Works 1, $100.00 of it unallocated`).first().waitFor()
    expect(await stands(one.id)).toEqual(['CLOSED', 800_00, 0])
    await Promise.all([page.context().close(), beside.context().close()])
  })

  test('[SCR-057] a draft whose amounts have another effect now says so, and must be confirmed', async () => {
    const { employerId } = await company()
    const one = await invoice(employerId, { original: 800_00, dueDate: -20 })
    const [page, beside] = [await openAt(`/invoices/${one.id}`), await openAt(`/invoices/${one.id}`, tom)]
    const pays = async (on: Page, amount: string, line: string) => {
      await run(on, 'Add repayment')
      await inField(on, 'Amount')
      await on.keyboard.type(amount)
      await expect.poll(() => linesOf(on)).toEqual([`${one.number} | ${line}`])
    }
    const reopen = async () => {
      await run(page, 'Add repayment')
      await form(page).getByText('Draft restored').waitFor()
    }
    await pays(page, '800', '$800.00 | 800.00 | $0.00 | closes')
    await closeAll(page)
    // Nothing has changed yet.
    await reopen()
    await expect.poll(() => linesOf(page)).toEqual([`${one.number} | $800.00 | 800.00 | $0.00 | closes`])
    const asked = form(page).getByText(
      `Something changed since you typed this: the amounts of ${one.number} do something else now.`,
      { exact: false },
    )
    expect(await asked.count()).toBe(0)
    await closeAll(page)
    await pays(beside, '100', '$800.00 | 100.00 | $700.00')
    await beside.keyboard.press('Control+Enter')
    await closed(beside)
    for (const again of [reopen, () => page.reload()]) {
      await again()
      await asked.waitFor()
      await expect.poll(() => linesOf(page)).toEqual([`${one.number} | $700.00 | 700.00 | $0.00 | closes`])
      await page.keyboard.press('Control+Enter')
      await form(page).getByRole('button', { name: 'Send as shown' }).and(page.locator(':focus')).waitFor()
    }
    expect((await repaymentsOf(employerId)).map(({ amount }) => Number(amount))).toEqual([100_00])
    // Another amount is deliberate.
    await form(page).getByLabel('Amount', { exact: true }).focus()
    await page.keyboard.press('Control+a')
    await page.keyboard.type('700')
    await asked.waitFor({ state: 'detached' })
    await page.keyboard.press('Control+Enter')
    await closed(page)
    expect(await stands(one.id)).toEqual(['CLOSED', 800_00, 0])
    await page.context().close()
    await beside.context().close()
  })

  test('[SCR-057] a draft of an allocation must be confirmed after a change by somebody else', async () => {
    const { employerId } = await company()
    const [one, next] = [
      await invoice(employerId, { original: 300_00, dueDate: -20 }),
      await invoice(employerId, { original: 300_00, dueDate: -10 }),
    ]
    const { id } = await createRepayment(portal.db, {
      debtor: { type: 'EMPLOYER', id: employerId },
      amount: 200_00,
      allocations: [{ invoiceId: one.id, amount: 200_00 }],
    })
    const shares = () =>
      portal.db
        .selectFrom('repayment_allocations')
        .select(['invoice_id', 'amount'])
        .where('repayment_id', '=', id)
        .orderBy('invoice_id')
        .execute()
        .then((rows) => rows.map(({ amount }) => Number(amount)))
    const [page, beside] = [await openAt(`/repayments/${id}`), await openAt(`/repayments/${id}`, tom)]
    const dialog = (on: Page) => on.getByRole('dialog', { name: 'Allocate repayment' })
    const inLine = (on: Page) => dialog(on).getByLabel(`Amount, ${one.number}`).and(on.locator(':focus')).waitFor()
    const open = async (on: Page) => {
      await run(on, 'Allocate repayment')
      await inLine(on)
    }
    const allocates = async (first: string, second: string) => {
      await open(beside)
      for (const [{ number }, amount] of [[one, first] as const, [next, second] as const]) {
        const line = dialog(beside).getByLabel(`Amount, ${number}`)
        while (!(await line.evaluate((input) => input === document.activeElement))) await beside.keyboard.press('Tab')
        await beside.keyboard.press('Control+a')
        await beside.keyboard.type(amount)
      }
      await beside.keyboard.press('Control+Enter')
      await closed(beside)
      expect(await shares()).toEqual([Number(first) * 100, Number(second) * 100])
    }
    await open(page)
    const suggested = await linesOf(page)
    await page.keyboard.press('Control+a')
    await page.keyboard.type('120')
    await page.keyboard.press('Escape')
    expect(await linesOf(page)).toEqual(suggested)
    await closeAll(page)
    await allocates('150', '50')
    // Without changed fields it starts with the current values.
    await page.reload()
    await inRecord(page, `/repayments/${id}`, '')
    await open(page)
    await expect.poll(async () => (await linesOf(page)).map((line) => line.split(' | ')[2])).toEqual(['150.00', '50.00'])
    expect(await dialog(page).getByText('Draft restored').count()).toBe(0)
    await page.keyboard.press('Control+a')
    await page.keyboard.type('180')
    await page.keyboard.press('Tab')
    await closeAll(page)
    await allocates('100', '100')
    for (const again of [() => run(page, 'Allocate repayment'), () => page.reload()]) {
      await again()
      await dialog(page).getByText('Something changed since you typed this', { exact: false }).waitFor()
      await inLine(page)
      await page.keyboard.press('Control+Enter')
      await dialog(page).getByRole('button', { name: 'Send as shown' }).and(page.locator(':focus')).waitFor()
    }
    expect(await shares()).toEqual([100_00, 100_00])
    await Promise.all([page.context().close(), beside.context().close()])
  })

  test('[SCR-058] untouched fields take over a concurrent change; a field changed by both asks first', async () => {
    const { employerId } = await company()
    const { id } = await createRepayment(portal.db, { debtor: { type: 'EMPLOYER', id: employerId }, amount: 1_500_00 })
    const [page, beside] = [await openAt(`/repayments/${id}`), await openAt(`/repayments/${id}`, tom)]
    const dialog = (on: Page) => on.getByRole('dialog', { name: 'Edit repayment' })
    const fillField = async (on: Page, label: string, text: string) => {
      await dialog(on).getByLabel(label).focus()
      await on.keyboard.press('Control+a')
      await on.keyboard.type(text)
    }
    const open = async (on: Page) => {
      await run(on, 'Edit repayment')
      await inField(on, 'Amount')
    }
    const stored = async () => {
      const row = (await repaymentsOf(employerId)).find((each) => each.id === id)
      return [Number(row?.amount), row?.notes]
    }
    const changeAmountAsTom = async (amount: string) => {
      await open(beside)
      await fillField(beside, 'Amount', amount)
      await beside.keyboard.press('Control+Enter')
      await closed(beside)
    }
    await open(page)
    await fillField(page, 'Notes', 'Called them')
    await changeAmountAsTom('700')
    await page.keyboard.press('Control+Enter')
    await dialog(page).getByText('changed this while you were editing', { exact: false }).waitFor()
    expect(await dialog(page).getByText('is pending now', { exact: false }).count()).toBe(0)
    await expect.poll(() => dialog(page).getByLabel('Amount').inputValue()).toBe('700.00')
    await page.keyboard.press('Control+Enter')
    await closed(page)
    expect(await stored()).toEqual([700_00, 'Called them'])
    await page.reload()
    await inRecord(page, `/repayments/${id}`, '')
    await open(page)
    await fillField(page, 'Amount', '900')
    await changeAmountAsTom('650')
    await page.keyboard.press('Control+Enter')
    await dialog(page).getByText('Amount (now $650.00)', { exact: false }).waitFor()
    await page.keyboard.press('Control+Enter')
    await dialog(page).getByRole('button', { name: 'Send as shown' }).and(page.locator(':focus')).waitFor()
    expect(await stored()).toEqual([650_00, 'Called them'])
    await page.keyboard.press('Enter')
    await closed(page)
    expect(await stored()).toEqual([900_00, 'Called them'])
    // A draft of an amount that somebody else has changed since.
    await page.reload()
    await inRecord(page, `/repayments/${id}`, '')
    await open(page)
    await fillField(page, 'Amount', '500')
    await page.keyboard.press('Tab')
    await closeAll(page)
    await changeAmountAsTom('850')
    await page.reload()
    await inRecord(page, `/repayments/${id}`, '')
    await open(page)
    await dialog(page).getByText('Somebody changed what you typed over: Amount (now $850.00)', { exact: false }).waitFor()
    await page.keyboard.press('Control+Enter')
    await dialog(page).getByRole('button', { name: 'Send as shown' }).and(page.locator(':focus')).waitFor()
    expect(await stored()).toEqual([850_00, 'Called them'])
    await Promise.all([page.context().close(), beside.context().close()])
  })

  test('[CARD-005] actions, palette and link open one form for marked invoices; ineligible ones are named', async () => {
    const { employerId, organizationId } = await company()
    const ids: number[] = []
    for (const at of [0, 1]) ids.push((await invoice(employerId, { original: 40_00, dueDate: -20 + at })).id)
    const draft = await invoice(employerId, { status: 'DRAFT', dueDate: -18 })
    const page = await listOf(3, [organizationId])
    await mark(page, 'x', 'j', 'x', 'j', 'x')
    const opened = async () => {
      await inField(page, 'Amount')
      await form(page)
        .getByText(/^2 invoices · Quayside/)
        .first()
        .waitFor()
      await form(page).getByText('1 invoice left out').waitFor()
      await form(page).getByText(`${draft.number}: Actions unavailable when in Draft.`).waitFor()
      await page.keyboard.press('Escape')
      if (await page.getByRole('dialog').count()) await page.keyboard.press('Escape')
      await closed(page)
    }
    await page.keyboard.press('p')
    await opened()
    await page.keyboard.press('a')
    await page.getByRole('option', { name: /Add repayment.*2 of 3/ }).waitFor()
    await page.keyboard.type('add rep')
    await page.keyboard.press('Enter')
    await opened()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').waitFor()
    await page.keyboard.type('add repayment')
    await page.getByRole('option', { name: /Add repayment.*2 of 3/ }).waitFor()
    await page.keyboard.press('Enter')
    await opened()
    // Selects all matching rows: these three.
    await page.keyboard.press('Escape')
    await page.keyboard.press('Control+a')
    await page.getByText('3 selected').first().waitFor()
    await page.keyboard.press('p')
    await opened()
    await page.goto(`/?command=invoice.add-repayment&target=${[...ids, draft.id].join()}`)
    await opened()
    expect(problemsOf(page)).toEqual([])
  })

  test('[CARD-005] marked invoices of two employers say why one repayment cannot pay them, and what to do', async () => {
    const [one, other] = [await company(), await company()]
    for (const { employerId } of [one, other]) await invoice(employerId, { original: 40_00 })
    const page = await listOf(2, [one.organizationId, other.organizationId])
    await mark(page, 'x', 'j', 'x')
    await page.keyboard.press('p')
    const why = /These invoices are owed by 2 employers: .+ and .+\. Select those of one employer for a repayment\./
    await page.getByRole('dialog').getByRole('alert').getByText(why).waitFor()
    expect(await axeViolations(page)).toEqual([])
    await page.keyboard.press('Escape')
    await closed(page)
    await page.keyboard.press('a')
    await page.getByRole('option', { name: why }).waitFor()
    await page.keyboard.press('Escape')
    await closed(page)
    expect(await repaymentsOf(one.employerId)).toEqual([])
  })

  test('[PERM-037] several marked invoices and read-only access to billing: the missing right is named', async () => {
    const sam = 'sam.okoye@example.com'
    await sql`insert into person_permissions (person_id, permission_id) select id, 1 from people where email = ${sam}`.execute(
      portal.db,
    )
    const { employerId, organizationId } = await company()
    for (const at of [0, 1]) await invoice(employerId, { original: 40_00, dueDate: -20 + at })
    const page = await listOf(2, [organizationId], sam)
    await mark(page, 'x', 'j', 'x')
    await page.keyboard.press('p')
    await page.getByText(noPermission).first().waitFor()
    expect(await page.getByRole('dialog').count()).toBe(0)
  })

  test('[CARD-005, REP-006, REP-007] a repayment from the palette: messages beside their fields, then typed lines', async () => {
    const { employerId } = await company()
    const [one, other] = [await invoice(employerId, { dueDate: -9 }), await invoice(employerId, { original: 70_00 })]
    const page = await openSharedAt(`/invoices/${one.id}`)
    await run(page, 'Add repayment')
    await inField(page, 'Amount')
    await page.keyboard.press('Control+Enter')
    await page.getByText('Repayment amount is required').waitFor()
    await inField(page, 'Amount')
    await page.keyboard.type('-5')
    await page.keyboard.press('Control+Enter')
    await page.getByText('Negative payment is only possible for overpaid invoice').waitFor()
    await page.keyboard.press('Control+a')
    await page.keyboard.type('90')
    await page.getByLabel(`Amount, ${other.number}`).focus()
    await page.keyboard.type('*')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.type('30')
    await page.locator('.money-sums', { hasText: 'Too much$10.00' }).waitFor()
    await page.keyboard.press('Control+Enter')
    await page.getByText('More is allocated than the repayment holds: $100.00 of $90.00.').waitFor()
    await page.getByLabel(`Amount, ${one.number}`).fill('20')
    await page.keyboard.press('Control+Enter')
    await closed(page)
    expect(await stands(one.id)).toEqual(['SENT', 20_00, 80_00])
    expect(await stands(other.id)).toEqual(['CLOSED', 70_00, 0])
  })

  test('[SCR-061] write-offs are suggested for the line under the cursor, or for the marked lines', async () => {
    const { employerId } = await company()
    const { id } = await invoice(employerId, { lineCount: 3, original: 90_00 })
    const page = await openSharedAt(`/invoices/${id}?tab=employees`, { email: tom })
    await page.getByRole('grid', { name: 'Employees of the invoice' }).locator('[role=row][id]').nth(2).waitFor()
    await page.keyboard.press('2')
    await page.locator('[data-region=detail] [role=grid]:focus').waitFor()
    await page.keyboard.press('ArrowDown')
    const amounts = () =>
      page
        .getByRole('dialog')
        .getByLabel(/^Amount,/)
        .evaluateAll((all) => all.map((each) => (each as HTMLInputElement).value))
    const suggest = async () => {
      await run(page, 'Suggest write-offs')
      await page.locator('[data-column=amount]').first().waitFor()
    }
    await suggest()
    await expect.poll(amounts).toEqual(['', '30.00', ''])
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    // Marked lines take precedence over the one under the cursor.
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.keyboard.press('x')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('x')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await suggest()
    await expect.poll(amounts).toEqual(['30.00', '30.00', ''])
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
  })

  test('[SCR-061, SCR-062, WOF-005, CARD-005] a write-off is suggested by one person and approved by another', async () => {
    const { employerId } = await company()
    const { id, lineIds } = await invoice(employerId, { lineCount: 3, original: 90_00 })
    const page = await openSharedAt(`/invoices/${id}`, { email: tom })
    await run(page, 'Suggest write-offs')
    const first = page.getByLabel(/^Amount,/).first()
    await page.locator('[data-column=amount]:focus').first().waitFor()
    await page.keyboard.type('*')
    await page.keyboard.press('Control+Enter')
    await page.locator('select[aria-invalid=true]:focus').waitFor()
    expect(await first.inputValue()).toBe('30.00')
    await page.keyboard.type('Employee')
    expect(await axeViolations(page)).toEqual([])
    await page.keyboard.press('Control+Enter')
    await closed(page)
    const writeOff = await portal.db.selectFrom('write_offs').selectAll().where('invoice_id', '=', id).executeTakeFirstOrThrow()
    expect(lineIds).toContain(writeOff.line_id)
    await visit(page, `/write-offs/${writeOff.id}`, `INV-${id}`)
    await run(page, 'Approve write-off')
    await page.getByText('Somebody else has to approve what you suggested.').first().waitFor()

    const priya = await openSharedAt(`/write-offs/${writeOff.id}`, { named: `INV-${id}` })
    await run(priya, 'Approve write-off')
    await inField(priya, 'Approved amount')
    await priya.keyboard.press('Control+a')
    await priya.keyboard.type('31')
    await priya.getByText('The approved amount cannot exceed the suggested amount.').waitFor()
    await priya.keyboard.press('Control+Enter')
    await priya.getByText('This is a required field.').waitFor()
    // The first invalid field has the focus.
    await inField(priya, 'Approved amount')
    await priya.keyboard.press('Tab')
    await inField(priya, 'Reason')
    await priya.keyboard.type('Left the company')
    await priya.keyboard.press('Control+Enter')
    await priya.getByText('The approved amount cannot exceed the suggested amount.').waitFor()
    await inField(priya, 'Approved amount')
    await priya.keyboard.press('Control+a')
    await priya.keyboard.type('25')
    await priya.getByText('Undo reverses the write-off: it is not pending again', { exact: false }).waitFor()
    expect(await axeViolations(priya)).toEqual([])
    await priya.keyboard.press('Control+Enter')
    await closed(priya)
    expect(await stands(id)).toEqual(['SENT', 0, 65_00])
  })

  test('[SCR-059, SCR-060, INV-021] one overpayment rolls over, another is refunded', async () => {
    const { employerId, organizationId } = await company()
    const [over, back] = [
      await invoice(employerId, { status: 'CLOSED', paid: 108_00 }),
      await invoice(employerId, { status: 'CLOSED', paid: 130_00 }),
    ]
    const next = await invoice(employerId, { status: 'DRAFT', original: 500_00 })
    const page = await openSharedAt(`/invoices/${over.id}`)
    await run(page, 'Roll overpayment over')
    await inField(page, 'Rollover amount')
    await expect.poll(() => linesOf(page)).toContain(`${next.number} | $500.00 | $8.00 | $492.00`)
    expect(await axeViolations(page)).toEqual([])
    await page.keyboard.press('Control+Enter')
    await closed(page)
    expect(await stands(over.id)).toEqual(['CLOSED', 100_00, 0])
    expect(await stands(next.id)).toEqual(['DRAFT', 0, 492_00])
    await visit(page, `/invoices/${back.id}?organization_type=is&organization_value=${organizationId}`)
    const sum = () => page.locator('.bar-total', { hasText: 'outstanding' }).locator('b').textContent()
    await expect.poll(sum).toBe('$462.00')
    await run(page, 'Refund overpayment')
    await inField(page, 'Refund amount')
    // The preview is read before it is sent.
    await expect.poll(() => linesOf(page)).toContainEqual(expect.stringContaining(back.number))
    // The result is fully readable.
    const becomes = page.locator('.money-then small', { hasText: 'becomes Refund In Progress' })
    const [said, cell] = [await becomes.boundingBox(), await becomes.locator('xpath=ancestor::td').boundingBox()]
    expect([said && cell && said.x >= cell.x, await becomes.evaluate((one) => one.scrollWidth <= one.clientWidth)]).toEqual([
      true,
      true,
    ])
    expect(await axeViolations(page)).toEqual([])
    await page.keyboard.press('Control+Enter')
    await closed(page)
    expect(await stands(back.id)).toEqual(['REFUND_IN_PROGRESS', 100_00, 0])
    await expect.poll(sum).toBe('$492.00')
    await page.keyboard.press('Control+z')
    await expect.poll(() => stands(back.id)).toEqual(['CLOSED', 130_00, -30_00])
    await expect.poll(sum).toBe('$462.00')
  })

  /** Types into the palette and runs the row with that name, which must be selected explicitly. */
  async function chosen(page: Page, words: string, title: string): Promise<void> {
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Command palette' }).waitFor()
    await page.keyboard.type(words)
    await page.locator('[role=option] [id$="-title"]').getByText(title, { exact: true }).waitFor()
    const active = () => page.locator('[role=option][aria-selected=true] [id$="-title"]').allTextContents()
    for (let presses = 0; presses < 10 && (await active())[0] !== title; presses++) await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
  }

  test('[SCR-055] Manage Repayments of an invoice adds one, and its tab lists it', async () => {
    const { employerId } = await company()
    const { id } = await invoice(employerId, { original: 90_00 })
    const page = await openSharedAt(`/invoices/${id}`)
    await chosen(page, 'manage repayments', 'Add repayment')
    await inField(page, 'Amount')
    await page.keyboard.type('40')
    await expect.poll(() => linesOf(page)).toEqual([`INV-${id} | $90.00 | 40.00 | $50.00`])
    await page.keyboard.press('Control+Enter')
    await closed(page)
    expect(await stands(id)).toEqual(['SENT', 40_00, 50_00])
    const [made] = await repaymentsOf(employerId)
    expect(made).toMatchObject({ amount: 40_00, origin: 'USER', unallocated_amount: 0 })
    await visit(page, `/invoices/${id}?tab=repayments`)
    const paid = page.locator('[data-region=detail]').getByRole('grid', { name: 'Repayments' })
    await paid.getByText(`REP-${made?.id}`).waitFor()
    expect(await paid.innerText()).toContain('$40.00')
  })

  test('[SCR-058] a repayment is edited from its record: the invoice then owes what the preview said', async () => {
    const { employerId } = await company()
    const { id } = await invoice(employerId, { original: 90_00 })
    const page = await openSharedAt(`/invoices/${id}`)
    await chosen(page, 'add repayment', 'Add repayment')
    await inField(page, 'Amount')
    await page.keyboard.type('70')
    await expect.poll(() => linesOf(page)).toEqual([`INV-${id} | $90.00 | 70.00 | $20.00`])
    await page.keyboard.press('Control+Enter')
    await closed(page)
    const [made] = await repaymentsOf(employerId)
    await visit(page, `/repayments/${made?.id}`)
    await page.keyboard.press('e')
    await inField(page, 'Amount')
    await page.keyboard.press('Control+a')
    await page.keyboard.type('25')
    await expect.poll(() => linesOf(page)).toEqual([`INV-${id} | $20.00 | $25.00 | $65.00`])
    await page.getByText(`REP-${made?.id}: amount $25.00.`).waitFor()
    await page.keyboard.press('Control+Enter')
    await said(page, `Changed REP-${made?.id}`)
    expect(await stands(id)).toEqual(['SENT', 25_00, 65_00])
    const [edited, ...more] = await repaymentsOf(employerId)
    expect([edited?.id, edited?.amount, more]).toEqual([made?.id, 25_00, []])
  })

  test('[SCR-056] Manage Overpayment of an invoice rolls it over', async () => {
    const { employerId } = await company()
    const over = await invoice(employerId, { status: 'CLOSED', paid: 108_00 })
    const next = await invoice(employerId, { status: 'DRAFT', original: 500_00 })
    const page = await openAt(`/invoices/${over.id}`)
    const reads = '**/api/invoices/*/overpayment*'
    await page.route(reads, (route) => route.fulfill({ status: 502, body: '' }))
    await chosen(page, 'manage overpayment', 'Roll overpayment over')
    await inField(page, 'Rollover amount')
    await page.getByText('The preview could not be loaded.').waitFor()
    await page.unroute(reads)
    // Nothing is sent without a preview, which loads on retry.
    await page.keyboard.press('Control+Enter')
    await page.getByText('Not sent: the preview was still loading.').waitFor()
    expect(await stands(over.id)).toEqual(['CLOSED', 108_00, -8_00])
    await expect.poll(() => linesOf(page)).toContain(`${next.number} | $500.00 | $8.00 | $492.00`)
    await page.keyboard.press('Control+Enter')
    await closed(page)
    expect([await stands(over.id), await stands(next.id)]).toEqual([
      ['CLOSED', 100_00, 0],
      ['DRAFT', 0, 492_00],
    ])
    await page.context().close()
  })

  test('[DED-006] a deduction is approved, with its invoice in the preview', async () => {
    const { employerId } = await company()
    const { id, deductionId, number } = await invoice(employerId, { status: 'ON_DEDUCTION_FILE' })
    const page = await openSharedAt(`/deductions/${deductionId}`, { named: number })
    await run(page, 'Approve deduction')
    await expect.poll(() => previewed(page)).toContain(`${number} status | In Review | Approved`)
    expect(await axeViolations(page)).toEqual([])
    await page.keyboard.press('Control+Enter')
    await closed(page)
    expect((await stands(id))[0]).toBe('DEDUCTION_APPROVED')
  })

  test('[SCR-054] the invoice is downloaded as a PDF, and its lines as CSV', async () => {
    const { employerId } = await company()
    const { id } = await invoice(employerId, { lineCount: 2 })
    const page = await openSharedAt(`/invoices/${id}`)
    await run(page, 'Download invoice')
    await page.getByRole('radio', { name: 'PDF, for the customer' }).waitFor()
    const pdf = await downloaded(page, () => page.keyboard.press('Enter'))
    expect(pdf.suggestedFilename()).toMatch(/\.pdf$/)
    expect((await readFile(await pdf.path())).subarray(0, 4).toString()).toBe('%PDF')
    await said(page, `Downloaded INV-${id}`)
    await run(page, 'Download invoice')
    await page.getByRole('radio', { name: 'PDF, for the customer' }).waitFor()
    await page.keyboard.press('ArrowDown')
    const csv = await downloaded(page, () => page.keyboard.press('Enter'))
    expect((await readFile(await csv.path(), 'utf8')).trim().split('\n').length).toBeGreaterThan(2)
  })

  test('[SCR-053, INV-016, CARD-005] several invoices are closed at once, and the list is exported to a file', async () => {
    const { employerId, organizationId } = await company()
    const ids: number[] = []
    for (let made = 0; made < 3; made++) ids.push((await invoice(employerId, { original: 40_00 })).id)
    await invoice(employerId, { status: 'DRAFT' })
    const page = await openShared(portal, undefined, `/invoices?organization_type=is&organization_value=${organizationId}`)
    await page.locator('[role=grid]:focus').waitFor()
    await expect.poll(() => page.locator('[role=row][id]').count()).toBe(4)
    for (let row = 0; row < 4; row++) {
      await page.keyboard.press('x')
      await page.keyboard.press('ArrowDown')
    }
    await run(page, 'Close invoice')
    await page.getByText('3 eligible, 1 blocked, $120.00 in all').waitFor()
    await page.getByText('Actions unavailable when in Draft.').waitFor()
    await page.keyboard.press('Control+Enter')
    // The draft that the preview refused is also in the result.
    await page.getByText('3 done, 0 failed, 1 refused').waitFor()
    expect((await Promise.all(ids.map(stands))).map(([status]) => status)).toEqual(['CLOSED', 'CLOSED', 'CLOSED'])
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await closed(page)
    await run(page, 'Export list')
    await page.getByRole('radio', { name: 'CSV (.csv)' }).waitFor()
    await page.keyboard.press('ArrowDown')
    const file = await downloaded(page, () => page.keyboard.press('Enter'))
    expect(file.suggestedFilename()).toMatch(/^invoices-organization-.*-\d{4}-\d\d-\d\d-\d{4}\.xlsx$/)
    await page.getByText('Exported 4 invoices').first().waitFor()
    const [titles, ...written] = await readSheet(await readFile(await file.path()))
    const heads = await page.locator('[role=columnheader]').allTextContents()
    // Without the arrow of the sorted column.
    expect(titles).toEqual(heads.map((head) => head.replace(/[↑↓]/, '').trim()).filter(Boolean))
    const outstanding = titles?.indexOf('Outstanding') ?? -1
    expect(written.map((row) => typeof row[outstanding])).toEqual(['number', 'number', 'number', 'number'])
    await run(page, 'Export list')
    await expect.poll(() => page.getByRole('radio', { name: 'Excel workbook (.xlsx)' }).isChecked()).toBe(true)
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    expect(problemsOf(page)).toEqual([])
  })
})

describe('while a repayment is being sent', () => {
  /** A repayment with lines, filled in and not sent. */
  async function filledIn() {
    const { employerId } = await company()
    const [one, other] = [await invoice(employerId), await invoice(employerId, { original: 70_00 })]
    const page = await openAt(`/invoices/${one.id}`)
    await run(page, 'Add repayment')
    await inField(page, 'Amount')
    await page.keyboard.type('80')
    await page.getByLabel(`Amount, ${one.number}`).fill('50')
    await page.getByLabel(`Amount, ${other.number}`).fill('30')
    // Nothing is sent before the preview for the current inputs was read.
    await page.locator('[role=dialog] .money-all').getByText('$90.00').waitFor()
    await page.locator('[role=dialog] [data-waits]').waitFor({ state: 'detached' })
    return { page, employerId, one, other }
  }
  type RepaymentDraft = Awaited<ReturnType<typeof filledIn>>
  const kept = async ({ page, one, other }: RepaymentDraft) => {
    expect(await page.getByLabel('Amount', { exact: true }).inputValue()).toMatch(/^80/)
    expect(await page.getByLabel(`Amount, ${one.number}`).inputValue()).toMatch(/^50/)
    expect(await page.getByLabel(`Amount, ${other.number}`).inputValue()).toMatch(/^30/)
  }
  test('[REP-006] a failing server: all inputs stay, lines too, and sending again makes one repayment', async () => {
    const at = await filledIn()
    const { page, employerId, one, other } = at
    await failAt(page, '**/api/repayments', 'POST')
    await page.keyboard.press('Control+Enter')
    await page
      .getByText(/Something went wrong adding the repayment of/)
      .first()
      .waitFor({ timeout: 60_000 })
    await kept(at)
    await page.unroute('**/api/repayments')
    await page.keyboard.press('Control+Enter')
    await closed(page)
    expect(await repaymentsOf(employerId)).toHaveLength(1)
    expect([await stands(one.id), await stands(other.id)]).toEqual([
      ['SENT', 50_00, 50_00],
      ['SENT', 30_00, 40_00],
    ])
    await page.context().close()
  })

  test('[REP-006] the network fails: the call is retried, and happens once', async () => {
    const at = await filledIn()
    await offline(at.page, true)
    await at.page.keyboard.press('Control+Enter')
    await at.page.getByText('Checking whether it went through').waitFor()
    await kept(at)
    await offline(at.page, false)
    await closed(at.page)
    expect(await repaymentsOf(at.employerId)).toHaveLength(1)
    await at.page.context().close()
  })

  test('[REP-006] the answer for two invoices is lost: no other form pays one of them before it arrives', async () => {
    const { employerId, organizationId } = await company()
    const ids: number[] = []
    for (const at of [0, 1, 2]) ids.push((await invoice(employerId, { original: 90_00, dueDate: -20 + at })).id)
    const page = await openSignedIn(portal, undefined, {
      path: `/invoices?organization_type=is&organization_value=${organizationId}&sort=due_date&order=asc`,
    })
    await page.locator('[role=grid]:focus').waitFor()
    await expect.poll(() => page.locator('[role=row][id]').count()).toBe(3)
    let lost = true
    await routed(page, '**/api/repayments', async (route) => {
      if (route.request().method() !== 'POST' || !lost) return route.continue()
      // The server has done it, but the answer is lost.
      await route.fetch()
      await route.abort('connectionreset')
    })
    for (const key of ['x', 'j', 'x', 'p']) await page.keyboard.press(key)
    await inField(page, 'Amount')
    await page.keyboard.type('120')
    await expect.poll(async () => (await linesOf(page)).length).toBe(3)
    await page.keyboard.press('Control+Enter')
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Checking whether it went through').waitFor()
    await page.keyboard.press('Escape')
    await closed(page)
    await page.keyboard.press('Escape')
    // The second one is part of what was sent.
    await page.locator('[role=grid]:focus').waitFor()
    await page.keyboard.press('p')
    await dialog.getByText(/^Checking whether it went through: Add repayment, \$120\.00, /).waitFor()
    await page.keyboard.press('Escape')
    await closed(page)
    // The third one is not, but money for it that also touches the others waits.
    await page.keyboard.press('j')
    await page.keyboard.press('p')
    await inField(page, 'Amount')
    await page.keyboard.type('100')
    await expect.poll(async () => (await linesOf(page)).length).toBeGreaterThan(1)
    await page.keyboard.press('Control+Enter')
    await dialog.getByText('Not sent: an earlier change of the same is not confirmed yet.', { exact: false }).first().waitFor()
    expect(await repaymentsOf(employerId)).toHaveLength(1)
    lost = false
    await evaluate(page, `dispatchEvent(new Event('online'))`)
    await page.locator('.frame-bar').getByText('Not confirmed yet').waitFor({ state: 'detached' })
    expect((await repaymentsOf(employerId)).map(({ amount }) => Number(amount))).toEqual([120_00])
    expect(await Promise.all(ids.map(stands))).toEqual([
      ['CLOSED', 90_00, 0],
      ['SENT', 30_00, 60_00],
      ['SENT', 0, 90_00],
    ])
    await page.context().close()
  })

  const tomId = '00000000-0000-4000-8000-000000000002'
  const unsent = 'Not sent: your session had ended.'

  test.each([
    [
      'ended elsewhere',
      'This session was ended elsewhere. Please login again to continue working.',
      { ended_at: new Date(), ended_reason: 'ENDED_ELSEWHERE' },
    ],
    ['expired', 'Your session has expired. Please login again.', { expires_at: new Date(Date.now() - 1000) }],
    [
      'inactive',
      'Your session has expired due to inactivity. Please login again to continue working.',
      { last_active_at: new Date(Date.now() - 3_600_000) },
    ],
  ] as const)(
    '[REP-006, ERR-006, ERR-007] an ended session (%s) is reported at sign-in; the money is sent on a second send',
    async (_, sentence, ending) => {
      const { employerId, organizationId } = await company()
      const one = await invoice(employerId, { original: 90_00 })
      const page = await openSignedIn(portal, tom, {
        path: `/invoices/${one.id}?organization_type=is&organization_value=${organizationId}`,
      })
      const sum = (title: string) => page.locator('.bar-total', { hasText: title }).locator('b')
      await page.locator('[data-region=detail]:focus').waitFor()
      await expect.poll(() => sum('outstanding').textContent()).toBe('$90.00')
      await run(page, 'Add repayment')
      await inField(page, 'Amount')
      await page.keyboard.type('30')
      await expect.poll(async () => (await linesOf(page)).length).toBe(1)
      await portal.db.updateTable('sessions').set(ending).where('person_id', '=', tomId).where('ended_at', 'is', null).execute()
      await page.keyboard.press('Control+Enter')
      await page.getByText(`${sentence} Your last change was not sent.`, { exact: true }).waitFor()
      await signIn(portal, page, tom)
      await inField(page, 'Amount')
      await page.getByRole('dialog').getByRole('alert').filter({ hasText: unsent }).waitFor()
      expect(await page.getByLabel('Amount', { exact: true }).inputValue()).toBe('30.00')
      await expect.poll(async () => (await linesOf(page)).length).toBe(1)
      expect(await repaymentsOf(employerId)).toHaveLength(0)
      await page.keyboard.press('Control+Enter')
      await closed(page)
      expect((await repaymentsOf(employerId)).map(({ amount }) => Number(amount))).toEqual([30_00])
      await expect.poll(() => sum('outstanding').textContent()).toBe('$60.00')
      await page.locator('[data-region=detail]:focus').waitFor()
      await page.context().close()
    },
  )

  test('[REP-006] the answer is lost and the session ends: sent once after the sign-in, with fresh sums', async () => {
    const { employerId, organizationId } = await company()
    const one = await invoice(employerId, { original: 90_00 })
    const page = await openSignedIn(portal, tom, {
      path: `/invoices/${one.id}?organization_type=is&organization_value=${organizationId}`,
    })
    const sum = (title: string) => page.locator('.bar-total', { hasText: title }).locator('b')
    await page.locator('[data-region=detail]:focus').waitFor()
    await expect.poll(() => sum('outstanding').textContent()).toBe('$90.00')
    await run(page, 'Add repayment')
    await inField(page, 'Amount')
    await page.keyboard.type('30')
    await expect.poll(async () => (await linesOf(page)).length).toBe(1)
    await loseAnswerAndEndSession(page)
    await page.keyboard.press('Control+Enter')
    await page.getByText('Your last change is not confirmed: it may have gone through.', { exact: false }).waitFor()
    await signIn(portal, page, tom)
    await closed(page)
    expect(await repaymentsOf(employerId)).toHaveLength(1)
    await expect.poll(() => sum('outstanding').textContent()).toBe('$60.00')
    await page.locator('[data-region=detail]:focus').waitFor()
    await page.context().close()
  })

  /** The first repayment succeeds, but its answer is lost, and the session has ended by the time of the retry. */
  const loseAnswerAndEndSession = async (page: Page) => {
    let gone = false
    await routed(page, '**/api/repayments', async (route) => {
      if (gone || route.request().method() !== 'POST') return route.continue()
      gone = true
      await route.fetch()
      await portal.db.deleteFrom('sessions').where('person_id', '=', tomId).execute()
      await route.abort('connectionreset')
    })
  }

  test('[REP-006] the session ends while several are paid: sent again after the sign-in, the draft is gone', async () => {
    const { employerId, organizationId } = await company()
    for (const at of [0, 1]) await invoice(employerId, { original: 90_00, dueDate: -20 + at })
    const page = await openSignedIn(portal, tom, { path: `/invoices?organization_type=is&organization_value=${organizationId}` })
    await page.locator('[role=grid]:focus').waitFor()
    await expect.poll(() => page.locator('[role=row][id]').count()).toBe(2)
    for (const key of ['x', 'j', 'x', 'p']) await page.keyboard.press(key)
    await inField(page, 'Amount')
    await page.keyboard.type('120')
    await expect.poll(async () => (await linesOf(page)).length).toBe(2)
    await portal.db.deleteFrom('sessions').where('person_id', '=', tomId).execute()
    await page.keyboard.press('Control+Enter')
    await signIn(portal, page, tom)
    await inField(page, 'Amount')
    await page.getByRole('dialog').getByRole('alert').filter({ hasText: unsent }).waitFor()
    await expect.poll(async () => (await linesOf(page)).length).toBe(2)
    expect(await repaymentsOf(employerId)).toHaveLength(0)
    await page.keyboard.press('Control+Enter')
    await closed(page)
    await expect.poll(async () => (await repaymentsOf(employerId)).length).toBe(1)
    expect(await page.evaluate(() => Object.keys(sessionStorage).filter((name) => name.includes('add-repayment')))).toEqual([])
    await page.context().close()
  })

  test('[REP-006] a lost answer and an ended session while several are paid: sent once, the draft is gone', async () => {
    const { employerId, organizationId } = await company()
    for (const at of [0, 1]) await invoice(employerId, { original: 90_00, dueDate: -20 + at })
    const page = await openSignedIn(portal, tom, { path: `/invoices?organization_type=is&organization_value=${organizationId}` })
    await page.locator('[role=grid]:focus').waitFor()
    await expect.poll(() => page.locator('[role=row][id]').count()).toBe(2)
    for (const key of ['x', 'j', 'x', 'p']) await page.keyboard.press(key)
    await inField(page, 'Amount')
    await page.keyboard.type('120')
    await expect.poll(async () => (await linesOf(page)).length).toBe(2)
    await loseAnswerAndEndSession(page)
    await page.keyboard.press('Control+Enter')
    await signIn(portal, page, tom)
    await closed(page)
    await expect.poll(async () => (await repaymentsOf(employerId)).length).toBe(1)
    expect(await page.evaluate(() => Object.keys(sessionStorage).filter((name) => name.includes('add-repayment')))).toEqual([])
    await page.context().close()
  })

  test('[ERR-031] somebody closed one of its invoices: the specified message, fresh amounts, inputs stay', async () => {
    const at = await filledIn()
    const { page, employerId, other } = at
    const priya = await openAt(`/invoices/${other.id}`, tom)
    await priya.keyboard.press('c')
    await priya.getByRole('button', { name: /^Close invoice/ }).waitFor()
    await priya.keyboard.press('Control+Enter')
    await closed(priya)
    await page.keyboard.press('Control+Enter')
    await page.getByText('Invoice was closed in the meantime. Look at it as it is now, then try again.').waitFor()
    await page.getByText('What you typed is still here.').waitFor()
    await kept(at)
    expect(await repaymentsOf(employerId)).toHaveLength(0)
    await Promise.all([page.context().close(), priya.context().close()])
  })

  test.each([
    [
      'ERR-032',
      'Refund overpayment',
      'Refund amount',
      'There was a problem with the Refund request, or your Invoice Status has changed. Refresh the page and try again.',
    ],
    [
      'ERR-033',
      'Roll overpayment over',
      'Rollover amount',
      'There was a problem with the Rollover request, or your Invoice Status has changed. Refresh the page and try again.',
    ],
  ])('[%s] an overpaid invoice that was changed by somebody else says so', async (_, words, field, sentence) => {
    const { employerId } = await company()
    const { id } = await invoice(employerId, { status: 'SENT', paid: 130_00 })
    await invoice(employerId, { status: 'DRAFT', original: 500_00 })
    const page = await openSharedAt(`/invoices/${id}`)
    await run(page, words)
    await inField(page, field)
    await expect.poll(async () => (await linesOf(page)).length).toBeGreaterThan(0)
    await portal.db
      .updateTable('invoices')
      .set((set) => ({ version: set('version', '+', 1) }))
      .where('id', '=', id)
      .execute()
    await page.keyboard.press('Control+Enter')
    await page.getByText(sentence).first().waitFor()
    await page.keyboard.press('Control+Enter')
    await closed(page)
  })
})

test('[SCR-061, WOF-006] three hundred lines: found by typing, and filled in without delay', async () => {
  const { employerId } = await company('Meridian')
  const { id, employeeIds } = await invoice(employerId, { lineCount: 300, original: 30_000_00 })
  await portal.db
    .updateTable('employees')
    .set({ first_name: 'Maximiliana-Theodora', last_name: 'Featherstonehaugh' })
    .where('id', '=', employeeIds[250] as number)
    .execute()
  const page = await openSharedAt(`/invoices/${id}`)
  await run(page, 'Suggest write-offs')
  await page.locator('[type=search]:focus').waitFor()
  await page.keyboard.type('theodora')
  await page.getByText('1 of 300').waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.type('12.50')
  await page.keyboard.press('Tab')
  await page.keyboard.type('Fraud')
  await page.getByText('Suggested, 1 employee').waitFor()
  expect(await axeViolations(page)).toEqual([])
  // At 1440x900, at 1024x768, and at 200% zoom of both, the focused field and the sums are visible together.
  await page.getByRole('searchbox').fill('')
  await page.getByLabel('Amount, Maximiliana-Theodora Featherstonehaugh').focus()
  for (const [width, height] of [
    [1440, 900],
    [1024, 768],
    [720, 450],
    [512, 384],
  ] as const) {
    await page.setViewportSize({ width, height })
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('ArrowDown')
    await expect.poll(() => page.evaluate(inSight), { message: `${width}x${height}` }).toEqual(['typed in', 'sums', 'send'])
  }
  await page.keyboard.press('Control+Enter')
  await closed(page)
  const [made] = await portal.db.selectFrom('write_offs').selectAll().where('invoice_id', '=', id).execute()
  expect(made).toMatchObject({ suggested_amount: 12_50, reason: 'FRAUD' })
  await page.context().close()
})
