import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ariaChord, clash, drawChord, isPlain, type KeyInput, parseChord, pressed, progress } from '#kernel/keys.ts'

const press = (key: string, held: Partial<KeyInput> = {}): KeyInput => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  ...held,
})
const hits = (chord: string, input: KeyInput, mac = false) => progress(chord, [input], mac) === 'whole'

describe('a key', () => {
  test('is matched by the character that it produces, whatever its position', () => {
    expect(hits('/', press('/', { shiftKey: true }))).toBe(true)
    expect(hits('/', press('/'))).toBe(true)
    expect(hits('?', press('?', { shiftKey: true }))).toBe(true)
    expect(hits('/', press('?'))).toBe(false)
  })

  test('is Cmd on macOS and Ctrl elsewhere, and never both', () => {
    expect(hits('Mod+K', press('k', { ctrlKey: true }))).toBe(true)
    expect(hits('Mod+K', press('k', { metaKey: true }), true)).toBe(true)
    expect(hits('Mod+K', press('k', { ctrlKey: true }), true)).toBe(false)
    expect(hits('Mod+K', press('k', { ctrlKey: true, metaKey: true }))).toBe(false)
    expect(hits('Mod+K', press('k', { ctrlKey: true, altKey: true }))).toBe(false)
  })

  test.each([
    ['л', 'KeyK', 'k'],
    ['З', 'KeyP', 'p'],
    ['π', 'KeyP', 'p'],
    ['ש', 'KeyA', 'a'],
    ['ı', 'KeyI', 'i'],
    ['٣', 'Digit3', '3'],
    ['ъ', 'BracketRight', ']'],
  ])('works for %s, on a non-Latin keyboard, by the Latin letter or digit of %s', (key, code, latin) => {
    expect(hits(latin, press(key, { code, shiftKey: false }))).toBe(true)
    expect(hits(`Mod+${latin.toUpperCase()}`, press(key, { ctrlKey: true, code }))).toBe(true)
    expect(hits(latin, press(key))).toBe(false)
  })

  test.each([
    ['e', 'KeyK', 'k'],
    ['é', 'Digit2', '2'],
    ['ö', 'Semicolon', ';'],
    ['ü', 'BracketLeft', '['],
    ['/', 'KeyQ', 'q'],
  ])('is matched by the character %s, whatever is at the position %s elsewhere', (key, code, other) => {
    expect(hits(other, press(key, { code }))).toBe(false)
    expect(hits(`Mod+${other.toUpperCase()}`, press(key, { ctrlKey: true, code }))).toBe(false)
  })

  test.each(['؟', '՞', '？'])('reads the question mark of another script, %s, as ?', (key) => {
    expect(hits('?', press(key, { code: 'Slash', shiftKey: true }))).toBe(true)
  })

  test('of a letter depends on Shift, and not on CapsLock', () => {
    expect(hits('p', press('P', { shiftKey: true }))).toBe(false)
    expect(hits('p', press('P'))).toBe(true)
    expect(hits('Shift+F10', press('F10', { shiftKey: true }))).toBe(true)
    expect(hits('Shift+F10', press('F10'))).toBe(false)
  })

  test('is plain when a text field would take it', () => {
    expect(['p', 'g e', '?', '/', 'x', 'Shift+Space'].map(isPlain)).toEqual([true, true, true, true, true, true])
    expect(['Mod+K', 'Shift+F10', 'Enter', 'Escape'].map(isPlain)).toEqual([false, false, false, false])
  })
})

describe('a sequence', () => {
  test('is started, then complete, and cancelled by any other key', () => {
    expect(progress('g e', [press('g')], false)).toBe('partial')
    expect(progress('g e', [press('g'), press('e')], false)).toBe('whole')
    expect(progress('g e', [press('g'), press('x')], false)).toBe('none')
    expect(progress('g e', [press('g'), press('e'), press('e')], false)).toBe('none')
  })

  test('conflicts with its own prefix and with itself only', () => {
    expect(clash('g', 'g e')).toBe(true)
    expect(clash('g e', 'g e')).toBe(true)
    expect(clash('g e', 'g i')).toBe(false)
    expect(clash('Mod+K', 'k')).toBe(false)
  })

  test('conflicts are symmetric', () => {
    const chord = fc.constantFrom('g', 'g e', 'g i', 'p', 'Mod+P', 'Shift+F10', '?', 'F10')
    fc.assert(fc.property(chord, chord, (a, b) => clash(a, b) === clash(b, a)))
    expect(parseChord('g e')).toHaveLength(2)
  })
})

test('keys are displayed as on the keyboard', () => {
  expect(drawChord('Mod+K', false)).toEqual(['Ctrl K'])
  expect(drawChord('Mod+K', true)).toEqual(['⌘ K'])
  expect(drawChord('g e', false)).toEqual(['g', 'e'])
  expect(drawChord('Shift+ArrowDown', false)).toEqual(['Shift ↓'])
  expect(drawChord('Mod+Enter', false)).toEqual(['Ctrl ↵'])
  expect(ariaChord('Mod+K', true)).toBe('Meta+K')
})

test('a chord with Alt is never handled', () => {
  expect(pressed({ key: 'a', mod: false, shift: false }, press('a', { altKey: true }), false)).toBe(false)
})
