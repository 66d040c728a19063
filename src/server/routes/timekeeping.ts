import {
  approveTime,
  countTimekeeping,
  getTimeEntry,
  listEmployerTimekeeping,
  listTimeEntryEvents,
  listTimekeeping,
  rejectTime,
  reopenTime,
  updateTimeEntry,
} from '#contract/timekeeping.ts'
import { countsAsEarned, type TimeEntryStatus } from '#domain/time-entry.ts'
import type { Actor } from '#server/access/actor.ts'
import { isOpenDebtor } from '#server/access/scope.ts'
import { historyOf } from '#server/http/history.ts'
import { type Context, change, on, route } from '#server/http/route.ts'
import { listCursor } from '#server/paging/list-cursor.ts'
import { notFound } from '#server/http-error.ts'
import type { Tx } from '#server/tables/database.ts'
import { moveEarned } from '#server/tables/earned-time.ts'
import {
  lockTimeEntry,
  oneTimeEntry,
  saveDecision,
  type TimeEntryRow,
  timeEntrySnapshot,
  toTimeEntry,
} from '#server/tables/time-entries.ts'
import { timeEntryList } from '#server/tables/time-entry-list.ts'

async function open(tx: Tx, actor: Actor, id: number): Promise<TimeEntryRow> {
  const entry = await oneTimeEntry(tx, actor, id)
  if (!entry) throw notFound()
  return entry
}

type DecisionContext = Context<typeof updateTimeEntry> & { subject: TimeEntryRow }

/** Saves a decision, and adds the earnings to the open work period or removes them. */
async function decide({ tx, actor, subject, now }: DecisionContext, status: TimeEntryStatus, reason: string | undefined) {
  const undecided = status === 'PENDING'
  const by = { decided_by: actor.id, decided_by_name: actor.name, decided_at: now, decision_reason: reason ?? null }
  const nobody = { decided_by: null, decided_by_name: null, decided_at: null, decision_reason: null }
  await saveDecision(tx, subject, { status, ...(undecided ? nobody : by) }, now)
  const counts = Number(countsAsEarned(status)) - Number(countsAsEarned(subject.status))
  if (counts !== 0) await moveEarned(tx, subject, counts * subject.earned_amount, now)
  const after = await open(tx, actor, subject.id)
  return { after, answer: toTimeEntry(after, actor) }
}

export const routes = [
  route(listTimekeeping, async ({ tx, actor, query: { 'page-size': size, ...query }, services }) => {
    const listQuery = { ...query, limit: size ?? query.limit }
    const { from, seal } = listCursor(services, 'GET /timekeeping', actor, listQuery)
    const { rows, next } = await timeEntryList.page({ tx, actor }, listQuery, from)
    return { time_entries: rows.map((row) => toTimeEntry(row, actor)), lek: seal(next) }
  }),

  route(countTimekeeping, ({ tx, actor, query }) => timeEntryList.count({ tx, actor }, query)),

  route(listEmployerTimekeeping, async ({ tx, actor, params: { id }, query: { start, end, ...rest }, services }) => {
    if (!(await isOpenDebtor(tx, actor, 'EMPLOYER', id))) throw notFound()
    const query = {
      ...rest,
      'employer-id': [id],
      ...(start === undefined ? {} : { 'worked-from': start }),
      ...(end === undefined ? {} : { 'worked-to': end }),
    }
    const cursor = listCursor(services, 'GET /employers/{id}/timekeeping', actor, query)
    const { rows, next } = await timeEntryList.page({ tx, actor }, query, cursor.from)
    return { time_entries: rows.map((row) => toTimeEntry(row, actor)), lek: cursor.seal(next) }
  }),

  route(getTimeEntry, async ({ tx, actor, params }) => toTimeEntry(await open(tx, actor, params.id), actor)),

  route(listTimeEntryEvents, async (context) => {
    const { id } = await open(context.tx, context.actor, context.params.id)
    return historyOf(context, 'GET /timekeeping/{id}/history', { entity: 'time-entry', id: String(id) })
  }),

  change(updateTimeEntry, {
    subject: ({ tx, actor, params }) => lockTimeEntry(tx, actor, params.id),
    target: ({ id, version }) => ({ entity: 'time-entry', id: String(id), version }),
    snapshot: timeEntrySnapshot,
    intents: [
      on<typeof approveTime, TimeEntryRow>(approveTime, (context) => decide(context, 'APPROVED', context.body.notes)),
      on<typeof rejectTime, TimeEntryRow>(rejectTime, (context) => decide(context, 'REJECTED', context.body.reason)),
      on<typeof reopenTime, TimeEntryRow>(reopenTime, (context) => decide(context, 'PENDING', context.body.reason)),
    ],
  }),
]
