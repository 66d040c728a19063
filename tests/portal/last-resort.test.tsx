// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { LastResort } from '#portal/shell/last-resort.tsx'

function Part({ breaks }: { breaks: boolean }) {
  if (breaks) throw new Error('no rows')
  return <p>All well</p>
}
beforeEach(() => {
  // React logs the error to the console as well; the person reads it on the page.
  vi.spyOn(console, 'error').mockImplementation(() => {})
})
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

test('[ERR-048] a render error shows Something went wrong and offers to reload', () => {
  render(
    <LastResort about="/employees">
      <Part breaks />
    </LastResort>,
  )
  expect(screen.getByRole('alert').textContent).toContain('Something went wrong')
  expect(screen.getByRole('alert').textContent).toContain('no rows')
  expect(screen.getByRole('button', { name: 'Reload' })).toBeTruthy()
})

test('another page is tried again', () => {
  const { rerender } = render(
    <LastResort about="/employees">
      <Part breaks />
    </LastResort>,
  )
  rerender(
    <LastResort about="/employees/104234">
      <Part breaks={false} />
    </LastResort>,
  )
  expect(screen.getByText('All well')).toBeTruthy()
  expect(screen.queryByRole('alert')).toBeNull()
})
