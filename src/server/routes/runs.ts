import { randomUUID } from 'node:crypto'
import { getRun, retryRun, type Run, type RunRow, startRun, stopRun } from '#contract/runs.ts'
import type { z } from 'zod'
import { chooseTargets, isRunnable, judge } from '#server/jobs/targets.ts'
import { tellWorkers } from '#server/jobs/queue.ts'
import { invalid, parse } from '#server/input.ts'
import { requirePermission } from '#server/perform.ts'
import { notFound, Refused } from '#server/refused.ts'
import { type Actor, route, type Tx } from '#server/route.ts'
import { createRun, runOf, stop, tellRun, waitAgain } from '#server/tables/runs.ts'

const mostProblems = 200

const mine = async (tx: Tx, actor: Actor, id: string, lock: boolean) => {
  const run = await runOf(tx, actor.id, id, lock)
  if (!run) throw notFound()
  return run
}

/** What would happen, told as a run that is over before it began; nothing is kept. */
function foretell(
  intent: string,
  command: string | undefined,
  problems: z.infer<typeof RunRow>[],
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
    problems: problems.slice(0, mostProblems),
  }
}

export const routes = [
  route(startRun, async ({ tx, actor, body, services, now }) => {
    const ready = services.routes.byIntent.get(body.intent)
    if (!ready || !isRunnable(ready.intent))
      throw invalid([{ path: 'intent', message: 'This cannot be carried out over many rows.' }])
    const { intent } = ready
    requirePermission(actor, intent.needs)
    const given = parse(ready.bodyWithoutVersion, body.body)
    const targets = await chooseTargets(tx, actor, intent, body.targets)
    if (targets.length === 0) throw invalid([{ path: 'targets', message: 'There is nothing to do this to.' }])
    if (body.dry_run) {
      const problems = targets.flatMap((target) => {
        const judged = judge(actor, intent, target)
        return judged ? [{ target_id: String(target.id), title: target.title, ...judged }] : []
      })
      return foretell(intent.id, body.command, problems, targets.length, now)
    }
    const run = await createRun(tx, {
      personId: actor.id,
      sessionId: actor.sessionId,
      intent: intent.id,
      command: body.command ?? null,
      body: given,
      targets,
    })
    await tellWorkers(tx)
    return tellRun(tx, run)
  }),

  route(getRun, async ({ tx, actor, params }) => tellRun(tx, await mine(tx, actor, params.id, false))),

  route(stopRun, async ({ tx, actor, params, now }) => {
    const run = await mine(tx, actor, params.id, true)
    if (run.state !== 'running') throw new Refused(409, 'run-over', 'This run is over already; there is nothing left to stop.')
    return tellRun(tx, await stop(tx, run.id, now))
  }),

  route(retryRun, async ({ tx, actor, params }) => {
    const run = await mine(tx, actor, params.id, true)
    const again = await waitAgain(tx, run, actor.sessionId)
    if (again.state === 'running') await tellWorkers(tx)
    return tellRun(tx, again)
  }),
]
