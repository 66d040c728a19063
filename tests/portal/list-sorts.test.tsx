import { afterEach, expect, test } from 'vitest'
import type { PermissionName } from '#domain/permissions.ts'
import { navigate } from '#portal/platform/location.ts'
import { store } from '#portal/platform/store.ts'
import { mainListAtom, watchMainList } from '#portal/list/lists.ts'
import { registerPanes } from '#portal/list/panes.ts'
import employees from '#portal/nouns/employees/list.tsx'
import { meAtom } from '#portal/api/session.ts'
import { adminWithout } from '#tests/support/examples.ts'

let stop = () => {}
afterEach(() => stop())

test.each<['rate' | 'available', PermissionName]>([
  ['rate', 'read:wages'],
  ['available', 'read:work-period-balances'],
])('an address sorted by %s is in the default order without %s, which is not offered', (sort, right) => {
  registerPanes([employees])
  const at = (...without: PermissionName[]) => {
    stop()
    store.set(meAtom, adminWithout(...without))
    navigate(`/employees?sort=${sort}&order=desc`)
    stop = watchMainList()
    const list = store.get(mainListAtom)
    const pane = list && store.get(list.paneAtom)
    return { sort: pane?.sort?.id, offered: pane?.sorts.some(({ id }) => id === sort) }
  }
  expect(at()).toEqual({ sort, offered: true })
  expect(at(right)).toEqual({ sort: 'id', offered: false })
})
