import type { WriteOff } from '#contract/write-offs.ts'
import { invoiceStatuses } from '#domain/invoice.ts'
import { writeOffReasonLabels } from '#domain/write-off.ts'
import { employee } from '#entities/employee.ts'
import { invoice } from '#entities/invoice.ts'
import { dateAndTime } from '#portal/format/dates.ts'
import { orDash } from '#portal/format/cell-text.ts'
import { Decision } from '#portal/record/decision.tsx'
import { CompanyFacts } from '#portal/nouns/company-links.tsx'
import { Fact, Facts } from '#portal/record/fact.tsx'
import { Sums } from '#portal/record/sums.tsx'
import { linkTo } from '#portal/record/record-link.tsx'
import { statusOf } from '#portal/ui/status.tsx'

/** The tab General of a write-off: the suggestion with its reason, and the decision. */
export function WriteOffGeneral({ one }: { one: WriteOff }) {
  return (
    <>
      <Sums
        of={[
          ['Suggested', one.suggested_amount],
          ['Approved', one.approved_amount],
        ]}
      />
      {one.status === 'PENDING' && one.own && (
        <p className="mb-3 text-muted">You suggested this, so somebody else has to decide.</p>
      )}
      <Facts title="Suggestion">
        <Fact name="Employee">{linkTo(employee, one.employee_id, one.employee_name)}</Fact>
        <Fact name="Invoice">{linkTo(invoice, one.invoice_id, one.invoice_number)}</Fact>
        <Fact name="Invoice status">{statusOf(invoiceStatuses, one.invoice_status)}</Fact>
        <CompanyFacts of={one} />
        <Fact name="Reason">{writeOffReasonLabels[one.reason]}</Fact>
        <Fact name="Details">{orDash(one.details)}</Fact>
        <Fact name="Suggested by" hint={dateAndTime(one.suggested_at)}>
          {one.suggested_by.name}
        </Fact>
      </Facts>
      <Decision one={one}>
        <Fact name="Comments">{orDash(one.comments)}</Fact>
      </Decision>
    </>
  )
}
