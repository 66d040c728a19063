import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { money, table, text } from '#contract/fields.ts'
import { fieldsOf } from '#kernel/form.ts'
import { conflictsIn, rebase } from '#portal/form/session/conflicts.ts'
import type { Failure } from '#portal/form/session/failure.ts'
import {
  isConflicted,
  type Session,
  type SessionEvent,
  sessionAfter,
  startSession,
  stateOf,
} from '#portal/form/session/session.ts'
import type { Values } from '#kernel/form-values.ts'

const fields = fieldsOf(z.object({ name: text('Name'), notes: text('Notes').optional(), amount: money('Amount') }))
const saved = { name: 'Quayside', notes: 'Late', amount: 900 }
const refusal: Failure = { sentence: 'Not possible now.', detail: null }
const question: Failure = { sentence: 'Nothing was sent.', detail: null, stands: {} }
const known = { loading: false, unknown: false }

const start = (values: Values = saved) => startSession(fields, saved, values)
const following = (session: Session, ...events: SessionEvent[]) => events.reduce(sessionAfter, session)
/** Somebody else saves these values while others are typed. */
const reread = (session: Session, typed: Values, theirs: Values): SessionEvent => {
  const { seen, put } = rebase(session.fields, typed, session, theirs)
  return { type: 'rebased', saved: theirs, seen, values: { ...typed, ...put } }
}
const typed = { ...saved, name: 'Quayside X' }
const theirs = { ...saved, name: 'Harbor' }
/** A name that two people changed. */
const conflicted = () => {
  const session = following(start(), { type: 'typed', values: typed, name: 'name' })
  return following(session, reread(session, typed, theirs))
}

describe('the state of a form', () => {
  test('is ready at first, and after typing', () => {
    expect(stateOf(start(), known)).toBe('ready')
    expect(stateOf(following(start(), { type: 'typed', values: typed, name: 'name' }), known)).toBe('ready')
  })

  test('is loading while its data are', () => {
    expect(stateOf(start(), { ...known, loading: true })).toBe('loading')
  })

  test('is submitting from the first key press to the end, whatever happens between', () => {
    const began = following(start(), { type: 'began' })
    expect(stateOf(began, known)).toBe('submitting')
    expect(stateOf(following(began, { type: 'sent' }), known)).toBe('submitting')
    expect(stateOf(following(began, { type: 'refused', failure: question }), { ...known, loading: true })).toBe('submitting')
    expect(stateOf(following(began, { type: 'ended' }), known)).toBe('ready')
  })

  test('is unknown while a request has no answer, before all others', () => {
    for (const session of [start(), conflicted(), following(start(), { type: 'began' })])
      expect(stateOf(session, { loading: true, unknown: true })).toBe('unknown')
  })

  test('is refused after a refusal, until the next request is sent', () => {
    const refused = following(start(), { type: 'began' }, { type: 'refused', failure: refusal }, { type: 'ended' })
    expect(stateOf(refused, known)).toBe('refused')
    expect(stateOf(following(refused, { type: 'typed', values: typed, name: 'name' }), known)).toBe('refused')
    expect(following(refused, { type: 'began' }).failure).toBe(refusal)
    expect(stateOf(following(refused, { type: 'began' }, { type: 'sent' }, { type: 'ended' }), known)).toBe('ready')
  })

  test('is conflicted while a field or an amount has to be settled, also while its data load', () => {
    expect(stateOf(conflicted(), { ...known, loading: true })).toBe('conflicted')
    expect(stateOf(following(start(), { type: 'questioned', failure: question }), known)).toBe('conflicted')
  })
})

describe('sending', () => {
  test('begins once: a second attempt before the end changes nothing', () => {
    const began = following(start(), { type: 'began' })
    expect(following(began, { type: 'began' })).toBe(began)
  })

  test('a refusal without a text of its own leaves the form ready', () => {
    expect(stateOf(following(start(), { type: 'refused', failure: null }), known)).toBe('ready')
  })

  test('saved values are the base of what is typed next', () => {
    const session = following(start(), { type: 'typed', values: typed, name: 'name' }, { type: 'saved', values: typed })
    expect(session.seen).toEqual(typed)
    expect(isConflicted(following(session, reread(session, typed, { ...typed, notes: 'Twice' })))).toBe(false)
  })
})

