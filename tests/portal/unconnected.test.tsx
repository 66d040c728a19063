import { cleanup, screen } from '@testing-library/react'
import { atom } from 'jotai/vanilla'
import { afterEach, expect, test } from 'vitest'
import type { Me } from '#contract/session.ts'
import { store } from '#portal/app/store.ts'
import { EmptyNotice } from '#portal/list/empty-notice.tsx'
import type { List } from '#portal/list/list.ts'
import { rightsChanged } from '#portal/records/rights-watch.ts'
import { meAtom } from '#portal/session/session.ts'
import { showAlone } from '#tests/portal/alone.tsx'
import { adminWithout } from '#tests/support/examples.ts'

afterEach(cleanup)

const harbor = { id: 100101, name: 'Harbor Foods' }
const connected = (employers: (typeof harbor)[], organizations: (typeof harbor)[] = []): Me => ({
  ...adminWithout(),
  grants: { organizations, employers },
})

test('who is connected to nothing any more is told so, and not that it is something else', () => {
  const nothing = 'No organization or employer is connected to you any more.'
  const other = 'You are connected to other organizations or employers.'
  expect(rightsChanged(connected([harbor]), connected([]))).toBe(nothing)
  expect(rightsChanged(connected([], [harbor]), connected([]))).toBe(nothing)
  expect(rightsChanged(connected([harbor]), connected([], [harbor]))).toBe(other)
  expect(rightsChanged(connected([]), connected([harbor]))).toBe(other)
  expect(rightsChanged(connected([]), connected([]))).toBeNull()
})

const employees = (filters: readonly object[] = []) =>
  ({
    filtersAtom: atom(filters),
    searchAtom: atom(new URLSearchParams()),
    definition: { many: 'employees' },
  }) as unknown as List

test.each<[who: string, me: Me, filters: object[], sentence: string]>([
  [
    'an account manager who is connected to nothing',
    connected([]),
    [],
    'No organization or employer is connected to you. An admin can connect them.',
  ],
  ['an account manager of an employer', connected([harbor]), [], 'There are no employees yet.'],
  ['an admin', adminWithout(), [], 'There are no employees yet.'],
  ['whoever has filters', connected([]), [{ id: 'status' }], 'No employees match.'],
])('an empty list says to %s why it is empty', (_, me, filters, sentence) => {
  store.set(meAtom, me)
  showAlone(<EmptyNotice list={employees(filters)} />)
  expect(screen.getByRole('status').textContent).toContain(sentence)
})
