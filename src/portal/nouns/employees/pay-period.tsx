import { useAtomValue } from 'jotai'
import type { Employee } from '#contract/employees.ts'
import { type EmployeeInvoice, listBalanceInvoices } from '#contract/employee-invoices.ts'
import { listWorkPeriodBalances, type WorkPeriodBalance, type WorkPeriodBalances } from '#contract/work-periods.ts'
import { invoiceStatuses } from '#domain/invoice.ts'
import { rightLacked } from '#domain/permissions.ts'
import { balanceMessages } from '#domain/work-period.ts'
import { employee } from '#entities/employee.ts'
import { invoice } from '#entities/invoice.ts'
import { store } from '#portal/platform/store.ts'
import { shortDate } from '#portal/format/dates.ts'
import type { Column } from '#portal/list/pane.ts'
import { amounts } from '#portal/nouns/columns.tsx'
import { periodText } from '#portal/nouns/employees/pay.ts'
import { AroundList, useFirstRow, useRowAtCursor } from '#portal/record/around-list.tsx'
import { RowTable, type TableColumn } from '#portal/record/row-table.tsx'
import { Sums } from '#portal/record/sums.tsx'
import { tabList } from '#portal/record/tab-list.tsx'
import { RecordLink } from '#portal/record/record-link.tsx'
import { detailOf } from '#kernel/api-client.ts'
import { useAnswer } from '#portal/records/use-query.ts'
import { Waiting } from '#portal/record/waiting.tsx'
import { heldAtom } from '#portal/api/session.ts'
import { Amount } from '#portal/ui/amount.tsx'
import { Icon } from '#portal/ui/icon.tsx'
import { Status } from '#portal/ui/status.tsx'

/** A balance; the open one with its requests and the report date of its period, if the API returns them. */
type Row = WorkPeriodBalance & Partial<Pick<NonNullable<WorkPeriodBalances['current']>, 'requests' | 'report_date'>>

const rowKind = {
  name: 'work-period-balance',
  id: (one: Row) => String(one.id),
  version: (one: Row) => one.version,
}

/** Whether the newest period is open; an API without that field returns no later one. */
const isOpen = (one: { is_open?: boolean }): boolean => one.is_open ?? true

/** The available amount stays visible beside the list at 1024 pixels. */
export const balanceColumns: readonly Column<WorkPeriodBalance>[] = [
  {
    id: 'period',
    title: 'Pay period',
    width: [146, 1.4],
    long: true,
    keep: 3,
    text: (one) => `${periodText(one)}${one.is_open ? ', current' : ''}`,
    draw: (one) => (
      <>
        <strong>{periodText(one)}</strong>
        {one.is_open && <small>Current</small>}
      </>
    ),
  },
  amounts('earned', 'Earned', (one) => one.earned_amount, { keep: 3, width: [84, 0.6] }),
  amounts('limit', 'Limit', (one) => one.limit_amount, { sum: false, keep: 1, width: [88, 0.6] }),
  amounts('taken', 'Taken', (one) => one.taken_amount, { keep: 3, width: [80, 0.6] }),
  amounts('pending', 'Pending', (one) => one.pending_amount, { keep: 1, width: [78, 0.6] }),
  amounts('available', 'Available', (one) => (one.is_open ? one.available_amount : null), { keep: 2, width: [80, 0.6] }),
]

const Balances = tabList<Employee>({
  of: employee,
  tab: 'pay-period',
  rows: rowKind,
  list: () => ({
    title: 'Work period balances of the employee',
    many: 'work period balances',
    columns: balanceColumns,
    none: 'This employee has no work period balance.',
    failed: balanceMessages['employee-details.balance-error'],
    source: {
      endpoint: listWorkPeriodBalances,
      at: (id) => ({ id }),
      rows: ({ data, current }: WorkPeriodBalances): Row[] =>
        data.map((row) => (row.id === current?.id ? { ...row, ...current } : row)),
    },
  }),
})

