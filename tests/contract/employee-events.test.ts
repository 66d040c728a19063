import { expect, test } from 'vitest'
import { collect } from '#contract/define.ts'
import { employeeEventStatuses, userEventStatuses } from '#domain/employee-event.ts'
import { modulesIn } from '#server/modules-in.ts'

const { intents } = collect((await modulesIn(new URL('../../src/contract/', import.meta.url))).values())

test('what is done to an employee or a user is told by a declared event, so that the history can be filtered by it', () => {
  const aboutPeople = intents.filter(({ endpoint }) => /^\/(employees|users|notes)\b/.test(endpoint.path))
  expect(aboutPeople.length).toBeGreaterThan(6)
  for (const { id, event } of aboutPeople) expect([id, employeeEventStatuses.includes(event as never)]).toEqual([id, true])
})

test('what is done to a user is a value that the history of a user can be filtered by', () => {
  const aboutUsers = intents.filter(({ endpoint }) => /^\/users\b/.test(endpoint.path))
  expect(aboutUsers.length).toBeGreaterThan(6)
  for (const { id, event } of aboutUsers) expect([id, userEventStatuses.includes(event as never)]).toEqual([id, true])
})
