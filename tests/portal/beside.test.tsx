import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import { atom } from 'jotai/vanilla'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { employee } from '#entities/employee.ts'
import { employer } from '#entities/employer.ts'
import type { AnyEntity } from '#kernel/entity.ts'
import { focusNextPart, noticeFocus, sideAtom } from '#portal/keyboard/focus.ts'
import { closeBeside, openBeside } from '#portal/list/beside.ts'
import { commandContextAtom } from '#portal/list/command-context.ts'
import { closeRecord, openRecord } from '#portal/list/cursor.ts'
import { activeListAtom, mainListAtom, tabNameAtom } from '#portal/list/lists.ts'
import type { List } from '#portal/list/list.ts'
import type { AnyPane } from '#portal/list/pane.ts'
import { registerPanes } from '#portal/list/panes.ts'
import { targetAtom } from '#portal/list/target.ts'
import { open } from '#portal/commands/command-host.ts'
import employees from '#portal/nouns/employees/list.tsx'
import { besideAtom, navigate, placeAtom } from '#portal/platform/location.ts'
import { register } from '#portal/platform/registry.ts'
import { store } from '#portal/platform/store.ts'
import { BesideRecord } from '#portal/record/beside-record.tsx'
import { Detail } from '#portal/record/detail.tsx'
import { RecordLink } from '#portal/record/record-link.tsx'
import { SideContext } from '#portal/record/side.ts'
import { upsertRecords } from '#portal/records/entity-store.ts'
import { showAlone } from '#tests/portal/alone.tsx'
import { employeeLike } from '#tests/support/examples.ts'

const sadia = '104234'
const mia = '104235'

beforeEach(() => {
  register({ entities: [employee, employer] as AnyEntity[], commands: [] })
  registerPanes([employees])
  upsertRecords('employee', [employeeLike(104234, 'Sadia', 'Barnes'), employeeLike(104235, 'Mia', 'Torres')])
  navigate('/employees?status_type=is&status_value=ACTIVE')
})
afterEach(cleanup)

const both = () => [store.get(placeAtom), store.get(besideAtom)].map((place) => place && `${place.entity} ${place.id}`)
const shown = () => {
  navigate(`/employees/${sadia}`)
  act(() => openBeside(employee, mia))
  showAlone(
    <>
      <Detail pane={employees as AnyPane} id={sadia} />
      <BesideRecord />
    </>,
  )
}
const section = (name: string) => screen.getByRole('region', { name })
const focus = (element: HTMLElement) => {
  act(() => element.focus())
  act(noticeFocus)
}

test('the address has both records, with the filters of the list and the tab of each', () => {
  navigate(`/employees/${sadia}?status_type=is&status_value=ACTIVE&tab=history`)
  openBeside(employee, mia)
  expect(both()).toEqual([`employee ${sadia}`, `employee ${mia}`])
  expect(Object.fromEntries(new URLSearchParams(location.search))).toEqual({
    status_type: 'is',
    status_value: 'ACTIVE',
    tab: 'history',
    beside: 'employee',
    'beside-id': mia,
  })
})

test('another record replaces the one beside with its tab and filters; closing removes all', () => {
  navigate(`/employees/${sadia}?beside=employee&beside-id=${mia}&beside-tab=history&beside-history-kind_type=is`)
  openBeside(employer, '100101')
  expect(location.search).toBe('?beside=employer&beside-id=100101')
  closeBeside()
  expect(location.search).toBe('')
  expect(both()).toEqual([`employee ${sadia}`, null])
})

test('the open record is not opened beside itself, nor is what the address does not name', () => {
  navigate(`/employees/${sadia}`)
  openBeside(employee, sadia)
  expect(location.search).toBe('')
  for (const search of [
    'beside=employee',
    'beside=stranger&beside-id=1',
    'beside=employee&beside-id=a%20b',
    `beside=employee&beside-id=${sadia}`,
  ]) {
    navigate(`/employees/${sadia}?${search}`)
    expect(store.get(besideAtom)).toBeNull()
  }
})

test('without a list to open it beside, a record is opened as usual', () => {
  navigate('/dashboard')
  openBeside(employee, mia)
  expect(location.pathname + location.search).toBe(`/employees/${mia}`)
})

