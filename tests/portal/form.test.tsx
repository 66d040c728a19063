import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { z } from 'zod'
import {
  choice,
  choices,
  date,
  fieldMeta,
  integer,
  longText,
  money,
  oneOf,
  onOff,
  percentage,
  text,
  textOf,
} from '#contract/fields.ts'
import { pause } from '#contract/employee-changes.ts'
import { type Command, defineCommand } from '#kernel/command.ts'
import { amountCases } from '#tests/portal/form-amounts.ts'
import { type FormProps, showForm, tasksDone, pauseTyping } from '#tests/portal/alone.tsx'
import { adminWithout, invoiceLike } from '#tests/support/examples.ts'
import closeInvoice from '#commands/invoice/close.ts'
import pauseEmployee from '#commands/employee/pause.ts'
import type { Failure } from '#portal/form/session/failure.ts'
import { keptNote } from '#portal/form/preview/use-preview.tsx'
import { integerText, moneyText, percentageText } from '#portal/format/amount-text.ts'
import { dateOf, distance, moved, spanOf } from '#portal/format/date-words.ts'
import { draft, keepDraft } from '#portal/commands/drafts.ts'
import { whyNoUndo } from '#portal/commands/run.ts'
import { openPalette, paletteAtom } from '#portal/commands/palette-state.ts'
import { noTargets } from '#portal/platform/commands.ts'
import { meAtom } from '#portal/api/session.ts'
import { store } from '#portal/platform/store.ts'

const command: Command = defineCommand({
  id: 'test.form',
  title: 'Do it',
  does: pause,
  done: () => 'Done',
  failed: () => 'Not done',
})
type Params = Record<string, unknown>

beforeEach(() => {
  store.set(meAtom, adminWithout())
  sessionStorage.clear()
})
afterEach(cleanup)

const show = (schema: z.ZodObject | null, more: Partial<FormProps> = {}) => showForm({ command, schema, ...more })
const type = (label: string | RegExp, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } })
const press = (key: string, more: object = {}) => fireEvent.keyDown(document.activeElement as Element, { key, ...more })

test('[CARD-002] input is converted by the schema: dollars to cents, percent to basis points', async () => {
  const submit = show(
    z.object({
      amount: money('Amount'),
      share: percentage('Share'),
      count: integer('Count'),
      when: date('When'),
      on: onOff('Active'),
    }),
  )
  // A form with a switch is rendered once switches have loaded.
  await screen.findByLabelText('Amount')
  type('Amount', '1,234.5')
  type('Share', '12.5')
  type('Count', '1,000')
  type('When', 'tomorrow')
  fireEvent.click(screen.getByRole('switch'))
  press('Enter', { ctrlKey: true })
  await waitFor(() =>
    expect(submit).toHaveBeenCalledWith({ amount: 123_450, share: 1250, count: 1000, when: '2026-11-22', on: true }),
  )
})

test('an initial value can be cleared, and another one typed in its place', async () => {
  const submit = show(
    z.object({ amount: money('Amount'), note: text('Note', 20).optional(), days: integer('Days').optional() }),
    {
      start: { amount: 30_000, note: 'Late', days: 7 },
    },
  )
  const value = (label: string) => (screen.getByLabelText(new RegExp(label)) as HTMLInputElement).value
  for (const label of ['Amount', 'Note', 'Days']) {
    type(new RegExp(label), '')
    fireEvent.blur(screen.getByLabelText(new RegExp(label)))
    expect(value(label)).toBe('')
  }
  type('Amount', '5')
  expect(value('Amount')).toBe('5')
  screen.getByLabelText('Amount').focus()
  press('Enter', { ctrlKey: true })
  await waitFor(() => expect(submit).toHaveBeenCalledWith({ amount: 500 }))
})

