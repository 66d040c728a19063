import { expect, test } from 'vitest'
import { collect } from '#contract/define.ts'
import { employeeEventStatuses, userEventStatuses } from '#domain/employee-event.ts'
import { modulesIn } from '#server/modules-in.ts'

const { intents } = collect((await modulesIn(new URL('../../src/contract/', import.meta.url))).values())

test('changes of employees and users record declared events, by which the history is filtered', () => {
  const aboutPeople = intents.filter(({ endpoint }) => /^\/(employees|users|notes)\b/.test(endpoint.path))
  expect(aboutPeople.length).toBeGreaterThan(6)
  for (const { id, event } of aboutPeople) expect([id, employeeEventStatuses.includes(event as never)]).toEqual([id, true])
})

test("changes of a user are values of the filter of a user's history", () => {
  const aboutUsers = intents.filter(({ endpoint }) => /^\/users\b/.test(endpoint.path))
  expect(aboutUsers.length).toBeGreaterThan(6)
  for (const { id, event } of aboutUsers) expect([id, userEventStatuses.includes(event as never)]).toEqual([id, true])
})