test('the record beside stays when another is opened or closed, and goes with the list', () => {
  openBeside(employee, mia)
  open(`/employees/${sadia}`)
  expect(both()).toEqual([`employee ${sadia}`, `employee ${mia}`])
  store.set(mainListAtom, { definition: employees } as unknown as List)
  openRecord('104236')
  expect(both()).toEqual(['employee 104236', `employee ${mia}`])
  closeRecord()
  expect(both()).toEqual(['employee null', `employee ${mia}`])
  store.set(mainListAtom, null)
  open('/employers')
  expect(store.get(besideAtom)).toBeNull()
})

test('a tab of the record beside is opened where it is', () => {
  navigate(`/employees/${sadia}?beside=employee&beside-id=${mia}`)
  open(`/employees/${mia}?tab=history`)
  expect(both()).toEqual([`employee ${sadia}`, `employee ${mia}`])
  expect(location.search).toBe(`?beside=employee&beside-id=${mia}&beside-tab=history`)
})

test('commands are about the record whose side has the focus, which is marked', () => {
  shown()
  const [first, second] = [section('Sadia Barnes'), section('Mia Torres')]
  const marked = () => [first, second].map((one) => 'here' in one.dataset)
  focus(first)
  expect(store.get(targetAtom)?.ids).toEqual([sadia])
  expect([store.get(commandContextAtom).open?.id, marked()]).toEqual([sadia, [true, false]])
  focus(second)
  expect(store.get(targetAtom)?.ids).toEqual([mia])
  expect([store.get(commandContextAtom).open?.id, marked()]).toEqual([mia, [false, true]])
})

test('the list belongs to the open record: beside it there is no list to sort, filter and sum', () => {
  shown()
  const list = { rows: 'employee', askedAtom: atom(null), cursorAtom: atom({ ahead: false }), paneAtom: atom(null) }
  store.set(mainListAtom, list as unknown as List)
  focus(section('Sadia Barnes'))
  expect(store.get(activeListAtom)).toBe(list)
  focus(section('Mia Torres'))
  expect(store.get(activeListAtom)).toBeNull()
  store.set(mainListAtom, null)
})

test('each record has its own tabs, chosen by its own keys', () => {
  shown()
  const [first, second] = [section('Sadia Barnes'), section('Mia Torres')]
  focus(second)
  fireEvent.keyDown(second, { key: '2' })
  const tab = new URLSearchParams(location.search).get('beside-tab')
  expect([tab, new URLSearchParams(location.search).get('tab')]).toEqual([employees.tabs[1]?.id, null])
  expect(store.get(tabNameAtom)).toBe(`employee.${tab}`)
  focus(first)
  expect(store.get(tabNameAtom)).toBeNull()
  const ids = [...document.querySelectorAll('[id]')].map(({ id }) => id)
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
})

test('Escape closes the record beside and leaves the open one; F6 moves between them', () => {
  Element.prototype.checkVisibility ??= () => true
  shown()
  const [first, second] = [section('Sadia Barnes'), section('Mia Torres')]
  focus(first)
  focusNextPart(1)
  expect(document.activeElement).toBe(second)
  focusNextPart(1)
  expect(document.activeElement).toBe(first)
  focus(second)
  fireEvent.keyDown(second, { key: 'Escape' })
  expect(both()).toEqual([`employee ${sadia}`, null])
  expect(store.get(sideAtom)).toBe('main')
})

test('a link opens on its own side, with Ctrl+Enter beside', () => {
  navigate(`/employees/${sadia}`)
  showAlone(
    <>
      <RecordLink entity={employee} id={mia}>
        of the record
      </RecordLink>
      <SideContext value="beside">
        <RecordLink entity={employer} id="100101">
          of the other
        </RecordLink>
      </SideContext>
    </>,
  )
  fireEvent.keyDown(screen.getByText('of the record'), { key: 'Enter', ctrlKey: true })
  expect(both()).toEqual([`employee ${sadia}`, `employee ${mia}`])
  fireEvent.click(screen.getByText('of the other'))
  expect(both()).toEqual([`employee ${sadia}`, 'employer 100101'])
  fireEvent.click(screen.getByText('of the record'))
  expect(both()).toEqual([`employee ${mia}`, 'employer 100101'])
})
