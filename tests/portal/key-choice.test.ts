import { expect, test } from 'vitest'
import pause from '#commands/employee/pause.ts'
import resume from '#commands/employee/resume.ts'
import openEmployees from '#commands/open/employees.ts'
import undo from '#commands/session/undo.ts'
import type { Command } from '#kernel/command.ts'
import type { CommandContext } from '#kernel/command-context.ts'
import { permissionIds } from '#domain/permissions.ts'
import { scopesOf } from '#portal/keyboard/focus.ts'
import { choose, keysNow } from '#portal/keyboard/key-choice.ts'

const all = [pause, resume, openEmployees, undo] as Command[]

/** A context with one selected row of an entity, in a state. */
function withRow(status: string, entity = 'employee'): CommandContext {
  const rows = new Map<string, unknown>([['104234', { id: 104234, status, version: 1 }]])
  return {
    signedIn: true,
    held: new Set(permissionIds),
    supports: () => true,
    selection: { entity, ids: ['104234'], rows, filter: null, count: 1, how: 'active' },
    pane: null,
    open: null,
    online: true,
  }
}
const chords = (focus: Parameters<typeof scopesOf>[0], context: CommandContext, now = { letters: true, text: false }) =>
  keysNow(all, scopesOf(focus), context.selection?.entity, now).map((key) => key.chord)

test('plain letters are keys only while a grid or a record has the focus', () => {
  expect(chords('grid', withRow('ACTIVE'))).toEqual(['p', 'p', 'g e', 'Mod+Z'])
  expect(chords('detail', withRow('ACTIVE'))).toEqual(['p', 'p', 'g e', 'Mod+Z'])
  expect(chords('shell', withRow('ACTIVE'))).toEqual(['Mod+Z'])
  expect(chords('nothing', withRow('ACTIVE'))).toEqual(['Mod+Z'])
})

test('plain letters can be switched off', () => {
  expect(chords('grid', withRow('ACTIVE'), { letters: false, text: false })).toEqual(['Mod+Z'])
})

test('undo stays native inside a text field', () => {
  expect(chords('text', withRow('ACTIVE'), { letters: true, text: true })).toEqual([])
})

test('no key of the workspace works through a dialog', () => {
  expect(chords('dialog', withRow('ACTIVE'))).toEqual([])
})

test('the keys of a row are those of its own noun', () => {
  expect(chords('grid', withRow('ACTIVE', 'employer'))).toEqual(['g e', 'Mod+Z'])
})

test('of two commands on one key the available one is chosen', () => {
  expect(choose([pause, resume] as Command[], withRow('ACTIVE'))?.id).toBe('employee.pause')
  expect(choose([pause, resume] as Command[], withRow('PAUSED'))?.id).toBe('employee.resume')
})

test('of two commands without permission on one key, the one that the state allows is chosen', () => {
  const without = (status: string) => ({ ...withRow(status), held: new Set<number>() })
  expect(choose([pause, resume] as Command[], without('ACTIVE'))?.id).toBe('employee.pause')
  expect(choose([pause, resume] as Command[], without('PAUSED'))?.id).toBe('employee.resume')
})

test('over several rows the command with more eligible ones is chosen', () => {
  const context = withRow('PAUSED')
  const rows = new Map<string, unknown>(
    ['PAUSED', 'PAUSED', 'ACTIVE'].map((status, id) => [String(id), { id, status, version: 1 }]),
  )
  const several = {
    ...context,
    selection: { ...context.selection, ids: [...rows.keys()], rows, count: 3, how: 'marked' },
  } as CommandContext
  expect(choose([pause, resume] as Command[], several)?.id).toBe('employee.resume')
})
