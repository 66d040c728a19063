// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import type { Summary } from '#contract/dashboard.ts'
import { Plots } from '#portal/nouns/dashboard/plots.tsx'

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

test('an empty plot is rendered as soon as there are figures', () => {
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(300)
  const summaryOf = (advances: { date: string; count: number; amount: number }[]) =>
    ({ business_date: '2026-11-28', plots: { advances } }) as unknown as Summary
  const plots = (of: Summary) => <Plots summary={of} drawn={['advances']} />
  const { container, rerender } = render(plots(summaryOf([])))
  expect(screen.getByText('Nobody took an advance in this time.')).toBeTruthy()
  rerender(plots(summaryOf([{ date: '2026-11-28', count: 31, amount: 1_240_00 }])))
  expect(screen.getByText('31 today')).toBeTruthy()
  expect(container.querySelectorAll('svg.plot path.plot-line')).toHaveLength(1)
})
