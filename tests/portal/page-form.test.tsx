import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import page from '#commands/employer/configure.page.ts'
import type { Configuration } from '#contract/configurations.ts'
import type { Call } from '#contract/define.ts'
import type { Failure } from '#portal/form/session/failure.ts'
import { pageKeys } from '#portal/form/page/page-keys.ts'
import { screenAt } from '#portal/ui/screens.ts'
import { pageFormOf } from '#portal/platform/page-forms.ts'
import { navigate } from '#portal/platform/location.ts'
import { store } from '#portal/platform/store.ts'
import { toastsAtom } from '#portal/platform/toasts.ts'
import { watchKeys } from '#portal/hotkeys/keys.ts'
import { escapeFirstAtom } from '#portal/keyboard/key-map.ts'
import { Elsewhere } from '#portal/shell/elsewhere.tsx'
import { draft } from '#portal/commands/drafts.ts'
import { meAtom } from '#portal/api/session.ts'
import { provide } from '#portal/main/provide.ts'
import { pageForm, showAlone, tasksDone } from '#tests/portal/alone.tsx'
import { adminWithout, configurationLike, lmsLike, employerLike } from '#tests/support/examples.ts'

const employer = employerLike()
const targets = { entity: 'employer', ids: ['100101'], filter: null, count: 1 }
type Params = Record<string, unknown>

beforeEach(() => {
  provide()
  store.set(meAtom, adminWithout())
  sessionStorage.clear()
})
afterEach(cleanup)

/** The keys of the whole page, which leave it, until the end of the test. */
const withKeys = () => onTestFinished(watchKeys())

/** The reads of the page, without an example. */
const about = (now: Configuration) => ({ now, example: null, lms: lmsLike(now) })

function show(
  facts: Configuration = configurationLike(),
  answer: (params: Params) => Promise<Failure | null> = async () => null,
) {
  const submit = vi.fn(answer)
  const leave = vi.fn()
  const form = (now: Configuration, blocked: string | null = null) => {
    const sentence = page.confirms?.(employer, about(now))
    return pageForm({
      targets,
      page,
      saved: page.saved(about(now)),
      inherited: page.inherited?.(about(now)) ?? {},
      confirms: sentence ? { sentence, word: 'Harbor Foods' } : null,
      blocked,
      submit,
      leave,
    })
  }
  const { rerender } = showAlone(form(facts))
  return { submit, leave, again: (now: Configuration, blocked?: string) => rerender(form(now, blocked)) }
}
const own = configurationLike({ level: 'EMPLOYER', terms_level: 'EMPLOYER', id: 7 })
const field = (label: string) => screen.getByLabelText(new RegExp(`^${label}`)) as HTMLInputElement
const type = (label: string, value: string) => {
  field(label).focus()
  fireEvent.change(field(label), { target: { value } })
}
const press = (key: string, more: object = {}) => fireEvent.keyDown(document.activeElement as Element, { key, ...more })
const save = () => press('Enter', { ctrlKey: true })
const row = (label: string) => within(field(label).closest('[data-field]') as HTMLElement)
/** The message that describes a field. */
const messageOf = (label: string) =>
  (field(label).getAttribute('aria-describedby') ?? '')
    .split(' ')
    .map((id) => document.getElementById(id))
    .find((each) => each?.classList.contains('err'))?.textContent

