import type { Employee } from '#contract/employees.ts'
import {
  countLinkedAccounts,
  type LinkedAccount,
  linkedAccountFilters,
  linkedAccountSorts,
  listLinkedAccounts,
} from '#contract/linked-accounts.ts'
import { linkedAccountLabels } from '#domain/linked-account.ts'
import { employee } from '#entities/employee.ts'
import { linkedAccount } from '#entities/linked-account.ts'
import { dateAndTime } from '#portal/format/dates.ts'
import type { Column } from '#portal/list/pane.ts'
import { plain, states } from '#portal/nouns/columns.tsx'
import { tabList } from '#portal/record/tab-list.tsx'

/** Why it failed, or who deleted it, when and why. */
function details({ failure, deletion }: LinkedAccount): string {
  if (!deletion) return failure ?? '—'
  return [`${deletion.by.name}, ${dateAndTime(deletion.at)}`, deletion.reason, deletion.notes].filter(Boolean).join(': ')
}

const columns: readonly Column<LinkedAccount>[] = [
  {
    id: 'account',
    title: 'Account',
    width: [170, 1.2],
    long: true,
    sort: 'kind',
    keep: 3,
    text: (one) => `${linkedAccount.title(one)}, ${linkedAccountLabels[one.kind]}`,
    draw: (one) => (
      <>
        <strong>{one.bank_name ?? one.brand}</strong>
        <small>
          {linkedAccountLabels[one.kind]} ending in {one.last_four}
        </small>
      </>
    ),
  },
  states('status', 'Status', 92, (one) => one.status, { sort: 'status', keep: 3 }),
  plain('provider', 'Provider', 96, (one) => one.provider, { long: true }),
  plain('added', 'Added', 140, (one) => dateAndTime(one.added_at), { sort: 'added_at', keep: 1 }),
  plain('details', 'Details', 160, details, { long: true, keep: 2, width: [160, 1.6] }),
]

const sortTitles: Record<(typeof linkedAccountSorts)[number], string> = {
  id: 'Id',
  kind: 'Kind',
  status: 'Status',
  added_at: 'Added',
}

/** The tab Linked Accounts of an employee (SCR-043): bank accounts and cards of the user, empty without one. */
export const LinkedAccounts = tabList<Employee>({
  of: employee,
  tab: 'linked-accounts',
  rows: linkedAccount,
  list: (one) => ({
    title: 'Linked accounts',
    many: 'linked accounts',
    columns,
    filters: linkedAccountFilters,
    sorts: linkedAccountSorts.map((id) => ({ id, title: sortTitles[id] })),
    none: one.user_id === null ? 'This employee is not linked to a user.' : 'The user has linked no bank account and no card.',
    source: {
      endpoint: listLinkedAccounts,
      at: () => ({ id: String(one.id) }),
      rows: (answer: { linked_accounts: LinkedAccount[] }) => answer.linked_accounts,
      count: countLinkedAccounts,
    },
  }),
})
