import {
  addRepayment,
  allocateRepayment,
  countRepayments,
  createRepayment,
  createReturn,
  editRepayment,
  getRepayment,
  getRepaymentAmounts,
  listRepaymentEvents,
  listRepayments,
  putAllocations,
  recordLateReturn,
  recordReturn,
  updateRepayment,
} from '#contract/repayments.ts'
import type { AnyIntent, Endpoint } from '#contract/define.ts'
import type { byId, nothing } from '#contract/fields.ts'
import type { Repayment } from '#contract/repayments.ts'
import { validateReturnWindow } from '#domain/ach.ts'
import { refuse } from '#domain/refusal.ts'
import { isKnownReturn, settledOn } from '#domain/repayment.ts'
import { businessDate } from '#server/tables/business-date.ts'
import { listCursor } from '#server/paging/list-cursor.ts'
import { historyOf } from '#server/http/history.ts'
import { withOpenAllocations } from '#server/tables/mask-events.ts'
import { movementOf } from '#server/http/moved-by.ts'
import { Refused, notFound } from '#server/http-error.ts'
import { addByHand, type RepaymentBasis, readBasis, type NewRepayment } from '#server/money/repayments/add.ts'
import { reallocate, editByHand } from '#server/money/repayments/reallocate.ts'
import { effectiveReturns, takeReturn } from '#server/money/repayments/return.ts'
import type { Actor } from '#server/access/actor.ts'
import { type Context, type IntentHandler, change, on, route } from '#server/http/route.ts'
import type { Tx } from '#server/tables/database.ts'
import type { Versions } from '#server/tables/ledger.ts'
import { amountsOfRepayments, countOfRepayments, pageOfRepayments } from '#server/tables/repayment-list.ts'
import {
  type RepaymentRow,
  lockRepayment,
  oneRepayment,
  repaymentSnapshot,
  requireWithinAccess,
  toRepayment,
} from '#server/tables/repayments.ts'

type RepaymentEndpoint = Endpoint<typeof byId, typeof nothing, typeof Repayment>

const open = async (tx: Tx, actor: Actor, id: number): Promise<RepaymentRow> => {
  const row = await oneRepayment(tx, actor, id)
  if (!row) throw notFound()
  return row
}

const targetOf = (row: RepaymentRow) => ({ entity: 'repayment', id: String(row.id), version: row.version })
const answered = (after: RepaymentRow) => ({ after, answer: toRepayment(after) })

/** A locked repayment, if the person may see it; refused unless all of its invoices are open, too. */
async function lockWhole(tx: Tx, actor: Actor, id: number): Promise<RepaymentRow | null> {
  const row = await lockRepayment(tx, actor, id)
  if (row) requireWithinAccess(row)
  return row
}

/** A change of one repayment, locked and open to the person. */
const changeRoute = (endpoint: RepaymentEndpoint, intents: readonly IntentHandler<RepaymentEndpoint, RepaymentRow>[]) =>
  change<RepaymentEndpoint, RepaymentRow>(endpoint, {
    subject: ({ tx, actor, params }) => lockWhole(tx, actor, params.id),
    target: targetOf,
    snapshot: repaymentSnapshot,
    facts: async ({ subject }) => toRepayment(subject),
    intents,
  })

const moving = (context: Context<RepaymentEndpoint>, intent: AnyIntent) => movementOf(context, intent)

/** A new repayment has no row yet, only the data it depends on. */
type RepaymentCreation = { row: null; basis: RepaymentBasis } | { row: RepaymentRow }

/** A locked repayment, with whether the return was recorded before, and the business date. */
interface Returning extends RepaymentRow {
  known: boolean
  /** The business date. */
  today: string
}

type ReturnContext = Context<typeof createReturn> & {
  subject: Returning
  body: { return_code: string; amount: number; expected: Versions; addenda?: string | undefined; reason?: string }
}

