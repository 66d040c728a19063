import { confirmationFlowLabels, type Invoice, invoiceSorts, paymentMethodLabels } from '#contract/invoices.ts'
import { derivedStates, invoiceStatuses } from '#domain/invoice.ts'
import { yesNo } from '#domain/text.ts'
import { invoice } from '#entities/invoice.ts'
import { history } from '#portal/record/history.ts'
import { later } from '#portal/ui/later.tsx'
import { orDash } from '#portal/format/cell-text.ts'
import { changeWords, oneOf } from '#portal/nouns/change-words.ts'
import { amounts, dates, numberValue, plain, sortsOf, subline, times, twoLines } from '#portal/nouns/columns.tsx'
import { type Column, definePane } from '#portal/list/pane.ts'
import { Amount } from '#portal/ui/amount.tsx'
import { Status } from '#portal/ui/status.tsx'

/** `Overdue 12 d`, `Overpaid`, `Underpaid`: states derived from amounts and dates, with their marks. */
const derivedMarks = (one: Pick<Invoice, 'derived' | 'days_past_due'>): { state: string; text: string; mark: string }[] =>
  one.derived.map((state) => ({
    state,
    text: state === 'OVERDUE' ? `${derivedStates.label(state)} ${one.days_past_due} d` : derivedStates.label(state),
    mark: derivedStates.mark(state),
  }))

/** The derived states, each with its mark. */
function Derived({ one }: { one: Invoice }) {
  return derivedMarks(one).map(({ state, text, mark }) => (
    <span key={state} className={`status status-${mark}`}>
      {text}
    </span>
  ))
}

/** The most important state, below the figure in a narrow list. */
function Foremost({ one }: { one: Invoice }) {
  const [first] = derivedMarks(one)
  return first ? (
    <span className={`status status-${first.mark}`}>{first.text}</span>
  ) : (
    <Status of={invoiceStatuses} state={one.status} />
  )
}

/** The derived states in a list row, after the mark of the first: `Overdue 12 d, underpaid`. */
function Validated({ one }: { one: Invoice }) {
  const [first, ...others] = derivedMarks(one)
  if (!first) return null
  return (
    <small>
      <span className={`status status-${first.mark}`}>
        {[first.text, ...others.map(({ text }) => text.toLowerCase())].join(', ')}
      </span>
    </small>
  )
}

const number: Column<Invoice> = {
  id: 'number',
  title: 'Employer, number',
  // The last character of a company code, which may distinguish two employers of an organization, must not be cut.
  width: [154, 1.7],
  long: true,
  sort: 'id',
  keep: 3,
  text: (one) => `${one.employer.name}, ${one.number}`,
  draw: (one) => twoLines(one.employer.name, `${one.number} · ${one.company_code}`),
}

const status: Column<Invoice> = {
  id: 'status',
  title: 'Status',
  width: [138, 1.9],
  long: true,
  sort: 'status',
  keep: 2,
  text: (one) => [invoiceStatuses.label(one.status), ...derivedMarks(one).map(({ text }) => text)].join(', '),
  draw: (one) => (
    <>
      <Status of={invoiceStatuses} state={one.status} />
      <Validated one={one} />
    </>
  ),
}

const outstanding = amounts<Invoice>('outstanding', 'Outstanding', (one) => one.outstanding_amount, {
  sum: 'outstanding_amount',
  sort: 'outstanding_amount',
  keep: 3,
  under: (one) => <Foremost one={one} />,
  draw: (one) => <Amount cents={one.outstanding_amount} />,
})

