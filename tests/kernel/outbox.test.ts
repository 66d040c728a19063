import { describe, expect, test } from 'vitest'
import { interruptionText, signInText } from '#kernel/interruption.ts'
import { callStates, isOpen, stateAfter } from '#kernel/outbox.ts'

describe('a call in the outbox', () => {
  test('is sending at first, and unknown where an earlier attempt had no answer', () => {
    expect(stateAfter(null, 'sent')).toBe('sending')
    for (const state of callStates) expect(stateAfter(state, 'sent')).toBe('unknown')
  })

  test.each(['sending', 'unknown'] as const)('is unknown after %s without an answer', (state) => {
    expect(stateAfter(state, 'unanswered')).toBe('unknown')
  })

  test('was not sent if the session ended before any attempt could succeed', () => {
    expect(stateAfter('sending', 'session-over')).toBe('not-sent')
  })

  test('waits for the next sign-in if an earlier attempt may have succeeded', () => {
    expect(stateAfter('unknown', 'session-over')).toBe('waiting')
  })

  test('is given up after repeated failures of the server', () => {
    expect(stateAfter('unknown', 'server-failing')).toBe('given-up')
  })

  test.each(callStates)('ends with a definite answer to %s', (state) => {
    expect([stateAfter(state, 'answered'), stateAfter(state, 'refused')]).toEqual(['done', 'refused'])
  })

  test('stays until it ends', () => {
    expect(callStates.every(isOpen)).toBe(true)
    expect((['done', 'refused', 'not-sent'] as const).some(isOpen)).toBe(false)
  })
})

test('an interrupted change has its sentences for the form, a message and the sign-in', () => {
  const sent = { calls: 1, of: 2 }
  expect(interruptionText('in-part', { sent })).toEqual({
    sentence: 'Sent in part: your session had ended.',
    detail: 'The first 1 of 2 were sent. Look at what was done before you send the rest.',
  })
  expect(interruptionText('in-part', { title: 'Pause employee, Mia Torres', sent })).toEqual({
    sentence: 'Sent in part: Pause employee, Mia Torres',
    detail: 'Your session had ended. The first 1 of 2 were sent. Look at what was done before you send the rest.',
  })
  expect(interruptionText('not-sent', { title: 'Pause employee', advice: 'Do it again if it is still wanted.' })).toEqual({
    sentence: 'Not sent: Pause employee',
    detail: 'Your session had ended. Do it again if it is still wanted.',
  })
  expect(signInText('in-part')).toBe('Your last change was sent only in part.')
})
