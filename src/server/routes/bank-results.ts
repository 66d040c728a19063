import {
  applyNotice,
  bookBankResult,
  bookResult,
  changeNumberByNotice,
  countBankResults,
  dismissBankResult,
  dismissResult,
  getBankResult,
  listBankResultEvents,
  listBankResults,
  reopenBankResult,
  reopenResult,
  replaceByResult,
  replaceReturns,
} from '#contract/bank-results.ts'
import { changeNumber } from '#server/money/bank-results/apply-notice.ts'
import { bookByHand, bookInstead, dismiss, reopen } from '#server/money/bank-results/decide.ts'
import { listCursor } from '#server/paging/list-cursor.ts'
import { historyOf } from '#server/http/history.ts'
import { movementOf } from '#server/http/moved-by.ts'
import { notFound } from '#server/http-error.ts'
import type { Actor } from '#server/access/actor.ts'
import { type Context, type IntentHandler, change, on, route } from '#server/http/route.ts'
import type { Tx } from '#server/tables/database.ts'
import { bankResultList } from '#server/tables/bank-result-list.ts'
import {
  type BankResultRow,
  bankResultSnapshot,
  lockBankResult,
  oneBankResult,
  toBankResult,
} from '#server/tables/bank-results.ts'

const open = async (tx: Tx, actor: Actor, id: number): Promise<BankResultRow> => {
  const row = await oneBankResult(tx, actor, id)
  if (!row) throw notFound()
  return row
}

type Decision = typeof bookBankResult

/** A decision on one result, locked and open to the person. */
const decisionRoute = (endpoint: Decision, intent: IntentHandler<Decision, BankResultRow>) =>
  change<Decision, BankResultRow>(endpoint, {
    subject: ({ tx, actor, params }) => lockBankResult(tx, actor, params.id),
    target: ({ id, version }) => ({ entity: 'bank-result', id: String(id), version }),
    snapshot: bankResultSnapshot,
    facts: async ({ subject, actor }: Context<Decision> & { subject: BankResultRow }) => toBankResult(subject, actor),
    intents: [intent],
  })

const answered = (actor: Actor, after: BankResultRow) => ({ after, answer: toBankResult(after, actor) })

export const routes = [
  route(listBankResults, async ({ tx, actor, query, services }) => {
    const { from, seal } = listCursor(services, 'GET /bank-results', actor, query)
    const { rows, next } = await bankResultList.page({ tx, actor }, query, from)
    return { bank_results: rows.map((row) => toBankResult(row, actor)), lek: seal(next) }
  }),

  route(countBankResults, ({ tx, actor, query }) => bankResultList.count({ tx, actor }, query)),

  route(getBankResult, async ({ tx, actor, params }) => toBankResult(await open(tx, actor, params.id), actor)),

  route(listBankResultEvents, async (context) => {
    const { id } = await open(context.tx, context.actor, context.params.id)
    return historyOf(context, 'GET /bank-results/{id}/history', { entity: 'bank-result', id: String(id) })
  }),

  decisionRoute(
    bookBankResult,
    on<typeof bookResult, BankResultRow>(bookResult, async (context) =>
      answered(
        context.actor,
        await bookByHand(movementOf(context, bookResult, context.body.reason), context.actor, context.subject, context.body),
      ),
    ),
  ),

  decisionRoute(
    replaceReturns,
    on<typeof replaceByResult, BankResultRow>(replaceByResult, async (context) =>
      answered(
        context.actor,
        await bookInstead(
          movementOf(context, replaceByResult, context.body.reason),
          context.actor,
          context.subject,
          context.body,
        ),
      ),
    ),
  ),

  decisionRoute(
    applyNotice,
    on<typeof changeNumberByNotice, BankResultRow>(changeNumberByNotice, async (context) =>
      answered(
        context.actor,
        await changeNumber(movementOf(context, changeNumberByNotice), context.actor, context.subject, context.body),
      ),
    ),
  ),

  decisionRoute(
    dismissBankResult,
    on<typeof dismissResult, BankResultRow>(dismissResult, async (context) =>
      answered(
        context.actor,
        await dismiss(movementOf(context, dismissResult), context.actor, context.subject, context.body.reason),
      ),
    ),
  ),

  decisionRoute(
    reopenBankResult,
    on<typeof reopenResult, BankResultRow>(reopenResult, async (context) =>
      answered(context.actor, await reopen(movementOf(context, reopenResult), context.actor, context.subject)),
    ),
  ),
]
