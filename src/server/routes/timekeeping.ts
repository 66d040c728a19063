import {
  approveTime,
  countTimekeeping,
  getTimeEntry,
  listEmployerTimekeeping,
  listTimeEntryEvents,
  listTimekeeping,
  rejectTime,
  reopenTime,
} from '#contract/timekeeping.ts'
import { countsAsEarned, type TimeEntryStatus } from '#domain/time-entry.ts'
import { isOpenDebtor } from '#server/access/scope.ts'
import { type ChangeOf, changing, route } from '#server/http/route.ts'
import { listCursor } from '#server/paging/list-cursor.ts'
import { notFound, orNotFound } from '#server/http-error.ts'
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
import { reads } from '#server/http/reads.ts'

const open = orNotFound(oneTimeEntry)

const change = changing({
  entity: 'time-entry',
  subject: ({ tx, actor, params }) => lockTimeEntry(tx, actor, params.id),
  snapshot: timeEntrySnapshot,
  answer: toTimeEntry,
})

/** Saves a decision, and adds the earnings to the open work period or removes them. */
async function decide({ tx, actor, subject, now }: ChangeOf<TimeEntryRow>, status: TimeEntryStatus, reason: string | undefined) {
  const undecided = status === 'PENDING'
  const by = { decided_by: actor.id, decided_by_name: actor.name, decided_at: now, decision_reason: reason ?? null }
  const nobody = { decided_by: null, decided_by_name: null, decided_at: null, decision_reason: null }
  await saveDecision(tx, subject, { status, ...(undecided ? nobody : by) }, now)
  const counts = Number(countsAsEarned(status)) - Number(countsAsEarned(subject.status))
  if (counts !== 0) await moveEarned(tx, subject, counts * subject.earned_amount, now)
  return { after: await open(tx, actor, subject) }
}

export const routes = [
  ...reads(
    { list: listTimekeeping, count: countTimekeeping, get: getTimeEntry, history: listTimeEntryEvents },
    {
      list: timeEntryList,
      open,
      answer: toTimeEntry,
      entity: 'time-entry',
      asked: ({ 'page-size': size, ...query }) => ({ ...query, limit: size ?? query.limit }),
    },
  ),

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

  change(approveTime, (context) => decide(context, 'APPROVED', context.body.notes)),

  change(rejectTime, (context) => decide(context, 'REJECTED', context.body.reason)),

  change(reopenTime, (context) => decide(context, 'PENDING', context.body.reason)),
]
