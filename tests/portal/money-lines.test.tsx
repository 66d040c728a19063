import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import suggest from '#commands/invoice/suggest-write-offs.ts'
import { choice, money, rows } from '#contract/fields.ts'
import { leftOver, type MoneyLine, type MoneyLines, sumOf } from '#kernel/money-lines.ts'
import { sentencesOf } from '#portal/form/money/consequences.tsx'
import { linesField } from '#portal/form/money/deferred.ts'
import { stillStanding } from '#portal/form/money/recheck-amounts.ts'
import type { FormPreview } from '#portal/form/preview/use-preview.tsx'
import { openPalette, paletteAtom } from '#portal/commands/palette-state.ts'
import { barKeys, escapeFirstAtom, formKeysAtom } from '#portal/keyboard/key-map.ts'
import { meAtom } from '#portal/api/session.ts'
import { store } from '#portal/platform/store.ts'
import { showForm, tasksDone } from '#tests/portal/alone.tsx'
import { adminWithout } from '#tests/support/examples.ts'
import type { Values } from '#kernel/form-values.ts'
import { readable } from '#portal/form/session/values.ts'

beforeAll(() => linesField.fetch())
afterEach(() => {
  cleanup()
  store.set(meAtom, null)
  sessionStorage.clear()
})

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
interface OfferedLine {
  id: number
  title: string
  detail?: string
  owes: number
}
const offered: OfferedLine[] = [
  { id: 11, title: 'Mia Torres', detail: 'HF-1', owes: 12_050 },
  { id: 12, title: 'Ben Ortiz', owes: 4_000 },
]
type Typed = { line_id: number; amount?: number }[]

/** Lines as a command creates them: the typed amount is deducted from the outstanding one. */
function linesOf(from: readonly OfferedLine[], typed: Typed = []): MoneyLines {
  const lines = from.map(({ owes, ...line }): MoneyLine => {
    const moves = typed.find((each) => each.line_id === line.id)?.amount ?? 0
    return { ...line, before: owes, moves, after: owes - moves, max: owes }
  })
  return { one: 'employee', many: 'employees', heads: ['Owes now', 'Write off', 'If approved'], lines, sums: [] }
}
const shownOf =
  (from: readonly OfferedLine[] | null) =>
  (values: Values): FormPreview => ({
    lines: from ? linesOf(from, (readable(values)['suggestions'] ?? []) as Typed) : 'reading',
    below: null,
  })
const show = (from: readonly OfferedLine[] | null = offered, form: z.ZodObject = schema) =>
  showForm({ command: suggest, schema: form, start: { suggestions: [] }, shown: shownOf(from) })
const fill = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } })
const go = () => fireEvent.keyDown(document.activeElement as Element, { key: 'Enter', ctrlKey: true })

test('[CARD-002] empty rows are not sent', async () => {
  const submit = show()
  fill('Amount, Ben Ortiz', '25.50')
  fill('Reason, Ben Ortiz', 'LEFT')
  go()
  await waitFor(() => expect(submit).toHaveBeenCalledWith({ suggestions: [{ line_id: 12, amount: 2_550, reason: 'LEFT' }] }))
})

test('a star fills in the full amount of a row, and a cleared row is left out again', async () => {
  const submit = show()
  fill('Amount, Mia Torres', '*')
  fill('Reason, Mia Torres', 'OTHER')
  expect(screen.getByLabelText<HTMLInputElement>('Amount, Mia Torres').value).toBe('120.50')
  fill('Amount, Ben Ortiz', '1')
  fill('Amount, Ben Ortiz', '')
  go()
  await waitFor(() => expect(submit).toHaveBeenCalledWith({ suggestions: [{ line_id: 11, amount: 12_050, reason: 'OTHER' }] }))
})

test('[WOF-001] a chosen row without a reason shows the error beside the field, and nothing is sent', async () => {
  const submit = show()
  fill('Amount, Ben Ortiz', '1')
  go()
  await waitFor(() => expect(screen.getByLabelText('Reason, Ben Ortiz').getAttribute('aria-invalid')).toBe('true'))
  expect(screen.getByText('This is a required field.')).toBeTruthy()
  expect(submit).not.toHaveBeenCalled()
})

