import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
// biome-ignore lint/style/noRestrictedImports: the form is drawn alone here, on the portal's own store
import { Provider } from 'jotai'
import { afterEach, expect, test, vi } from 'vitest'
import { z } from 'zod'
import suggest from '#commands/invoice/suggest-write-offs.ts'
import { choice, money, rows } from '#contract/fields.ts'
import { CommandForm, type Failure } from '#portal/form/command-form.tsx'
import { noTargets } from '#portal/state/palette.ts'
import { store } from '#portal/state/store.ts'

afterEach(cleanup)

const schema = z.object({
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
  ),
})
const offered = [
  { id: 11, title: 'Mia Torres', detail: 'HF-1', most: 12_050 },
  { id: 12, title: 'Ben Ortiz', most: 4_000 },
]

function show(lines: typeof offered | null = offered) {
  const submit = vi.fn(async (_: Record<string, unknown>): Promise<Failure | null> => null)
  render(
    <Provider store={store}>
      <CommandForm
        command={suggest}
        targets={noTargets}
        schema={schema}
        start={{}}
        params={undefined}
        rows={lines && { suggestions: lines }}
        blocked={null}
        warning={null}
        word={null}
        note=""
        go="Do it"
        frozen={false}
        submit={submit}
      />
    </Provider>,
  )
  return submit
}
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
  expect(screen.getByRole('status', { name: 'Reading the rows' })).toBeTruthy()
})
