import type { Employee } from '#contract/employees.ts'
import { openOptions } from '#contract/filter.ts'
import { countTimeline, listTimeline, type TimelineEntry, timelineFilters } from '#contract/timeline.ts'
import { type TimelineKind, timelineLabels } from '#domain/timeline.ts'
import { employee } from '#entities/employee.ts'
import { invoice } from '#entities/invoice.ts'
import { store } from '#portal/platform/store.ts'
import { amountText } from '#portal/format/cell-text.ts'
import { timeZoneWidth } from '#portal/format/dates.ts'
import type { Lead } from '#portal/list/definition.ts'
import type { Column } from '#portal/list/pane.ts'
import { amounts, centsValue } from '#portal/nouns/columns.tsx'
import { amountOf, Entry, whenText, wordsOf } from '#portal/nouns/employees/timeline-entry.tsx'
import { AroundList, useLoadedRows, useRowAtCursor } from '#portal/record/around-list.tsx'
import { HistoryBody } from '#portal/record/history-tab.tsx'
import { tabList } from '#portal/record/tab-list.tsx'
import { useNewer } from '#portal/records/use-query.ts'
import { heldAtom } from '#portal/api/session.ts'
import { Icon } from '#portal/ui/icon.tsx'
import { Status } from '#portal/ui/status.tsx'
import { useSettled } from '#portal/ui/use-settled.ts'

const rowKind = { name: 'timeline-entry', id: (one: TimelineEntry) => one.id, version: () => 0 }

const icons: Readonly<Record<TimelineKind, string>> = {
  EVENT: 'history',
  TRANSACTION: 'repayment',
  BALANCE: 'time',
  INVOICE: 'invoice',
  NOTE: 'note',
}

const columns: readonly Column<TimelineEntry>[] = [
  {
    id: 'when',
    title: 'When, kind',
    get width() {
      return [136 + timeZoneWidth(), 0.1] as const
    },
    keep: 3,
    text: (one) => `${whenText(one)}, ${timelineLabels[one.kind]}`,
    draw: (one) => (
      <>
        <strong className="plain">{whenText(one)}</strong>
        <small className="entry-kind">
          <Icon name={icons[one.kind]} size={12} />
          {timelineLabels[one.kind]}
        </small>
      </>
    ),
  },
  {
    id: 'what',
    title: 'What',
    width: [170, 3],
    long: true,
    keep: 3,
    text: (one) => {
      const { what, now, more } = wordsOf(one)
      return [what, now?.of.label(now.state), more].filter(Boolean).join(', ')
    },
    draw: (one) => {
      const { what, now, more } = wordsOf(one)
      return (
        <>
          <strong>{what}</strong>
          <small>
            {now && (
              <>
                <Status {...now} />
                {', '}
              </>
            )}
            {more}
          </small>
        </>
      )
    },
  },
  amounts('amount', 'Amount', amountOf, {
    sum: false,
    keep: 3,
    width: [84, 0.1],
    // Events and notes have no amount.
    text: (one) => (amountOf(one) === undefined ? '' : amountText(amountOf(one))),
    value: (one) => centsValue(amountOf(one)),
  }),
]

function leadsTo(one: TimelineEntry): Lead | null {
  switch (one.kind) {
    case 'INVOICE':
      return { entity: invoice, id: String(one.invoice.invoice_id) }
    case 'NOTE':
      return { command: 'note.show' }
    case 'TRANSACTION':
      return { tab: 'transactions' }
    case 'BALANCE':
      return { tab: 'pay-period' }
    case 'EVENT':
      return null
  }
}

const Timeline = tabList<Employee>({
  of: employee,
  tab: 'history',
  rows: rowKind,
  list: () => {
    const filters = timelineFilters.map((filter) => openOptions(filter, store.get(heldAtom)))
    const kinds = filters[0]?.field.options ?? []
    return {
      title: 'History of the employee',
      many: 'history entries',
      columns,
      filters,
      named: [
        { id: 'all', title: 'All', search: '' },
        ...kinds.map(({ value, label }) => ({ id: value, title: `${label}s`, search: `kind_type=is&kind_value=${value}` })),
      ],
      none: 'Nothing has happened yet.',
      madeLater: true,
      source: {
        endpoint: listTimeline,
        at: (id) => ({ id }),
        rows: (answer: { entries: TimelineEntry[] }) => answer.entries,
        count: countTimeline,
      },
      leadsTo,
      standsFor: invoice,
    }
  },
})

/** The heading of an entry; it includes the author, which a narrow row cuts off. */
function headOf(row: TimelineEntry): string {
  if (row.kind === 'NOTE') return `Note of ${row.note.user.name}`
  const { what } = wordsOf(row)
  return row.kind === 'EVENT' ? `${what} by ${row.event.actor.name}` : what
}

/** Debounce in milliseconds for rendering the entry under the cursor: a held key passes thirty of them per second. */
const rest = 60

/** The entry under the cursor in full. It keeps its height while empty, so that the rows do not move. */
function Details() {
  const row = useSettled(useRowAtCursor<TimelineEntry>(rowKind.name).row, rest)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll container must be reachable by keyboard
    <section className="tab-part-below entry-details" aria-label="Details" tabIndex={0}>
      {row && (
        <>
          <h3>{headOf(row)}</h3>
          <Entry one={row} />
        </>
      )}
    </section>
  )
}

/** The latest version of the employee in the entries. */
const useRecordVersion = (): number =>
  Math.max(0, ...useLoadedRows<TimelineEntry>(rowKind.name).map((entry) => (entry.kind === 'EVENT' ? entry.event.version : 0)))

/** The tab History of an employee (SCR-044): the timeline; only the events if the API has no timeline. */
export function EmployeeHistory({ one }: { one: Employee }) {
  useNewer(employee, one, useRecordVersion())
  return (
    <AroundList endpoint={listTimeline} list={<Timeline one={one} />} below={<Details />} otherwise={<HistoryBody one={one} />} />
  )
}
