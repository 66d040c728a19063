// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, describe, expect, test } from 'vitest'
import { brands } from '#domain/brand.ts'
import { employeeStatuses } from '#domain/employee.ts'
import { importStatuses } from '#domain/import.ts'
import { timeEntryStatuses } from '#domain/time-entry.ts'
import { transactionStatuses } from '#domain/transaction.ts'
import { barKeys, keysIn } from '#portal/keyboard/key-map.ts'
import { commandKeys, fixedKeys, keyGroups, keysMatching } from '#portal/keyboard/key-words.ts'
import { BrandMark } from '#portal/ui/brand-mark.tsx'
import { Status } from '#portal/ui/status.tsx'
import openEmployees from '#commands/open/employees.ts'
import pause from '#commands/employee/pause.ts'
import resume from '#commands/employee/resume.ts'
import showNotes from '#commands/note/show.ts'
import { buttonOf, type Command } from '#kernel/command.ts'
import type { CommandContext } from '#kernel/command-context.ts'
import { permissionId, permissionIds, type PermissionName } from '#domain/permissions.ts'
import { rowKeys } from '#portal/shell/status-bar.tsx'

afterEach(cleanup)

const statuses = [
  ['STA-001', 'ACTIVE', employeeStatuses, 'Active', 'good'],
  ['STA-002', 'DELETED', employeeStatuses, 'Deleted', 'bad'],
  ['STA-003', 'IMPORTED', employeeStatuses, 'Imported', 'busy'],
  ['STA-004', 'CREATED', employeeStatuses, 'Created', 'busy'],
  ['STA-005', 'APPROVED', timeEntryStatuses, 'Approved', 'good'],
  ['STA-006', 'PENDING', timeEntryStatuses, 'Pending', 'wait'],
  ['STA-007', 'REJECTED', timeEntryStatuses, 'Rejected', 'bad'],
  ['STA-008', 'AUTO', timeEntryStatuses, 'Auto', 'good'],
  ['STA-009', 'FAIL', transactionStatuses, 'Failed', 'bad'],
  ['STA-010', 'SUCCESS', importStatuses, 'Success', 'good'],
  ['STA-011', 'COMPLETE', transactionStatuses, 'Complete', 'good'],
  ['STA-012', 'PAUSED', employeeStatuses, 'Paused', 'wait'],
  ['STA-013', 'TERMINATED', employeeStatuses, 'Terminated', 'bad'],
  ['STA-014', 'DUPLICATED', employeeStatuses, 'Duplicated', 'idle'],
  ['STA-015', 'ELIGIBLE', employeeStatuses, 'Eligible', 'busy'],
  ['STA-016', 'INELIGIBLE', employeeStatuses, 'Ineligible', 'idle'],
  ['STA-017', 'OFFCYCLE_PAID', employeeStatuses, 'Off-cycle paid', 'idle'],
  ['STA-018', 'UNKNOWN', employeeStatuses, 'Unknown', 'idle'],
] as const

describe('a status', () => {
  test.each(statuses)('[%s] %s is a word with a mark', (_, state, of, label, mark) => {
    render(<Status of={of} state={state} />)
    expect(screen.getByText(label).className).toBe(`status status-${mark}`)
  })

  test('[STA-019] that is unknown is shown as received', () => {
    render(<Status of={employeeStatuses} state="HIBERNATING" />)
    expect(screen.getByText('HIBERNATING').className).toBe('status status-idle')
  })
})

describe('a brand', () => {
  test('[CARD-009] each has a name and a mark of its own', () => {
    const marks = brands.map((brand) => {
      const { container } = render(<BrandMark brand={brand.id} />)
      expect(container.textContent).toBe(brand.name)
      return (container.firstElementChild as HTMLElement).style.getPropertyValue('--brand')
    })
    expect(new Set(marks).size).toBe(brands.length)
    expect(marks.every((mark) => mark.startsWith('oklch'))).toBe(true)
  })

  test('[CARD-009] that is unknown is shown by its id, with a plain mark', () => {
    render(<BrandMark brand="NEWBRAND" />)
    expect(screen.getByText('NEWBRAND').style.getPropertyValue('--brand')).toBe('')
  })
})

