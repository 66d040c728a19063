import { confirmationFlowLabels, type Invoice, paymentMethodLabels } from '#contract/invoices.ts'
import { debitStates, isRetryable, validateRetry, retryLimit, retryWindow } from '#domain/ach.ts'
import { codeLabel } from '#domain/ach-codes.ts'
import { addDays } from '#domain/calendar.ts'
import { companyStatuses } from '#domain/company.ts'
import { formatCents } from '#domain/money.ts'
import { yesNo } from '#domain/text.ts'
import { deduction } from '#entities/deduction.ts'
import { shortDate } from '#portal/format/dates.ts'
import { orDash } from '#portal/format/cell-text.ts'
import { fromToday } from '#portal/format/date-distance.ts'
import { EmployerLink, OrganizationLink } from '#portal/nouns/company-links.tsx'
import { Fact, Facts } from '#portal/record/fact.tsx'
import { RecordLink } from '#portal/record/record-link.tsx'
import { Amount } from '#portal/ui/amount.tsx'

/** The paid share of the invoice as a bar; the amounts above it are the accessible text. */
function Meter({ one }: { one: Invoice }) {
  const share = one.invoice_amount > 0 ? Math.min(1, Math.max(0, one.paid_amount / one.invoice_amount)) : 0
  return (
    <div className="meter" aria-hidden="true">
      <div style={{ width: `${share * 100}%` }} />
    </div>
  )
}

/** The accounting identity of an invoice, line by line: owed, taken off, paid, left. */
function Identity({ one }: { one: Invoice }) {
  const rows: readonly (readonly [title: string, cents: number, total?: boolean])[] = [
    ['Original', one.original_amount],
    ['Write-off', -one.writeoff_amount],
    ['Rollover from another invoice', -one.rollover_amount],
    ['Invoice', one.invoice_amount, true],
    ['Paid', -one.paid_amount],
    ['Outstanding', one.outstanding_amount, true],
  ]
  return (
    <dl className="identity">
      {rows.map(([title, cents, total]) => (
        <div key={title}>
          <dt className={total ? 'total' : 'text-muted'}>{title}</dt>
          <dd className={total ? 'total' : undefined}>{total ? <Amount cents={cents} /> : formatCents(cents || 0)}</dd>
        </div>
      ))}
    </dl>
  )
}

/** The last debit: its state, what was returned and why, and whether it can be retried. */
function Debit({ ach, asOf, status }: { ach: NonNullable<Invoice['ach']>; asOf: string; status: string }) {
  const back = status === 'RETURNED' || status === 'PARTIALLY_RETURNED'
  const refusal = validateRetry(ach, asOf)
  return (
    <>
      <Fact name="ACH state" hint={`${formatCents(ach.amount)}, debit date ${shortDate(ach.debit_date)}`}>
        {debitStates.label(ach.state)}
      </Fact>
      {ach.return_code && <Fact name="Return code">{codeLabel(ach.return_code)}</Fact>}
      {ach.retries > 0 && (
        <Fact name="Tried again">
          {ach.retries} of {retryLimit} times
        </Fact>
      )}
      {back && (
        <Fact name="Next">
          {refusal
            ? refusal.sentence
            : isRetryable(ach.return_code) &&
              `ACH retry ${ach.retries + 1} of ${retryLimit} is possible until ${shortDate(addDays(ach.first_debit_date, retryWindow))}.`}
        </Fact>
      )}
    </>
  )
}

const refundStates = { WAITING: 'waits for the next invoice', ABSORBED: 'absorbed by the next invoice' }

/**
 * The tab General of an invoice: amounts in the order of the identity, dates, payment, companies, refund. No fact is repeated.
 */
export function InvoiceGeneral({ one }: { one: Invoice }) {
  const percentage = one.allowed_rollover_percentage
  const owes = (is: boolean) => (is ? 'debtor' : null)
  const ofEmployer = one.debtor_type === 'EMPLOYER'
  return (
    <>
      {one.debtor_flagged && (
        <p className="mb-3">
          <span className="status status-bad">Flagged debtor:</span> a payment of {one.debtor_name} came back after its credit was
          used.
        </p>
      )}
      <h3>Amounts</h3>
      <Meter one={one} />
      <Identity one={one} />
      {one.rollover_out_amount !== 0 && <p className="text-muted">Net of {formatCents(one.rollover_out_amount)} rolled over</p>}
      {one.refund && (
        <p>
          Refund of {formatCents(one.refund.amount)}:{' '}
          <span className="text-muted">
            {refundStates[one.refund.state]}
            {one.refund.absorbed_amount > 0 &&
              one.refund.absorbed_amount < one.refund.amount &&
              `, ${formatCents(one.refund.absorbed_amount)} of it so far`}
          </span>
        </p>
      )}
      {one.closed_by && (
        <p>
          Closed by {one.closed_by.name}
          {one.outstanding_amount > 0 && <span className="text-muted">; it stays closed with what is outstanding</span>}
        </p>
      )}
      <Facts title="Dates">
        <Fact name="Period">
          {shortDate(one.period_start)} to {shortDate(one.period_end)}
        </Fact>
        <Fact name="Issued">{shortDate(one.issue_date)}</Fact>
        <Fact name="Report date" hint={fromToday(one.report_date, one.as_of)}>
          {shortDate(one.report_date)}
        </Fact>
        <Fact name="Due" hint={fromToday(one.due_date, one.as_of)}>
          {shortDate(one.due_date)}
        </Fact>
      </Facts>
      <Facts title="Payment">
        <Fact name="Method">{paymentMethodLabels[one.payment_method]}</Fact>
        {one.ach && <Debit ach={one.ach} asOf={one.as_of} status={one.status} />}
        {one.status === 'SCHEDULED' && one.active_account_count === 0 && (
          <Fact name="Next">There is no active bank account. The debit waits for one.</Fact>
        )}
        <Fact name="Bank accounts">{orDash(one.active_account_count)}</Fact>
        <Fact name="Rollover allowed">{percentage === null ? 'Not configured' : `${percentage / 100}%`}</Fact>
      </Facts>
      <Facts title="Company">
        <Fact name="Organization" hint={owes(!ofEmployer)}>
          <OrganizationLink of={one.organization} />
        </Fact>
        <Fact
          name="Employer"
          hint={[one.employer.status !== 'ACTIVE' && companyStatuses.label(one.employer.status), owes(ofEmployer)]
            .filter(Boolean)
            .join(', ')}
        >
          <EmployerLink of={one.employer} />
        </Fact>
        <Fact name="Company code">{one.company_code}</Fact>
        <Fact name="Department">{orDash(one.department_code)}</Fact>
      </Facts>
      <Facts title="Processing">
        <Fact name="Deduction">
          {one.deduction_id === null ? (
            '—'
          ) : (
            <RecordLink entity={deduction} id={one.deduction_id}>
              Deduction {one.deduction_id}
            </RecordLink>
          )}
        </Fact>
        <Fact name="Write-offs to decide">{one.pending_write_offs || 'None'}</Fact>
        <Fact name="Confirmation flow">{confirmationFlowLabels[one.confirmation_flow]}</Fact>
        <Fact name="Auto approve EWA file">{yesNo(one.auto_approve_ewa_file)}</Fact>
        <Fact name="Has notes">{yesNo(one.has_notes)}</Fact>
      </Facts>
    </>
  )
}
