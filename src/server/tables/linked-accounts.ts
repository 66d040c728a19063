import { type Generated, type RawBuilder, type Selectable, sql } from 'kysely'
import {
  LinkedAccount,
  type linkedAccountSorts,
  listBankAccounts,
  listLinkedAccounts,
  listUserLinkedAccounts,
} from '#contract/linked-accounts.ts'
import type { Flow } from '#domain/employee.ts'
import { connectedStatuses, type LinkedAccountKind, type LinkedAccountStatus } from '#domain/linked-account.ts'
import type { Actor, Reader } from '#server/access/actor.ts'
import { openTo } from '#server/access/scope.ts'
import { defineList } from '#server/paging/define-list.ts'
import { prepared } from '#server/postgres/prepared.ts'
import { choice } from '#server/tables/conditions.ts'
import type { Tx } from '#server/tables/database.ts'
import { answerOf } from '#server/tables/answer-of.ts'
import { isFound, selectAll } from '#server/postgres/select.ts'
import { isRow, type RowKey } from '#server/tables/rows.ts'

/** The table `linked_accounts`: bank accounts and cards of users. */
export interface LinkedAccountTable {
  id: Generated<number>
  user_id: number
  kind: LinkedAccountKind
  provider: string
  bank_name: string | null
  brand: string | null
  last_four: string
  status: LinkedAccountStatus
  failure: string | null
  added_at: Generated<Date>
  deleted_at: Date | null
  deleted_by: string | null
  deleted_by_name: string | null
  deletion_reason: string | null
  deletion_notes: string | null
  version: Generated<number>
}

declare module '#server/tables/database.ts' {
  interface Database {
    linked_accounts: LinkedAccountTable
  }
}

/** A linked account with the data that its rules need. */
export interface LinkedAccountRow extends Selectable<LinkedAccountTable> {
  flow: Flow | null
  card_connected: boolean
}

const column = (name: string) => sql.ref(`e.${name}`)

/** Linked accounts `e`, with the employee `owner` linked to their user. */
const owned = sql`linked_accounts e left join employees owner on owner.user_id = e.user_id`
/** Open as the employee is; accounts of a user without one are for admins only. */
const open = (actor: Reader) => openTo(actor, sql.ref('owner.employer_id'))

/** Reads linked accounts; `chosen` selects their ids and sort keys. */
async function read(tx: Tx, chosen: RawBuilder<unknown>, order: RawBuilder<unknown>): Promise<LinkedAccountRow[]> {
  return selectAll<LinkedAccountRow>(tx)`
    select chosen.key, e.*, owner.flow, exists (
      select from linked_accounts card where card.user_id = e.user_id and card.kind = 'CARD'
        and card.status in (${sql.join(connectedStatuses)})) as card_connected
    from (${chosen}) chosen join ${owned} on e.id = chosen.id order by ${order}`
}

const sorts = {
  id: null,
  kind: column('kind'),
  status: column('status'),
  added_at: column('added_at'),
} satisfies Record<(typeof linkedAccountSorts)[number], unknown>

const filters = { ...choice('kind', column('kind')), ...choice('status', column('status')) }

/** The linked accounts of an employee's user; the caller checks access to the employee. */
export const linkedAccountsOf = (employee: RowKey) =>
  defineList({
    endpoint: listLinkedAccounts,
    from: sql`(select linked_accounts.* from linked_accounts join employees on employees.user_id = linked_accounts.user_id
      where ${isRow('employees', employee)}) e`,
    open: () => sql`true`,
    filters,
    sorts,
    read: ({ tx }, chosen, order) => read(tx, chosen, order),
  })

/** The linked accounts of a user, open to a person with access to the linked employee. */
const ofUser = (
  userId: number,
) => sql`(select linked_accounts.*, employer_id from linked_accounts left join employees using (user_id)
  where user_id = ${userId}) e`
const openOfUser = (actor: Reader) => openTo(actor, column('employer_id'))

/** The bank accounts and cards of a user. */
export const linkedAccountsOfUser = (userId: number) =>
  defineList({
    endpoint: listUserLinkedAccounts,
    from: ofUser(userId),
    open: openOfUser,
    filters,
    sorts,
    read: ({ tx }, chosen, order) => read(tx, chosen, order),
  })

/** The bank accounts of a user, or the cards. */
export const accountsOfUser = (kind: LinkedAccountKind, userId: number) =>
  defineList({
    // The list of cards has the same parameters.
    endpoint: listBankAccounts,
    from: ofUser(userId),
    open: (actor) => sql`${openOfUser(actor)} and e.kind = ${kind}`,
    filters: choice('status', column('status')),
    sorts,
    read: ({ tx }, chosen, order) => read(tx, chosen, order),
  })

/** Whether the user exists and is open to the person: as the linked employee is; without one, to admins only. */
export async function isOpenUser(tx: Tx, actor: Reader, id: number): Promise<boolean> {
  return isFound(tx)`${prepared} select 1 from users u left join employees owner on owner.user_id = u.id
    where u.id = ${id} and ${open(actor)}`
}

/** One linked account, if the person may see it. */
export async function oneLinkedAccount(tx: Tx, actor: Reader, id: number): Promise<LinkedAccountRow | null> {
  const chosen = sql`${prepared} select e.id, null as key from ${owned} where e.id = ${id} and ${open(actor)}`
  const [row] = await read(tx, chosen, sql`chosen.id`)
  return row ?? null
}

/**
 * One linked account of a user and a kind, locked with the user, so that concurrent links and deletions of the same user wait.
 * Null where it does not exist or is not open to the person.
 */
export async function lockLinkedAccount(
  tx: Tx,
  actor: Reader,
  of: { userId: number; id: number; kind: LinkedAccountKind },
): Promise<LinkedAccountRow | null> {
  // Executed in order by the database, so that the read comes after the lock.
  const [, found] = await Promise.all([
    sql`${prepared} select from users where id = ${of.userId} for update`.execute(tx),
    oneLinkedAccount(tx, actor, of.id),
  ])
  return found?.user_id === of.userId && found.kind === of.kind ? found : null
}

/** Marks a linked account as deleted; the row stays. */
export async function markDeleted(
  tx: Tx,
  actor: Actor,
  id: number,
  words: { reason: string | null; notes: string | null },
  now: Date,
): Promise<LinkedAccountRow> {
  await sql`${prepared} update linked_accounts set status = 'DELETED', deleted_at = ${now}, deleted_by = ${actor.id},
    deleted_by_name = ${actor.name}, deletion_reason = ${words.reason}, deletion_notes = ${words.notes}, version = version + 1
    where id = ${id}`.execute(tx)
  return (await oneLinkedAccount(tx, actor, id)) as LinkedAccountRow
}

/** A linked account as returned by the API. */
export const toLinkedAccount = (row: LinkedAccountRow): LinkedAccount =>
  answerOf(LinkedAccount, {
    ...row,
    deletion:
      row.deleted_at === null
        ? null
        : {
            at: row.deleted_at.toISOString(),
            by: { id: row.deleted_by ?? '', name: row.deleted_by_name ?? '' },
            reason: row.deletion_reason,
            notes: row.deletion_notes,
          },
  })
