// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest'
import type { OutboxCall } from '#kernel/outbox.ts'
import { outbox, unconfirmedAtom, unlessSent } from '#portal/commands/outbox/calls.ts'
import { store } from '#portal/platform/store.ts'

const name = 'admin-portal.pending'
const call: OutboxCall = {
  state: 'sending',
  key: 'one',
  person: 'ada',
  command: 'employee.pause',
  target: { entity: 'employee', id: '7' },
  intent: 'employee.pause',
  at: { id: '7' },
  body: { version: 1 },
  since: Date.now(),
}
const { state: _, ...old } = call
const titles = () => store.get(unconfirmedAtom).map(({ title }) => title)

afterEach(() => {
  for (const { key } of outbox.all()) outbox.drop(key)
  localStorage.clear()
})

test('calls of an earlier version of the portal are read, and unreadable ones ignored', () => {
  localStorage.setItem(name, JSON.stringify([old, { ...old, key: 'two', gaveUp: true }]))
  expect(outbox.all().map(({ key, state }) => [key, state])).toEqual([
    ['one', 'unknown'],
    ['two', 'given-up'],
  ])
  localStorage.setItem(name, JSON.stringify([{ key: 'one', state: 'lost' }]))
  expect(outbox.all()).toEqual([])
})

test('calls older than the replies of the server are dropped', () => {
  outbox.put({ ...call, since: Date.now() - 25 * 3_600_000 }, '')
  expect(outbox.all()).toEqual([])
})

test('a title is displayed while the outcome is unknown, and never stored', () => {
  outbox.put(call, 'Pause employee, Mia Torres')
  expect(titles()).toEqual([])
  outbox.put({ ...call, state: 'unknown' }, 'Pause employee, Mia Torres')
  expect(titles()).toEqual(['Pause employee, Mia Torres'])
  expect(localStorage.getItem(name)).not.toContain('Mia')
  outbox.put({ ...call, state: 'waiting' }, 'Pause employee, Mia Torres')
  expect([titles(), outbox.all()]).toEqual([[], [{ ...call, state: 'waiting' }]])
  outbox.drop('one')
  expect([outbox.all(), localStorage.getItem(name)]).toEqual([[], null])
})

test('the list of the status bar does not change with calls whose outcome is not unknown', () => {
  const before = store.get(unconfirmedAtom)
  outbox.put(call, '')
  expect(store.get(unconfirmedAtom)).toBe(before)
})

test('a call is not sent by a second place while it is under way', async () => {
  const send = vi.fn(async () => {})
  outbox.put(call, '')
  await unlessSent('one', send)
  expect(send).not.toHaveBeenCalled()
  outbox.put({ ...call, state: 'waiting' }, '')
  await unlessSent('one', send)
  expect(send).toHaveBeenCalledTimes(1)
})