const requests = (count: number): string => `${count} ${count === 1 ? 'request' : 'requests'}`

/** The open period, which is the first row: its amounts, and its requests and report date if the API returns them. */
function Current({ one }: { one: Employee }) {
  const first = useFirstRow<Row>(rowKind.name)
  if (first === 'coming') return <Waiting lines={3} />
  // The list shows the error, with a retry.
  if (first === 'failed') return null
  if (first === 'none' || !isOpen(first))
    return one.user_id === null ? (
      <p className="mb-2 text-muted">No work period is open: the employee is not linked to a user.</p>
    ) : (
      <p role="alert" className="mb-2 flex items-center gap-2">
        <Icon name="alert" className="text-bad" />
        {balanceMessages['employee-details.balance-error']}
      </p>
    )
  const { requests: of, report_date } = first
  return (
    <>
      <Sums
        of={[
          ['Earned', first.earned_amount],
          ['Limit', first.limit_amount],
          ['Taken', first.taken_amount],
          ['Pending', first.pending_amount],
          ['Available', first.available_amount],
        ]}
      />
      <p className="mb-2 text-muted">
        {periodText(first)}
        {report_date && `, reported ${shortDate(report_date)}`}.
        {of && ` ${requests(of.left)} left of ${of.per_cycle}${of.granted > 0 ? ` and ${of.granted} additional` : ''}.`}
      </p>
    </>
  )
}

const invoiceColumns: readonly TableColumn<EmployeeInvoice>[] = [
  {
    title: 'Invoice',
    cell: (one) => (
      <RecordLink entity={invoice} id={one.invoice_id}>
        {one.number}
      </RecordLink>
    ),
  },
  { title: 'Status', cell: (one) => <Status of={invoiceStatuses} state={one.status} /> },
  { title: 'Due date', cell: (one) => shortDate(one.due_date) },
  { title: 'Share', right: true, cell: (one) => <Amount cents={one.line.original_amount} /> },
  {
    title: 'Withheld',
    right: true,
    cell: (one) => (one.line.withheld_amount === null ? '—' : <Amount cents={one.line.withheld_amount} />),
  },
]

/** Debounce in milliseconds for reading the invoices of a period. */
const rest = 120

/** The invoices of the period under the cursor, else of the newest. */
function InvoiceDetails({ one }: { one: Employee }) {
  const { id: shown, row: period } = useRowAtCursor<WorkPeriodBalance>(rowKind.name)
  const held = useAtomValue(heldAtom, { store })
  const lacks = rightLacked(held, listBalanceInvoices.needs)
  const at = shown === null || lacks ? null : { id: one.id, wpbId: shown }
  const { value: answer, error, again } = useAnswer(listBalanceInvoices, at, { rest, version: period?.version ?? 0 })
  if (shown === null) return null
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll container must be reachable by keyboard
    <section className="tab-part-below" aria-label="Invoice details" tabIndex={0}>
      <h3>Invoices of {period ? periodText(period) : 'this pay period'}</h3>
      {lacks ? (
        <p className="text-muted">Needs {lacks}</p>
      ) : error ? (
        <p role="alert" className="flex items-center gap-2">
          {detailOf(error) ?? 'Unable to load invoices'}
          <button type="button" className="btn" onClick={again}>
            Try again
          </button>
        </p>
      ) : answer ? (
        <RowTable
          label="Invoice details"
          rows={answer.data}
          columns={invoiceColumns}
          idOf={(row) => row.invoice_id}
          none="This pay period is on no invoice."
        />
      ) : (
        <Waiting lines={2} />
      )}
    </section>
  )
}

/** The tab Pay period of an employee (SCR-046): the open work period, past ones, and the invoices of each. */
export const EmployeePayPeriod = ({ one }: { one: Employee }) => (
  <AroundList
    endpoint={listWorkPeriodBalances}
    above={<Current one={one} />}
    list={<Balances one={one} />}
    below={<InvoiceDetails one={one} />}
  />
)
