import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { pause } from '#contract/employee-changes.ts'
import { anyReferences, reference, text } from '#contract/fields.ts'
import type { Employer } from '#contract/employers.ts'
import { employer } from '#entities/employer.ts'
import { type Command, defineCommand } from '#kernel/command.ts'
import { apiClient } from '#portal/api/client.ts'
import { register } from '#portal/platform/registry.ts'
import { store } from '#portal/platform/store.ts'
import { meAtom } from '#portal/api/session.ts'
import { pageForm, showAlone, showForm, tasksDone } from '#tests/portal/alone.tsx'
import { adminWithout, employerLike } from '#tests/support/examples.ts'

const command: Command = defineCommand({
  id: 'test.chooser',
  title: 'Do it',
  does: pause,
  done: () => 'Done',
  failed: () => 'Not done',
})
const one = employerLike({ id: 100201, internal_name: 'Harbor Foods' })

/** The search results, and their delay. */
let answer: (q: string) => Promise<{ employers: Employer[] }>

beforeAll(() => register({ entities: [employer], commands: [] }))
beforeEach(() => {
  store.set(meAtom, adminWithout())
  sessionStorage.clear()
  answer = async (q) => ({ employers: 'harbor foods'.startsWith(q) ? [one] : [] })
  vi.spyOn(apiClient, 'read').mockImplementation((async (_: unknown, __: unknown, query: { q?: string }) =>
    answer(query?.q ?? '')) as never)
})
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

const field = (label: string | RegExp = /^Employers?/) => screen.findByRole('combobox', { name: label })
const type = (input: HTMLElement, value: string) => {
  act(() => input.focus())
  fireEvent.keyDown(input, { key: value.at(-1) })
  fireEvent.change(input, { target: { value } })
}
const press = (key: string, more: object = {}) => fireEvent.keyDown(document.activeElement as Element, { key, ...more })
const send = () => press('Enter', { ctrlKey: true })
const unparsed = /“qqq” was not taken\. Choose an employer from the list/

/** Types text without results, and Enter, as somebody does who expects it to be accepted. */
async function leave(input: HTMLElement): Promise<void> {
  type(input, 'qqq')
  await screen.findByText('No employer found')
  press('Enter')
  await screen.findByText(unparsed)
}

test('results are in the order of the palette, so that Enter selects the typed one', async () => {
  const named = (id: number, internal_name: string, organization_name: string) =>
    employerLike({ id, internal_name, organization_name })
  answer = async () => ({
    employers: [
      named(100301, 'Birch Distribution 2', 'Summit Group'),
      named(100302, 'Birch Distribution 3', 'Summit Group'),
      named(100303, 'Birch Security 1', 'Ridge Group'),
    ],
  })
  const submit = showForm({ command, schema: z.object({ employer_id: reference('Employer', 'employer') }) })
  const input = await field()
  type(input, 'birch s')
  const options = await screen.findAllByRole('option')
  expect(options.map((option) => option.textContent?.slice(0, 16))).toEqual([
    'Birch Security 1',
    'Birch Distributi',
    'Birch Distributi',
  ])
  press('Enter')
  send()
  await waitFor(() => expect(submit).toHaveBeenCalledWith({ employer_id: 100303 }))
})

test.each([
  ['one', z.object({ employer_id: reference('Employer', 'employer').optional() }), 100201],
  ['several', z.object({ employer_id: anyReferences('Employers', 'employer').default([]) }), [100201]],
] as const)('unaccepted text in a chooser of %s prevents sending', async (_, schema, value) => {
  const submit = showForm({ command, schema })
  const input = (await field()) as HTMLInputElement
  await leave(input)
  expect(input.value).toBe('qqq')
  expect(input.getAttribute('aria-invalid')).toBe('true')
  for (let times = 0; times < 2; times++) {
    send()
    await tasksDone()
    expect(submit).not.toHaveBeenCalled()
    screen.getByText(unparsed)
  }
  // However it is sent, the focus moves to the unaccepted text.
  const go = screen.getByRole('button', { name: /^Do it/ })
  act(() => go.focus())
  fireEvent.click(go)
  await waitFor(() => expect(document.activeElement).toBe(input))
  expect(submit).not.toHaveBeenCalled()

  type(input, 'harb')
  await waitFor(() => expect(screen.queryByText(unparsed)).toBeNull())
  await screen.findByRole('option', { name: /Harbor Foods/ })
  press('Enter')
  await waitFor(() => expect(input.getAttribute('aria-invalid')).toBeNull())
  send()
  await waitFor(() => expect(submit).toHaveBeenCalledWith({ employer_id: value }))
})

