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
} from '#contract/linked-accounts.ts'
import type { EventCategory } from '#domain/employee-event.ts'
import type { Actor } from '#server/access/actor.ts'
import { changing, type Loading, route } from '#server/http/route.ts'
import { existing, notFound } from '#server/http-error.ts'
import type { Tx } from '#server/tables/database.ts'
import { openEmployee } from '#server/tables/employees.ts'
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
import { listBelow, pageRoute } from '#server/http/reads.ts'

/** Lists of a user, if the user is open to the person. */
const ofUser =
  <Of>(listOf: (id: number) => Of) =>
  async ({ tx, actor, params: { id } }: { tx: Tx; actor: Actor; params: { id: number } }): Promise<Of> => {
    if (!(await isOpenUser(tx, actor, id))) throw notFound()
    return listOf(id)
  }

/** Events belong to the history of the user; the version is that of the account. */
const inHistory = (category: EventCategory) => ({
  target: ({ user_id, version }: LinkedAccountRow) => ({ entity: 'user', id: String(user_id), version, category }),
  answer: toLinkedAccount,
})

const namedBy = ({ bank_name, brand, last_four }: LinkedAccountRow): string => `${bank_name ?? brand} ${last_four}`

export const routes = [
  ...listBelow(
    listLinkedAccounts,
    countLinkedAccounts,
    async ({ tx, actor, params: { id } }) => {
      return linkedAccountsOf(await openEmployee(tx, actor, id))
    },
    toLinkedAccount,
  ),

  ...listBelow(listUserLinkedAccounts, countUserLinkedAccounts, ofUser(linkedAccountsOfUser), toLinkedAccount),

  route(getLinkedAccount, async ({ tx, actor, params }) => {
    const found = existing(await oneLinkedAccount(tx, actor, params.id))
    return toLinkedAccount(found)
  }),

  pageRoute(
    listBankAccounts,
    ofUser((id) => accountsOfUser('BANK_ACCOUNT', id)),
    toLinkedAccount,
  ),

  pageRoute(
    listCards,
    ofUser((id) => accountsOfUser('CARD', id)),
    toLinkedAccount,
  ),

  changing({
    subject: ({ tx, actor, params }: Loading<{ id: number; bankAccountId: number }>) =>
      lockLinkedAccount(tx, actor, { userId: params.id, id: params.bankAccountId, kind: 'BANK_ACCOUNT' }),
    ...inHistory('user'),
    snapshot: (row: LinkedAccountRow) => ({ bank_account: namedBy(row), bank_account_status: row.status }),
  })(deleteBankAccount, async ({ tx, actor, subject, now }) => {
    const after = await markDeleted(tx, actor, subject.id, { reason: null, notes: null }, now)
    return { after, text: namedBy(after) }
  }),

  changing({
    subject: ({ tx, actor, params }: Loading<{ id: number; cardId: number }>) =>
      lockLinkedAccount(tx, actor, { userId: params.id, id: params.cardId, kind: 'CARD' }),
    ...inHistory('card'),
    snapshot: (row: LinkedAccountRow) => ({ card: namedBy(row), card_status: row.status }),
  })(deleteCard, async ({ tx, actor, subject, body, now }) => {
    const after = await markDeleted(tx, actor, subject.id, body, now)
    return { after, text: [namedBy(after), body.reason, body.notes].join('\n') }
  }),
]
