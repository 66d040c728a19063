import { randomUUID } from 'node:crypto'
import type { z } from 'zod'
import type { AnyIntent } from '#contract/define.ts'
import { type Amounts, sumOf } from '#domain/amounts.ts'
import {
  checkTargets,
  getRun,
  listRuns,
  retryRun,
  type Run,
  type RunRow as RunResultRow,
  startRun,
  stopRun,
  undoRun,
} from '#contract/runs.ts'
import { may } from '#domain/permissions.ts'
import { partOfRun, runOutOfReach } from '#domain/undo.ts'
import { countReasons } from '#domain/reasons.ts'
import type { Runnable } from '#server/jobs/runnable.ts'
import { isOutOfReach, type RunIntent, withReach } from '#server/jobs/run-reach.ts'
import { runnableNamed, runnableOf } from '#server/jobs/runnable-of.ts'
import {
  chooseTargets,
  forValidation,
  isRunnable,
  validate,
  type RowCheck,
  targetsById,
  whyNoUndo,
} from '#server/jobs/targets.ts'
import { undoRefused } from '#server/jobs/undo-refused.ts'
import { notifyWorkers } from '#server/jobs/queue.ts'
import { parse } from '#server/http/input.ts'
import { requirePermission } from '#server/http/validate-intent.ts'
import { existing, invalid, keyRequired, notFound, Refused, versionRequired } from '#server/http-error.ts'
import type { Actor } from '#server/access/actor.ts'
import { type Context, route, type Services } from '#server/http/route.ts'
import type { Tx } from '#server/tables/database.ts'
import {
  createRun,
  createUndo,
  type RunRow,
  rowsUnderWay,
  runOf,
  runsOf,
  waitUntilIdle,
  stop,
  toRun,
  undoOf,
  underWay,
  undoUntil,
  requeue,
} from '#server/tables/runs.ts'
import { formatCents } from '#domain/money.ts'
import { wholeNumber } from '#domain/text.ts'

const maxProblems = 200

/** A run of the person, who must still be allowed to read its records. */
const ownRun = async ({ tx, actor, services }: RunContext, id: string, lock = false): Promise<RunRow> => {
  const run = existing(await runOf(tx, actor.id, id, lock))
  requirePermission(actor, runIntentOf(services, run).noun.needs)
  return run
}

interface RunContext {
  tx: Tx
  actor: Actor
  services: Services
}

/** The intent of a run and its records; null for an intent that no longer exists. */
function findRunIntent({ routes }: Services, run: RunRow): RunIntent | null {
  const intent = routes.byIntent.get(run.intent)?.intent
  const noun = intent && runnableOf(intent.endpoint.path)
  return noun ? { intent, noun } : null
}

function runIntentOf(services: Services, run: RunRow): RunIntent {
  const found = findRunIntent(services, run)
  if (!found) throw notFound()
  return found
}

/** Whether undo of a run is offered: the intent must support it, and the person needs the permissions for it. */
const undoableBy = ({ held }: Actor, { undo, undoNeeds }: AnyIntent): boolean =>
  undo !== undefined && (undoNeeds === undefined || may(held, undoNeeds) === 'yes')

/** A run as the person may see it now: rows that are no longer open to them show their id alone. */
async function visibleRun(runContext: RunContext, run: RunRow): Promise<Run> {
  const { tx, actor, services } = runContext
  const decoded = runIntentOf(services, run)
  const { intent, noun } = decoded
  const known = await withReach(runContext, run, decoded, await toRun(tx, run, undoableBy(actor, intent)))
  const reached =
    known.undo_until === null ? known : { ...known, undo_refused: await undoRefused(tx, actor, { intent, noun }, run.id) }
  if (reached.problems.length === 0) return reached
  const rows = await noun.byId(
    tx,
    actor,
    reached.problems.map((row) => Number(row.target_id)),
  )
  const open = new Set(rows.map((row) => String(row.id)))
  const problems = reached.problems.map((row) =>
    open.has(row.target_id) ? row : { ...row, title: row.target_id, message: notFound().detail },
  )
  return { ...reached, problems }
}

/** Maximum number of running runs per person: each blocks its rows, and all share the same workers. */
const maxRunning = 20

