import type { Deduction } from '#contract/deductions.ts'
import { confirmationFlowLabels } from '#contract/invoices.ts'
import { invoiceStatuses } from '#domain/invoice.ts'
import { invoice } from '#entities/invoice.ts'
import { dateAndTime, shortDate } from '#portal/format/dates.ts'
import { orDash } from '#portal/format/cell-text.ts'
import { CompanyFacts } from '#portal/nouns/company-links.tsx'
import { Fact, Facts } from '#portal/record/fact.tsx'
import { Sums } from '#portal/record/sums.tsx'
import { linkTo } from '#portal/record/record-link.tsx'
import { statusOf } from '#portal/ui/status.tsx'
import { wholeNumber } from '#domain/text.ts'

/** The tab General of a deduction: the amounts to withhold, and the progress of the file. */
export function DeductionGeneral({ one }: { one: Deduction }) {
  const missing = one.confirmed_amount === null ? null : one.amount - one.confirmed_amount
  return (
    <>
      <Sums
        of={[
          ['To withhold', one.amount],
          ['Withheld', one.confirmed_amount],
          ['Not withheld', missing],
        ]}
      />
      <Facts title="Deduction">
        <Fact name="Invoice">{linkTo(invoice, one.invoice_id, one.invoice_number)}</Fact>
        <Fact name="Invoice status">{statusOf(invoiceStatuses, one.invoice_status)}</Fact>
        <Fact name="Employees">{wholeNumber(one.employees)}</Fact>
        <Fact name="Write-offs to decide" hint={one.pending_write_offs > 0 && 'approve is not possible while they wait'}>
          {one.pending_write_offs || 'None'}
        </Fact>
        <CompanyFacts of={one} />
        <Fact name="Report date">{shortDate(one.report_date)}</Fact>
        <Fact name="Due">{shortDate(one.due_date)}</Fact>
      </Facts>
      <Facts title="File">
        <Fact name="File">{orDash(one.file_name)}</Fact>
        <Fact name="Approved" hint={one.approved_by?.name}>
          {dateAndTime(one.approved_at)}
        </Fact>
        <Fact name="Delivered">{dateAndTime(one.delivered_at)}</Fact>
        {one.delivered_at && one.sent === false && <Fact name="Sent">No, the employer is given no such file</Fact>}
        <Fact name="Fetched">{dateAndTime(one.fetched_at)}</Fact>
        <Fact name="Confirmation flow">{confirmationFlowLabels[one.confirmation_flow]}</Fact>
        <Fact name="Confirmations">{one.confirmations || 'None'}</Fact>
        <Fact name="Confirmed">{dateAndTime(one.confirmed_at)}</Fact>
      </Facts>
    </>
  )
}
