import { countUsers, getCurrentAddress, getKyc, getUser, listUserEvents, listUsers } from '#contract/users.ts'
import type { Actor } from '#server/access/actor.ts'
import { historyOf } from '#server/http/history.ts'
import { route } from '#server/http/route.ts'
import { listCursor } from '#server/paging/list-cursor.ts'
import { notFound } from '#server/http-error.ts'
import type { Tx } from '#server/tables/database.ts'
import { eventsMatching } from '#server/tables/employee-events.ts'
import { seesRestricted } from '#server/tables/employees.ts'
import { currentAddressOf, identityCheckOf, toKyc } from '#server/tables/identity-checks.ts'
import { countOfUsers, pageOfUsers } from '#server/tables/user-list.ts'
import { oneUser, toUser, type WholeUser } from '#server/tables/users.ts'

const open = async (tx: Tx, actor: Actor, id: number): Promise<WholeUser> => {
  const user = await oneUser(tx, actor, id)
  if (!user) throw notFound()
  return user
}

export const routes = [
  route(listUsers, async ({ tx, actor, query, services }) => {
    const { from, seal } = listCursor(services, 'GET /users', actor, query)
    const { rows, next } = await pageOfUsers(tx, actor, query, from)
    return { users: rows.map((row) => toUser(row, seesRestricted(actor))), lek: seal(next) }
  }),

  route(countUsers, ({ tx, actor, query }) => countOfUsers(tx, actor, query)),

  route(getUser, async ({ tx, actor, params }) => toUser(await open(tx, actor, params.id), seesRestricted(actor))),

  route(listUserEvents, async (context) => {
    const { id } = await open(context.tx, context.actor, context.params.id)
    const asking = { ...context, where: await eventsMatching(context, context.query) }
    return historyOf(asking, 'GET /users/{id}/events', { entity: 'user', id: String(id) })
  }),

  route(getCurrentAddress, async ({ tx, actor, params }) => {
    const { id } = await open(tx, actor, params.id)
    return { address: await currentAddressOf(tx, id) }
  }),

  route(getKyc, async ({ tx, actor, params }) => {
    const { id, kyc_status } = await open(tx, actor, params.id)
    const check = await identityCheckOf(tx, id)
    return { kyc: check && toKyc(check, kyc_status) }
  }),
]
