import type { Repayment } from '#contract/repayments.ts'
import { codeLabel } from '#domain/ach-codes.ts'
import { achStates, originLabels, reconciliations } from '#domain/repayment.ts'
import { yesNo } from '#domain/text.ts'
import { invoice } from '#entities/invoice.ts'
import { repayment } from '#entities/repayment.ts'
import { dateAndTime, shortDate } from '#portal/format/dates.ts'
import { orDash } from '#portal/format/cell-text.ts'
import { EmployerLink, OrganizationLink } from '#portal/nouns/company-links.tsx'
import { Fact, Facts } from '#portal/record/fact.tsx'
import { RowTable, type TableColumn } from '#portal/record/row-table.tsx'
import { Sums } from '#portal/record/sums.tsx'
import { linkTo, RecordLink } from '#portal/record/record-link.tsx'
import { Amount } from '#portal/ui/amount.tsx'
import { Status, statusOf } from '#portal/ui/status.tsx'

type Part = Repayment['allocations'][number]

const columns: readonly TableColumn<Part>[] = [
  {
    title: 'Invoice',
    cell: (part) => (
      <RecordLink entity={invoice} id={part.invoice_id}>
        {part.number}
      </RecordLink>
    ),
  },
  { title: 'Counts as paid', cell: (part) => yesNo(part.counted) },
  { title: 'Amount', right: true, cell: (part) => <Amount cents={part.amount} /> },
]

const failures = {
  RETURNED: 'The money came back',
  UNMATCHED: 'Nobody could match it',
  TAKEN_BACK: 'Taken back: the bank said otherwise',
  DISHONORED: 'Dishonored: the return was not accepted, and its money is back with the debit',
  CONTESTED: 'Dishonored, then contested: the money went back by another return',
}

/** The tab General of a repayment (SCR-065): all its fields, and the invoices it is allocated to. */
export function RepaymentGeneral({ one }: { one: Repayment }) {
  return (
    <>
      <Sums
        of={[
          ['Amount', one.amount],
          ['Allocated', one.amount - one.unallocated_amount],
          ['Unallocated', one.unallocated_amount],
          ['Returned', one.returned_amount],
        ]}
      />
      <h3>Allocated invoices</h3>
      <RowTable
        label="Allocated invoices"
        rows={one.allocations}
        columns={columns}
        idOf={(part) => part.invoice_id}
        none="It is not allocated to any invoice."
      />
      <Facts title="Repayment">
        <Fact name="Reference id">{one.reference_id}</Fact>
        <Fact name="Repayment date">{shortDate(one.repayment_date)}</Fact>
        <Fact name="Effective date">{shortDate(one.effective_date)}</Fact>
        <Fact name="Reconciliation" hint={one.failure && failures[one.failure]}>
          {statusOf(reconciliations, one.reconciliation_status)}
        </Fact>
        {one.return_code && <Fact name="Return code">{codeLabel(one.return_code)}</Fact>}
        {one.returns_id !== null && <Fact name="Return of">{linkTo(repayment, one.returns_id, `REP-${one.returns_id}`)}</Fact>}
        <Fact name="Origin">{originLabels[one.origin]}</Fact>
        <Fact name="Requester">{orDash(one.requester_name)}</Fact>
        <Fact name="Notes">{one.notes ? <span className="whitespace-pre-line">{one.notes}</span> : '—'}</Fact>
        <Fact name="Entered">{dateAndTime(one.created_at)}</Fact>
      </Facts>
      <Facts title="Debtor">
        <Fact name="Debtor" hint={one.debtor_type === 'EMPLOYER' ? 'employer' : 'organization'}>
          {one.debtor_name}
        </Fact>
        <Fact name="Organization">
          <OrganizationLink of={one.organization} />
        </Fact>
        <Fact name="Employer">
          <EmployerLink of={one.employer} />
        </Fact>
        <Fact name="Department">{orDash(one.department_code)}</Fact>
      </Facts>
      <Facts title="Bank">
        <Fact name="ACH state">{one.ach_state ? <Status of={achStates} state={one.ach_state} /> : '—'}</Fact>
        <Fact name="ACH addenda">{orDash(one.ach_addenda)}</Fact>
        <Fact name="Descriptor">{orDash(one.descriptor)}</Fact>
        <Fact name="Bank">{orDash(one.bank_name)}</Fact>
        <Fact name="Account number">{orDash(one.account_number)}</Fact>
      </Facts>
    </>
  )
}
