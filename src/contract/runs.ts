import { z } from 'zod'
import { signedIn } from '#domain/permissions.ts'
import { endpoint } from '#contract/define.ts'
import { idSchema } from '#contract/fields.ts'
import { runsCall } from '#contract/listings.ts'

/** How one row of a run ended; `blocked` rows were refused by a rule, `failed` ones may be retried. */
export const RunRow = z.object({
  target_id: z.string(),
  title: z.string(),
  state: z.enum(['waiting', 'done', 'blocked', 'failed', 'stopped']),
  message: z.string().nullable(),
})

/** One command over many rows, executed by the server: closing the tab does not stop it. */
export const Run = z.object({
  id: z.uuid(),
  intent: z.string(),
  command: z.string().nullable(),
  state: z.enum(['running', 'done', 'stopped']),
  total: z.int(),
  waiting: z.int(),
  done: z.int(),
  blocked: z.int(),
  failed: z.int(),
  created_at: z.iso.datetime(),
  finished_at: z.iso.datetime().nullable(),
  /** The run that this one undoes. */
  undoes: z.uuid().nullable(),
  /** The run that undoes this one. */
  undone_by: z.uuid().nullable(),
  /** Until when it can be undone; null if it cannot. */
  undo_until: z.iso.datetime().nullable(),
  /**
   * True for a completed run if the caller no longer has access to any of its rows, or lost the permission: somebody else has to
   * undo it.
   */
  out_of_reach: z.boolean().optional(),
  /**
   * How many rows could not be undone afterwards, as of now, and why: among the rows of a dry run, the waiting rows, or, for a
   * run that can be undone, the completed ones.
   */
  undo_refused: z.array(z.object({ sentence: z.string(), count: z.int() })).optional(),
  /** In a dry run: the total of the waiting rows in cents, and what it leaves out. */
  amounts: z.object({ moved: z.int(), left: z.int() }).optional(),
  /** The unsuccessful rows, at most 200. */
  problems: z.array(RunRow),
})
export type Run = z.infer<typeof Run>

/** Maximum number of rows per run. */
export const maxTargets = 10_000

const targetIds = z.array(idSchema).min(1).max(maxTargets)

const byRun = z.object({ id: z.uuid() })

const call = { tag: 'Runs', needs: signedIn, extension: true, method: 'POST', answer: Run } as const

export const startRun = endpoint({
  ...call,
  path: '/runs',
  summary: 'Carry out one intent over many targets; the permission of the intent holds for every row',
  body: z.object({
    intent: z.string().max(100),
    command: z.string().max(100).optional(),
    /** The body of each call, without version. */
    body: z.record(z.string(), z.unknown()),
    targets: z.union([
      z.object({ ids: targetIds }),
      /** The list's own filter parameters, as in its address. */
      z.object({ filter: z.record(z.string(), z.string().max(4_000)) }),
    ]),
    /** The number of eligible rows that the caller saw; another number is refused, with a new dry run. */
    eligible: z.int().min(0).optional(),
    /** The total in cents that the caller saw; another total is refused, too. */
    moved: z.int().optional(),
    /** Returns what would happen, without changing anything. */
    dry_run: z.boolean().default(false),
  }),
  status: 201,
})

const common = { tag: 'Runs', needs: signedIn, extension: true } as const

export const checkTargets = endpoint({
  ...common,
  method: 'POST',
  path: '/runs/targets',
  summary: 'Which of these ids are rows that you may see; nothing is changed',
  /** The noun as in the address of its list: `employees`. */
  body: z.object({ noun: z.string().max(100), ids: targetIds }),
  answer: z.object({
    /** Ids without a row, or without one that the caller has access to. */
    missing: z.array(z.string()),
  }),
})

export const listRuns = endpoint({
  ...runsCall,
  tag: 'Runs',
  summary: 'Your last runs, newest first, without their rows',
  answer: z.object({ runs: z.array(Run) }),
  activity: false,
})

export const getRun = endpoint({
  ...common,
  method: 'GET',
  path: '/runs/{id}',
  summary: 'How a run stands',
  params: byRun,
  answer: Run,
  activity: false,
})

export const stopRun = endpoint({
  ...call,
  path: '/runs/{id}/stop',
  summary: 'Stop a run; rows that are done stay done',
  params: byRun,
})

export const retryRun = endpoint({
  ...call,
  path: '/runs/{id}/retry',
  summary: 'Try the failed and stopped rows again',
  params: byRun,
})

export const undoRun = endpoint({
  ...call,
  path: '/runs/{id}/undo',
  summary: 'Undo what a run did, as a run of its own; within ten minutes of its end, and asked again the same run',
  params: byRun,
  status: 201,
})
