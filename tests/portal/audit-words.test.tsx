// @vitest-environment happy-dom
import { act, cleanup, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { auditedRecord } from '#entities/audit-event.ts'
import { employer } from '#entities/employer.ts'
import { defineCommand } from '#kernel/command.ts'
import { pause } from '#contract/employee-changes.ts'
import type { AuditEvent } from '#contract/audit-events.ts'
import configure from '#commands/employer/configure.ts'
import audit from '#portal/nouns/audit-events/list.tsx'
import employers from '#portal/nouns/employers/list.tsx'
import { register } from '#portal/platform/registry.ts'
import { AuditGeneral } from '#portal/nouns/audit-events/general.tsx'
import { commandWords } from '#portal/nouns/audit-events/words.ts'
import { CommandWords } from '#portal/nouns/audit-events/command-words.tsx'
import { showAlone } from '#tests/portal/alone.tsx'

afterEach(() => {
  cleanup()
  register({ commands: [] })
})

test('the command of an event is shown by its title as soon as it has loaded', () => {
  showAlone(<CommandWords one={{ command: 'test.pause', intent: 'employee.pause' }} />)
  expect(screen.getByText('Pause test')).toBeTruthy()
  const command = defineCommand({ id: 'test.pause', title: 'Pause it', does: pause, done: () => '', failed: () => '' })
  act(() => register({ commands: [command] }))
  expect(screen.getByText('Pause it')).toBeTruthy()
})

test.each([
  ['repayment.settle', 'Settle repayment'],
  ['invoice.submit-debit', 'Submit debit of invoice'],
  ['person.sign-in', 'Sign in'],
  ['person.change-password', 'Change password'],
  ['user.kyc', 'Check identity of user'],
  ['user.address', 'Change address of user'],
  ['user.confirm-email', 'Confirm email of user'],
  ['bank-result.take', 'Take bank result'],
])('an event without a command, %s, is a verb with its noun: %s', (intent, words) => {
  expect(commandWords({ command: null, intent })).toBe(words)
})

const event: AuditEvent = {
  id: 9,
  at: '2026-11-21T10:00:00Z',
  actor: { id: 'ada', name: 'Ada Admin' },
  status: 'Configured',
  category: 'employer',
  text: null,
  version: 2,
  changes: [{ field: 'terms_level', before: 'ORGANIZATION', after: 'EMPLOYER' }],
  entity: 'employer',
  entity_id: '100101',
  entity_name: 'Harbor Foods',
  intent: 'employer.configure',
  command: 'employer.configure',
}

test('saved views belong to a person', () => {
  const views: AuditEvent = { ...event, entity: 'views', entity_id: 'ada', entity_name: 'Priya Raman' }
  expect(auditedRecord(views).replace(/[\u2068\u2069]/g, '')).toBe('Saved views of Priya Raman')
  expect(auditedRecord(event)).toMatch(/^Employer .?Harbor Foods/)
})

test('an event names its command by its title, and by its code where no command has it', () => {
  register({ commands: [configure], entities: [employer] })
  const { unmount } = showAlone(<AuditGeneral one={event} />)
  screen.getByText(configure.title)
  expect(document.body.textContent).not.toContain('employer.configure')
  unmount()
  showAlone(<AuditGeneral one={{ ...event, command: 'employer.paint' }} />)
  screen.getByText('employer.paint')
})

test('a field of a company has the same name in the list of events and in its own history', () => {
  expect(employers.words.field('terms_level')).toBe('Level of invoice terms')
  for (const field of ['terms_level', 'csm', 'withdraw_amount_max'])
    expect(audit.words.field(field)).toBe(employers.words.field(field))
})
