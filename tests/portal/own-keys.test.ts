// @vitest-environment happy-dom
import { beforeEach, describe, expect, test } from 'vitest'
import type { Command } from '#kernel/command.ts'
import { withOwnKeys } from '#kernel/own-keys.ts'
import { assignKeys, checkKeys, keysFile, readKeysFile, resetKeys } from '#portal/commands/change-keys.ts'
import { ownKeys, watchOwnKeys } from '#portal/commands/own-keys.ts'
import { areClashing, bindingsOf } from '#portal/keyboard/key-clash.ts'
import { commandKeys } from '#portal/keyboard/key-words.ts'
import { meAtom } from '#portal/api/session.ts'
import { chordById, commandById, commands, register } from '#portal/platform/registry.ts'
import { store } from '#portal/platform/store.ts'
import { adminWithout } from '#tests/support/examples.ts'

const modules = import.meta.glob<Command | Command[]>(['../../commands/**/*.ts', '!../../commands/**/*.page.ts'], {
  eager: true,
  import: 'default',
})
const all = Object.values(modules).flat()

const signIn = (id: string) => {
  const me = adminWithout()
  store.set(meAtom, { ...me, person: { ...me.person, id } })
}

let stop = () => {}
beforeEach(() => {
  stop()
  localStorage.clear()
  store.set(meAtom, null)
  register({ commands: all, ownKeys: {} })
  stop = watchOwnKeys()
  signIn('ada')
})

const assign = (id: string, chord: string | null, exchange?: { with: string; swap: string | null }) =>
  assignKeys(id, chord, ownKeys(), exchange)

describe('a changed shortcut', () => {
  test('replaces the declared one everywhere it is read, and keeps where it works', () => {
    assign('employee.change-pay', 'h')
    expect(commandById('employee.change-pay')?.keys).toEqual([{ scope: 'row', chord: 'h' }])
    const lines = commandKeys(commands()).flatMap((group) => group.lines)
    expect(lines.filter(({ chords }) => chords.includes('h')).map(({ says }) => says)).toEqual([
      'Change pay frequency and next pay date',
    ])
  })

  test('changes commands that toggle on one key together', () => {
    assign('employee.pause', 'q')
    expect([chordById('employee.pause'), chordById('employee.resume')]).toEqual(['q', 'q'])
  })

  test('belongs to one person', () => {
    assign('employee.pause', 'q')
    signIn('tom')
    expect(chordById('employee.pause')).toBe('p')
    signIn('ada')
    expect(chordById('employee.pause')).toBe('q')
  })

  test('is removed by null and reset to the declared one', () => {
    assign('employee.pause', null)
    expect(chordById('employee.pause')).toBeNull()
    expect(resetKeys('employee.pause', ownKeys())).toBeNull()
    expect([chordById('employee.pause'), chordById('employee.resume'), ownKeys()]).toEqual(['p', 'p', {}])
  })

  test('is not reset while another command has the declared one', () => {
    assign('employee.pause', 'q')
    assign('employee.change-pay', 'p')
    expect(resetKeys('employee.pause', ownKeys())?.by.id).toBe('employee.change-pay')
    expect(chordById('employee.pause')).toBe('q')
  })
})

test('is not reset while commands of several nouns have the declared one', () => {
  assign('open.deductions', 'q')
  assign('employee.pause', 'g d')
  assign('invoice.download', 'g d')
  expect(resetKeys('open.deductions', ownKeys())).not.toBeNull()
  expect(chordById('open.deductions')).toBe('q')
})

describe('keys that are refused', () => {
  test.each([
    ['employee.pause', 'Mod+T', /browser/],
    ['employee.pause', 'Mod+Shift+N', /browser/],
    ['employee.pause', 'Mod+Shift+P', /browser/],
    ['employee.pause', 'Alt+d', /Alt/],
    ['employee.pause', 'AltGraph+q', /AltGr/],
    ['employee.pause', 'CapsLock', /Screen readers/],
    ['employee.pause', 'Insert', /Screen readers/],
    ['employee.pause', 'F5', /function keys/],
    ['employee.pause', 'x', /always means: select/],
    ['employee.pause', '3', /always means: tabs/],
    ['employee.pause', 'Mod+K', /always means: command palette/],
    ['employee.pause', 'Enter', /always means/],
    ['session.undo', 'u', /where people type/],
    ['session.undo', 'Mod+C', /edit text/],
    ['employee.pause', 'g', /commands have it/],
    ['employee.pause', 'q w e r', /At most 3/],
  ])('%s on %s', (id, chord, sentence) => {
    const check = checkKeys(id, chord, {})
    expect(check.kind).toBe('refused')
    expect('sentence' in check && check.sentence).toMatch(sentence)
  })
})

