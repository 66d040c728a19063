// @vitest-environment happy-dom
import { beforeEach, expect, test } from 'vitest'
import pause from '#commands/employee/pause.ts'
import theme from '#commands/view/theme.ts'
import type { Command } from '#kernel/command.ts'
import { noteStart, takeKeyHint } from '#portal/commands/key-hints.ts'
import { setLetters } from '#portal/keyboard/letters.ts'
import { meAtom } from '#portal/api/session.ts'
import { register } from '#portal/platform/registry.ts'
import { store } from '#portal/platform/store.ts'
import { adminWithout } from '#tests/support/examples.ts'

const signIn = (id: string) => store.set(meAtom, { ...adminWithout(), person: { ...adminWithout().person, id } })

beforeEach(() => {
  localStorage.clear()
  setLetters(true)
  register({ commands: [pause, theme] as unknown as Command[], ownKeys: {} })
  signIn('ada')
})

test('a command run without its shortcut shows it once, for each person', () => {
  noteStart('employee.pause', false)
  expect(takeKeyHint('employee.pause')).toBe('p')
  noteStart('employee.pause', false)
  expect(takeKeyHint('employee.pause')).toBeNull()
  signIn('tom')
  noteStart('employee.pause', false)
  expect(takeKeyHint('employee.pause')).toBe('p')
})

test('a command run by its shortcut, or without one, shows none', () => {
  noteStart('employee.pause', false)
  noteStart('employee.pause', true)
  noteStart('view.theme', false)
  expect([takeKeyHint('employee.pause'), takeKeyHint('view.theme')]).toEqual([null, null])
})

test('a letter is not shown while single-key shortcuts are off, and the own shortcut is', () => {
  setLetters(false)
  noteStart('employee.pause', false)
  expect(takeKeyHint('employee.pause')).toBeNull()
  register({ ownKeys: { 'employee.pause': 'Mod+E' } })
  noteStart('employee.pause', false)
  expect(takeKeyHint('employee.pause')).toBe('Mod+E')
})
