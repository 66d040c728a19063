import { expect, test } from 'vitest'
import type { Problem } from '#contract/problem.ts'
import { detailOf, unansweredBy } from '#kernel/api-client.ts'

const problem = (status: number, more: Partial<Problem>): Problem => ({
  ...{ type: 'urn:admin-portal:problem:internal-error', title: 'Problem', status, code: 'internal-error' },
  ...more,
})

test('an unexpected failure names the request, so that support finds it in the logs', () => {
  const failed = problem(500, { detail: 'Something went wrong. Try again later.', request_id: '7f3a-1' })
  expect(detailOf(unansweredBy(failed))).toBe('Something went wrong. Try again later. Reference: 7f3a-1')
  // A service that is not available is no fault to look for, and another API may name no request.
  const away = problem(503, { detail: 'The service is not available right now.', request_id: '7f3a-2' })
  expect(detailOf(unansweredBy(away))).toBe('The service is not available right now.')
  expect(detailOf(unansweredBy(problem(500, { detail: 'Broken.' })))).toBe('Broken.')
  expect(detailOf(unansweredBy(null))).toBeNull()
})