/** The answer to a replayed call about a run: its current state. */
const again = { again: async (context: RunContext, { id }: Run): Promise<Run> => visibleRun(context, await ownRun(context, id)) }

/** A preview in the form of a run that ended before it started; nothing is stored. */
function previewRun(
  intent: string,
  command: string | undefined,
  problems: z.infer<typeof RunResultRow>[],
  total: number,
  now: Date,
): Run {
  const count = (state: string) => problems.filter((row) => row.state === state).length
  return {
    id: randomUUID(),
    intent,
    command: command ?? null,
    state: 'done',
    total,
    waiting: total - problems.length,
    done: 0,
    blocked: count('blocked'),
    failed: count('failed'),
    created_at: now.toISOString(),
    finished_at: null,
    undoes: null,
    undone_by: null,
    undo_until: null,
    problems: problems.slice(0, maxProblems),
  }
}

type Start = Context<typeof startRun> & { body: z.output<(typeof startRun)['body']> }

/**
 * For a run that moves money: like any change of money it needs an idempotency key and the versions that the person saw (rules
 * 12).
 */
function requireSeenMoney(intent: AnyIntent, { key, body }: Start): void {
  if (!intent.endpoint.money || body.dry_run) return
  if (!key) throw keyRequired()
  if (body.eligible === undefined) throw versionRequired('eligible')
}

/** The ids of all intents on the same kind of record. */
const intentsAbout = ({ routes }: Services, { endpoint }: AnyIntent): string[] =>
  [...routes.byIntent.values()].flatMap(({ intent }) =>
    runnableOf(intent.endpoint.path) === runnableOf(endpoint.path) ? [intent.id] : [],
  )

/** For a row queued in another run: two runs over the same rows would execute each in random order. */
const queuedElsewhere: RowCheck = { not: { state: 'blocked', message: partOfRun } }

async function start(context: Start): Promise<Run> {
  const { tx, actor, body, services, now } = context
  const ready = services.routes.byIntent.get(body.intent)
  if (!ready || !isRunnable(ready.intent))
    throw invalid([{ path: 'intent', message: 'This cannot be carried out over many rows.' }])
  const { intent } = ready
  requirePermission(actor, intent.needs)
  // A preview names the rows, so a dry run requires the permission to read them, too.
  requirePermission(actor, (runnableOf(intent.endpoint.path) as Runnable).needs)
  const given = parse(ready.bodyWithoutVersion, body.body)
  const targets = await chooseTargets(tx, actor, intent, body.targets)
  // Rows that the person saw in a preview: their access may have changed since.
  if (targets.length === 0 && body.eligible)
    throw new Refused(404, 'not-found', "None of these is left: they have changed, or you don't have access to them any more.")
  if (targets.length === 0) throw invalid([{ path: 'targets', message: 'There are no records to change.' }])
  requireSeenMoney(intent, context)
  const left = await rowsUnderWay(
    tx,
    intentsAbout(services, intent),
    targets.flatMap(({ id, subject }) => (subject === null ? [] : [id])),
  )
  if (body.dry_run || body.eligible !== undefined) {
    const kept: string[] = []
    let amounts: Amounts | undefined
    const problems = (await forValidation(tx, intent, targets)).flatMap((target) => {
      const validated = left.has(target.id) ? queuedElsewhere : validate(actor, intent, given, target)
      if (validated.not) return [{ target_id: String(target.id), title: target.title, ...validated.not }]
      amounts = sumOf(amounts, validated.amounts)
      const why = whyNoUndo(intent, target)
      if (why !== null) kept.push(why)
      return []
    })
    const forecast = { ...previewRun(intent.id, body.command, problems, targets.length, now), ...(amounts ? { amounts } : {}) }
    if (body.dry_run) return { ...forecast, undo_refused: countReasons(kept) }
    const other =
      forecast.waiting !== body.eligible
        ? `Rows changed in the meantime: ${wholeNumber(forecast.waiting)} can be done now. Check the count again.`
        : body.moved !== undefined && amounts && amounts.moved !== body.moved
          ? `Amounts changed in the meantime: they come to ${formatCents(amounts.moved)} now. Check the sum again.`
          : null
    if (other) throw new Refused(409, 'stale-version', other, { facts: { ...forecast, problems: [] } })
  }
  if ((await underWay(tx, actor.id)) >= maxRunning)
    throw new Refused(
      429,
      'too-many-runs',
      `You have ${maxRunning} runs under way, which is the most. Wait until one is over, or stop one.`,
    )
  const run = await createRun(tx, {
    personId: actor.id,
    sessionId: actor.sessionId,
    intent: intent.id,
    command: body.command ?? null,
    body: given,
    targets,
    left,
  })
  await notifyWorkers(tx)
  return visibleRun(context, run)
}

