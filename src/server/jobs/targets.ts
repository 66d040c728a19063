import { hasSecret } from '#contract/secrets.ts'
import type { AnyEndpoint, AnyIntent } from '#contract/define.ts'
import type { Amounts } from '#domain/amounts.ts'
import { canUnpause } from '#contract/employees.ts'
import { maxTargets } from '#contract/runs.ts'
import { refuse, type Refusal } from '#domain/refusal.ts'
import { may, noPermission } from '#domain/permissions.ts'
import { parse } from '#server/http/input.ts'
import type { Runnable } from '#server/jobs/runnable.ts'
import { runnableOf } from '#server/jobs/runnable-of.ts'
import { invalid, notFound } from '#server/http-error.ts'
import type { Actor } from '#server/access/actor.ts'
import type { Tx } from '#server/tables/database.ts'
import { type EmployeeRow, whyNotResume } from '#server/tables/employees.ts'
import type { RunTarget } from '#server/tables/runs.ts'

/** Parameters of a list's URL other than the filter. */
const notFilter = ['sort', 'sort-order', 'limit', 'direction', 'lek', 'include', 'from-id']

export type Targets = { ids: number[] } | { filter: Record<string, string> }

/** A row of a run with the input of the rules; null if it is not open to the person. */
export interface RunCandidate extends RunTarget {
  subject: unknown
}

/**
 * Whether a run can have targets of this intent: its path has the id alone, lists return that id, and no secret would be stored
 * with it.
 */
export const isRunnable = ({ endpoint, body }: AnyIntent): boolean =>
  takes(runnableOf(endpoint.path), endpoint) && endpoint.path.match(/\{/g)?.length === 1 && !hasSecret(body)

const takes = (noun: Runnable | null, endpoint: AnyEndpoint): boolean => noun !== null && (noun.only?.includes(endpoint) ?? true)

/** Finds the targets inside the person's access. By filter, an intent on users applies to the linked users. */
export async function chooseTargets(tx: Tx, actor: Actor, intent: AnyIntent, targets: Targets): Promise<RunCandidate[]> {
  const noun = runnableOf(intent.endpoint.path) as Runnable
  if ('filter' in targets) {
    const given = Object.fromEntries(Object.entries(targets.filter).filter(([name]) => !notFilter.includes(name)))
    const rows = await noun.matching(tx, actor, parse(noun.filter, given), maxTargets + 1)
    if (rows.length > maxTargets)
      throw invalid([{ path: 'targets.filter', message: 'A run takes at most 10,000 rows. Narrow the filter.' }])
    return rows
  }
  return targetsById(tx, actor, noun, targets.ids)
}

/** Each id once, with its row; ids that are not open to the person have none, like ids that do not exist. */
export async function targetsById(tx: Tx, actor: Actor, noun: Runnable, given: readonly number[]): Promise<RunCandidate[]> {
  const ids = [...new Set(given)]
  const found = new Map((await noun.byId(tx, actor, ids)).map((row) => [row.id, row]))
  return ids.map((id) => found.get(id) ?? { id, title: String(id), subject: null })
}

/** Targets with everything that the rules of an intent read, for a preview before execution. */
export async function forValidation(tx: Tx, intent: AnyIntent, targets: RunCandidate[]): Promise<RunCandidate[]> {
  const { readForValidation } = runnableOf(intent.endpoint.path) as Runnable
  if (!readForValidation) return targets
  const open = await readForValidation(
    tx,
    intent,
    targets.filter(({ subject }) => subject !== null),
  )
  const known = new Map(open.map((row) => [row.id, row]))
  return targets.map((target) => known.get(target.id) ?? target)
}

export interface RowCheck {
  /** Why it would not be executed. */
  not?: { state: 'blocked' | 'failed'; message: string }
  /** The resulting amounts, for an intent on money. */
  amounts?: Amounts
}

/** Whether a row would be executed in its current state, by the same rules as on execution. */
export function validate(actor: Actor, intent: AnyIntent, body: Record<string, unknown>, { subject }: RunCandidate): RowCheck {
  if (subject === null) return { not: { state: 'failed', message: notFound().detail } }
  if (may(actor.held, intent.needs as never, subject as never) !== 'yes')
    return { not: { state: 'failed', message: noPermission } }
  const refusal: Refusal | null = intent.refuses(subject) ?? checked(intent, subject)
  const amounts = refusal ?? intent.amounts?.(subject, body)
  if (!amounts) return {}
  return 'sentence' in amounts ? { not: { state: 'blocked', message: amounts.sentence } } : { amounts }
}

/** Why the change of this row could not be undone afterwards, in its current state; null if it could. */
export function whyNoUndo(intent: AnyIntent, { id, subject }: RunCandidate): string | null {
  if (!intent.undo) return null
  const { version } = subject as { version: number }
  const call = intent.undo({ id: String(id), version }, subject)
  if (!call) return intent.noUndo ?? 'This cannot be undone.'
  const { checkedBy } = call.intent
  if (checkedBy?.endpoint !== canUnpause) return null
  const answer = { reasons: whyNotResume(subject as EmployeeRow) } as never
  return checkedBy.afterwards?.(answer, subject as never)?.sentence ?? null
}

function checked(intent: AnyIntent, subject: unknown): Refusal | null {
  if (intent.checkedBy?.endpoint !== canUnpause) return null
  const reasons = whyNotResume(subject as EmployeeRow)
  return reasons.length === 0 ? null : refuse('cannot-unpause', reasons.join(' '))
}