/** ENT-074 to ENT-092, and further facts of an invoice. */
const invoiceColumns: readonly Column<Invoice>[] = [
  number,
  status,
  plain('company', 'Company code', 104, (one) => one.company_code, { long: true }),
  plain('payment', 'Payment', 84, (one) => paymentMethodLabels[one.payment_method]),
  dates('issued', 'Issue date', (one) => one.issue_date, { sort: 'issue_date' }),
  dates('reported', 'Report date', (one) => one.report_date, { sort: 'report_date' }),
  dates('due', 'Due date', (one) => one.due_date, { sort: 'due_date', keep: 1, width: [84, 0.5] }),
  plain('past-due', 'Days past due', 96, (one) => (one.days_past_due ? String(one.days_past_due) : '—'), {
    align: 'right',
    value: (one) => numberValue(one.days_past_due || null),
  }),
  amounts('original', 'Original', (one) => one.original_amount, { sum: 'original_amount' }),
  amounts('write-off', 'Write-off', (one) => one.writeoff_amount, { sum: 'writeoff_amount' }),
  amounts('rollover', 'Rollover', (one) => one.rollover_amount, { sum: 'rollover_amount' }),
  amounts('amount', 'Invoice', (one) => one.invoice_amount, { sort: 'invoice_amount', sum: 'invoice_amount' }),
  amounts('paid', 'Paid', (one) => one.paid_amount, {
    sort: 'paid_amount',
    sum: 'paid_amount',
    draw: (one) => <Amount cents={one.paid_amount} />,
  }),
  amounts('rolled-out', 'Rolled out', (one) => one.rollover_out_amount, { sum: 'rollover_out_amount' }),
  plain('organization', 'Organization', 130, (one) => one.organization.name, { long: true }),
  plain('employer', 'Employer', 130, (one) => one.employer.name, { long: true }),
  plain('department', 'Department', 104, (one) => orDash(one.department_code), { long: true }),
  plain('confirmation', 'Confirmation flow', 116, (one) => confirmationFlowLabels[one.confirmation_flow]),
  plain('auto-approve', 'Auto approve EWA file', 136, (one) => yesNo(one.auto_approve_ewa_file)),
  plain('notes', 'Has notes', 74, (one) => yesNo(one.has_notes)),
  plain('write-offs', 'Write-offs to decide', 128, (one) => orDash(one.pending_write_offs || null), {
    align: 'right',
    value: (one) => numberValue(one.pending_write_offs || null),
  }),
  plain('flagged', 'Debtor flagged', 104, (one) => yesNo(one.debtor_flagged)),
  times('updated', 'Changed', (one) => one.updated_at, { sort: 'updated_at' }),
  outstanding,
]

/** Invoices (SCR-050 to SCR-052). */
export default definePane<Invoice>({
  entity: invoice,
  title: 'Invoices',
  columns: invoiceColumns,
  shown: ['number', 'status', 'due', 'amount', 'paid', 'outstanding'],
  newestFirst: true,
  sorts: sortsOf(invoiceSorts, invoiceColumns, {
    id: 'Number',
    invoice_amount: 'Invoice amount',
    paid_amount: 'Paid amount',
    outstanding_amount: 'Outstanding amount',
  }),
  sub: (one) => subline(<Derived one={one} />, `${one.employer.name} · ${one.company_code}`),
  tabs: {
    general: later(async () => (await import('#portal/nouns/invoices/general.tsx')).InvoiceGeneral),
    employees: later(async () => (await import('#portal/nouns/invoices/lines.tsx')).InvoiceLines),
    repayments: later(async () => (await import('#portal/nouns/invoices/repayments.tsx')).InvoiceRepayments),
    'write-offs': later(async () => (await import('#portal/nouns/invoices/write-offs.tsx')).InvoiceWriteOffs),
    ledger: later(async () => (await import('#portal/nouns/invoices/ledger.tsx')).InvoiceLedger),
    history,
  },
  words: changeWords(
    {
      writeoff_amount: 'write-off',
      rollover_amount: 'rollover',
      invoice_amount: 'invoice',
      paid_amount: 'paid',
      outstanding_amount: 'outstanding',
      pending_write_offs: 'pending write-offs',
    },
    { status: invoiceStatuses },
    { payment_method: oneOf(paymentMethodLabels) },
  ),
})
