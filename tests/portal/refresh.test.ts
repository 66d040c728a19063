import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { notesRefresh } from '#domain/note.ts'
import { refreshing } from '#portal/records/refresh.ts'

let reads: { first: boolean }[]
let failures: unknown[]
let here: boolean
let answer: () => Promise<void>

beforeEach(() => {
  vi.useFakeTimers()
  reads = []
  failures = []
  here = true
  answer = async () => {}
})
afterEach(() => vi.useRealTimers())

const start = () => {
  const made = refreshing({
    every: notesRefresh,
    read: ({ first }) => {
      reads.push({ first })
      return answer()
    },
    wanted: () => here,
    failed: (error) => failures.push(error),
  })
  made.now()
  return made
}

test('[API-136] [CONST-014] notes are read again every 5000 ms, one read at a time', async () => {
  const notes = start()
  await vi.advanceTimersByTimeAsync(4999)
  expect(reads).toEqual([{ first: true }])
  await vi.advanceTimersByTimeAsync(1)
  expect(reads).toEqual([{ first: true }, { first: false }])
  // The next waits for a slow answer, and a request made meanwhile follows it at once.
  let arrive = () => {}
  answer = () => new Promise((done) => (arrive = done))
  await vi.advanceTimersByTimeAsync(5000)
  notes.now()
  await vi.advanceTimersByTimeAsync(20_000)
  expect(reads).toHaveLength(3)
  answer = async () => {}
  arrive()
  await vi.advanceTimersByTimeAsync(0)
  expect(reads).toHaveLength(4)
  notes.stop()
  await vi.advanceTimersByTimeAsync(20_000)
  expect(reads).toHaveLength(4)
})

test('[API-138] an error stops the refresh until somebody retries', async () => {
  const notes = start()
  answer = () => Promise.reject(new Error('no'))
  await vi.advanceTimersByTimeAsync(60_000)
  notes.resume()
  await vi.advanceTimersByTimeAsync(60_000)
  expect([reads.length, failures.length]).toEqual([2, 1])
  answer = async () => {}
  notes.now()
  await vi.advanceTimersByTimeAsync(5000)
  expect(reads).toHaveLength(4)
})

test('a hidden page pauses the refresh, and a visible one resumes it', async () => {
  const notes = start()
  await vi.advanceTimersByTimeAsync(0)
  here = false
  await vi.advanceTimersByTimeAsync(60_000)
  notes.resume()
  expect(reads).toHaveLength(1)
  here = true
  notes.resume()
  notes.resume()
  await vi.advanceTimersByTimeAsync(5000)
  expect(reads).toHaveLength(3)
  notes.stop()
})

test('an answer after the end is ignored', async () => {
  answer = () => Promise.reject(new Error('late'))
  start().stop()
  await vi.advanceTimersByTimeAsync(20_000)
  expect([reads.length, failures.length]).toEqual([1, 0])
})
