import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Me } from '#contract/session.ts'
import { employee } from '#entities/employee.ts'
import { register } from '#portal/platform/registry.ts'
import { store } from '#portal/platform/store.ts'
import { toastsAtom } from '#portal/platform/toasts.ts'
import { findLocally, keepFound, openedLately } from '#portal/records/find-locally.ts'
import { confirmOpened, openedIds, recordOpened } from '#portal/records/recent.ts'
import { watchRights } from '#portal/shell/rights-watch.ts'
import { dropRecords, upsertRecords } from '#portal/records/entity-store.ts'
import { meAtom } from '#portal/api/session.ts'
import { adminWithout, employeeLike } from '#tests/support/examples.ts'

const harbor = { id: 100101, name: 'Harbor Foods' }
const laurel = { id: 100102, name: 'Laurel Parking' }
const manager = (...employers: (typeof harbor)[]): Me => ({ ...adminWithout(), grants: { organizations: [], employers } })

const found = () => findLocally(employee, 'sadia', () => 0, 10).map(({ item }) => item.of.id)
const opened = () => openedLately([employee]).map(({ local }) => local.title)

let stop: () => void
beforeEach(() => {
  register({ entities: [employee], commands: [] })
  store.set(meAtom, manager(harbor, laurel))
  stop = watchRights()
  const sadia = employeeLike(1, 'Sadia', 'Barnes')
  dropRecords('employee', ['1'], () => false)
  upsertRecords('employee', [sadia])
  keepFound(employee, [sadia])
  recordOpened('employee', '1', 'Sadia Barnes', '')
  store.set(toastsAtom, [])
})
afterEach(() => stop())

const toastSentences = () => store.get(toastsAtom).map(({ sentence }) => sentence)

test('the local index is cleared when rights change, and rebuilt from answers of the API', () => {
  expect([found(), opened()]).toEqual([['1'], ['Sadia Barnes']])
  store.set(meAtom, manager(laurel))
  expect(toastSentences()).toEqual(['Your permissions changed.'])
  expect([found(), opened()]).toEqual([[], []])
  // Ids of recent records are kept: the API is asked about them.
  expect(openedIds().map(({ id }) => id)).toEqual(['1'])
  keepFound(employee, [employeeLike(1, 'Sadia', 'Barnes')])
  confirmOpened([{ entity: 'employee', id: '1', title: 'Sadia Barnes', subtitle: '' }], [])
  expect([found(), opened()]).toEqual([['1'], ['Sadia Barnes']])
})

test('the local index is also cleared when rights change between two sessions', () => {
  // The watcher is unmounted with the page of the signed-in person.
  store.set(meAtom, null)
  stop()
  store.set(meAtom, manager(laurel))
  expect(toastSentences()).toEqual([])
  stop = watchRights()
  expect(toastSentences()).toEqual(['Your permissions changed.'])
  expect(found()).toEqual([])
})

test('unchanged rights keep the local index', () => {
  store.set(meAtom, { ...manager(harbor, laurel) })
  expect([found(), opened(), toastSentences()]).toEqual([['1'], ['Sadia Barnes'], []])
})
