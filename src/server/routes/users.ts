import { countUsers, getCurrentAddress, getKyc, getUser, listUserEvents, listUsers } from '#contract/users.ts'
import { historyOf } from '#server/http/history.ts'
import { reads } from '#server/http/reads.ts'
import { route } from '#server/http/route.ts'
import { orNotFound } from '#server/http-error.ts'
import { eventsMatching } from '#server/tables/employee-events.ts'
import { seesRestricted } from '#server/tables/employees.ts'
import { currentAddressOf, identityCheckOf, toKyc } from '#server/tables/identity-checks.ts'
import { userList } from '#server/tables/user-list.ts'
import { oneUser, toUser } from '#server/tables/users.ts'

const open = orNotFound(oneUser)

export const routes = [
  ...reads(
    { list: listUsers, count: countUsers, get: getUser },
    { list: userList, open, answer: (row, actor) => toUser(row, seesRestricted(actor)) },
  ),

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
