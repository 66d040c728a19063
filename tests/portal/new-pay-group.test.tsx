import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import page from '#commands/employer/add-pay-group.page.ts'
import { emsForm } from '#entities/pages/ems-configuration-form.ts'
import { payGroupForm, payGroupPreview } from '#entities/pages/pay-group-form.ts'
import { fieldsOf } from '#kernel/form.ts'
import type { Failure } from '#portal/form/session/failure.ts'
import { store } from '#portal/platform/store.ts'
import { meAtom } from '#portal/api/session.ts'
import { pageForm, showAlone, tasksDone } from '#tests/portal/alone.tsx'
import { adminWithout, employerLike } from '#tests/support/examples.ts'

beforeEach(() => {
  store.set(meAtom, adminWithout())
  sessionStorage.clear()
})
afterEach(cleanup)

const shown = () => showAlone(pageForm({ page, saved: page.saved({ today: '2026-01-05' }) }))

test('a new record shows nothing as saved, and required fields are not called optional', () => {
  shown()
  fireEvent.click(screen.getByLabelText('Semi-monthly'))
  fireEvent.click(screen.getByLabelText('Same day'))
  expect(screen.queryByText(/^Saved:/)).toBeNull()
  const second = screen.getByText('Second report date').closest('[data-field]') as HTMLElement
  expect(within(second).queryByText('optional')).toBeNull()
  const urls = fieldsOf(emsForm).filter(({ title }) => title === 'Partner URL')
  expect(urls.map(({ needed }) => needed)).toEqual([true, true])
})

test('a page that cannot be undone says so before it is saved', () => {
  shown()
  expect(screen.queryByText('This cannot be undone.')).toBeNull()
  fireEvent.click(screen.getByLabelText('Semi-monthly'))
  screen.getByText('This cannot be undone.')
})

const dates = ['2026-12-01', '2026-12-07', '2026-12-09', '2026-12-12']
const field = (label: string) => screen.getByLabelText(new RegExp(`^${label}`)) as HTMLInputElement
const type = (label: string, value: string) => {
  field(label).focus()
  fireEvent.change(field(label), { target: { value } })
  fireEvent.blur(field(label))
}
/** Fills in a valid weekly pay group. */
function fill(submit?: () => Promise<Failure | null>) {
  showAlone(pageForm({ page, saved: page.saved({ today: '2026-01-05' }), ...(submit ? { submit } : {}) }))
  type('Name', 'Weekly')
  type('External code', 'W-1')
  fireEvent.click(screen.getByLabelText('Weekly'))
  for (const [at, label] of ['First start', 'First end', 'First report date', 'First payment date'].entries())
    type(label, dates[at] as string)
}
const order = 'The report date must be before the payment date.'

test('a rule about two dates is checked on leaving either, and its error clears with either', async () => {
  fill()
  type('First report date', '2026-12-12')
  await screen.findByText(order)
  type('First payment date', '2026-12-14')
  await waitFor(() => expect(screen.queryByText(order)).toBeNull())
  type('First payment date', '2026-12-11')
  await screen.findByText(order)
})

test('an empty field that was not visited is not reported', async () => {
  showAlone(pageForm({ page, saved: page.saved({ today: '2026-01-05' }) }))
  type('Name', 'Weekly')
  await tasksDone()
  expect(screen.queryByText('This is a required field.')).toBeNull()
})

test('a duplicate code is reported beside its field, also when that is left, until it is changed', async () => {
  const taken = 'Another pay group of this employer has this code.'
  const errors = [{ path: 'external_code', message: taken }]
  fill(async () => ({ sentence: taken, detail: null, errors }))
  fireEvent.keyDown(field('Name'), { key: 'Enter', ctrlKey: true })
  await waitFor(() => expect(screen.getAllByText(new RegExp(taken))).toHaveLength(2))
  await waitFor(() => expect(document.activeElement).toBe(field('External code')))
  type('Name', 'Weekly staff')
  await tasksDone()
  expect(screen.getAllByText(new RegExp(taken))).toHaveLength(2)
  type('External code', 'W-2')
  await waitFor(() => expect(screen.queryByText(new RegExp(taken))).toBeNull())
})