const rules: [rows: string, label: string, value: string, message: string, amount?: true][] = [
  ['[CFG-003]', 'Maximum per transaction', '0', 'Must be greater than 0'],
  ['[CFG-003]', 'Requests per cycle', '-1', 'Must be greater than 0'],
  ['[CFG-004]', 'Withdraw limit', '100.01', 'At most $100.00', true],
  ['[CFG-005]', 'Approval threshold', '100.01', 'At most 100%'],
  ['[CFG-006]', 'Daily hours limit', '25', 'At most 24'],
  ['[CFG-007]', 'Transaction fee', '20.01', 'At most $20.00'],
  ['[CFG-008]', 'Withdraw limit', '0', 'Must be above 0% and below 50%'],
  ['[CFG-009]', 'Withdraw limit', '50', 'Must be above 0% and below 50%'],
  ['[CFG-010]', 'ACH processing days', '0', 'Must be greater than 0'],
  ['[CFG-011]', 'Daily hours limit', '0', 'Must be greater than 0'],
  ['[CFG-012]', 'Invoice deadline', '0', 'Must be greater than 0'],
  ['[CFG-013]', 'Invoice net days', '0', 'Must be greater than 0'],
  ['not an amount', 'Transaction fee', 'much', 'Enter an amount such as 12.50'],
  ['cleared, though it always has a value', 'Invoice net days', '', 'This is a required field.'],
]
test.each(rules)(
  '%s %s of %s is reported beside the field on blur, and nothing is sent',
  async (_, label, value, message, amount) => {
    const { submit } = show(own)
    if (amount) fireEvent.click(screen.getByLabelText('Amount'))
    type(label, value)
    fireEvent.blur(field(label))
    await waitFor(() => expect(messageOf(label)).toBe(message))
    save()
    await screen.findByText('1 field to correct before saving')
    expect(
      screen.getByRole('button', {
        name: `${field(label)
          .labels?.[0]?.textContent?.replace(/ optional$/, '')
          .trim()}: ${message}`,
      }),
    ).toBeTruthy()
    await waitFor(() => expect(document.activeElement).toBe(field(label)))
    expect(submit).not.toHaveBeenCalled()
  },
)

test('text typed right after a refused save is not selected, so the next key does not replace it', async () => {
  show(own)
  type('Transaction fee', '20.01')
  const later: (() => void)[] = []
  const { setTimeout: real } = globalThis
  const timers = vi
    .spyOn(globalThis, 'setTimeout')
    .mockImplementation(((act: () => void, wait = 0) => (wait > 0 ? real(act, wait) : later.push(act))) as never)
  save()
  for (let turns = 0; turns < 200; turns++) await Promise.resolve()
  timers.mockRestore()
  expect(later.length).toBeGreaterThan(0)
  const select = vi.spyOn(HTMLInputElement.prototype, 'select')
  type('Transaction fee', '1')
  for (const act of later) act()
  await tasksDone()
  expect(document.activeElement).toBe(field('Transaction fee'))
  expect(select).not.toHaveBeenCalled()
})

test('a cleared field stays cleared while typing elsewhere, and after it was saved', async () => {
  const { submit, again } = show(own)
  type('Invoice net days', '')
  expect(field('Invoice net days').value).toBe('')
  type('Invoice net days', '9')
  expect(field('Invoice net days').value).toBe('9')
  type('Maximum per pay period', '')
  fireEvent.blur(field('Maximum per pay period'))
  expect(field('Maximum per pay period').value).toBe('')
  save()
  await waitFor(() => expect(submit).toHaveBeenCalledTimes(1))
  const [call] = page.plan(employer, submit.mock.calls[0]?.[0] as never, about(own))
  expect(call).toMatchObject({ body: { invoice_net_days: 9, withdraw_amount_max: null } })
  again(configurationLike({ ...own, invoice_net_days: 9, withdraw_amount_max: 0 }))
  await screen.findByText('No changes')
  expect(field('Maximum per pay period').value).toBe('')
})

test('[CFG-002] a typed confirmation is reset with the changes that it was for', async () => {
  const { submit } = show()
  const confirm = () => screen.findByLabelText(/^Type Harbor Foods/) as Promise<HTMLInputElement>
  const takenBack = [() => fireEvent.click(screen.getByRole('button', { name: /^Discard/ })), () => press('Escape')]
  for (const takeBack of takenBack) {
    type('Transaction fee', '3.98')
    fireEvent.change(await confirm(), { target: { value: 'Harbor Foods' } })
    field('Transaction fee').focus()
    takeBack()
    await screen.findByText('No changes')
    type('Requests per cycle', '9')
    expect((await confirm()).value).toBe('')
    save()
    await waitFor(async () => expect(document.activeElement).toBe(await confirm()))
    fireEvent.click(screen.getByRole('button', { name: /^Discard/ }))
  }
  expect(submit).not.toHaveBeenCalled()
})