test('[CARD-002, EMP-002] a message is beside its field, describes it, and the first invalid field has the focus', async () => {
  const submit = show(z.object({ reason: text('Reason'), amount: money('Amount') }))
  type('Amount', 'much')
  press('Enter', { ctrlKey: true })
  const reason = screen.getByLabelText('Reason')
  await waitFor(() => expect(reason.getAttribute('aria-invalid')).toBe('true'))
  expect(document.getElementById(reason.getAttribute('aria-describedby') as string)?.textContent).toBe(
    'This is a required field.',
  )
  expect(screen.getByText('Enter an amount such as 12.50')).toBeTruthy()
  await waitFor(() => expect(document.activeElement).toBe(reason))
  expect(submit).not.toHaveBeenCalled()
})

test('the first invalid field has the focus when its message is shown: the next key is for it', async () => {
  show(z.object({ reason: text('Reason'), amount: money('Amount') }))
  screen.getByLabelText('Amount').focus()
  const focused: unknown[] = []
  const observer = new MutationObserver(() => {
    if (screen.queryAllByText('This is a required field.').length) focused.push(document.activeElement)
  })
  observer.observe(document.body, { subtree: true, childList: true })
  press('Enter', { ctrlKey: true })
  await waitFor(() => expect(focused).not.toEqual([]))
  observer.disconnect()
  expect(focused[0] === screen.getByLabelText('Reason')).toBe(true)
})

test('the focus goes to the first invalid field once, and not again after the user has moved on', async () => {
  show(z.object({ reason: text('Reason'), amount: money('Amount') }))
  const amount = screen.getByLabelText('Amount')
  amount.focus()
  screen.getByLabelText('Reason').addEventListener('focus', () => amount.focus(), { once: true })
  press('Enter', { ctrlKey: true })
  await waitFor(() => expect(screen.getAllByText('This is a required field.')).not.toHaveLength(0))
  await tasksDone()
  expect(document.activeElement).toBe(amount)
})

test('a known error also counts for the first invalid field', async () => {
  const wrong = new Map([['amount', 'At most $194.59.']])
  show(z.object({ amount: money('Amount'), reason: text('Reason') }), { shown: () => ({ lines: null, below: null, wrong }) })
  type('Amount', '200')
  press('Enter', { ctrlKey: true })
  await screen.findByText('This is a required field.')
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Amount')))
})

test('[CARD-006] Enter sends a form of single lines, and goes on to the next field of a longer one', async () => {
  const submit = show(z.object({ reason: text('Reason') }))
  type('Reason', 'Fraud check')
  press('Enter')
  await waitFor(() => expect(submit).toHaveBeenCalledTimes(1))
  cleanup()
  const longer = show(z.object({ reason: text('Reason'), details: longText('Details').optional() }))
  type('Reason', 'Fraud check')
  press('Enter')
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText(/Details/)))
  expect(longer).not.toHaveBeenCalled()
  press('Enter', { ctrlKey: true })
  await waitFor(() => expect(longer).toHaveBeenCalledWith({ reason: 'Fraud check' }))
})

test('only blanks in an optional field count as empty', async () => {
  const submit = show(z.object({ reason: text('Reason'), details: longText('Details').optional() }))
  type('Reason', 'Fraud check')
  type(/Details/, ' \n')
  press('Enter', { ctrlKey: true })
  await waitFor(() => expect(submit).toHaveBeenCalledWith({ reason: 'Fraud check' }))
  expect(screen.queryByText('This is a required field.')).toBeNull()
})

test('an irreversible form without fields is sent by Ctrl+Enter, not by an extra Enter', async () => {
  const submit = show(null, { warning: 'Every session but this one ends.' })
  const go = screen.getByRole('button', { name: /Do it/ })
  expect(document.activeElement).not.toBe(go)
  press('Enter')
  expect(submit).not.toHaveBeenCalled()
  press('Enter', { ctrlKey: true })
  await waitFor(() => expect(submit).toHaveBeenCalledTimes(1))
  cleanup()
  show(null)
  expect(document.activeElement).toBe(screen.getByRole('button', { name: /Do it/ }))
})

test('Enter belongs to an active input method', async () => {
  const submit = show(z.object({ reason: text('Reason') }))
  type('Reason', 'にほん')
  press('Enter', { isComposing: true, keyCode: 229 })
  await tasksDone()
  expect(submit).not.toHaveBeenCalled()
})