test('the preview says which period has an invalid date', () => {
  const params = {
    payroll_frequency: 'SEMI_MONTHLY',
    adjustment_type: 'SAME_DAY',
    first_start_date: '2026-12-01',
    first_end_date: '2026-12-15',
    first_report_date: '2026-12-21',
    first_payment_date: '2026-12-24',
    second_start_date: '2026-12-16',
    second_end_date: '2026-12-31',
    second_report_date: '2026-12-15',
    second_payment_date: '2026-12-31',
  } as const
  expect(payGroupPreview(params, '2026-11-24', null)?.notes).toEqual([
    'Second report date: The report date must be after the start date.',
  ])
})

const weekly = {
  payroll_frequency: 'WEEKLY',
  adjustment_type: 'SAME_DAY',
  first_start_date: '2028-10-02',
  first_end_date: '2028-10-08',
  first_report_date: '2028-10-10',
  first_payment_date: '2028-10-12',
} as const

test.each([
  ['2028-10-08', []],
  ['2028-10-09', ['1 of them is over already: they begin on 2028-10-02.']],
  ['2028-11-22', ['7 of them are over already: they begin on 2028-10-02.']],
])('on %s the preview of a new pay group shows how many periods are already over', (today, over) => {
  expect(payGroupPreview(weekly, today, null)?.notes).toEqual(['Its periods are generated a year ahead.', ...over])
})

test('a date of the preview has its year, and a message names the code of the group', () => {
  const preview = (params: object) => payGroupPreview(params, '2028-12-20', null)
  showAlone(pageForm({ page, saved: { ...page.saved({ today: '2028-12-20' }), ...weekly }, preview }))
  const [first] = within(screen.getByRole('complementary')).getAllByRole('row').slice(1)
  expect(first?.textContent).toBe('18 Dec to 24 Dec 2028Tue 26 Dec 2028Thu 28 Dec 2028')
  const params = { ...weekly, name: 'Weekly', external_code: 'W-1' }
  expect(page.done(employerLike(), params as never)).toBe('Added the pay group Weekly (W-1) to Harbor Foods')
})

test('a payment date on the last day of a month asks for its meaning; the preview waits', () => {
  const values = {
    payroll_frequency: 'MONTHLY',
    adjustment_type: 'SAME_DAY',
    first_start_date: '2026-11-01',
    first_end_date: '2026-11-30',
    first_report_date: '2026-11-16',
    first_payment_date: '2026-11-30',
  } as const
  const question =
    '2026-11-30 is the last day of its month. Choose whether it repeats on the 30th or on the last day of every month.'
  expect(payGroupPreview(values, '2026-11-01', null)).toMatchObject({ rows: [], notes: [question] })
  const faults = payGroupForm.safeParse({ ...values, name: 'Monthly', external_code: 'M-1' }).error?.issues
  expect(faults).toMatchObject([{ path: ['month_end'], message: question }])
  const of = (month_end: 'LAST_DAY' | 'SAME_DAY') => payGroupPreview({ ...values, month_end }, '2026-11-01', null)
  expect(of('LAST_DAY')?.notes[0]).toBe('2026-11-30: repeats on the last day of every month.')
  expect(of('LAST_DAY')?.rows[1]?.cells[2]).toBe('Thu 2026-12-31')
  expect(of('SAME_DAY')?.notes[0]).toBe('2026-11-30: repeats on the 30th, and on the last day of a month that is shorter.')
  expect(of('SAME_DAY')?.rows[1]?.cells[2]).toBe('Wed 2026-12-30')
  // A weekly group repeats by weeks: there is no question.
  expect(
    payGroupPreview({ ...values, payroll_frequency: 'WEEKLY', first_end_date: '2026-11-07' }, '2026-11-01', null)?.notes,
  ).not.toContain(question)
})

test('the question is shown for groups that repeat by the month only', () => {
  shown()
  expect(screen.queryByText('The last day of every month')).toBeNull()
  fireEvent.click(screen.getByLabelText('Monthly'))
  screen.getByText('The last day of every month')
})
