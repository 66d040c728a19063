import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { formatCents } from '#domain/money.ts'
import { axeViolations, closeAll, follow, openShared, type Portal, problemsOf, sharePortal } from '#tests/e2e/support.ts'
import { createCompany, createEmployee } from '#tests/support/company.ts'
import { createPerson } from '#tests/support/people.ts'
import { createInvoice } from '#tests/support/money.ts'

let portal: Portal
let page: Page
let employerId: number
let odile: Person
let piet: Person

interface Person {
  id: number
  name: string
}

/** An active employee with a user. */
async function active(firstName: string, lastName: string): Promise<Person> {
  const { id } = await createEmployee(portal.db, { employerId, firstName, lastName, linked: {} })
  return { id, name: `${firstName} ${lastName}` }
}

beforeAll(async () => {
  portal = await sharePortal()
  const { employerIds } = await createCompany(portal.db, 'Lantern')
  employerId = employerIds[0] as number
  odile = await active('Odile', 'Farrow')
  piet = await active('Piet', 'Marchetti')
  page = await openShared(portal, undefined, '/employees')
})
afterAll(() => portal?.stop())

const results = () => page.locator('[role=dialog] [role=option]')
const highlighted = () => page.locator('[role=dialog] [role=option][aria-selected=true]')

async function type(sentence: string): Promise<void> {
  await closeAll(page)
  await page.keyboard.press('Control+k')
  await page.keyboard.type(sentence)
}

