import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { register } from '#portal/platform/registry.ts'
import { employee } from '#entities/employee.ts'
import employees from '#portal/nouns/employees/list.tsx'
import { Detail } from '#portal/record/detail.tsx'
import { upsertRecords } from '#portal/records/entity-store.ts'
import { loadErrorAtom } from '#portal/records/load-error.ts'
import { store } from '#portal/platform/store.ts'
import { showAlone } from '#tests/portal/alone.tsx'
import { employeeLike } from '#tests/support/examples.ts'

beforeAll(() => register({ entities: [employee], commands: [] }))
afterEach(cleanup)

const lines = () => document.querySelectorAll('.waiting i').length

// There is no API: every read fails, as without a network.
test('a record that fails says so in its place, can be retried, and shows placeholders meanwhile', async () => {
  showAlone(<Detail pane={employees} id="104234" />)
  expect(lines()).toBeGreaterThan(5)
  expect(screen.queryByRole('alert')).toBeNull()
  const sentence = /^Employee 104234 could not be loaded/
  await screen.findByText(sentence)
  expect(lines()).toBe(0)
  expect(store.get(loadErrorAtom)).toBeNull()

  fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(screen.queryByText(sentence)).toBeNull()
  expect(lines()).toBeGreaterThan(5)
  await screen.findByText(sentence)

  act(() => void upsertRecords('employee', [employeeLike(104234, 'Benjamin', 'Ortiz')]))
  expect(screen.queryByText(sentence)).toBeNull()
  expect(screen.getByRole('heading', { name: 'Benjamin Ortiz' })).toBeTruthy()
})
