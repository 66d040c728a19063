import type { AnyEndpoint } from '#contract/define.ts'
import { type LinkedAccount, linkedAccountFilters, linkedAccountSorts } from '#contract/linked-accounts.ts'
import { linkedAccountLabels, linkedAccountStatuses } from '#domain/linked-account.ts'
import { linkedAccount } from '#entities/linked-account.ts'
import { dateAndTime } from '#portal/format/dates.ts'
import type { Column } from '#portal/list/pane.ts'
import { plain, sortsOf, states, times } from '#portal/nouns/columns.tsx'

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
  states('status', 'Status', 92, linkedAccountStatuses, (one) => one.status, { sort: 'status', keep: 3 }),
  plain('provider', 'Provider', 96, (one) => one.provider, { long: true }),
  times('added', 'Added', (one) => one.added_at, { sort: 'added_at', keep: 1 }),
  plain('details', 'Details', 160, details, { long: true, keep: 2, width: [160, 1.6] }),
]

/** The linked accounts of a user, in the tab of the user or of the linked employee. */
export const linkedAccountsFrom = ({ list, count, none }: { list: AnyEndpoint; count: AnyEndpoint; none: string }) => ({
  title: 'Linked accounts',
  many: 'linked accounts',
  columns,
  filters: linkedAccountFilters,
  sorts: sortsOf(linkedAccountSorts, columns, { kind: 'Kind' }),
  none,
  source: {
    endpoint: list,
    at: (id: string) => ({ id }),
    rows: (answer: { linked_accounts: LinkedAccount[] }) => answer.linked_accounts,
    count,
  },
})

/** Text for a user without linked accounts. */
export const noneLinked = 'The user has linked no bank account and no card.'
