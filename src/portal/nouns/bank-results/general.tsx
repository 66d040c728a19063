import type { BankResult } from '#contract/bank-results.ts'
import { codeLabel } from '#domain/ach-codes.ts'
import { bankResultProblemLabels, isNotice } from '#domain/bank-result.ts'
import { type CorrectedData, readNotice } from '#domain/notice-of-change.ts'
import { invoice } from '#entities/invoice.ts'
import { repayment } from '#entities/repayment.ts'
import { amountText, orDash } from '#portal/format/cell-text.ts'
import { Decision } from '#portal/record/decision.tsx'
import { Fact, Facts } from '#portal/record/fact.tsx'
import { Sums } from '#portal/record/sums.tsx'
import { linkTo } from '#portal/record/record-link.tsx'
import { dateAndTime, shortDate } from '#portal/format/dates.ts'

/** The tab General of a bank result: the bank's notice, our records of the same debit, and the decision. */
export function BankResultGeneral({ one }: { one: BankResult }) {
  const notice = readNotice(one.code, one.addenda)
  return (
    <>
      <Sums
        of={[
          ['Bank said', isNotice(one.code) ? null : one.amount],
          ['Debited', one.debit?.amount ?? null],
          ['Returned', one.debit ? one.debit.returns.reduce((sum, each) => sum + each.amount, 0) : null],
        ]}
      />
      {one.state === 'UNMATCHED' && one.problem && <p className="mb-3">{bankResultProblemLabels[one.problem]}.</p>}
      {notice?.problem && <p className="mb-3">{notice.problem}</p>}
      <Facts title="Bank">
        <Fact name="Result">{codeLabel(one.code)}</Fact>
        <Fact name="Effective date">{shortDate(one.effective_date)}</Fact>
        <Fact name="Trace number">{one.trace_number}</Fact>
        {notice ? <CorrectedFacts data={notice.data} /> : <Fact name="Addenda">{orDash(one.addenda)}</Fact>}
        <Fact name="Arrived">{dateAndTime(one.taken_at)}</Fact>
      </Facts>
      <h3>Debit</h3>
      {one.debit === null ? (
        <p className="text-muted">No debit has this trace number.</p>
      ) : (
        <dl className="facts">
          <Fact name="Debtor">{orDash(one.debtor_name)}</Fact>
          {one.repayment_id !== null && (
            <Fact name="Repayment">{linkTo(repayment, one.repayment_id, `REP-${one.repayment_id}`)}</Fact>
          )}
          {one.invoice && <Fact name="Invoice">{linkTo(invoice, one.invoice.id, one.invoice.number)}</Fact>}
          <Fact name="Debited">{shortDate(one.debit.debited_on)}</Fact>
          <Fact name="Settled">{one.debit.settled_on ? shortDate(one.debit.settled_on) : 'Not yet'}</Fact>
          {one.debit.returns.map((each) => (
            <Fact key={each.id} name={each.by_hand ? 'Return recorded by hand' : 'Return by the bank'}>
              {linkTo(repayment, each.id, `${codeLabel(each.code)}: ${amountText(each.amount)}`)}
            </Fact>
          ))}
          {one.debit.dishonored.map((each) => (
            <Fact key={each.id} name={each.contested ? 'Dishonored return, contested' : 'Dishonored return'}>
              {linkTo(repayment, each.id, `${codeLabel(each.code)}: ${amountText(each.amount)}`)}
            </Fact>
          ))}
        </dl>
      )}
      <Decision one={one} {...(one.state === 'BOOKED' ? { none: 'Booked by itself.' } : {})} />
    </>
  )
}

/** The corrected data of a notice of change; only the last four digits of an account number. */
function CorrectedFacts({ data }: { data: CorrectedData }) {
  const { routing_number, account_number, transaction_code } = data
  return (
    <>
      {routing_number && <Fact name="Corrected routing number">{routing_number}</Fact>}
      {account_number && <Fact name="Corrected account number">••••{account_number.slice(-4)}</Fact>}
      {transaction_code && <Fact name="Corrected transaction code">{transaction_code}</Fact>}
    </>
  )
}
