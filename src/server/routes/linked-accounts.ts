import {
  countLinkedAccounts,
  countUserLinkedAccounts,
  deleteBankAccount,
  deleteCard,
  getLinkedAccount,
  listBankAccounts,
  listCards,
  listLinkedAccounts,
  listUserLinkedAccounts,
  removeBankAccount,
  removeCard,
} from '#contract/linked-accounts.ts'
import type { EventCategory } from '#domain/employee-event.ts'
import type { Actor } from '#server/access/actor.ts'
import { change, on, route } from '#server/http/route.ts'
import { listCursor } from '#server/paging/list-cursor.ts'
import { notFound } from '#server/http-error.ts'
import type { Tx } from '#server/tables/database.ts'
import { refuseClosed } from '#server/tables/employees.ts'
import {
  accountsOfUser,
  isOpenUser,
  type LinkedAccountRow,
  linkedAccountsOf,
  linkedAccountsOfUser,
  lockLinkedAccount,
  markDeleted,
  oneLinkedAccount,
  toLinkedAccount,
} from '#server/tables/linked-accounts.ts'

async function refuseClosedUser(tx: Tx, actor: Actor, id: number): Promise<void> {
  if (!(await isOpenUser(tx, actor, id))) throw notFound()
}

/** Events belong to the history of the user; the version is that of the account. */
const inHistory = (category: EventCategory) => ({
  target: ({ user_id, version }: LinkedAccountRow) => ({ entity: 'user', id: String(user_id), version, category }),
  facts: async ({ subject }: { subject: LinkedAccountRow }) => toLinkedAccount(subject),
})

const namedBy = ({ bank_name, brand, last_four }: LinkedAccountRow): string => `${bank_name ?? brand} ${last_four}`

export const routes = [
  route(listLinkedAccounts, async ({ tx, actor, params: { id }, query, services }) => {
    await refuseClosed(tx, actor, id)
    const cursor = listCursor(services, `GET /employees/${id}/linked-accounts`, actor, query)
    const { rows, next } = await linkedAccountsOf(id).page({ tx, actor }, query, cursor.from)
    return { linked_accounts: rows.map(toLinkedAccount), lek: cursor.seal(next) }
  }),

  route(countLinkedAccounts, async ({ tx, actor, params: { id }, query }) => {
    await refuseClosed(tx, actor, id)
    return linkedAccountsOf(id).count({ tx, actor }, query)
  }),

  route(listUserLinkedAccounts, async ({ tx, actor, params: { id }, query, services }) => {
    await refuseClosedUser(tx, actor, id)
    const cursor = listCursor(services, `GET /users/${id}/linked-accounts`, actor, query)
    const { rows, next } = await linkedAccountsOfUser(id).page({ tx, actor }, query, cursor.from)
    return { linked_accounts: rows.map(toLinkedAccount), lek: cursor.seal(next) }
  }),

  route(countUserLinkedAccounts, async ({ tx, actor, params: { id }, query }) => {
    await refuseClosedUser(tx, actor, id)
    return linkedAccountsOfUser(id).count({ tx, actor }, query)
  }),

  route(getLinkedAccount, async ({ tx, actor, params }) => {
    const found = await oneLinkedAccount(tx, actor, params.id)
    if (!found) throw notFound()
    return toLinkedAccount(found)
  }),

  route(listBankAccounts, async ({ tx, actor, params: { id }, query, services }) => {
    await refuseClosedUser(tx, actor, id)
    const cursor = listCursor(services, `GET /users/${id}/bank-accounts`, actor, query)
    const { rows, next } = await accountsOfUser('BANK_ACCOUNT', id).page({ tx, actor }, query, cursor.from)
    return { bank_accounts: rows.map(toLinkedAccount), lek: cursor.seal(next) }
  }),

  route(listCards, async ({ tx, actor, params: { id }, query, services }) => {
    await refuseClosedUser(tx, actor, id)
    const cursor = listCursor(services, `GET /users/${id}/cards`, actor, query)
    const { rows, next } = await accountsOfUser('CARD', id).page({ tx, actor }, query, cursor.from)
    return { cards: rows.map(toLinkedAccount), lek: cursor.seal(next) }
  }),

  change<typeof removeBankAccount, LinkedAccountRow>(removeBankAccount, {
    subject: ({ tx, actor, params }) =>
      lockLinkedAccount(tx, actor, { userId: params.id, id: params.bankAccountId, kind: 'BANK_ACCOUNT' }),
    ...inHistory('user'),
    snapshot: (row) => ({ bank_account: namedBy(row), bank_account_status: row.status }),
    intents: [
      on<typeof deleteBankAccount, LinkedAccountRow>(deleteBankAccount, async ({ tx, actor, subject, now }) => {
        const after = await markDeleted(tx, actor, subject.id, { reason: null, notes: null }, now)
        return { after, answer: toLinkedAccount(after), text: namedBy(after) }
      }),
    ],
  }),

  change<typeof removeCard, LinkedAccountRow>(removeCard, {
    subject: ({ tx, actor, params }) => lockLinkedAccount(tx, actor, { userId: params.id, id: params.cardId, kind: 'CARD' }),
    ...inHistory('card'),
    snapshot: (row) => ({ card: namedBy(row), card_status: row.status }),
    intents: [
      on<typeof deleteCard, LinkedAccountRow>(deleteCard, async ({ tx, actor, subject, body, now }) => {
        const after = await markDeleted(tx, actor, subject.id, body, now)
        return { after, answer: toLinkedAccount(after), text: [namedBy(after), body.reason, body.notes].join('\n') }
      }),
    ],
  }),
]
