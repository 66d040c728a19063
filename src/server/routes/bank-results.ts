import {
  bookResult,
  changeNumberByNotice,
  countBankResults,
  dismissResult,
  getBankResult,
  listBankResultEvents,
  listBankResults,
  reopenResult,
  replaceByResult,
} from '#contract/bank-results.ts'
import { changeNumber } from '#server/money/bank-results/apply-notice.ts'
import { bookByHand, bookInstead, dismiss, reopen } from '#server/money/bank-results/decide.ts'
import { movementOf } from '#server/http/moved-by.ts'
import { orNotFound } from '#server/http-error.ts'
import { reads } from '#server/http/reads.ts'
import { changing } from '#server/http/route.ts'
import { bankResultList } from '#server/tables/bank-result-list.ts'
import { bankResultSnapshot, lockBankResult, oneBankResult, toBankResult } from '#server/tables/bank-results.ts'

const open = orNotFound(oneBankResult)

/** A decision on one result, locked and open to the person. */
const decision = changing({
  entity: 'bank-result',
  subject: ({ tx, actor, params }) => lockBankResult(tx, actor, params.id),
  snapshot: bankResultSnapshot,
  answer: toBankResult,
})

export const routes = [
  ...reads(
    { list: listBankResults, count: countBankResults, get: getBankResult, history: listBankResultEvents },
    { list: bankResultList, open, answer: toBankResult, entity: 'bank-result' },
  ),

  decision(bookResult, async (context) => ({
    after: await bookByHand(movementOf(context, context.body.reason), context.actor, context.subject, context.body),
  })),

  decision(replaceByResult, async (context) => ({
    after: await bookInstead(movementOf(context, context.body.reason), context.actor, context.subject, context.body),
  })),

  decision(changeNumberByNotice, async (context) => ({
    after: await changeNumber(movementOf(context), context.actor, context.subject, context.body),
  })),

  decision(dismissResult, async (context) => ({
    after: await dismiss(movementOf(context), context.actor, context.subject, context.body.reason),
  })),

  decision(reopenResult, async (context) => ({
    after: await reopen(movementOf(context), context.actor, context.subject),
  })),
]