describe('a change by somebody else', () => {
  test('is taken over by a clean field, and asks nothing', () => {
    const { seen, put } = rebase(fields, typed, start(), { ...saved, notes: 'Early' })
    expect(put).toEqual({ notes: 'Early' })
    expect(seen).toEqual({ ...saved, notes: 'Early' })
    const session = following(start(), { type: 'typed', values: typed, name: 'name' })
    expect(isConflicted(following(session, reread(session, typed, { ...saved, notes: 'Early' })))).toBe(false)
  })

  test('of a dirty field is a conflict, which keeps the typed value', () => {
    expect(conflicted().conflicts).toEqual({ name: 'Quayside X' })
    expect(rebase(fields, typed, start(), theirs).put).toEqual({})
  })

  test('to the same value is none', () => {
    const session = following(start(), { type: 'typed', values: typed, name: 'name' })
    expect(isConflicted(following(session, reread(session, typed, typed)))).toBe(false)
  })

  test('is settled by typing into that field, not into another one', () => {
    const elsewhere = following(conflicted(), { type: 'typed', values: { ...typed, notes: 'Twice' }, name: 'notes' })
    expect(elsewhere.conflicts).toEqual({ name: 'Quayside X' })
    const there = following(elsewhere, { type: 'typed', values: { ...typed, name: 'Harbor X' }, name: 'name' })
    expect(there.conflicts).toEqual({})
    expect(there.seen['name']).toBe('Harbor')
  })

  test('is settled by reverting the field, and by sending it as shown', () => {
    expect(isConflicted(following(conflicted(), { type: 'typed', values: theirs, name: 'name' }))).toBe(false)
    const settled = following(conflicted(), { type: 'settled' })
    expect(isConflicted(settled)).toBe(false)
    // A third value is another conflict.
    expect(following(settled, reread(settled, typed, { ...saved, name: 'Pier' })).conflicts).toEqual({ name: 'Quayside X' })
  })

  test('before a draft was restored is a conflict at the start', () => {
    const stored = { seen: { name: 'Quay' }, failure: null }
    expect(startSession(fields, saved, typed, stored).conflicts).toEqual({ name: 'Quayside X' })
    expect(startSession(fields, saved, typed).conflicts).toEqual({})
  })

  test('of a field that another one sets is a conflict, too', () => {
    const fixed = fields.map((field) =>
      field.name === 'amount' ? { ...field, when: { field: 'notes', is: 'Late', otherwise: 5 } } : field,
    )
    const values = { ...saved, notes: 'On time' }
    expect(conflictsIn(fixed, values, { seen: saved, saved: { ...saved, amount: 700 } })).toEqual(['amount'])
  })
})

describe('a table that two people changed', () => {
  const columns = fieldsOf(z.object({ columns: table('Columns', z.array(z.object({ header: text('Header') })), 'column') }))
  const of = (...headers: string[]) => ({ columns: headers.map((header) => ({ header })) })
  const base = { saved: of('One', 'Two'), seen: of('One', 'Two') }

  test('has the rows of either', () => {
    expect(rebase(columns, of('First', 'Two'), base, of('One', 'Second'))).toEqual({
      put: of('First', 'Second'),
      seen: of('One', 'Second'),
    })
  })

  test('keeps the own row if both changed it, as a conflict that another row does not settle', () => {
    const mine = of('First', 'Two')
    const session = startSession(columns, base.saved, mine)
    const now = following(session, reread(session, mine, of('Uno', 'Two')))
    expect(Object.keys(now.conflicts)).toEqual(['columns'])
    expect(isConflicted(following(now, { type: 'typed', values: of('First', 'Second'), name: 'columns' }))).toBe(true)
    expect(isConflicted(following(now, { type: 'settled' }))).toBe(false)
  })

  test('is not merged if rows were added', () => {
    expect(rebase(columns, of('First', 'Two'), base, of('One', 'Two', 'Three')).put).toEqual({})
  })
})

describe('a question about amounts', () => {
  const asked = () => following(start(), { type: 'questioned', failure: question })

  test('is not asked over an earlier failure', () => {
    expect(following(start(), { type: 'refused', failure: refusal }, { type: 'questioned', failure: question }).failure).toBe(
      refusal,
    )
  })

  test('is settled by typing an amount, and by sending it as shown', () => {
    expect(isConflicted(following(asked(), { type: 'typed', values: typed, name: 'name' }))).toBe(true)
    expect(isConflicted(following(asked(), { type: 'typed', values: { ...saved, amount: 1 }, name: 'amount' }))).toBe(false)
    expect(isConflicted(following(asked(), { type: 'settled' }))).toBe(false)
  })

  test('in a form without amounts is settled by typing anything', () => {
    const session = startSession(fieldsOf(z.object({ name: text('Name') })), {}, {}, { seen: {}, failure: question })
    expect(isConflicted(session)).toBe(true)
    expect(isConflicted(following(session, { type: 'typed', values: { name: 'A' }, name: 'name' }))).toBe(false)
  })

  test('stays when the availability changes, unlike a refusal', () => {
    expect(following(asked(), { type: 'availability-changed' }).failure).toBe(question)
    expect(following(start(), { type: 'refused', failure: refusal }, { type: 'availability-changed' }).failure).toBeNull()
  })
})

test('an event without effect keeps the same session, so that nothing renders', () => {
  const session = start()
  for (const event of [{ type: 'typed', values: typed, name: 'name' }, { type: 'availability-changed' }] satisfies SessionEvent[])
    expect(following(session, event)).toBe(session)
})