test('[CFG-017] the unlimited transfer option sets both maximum amounts to $3,000 and locks them', async () => {
  const { submit } = show(own)
  fireEvent.click(screen.getByRole('switch', { name: 'Unlimited transfer' }))
  expect(screen.getAllByText('$3,000.00')).toHaveLength(2)
  expect(screen.queryByLabelText(/^Most per/)).toBeNull()
  screen.getByRole('switch', { name: 'Unlimited transfer' }).focus()
  save()
  await waitFor(() => expect(submit).toHaveBeenCalledTimes(1))
  const [call] = page.plan(employer, submit.mock.calls[0]?.[0] as never, about(own))
  expect(call).toMatchObject({
    at: { id: '7' },
    body: { single_withdraw_amount_max: 300_000, withdraw_amount_max: 300_000, version: 1 },
  })
  expect(Object.keys((call as { body: object }).body)).toHaveLength(3)
})

test('[CFG-001] [CFG-002] the switch of level is confirmed by the name, beforehand and once', async () => {
  let answer = (_: null) => {}
  const { submit } = show(configurationLike(), () => new Promise((resolve) => (answer = resolve)))
  expect(screen.queryByText(/cannot be undone/)).toBeNull()
  type('Transaction fee', '3.99')
  screen.getByText('Saving switches Harbor Foods from organization to employer level. This cannot be undone.')
  save()
  await waitFor(() => expect(document.activeElement).toBe(field('Type Harbor Foods')))
  type('Type', 'Harbor')
  save()
  await screen.findByText('This has to be exactly: Harbor Foods')
  expect(submit).not.toHaveBeenCalled()
  type('Type', 'Harbor Foods')
  save()
  save()
  await waitFor(() => expect(submit).toHaveBeenCalledTimes(1))
  fireEvent.click(screen.getByRole('button', { name: /^Save/ }))
  answer(null)
  await waitFor(() => expect(document.activeElement?.tagName).toBe('FORM'))
  expect(submit).toHaveBeenCalledTimes(1)
  const [call] = page.plan(employer, submit.mock.calls[0]?.[0] as never, about(configurationLike())) as [Call]
  expect([call.intent.id, call.body]).toEqual(['configuration.create', { employer_id: 100101, transaction_fee: 399, version: 1 }])
  expect(page.confirms?.(employer, about(own))).toBeNull()
})

test('[API-068] the LMS configuration of an employer is saved by its own call before the other changes', () => {
  const ours = configurationLike({ level: 'EMPLOYER', terms_level: 'EMPLOYER', lms_configured: true, id: 7, version: 5 })
  const planned = (facts: Configuration, more: Params) =>
    (page.plan(employer, { ...page.saved(about(facts)), ...more } as never, about(facts)) as Call[]).map((call) => [
      call.intent.id,
      call.at,
      call.body,
    ])
  const lms = { payment_method: 'AUTO_ACH', split_invoices: true, show_amount_per_department_code: true, version: 3 }
  const { version: _, ...typed } = lms
  expect(planned(ours, typed)).toEqual([['configuration.change-lms', { id: '70' }, lms]])
  expect(planned(ours, { ...typed, invoice_net_days: 9 })).toEqual([
    ['configuration.change-lms', { id: '70' }, lms],
    ['configuration.change', { id: '7' }, { invoice_net_days: 9, version: 5 }],
  ])
  expect(planned(ours, { invoice_net_days: 9 }).map(([id]) => id)).toEqual(['configuration.change'])
})

test('without versions, the page of an employer changes no LMS configuration of its organization', () => {
  const { version: _, ...unversioned } = configurationLike()
  const facts = about(configurationLike())
  expect(page.fixed?.(facts)).toEqual([])
  expect(page.fixed?.({ ...facts, now: unversioned as Configuration })).toEqual([
    'payment_method',
    'split_invoices',
    'show_amount_per_department_code',
  ])
})

test('a value that nobody has set is called the default, without an author', () => {
  show(configurationLike({ id: null }))
  row('Transaction fee').getByText('Default')
  expect(row('Transaction fee').queryByText(/from|Inherited/)).toBeNull()
})