test('no rows at all is reported once, below the rows', async () => {
  const submit = show()
  go()
  await waitFor(() => expect(screen.getByText('Choose at least one employee.')).toBeTruthy())
  expect(submit).not.toHaveBeenCalled()
})

test('arrows move within a column; loading rows say so', () => {
  show()
  screen.getByLabelText('Amount, Mia Torres').focus()
  fireEvent.keyDown(document.activeElement as Element, { key: 'ArrowDown' })
  expect(document.activeElement).toBe(screen.getByLabelText('Amount, Ben Ortiz'))
  cleanup()
  show(null)
  expect(screen.getByRole('status', { name: 'Loading the lines' })).toBeTruthy()
})

/** The message where a search hid lines to be sent. */
const hiddenLinesMessage = (hidden: string) =>
  `Not sent: the search hid ${hidden} that would be sent. Look at them, then send again.`
const many: OfferedLine[] = Array.from({ length: 300 }, (_, at) => ({ id: at + 1, title: `Employee ${at + 1}`, owes: 1_000 }))

test('a separate group of lines has a heading before its first line, also in search results', async () => {
  const rest = new Set([6, 299, 300])
  const lines = linesOf(many)
  const apart = { ...lines, lines: lines.lines.map((line) => (rest.has(line.id as number) ? { ...line, part: 'Others' } : line)) }
  showForm({ command: suggest, schema, start: { suggestions: [] }, shown: () => ({ lines: apart, below: null }) })
  const heads = () =>
    screen.queryAllByRole('rowheader', { name: 'Others' }).map((each) => each.closest('tr')?.nextSibling?.textContent)
  await waitFor(() => expect(screen.getByLabelText('Amount, Employee 300')).toBeTruthy())
  expect(heads()).toEqual([expect.stringContaining('Employee 6'), expect.stringContaining('Employee 299')])
  fireEvent.change(screen.getByRole('searchbox'), { target: { value: 'employee 300' } })
  expect(heads()).toEqual([expect.stringContaining('Employee 300')])
})

