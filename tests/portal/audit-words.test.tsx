// @vitest-environment happy-dom
import { act, cleanup, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { defineCommand } from '#kernel/command.ts'
import { pause } from '#contract/employee-changes.ts'
import { register } from '#portal/app/registry.ts'
import { CommandWords } from '#portal/nouns/audit-events/command-words.tsx'
import { showAlone } from '#tests/portal/alone.tsx'

afterEach(() => {
  cleanup()
  register({ commands: [], coming: [] })
})

test('the command of an event is called by its title as soon as that is there', () => {
  showAlone(<CommandWords one={{ command: 'test.pause', intent: 'employee.pause' }} />)
  expect(screen.getByText('Test pause')).toBeTruthy()
  const command = defineCommand({ id: 'test.pause', title: 'Pause it', does: pause, done: () => '', failed: () => '' })
  act(() => register({ coming: [command] }))
  expect(screen.getByText('Pause it')).toBeTruthy()
})
