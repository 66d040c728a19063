import { changedMeanwhile, refreshPage } from '#contract/problem.ts'
import { availability } from '#kernel/availability.ts'
import { changes, type Command, type Seen } from '#kernel/command.ts'
import type { AnyEntity } from '#kernel/entity.ts'
import { fieldsOf } from '#kernel/form.ts'
import type { Outcome } from '#kernel/run.ts'
import type { CommandContext } from '#kernel/command-context.ts'
import type { z } from 'zod'
import { lastChange } from '#portal/commands/last-change.ts'
import { readRecord } from '#portal/records/load-record.ts'
import type { Failure } from '#portal/form/session/failure.ts'
import { type RecheckResult, recheckAmounts } from '#portal/form/money/recheck-amounts.ts'
import { rebase } from '#portal/form/session/conflicts.ts'
import type { Values } from '#kernel/form-values.ts'

interface SentChange {
  command: Command
  on: AnyEntity
  id: string
  context: CommandContext
  schema: z.ZodObject | null
  params: Values
  /** The record and the facts that the user saw. */
  was: Seen<unknown, unknown>
  /** The initial values of the form, and a function for those of any record. */
  start: Values
  startOf: (one: unknown) => Values
  /** The record as the portal knows it now. */
  target: unknown
  /** All records of a command on several together. */
  together: readonly unknown[] | undefined
}

interface StaleOutcome {
  /** The current record. */
  now: unknown
  /** The message above the form. */
  meanwhile: Failure
  /** What the user has to settle before it is sent again. */
  failure: Failure | null
}

/** The message for a change that was refused as stale, and what has to be settled (docs/rules/forms.md). */
export async function resolveStale(outcome: Exclude<Outcome, { kind: 'done' }>, sent: SentChange): Promise<StaleOutcome> {
  const { command, on, id, context, schema, params, was, start, startOf, target, together } = sent
  const [read, who] = await Promise.all([readRecord(on, id).catch(() => null), lastChange(on, id, on.version(was.target))])
  const now = read ?? target
  // A command that is no longer available cannot be sent as shown either.
  const isOver = 'sentence' in availability(command, context, now)
  const { put } = rebase(schema ? fieldsOf(schema) : [], params, { saved: start, seen: start }, startOf(now))
  const { moved, look, stands } =
    changes(command) && command.preview?.lines && !isOver
      ? await recheckAmounts(command, schema, { ...params, ...put }, was, now, together)
      : ({} as RecheckResult)
  // The change may be of another record that the command touches; for several records 'this' would be ambiguous.
  const itself = !(together && together.length > 1) && (read === null || on.version(read) !== on.version(was.target))
  const words = itself ? who : null
  const own = outcome.sentence !== changedMeanwhile
  const instead = moved && outcome.sentence.endsWith(refreshPage)
  const meanwhile = {
    sentence: instead ? moved : own || !words ? outcome.sentence : words,
    detail: [
      instead ? null : moved,
      own ? words : null,
      itself ? statusChange(on, was.target, now) : null,
      look,
      schema && 'What you typed is still here.',
    ]
      .filter(Boolean)
      .join(' '),
  }
  return { now, meanwhile, failure: isOver ? null : (stands ?? null) }
}

/** `REP-70427 is pending now.`, if its status has changed; else null. */
function statusChange({ status, title }: AnyEntity, before: unknown, now: unknown): string | null {
  return status && status.of(before) !== status.of(now)
    ? `${title(now)} is ${status.states.label(status.of(now)).toLowerCase()} now.`
    : null
}