describe('keys of another command', () => {
  test('are named and swapped', () => {
    const check = checkKeys('invoice.download', 'c', ownKeys())
    expect(check).toMatchObject({ kind: 'taken', by: { id: 'invoice.close' }, swap: 'd' })
    assign('invoice.download', 'c', { with: 'invoice.close', swap: 'd' })
    expect(['invoice.download', 'invoice.close', 'invoice.reopen'].map(chordById)).toEqual(['c', 'd', 'd'])
  })

  test('are not exchanged where the other command could not have the key', () => {
    // `p` is a key of rows of several nouns.
    expect(checkKeys('employee.pause', 'g i', ownKeys())).toMatchObject({ by: { id: 'open.invoices' }, swap: null })
  })

  test('of another noun are free', () => {
    expect(checkKeys('employee.pause', 'd', {}).kind).toBe('free')
  })

  test('are taken without a swap by a command that has none', () => {
    const check = checkKeys('view.theme', 'g i', ownKeys())
    expect(check).toMatchObject({ kind: 'taken', swap: null })
    assign('view.theme', 'g i', { with: 'open.invoices', swap: null })
    expect([chordById('view.theme'), chordById('open.invoices')]).toEqual(['g i', null])
  })
})

describe('a file of shortcuts', () => {
  test('exported and imported gives the same shortcuts, also two that were swapped', () => {
    assign('invoice.download', 'c', { with: 'invoice.close', swap: 'd' })
    const before = ownKeys()
    expect(readKeysFile(keysFile(before))).toEqual({ own: before, refused: [] })
  })

  test('names each refused line, and takes the others', () => {
    const shortcuts = {
      'employee.pause': 'q',
      'employee.resume': 'q',
      'no.such': 'h',
      'open.invoices': 'Mod+T',
      'open.employees': 'g r',
      'view.theme': 'hello',
    }
    const read = readKeysFile(JSON.stringify({ kind: 'admin-portal-shortcuts', version: 1, shortcuts }))
    expect(read).toEqual({
      own: { 'employee.pause': 'q', 'employee.resume': 'q' },
      refused: [
        'no.such: h (there is no such command)',
        'view.theme: hello (these are no keys)',
        'open.invoices: Mod+T (The browser keeps these keys for itself)',
        'open.employees: g r (Open repayments has it)',
      ],
    })
  })

  test.each(['', 'g e', '[]', '{"kind":"other"}', '{"kind":"admin-portal-shortcuts","version":1,"shortcuts":{"a":5}}'])(
    'is refused as a whole: %s',
    (text) => expect(typeof readKeysFile(text)).toBe('string'),
  )
})

test('no sequence of changes leaves two commands on one key', () => {
  let seed = 7
  const random = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return seed % below
  }
  const keyed = all.filter(({ keys }) => keys?.length)
  const chords = [
    ...new Set(keyed.flatMap(({ keys = [] }) => keys.map(({ chord }) => chord))),
    'h',
    'q',
    'Shift+P',
    'Mod+B',
    'q w',
  ]
  for (let times = 0; times < 120; times++) {
    const { id } = keyed[random(keyed.length)] as Command
    const chord = chords[random(chords.length)] as string
    const check = checkKeys(id, chord, ownKeys())
    if (check.kind === 'free') assign(id, chord)
    else if (check.kind === 'taken') assign(id, chord, { with: check.by.id, swap: check.swap })
    else if (random(4) === 0) resetKeys(id, ownKeys())
  }
  const bound = bindingsOf(all.map((command) => withOwnKeys(command, ownKeys())))
  const clashes = bound.flatMap((a, at) => bound.slice(at + 1).flatMap((b) => (areClashing(a, b) ? [`${a.id} ${b.id}`] : [])))
  expect(clashes).toEqual([])
})
