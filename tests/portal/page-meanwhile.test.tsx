import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { z } from 'zod'
import page from '#commands/employer/configure.page.ts'
import { table, text } from '#contract/fields.ts'
import type { Configuration } from '#contract/configurations.ts'
import type { Failure } from '#portal/form/session/failure.ts'
import { store } from '#portal/platform/store.ts'
import { draft } from '#portal/commands/drafts.ts'
import { meAtom } from '#portal/api/session.ts'
import { pageForm, showAlone, tasksDone } from '#tests/portal/alone.tsx'
import { adminWithout, configurationLike, lmsLike } from '#tests/support/examples.ts'

const targets = { entity: 'employer', ids: ['100101'], filter: null, count: 1 }

beforeEach(() => {
  store.set(meAtom, adminWithout())
  sessionStorage.clear()
})
afterEach(cleanup)

const about = (now: Configuration) => ({ now, example: null, lms: lmsLike(now) })
const saved = (now: Configuration) => page.saved(about(now))
const own = configurationLike({ level: 'EMPLOYER', terms_level: 'EMPLOYER', id: 7 })
const theirs = configurationLike({ ...own, transaction_fee: 100, invoice_net_days: 30, version: 2 })
const who = 'Tom Berg (Configuration changed) changed this while you were editing.'

/** The page, whose first save is refused since somebody else saved `theirs`; later ones succeed. */
function show(now: Configuration = own) {
  let refused = false
  const submit = vi.fn(async (_: Record<string, unknown>): Promise<Failure | null> => {
    if (refused || now === theirs) return null
    refused = true
    again(theirs)
    return { sentence: who, detail: 'Nothing was saved yet.', meanwhile: saved(theirs) }
  })
  const form = (of: Configuration) => pageForm({ targets, page, saved: saved(of), submit })
  const { rerender } = showAlone(form(now))
  const again = (of: Configuration) => rerender(form(of))
  return { submit, again }
}
const field = (label: string) => screen.getByLabelText(new RegExp(`^${label}`)) as HTMLInputElement
const type = (label: string, value: string) => {
  field(label).focus()
  fireEvent.change(field(label), { target: { value } })
}
const save = () => fireEvent.keyDown(document.activeElement as Element, { key: 'Enter', ctrlKey: true })
const foot = () => within(document.querySelector('.page-save') as HTMLElement)
const asShown = () => foot().queryByRole('button', { name: 'Save as shown' })
/** The message of the bar about fields that both changed. */
const asked = () =>
  [...document.querySelectorAll('.page-told div > p')].map((line) => line.textContent).filter((line) => line?.includes(': now '))

test('a concurrent save is reported by its fields, and the same key replaces none of it', async () => {
  const { submit } = show()
  type('Transaction fee', '3.99')
  save()
  await waitFor(() => expect(foot().getByRole('alert').textContent).toContain(who))
  foot().getByText('Changed: Transaction fee, Invoice net days. Nothing was saved yet.')
  await waitFor(() => expect(asked()).toEqual(['Transaction fee: now $1.00, yours $3.99']))
  expect([field('Transaction fee').value, field('Invoice net days').value]).toEqual(['3.99', '30'])
  for (const _ of [1, 2]) {
    save()
    await waitFor(() => expect(document.activeElement).toBe(asShown()))
  }
  await tasksDone()
  expect(submit).toHaveBeenCalledTimes(1)
  fireEvent.click(asShown() as HTMLElement)
  await waitFor(() => expect(submit).toHaveBeenCalledTimes(2))
  expect(submit.mock.calls[1]?.[0]).toMatchObject({ transaction_fee: 399, invoice_net_days: 30 })
  await waitFor(() => expect(screen.queryByText(who)).toBeNull())
  expect(asShown()).toBeNull()
})

test('changes to other fields ask nothing: the next save sends them beside those of the other', async () => {
  const { submit } = show()
  type('Requests per cycle', '9')
  save()
  await foot().findByText(who)
  expect(asShown()).toBeNull()
  save()
  await waitFor(() => expect(submit).toHaveBeenCalledTimes(2))
  expect(submit.mock.calls[1]?.[0]).toMatchObject({ requests_per_cycle: 9, transaction_fee: 100, invoice_net_days: 30 })
})

test('a field that both changed is settled by typing into it, or by reverting it', async () => {
  const { submit } = show()
  type('Transaction fee', '3.99')
  type('Requests per cycle', '9')
  save()
  await waitFor(() => expect(asShown()).not.toBeNull())
  field('Transaction fee').focus()
  fireEvent.keyDown(field('Transaction fee'), { key: 'Escape' })
  await waitFor(() => expect(asShown()).toBeNull())
  expect(field('Transaction fee').value).toBe('1.00')
  type('Transaction fee', '4.25')
  await tasksDone()
  expect(asShown()).toBeNull()
  save()
  await waitFor(() => expect(submit).toHaveBeenCalledTimes(2))
  expect(submit.mock.calls[1]?.[0]).toMatchObject({ requests_per_cycle: 9, transaction_fee: 425 })
})

