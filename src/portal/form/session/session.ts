import type { Field } from '#kernel/form.ts'
import { conflictsIn, type SavedValues } from '#portal/form/session/conflicts.ts'
import type { Failure } from '#portal/form/session/failure.ts'
import type { Values } from '#kernel/form-values.ts'
import { same } from '#portal/form/session/values.ts'

/**
 * What a form waits for: its data, the user, the user's decision about a change by somebody else, an answer, or an answer that
 * failed to arrive and is retried. `refused` is `ready` with the reason of the last refusal.
 */
export type FormState = 'loading' | 'ready' | 'conflicted' | 'submitting' | 'unknown' | 'refused'

/** One form from its first render to its last. The typed values themselves belong to the form library. */
export interface Session extends SavedValues {
  fields: readonly Field[]
  /** The typed values of the fields with an unresolved conflict, by name. */
  conflicts: Values
  /** Why the last request was refused, or what has to be settled before the next one (`stands`). */
  failure: Failure | null
  submitting: boolean
}

export type SessionEvent =
  /** The user typed; `name` is the field, unless several changed. */
  | { type: 'typed'; values: Values; name?: string | undefined }
  /** The saved values were read again, and `rebase` moved the typed ones onto them. */
  | { type: 'rebased'; values: Values; saved: Values; seen: Values }
  /** The effect of the amounts is not the one that the user saw. */
  | { type: 'questioned'; failure: Failure }
  /** The user sends the form as shown, conflicts included. */
  | { type: 'settled' }
  /** Sending starts: a second attempt before `ended` has no effect. */
  | { type: 'began' }
  /** The values are valid and on their way. */
  | { type: 'sent' }
  /** The answer; null if its reason is shown at its field only. */
  | { type: 'refused'; failure: Failure | null }
  /** These values are the saved ones now: they were saved, or the input was discarded. */
  | { type: 'saved'; values: Values }
  | { type: 'ended' }
  /** Whether the command is available has changed, which an earlier refusal knows nothing about. */
  | { type: 'availability-changed' }

/** The session of a new form; a restored draft has the saved values that it was typed over, and may have a question. */
export const startSession = (
  fields: readonly Field[],
  saved: Values,
  values: Values,
  { seen, failure }: Pick<Session, 'seen' | 'failure'> = { seen: {}, failure: null },
): Session => withConflicts({ fields, saved, seen: { ...saved, ...seen }, conflicts: {}, failure, submitting: false }, values)

/** The session after an event; the same object if nothing changed. */
export function sessionAfter(session: Session, event: SessionEvent): Session {
  switch (event.type) {
    case 'typed':
      return withConflicts(afterTyping(session, event.values, event.name), event.values)
    case 'rebased':
      return withConflicts({ ...session, saved: event.saved, seen: event.seen }, event.values)
    case 'questioned':
      return session.failure ? session : { ...session, failure: event.failure }
    case 'settled':
      return {
        ...typedOverSaved(session, Object.keys(session.conflicts)),
        conflicts: {},
        failure: isQuestion(session.failure) ? null : session.failure,
      }
    case 'began':
      return session.submitting ? session : { ...session, submitting: true }
    case 'sent':
      return { ...session, failure: null }
    case 'refused':
      return { ...session, failure: event.failure }
    case 'saved':
      return withConflicts({ ...session, seen: { ...session.seen, ...event.values }, failure: null }, event.values)
    case 'ended':
      return { ...session, submitting: false }
    case 'availability-changed':
      return session.failure && !isQuestion(session.failure) ? { ...session, failure: null } : session
  }
}

/** Whether the user has to confirm or change an amount. */
const isQuestion = (failure: Failure | null): boolean => failure?.stands !== undefined

/** Typing into a field resolves its conflict, and typing an amount the question about amounts. */
function afterTyping(session: Session, values: Values, name: string | undefined): Session {
  const amounts = session.fields.filter(({ kind }) => kind === 'money' || kind === 'rows')
  const answers = isQuestion(session.failure) && (!amounts.length || amounts.some((field) => field.name === name))
  // In a table the edit may be in another row than the conflict.
  const resolved = session.fields.filter(
    (field) =>
      field.name in session.conflicts && field.kind !== 'table' && !same(values[field.name], session.conflicts[field.name]),
  )
  if (!answers && !resolved.length) return session
  const names = resolved.map((field) => field.name)
  return { ...typedOverSaved(session, names), failure: answers ? null : session.failure }
}

/** The session with these fields typed over the values saved now. */
const typedOverSaved = (session: Session, names: readonly string[]): Session => ({
  ...session,
  seen: { ...session.seen, ...Object.fromEntries(names.map((name) => [name, session.saved[name]])) },
})

/** The session with its conflicts computed again; each keeps the value that was typed when it arose. */
function withConflicts(session: Session, values: Values): Session {
  const names = conflictsIn(session.fields, values, session)
  if (names.join() === Object.keys(session.conflicts).join()) return session
  const typed = { ...values, ...session.conflicts }
  return { ...session, conflicts: Object.fromEntries(names.map((name) => [name, typed[name]])) }
}

/** Whether the user has to decide something before the form may be sent. */
export const isConflicted = ({ failure, conflicts }: Session): boolean => isQuestion(failure) || Object.keys(conflicts).length > 0

/** The state of a form; whether its data are loading, and whether a request has no answer, is known elsewhere. */
export function stateOf(session: Session, { loading, unknown }: { loading: boolean; unknown: boolean }): FormState {
  if (unknown) return 'unknown'
  if (session.submitting) return 'submitting'
  if (isConflicted(session)) return 'conflicted'
  if (loading) return 'loading'
  return session.failure ? 'refused' : 'ready'
}
