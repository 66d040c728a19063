import { expect, test } from 'vitest'
import deactivate from '#commands/employer/deactivate.ts'
import { changes } from '#kernel/command.ts'
import { employerLike } from '#tests/support/examples.ts'

test('[EMR-004] de-activating an employer shows beforehand what happens to its employees', () => {
  expect(changes(deactivate) && deactivate.preview?.warning?.(employerLike())).toBe(
    'Its employees can no longer use the app: their withdrawals are refused.',
  )
})