test('[SCR-061] all of many lines can be reached, and typing finds one', async () => {
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
  await screen.findByText(hiddenLinesMessage('1 line'))
  expect(document.activeElement).toBe(screen.getByLabelText('Amount, Employee 7'))
  expect(submit).not.toHaveBeenCalled()
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

test('suggested lines hidden by a search are not sent: the search is cleared, with their number', async () => {
  const each = z.object({ line_id: z.int(), amount: money('Withheld') })
  const lines = linesOf(many.slice(0, 42))
  const suggested = { ...lines, lines: lines.lines.map((line) => ({ ...line, moves: 1_000, suggested: 1_000 })) }
  const submit = showForm({
    command: suggest,
    schema: z.object({ suggestions: rows('Withheld', z.array(each), 'line_id', { inFull: true }).optional() }),
    shown: () => ({ lines: suggested, below: null }),
  })
  // The filled in lines are to be reviewed: the focus starts there, not in the search.
  const isAt = (id: number) => expect(document.activeElement).toBe(screen.getByLabelText(`Withheld, Employee ${id}`))
  isAt(1)
  const search = screen.getByRole<HTMLInputElement>('searchbox')
  for (const [typed, hidden, first] of [
    ['99999', '42 lines', 1],
    ['employee 1', '31 lines', 2],
  ] as const) {
    fireEvent.change(search, { target: { value: typed } })
    search.focus()
    go()
    await screen.findByText(hiddenLinesMessage(hidden))
    expect([search.value, submit.mock.calls]).toEqual(['', []])
    isAt(first)
  }
  fireEvent.change(search, { target: { value: 'employee' } })
  expect(screen.queryByText(hiddenLinesMessage('31 lines'))).toBeNull()
  go()
  await waitFor(() => expect(submit).toHaveBeenCalledWith({}))
})

test('[WOF-001] an invalid line hidden by the search is shown and has the focus', async () => {
  show(many)
  fill('Amount, Employee 7', '5')
  fireEvent.change(screen.getByRole('searchbox'), { target: { value: 'employee 299' } })
  expect(screen.queryByLabelText('Reason, Employee 7')).toBeNull()
  go()
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Reason, Employee 7')))
  expect(document.activeElement?.getAttribute('aria-invalid')).toBe('true')
})

test('[ERR-031] a line that is no longer offered keeps its inputs, and says so', async () => {
  const { again } = show()
  fill('Amount, Mia Torres', '20')
  again({ shown: shownOf(offered.slice(1)) })
  expect(screen.getByLabelText<HTMLInputElement>('Amount, Mia Torres').value).toBe('20')
  expect(screen.getByText(/No longer available/)).toBeTruthy()
  fill('Amount, Mia Torres', '')
  await waitFor(() => expect(screen.queryByLabelText('Amount, Mia Torres')).toBeNull())
})

test('[ERR-031] a line that is no longer offered is not sent but cleared; the focus stays in the lines', async () => {
  const shown = show()
  for (const name of ['Mia Torres', 'Ben Ortiz']) {
    fill(`Amount, ${name}`, '20')
    fill(`Reason, ${name}`, 'LEFT')
  }
  shown.again({ shown: shownOf(offered.slice(1)) })
  go()
  await screen.findByText('Clear the lines that are no longer available.')
  expect(shown).not.toHaveBeenCalled()
  const clear = screen.getByRole('button', { name: 'Clear' })
  clear.focus()
  fireEvent.click(clear)
  expect(screen.queryByLabelText('Reason, Mia Torres')).toBeNull()
  expect(document.activeElement).toBe(screen.getByLabelText('Amount, Ben Ortiz'))
  await waitFor(() => expect(screen.queryByText('Clear the lines that are no longer available.')).toBeNull())
  go()
  await waitFor(() => expect(shown).toHaveBeenCalledTimes(1))
})

test('[WOF-001] a server error of a cell is beside that cell', async () => {
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

test('all visible empty lines are filled in full at once, where lines are independent', async () => {
  const each = z.object({ line_id: z.int(), amount: money('Withheld') })
  const submit = show(many, z.object({ suggestions: rows('Withheld', z.array(each), 'line_id', { inFull: true }) }))
  fill('Withheld, Employee 2', '3')
  fireEvent.change(screen.getByRole('searchbox'), { target: { value: 'employee 2' } })
  fireEvent.click(screen.getByRole('button', { name: 'All in full' }))
  go()
  await waitFor(() => expect(submit).toHaveBeenCalled())
  const [[sent]] = submit.mock.calls as [[{ suggestions: { line_id: number; amount: number }[] }]]
  const { suggestions } = sent
  expect(suggestions.slice(0, 2)).toEqual([
    { line_id: 2, amount: 300 },
    { line_id: 20, amount: 1_000 },
  ])
  expect(suggestions).toHaveLength(111)
})

test('an invalid amount has no preview', () => {
  expect(
    readable({
      amount: { unread: '1.005' },
      notes: 'x',
      allocations: [
        { invoice_id: 1, amount: { unread: '1.005' } },
        { invoice_id: 2, amount: 5 },
      ],
    }),
  ).toEqual({ notes: 'x', allocations: [{ invoice_id: 2, amount: 5 }] })
})

/** A repayment: its amount is allocated to invoices, the oldest first, until somebody changes that. */
const repayment = z.object({
  amount: money('Amount'),
  allocations: rows('Invoices', z.array(z.object({ invoice_id: z.int(), amount: money('Amount') })), 'invoice_id').optional(),
})
const owes = new Map([
  [1, 6_000],
  [2, 7_000],
  [3, 2_000],
])
type Shares = { invoice_id: number; amount: number }[]
function repaymentShown(values: Values): FormPreview {
  const { amount = 0, allocations } = readable(values) as { amount?: number; allocations?: Shares }
  let left = amount
  const lines = [...owes].map(([id, before]): MoneyLine => {
    const suggested = Math.min(left, before)
    left -= suggested
    const moves = allocations ? (allocations.find((each) => each.invoice_id === id)?.amount ?? 0) : suggested
    return { id, title: `INV-${id}`, before, moves, after: before - moves, max: before, suggested }
  })
  const sum = sumOf(lines.map((line) => line.moves))
  return {
    lines: {
      one: 'invoice',
      many: 'invoices',
      heads: ['Owes now', 'This pays', 'Owes after'],
      lines,
      whole: amount,
      max: 6_000,
      hint: 'Oldest due first.',
      sums: [{ title: 'Amount', cents: amount }, leftOver('Unallocated', amount - sum)],
    },
    wrong: new Map(sum > amount ? [['allocations', 'More is allocated than there is.']] : []),
    below: null,
  }
}
const pay = () => showForm({ command: suggest, schema: repayment, shown: repaymentShown })
const input = (id: number) => screen.getByLabelText<HTMLInputElement>(`Amount, INV-${id}`)
const typedIn = (...ids: number[]) => ids.map((id) => input(id).value)
const amount = () => screen.getByLabelText<HTMLInputElement>('Amount')
const row = (id: number) => (input(id).closest('tr') as HTMLElement).textContent
const foot = () => [...document.querySelectorAll('.money-sums > p')].map((each) => each.textContent)
const all = () => [...(document.querySelector('.money-all') as HTMLElement).children].map((each) => each.textContent)

test('[SCR-057] each line has the suggested amount in its input, balances beside it, and sums follow keys', () => {
  pay()
  fireEvent.change(amount(), { target: { value: '145' } })
  expect(typedIn(1, 2, 3)).toEqual(['60.00', '70.00', '15.00'])
  expect(row(3)).toBe('INV-3$20.00$$5.00')
  expect([all(), foot()]).toEqual([
    ['3 invoices', '$150.00', '$145.00', '$5.00'],
    ['Amount$145.00', 'Unallocated$0.00'],
  ])
  fireEvent.change(input(3), { target: { value: '10' } })
  expect(row(3)).toBe('INV-3suggested $15.00 s use$20.00$$10.00')
  expect([all()[3], foot()[1]]).toEqual(['$10.00', 'Unallocated$5.00'])
  // From now on all of them stay as they are.
  fireEvent.change(amount(), { target: { value: '150' } })
  expect([...typedIn(1, 2, 3), foot()[1]]).toEqual(['60.00', '70.00', '10', 'Unallocated$10.00'])
  fireEvent.click(screen.getByRole('button', { name: 'Use the suggestion' }))
  expect(typedIn(1, 2, 3)).toEqual(['60.00', '70.00', '20.00'])
})

test('an invalid line is restored with a draft, reported, and neither sent nor left out', async () => {
  store.set(meAtom, adminWithout())
  pay()
  fireEvent.change(amount(), { target: { value: '145' } })
  fireEvent.change(input(3), { target: { value: '10.005' } })
  cleanup()
  const submit = pay()
  expect(typedIn(1, 2, 3)).toEqual(['60.00', '70.00', '10.005'])
  await screen.findByText('Enter an amount such as 12.50')
  fireEvent.keyDown(amount(), { key: 'Enter', ctrlKey: true })
  await tasksDone()
  expect(submit).not.toHaveBeenCalled()
  // The message moves with its line.
  fireEvent.change(input(1), { target: { value: '' } })
  await waitFor(() => expect(row(3)).toContain('Enter an amount'))
  fireEvent.change(input(3), { target: { value: '' } })
  await waitFor(() => expect(screen.queryByText('Enter an amount such as 12.50')).toBeNull())
})

test('[SCR-057] in an amount * takes the full balance, = the unallocated rest, s the suggestion', async () => {
  const submit = pay()
  fireEvent.change(amount(), { target: { value: '*' } })
  expect(amount().value).toBe('60.00')
  fireEvent.change(amount(), { target: { value: '140' } })
  fireEvent.change(input(1), { target: { value: '' } })
  fireEvent.change(input(3), { target: { value: '10.00*' } })
  expect(typedIn(1, 2, 3)).toEqual(['', '70.00', '20.00'])
  fireEvent.change(input(1), { target: { value: '=' } })
  expect([...typedIn(1), foot()[1]]).toEqual(['50.00', 'Unallocated$0.00'])
  fireEvent.change(input(3), { target: { value: '20.00S' } })
  expect(typedIn(3)).toEqual(['10.00'])
  // Pasted, it belongs to a text that is not an amount; so does one that was left in the field.
  const put = (to: HTMLInputElement, value: string, event: { inputType: string; data: string | null }) =>
    fireEvent.input(to, { target: { value }, ...event })
  for (const text of ['5*3', '30 USD', '=']) {
    put(input(3), text, { inputType: 'insertFromPaste', data: null })
    expect(typedIn(3)).toEqual([text])
  }
  put(input(3), '30 USD1', { inputType: 'insertText', data: '1' })
  expect(typedIn(3)).toEqual(['30 USD1'])
  put(input(3), '30 US', { inputType: 'insertText', data: 'S' })
  expect(typedIn(3)).toEqual(['30 US'])
  put(input(3), '30 USD', { inputType: 'deleteContentBackward', data: null })
  expect(typedIn(3)).toEqual(['30 USD'])
  put(input(3), '10s', { inputType: 'insertText', data: 's' })
  expect(typedIn(3)).toEqual(['10.00'])
  // The key of s on a Russian keyboard.
  put(input(3), '1', { inputType: 'insertText', data: '1' })
  fireEvent.keyDown(input(3), { key: 'ы', code: 'KeyS' })
  expect(typedIn(3)).toEqual(['10.00'])
  input(1).focus()
  fireEvent.keyDown(input(1), { key: 'ArrowDown' })
  expect([document.activeElement, input(2).selectionStart, input(2).selectionEnd]).toEqual([input(2), 0, 5])
  go()
  await waitFor(() =>
    expect(submit).toHaveBeenCalledWith({
      amount: 14_000,
      allocations: [
        { invoice_id: 1, amount: 5_000 },
        { invoice_id: 2, amount: 7_000 },
        { invoice_id: 3, amount: 1_000 },
      ],
    }),
  )
})

test('a shortcut typed before its value has loaded is applied then, unless something was changed', () => {
  const reading: FormPreview = { lines: 'reading', below: null }
  const { again } = showForm({ command: suggest, schema: repayment, shown: () => reading })
  const arrive = () => again({ shown: repaymentShown })
  const focused = () => {
    again({ shown: () => reading })
    act(() => amount().focus())
  }
  focused()
  fireEvent.change(amount(), { target: { value: '*' } })
  expect(amount().value).toBe('')
  arrive()
  expect(amount().value).toBe('60.00')
  for (const since of [() => fireEvent.blur(amount()), () => fireEvent.change(amount(), { target: { value: '5' } })]) {
    fireEvent.change(amount(), { target: { value: '' } })
    focused()
    fireEvent.change(amount(), { target: { value: '*' } })
    since()
    const { value } = amount()
    arrive()
    expect(amount().value).toBe(value)
  }
})

test('Escape in a changed amount restores it; only the next one leaves the form', () => {
  show()
  const amount = () => screen.getByLabelText<HTMLInputElement>('Amount, Ben Ortiz')
  /** Whether the form was left. */
  const leaves = () => {
    openPalette()
    fireEvent.keyDown(amount(), { key: 'Escape' })
    return !store.get(paletteAtom).open
  }
  for (const before of ['', '12.00'])
    for (const typed of ['30', 'abc', '*']) {
      fill('Amount, Ben Ortiz', before)
      fireEvent.blur(amount())
      fireEvent.focus(amount())
      fill('Amount, Ben Ortiz', typed)
      expect([typed, leaves(), amount().value]).toEqual([typed, false, before])
      expect([typed, leaves(), amount().value]).toEqual([typed, true, before])
    }
})

test('[REP-006] errors of the lines are shown while typing, and an invalid amount on leaving its line', async () => {
  pay()
  fireEvent.change(amount(), { target: { value: '100' } })
  fireEvent.change(input(3), { target: { value: '10' } })
  expect(screen.getByText('More is allocated than there is.')).toBeTruthy()
  fireEvent.change(input(3), { target: { value: 'ten' } })
  expect(screen.queryByText('Enter an amount such as 12.50')).toBeNull()
  expect(row(3)).toContain('$20.00')
  fireEvent.blur(input(3))
  await screen.findByText('Enter an amount such as 12.50')
  expect([input(3).value, input(3).getAttribute('aria-invalid'), input(1).getAttribute('aria-invalid')]).toEqual([
    'ten',
    'true',
    null,
  ])
  expect(document.getElementById(input(3).getAttribute('aria-describedby')?.split(' ')[1] as string)?.textContent).toContain(
    '12.50',
  )
  fireEvent.change(input(3), { target: { value: '(5.00)' } })
  await waitFor(() => expect(screen.queryByText('Enter an amount such as 12.50')).toBeNull())
})

test('the message of a line is in that line, also while another has an invalid amount', () => {
  const message = 'The suggested amount cannot exceed what the line owes: $40.00.'
  showForm({
    command: suggest,
    schema,
    start: { suggestions: [] },
    shown: (values) => ({ ...shownOf(offered)(values), wrong: new Map([['suggestions.1.amount', message]]) }),
  })
  fill('Amount, Mia Torres', '1')
  fill('Amount, Ben Ortiz', '41')
  const line = screen.getByLabelText('Amount, Ben Ortiz').closest('tr') as HTMLElement
  expect(within(line).getByText(message)).toBeTruthy()
  expect(screen.getByLabelText('Amount, Mia Torres').getAttribute('aria-invalid')).toBeNull()
})

test('F8 cycles through the invalid lines', () => {
  showForm({
    command: suggest,
    schema,
    start: { suggestions: [] },
    shown: (values) => ({
      ...shownOf(many)(values),
      wrong: new Map(['0', '2'].map((at) => [`suggestions.${at}.amount`, 'Too much.'])),
    }),
  })
  for (const id of [2, 5, 9]) fill(`Amount, Employee ${id}`, '99')
  const at = (id: number) => document.activeElement === screen.getByLabelText(`Amount, Employee ${id}`)
  screen.getByLabelText('Amount, Employee 5').focus()
  const f8 = () => fireEvent.keyDown(document.activeElement as Element, { key: 'F8' })
  f8()
  expect(at(9)).toBe(true)
  f8()
  expect(at(2)).toBe(true)
})

test('the status bar shows the keys of the lines while they are visible', () => {
  pay()
  expect(store.get(formKeysAtom)?.map((line) => line.says)).toEqual([
    'line',
    'full balance',
    'suggestion',
    'put the rest here',
    'send',
    'close',
  ])
  cleanup()
  expect([store.get(formKeysAtom), barKeys.dialog[0]?.says]).toEqual([null, 'close'])
})

test('the status bar mentions Escape for an amount only where it restores one', () => {
  show()
  const amount = screen.getByLabelText<HTMLInputElement>('Amount, Ben Ortiz')
  const first = () => store.get(escapeFirstAtom)
  act(() => amount.focus())
  expect(first()).toEqual([])
  fill('Amount, Ben Ortiz', '30')
  expect(first()).toEqual(['amount before, then close'])
  act(() => screen.getByLabelText('Amount, Mia Torres').focus())
  expect(first()).toEqual([])
  act(() => amount.focus())
  fill('Amount, Ben Ortiz', '31')
  fireEvent.keyDown(amount, { key: 'Escape' })
  expect([amount.value, first()]).toEqual(['30.00', []])
})

test('previewed changes outside of the lines are shown beside them, identical ones together', () => {
  const become = (of: string) => ({ of, what: 'status', before: 'Sent', after: 'Paid' })
  const lines = ['INV-1', 'INV-2'].map((title, id) => ({ id, title, before: 0, moves: 0, after: 0 }))
  expect(
    sentencesOf(
      [
        { of: 'INV-1', what: 'outstanding', before: '$5.00', after: '$0.00' },
        become('INV-1'),
        become('INV-2'),
        { of: 'INV-3', what: 'debit', before: '$9.00', after: '$4.00' },
        { of: 'INV-4', what: 'debit', before: '$9.00', after: 'none' },
        { of: 'REP-1', what: 'unallocated', before: '$0.00', after: '$1.00' },
      ],
      { lines },
    ).map(({ says, was }) => `${says} ${was}`),
  ).toEqual([
    'INV-1 and INV-2 become Paid. Now Sent.',
    'The debit of INV-3 becomes $4.00. Now $9.00.',
    'The debit of INV-4 is cancelled. Now $9.00.',
    'REP-1: unallocated $1.00. Now $0.00.',
  ])
})

test('[ERR-031] a refused allocation keeps its amounts up to the balances, and no other line gets more', () => {
  const lines = (whole: number | null, ...figures: [id: number, moves: number, most?: number][]): MoneyLines => ({
    ...linesOf([]),
    lines: figures.map(([id, moves, max]) => ({
      id,
      title: '',
      before: 0,
      moves,
      after: (max ?? 0) - moves,
      ...(max ? { max } : {}),
    })),
    ...(whole === null ? {} : { whole }),
  })
  const sent = lines(100, [1, 60, 60], [2, 40, 90], [3, 0, 50])
  expect(stillStanding(sent, lines(100, [2, 40, 90], [1, 60, 60]))).not.toBeNull()
  expect(stillStanding(sent, lines(100, [1, 60, 60], [2, 40, 90], [3, 0, 40]))).toBeNull()
  // Paid in part; paid in full, and no longer in the lines.
  expect(stillStanding(sent, lines(100, [1, 20, 20], [2, 80, 90], [3, 0, 50]))).toEqual([
    { id: 1, cents: 20 },
    { id: 2, cents: 40 },
  ])
  expect(stillStanding(sent, lines(100, [2, 50, 90], [3, 50, 50]))).toEqual([{ id: 2, cents: 40 }])
  expect(stillStanding(sent, null)).toEqual([
    { id: 1, cents: 60 },
    { id: 2, cents: 40 },
  ])
  // Where lines are independent, a message of somebody else's change to a line is not repeated.
  expect(stillStanding(lines(null, [1, 60, 60], [2, 40, 40]), lines(null, [1, 0, 60], [2, 40, 40], [3, 9, 9]))).toEqual([
    { id: 2, cents: 40 },
  ])
})

test('[ERR-031] a refused allocation with another effect needs a changed amount, or its own button', async () => {
  const refused = { sentence: 'Nothing was sent.', detail: null, stands: { allocations: [{ invoice_id: 1, amount: 2_000 }] } }
  const submit = pay()
  fireEvent.change(amount(), { target: { value: '145' } })
  submit.mockImplementation(async () => refused)
  const asked = () => screen.findByRole('button', { name: 'Send as shown' })
  go()
  await asked()
  expect(typedIn(1, 2, 3)).toEqual(['20.00', '', ''])
  for (let times = 0; times < 2; times++) {
    go()
    await waitFor(async () => expect(document.activeElement).toBe(await asked()))
  }
  expect(submit).toHaveBeenCalledTimes(1)
  fireEvent.click(await asked())
  await waitFor(() => expect(submit).toHaveBeenLastCalledWith({ amount: 14_500, ...refused.stands }))
  await asked()
  submit.mockImplementation(async () => null)
  fireEvent.change(input(2), { target: { value: '30' } })
  await waitFor(() => expect(screen.queryByText('Nothing was sent.')).toBeNull())
  input(2).focus()
  go()
  await waitFor(() => expect(submit).toHaveBeenCalledTimes(3))
})