test('a switch that sets a field changed by somebody else asks, too', async () => {
  const { submit, again } = show()
  fireEvent.click(screen.getByRole('switch', { name: 'Unlimited transfer' }))
  again(configurationLike({ ...own, withdraw_amount_max: 77_00, version: 2 }))
  await waitFor(() => expect(asked()).toEqual(['Maximum per pay period: now $77.00, yours $3,000.00']))
  save()
  await tasksDone()
  expect(submit).not.toHaveBeenCalled()
})

test('a draft over a value that was saved differently since asks when it is reopened', async () => {
  show()
  type('Transaction fee', '3.99')
  type('Requests per cycle', '9')
  cleanup()
  const { submit } = show(theirs)
  await foot().findByText('Something changed since you typed this.')
  expect(asked()).toEqual(['Transaction fee: now $1.00, yours $3.99'])
  save()
  await waitFor(() => expect(document.activeElement).toBe(asShown()))
  expect(submit).not.toHaveBeenCalled()
  fireEvent.click(asShown() as HTMLElement)
  await waitFor(() => expect(submit).toHaveBeenCalledTimes(1))
  expect(draft('employer.configure', targets)).toBeNull()
})

test('a concurrent save of the same value asks nothing, also in another notation', async () => {
  const { submit, again } = show(theirs)
  type('Transaction fee', '3.99')
  save()
  await waitFor(() => expect(submit).toHaveBeenCalledTimes(1))
  again(configurationLike({ ...theirs, transaction_fee: 400, version: 3 }))
  await screen.findByText('No changes')
  expect([field('Transaction fee').value, asShown()]).toEqual(['4.00', null])
})

test('a restored draft is validated at once', async () => {
  show()
  type('Transaction fee', '25')
  type('Requests per cycle', '9')
  cleanup()
  show()
  await screen.findByText('At most $20.00')
  expect(field('Transaction fee').getAttribute('aria-invalid')).toBe('true')
})

test('the reason why something was not saved is in the foot', async () => {
  const submit = async (): Promise<Failure> => ({ sentence: "You don't have permission to take this action.", detail: null })
  showAlone(pageForm({ targets, page, saved: saved(own), submit }))
  type('Transaction fee', '3.99')
  save()
  await waitFor(() => expect(foot().getByRole('alert').textContent).toBe("You don't have permission to take this action."))
})

test('table rows follow somebody else’s save; a row that both changed asks until settled', async () => {
  const row = z.object({ header: text('Header'), field: text('Field') })
  const form = z.object({ columns: table('Columns', z.array(row), 'column') })
  const rows = (...headers: string[]) => ({ columns: headers.map((header, at) => ({ header, field: `F${at}` })) })
  const submit = vi.fn(async (_: Record<string, unknown>): Promise<Failure | null> => null)
  const drawn = (of: ReturnType<typeof rows>) =>
    pageForm({ targets, page: { ...page, form } as unknown as typeof page, saved: of, submit })
  const { rerender } = showAlone(drawn(rows('One', 'Two', 'Three')))
  const header = (at: number) => screen.getAllByLabelText(/^Header, /)[at] as HTMLInputElement
  const put = (at: number, value: string) => {
    header(at).focus()
    fireEvent.change(header(at), { target: { value } })
  }
  await screen.findAllByLabelText(/^Header, /)
  put(0, 'First')
  rerender(drawn(rows('One', 'Two', 'Third')))
  await waitFor(() => expect(header(2).value).toBe('Third'))
  expect([header(0).value, asShown()]).toEqual(['First', null])
  rerender(drawn(rows('Uno', 'Two', 'Third')))
  await waitFor(() => expect(asked()).toEqual(['Columns: column 1, Header: now Uno, yours First']))
  put(1, 'Second')
  await tasksDone()
  expect(asShown()).not.toBeNull()
  save()
  await waitFor(() => expect(document.activeElement).toBe(asShown()))
  expect(submit).not.toHaveBeenCalled()
  fireEvent.click(asShown() as HTMLElement)
  await waitFor(() => expect(submit).toHaveBeenCalledWith(rows('First', 'Second', 'Third')))
})

test('after a save without an answer the focus is where it was', async () => {
  const submit = async (): Promise<Failure | null> => null
  const form = (frozen: boolean) => pageForm({ targets, page, saved: saved(own), submit, frozen })
  const { rerender } = showAlone(form(false))
  type('Transaction fee', '3.99')
  rerender(form(true))
  // A browser removes the focus from inert elements.
  field('Transaction fee').blur()
  expect(document.activeElement).toBe(document.body)
  rerender(form(false))
  expect(document.activeElement).toBe(field('Transaction fee'))
})