test('a double Enter is sent once', async () => {
  let answer = (_: Failure | null) => {}
  const submit = vi.fn((_: Params) => new Promise<Failure | null>((resolve) => (answer = resolve)))
  show(z.object({ reason: text('Reason') }), { submit })
  type('Reason', 'Fraud check')
  press('Enter')
  press('Enter')
  press('Enter', { ctrlKey: true })
  await waitFor(() => expect(submit).toHaveBeenCalledTimes(1))
  answer(null)
  await tasksDone()
  expect(submit).toHaveBeenCalledTimes(1)
})

test("[ERR-021] the server's messages are beside their fields, and the inputs stay", async () => {
  const submit = vi.fn(
    async (_: Params): Promise<Failure | null> => ({
      sentence: 'Something went wrong pausing Mia Torres',
      detail: null,
      errors: [
        { path: 'reason', message: 'Too vague' },
        { path: 'nowhere', message: 'And more.' },
      ],
    }),
  )
  show(z.object({ reason: text('Reason') }), { submit })
  type('Reason', 'Because')
  press('Enter')
  await screen.findByText('Too vague')
  expect(screen.getByRole('alert').textContent).toContain('Something went wrong pausing Mia Torres')
  expect(screen.getByRole('alert').textContent).toContain('And more.')
  expect((screen.getByLabelText('Reason') as HTMLInputElement).value).toBe('Because')
})

test('Esc leaves and keeps the draft, except for secrets', async () => {
  openPalette({ kind: 'history' })
  const password = z.string()
  fieldMeta.add(password, { kind: 'secret', title: 'Password' })
  const schema = z.object({ reason: text('Reason'), password })
  show(schema)
  type('Reason', 'Half a sen')
  type('Password', 'Portal-1')
  press('Escape')
  expect(store.get(paletteAtom).open).toBe(false)
  expect(draft('test.form', noTargets)).toEqual({ reason: 'Half a sen' })
  cleanup()
  show(schema)
  expect((screen.getByLabelText('Reason') as HTMLInputElement).value).toBe('Half a sen')
  expect((screen.getByLabelText('Password') as HTMLInputElement).value).toBe('')
})

test('a draft has only changed fields: others start with current values, unchanged is no draft', async () => {
  openPalette({ kind: 'history' })
  const schema = z.object({ name: text('Name'), phone: text('Phone').optional(), notes: text('Notes').optional() })
  const value = (label: string) => (screen.getByLabelText(new RegExp(label)) as HTMLInputElement).value
  show(schema, { start: { name: 'Quayside', phone: '555-0100', notes: 'Late' } })
  type(/Notes/, 'Late twice')
  type(/Phone/, '')
  expect(draft('test.form', noTargets)).toEqual({ phone: null, notes: 'Late twice' })
  cleanup()
  // Somebody renamed it in the meantime.
  show(schema, { start: { name: 'Quayside Works', phone: '555-0100', notes: 'Late' } })
  expect(['Name', 'Phone', 'Notes'].map(value)).toEqual(['Quayside Works', '', 'Late twice'])
  expect(screen.getByText('Draft restored')).toBeTruthy()
  type(/Phone/, '555-0100')
  type(/Notes/, 'Late')
  expect(draft('test.form', noTargets)).toBeNull()
  cleanup()
  show(schema, { start: { name: 'Quayside Works', phone: '555-0199', notes: 'Late' } })
  expect(value('Phone')).toBe('555-0199')
  expect(screen.queryByText('Draft restored')).toBeNull()
})

