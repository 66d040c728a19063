import { countTransactions, listTransactions } from '#contract/transactions.ts'
import { route } from '#server/http/route.ts'
import { listCursor } from '#server/paging/list-cursor.ts'
import { toTransaction, transactionList } from '#server/tables/transactions.ts'

export const routes = [
  route(listTransactions, async ({ tx, actor, query, services }) => {
    const { pageSize, lastEvaluatedKey, ...rest } = query
    const listQuery = { ...rest, limit: pageSize ?? rest.limit, lek: lastEvaluatedKey ?? rest.lek }
    const cursor = listCursor(services, 'GET /transactions', actor, listQuery)
    const { rows, next } = await transactionList.page({ tx, actor }, listQuery, cursor.from)
    const lek = cursor.seal(next)
    return { data: rows.map(toTransaction), last_evaluated_key: lek, lek }
  }),

  route(countTransactions, async ({ tx, actor, query }) => transactionList.count({ tx, actor }, query)),
]
