import { expect, test } from 'vitest'
import { collect } from '#contract/define.ts'
import { employeeEventStatuses } from '#domain/employee-event.ts'
import { modulesIn } from '#server/modules-in.ts'

const { intents } = collect((await modulesIn(new URL('../../src/contract/', import.meta.url))).values())

test('what is done to an employee or a user is told by a declared event, so that the history can be filtered by it', () => {
  const aboutPeople = intents.filter(({ endpoint }) => /^\/(employees|users|notes)\b/.test(endpoint.path))
  expect(aboutPeople.length).toBeGreaterThan(6)
  for (const { id, event } of aboutPeople) expect([id, employeeEventStatuses.includes(event as never)]).toEqual([id, true])
})