test('a draft of a value that somebody else changed says so, and must be confirmed', async () => {
  openPalette({ kind: 'history' })
  const schema = z.object({ name: text('Name'), amount: money('Amount') })
  show(schema, { start: { name: 'Quayside', amount: 900 } })
  type('Name', 'Quayside X')
  cleanup()
  // Opened once more in between, without typing.
  show(schema, { start: { name: 'Quayside', amount: 900 } })
  expect(screen.queryByText(/Somebody changed/)).toBeNull()
  cleanup()
  for (const again of [1, 2]) {
    const submit = show(schema, { start: { name: 'Harbor', amount: 1_200 } })
    await screen.findByText(/^Somebody changed what you typed over: Name \(now Harbor\)\./)
    expect((screen.getByLabelText('Amount') as HTMLInputElement).value).toBe('12.00')
    screen.getByLabelText('Name').focus()
    press('Enter', { ctrlKey: true })
    await waitFor(() => expect(document.activeElement?.textContent).toContain('Send as shown'))
    expect(submit).not.toHaveBeenCalled()
    if (again === 2) {
      // Typing into another field does not settle this one.
      type('Amount', '15')
      screen.getByText(/^Somebody changed what you typed over: Name/)
      type('Name', 'Harbor X')
      await waitFor(() => expect(screen.queryByText(/Somebody changed/)).toBeNull())
      screen.getByLabelText('Name').focus()
      press('Enter', { ctrlKey: true })
      await waitFor(() => expect(submit).toHaveBeenCalledWith({ name: 'Harbor X', amount: 1_500 }))
    }
    cleanup()
  }
})

test('an invalid amount is restored with the draft as typed, reported, and not sent', async () => {
  openPalette({ kind: 'history' })
  const schema = z.object({ amount: money('Amount') })
  show(schema, { start: { amount: 1_407 } })
  type('Amount', '10.005')
  cleanup()
  const submit = show(schema, { start: { amount: 1_407 } })
  expect((screen.getByLabelText('Amount') as HTMLInputElement).value).toBe('10.005')
  expect(screen.getByText('Draft restored')).toBeTruthy()
  await screen.findByText('Enter an amount such as 12.50')
  press('Enter', { ctrlKey: true })
  await tasksDone()
  expect(submit).not.toHaveBeenCalled()
  type('Amount', '10.05')
  press('Enter', { ctrlKey: true })
  await waitFor(() => expect(submit).toHaveBeenCalledWith({ amount: 1_005 }))
})

test('a question that arrives after the form was closed is asked when it is opened again', async () => {
  openPalette({ kind: 'history' })
  const schema = z.object({ amount: money('Amount') })
  const answer = Promise.withResolvers<Failure>()
  const submit = show(schema)
  submit.mockReturnValueOnce(answer.promise)
  type('Amount', '5')
  press('Enter', { ctrlKey: true })
  await waitFor(() => expect(submit).toHaveBeenCalledTimes(1))
  cleanup()
  await act(async () => answer.resolve({ sentence: 'Nothing was sent.', detail: null, stands: { amount: 300 } }))
  const again = show(schema)
  screen.getByText('Nothing was sent.')
  expect((screen.getByLabelText('Amount') as HTMLInputElement).value).toBe('3.00')
  press('Enter', { ctrlKey: true })
  await waitFor(() => expect(document.activeElement?.textContent).toContain('Send as shown'))
  expect(again).not.toHaveBeenCalled()
})

test('[EMP-013] an irreversible command has no default button, and requires the name', async () => {
  const submit = show(null, { word: 'Mia Torres' })
  const confirm = screen.getByLabelText(/to confirm/)
  fireEvent.change(confirm, { target: { value: 'Mia' } })
  confirm.focus()
  press('Enter')
  press('Enter', { ctrlKey: true })
  await screen.findByText('This has to be exactly: Mia Torres')
  expect(submit).not.toHaveBeenCalled()
  fireEvent.change(confirm, { target: { value: 'Mia Torres' } })
  confirm.focus()
  press('Enter')
  await tasksDone()
  expect(submit).not.toHaveBeenCalled()
  press('Enter', { ctrlKey: true })
  await waitFor(() => expect(submit).toHaveBeenCalledTimes(1))
})

test('a command that became unavailable says why, and sends nothing', async () => {
  const submit = show(null, { blocked: 'Already paused.' })
  press('Enter', { ctrlKey: true })
  await tasksDone()
  expect(screen.getByRole('alert').textContent).toBe('Already paused.')
  expect(submit).not.toHaveBeenCalled()
})