/** Records a return within its window or, with a reason, after it; a known one changes nothing. */
async function recordReturnOf(context: ReturnContext, intent: AnyIntent) {
  const { subject, body } = context
  if (subject.known) return { after: subject, answer: toRepayment(subject), unchanged: true }
  const on = subject.today
  const late = validateReturnWindow(body.return_code, settledOn(subject), on)
  const wrong = body.reason === undefined ? late : late ? null : inTime
  if (wrong) throw new Refused(409, wrong.code, wrong.sentence, { errors: [{ path: 'return_code', message: wrong.sentence }] })
  const money = { return_code: body.return_code, amount: body.amount, addenda: body.addenda ?? null, on }
  const after = await takeReturn(movementOf(context, intent, body.reason), subject, money, body.expected)
  return { after: { ...after, known: false, today: on }, answer: toRepayment(after) }
}

const inTime = refuse('return-in-time', "This return is within its window. Use 'Record return'.")

export const routes = [
  route(listRepayments, async ({ tx, actor, query, services }) => {
    const { from, seal } = listCursor(services, 'GET /repayments', actor, query)
    const { rows, next } = await pageOfRepayments(tx, actor, query, from)
    return { repayments: rows.map(toRepayment), lek: seal(next) }
  }),

  route(countRepayments, ({ tx, actor, query }) => countOfRepayments(tx, actor, query)),

  route(getRepaymentAmounts, ({ tx, actor, query }) => amountsOfRepayments(tx, actor, query)),

  route(getRepayment, async ({ tx, actor, params }) => toRepayment(await open(tx, actor, params.id))),

  route(listRepaymentEvents, async (context) => {
    const { id } = await open(context.tx, context.actor, context.params.id)
    const found = await historyOf(context, 'GET /repayments/{id}/history', { entity: 'repayment', id: String(id) })
    return { ...found, events: await withOpenAllocations(context.tx, context.actor, found.events) }
  }),

  change<typeof createRepayment, RepaymentCreation>(createRepayment, {
    subject: async ({ tx, actor, body }) => ({ row: null, basis: await readBasis(tx, actor, body as unknown as NewRepayment) }),
    target: ({ row }) => (row ? targetOf(row) : { entity: 'repayment', id: '', version: null }),
    snapshot: ({ row }) => (row ? repaymentSnapshot(row) : {}),
    intents: [
      on<typeof addRepayment, RepaymentCreation>(addRepayment, async (context) => {
        const { allocations, ...body } = context.body
        const { basis } = context.subject as Extract<RepaymentCreation, { row: null }>
        const row = await addByHand(movementOf(context, addRepayment), context.actor, { ...body, allocations }, basis)
        return { after: { row }, answer: toRepayment(row) }
      }),
    ],
  }),

  changeRoute(updateRepayment, [
    on<typeof editRepayment, RepaymentRow>(editRepayment, async (context) =>
      answered(await editByHand(moving(context, editRepayment), context.actor, context.subject, context.body)),
    ),
  ]),

  changeRoute(putAllocations, [
    on<typeof allocateRepayment, RepaymentRow>(allocateRepayment, async (context) => {
      const { subject, body } = context
      const { allocations, expected } = body
      return answered(await reallocate(moving(context, allocateRepayment), context.actor, subject, allocations, expected))
    }),
  ]),

  change<typeof createReturn, Returning>(createReturn, {
    subject: async ({ tx, actor, params, body }) => {
      const { return_code, amount, addenda = null } = body as { return_code: string; amount: number; addenda?: string }
      const [row, returns, today] = await Promise.all([
        lockWhole(tx, actor, params.id),
        effectiveReturns(tx, params.id),
        businessDate(tx),
      ])
      return row && { ...row, known: isKnownReturn(returns, { return_code, amount, addenda }), today }
    },
    // A return that is already known is answered with the current state, whatever version was seen: nothing is overwritten.
    target: (row) => ({ ...targetOf(row), version: row.known ? null : row.version }),
    snapshot: repaymentSnapshot,
    facts: async ({ subject }) => toRepayment(subject),
    intents: [
      on<typeof recordLateReturn, Returning>(recordLateReturn, (context) => recordReturnOf(context, recordLateReturn)),
      on<typeof recordReturn, Returning>(recordReturn, (context) => recordReturnOf(context, recordReturn)),
    ],
  }),
]