test('a cleared field is sent without a value', async () => {
  const submit = showForm({
    command,
    schema: z.object({ employer_id: reference('Employer', 'employer').optional(), name: text('Name', 20).optional() }),
  })
  const input = await field()
  await leave(input)
  screen.getByText(/, or clear the field\.$/)
  type(input, '')
  await waitFor(() => expect(screen.queryByText(unparsed)).toBeNull())
  act(() => screen.getByLabelText(/^Name/).focus())
  send()
  await waitFor(() => expect(submit).toHaveBeenCalledWith({}))
})

test('sending a form selects nothing from the list that opens as a field is cleared', async () => {
  const submit = showForm({ command, schema: z.object({ employer_ids: anyReferences('Employers', 'employer').default([]) }) })
  const input = await field()
  await leave(input)
  type(input, '')
  await screen.findByRole('option', { name: /Harbor Foods/ })
  send()
  await waitFor(() => expect(submit).toHaveBeenCalledWith({ employer_ids: [] }))
})

test('the mouse cannot bypass it either, also while the list is open', async () => {
  const submit = showForm({ command, schema: z.object({ employer_id: reference('Employer', 'employer').optional() }) })
  type(await field(), 'qqq')
  await screen.findByText('No employer found')
  const go = screen.getByRole('button', { name: /^Do it/ })
  fireEvent.mouseDown(go)
  act(() => go.focus())
  fireEvent.click(go)
  await screen.findByText(unparsed)
  await tasksDone()
  expect(submit).not.toHaveBeenCalled()
})

test('a step does not continue with it, and the text of a step that was left back is ignored', async () => {
  const submit = showForm({
    command,
    schema: z.object({
      name: text('Name', 20, { step: 'Create' }),
      employer_ids: anyReferences('Employers', 'employer', { step: 'Connections' }).default([]),
      notes: text('Notes', 20, { step: 'Notes' }).optional(),
    }),
  })
  fireEvent.change(await screen.findByLabelText(/^Name/), { target: { value: 'Mia' } })
  send()
  await leave(await field())
  send()
  await tasksDone()
  expect(document.activeElement).toBe(await field())
  expect(screen.queryByLabelText(/^Notes/)).toBeNull()
  fireEvent.click(screen.getByRole('button', { name: 'Back' }))
  await screen.findByLabelText(/^Name/)
  send()
  expect(((await field()) as HTMLInputElement).value).toBe('')
  await waitFor(() => expect(screen.queryByText(unparsed)).toBeNull())
  send()
  await screen.findByLabelText(/^Notes/)
  send()
  await waitFor(() => expect(submit).toHaveBeenCalledWith({ name: 'Mia', employer_ids: [] }))
})

test('Enter waits for the results, and selects', async () => {
  let found = (_: { employers: Employer[] }) => {}
  const asked = Promise.withResolvers<void>()
  answer = () =>
    new Promise((answered) => {
      found = answered
      asked.resolve()
    })
  const submit = showForm({ command, schema: z.object({ employer_ids: anyReferences('Employers', 'employer').default([]) }) })
  type(await field(), 'harb')
  await asked.promise
  press('Enter')
  await act(async () => found({ employers: [one] }))
  await screen.findByRole('button', { name: 'Remove Harbor Foods' })
  expect(submit).not.toHaveBeenCalled()
  send()
  await waitFor(() => expect(submit).toHaveBeenCalledWith({ employer_ids: [100201] }))
})

test('a page is not saved with it, and counts it as an error', async () => {
  const submit = vi.fn(async () => null)
  const form = z.object({
    name: text('Name', 20, { section: 'All' }),
    employer_id: reference('Employer', 'employer', { section: 'All' }).optional(),
  })
  showAlone(pageForm({ page: { command, title: 'Page', form } as never, saved: { name: 'Before' }, submit }))
  fireEvent.change(await screen.findByLabelText(/^Name/), { target: { value: 'After' } })
  const input = await field()
  await leave(input)
  act(() => screen.getByLabelText(/^Name/).focus())
  send()
  await screen.findByText(/^1 field to correct/)
  await waitFor(() => expect(document.activeElement).toBe(input))
  expect(submit).not.toHaveBeenCalled()
  type(input, '')
  press('Tab')
  await waitFor(() => expect(screen.queryByText(/^1 field to correct/)).toBeNull())
  send()
  await waitFor(() => expect(submit).toHaveBeenCalledWith({ name: 'After', employer_id: undefined }))
})