test('a right lost before the refusal arrives is named once', async () => {
  const refusal = 'You do not have permission.'
  const answer = Promise.withResolvers<Failure>()
  const submit = show(null)
  submit.mockReturnValueOnce(answer.promise)
  press('Enter', { ctrlKey: true })
  await waitFor(() => expect(submit).toHaveBeenCalledTimes(1))
  submit.again({ blocked: 'It needs the right to pause employees.' })
  await act(async () => answer.resolve({ sentence: refusal, detail: null }))
  expect(screen.getAllByRole('alert').map((line) => line.textContent)).toEqual(['It needs the right to pause employees.'])
  submit.again({ blocked: null })
  expect(screen.queryByRole('alert')).toBeNull()
})

test('a wizard continues only from a valid step, and goes back without losing anything', async () => {
  const submit = show(
    z.object({
      name: text('Name', 100, { step: 'Person' }),
      role: choice('Role', ['a', 'b'], { a: 'Admin', b: 'Clerk' }, { step: 'Rights' }),
    }),
  )
  press('Enter')
  await screen.findByText('This is a required field.')
  type('Name', 'Ana')
  press('Enter')
  fireEvent.click(await screen.findByLabelText('Clerk'))
  fireEvent.click(screen.getByRole('button', { name: 'Back' }))
  expect(((await screen.findByLabelText('Name')) as HTMLInputElement).value).toBe('Ana')
  press('Enter')
  await screen.findByLabelText('Clerk')
  press('Enter', { ctrlKey: true })
  await waitFor(() => expect(submit).toHaveBeenCalledWith({ name: 'Ana', role: 'b' }))
})

test('[CARD-006] a multi-select is one tab stop: arrows, Space, letters, Ctrl+A', async () => {
  const submit = show(z.object({ days: choices('Days', ['mo', 'tu', 'we'], { mo: 'Monday', tu: 'Tuesday', we: 'Wednesday' }) }))
  const list = screen.getByRole('listbox')
  expect(document.activeElement).toBe(list)
  press('w')
  press(' ')
  press('ArrowDown')
  press(' ')
  expect(screen.getAllByRole('option', { selected: true }).map((option) => option.textContent)).toEqual(['Monday', 'Wednesday'])
  press('a', { ctrlKey: true })
  press('Enter')
  await waitFor(() => expect(submit).toHaveBeenCalledWith({ days: ['mo', 'tu', 'we'] }))
})

test('typing in a multi-select searches as one text: Space toggles the match, or nothing', async () => {
  const days = { mo: 'Monday', of: 'Off-cycle day', ot: 'Other Monday', ty: 'Thursday', tu: 'Tuesday' }
  show(z.object({ days: choices('Days', ['mo', 'of', 'ot', 'ty', 'tu'], days) }))
  const chosen = () => screen.queryAllByRole('option', { selected: true }).map((option) => option.textContent)
  for (const key of 'tue ') press(key)
  expect(chosen()).toEqual(['Tuesday'])
  pauseTyping()
  for (const key of 'cycle ') press(key)
  expect(chosen()).toEqual(['Off-cycle day', 'Tuesday'])
  pauseTyping()
  for (const key of 'sunday ') press(key)
  expect(chosen()).toEqual(['Off-cycle day', 'Tuesday'])
  expect(screen.getByText(/^No choice has “sunday”/).getAttribute('role')).toBe('status')
})

test('letters select in a closed list, also by a word within an option', async () => {
  const fields = ['due', 'original', 'paid', 'outstanding'].map((value) => ({
    value,
    label: value === 'due' ? 'Due date' : `The ${value}`,
  }))
  const submit = show(z.object({ sort: oneOf('Sort by', [...fields, { value: 'status', label: 'Status' }]) }), {
    start: { sort: 'due' },
  })
  const button = await screen.findByRole('button', { name: /^Sort by/ })
  button.focus()
  for (const key of 'st') press(key)
  await screen.findByRole('button', { name: 'Sort by: Status' })
  fireEvent.keyDown(button, { key: 'Shift' })
  pauseTyping()
  for (const key of 'outst') press(key)
  await screen.findByRole('button', { name: 'Sort by: The outstanding' })
  expect(screen.queryByRole('listbox')).toBeNull()
  press('Enter', { ctrlKey: true })
  await waitFor(() => expect(submit).toHaveBeenCalledWith({ sort: 'outstanding' }))
})

