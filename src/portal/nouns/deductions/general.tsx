import type { Deduction } from '#contract/deductions.ts'
import { confirmationFlowLabels } from '#contract/invoices.ts'
import { invoiceStatuses } from '#domain/invoice.ts'
import { invoice } from '#entities/invoice.ts'
import { dateAndTime, shortDate } from '#portal/format/dates.ts'
import { orDash } from '#portal/format/cell-text.ts'
import { CompanyFacts } from '#portal/nouns/company-links.tsx'
import { Fact } from '#portal/record/fact.tsx'
import { Sums } from '#portal/record/sums.tsx'
import { RecordLink } from '#portal/record/record-link.tsx'
import { Status } from '#portal/ui/status.tsx'
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
      <h3>Deduction</h3>
      <dl className="facts">
        <Fact name="Invoice">
          <RecordLink entity={invoice} id={one.invoice_id}>
            {one.invoice_number}
          </RecordLink>
        </Fact>
        <Fact name="Invoice status">
          <Status of={invoiceStatuses} state={one.invoice_status} />
        </Fact>
        <Fact name="Employees">{wholeNumber(one.employees)}</Fact>
        <Fact name="Write-offs to decide" hint={one.pending_write_offs > 0 && 'approve is not possible while they wait'}>
          {one.pending_write_offs || 'None'}
        </Fact>
        <CompanyFacts of={one} />
        <Fact name="Report date">{shortDate(one.report_date)}</Fact>
        <Fact name="Due">{shortDate(one.due_date)}</Fact>
      </dl>
      <h3>File</h3>
      <dl className="facts">
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
      </dl>
    </>
  )
}
