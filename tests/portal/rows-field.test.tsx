import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { z } from 'zod'
import suggest from '#commands/invoice/suggest-write-offs.ts'
import { choice, money, rows } from '#contract/fields.ts'
import type { FormRow } from '#kernel/command.ts'
import { readable } from '#portal/form/form-values.ts'
import { showForm } from '#tests/portal/alone.tsx'

afterEach(cleanup)

const schema = z.object({
  total: money('Total').optional(),
  suggestions: rows(
    'Employees',
    z
      .array(
        z.object({
          line_id: z.int(),
          amount: money('Amount', { min: 1 }),
          reason: choice('Reason', ['LEFT', 'OTHER'], { LEFT: 'Left', OTHER: 'Other' }),
        }),
      )
      .min(1, 'Choose at least one employee.'),
    'line_id',
    { shares: 'total' },
  ),
})
const offered: FormRow[] = [
  { id: 11, title: 'Mia Torres', detail: 'HF-1', most: 12_050 },
  { id: 12, title: 'Ben Ortiz', most: 4_000 },
]

const show = (lines: FormRow[] | null = offered, form: z.ZodObject = schema) =>
  showForm({ command: suggest, schema: form, rows: lines && { suggestions: lines, confirmations: lines } })
const fill = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } })
const go = () => fireEvent.keyDown(document.activeElement as Element, { key: 'Enter', ctrlKey: true })

test('[CARD-002] rows that are left empty are no part of what is sent', async () => {
  const submit = show()
  fill('Amount, Ben Ortiz', '25.50')
  fill('Reason, Ben Ortiz', 'LEFT')
  go()
  await waitFor(() => expect(submit).toHaveBeenCalledWith({ suggestions: [{ line_id: 12, amount: 2_550, reason: 'LEFT' }] }))
})

test('a star takes all of a row, and an emptied row is left out again', async () => {
  const submit = show()
  fill('Amount, Mia Torres', '*')
  fill('Reason, Mia Torres', 'OTHER')
  expect(screen.getByLabelText<HTMLInputElement>('Amount, Mia Torres').value).toBe('120.50')
  fill('Amount, Ben Ortiz', '1')
  fill('Amount, Ben Ortiz', '')
  go()
  await waitFor(() => expect(submit).toHaveBeenCalledWith({ suggestions: [{ line_id: 11, amount: 12_050, reason: 'OTHER' }] }))
})

test('[WOF-001] a chosen row without a reason is told so beside the field, and nothing is sent', async () => {
  const submit = show()
  fill('Amount, Ben Ortiz', '1')
  go()
  await waitFor(() => expect(screen.getByLabelText('Reason, Ben Ortiz').getAttribute('aria-invalid')).toBe('true'))
  expect(screen.getByText('This is a required field.')).toBeTruthy()
  expect(submit).not.toHaveBeenCalled()
})

test('no row at all is told once, below the rows', async () => {
  const submit = show()
  go()
  await waitFor(() => expect(screen.getByText('Choose at least one employee.')).toBeTruthy())
  expect(submit).not.toHaveBeenCalled()
})

test('arrows move within a column; rows that are being read say so', () => {
  show()
  screen.getByLabelText('Amount, Mia Torres').focus()
  fireEvent.keyDown(document.activeElement as Element, { key: 'ArrowDown' })
  expect(document.activeElement).toBe(screen.getByLabelText('Amount, Ben Ortiz'))
  cleanup()
  show(null)
  expect(screen.getByRole('status', { name: 'Loading the rows' })).toBeTruthy()
})

const many: FormRow[] = Array.from({ length: 300 }, (_, at) => ({ id: at + 1, title: `Employee ${at + 1}`, most: 1_000 }))