test('the focus starts at the first open field, after a preset choice', () => {
  const kinds = choice('Condition', ['is', 'not'], { is: 'is', not: 'is not' }, { settled: true })
  show(z.object({ type: kinds, days: choices('Days', ['mo', 'tu'], { mo: 'Monday', tu: 'Tuesday' }) }), { start: { type: 'is' } })
  expect(document.activeElement).toBe(screen.getByRole('listbox'))
  cleanup()
  show(z.object({ type: kinds, name: text('Name') }), { start: { type: 'is' } })
  expect(document.activeElement).toBe(screen.getByLabelText('Name'))
})

test('a whole sentence starts at its button, or at what an earlier draft adds to it', () => {
  const schema = z.object({ reason: text('Reason'), details: longText('Details').optional() })
  const sentence = { params: { reason: 'Dispute' }, complete: true }
  show(schema, sentence)
  expect(document.activeElement?.textContent).toContain('Do it')
  cleanup()
  keepDraft(command.id, noTargets, { details: 'Called twice' })
  show(schema, sentence)
  expect(document.activeElement).toBe(screen.getByLabelText(/Details/))
})

test('a restored draft says so, is typed over, and can be cleared', () => {
  const schema = z.object({ reason: text('Reason'), note: text('Note').optional() })
  show(schema, { start: { note: 'As it is' } })
  expect(screen.queryByText('Draft restored')).toBeNull()
  type('Reason', 'Half a sen')
  cleanup()
  const cleared = vi.fn()
  show(schema, { start: { note: 'As it is' }, cleared })
  const reason = () => screen.getByLabelText('Reason') as HTMLInputElement
  expect(screen.getByText('Draft restored').getAttribute('role')).toBe('status')
  expect([document.activeElement === reason(), reason().selectionStart, reason().selectionEnd]).toEqual([true, 0, 10])
  fireEvent.click(screen.getByRole('button', { name: 'Clear' }))
  expect([reason().value, (screen.getByLabelText(/Note/) as HTMLInputElement).value]).toEqual(['', 'As it is'])
  expect(cleared).toHaveBeenCalledOnce()
  expect([screen.queryByText('Draft restored'), document.activeElement === reason()]).toEqual([null, true])
  cleanup()
  show(schema, { start: { note: 'As it is' } })
  expect([reason().value, screen.queryByText('Draft restored')]).toEqual(['', null])
})

test('initial values are selected on focus, also on the next line; longer texts are not', async () => {
  const selected = () => {
    const { value, selectionStart, selectionEnd } = document.activeElement as HTMLInputElement
    return value.slice(selectionStart ?? 0, selectionEnd ?? 0)
  }
  show(z.object({ amount: money('Amount'), name: text('Name', 40), note: longText('Note') }), {
    start: { amount: 1_779, name: 'Ana Lee', note: 'As it is' },
  })
  expect([document.activeElement, selected()]).toEqual([screen.getByLabelText('Amount'), '17.79'])
  press('Enter')
  expect([document.activeElement, selected()]).toEqual([screen.getByLabelText('Name'), 'Ana Lee'])
  cleanup()
  show(z.object({ note: longText('Note') }), { start: { note: 'As it is' } })
  expect([document.activeElement, selected()]).toEqual([screen.getByLabelText('Note'), ''])
})

test('a form starts at its first field, and in a radio group at the chosen one', () => {
  const order = choice('Order', ['asc', 'desc'], { asc: 'Ascending', desc: 'Descending' })
  show(z.object({ name: text('Name'), order }), { start: { order: 'desc' } })
  expect(document.activeElement).toBe(screen.getByLabelText('Name'))
  cleanup()
  show(z.object({ order, name: text('Name') }), { start: { order: 'desc' } })
  expect(document.activeElement).toBe(screen.getByLabelText('Descending'))
})