test('inherited and changed values name their source or old value; Escape restores, then leaves', async () => {
  withKeys()
  const { leave } = show()
  row('Transaction fee').getByText('from Harbor Group')
  type('Transaction fee', '3.99')
  row('Transaction fee').getByText('Now: $2.99, inherited')
  type('Approval threshold', '')
  row('Approval threshold').getByText('Cleared')
  screen.getByText('2 changes')
  expect(store.get(escapeFirstAtom)).toEqual(['saved value, then leave'])
  press('Escape')
  await waitFor(() => expect(field('Approval threshold').value).toBe('12'))
  row('Approval threshold').getByText('Inherited')
  await waitFor(() => expect(document.activeElement).toBe(field('Approval threshold')))
  expect(leave).not.toHaveBeenCalled()
  // The bar then says that Escape is about the page.
  await waitFor(() => expect(store.get(escapeFirstAtom)).toEqual([]))
  expect(pageKeys.find(({ chords }) => chords.includes('Escape'))?.says).toBe('leave')
  press('Escape')
  expect(leave).toHaveBeenCalledTimes(1)
})

test('Escape leaves wherever the focus is, unless a dialog is open', () => {
  withKeys()
  const { leave } = show()
  const bar = document.body.appendChild(document.createElement('button'))
  bar.focus()
  fireEvent.keyDown(bar, { key: 'Escape' })
  expect(leave).toHaveBeenCalledTimes(1)
  bar.blur()
  expect(document.activeElement).toBe(document.body)
  fireEvent.keyDown(document.body, { key: 'Escape' })
  expect(leave).toHaveBeenCalledTimes(2)
  bar.setAttribute('aria-modal', 'true')
  fireEvent.keyDown(document.body, { key: 'Escape' })
  bar.remove()
  expect(leave).toHaveBeenCalledTimes(2)
})

test('leaving during a save reports no failure', async () => {
  withKeys()
  store.set(toastsAtom, [])
  const { leave, submit } = show(own, () => new Promise(() => {}))
  type('Transaction fee', '3.99')
  save()
  await waitFor(() => expect(submit).toHaveBeenCalled())
  const form = screen.getByRole('form')
  fireEvent.keyDown(form, { key: 'Escape' })
  await waitFor(() => expect(leave).toHaveBeenCalled())
  expect(store.get(toastsAtom)).toEqual([])
})

test('Escape in a field that is being saved leaves the page, and restores nothing', async () => {
  withKeys()
  let done = (_: null) => {}
  const { submit, leave } = show(own, () => new Promise<null>((resolve) => (done = resolve)))
  type('Requests per cycle', '7')
  save()
  await waitFor(() => expect(submit).toHaveBeenCalled())
  press('Escape')
  expect(leave).toHaveBeenCalledTimes(1)
  expect(field('Requests per cycle').value).toBe('7')
  done(null)
  await waitFor(() => expect(draft('employer.configure', targets)).toBeNull())
})

test('a draft is the differences, also cleared fields: it survives somebody else’s save', async () => {
  show(own)
  type('Transaction fee', '3.99')
  type('Requests per cycle', '')
  expect(draft('employer.configure', targets)).toEqual({ transaction_fee: 399, requests_per_cycle: null })
  cleanup()
  show(configurationLike({ ...own, transaction_fee: 100, invoice_net_days: 30 }))
  screen.getByText('Draft restored')
  await waitFor(() => expect(document.activeElement === field('Requests per cycle')).toBe(true))
  expect([field('Transaction fee').value, field('Requests per cycle').value, field('Invoice net days').value]).toEqual([
    '3.99',
    '',
    '30',
  ])
  fireEvent.click(screen.getByRole('button', { name: 'Clear' }))
  await waitFor(() => expect(field('Transaction fee').value).toBe('1.00'))
  expect(screen.queryByText('Draft restored')).toBeNull()
  expect(draft('employer.configure', targets)).toBeNull()
  type('Transaction fee', '4.25')
  cleanup()
  show(own)
  const fee = field('Transaction fee')
  await waitFor(() => expect([document.activeElement === fee, fee.selectionStart, fee.selectionEnd]).toEqual([true, 0, 4]))
})

test('somebody else’s save is taken over where nothing was typed', async () => {
  const { again } = show(own)
  type('Transaction fee', '3.99')
  again(configurationLike({ ...own, transaction_fee: 100, invoice_net_days: 30, version: 2 }))
  await waitFor(() => expect(field('Invoice net days').value).toBe('30'))
  expect(field('Transaction fee').value).toBe('3.99')
  row('Transaction fee').getByText('Now: $1.00')
  screen.getByText('1 change')
})