describe('a sentence in the palette', () => {
  test('fills in the form: the second Enter sends it', async () => {
    const { id, name } = await active('Greta', 'Holloway')
    await type(`pause ${id} called about a lost card`)
    await highlighted().getByText(`Pause employee: ${name}`).waitFor()
    expect(await highlighted().innerText()).toContain('Reason: called about a lost card')
    expect(await axeViolations(page)).toEqual([])
    await page.keyboard.press('Enter')
    await page.locator('[data-go]:focus').waitFor()
    expect(await page.getByLabel('Reason').inputValue()).toBe('called about a lost card')
    await page.keyboard.press('Enter')
    await page.getByText(`Paused ${name}`).first().waitFor()
    const paused = await portal.db
      .selectFrom('employees')
      .select(['status', 'pause_reason'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    expect(paused).toEqual({ status: 'PAUSED', pause_reason: 'called about a lost card' })
  })

  test('with a typing error is corrected by Enter, also before the search has answered', async () => {
    const { id, name } = await active('Ines', 'Calloway')
    await type(`puase ${id} lost card`)
    await page.keyboard.press('Enter')
    await highlighted().getByText(`Pause employee: ${name}`).waitFor()
    expect(await page.getByRole('combobox').inputValue()).toBe(`pause ${id} lost card`)
    expect(await highlighted().innerText()).toContain('Reason: lost card')
    expect(await axeViolations(page)).toEqual([])
    await page.keyboard.press('Enter')
    await page.locator('[data-go]:focus').waitFor()
    expect(await page.getByLabel('Reason').inputValue()).toBe('lost card')
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
  })

  test('typed with its Enter waits for the record, and starts at the first field that is missing', async () => {
    const { id } = await createInvoice(portal.db, { employerId, lines: [{ employeeId: odile.id, amount: 100_00 }] })
    await type(`INV-${id} add repayment 12.50`)
    await page.keyboard.press('Enter')
    await page.locator('[data-go]:focus').waitFor()
    expect(await page.getByLabel('Amount', { exact: true }).inputValue()).toBe('12.50')
    await page.getByText('To this invoice.').waitFor()
    await page.keyboard.press('Enter')
    await page.getByText('Added a repayment of $12.50').first().waitFor()
    const after = await portal.db
      .selectFrom('invoices')
      .select('outstanding_amount')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    expect(after.outstanding_amount).toBe(87_50)

    await type(`add repayment INV-${id} nov 20`)
    await highlighted().getByText('Repayment date: 20 Nov').waitFor()
    await page.keyboard.press('Enter')
    await page.locator('input[id$="-amount"]:focus').waitFor()
    await closeAll(page)
  })

  test('is about several records, and says which one does not exist', async () => {
    await type(`pause ${odile.id} ${piet.id} moving to another payroll`)
    await highlighted().getByText('Pause employee: 2 employees').waitFor()
    await page.keyboard.press('Enter')
    await page.getByText('2 eligible').waitFor()
    expect(await page.getByLabel('Reason').inputValue()).toBe('moving to another payroll')
    await type(`pause ${odile.id} 999999998 moving`)
    await highlighted().getByText('2 employees').waitFor()
    await page.keyboard.press('Enter')
    await page.getByText('No employee 999999998, or you have no access.').first().waitFor()
    expect(
      await page
        .locator('[role=dialog]')
        .getByText(/^\d+ eligible/)
        .count(),
    ).toBe(0)
  })

  test('is about a name, with the rest of the words as the text', async () => {
    await type(`add employee note ${odile.name.toLowerCase()} called back about the card`)
    await results().getByText(`Add employee note: ${odile.name}`).first().waitFor()
    expect(await results().first().innerText()).toContain('Note: called back about the card')
  })

  test('names the records of a field: the list of the form has them in addition', async () => {
    const { employerIds } = await createCompany(portal.db, 'Quillon', 2)
    const [own, other] = employerIds as [number, number]
    const person = await createPerson(portal.db, {
      ...{ kind: 'ACCOUNT_MANAGER', name: 'Ottilie Vance', groups: [], grants: [{ employerId: own }] },
    })
    const { internal_name } = await portal.db
      .selectFrom('employers')
      .select('internal_name')
      .where('id', '=', other)
      .executeTakeFirstOrThrow()
    await type(`link ottilie vance to ${internal_name.toLowerCase()}`)
    await highlighted().getByText(`Employers: ${internal_name}`).waitFor()
    expect(await axeViolations(page)).toEqual([])
    await page.keyboard.press('Enter')
    const form = page.locator('[role=dialog]')
    await form.getByRole('button', { name: `Remove ${internal_name}` }).waitFor()
    expect(await form.getByRole('button', { name: /^Remove / }).count()).toBe(2)
    await closeAll(page)
    await type(`link ${person.email} to quillon`)
    await results().getByText('Employers: ').first().waitFor()
    expect(await results().getByText('Employers: ').count()).toBeGreaterThan(1)
    expect(await highlighted().count()).toBe(0)
    await closeAll(page)
  })

  test('is completed by Tab, value by value, and Escape brings back what was typed', async () => {
    const field = page.getByRole('combobox', { name: 'Command palette' })
    const typed = `change pay frequency and next pay date ${odile.id} `
    await type(typed)
    await highlighted().getByText(odile.name).waitFor()
    await page.keyboard.press('Tab')
    await expect.poll(() => field.inputValue()).toBe(`${typed}Weekly`)
    await highlighted().getByText('Payroll frequency: Weekly').waitFor()
    await page.keyboard.press('Tab')
    await expect.poll(() => field.inputValue()).toBe(`${typed}Bi-weekly`)
    await page.keyboard.press('Shift+Tab')
    await expect.poll(() => field.inputValue()).toBe(`${typed}Weekly`)
    await page.keyboard.press('Escape')
    await expect.poll(() => field.inputValue()).toBe(typed)
    await page.keyboard.type('semi')
    await page.keyboard.press('Tab')
    await expect.poll(() => field.inputValue()).toBe(`${typed}Semi-monthly`)
    await page.keyboard.press('Tab')
    await expect.poll(() => field.inputValue()).toBe(`${typed}Semi-monthly today`)
    await closeAll(page)
  })

  test('runs a command on everything that a filter matches, which is counted first', async () => {
    const { count, most } = await portal.db
      .selectFrom('write_offs')
      .select((eb) => [eb.fn.countAll<string>().as('count'), eb.fn.max('suggested_amount').as('most')])
      .executeTakeFirstOrThrow()
    const limit = Math.ceil(most / 100) + 1
    await type(`reject write-offs under ${limit}`)
    await results()
      .getByText(`Reject write-off: all write-offs · Suggested amount under ${formatCents(limit * 100)}`)
      .waitFor()
    // The list stays the highlighted row.
    expect(await highlighted().innerText()).toMatch(/^Show all write-offs/)
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.getByText('Preview checks every row and changes nothing.', { exact: false }).waitFor()
    await page
      .locator('[role=dialog]')
      .getByText(`All write-offs · Suggested amount under ${formatCents(limit * 100)}`)
      .waitFor()
    await page.getByLabel('Reason').fill('too small to recover')
    await page.keyboard.press('Control+Enter')
    const counted = await page
      .locator('[role=dialog]')
      .getByText(/^[\d,]+ eligible/)
      .innerText()
    const [eligible = 0, blocked = 0] = [...counted.matchAll(/(\d+) (?:eligible|blocked)/g)].map(([, number]) => Number(number))
    expect(eligible + blocked).toBe(Number(count))
    await closeAll(page)
  })

  test('with a word that no field takes changes nothing by Enter alone', async () => {
    await type(`unlink employee from user ${odile.id} please`)
    await results().getByText('not understood: please').waitFor()
    expect(await highlighted().count()).toBe(0)
    await page.keyboard.press('Enter')
    await page.getByText('Choose a row with the arrow keys.').first().waitFor()
    await closeAll(page)
    await follow(page, '/employees')
    expect(problemsOf(page)).toEqual([])
  })
})