test('arrows move a date by a day, with the distance from today', () => {
  show(z.object({ when: date('When') }), { start: { when: '2026-11-30' } })
  screen.getByLabelText('When').focus()
  press('ArrowUp')
  expect((screen.getByLabelText('When') as HTMLInputElement).value).toBe('2026-12-01')
  expect(screen.getByText('in 10 days, Tue')).toBeTruthy()
})

test.each([
  ['today', '2026-11-21'],
  ['Tomorrow', '2026-11-22'],
  ['-21', '2026-10-31'],
  ['+10', '2026-12-01'],
  ['sat', '2026-11-28'],
  ['5', '2026-11-05'],
  ['31', null],
  ['2026-02-29', null],
  ['2028-02-29', '2028-02-29'],
  ['soon', null],
  ['11/20/2026', '2026-11-20'],
  ['11/20/26', '2026-11-20'],
  ['1/5', '2027-01-05'],
  ['13/5', null],
  ['nov 20', '2026-11-20'],
  ['20 Nov', '2026-11-20'],
  ['Sept. 3rd, 2025', '2025-09-03'],
  ['feb 30', null],
  ['-3d', '2026-11-18'],
  ['+2w', '2026-12-05'],
  ['-1m', '2026-10-21'],
  ['3 days ago', '2026-11-18'],
  ['fri', '2026-11-27'],
  ['next fri', '2026-11-27'],
  ['last friday', '2026-11-20'],
  ['Fri, Nov 27', '2026-11-27'],
  ['fri nov 26', null],
  ['20-Nov-2026', '2026-11-20'],
  ['20nov26', '2026-11-20'],
  ['11.20.2026', '2026-11-20'],
  ['2026/11/20', '2026-11-20'],
  ['2026-1-5', '2026-01-05'],
  ['20261120', '2026-11-20'],
  ['in 3 days', '2026-11-24'],
  ['3d ago', '2026-11-18'],
  ['in a while', null],
  ['11/20/126', null],
])('the date "%s" is %s', (typed, date) => {
  expect(dateOf(typed, '2026-11-21')).toBe(date)
})

test.each([
  ['fri', '2026-11-20'],
  ['sat', '2026-11-14'],
  ['1/5', '2026-01-05'],
  ['dec 24', '2025-12-24'],
  ['28', '2026-10-28'],
  ['20', '2026-11-20'],
  ['last fri', '2026-11-20'],
  ['Fri Nov 20', '2026-11-20'],
])('of a date in the past, "%s" is %s', (typed, date) => {
  expect(dateOf(typed, '2026-11-21', true)).toBe(date)
})

test.each([
  ['nov 20', '2026-11-20..2026-11-20', '2026-11-20..2026-11-20'],
  ['this week', '2026-11-15..2026-11-21', '2026-11-15..2026-11-21'],
  ['this quarter', '2026-10-01..2026-12-31', '2026-10-01..2026-12-31'],
  ['last quarter', '2026-07-01..2026-09-30', '2026-07-01..2026-09-30'],
  ['next quarter', '2027-01-01..2027-03-31', '2027-01-01..2027-03-31'],
  ['q4', '2026-10-01..2026-12-31', '2026-10-01..2026-12-31'],
  ['q1', '2027-01-01..2027-03-31', '2026-01-01..2026-03-31'],
  ['q2 2025', '2025-04-01..2025-06-30', '2025-04-01..2025-06-30'],
  ['q5', undefined, undefined],
  ['last week', '2026-11-08..2026-11-14', '2026-11-08..2026-11-14'],
  ['next month', '2026-12-01..2026-12-31', '2026-12-01..2026-12-31'],
  ['last month', '2026-10-01..2026-10-31', '2026-10-01..2026-10-31'],
  ['this year', '2026-01-01..2026-12-31', '2026-01-01..2026-12-31'],
  ['2025', '2025-01-01..2025-12-31', '2025-01-01..2025-12-31'],
  ['nov', '2026-11-01..2026-11-30', '2026-11-01..2026-11-30'],
  ['february', '2027-02-01..2027-02-28', '2026-02-01..2026-02-28'],
  ['feb 2024', '2024-02-01..2024-02-29', '2024-02-01..2024-02-29'],
  ['last 7 days', '2026-11-15..2026-11-21', '2026-11-15..2026-11-21'],
  ['past 2 weeks', '2026-11-08..2026-11-21', '2026-11-08..2026-11-21'],
  ['last 2 months', '2026-09-22..2026-11-21', '2026-09-22..2026-11-21'],
  ['next 7 days', '2026-11-21..2026-11-27', '2026-11-21..2026-11-27'],
  ['last 1 day', '2026-11-21..2026-11-21', '2026-11-21..2026-11-21'],
  ['last 0 days', '2026-11-21..2026-11-21', '2026-11-21..2026-11-21'],
  ['ab', undefined, undefined],
  ['monthly', undefined, undefined],
])('the days "%s" are %s, in the past %s', (typed, days, past) => {
  expect(spanOf(typed, '2026-11-21')?.join('..')).toBe(days)
  expect(spanOf(typed, '2026-11-21', true)?.join('..')).toBe(past)
})

