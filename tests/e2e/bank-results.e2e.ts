import { afterAll, beforeAll, expect, test } from 'vitest'
import { said } from '#tests/e2e/at-work.ts'
import { axeViolations, openSignedIn, type Portal, problemsOf, shot, startPortal } from '#tests/e2e/support.ts'
import { bankOf, debitedInvoice, setBusinessDay } from '#tests/support/bank.ts'
import { createCompany } from '#tests/support/company.ts'

let portal: Portal
beforeAll(async () => {
  // Its own, because the business date of the others must not move.
  portal = await startPortal()
  // Debits are sent to the bank on a business day.
  await setBusinessDay(portal.db)
})
afterAll(() => portal?.stop())

test('an unresolved bank result is opened and booked by keyboard', async () => {
  const { employerIds } = await createCompany(portal.db, 'Quayside')
  const bank = bankOf(portal.db)
  const debit = await debitedInvoice(portal.db, bank, employerIds[0] as number)
  await bank.says({ trace: debit.trace, code: 'R01', amount: 20_00 })
  await bank.says({ trace: debit.trace, code: 'R01', amount: 20_00, addenda: 'again' })
  const page = await openSignedIn(portal)
  await page.getByRole('link', { name: 'Unmatched bank results' }).click()
  await page.getByText('Same code and amount as an earlier return').first().waitFor()
  await shot(page, 'bank-results')
  await page.getByRole('grid').focus()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Debit' }).waitFor()
  expect(await axeViolations(page)).toEqual([])
  await page.keyboard.press('p')
  await page.getByLabel('Reason').fill('Two returns of the same amount')
  await page.getByRole('table', { name: 'What changes' }).waitFor()
  await shot(page, 'bank-result-book')
  await page.keyboard.press('Control+Enter')
  await said(page, 'Booked R01 Insufficient funds, $20.00')
  expect(problemsOf(page)).toEqual([])
})

test('a result that matches no debit is booked on the repayment that a person enters', async () => {
  const { employerIds } = await createCompany(portal.db, 'Farshore')
  const bank = bankOf(portal.db)
  const debit = await debitedInvoice(portal.db, bank, employerIds[0] as number)
  await bank.says({ trace: '999000000000009', code: 'R01', amount: 100_00 })
  const page = await openSignedIn(portal, undefined, { path: '/bank-results?q=999000000000009' })
  await page.getByRole('grid').getByText('999000000000009').first().waitFor()
  await page.getByRole('grid').focus()
  await page.keyboard.press('p')
  await page.getByLabel('Reason').fill('The bank named the repayment on the phone')
  const field = page.getByRole('combobox', { name: /Repayment/ })
  await field.focus()
  await page.keyboard.type(`REP-${debit.repaymentId}`)
  await page.getByRole('option', { name: new RegExp(`REP-${debit.repaymentId}`) }).waitFor()
  await page.keyboard.press('Enter')
  // The effect is shown before it is sent.
  await page.getByRole('table', { name: 'What changes' }).getByText(`INV-${debit.id}`).first().waitFor()
  await page.keyboard.press('Control+Enter')
  await said(page, 'Booked R01 Insufficient funds, $100.00')
  expect(problemsOf(page)).toEqual([])
})

test('a notice of change opens its billing account with the corrected data filled in', async () => {
  const { employerIds } = await createCompany(portal.db, 'Harborview')
  const bank = bankOf(portal.db)
  const debit = await debitedInvoice(portal.db, bank, employerIds[0] as number)
  await bank.says({ trace: debit.trace, code: 'C03', amount: 0, addenda: '021000021   000987654321' })
  const page = await openSignedIn(portal, undefined, { path: `/bank-results?q=${debit.trace}` })
  await page.getByRole('grid').getByText('C03 Notice of change').first().waitFor()
  await page.getByRole('grid').focus()
  await page.keyboard.press('Enter')
  await page.getByText('Corrected routing number').waitFor()
  expect(await page.getByText('000987654321').count()).toBe(0)
  await page.getByText('••••4321').first().waitFor()
  await shot(page, 'bank-result-notice')
  await page.keyboard.press('u')
  await page.getByLabel('Reason').fill('As the bank says')
  expect(await page.locator('input[id$="-routing_number"]').inputValue()).toBe('021000021')
  expect(await page.locator('input[id$="-account_number"]').inputValue()).toBe('000987654321')
  await page.keyboard.press('Control+Enter')
  await said(page, 'Billing account updated')
  await page.getByText('Applied').first().waitFor()
  expect(problemsOf(page)).toEqual([])
})
