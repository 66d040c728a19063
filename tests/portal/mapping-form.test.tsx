import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import page from '#commands/employer/add-mapping.page.ts'
import deactivate from '#commands/employer/deactivate.ts'
import type { Command } from '#kernel/command.ts'
import { chooser, tableField } from '#portal/form/fields/deferred.ts'
import { focusOf, scopesOf } from '#portal/keyboard/focus.ts'
import { keysNow } from '#portal/keyboard/key-choice.ts'
import { meAtom } from '#portal/api/session.ts'
import { store } from '#portal/platform/store.ts'
import { SamplePanel } from '#portal/nouns/mappings/sample-panel.tsx'
import { type Later, later } from '#portal/ui/later.tsx'
import type { BesideForm } from '#portal/ui/screen.ts'
import { pageForm, showAlone, tasksDone } from '#tests/portal/alone.tsx'
import { adminWithout } from '#tests/support/examples.ts'

beforeEach(async () => {
  store.set(meAtom, adminWithout())
  sessionStorage.clear()
  await Promise.all([chooser.fetch(), tableField.fetch()])
})
afterEach(cleanup)

function show(saved: Record<string, unknown>, beside?: Later<BesideForm>) {
  const submit = vi.fn(async () => null)
  showAlone(
    <div className="page" data-region="page">
      {pageForm({ page, saved, beside, facts: { employer_id: 100101 }, submit })}
    </div>,
  )
  return submit
}

test('letters in a cell of the mapping are not keys of the employer', () => {
  show({ columns: [{ header: 'Mail', static: false }] })
  const letters = (element: Element) =>
    keysNow([deactivate as Command], scopesOf(focusOf(element)), 'employer', {
      letters: true,
      text: focusOf(element) === 'text',
    }).map(({ chord }) => chord)
  const controls = screen.getByRole('form').querySelectorAll('input, select, button, [role=switch], [tabindex="0"]')
  expect([...controls].some((control) => control instanceof HTMLInputElement && control.type === 'checkbox')).toBe(true)
  for (const control of controls) expect(letters(control), control.outerHTML).toEqual([])
})

/** A sample that does not fit the mapping. */
const unfitSample = later<BesideForm>(async () => ({ refuse }) => (
  <button type="button" onClick={() => refuse('The sample has no column “Status”.')}>
    Read the sample
  </button>
))

test('an invalid mapping focuses its first error, also where its sample does not fit', async () => {
  await unfitSample.fetch()
  const submit = show({ columns: [] }, unfitSample)
  fireEvent.click(screen.getByText('Read the sample'))
  const add = screen.getByRole('button', { name: /^Add / })
  fireEvent.click(add)
  fireEvent.change(document.activeElement as Element, { target: { value: 'Mail' } })
  add.focus()
  fireEvent.keyDown(add, { key: 'Enter', ctrlKey: true })
  await screen.findByText(/to correct before saving$/)
  await waitFor(() => expect(document.activeElement?.closest('[aria-invalid=true]')).not.toBeNull())
  expect(document.activeElement?.closest<HTMLElement>('[data-field]')?.dataset['field']).toBe('kind')
  expect(submit).not.toHaveBeenCalled()
})

test('a valid mapping is not saved while its sample does not fit', async () => {
  await unfitSample.fetch()
  const submit = show({ columns: [] }, unfitSample)
  fireEvent.click(screen.getByText('Read the sample'))
  await screen.findByText('The sample has no column “Status”.')
  fireEvent.keyDown(screen.getByRole('form'), { key: 'Enter', ctrlKey: true })
  await tasksDone()
  expect(submit).not.toHaveBeenCalled()
})

test('[ERR-041] without a configuration of the employer the page says at once that no file can be mapped', async () => {
  const facts = (configured: boolean | null) => ({ employer_id: 100101, configured })
  const beside = { values: {}, set: () => {}, refuse: () => {} }
  const sentence = 'Unable to map file, Configurations need to be setup.'
  for (const configured of [true, null]) {
    showAlone(<SamplePanel {...beside} facts={facts(configured)} />)
    expect(screen.queryByText(sentence)).toBeNull()
    cleanup()
  }
  showAlone(<SamplePanel {...beside} facts={facts(false)} />)
  expect(screen.getByText(sentence)).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: 'Set up the configuration' }))
  expect(location.pathname).toBe('/employers/100101/configuration')
})

test('[API-046] a configuration is read from the employer, and unknown where the API does not answer', async () => {
  const read = (answer: () => unknown) =>
    page.facts(
      { id: 100101 } as never,
      (async (endpoint: { path: string }) => {
        expect(endpoint.path).toBe('/employers/{employerId}/configurations')
        return answer()
      }) as never,
    )
  expect(await read(() => ({ id: 7 }))).toEqual({ employer_id: 100101, configured: true })
  expect(await read(() => ({ id: null }))).toEqual({ employer_id: 100101, configured: false })
  const refused = () => {
    throw new Error('Not offered by this API')
  }
  expect(await read(refused)).toEqual({ employer_id: 100101, configured: null })
})