async function missing({ tx, actor, body }: Context<typeof checkTargets> & { body: z.output<(typeof checkTargets)['body']> }) {
  const noun = runnableNamed(body.noun)
  if (!noun) throw invalid([{ path: 'noun', message: 'This cannot be carried out over many rows.' }])
  requirePermission(actor, noun.needs)
  const targets = await targetsById(tx, actor, noun, body.ids)
  return { missing: targets.flatMap(({ id, subject }) => (subject === null ? [String(id)] : [])) }
}

/** The run that undoes a run; repeated calls return the same one. Every row is validated when it is executed. */
async function undo(context: Context<typeof undoRun>): Promise<Run> {
  const { tx, actor, params, now } = context
  requireEnd(await ownRun(context, params.id))
  // Rows in execution when the run was stopped finish first.
  await waitUntilIdle(tx, params.id)
  const run = await ownRun(context, params.id, true)
  requireEnd(run)
  const known = await undoOf(tx, run.id)
  if (known) return visibleRun(context, known)
  const decoded = runIntentOf(context.services, run)
  if (await isOutOfReach(context, run, decoded)) throw new Refused(404, 'not-found', runOutOfReach)
  const until = decoded.intent.undo ? undoUntil(run) : null
  if (!until) throw new Refused(409, 'undo-refused', 'This run cannot be undone.')
  if (now > until) throw new Refused(409, 'undo-refused', 'Undo is possible for 10 minutes.')
  const made = await createUndo(tx, run, actor.sessionId)
  if (!made) throw new Refused(409, 'undo-refused', 'Nothing was changed by this run, so that there is nothing to undo.')
  await notifyWorkers(tx)
  return visibleRun(context, made)
}

function requireEnd({ state }: RunRow): void {
  if (state === 'running')
    throw new Refused(409, 'undo-refused', 'This run is still under way. Stop it first, or wait for its end.')
}

export const routes = [
  route(startRun, start, {
    again: async (context, first) => {
      const needs = context.services.routes.byIntent.get(first.intent)?.intent.needs
      if (needs) requirePermission(context.actor, needs)
      return context.body.dry_run ? start(context) : again.again(context, first)
    },
  }),

  route(checkTargets, missing, { again: missing }),

  route(listRuns, async (context) => {
    const { tx, actor, services } = context
    const runs: Run[] = []
    for (const run of await runsOf(tx, actor.id)) {
      const known = findRunIntent(services, run)
      if (!known || may(actor.held, known.noun.needs as never) !== 'yes') continue
      const view = await toRun(tx, run, undoableBy(actor, known.intent), { problems: false })
      // A run past its undo period needs no check of reach.
      runs.push(view.undo_until ? await withReach(context, run, known, view) : view)
    }
    return { runs }
  }),

  route(undoRun, undo, again),

  route(getRun, async (context) => visibleRun(context, await ownRun(context, context.params.id))),

  route(
    stopRun,
    async (context) => {
      const { tx, params, now } = context
      const run = await ownRun(context, params.id, true)
      if (run.state !== 'running') throw new Refused(409, 'run-over', 'This run is over already; there is nothing left to stop.')
      return visibleRun(context, await stop(tx, run.id, now))
    },
    again,
  ),

  route(
    retryRun,
    async (context) => {
      const { tx, actor, params } = context
      const run = await ownRun(context, params.id, true)
      if (await undoOf(tx, run.id)) throw new Refused(409, 'run-over', 'This run was undone. Start it again.')
      const waiting = await requeue(tx, run, actor.sessionId)
      if (waiting.state === 'running') await notifyWorkers(tx)
      return visibleRun(context, waiting)
    },
    again,
  ),
]
