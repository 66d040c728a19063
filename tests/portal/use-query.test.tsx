// @vitest-environment happy-dom
import { act, cleanup, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { useQuery } from '#portal/records/use-query.ts'

interface Read {
  key: string
  signal: AbortSignal
  answer: (value: string) => Promise<void>
  fail: (error: Error) => Promise<void>
}
let reads: Read[]
const read = (key: string) => (signal: AbortSignal) => {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const settle = (how: () => void) => act(async () => how())
  reads.push({ key, signal, answer: (value) => settle(() => resolve(value)), fail: (error) => settle(() => reject(error)) })
  return promise
}
const nth = (index: number) => reads[index] as Read

interface Props {
  id: string | null
  version?: number
  rest?: number
  fresh?: number
}
const show = (props: Props) =>
  renderHook(({ id, ...options }: Props) => useQuery(read(id ?? ''), id === null ? null : [id], options), { initialProps: props })

beforeEach(() => {
  reads = []
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

test('reads once for a key, however often it renders', async () => {
  const { result, rerender } = show({ id: 'a' })
  expect(result.current).toMatchObject({ state: 'loading', value: undefined })
  await nth(0).answer('A')
  rerender({ id: 'a' })
  expect(result.current).toMatchObject({ state: 'there', value: 'A' })
  expect(reads).toHaveLength(1)
})

test('a new key starts over without a value, and aborts the read of the old one', async () => {
  const { result, rerender } = show({ id: 'a' })
  await nth(0).answer('A')
  rerender({ id: 'b' })
  expect([result.current.state, result.current.value]).toEqual(['loading', undefined])
  rerender({ id: 'c' })
  expect(nth(1).signal.aborted).toBe(true)
  await nth(1).answer('late')
  await nth(2).answer('C')
  expect(result.current.value).toBe('C')
})

test('a new version keeps the value until the next answer', async () => {
  const { result, rerender } = show({ id: 'a', version: 1 })
  await nth(0).answer('old')
  rerender({ id: 'a', version: 2 })
  expect(result.current.value).toBe('old')
  await nth(1).answer('new')
  expect(result.current.value).toBe('new')
})

test('a failed read keeps an earlier value, and is retried on demand', async () => {
  const { result, rerender } = show({ id: 'a', version: 1 })
  await nth(0).answer('old')
  rerender({ id: 'a', version: 2 })
  const error = new Error('down')
  await nth(1).fail(error)
  expect(result.current).toMatchObject({ state: 'failed', value: 'old', error })
  act(() => void result.current.again())
  expect(result.current).toMatchObject({ state: 'there', value: 'old' })
  await nth(2).answer('new')
  expect(result.current).toMatchObject({ state: 'there', value: 'new', error: undefined })
})

test('a first read that failed is loading again after a retry', async () => {
  const { result } = show({ id: 'a' })
  await nth(0).fail(new Error('down'))
  act(() => void result.current.again())
  expect([result.current.state, reads.length]).toEqual(['loading', 2])
})

test('nothing is read without a key, nor after the component is gone', () => {
  const { rerender, unmount } = show({ id: null })
  expect(reads).toEqual([])
  rerender({ id: 'a' })
  unmount()
  expect(nth(0).signal.aborted).toBe(true)
})

test('a debounced read waits, and a key that passes meanwhile is not read', () => {
  vi.useFakeTimers()
  const { rerender } = show({ id: 'a', rest: 100 })
  vi.advanceTimersByTime(50)
  rerender({ id: 'b', rest: 100 })
  vi.advanceTimersByTime(100)
  expect(reads.map(({ key }) => key)).toEqual(['b'])
})

test('is read at intervals, but not while a read is under way', async () => {
  vi.useFakeTimers()
  show({ id: 'a', fresh: 1_000 })
  act(() => void vi.advanceTimersByTime(2_500))
  expect([reads.length, nth(0).signal.aborted]).toEqual([1, false])
  await nth(0).answer('A')
  act(() => void vi.advanceTimersByTime(1_000))
  expect(reads).toHaveLength(2)
})

test('again resolves when its read has ended: with an answer, a failure, or the component', async () => {
  const { result, unmount } = show({ id: 'a' })
  await nth(0).answer('old')
  const ended: string[] = []
  const again = (name: string) => act(() => void result.current.again().then(() => ended.push(name)))
  again('answered')
  expect(ended).toEqual([])
  await nth(1).answer('new')
  expect(ended).toEqual(['answered'])
  again('failed')
  await nth(2).fail(new Error('down'))
  expect(ended).toEqual(['answered', 'failed'])
  again('gone')
  unmount()
  await Promise.resolve()
  expect(ended).toEqual(['answered', 'failed', 'gone'])
})