describe('the key map', () => {
  test('lists the keys of commands below their headings, toggles on one line', () => {
    expect(commandKeys([pause, resume, openEmployees] as Command[])).toEqual([
      { title: 'On an employee', lines: [{ chords: ['p'], says: 'Pause or resume' }] },
      { title: 'Navigation', lines: [{ chords: ['g e'], says: 'Open employees' }] },
    ])
  })

  test('names every scope that has keys without a command', () => {
    const titles = ['Everywhere', 'List', 'Record', 'Notes', 'Dashboard', 'Notices', 'Palette', 'Form']
    expect(fixedKeys.map((group) => group.title)).toEqual(titles)
  })

  test.each([
    ['grid', ['Here: list', 'On an employee']],
    ['detail', ['Here: record', 'On an employee']],
    ['tab', ['Here: list', 'On an employee']],
    ['drawer', ['Here: notes', 'Everywhere']],
    ['page', ['Here: form', 'Everywhere']],
    ['screen', ['Here: dashboard', 'Everywhere']],
  ] as const)('starts with the current scope: %s', (here, first) => {
    const groups = keyGroups([pause, resume, openEmployees] as Command[], here, 'employee', 'Dashboard').map(({ title }) => title)
    expect(groups.slice(0, 2)).toEqual(first)
    expect(groups).toHaveLength(fixedKeys.length + 2)
    expect(new Set(groups).size).toBe(groups.length)
  })

  test('says a key that many kinds of records share once, and finds keys by their words', () => {
    const groups = keyGroups([...showNotes, pause, openEmployees] as Command[], 'screen', undefined, 'Dashboard')
    const lines = groups.flatMap((group) => group.lines.map(({ chords, says }) => `${chords.join()} ${says}`))
    expect(lines.filter((line) => line === 'n Show notes')).toHaveLength(1)
    const drawn = (chord: string) => chord.replace('Mod+', 'Ctrl ')
    const found = (text: string) => keysMatching(groups, text, drawn).flatMap((group) => group.lines.map(({ says }) => says))
    expect(found('  PAUSE ')).toEqual(['Pause'])
    expect(found('ctrl k')).toEqual(['command palette'])
    expect(found('employee pau')).toEqual(['Pause'])
    expect(found('zebra')).toEqual([])
    expect(keysMatching(groups, ' ', drawn)).toBe(groups)
  })

  test('calls no other page without fields the dashboard', () => {
    const [first] = keyGroups([pause] as Command[], 'screen', undefined, 'My permissions')
    expect(first?.title).toBe('Everywhere')
  })
})

describe('the status bar', () => {
  const says = (status: string, ...lacks: PermissionName[]) => {
    const missing = new Set<number>(lacks.map(permissionId))
    const context: CommandContext = {
      signedIn: true,
      held: new Set(permissionIds.filter((id) => !missing.has(id))),
      supports: () => true,
      selection: {
        entity: 'employee',
        ids: ['104234'],
        rows: new Map([['104234', { id: 104234, status, version: 1 }]]),
        filter: null,
        count: 1,
        how: 'active',
      },
      pane: null,
      open: null,
      online: true,
    }
    return rowKeys([pause, resume, openEmployees] as Command[], context, true, 'grid').map((line) => line.says)
  }

  test('shows the key of the available command of the row', () => {
    expect(says('ACTIVE')).toEqual(['pause'])
    expect(says('PAUSED')).toEqual(['resume'])
  })

  test('shows the keys of a record: walking, tabs, actions, width and the way back', () => {
    expect(barKeys.detail.map((line) => line.says)).toEqual(['next, previous', 'tabs', 'actions', 'back', 'keys', 'whole width'])
  })

  test('shows how to enter the list of a tab, where the open one has a list', () => {
    expect(keysIn('detail', true, true).map((line) => line.says)).toContain('tabs; again for the list')
    expect(keysIn('detail', false, true)).toEqual(barKeys.detail)
    expect(keysIn('grid', true, true)).toEqual(barKeys.grid)
    // Without a current row nothing can be opened or selected.
    expect(keysIn('grid', false, false).map((line) => line.says)).toEqual(['choose a row', 'filter', 'keys'])
    expect(keysIn('tab', false, false).map((line) => line.says)).toEqual(['choose a row', 'filter', 'back to the record', 'keys'])
    // Without rows, none can be selected.
    expect(keysIn('grid', false, false, true).map((line) => line.says)).toEqual(['filter', 'keys'])
  })

  test('shows the meaning of n while the notes are open', () => {
    const note = showNotes.find(({ on }) => on?.name === 'employee') as Command
    const at = { notes: { entity: 'employee', id: '104234' } } as CommandContext
    expect(buttonOf(note, {} as CommandContext, { id: 104234 })).toBe('Show notes')
    expect(buttonOf(note, at, { id: 104234 })).toBe('Write a note')
    expect(buttonOf(note, at, { id: 104235 })).toBe('Show notes')
  })

  test('shows no key of a command without permission, or refused by the state of the row', () => {
    expect(says('ACTIVE', 'write:employees')).toEqual([])
    expect(says('PAUSED', 'write:unpause')).toEqual([])
    expect(says('DELETED')).toEqual([])
  })
})
