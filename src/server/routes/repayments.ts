import {
  addRepayment,
  allocateRepayment,
  countRepayments,
  editRepayment,
  getRepayment,
  getRepaymentAmounts,
  listRepaymentEvents,
  listRepayments,
  recordLateReturn,
  recordReturn,
} from '#contract/repayments.ts'
import { validateReturnWindow } from '#domain/ach.ts'
import { refuse } from '#domain/refusal.ts'
import { isKnownReturn, settledOn } from '#domain/repayment.ts'
import { businessDate } from '#server/tables/business-date.ts'
import { historyOf } from '#server/http/history.ts'
import { withOpenAllocations } from '#server/tables/mask-events.ts'
import { movementOf } from '#server/http/moved-by.ts'
import { Refused, orNotFound } from '#server/http-error.ts'
import { addByHand, type NewRepayment, readBasis } from '#server/money/repayments/add.ts'
import { reallocate, editByHand } from '#server/money/repayments/reallocate.ts'
import { effectiveReturns, takeReturn } from '#server/money/repayments/return.ts'
import type { Actor } from '#server/access/actor.ts'
import { reads } from '#server/http/reads.ts'
import { byId, changing, type Changing, creating, route } from '#server/http/route.ts'
import type { Tx } from '#server/tables/database.ts'
import { keyOf, type RowOrId } from '#server/tables/rows.ts'
import { amountsOfRepayments, repaymentList } from '#server/tables/repayment-list.ts'
import {
  type RepaymentRow,
  lockRepayment,
  oneRepayment,
  repaymentSnapshot,
  requireWithinAccess,
  toRepayment,
} from '#server/tables/repayments.ts'

const open = orNotFound(oneRepayment)

const repayment = { entity: 'repayment', locate: byId('repayments'), snapshot: repaymentSnapshot, answer: toRepayment }

/** A locked repayment, if the person may see it; refused unless all of its invoices are open, too. */
async function lockWhole(tx: Tx, actor: Actor, of: RowOrId): Promise<RepaymentRow | null> {
  const row = await lockRepayment(tx, actor, of)
  if (row) requireWithinAccess(row)
  return row
}

/** A change of one repayment, locked and open to the person. */
const change = changing({
  ...repayment,
  subject: ({ tx, actor, params, located }) => lockWhole(tx, actor, located ?? params.id),
})

const create = creating(
  ({ tx, actor, body, located }) => readBasis(tx, actor, body as unknown as NewRepayment, located?.organization_id),
  {
    ...repayment,
    locate: ({ body }) => (body['debtor_type'] === 'EMPLOYER' ? { table: 'employers', id: Number(body['debtor_id']) } : null),
  },
)

/** A locked repayment, with whether the return was recorded before, and the business date. */
interface Returning extends RepaymentRow {
  known: boolean
  /** The business date. */
  today: string
}

const takeBack = changing({
  ...repayment,
  subject: async ({ tx, actor, params, body, located }): Promise<Returning | null> => {
    const { return_code, amount, addenda = null } = body as { return_code: string; amount: number; addenda?: string }
    const key = located ?? (await keyOf(tx, 'repayments', params.id))
    if (!key) return null
    // Pipelined in one round trip: the returns are read after the lock.
    const [row, returns, today] = await Promise.all([lockWhole(tx, actor, key), effectiveReturns(tx, key), businessDate(tx)])
    return row && { ...row, known: isKnownReturn(returns, { return_code, amount, addenda }), today }
  },
  // A return that is already known is answered with the current state, whatever version was seen: nothing is overwritten.
  target: ({ id, version, known }) => ({ entity: 'repayment', id: String(id), version: known ? null : version }),
})

type ReturnContext = Changing<typeof recordReturn, Returning> & { body: { reason?: string } }

/** Records a return within its window or, with a reason, after it; a known one changes nothing. */
async function recordReturnOf(context: ReturnContext) {
  const { subject, body } = context
  if (subject.known) return { after: subject, unchanged: true }
  const on = subject.today
  const late = validateReturnWindow(body.return_code, settledOn(subject), on)
  const wrong = body.reason === undefined ? late : late ? null : inTime
  if (wrong) throw new Refused(409, wrong.code, wrong.sentence, { errors: [{ path: 'return_code', message: wrong.sentence }] })
  const money = { return_code: body.return_code, amount: body.amount, addenda: body.addenda ?? null, on }
  const after = await takeReturn(movementOf(context, body.reason), subject, money, body.expected)
  return { after: { ...after, known: false, today: on } }
}

const inTime = refuse('return-in-time', "This return is within its window. Use 'Record return'.")

export const routes = [
  ...reads(
    { list: listRepayments, count: countRepayments, get: getRepayment },
    { list: repaymentList, open, answer: toRepayment },
  ),

  route(getRepaymentAmounts, ({ tx, actor, query }) => amountsOfRepayments(tx, actor, query)),

  route(listRepaymentEvents, async (context) => {
    const { id } = await open(context.tx, context.actor, context.params.id)
    const found = await historyOf(context, 'GET /repayments/{id}/history', { entity: 'repayment', id: String(id) })
    return { ...found, events: await withOpenAllocations(context.tx, context.actor, found.events) }
  }),

  create(addRepayment, async (context) => ({
    after: await addByHand(movementOf(context), context.actor, context.body, context.subject),
  })),

  change(editRepayment, async (context) => ({
    after: await editByHand(movementOf(context), context.actor, context.subject, context.body),
  })),

  change(allocateRepayment, async (context) => {
    const { allocations, expected } = context.body
    return { after: await reallocate(movementOf(context), context.actor, context.subject, allocations, expected) }
  }),

  takeBack(recordLateReturn, recordReturnOf),
  takeBack(recordReturn, recordReturnOf),
]