test('invalid text is reported on leaving the field, and stays as it was typed', async () => {
  const sent = z.string().refine((value) => !value.includes('then'), 'Enter both dates.')
  fieldMeta.add(sent, { kind: 'date-range', title: 'Sent' })
  show(z.object({ when: date('When'), sent, much: money('How much') }))
  for (const [name, typed, message] of [
    ['When', 'soonish', 'Enter a date such as 2026-11-20'],
    ['Sent, to', 'then', 'Enter both dates.'],
    ['How much', 'a lot', 'Enter an amount such as 12.50'],
  ] as const) {
    const input = screen.getByLabelText(name) as HTMLInputElement
    act(() => input.focus())
    fireEvent.change(input, { target: { value: typed } })
    expect(screen.queryByText(message)).toBeNull()
    act(() => input.blur())
    await screen.findByText(message)
    expect(input.value).toBe(typed)
  }
})

test('a date close to today shows the distance', () => {
  expect(distance('2026-11-21', '2026-11-21')).toBe('today')
  expect(distance('2026-11-20', '2026-11-21')).toBe('yesterday, Fri')
  expect(distance('2026-11-09', '2026-11-21')).toBe('12 days ago, Mon')
  expect(moved('', 1, '2026-11-21')).toBe('2026-11-21')
})

test.each(amountCases)('the $kind "$typed" is $value', ({ kind, typed, value }) => {
  const texts = { money: moneyText, percentage: percentageText, integer: integerText }
  expect(texts[kind].parse(typed)).toBe(value)
})

test('an amount is formatted while typing', () => {
  expect([moneyText.format(-123_450), percentageText.format(1250), integerText.format(-12_000)]).toEqual([
    '−1,234.50',
    '12.5',
    '−12,000',
  ])
})

test('an error that equals the help text of its field is shown once', async () => {
  const kind = { is: (value: string) => /^[a-z]+$/.test(value), sentence: 'Only letters' }
  show(z.object({ name: textOf('Name', 20, kind, { help: 'Only letters' }) }))
  type('Name', 'a b')
  press('Enter', { ctrlKey: true })
  await waitFor(() => expect(screen.getByLabelText('Name').getAttribute('aria-invalid')).toBe('true'))
  expect(screen.getAllByText('Only letters').map(({ className }) => className)).toEqual(['err'])
})

test('a command without undo says so once, with the reason if known', async () => {
  // Reopened it would be Sent: nothing restores Returned, and there is no further reason.
  const why = await whyNoUndo(closeInvoice, invoiceLike({ status: 'RETURNED' }))
  expect(keptNote(closeInvoice, why as string)).toBe('This cannot be undone.')
  const resumed = 'An earlier balance was not recovered.'
  expect(keptNote(pauseEmployee, resumed)).toBe(`This cannot be undone. ${resumed}`)
})
