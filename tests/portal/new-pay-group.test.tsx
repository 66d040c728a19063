import { cleanup, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import page from '#commands/employer/add-pay-group.page.ts'
import { emsForm } from '#entities/pages/ems-configuration-form.ts'
import { payGroupPreview } from '#entities/pages/pay-group-form.ts'
import { fieldsOf } from '#kernel/form.ts'
import { store } from '#portal/app/store.ts'
import { meAtom } from '#portal/session/session.ts'
import { pageForm, showAlone } from '#tests/portal/alone.tsx'
import { adminWithout } from '#tests/support/examples.ts'

beforeEach(() => {
  store.set(meAtom, adminWithout())
  sessionStorage.clear()
})
afterEach(cleanup)

const shown = () => showAlone(pageForm({ page, saved: page.saved({ today: '2026-01-05' }) }))

test('of something new nothing is said to be saved, and what has to be filled in is not called optional', () => {
  shown()
  fireEvent.click(screen.getByLabelText('Semi-monthly'))
  fireEvent.click(screen.getByLabelText('Same day'))
  expect(screen.queryByText(/^Saved:/)).toBeNull()
  const second = screen.getByText('Second report date').closest('[data-field]') as HTMLElement
  expect(within(second).queryByText('optional')).toBeNull()
  const urls = fieldsOf(emsForm).filter(({ title }) => title === 'Partner URL')
  expect(urls.map(({ needed }) => needed)).toEqual([true, true])
})

test('what cannot be undone says so before it is saved', () => {
  shown()
  expect(screen.queryByText('This cannot be undone.')).toBeNull()
  fireEvent.click(screen.getByLabelText('Semi-monthly'))
  screen.getByText('This cannot be undone.')
})

test('the preview says of which period a date is wrong', () => {
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
