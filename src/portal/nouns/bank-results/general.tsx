import type { BankResult } from '#contract/bank-results.ts'
import { bankResultProblemLabels, bankSaidLabel } from '#domain/bank-result.ts'
import { invoice } from '#entities/invoice.ts'
import { repayment } from '#entities/repayment.ts'
import { amountText, orDash } from '#portal/format/cell-text.ts'
import { Decision } from '#portal/record/decision.tsx'
import { Fact } from '#portal/record/fact.tsx'
import { Sums } from '#portal/record/sums.tsx'
import { ThingLink } from '#portal/record/thing-link.tsx'
import { dateAndTime, shortDate } from '#portal/format/dates.ts'

/** The tab General of a bank result: what the bank said, what the books say of the same debit, and what was decided. */
export function BankResultGeneral({ one }: { one: BankResult }) {
  return (
    <>
      <Sums
        of={[
          ['Bank said', one.amount],
          ['Debited', one.debit?.amount ?? null],
          ['Returned', one.debit ? one.debit.returns.reduce((sum, each) => sum + each.amount, 0) : null],
        ]}
      />
      {one.state === 'UNMATCHED' && one.problem && <p className="mb-3">{bankResultProblemLabels[one.problem]}.</p>}
      <h3>Bank</h3>
      <dl className="facts">
        <Fact name="Result">{bankSaidLabel(one.code)}</Fact>
        <Fact name="Effective date">{shortDate(one.effective_date)}</Fact>
        <Fact name="Trace number">{one.trace_number}</Fact>
        <Fact name="Addenda">{orDash(one.addenda)}</Fact>
        <Fact name="Arrived">{dateAndTime(one.taken_at)}</Fact>
      </dl>
      <h3>Debit</h3>
      {one.debit === null ? (
        <p className="text-muted">No debit has this trace number.</p>
      ) : (
        <dl className="facts">
          <Fact name="Debtor">{orDash(one.debtor_name)}</Fact>
          {one.repayment_id !== null && (
            <Fact name="Repayment">
              <ThingLink entity={repayment} id={one.repayment_id}>
                REP-{one.repayment_id}
              </ThingLink>
            </Fact>
          )}
          {one.invoice && (
            <Fact name="Invoice">
              <ThingLink entity={invoice} id={one.invoice.id}>
                {one.invoice.number}
              </ThingLink>
            </Fact>
          )}
          <Fact name="Debited">{shortDate(one.debit.debited_on)}</Fact>
          <Fact name="Settled">{one.debit.settled_on ? shortDate(one.debit.settled_on) : 'Not yet'}</Fact>
          {one.debit.returns.map((each) => (
            <Fact key={each.id} name={each.by_hand ? 'Return recorded by hand' : 'Return by the bank'}>
              <ThingLink entity={repayment} id={each.id}>
                {bankSaidLabel(each.code)}: {amountText(each.amount)}
              </ThingLink>
            </Fact>
          ))}
        </dl>
      )}
      <Decision one={one} {...(one.state === 'BOOKED' ? { none: 'Booked by itself.' } : {})} />
    </>
  )
}
