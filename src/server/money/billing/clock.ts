import { setTimeout as sleep } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import { beginning, type Place } from '#server/money/billing/people.ts'
import type { PaymentProcessor } from '#server/money/billing/processor.ts'
import { simulator } from '#server/money/billing/simulator.ts'
import { type Share, lockOf } from '#server/tables/shares.ts'
import { type Done, type Part, partition, type Round, type Step, steps } from '#server/money/billing/steps.ts'
import { businessDate } from '#server/tables/business-date.ts'
import { isConflict } from '#server/postgres/away.ts'
import { oneAtATime, unlessUnderWay } from '#server/postgres/guard.ts'
import { Refused } from '#server/http-error.ts'
import type { Tx, Database } from '#server/tables/database.ts'
import { settingOf } from '#server/tables/setting.ts'

const partitionLock = 4_184_005
const attempts = 3

/** Count of each kind of work in a round, and of failures. */
export type Summary = Record<Done | 'failed', number>

export interface ClockOptions {
  /** `yyyy-MM-dd`; by default the business date. */
  today?: string
  /** By default the simulator in the demo, and none elsewhere: debits then stay scheduled. */
  processor?: PaymentProcessor | null
  /** Stops between two transactions when true. */
  leaving?: () => boolean
  report?: (error: unknown) => void
}

/** Milliseconds between two tries of a share that another process works on. */
const tryAgainAfter = 100

/**
 * Moves invoices along their dates up to today (docs/rules/invoices.md): report dates, automatic approvals, sending, debits, and
 * bank results. Processes that run it at the same time share the work by organization, and each returns when none is left: one
 * process works on a share at a time, with a transaction per invoice, or for some of the people where all of an employer are
 * concerned, so that a killed process leaves nothing half done and another one continues. A second round on the same day does
 * nothing.
 */
export async function moveInvoices({ db }: { db: Kysely<Database> }, options: ClockOptions = {}): Promise<Summary> {
  const summary: Summary = {
    drafted: 0,
    reported: 0,
    approved: 0,
    delivered: 0,
    sent: 0,
    scheduled: 0,
    submitted: 0,
    settled: 0,
    returned: 0,
    dishonored: 0,
    unmatched: 0,
    extended: 0,
    failed: 0,
  }
  const roundOf = (share: Share): Round => ({ ...start, share, filled: new Set(), worked: 0 })
  const start = {
    today: options.today ?? (await businessDate(db as unknown as Tx)),
    now: new Date(),
    processor: options.processor === undefined ? await usualProcessor(db) : options.processor,
  }
  await oneAtATime(db, partitionLock, () => runStepFor(db, partition, roundOf(null), options, summary))
  for (let left = rotated(await sharesDue(db, roundOf(null))); left.length > 0; ) {
    const busy: number[] = []
    for (const share of left) {
      if (options.leaving?.()) return summary
      if (!(await unlessUnderWay(db, lockOf(share), () => moveShare(db, roundOf(share), options, summary)))) busy.push(share)
    }
    left = busy
    if (busy.length > 0) await sleep(tryAgainAfter)
  }
  return summary
}

/** The shares with work that may be due. */
async function sharesDue(db: Kysely<Database>, round: Round): Promise<number[]> {
  const shares = new Set<number>()
  for (const step of steps) for (const { share } of await step.due(db as unknown as Tx, round)) shares.add(share)
  return [...shares]
}

/** Starts at a random place, so that processes which start together rarely want the same one. */
function rotated(shares: readonly number[]): number[] {
  const at = Math.floor(Math.random() * shares.length)
  return [...shares.slice(at), ...shares.slice(0, at)]
}

async function moveShare(db: Kysely<Database>, round: Round, options: ClockOptions, summary: Summary): Promise<void> {
  // After the clock stood still for weeks, a DRAFT that was just created is due already.
  for (let before = -1; summary.drafted > before; ) {
    before = summary.drafted
    for (const step of steps) await runStepFor(db, step, round, options, summary)
  }
}

const usualProcessor = async (db: Kysely<Database>): Promise<PaymentProcessor | null> =>
  (await settingOf(db, 'seed')) === 'demo' ? simulator : null

async function runStepFor(
  db: Kysely<Database>,
  step: Step,
  round: Round,
  options: ClockOptions,
  summary: Summary,
): Promise<void> {
  for (const { key } of await step.due(db as unknown as Tx, round)) {
    try {
      for (let from: Place | null = beginning; from; ) {
        if (options.leaving?.()) return
        const { done, next } = await runOnce(db, step, key, round, from)
        for (const each of done) summary[each] += 1
        from = next
      }
    } catch (error) {
      // A failure must not hold up the others; it is retried in the next round.
      summary.failed += 1
      if (!(error instanceof Refused)) options.report?.(error)
    }
  }
}

async function runOnce(db: Kysely<Database>, step: Step, key: string, round: Round, from: Place): Promise<Part> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const made = await db.transaction().execute((tx) => step.runStep(tx, key, round, from))
      return 'next' in made ? made : { done: made, next: null }
    } catch (error) {
      if (attempt >= attempts || !isConflict(error)) throw error
      await sleep(20 * attempt)
    }
  }
}