test("a failed request keeps the inputs, with the server's message beside the field", async () => {
  const errors = [{ path: 'transaction_fee', message: 'Too dear' }]
  const { submit, again } = show(own, async () => ({ sentence: 'Something went wrong saving', detail: null, errors }))
  type('Transaction fee', '3.99')
  save()
  await waitFor(() => expect(messageOf('Transaction fee')).toBe('Too dear'))
  screen.getByText('Something went wrong saving')
  expect(field('Transaction fee').value).toBe('3.99')
  again(own, "You don't have permission to take this action.")
  screen.getByText("You don't have permission to take this action.")
  fireEvent.click(screen.getByRole('button', { name: /^Save/ }))
  await tasksDone()
  expect(submit).toHaveBeenCalledTimes(1)
})

test('a limit of the other type is sent with its type, and hidden fields are not validated', async () => {
  const { submit } = show(own)
  type('Withdraw limit', '80')
  fireEvent.click(screen.getByLabelText('Amount'))
  await waitFor(() => expect(field('Withdraw limit').value).toBe(''))
  type('Withdraw limit', '40')
  save()
  await waitFor(() => expect(submit).toHaveBeenCalledTimes(1))
  expect(page.plan(employer, submit.mock.calls[0]?.[0] as never, about(own))).toMatchObject([
    { body: { withdraw_limit_type: 'AMOUNT', withdraw_limit_amount: 4_000 } },
  ])
})

test('F6 moves between sections, F8 between problems', async () => {
  show(own)
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Percentage')))
  /** Typing replaces it. */
  const selected = () => {
    const { value, selectionStart, selectionEnd } = document.activeElement as HTMLInputElement
    return value.slice(selectionStart ?? 0, selectionEnd ?? 0)
  }
  press('F6')
  expect(document.activeElement).toBe(field('Transaction fee'))
  expect(selected()).toBe(field('Transaction fee').value)
  expect(selected()).not.toBe('')
  type('Transaction fee', '21')
  type('Daily hours limit', '25')
  save()
  await screen.findByText('2 fields to correct before saving')
  await waitFor(() => expect(document.activeElement).toBe(field('Transaction fee')))
  press('F8')
  await waitFor(() => expect([document.activeElement, selected()]).toEqual([field('Daily hours limit'), '25']))
  press('F8')
  await waitFor(() => expect(document.activeElement).toBe(field('Transaction fee')))
})

test('an address that ends with a section or a field starts there', async () => {
  history.replaceState(null, '', '#Invoicing')
  show(own)
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('ACH auto')))
  cleanup()
  history.replaceState(null, '', '#daily_hours_limit')
  show(own)
  const hours = field('Daily hours limit')
  await waitFor(() => expect(document.activeElement).toBe(hours))
  expect(hours.value).not.toBe('')
  expect([hours.selectionStart, hours.selectionEnd]).toEqual([0, hours.value.length])
  history.replaceState(null, '', '#')
})

test('a page form is loaded by its command, so that pending calls are retried after a reload', async () => {
  expect((await pageFormOf('employer.configure'))?.command.id).toBe('employer.configure')
  expect(await pageFormOf('employee.pause')).toBeNull()
})

test('a screen without permission says so, and so does an unknown address', async () => {
  navigate('/employers/100101/configuration')
  store.set(meAtom, adminWithout('read:employers', 'read:organizations'))
  showAlone(<Elsewhere />)
  expect(
    await screen.findByText(
      "You don't have permission to take this action. It needs the right to see employers or organizations.",
    ),
  ).toBeTruthy()
  cleanup()
  navigate('/employers/100101/nothing')
  showAlone(<Elsewhere />)
  // No list is registered here.
  expect(screen.getByText('You have no access yet')).toBeTruthy()
})

test('the address of a screen is that of its file', () => {
  expect(screenAt('/employers/100101/configuration')).toMatchObject({ name: 'employers/configuration', id: '100101' })
  for (const other of [
    '/employers',
    '/employers/100101',
    '/employers/1/nothing',
    '/employers/1/configuration/2',
    '/employers/%E0/configuration',
  ])
    expect(screenAt(other)).toBeNull()
})
