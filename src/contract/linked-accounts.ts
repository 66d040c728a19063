import { z } from 'zod'
import { flows } from '#domain/employee.ts'
import { employeeEvents } from '#domain/employee-event.ts'
import {
  canDeleteBankAccount,
  canDeleteCard,
  linkedAccountKinds,
  linkedAccountLabels,
  linkedAccountStatuses,
} from '#domain/linked-account.ts'
import { all } from '#domain/permissions.ts'
import { action, endpoint } from '#contract/define.ts'
import { byId, idSchema, longText, text, version } from '#contract/fields.ts'
import { choiceFilter, filterParams } from '#contract/filter.ts'
import { Actor } from '#contract/history.ts'
import { Count, lek, listQuery } from '#contract/list.ts'

/** A bank account or card linked by a user. Only the last four digits of its number are known. */
export const LinkedAccount = z.object({
  id: z.int(),
  kind: z.enum(linkedAccountKinds),
  user_id: z.int(),
  /** The provider of the link. */
  provider: z.string(),
  /** For a bank account. */
  bank_name: z.string().nullable(),
  /** For a card. */
  brand: z.string().nullable(),
  last_four: z.string(),
  status: z.enum(linkedAccountStatuses.values),
  /** Why the link failed. */
  failure: z.string().nullable(),
  added_at: z.iso.datetime(),
  /** Reason and notes only for a card. */
  deletion: z.object({ at: z.iso.datetime(), by: Actor, reason: z.string().nullable(), notes: z.string().nullable() }).nullable(),
  /** Flow of the employee who is linked to the user. */
  flow: z.enum(flows).nullable(),
  /** Whether the user has a connected card. */
  card_connected: z.boolean(),
  version: z.int(),
})
export type LinkedAccount = z.infer<typeof LinkedAccount>

const statusFilter = choiceFilter({ id: 'status', title: 'Status', of: linkedAccountStatuses })

export const linkedAccountFilters = [
  choiceFilter({ id: 'kind', title: 'Kind', values: linkedAccountKinds, labels: linkedAccountLabels }),
  statusFilter,
] as const

export const linkedAccountSorts = ['id', 'kind', 'status', 'added_at'] as const

const { q: _, ...unsearched } = listQuery
const ordered = { ...unsearched, sort: z.enum(linkedAccountSorts).default('id') }
const needs = all('read:employees')
const filtered = filterParams(linkedAccountFilters)

const lists = { method: 'GET', params: byId, needs, extension: true } as const
const listed = {
  ...lists,
  query: z.object({ ...ordered, ...filtered }),
  answer: z.object({ linked_accounts: z.array(LinkedAccount), lek }),
}
const counted = { ...lists, query: z.object(filtered), answer: Count }

export const listLinkedAccounts = endpoint({
  ...listed,
  path: '/employees/{id}/linked-accounts',
  summary: 'What the user of an employee linked; nothing where no user is linked',
  tag: 'Employees',
})

export const countLinkedAccounts = endpoint({
  ...counted,
  path: '/employees/{id}/linked-accounts/count',
  summary: 'How many bank accounts and cards of an employee a filter has',
  tag: 'Employees',
})

export const listUserLinkedAccounts = endpoint({
  ...listed,
  path: '/users/{id}/linked-accounts',
  summary: 'What a user linked, whether an employee is linked to the user or not',
  tag: 'Users',
})

export const countUserLinkedAccounts = endpoint({
  ...counted,
  path: '/users/{id}/linked-accounts/count',
  summary: 'How many bank accounts and cards of a user a filter has',
  tag: 'Users',
})

const call = { tag: 'Users', needs, extension: true, method: 'GET' } as const

export const getLinkedAccount = endpoint({
  ...call,
  path: '/linked-accounts/{id}',
  summary: 'One bank account or card of a user',
  answer: LinkedAccount,
})

const ofUser = z.object({ ...ordered, ...filterParams([statusFilter]) })

export const listBankAccounts = endpoint({
  ...call,
  path: '/users/{id}/bank-accounts',
  summary: 'The bank accounts that a user linked',
  query: ofUser,
  answer: z.object({ bank_accounts: z.array(LinkedAccount), lek }),
})

export const listCards = endpoint({
  ...call,
  path: '/users/{id}/cards',
  summary: 'The cards that a user linked',
  query: ofUser,
  answer: z.object({ cards: z.array(LinkedAccount), lek }),
})

export const deleteBankAccount = action({
  method: 'DELETE',
  path: '/users/{id}/bank-accounts/{bankAccountId}',
  summary: 'Delete a bank account of a user; it stays in the list as deleted',
  tag: 'Users',
  params: z.object({ id: idSchema, bankAccountId: idSchema }),
  answer: LinkedAccount,
  extension: true,
  id: 'bank-account.delete',
  body: z.object({ version: version() }),
  needs: all('write:users'),
  event: employeeEvents.bankAccountDeleted,
  refuses: canDeleteBankAccount,
})

/** VAL-009, VAL-010. */
export const deleteCard = action({
  method: 'DELETE',
  path: '/users/{id}/cards/{cardId}',
  summary: 'Delete a card of a user, with a reason and notes; it stays in the list as deleted',
  tag: 'Users',
  params: z.object({ id: idSchema, cardId: idSchema }),
  answer: LinkedAccount,
  extension: true,
  id: 'card.delete',
  body: z.object({ reason: text('Reason'), notes: longText('Notes'), version: version() }),
  needs: all('write:users'),
  event: employeeEvents.deactivated,
  refuses: canDeleteCard,
})