test('[SCR-061] of many lines all can be reached, and typing finds one', async () => {
  const submit = show(many)
  await waitFor(() => expect(screen.getByLabelText('Amount, Employee 300')).toBeTruthy())
  fill('Amount, Employee 7', '5')
  fill('Reason, Employee 7', 'LEFT')
  fireEvent.change(screen.getByRole('searchbox'), { target: { value: 'employee 299' } })
  expect(screen.getAllByLabelText(/^Amount,/).length).toBe(1)
  expect(screen.getByText('1 of 300')).toBeTruthy()
  fill('Amount, Employee 299', '*')
  fill('Reason, Employee 299', 'OTHER')
  go()
  await waitFor(() =>
    expect(submit).toHaveBeenCalledWith({
      suggestions: [
        { line_id: 7, amount: 500, reason: 'LEFT' },
        { line_id: 299, amount: 1_000, reason: 'OTHER' },
      ],
    }),
  )
})

test('[WOF-001] a wrong line that the search hides is shown and has the focus', async () => {
  show(many)
  fill('Amount, Employee 7', '5')
  fireEvent.change(screen.getByRole('searchbox'), { target: { value: 'employee 299' } })
  expect(screen.queryByLabelText('Reason, Employee 7')).toBeNull()
  go()
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Reason, Employee 7')))
  expect(document.activeElement?.getAttribute('aria-invalid')).toBe('true')
})

test('[SCR-057] the sum of the lines stands against the amount that they share out', () => {
  show()
  fill('Amount, Mia Torres', '20')
  expect(screen.getByText('$20.00').parentElement?.textContent).toBe('$20.00')
  fireEvent.change(screen.getByLabelText(/^Total/), { target: { value: '50' } })
  expect(screen.getByText('$20.00').parentElement?.textContent).toBe('$20.00 of $50.00, $30.00 left')
  fill('Amount, Ben Ortiz', '35.50')
  expect(screen.getByText('$55.50').parentElement?.textContent).toBe('$55.50 of $50.00, $5.50 too much')
})

test('[ERR-031] a line that is not offered any more keeps what was typed, and says so', async () => {
  const { again } = show()
  fill('Amount, Mia Torres', '20')
  again({ rows: { suggestions: offered.slice(1) } })
  expect(screen.getByLabelText<HTMLInputElement>('Amount, Mia Torres').value).toBe('20')
  expect(screen.getByText(/No longer available/)).toBeTruthy()
  fill('Amount, Mia Torres', '')
  await waitFor(() => expect(screen.queryByLabelText('Amount, Mia Torres')).toBeNull())
})

test('[WOF-001] what the server says of a cell stands beside that cell', async () => {
  const submit = show()
  submit.mockImplementation(async () => ({
    sentence: 'Some fields are not right.',
    detail: null,
    errors: [{ path: 'suggestions.1.amount', message: 'Too much.' }],
  }))
  for (const name of ['Mia Torres', 'Ben Ortiz']) {
    fill(`Amount, ${name}`, '1')
    fill(`Reason, ${name}`, 'LEFT')
  }
  go()
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Amount, Ben Ortiz')))
  expect(screen.getByText('Too much.')).toBeTruthy()
})

test('where every line stands for itself, all that are shown and empty are taken in full at once', async () => {
  const each = z.object({ line_id: z.int(), withheld: money('Withheld') })
  const submit = show(many, z.object({ confirmations: rows('Withheld', z.array(each), 'line_id', { inFull: true }) }))
  fill('Withheld, Employee 2', '3')
  fireEvent.change(screen.getByRole('searchbox'), { target: { value: 'employee 2' } })
  fireEvent.click(screen.getByRole('button', { name: 'All in full' }))
  go()
  await waitFor(() => expect(submit).toHaveBeenCalled())
  const [[sent]] = submit.mock.calls as [[{ confirmations: { line_id: number; withheld: number }[] }]]
  const { confirmations } = sent
  expect(confirmations.slice(0, 2)).toEqual([
    { line_id: 2, withheld: 300 },
    { line_id: 20, withheld: 1_000 },
  ])
  expect(confirmations).toHaveLength(111)
})

test('what is no amount is neither foretold nor kept as a draft', () => {
  expect(
    readable({
      amount: Number.NaN,
      notes: 'x',
      allocations: [
        { invoice_id: 1, amount: Number.NaN },
        { invoice_id: 2, amount: 5 },
      ],
    }),
  ).toEqual({ notes: 'x', allocations: [{ invoice_id: 2, amount: 5 }] })
})
