import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { pause } from '#contract/employee-changes.ts'
import { oneOf } from '#contract/fields.ts'
import { type Command, defineCommand } from '#kernel/command.ts'
import { showForm, tasksDone } from '#tests/portal/alone.tsx'

const command: Command = defineCommand({ id: 'test.list', title: 'Do it', does: pause, done: () => 'Done' })
const verbs = ['Add', 'Change', 'Close', 'Remove', 'Show', 'Undo']
const nouns = ['bank account', 'card', 'note', 'pay group']
const options = verbs.flatMap((verb) =>
  nouns.map((noun) => ({ value: `${verb} ${noun}`.replaceAll(' ', '-'), label: `${verb} ${noun}` })),
)
const form = (count = options.length) =>
  showForm({ command, schema: z.object({ command: oneOf('What they cannot do', options.slice(0, count)) }) })

beforeEach(() => sessionStorage.clear())
afterEach(cleanup)

const field = () => screen.findByRole('combobox', { name: /^What they cannot do/ })
const labels = () => screen.queryAllByRole('option').map((option) => option.textContent)
const type = (input: HTMLElement, value: string) => {
  act(() => input.focus())
  fireEvent.keyDown(input, { key: value.at(-1) })
  fireEvent.change(input, { target: { value } })
}
const press = (key: string, more: object = {}) => fireEvent.keyDown(document.activeElement as Element, { key, ...more })

test('words of the label find an option of a long list, in any order, and Enter chooses it', async () => {
  const submit = form()
  const input = await field()
  act(() => input.focus())
  await waitFor(() => expect(labels()).toHaveLength(24))
  type(input, 'acc clo')
  await waitFor(() => expect(labels()).toEqual(['Close bank account']))
  press('Enter')
  await waitFor(() => expect((input as HTMLInputElement).value).toBe('Close bank account'))
  press('Enter', { ctrlKey: true })
  await waitFor(() => expect(submit).toHaveBeenCalledWith({ command: 'Close-bank-account' }))
})

test('text that finds nothing says so, and is no choice', async () => {
  const submit = form()
  const input = await field()
  type(input, 'qqq')
  await screen.findByText('No choice has these words')
  press('Enter')
  press('Enter', { ctrlKey: true })
  await tasksDone()
  expect(submit).not.toHaveBeenCalled()
  await screen.findByText('“qqq” was not taken. Choose one from the list.')
})

test('a short list stays a list', async () => {
  form(20)
  await screen.findByRole('button', { name: /^What they cannot do: / })
  expect(screen.queryByRole('combobox')).toBeNull()
})
