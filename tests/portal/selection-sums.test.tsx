import { afterEach, beforeEach, expect, test } from 'vitest'
import { meAtom } from '#portal/api/session.ts'
import { setColumns } from '#portal/list/columns.ts'
import type { List } from '#portal/list/list.ts'
import { mainListAtom, watchMainList } from '#portal/list/lists.ts'
import { registerPanes } from '#portal/list/panes.ts'
import { selectionSumsAtom } from '#portal/list/selection-sums.ts'
import { navigate } from '#portal/platform/location.ts'
import { store } from '#portal/platform/store.ts'
import { upsertRecords } from '#portal/records/entity-store.ts'
import { adminWithout, employeeLike } from '#tests/support/examples.ts'
import employees from '#portal/nouns/employees/list.tsx'
import repayments from '#portal/nouns/repayments/list.tsx'

let list: List
let stop: () => void
beforeEach(() => {
  registerPanes([repayments, employees])
  navigate('/repayments')
  stop = watchMainList()
  list = store.get(mainListAtom) as List
})
afterEach(() => {
  setColumns(list, null)
  stop()
})

const sums = () => store.get(selectionSumsAtom(list)).map(({ title, cents }) => [title, cents])
const mark = (...ids: string[]) => store.set(list.markedAtom, { entity: list.rows, ids, filter: null, count: ids.length })
const put = (id: number, amount: number, unallocated_amount: number, version = 1) =>
  upsertRecords('repayment', [{ id, version, amount, unallocated_amount }])

test('sums each visible column of amounts over the marked rows, and follows their changes', () => {
  put(1, 10_01, 0)
  put(2, -2_50, 1_00)
  expect(sums()).toEqual([])
  mark('1', '2')
  expect(sums()).toEqual([
    ['Unallocated', 1_00],
    ['Amount', 7_51],
  ])
  put(2, 5_00, 2_00, 2)
  expect(sums()).toEqual([
    ['Unallocated', 2_00],
    ['Amount', 15_01],
  ])
  setColumns(list, ['reference', 'amount'])
  expect(sums()).toEqual([['Amount', 15_01]])
})

test('shows no sum while one of the marked rows is not loaded', () => {
  put(1, 10_01, 0)
  mark('1', '999')
  expect(sums()).toEqual([])
})

test('takes the sums of all matches from the count, but not from an estimate', () => {
  const filter = {}
  store.set(list.markedAtom, { entity: list.rows, ids: ['1'], filter, count: 3 })
  const counted = (count: number, exact: boolean) =>
    store.set(list.tally.countAtom, { count, exact, totals: { amount: 90_00, unallocated_amount: 1_00 } })
  counted(3, true)
  expect(sums()).toEqual([
    ['Unallocated', 1_00],
    ['Amount', 90_00],
  ])
  counted(4, true)
  expect(sums()).toEqual([])
  counted(3, false)
  expect(sums()).toEqual([])
})

test('leaves out a column that the person may not see, and pay per hour, which has no sum', () => {
  navigate('/employees')
  list = store.get(mainListAtom) as List
  setColumns(list, ['name', 'rate', 'available'])
  upsertRecords('employee', [
    { ...employeeLike(1, 'Ada', 'Lind'), balance: { available_amount: 5_00 } },
    { ...employeeLike(2, 'Bo', 'Lind'), balance: null },
  ])
  mark('1', '2')
  store.set(meAtom, adminWithout())
  expect(sums()).toEqual([['Available', 5_00]])
  store.set(meAtom, adminWithout('read:work-period-balances'))
  expect(sums()).toEqual([])
  store.set(meAtom, null)
})
