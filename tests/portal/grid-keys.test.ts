import { describe, expect, test } from 'vitest'
import { gridKeys, reader } from '#portal/keyboard/fixed-keys.ts'
import { tabSeparated } from '#portal/list/copy.ts'

const gridKey = reader(gridKeys)

const key = (name: string, more: Partial<KeyboardEvent> = {}) =>
  ({
    key: name,
    code: '',
    ctrlKey: false,
    metaKey: false,
    altKey: false,
    shiftKey: false,
    isComposing: false,
    keyCode: 0,
    ...more,
  }) as KeyboardEvent

describe('the keys of a grid', () => {
  test.each([
    ['ArrowDown', {}, { does: 'move', rows: 1 }],
    ['k', {}, { does: 'move', rows: -1 }],
    ['ArrowUp', { shiftKey: true }, { does: 'move', rows: -1, extend: true }],
    ['PageDown', {}, { does: 'move', pages: 1 }],
    ['Home', {}, { does: 'cell', to: 'first' }],
    ['End', { ctrlKey: true }, { does: 'end' }],
    ['Enter', {}, { does: 'open' }],
    ['Enter', { ctrlKey: true }, { does: 'beside' }],
    [' ', {}, { does: 'peek' }],
    [' ', { shiftKey: true }, { does: 'mark' }],
    ['x', {}, { does: 'mark' }],
    ['a', { ctrlKey: true }, { does: 'mark-all' }],
    ['c', { ctrlKey: true }, { does: 'copy' }],
    ['/', { shiftKey: true }, { does: 'search' }],
  ])('%s %o', (name, more, action) => {
    expect(gridKey(key(name, more), true)).toEqual(action)
  })

  test('letters are not keys when switched off, during composition, or with Alt', () => {
    expect(gridKey(key('j'), false)).toBeNull()
    expect(gridKey(key('/'), false)).toBeNull()
    expect(gridKey(key('ArrowDown'), false)).not.toBeNull()
    expect(gridKey(key('j', { isComposing: true }), true)).toBeNull()
    expect(gridKey(key('j', { keyCode: 229 }), true)).toBeNull()
    expect(gridKey(key('j', { altKey: true }), true)).toBeNull()
  })

  test('other keys are not handled', () => {
    for (const name of ['p', 'g', 'a', 'y', '?', 'r', 'Tab', 'F10']) expect(gridKey(key(name), true)).toBeNull()
  })
})

test('copied rows are tab-separated with headers, and a cell never breaks its line', () => {
  const columns = [
    { id: 'a', title: 'Name', width: [1, 1] as const, text: (row: { a: string }) => row.a },
    { id: 'b', title: 'Rate', width: [1, 1] as const, text: () => 'Hidden' },
  ]
  expect(tabSeparated(columns, [{ a: 'Ana\tPaz' }, { a: 'Bo\nLi' }])).toBe('Name\tRate\nAna Paz\tHidden\nBo Li\tHidden')
})
