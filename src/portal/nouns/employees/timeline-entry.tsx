import type { TimelineEntry } from '#contract/timeline.ts'
import { eventWords } from '#domain/employee-event.ts'
import { invoiceStatuses } from '#domain/invoice.ts'
import { formatCents } from '#domain/money.ts'
import type { States } from '#domain/status.ts'
import { providerOf, transactionStatuses } from '#domain/transaction.ts'
import { dateAndTime, shortDate } from '#portal/format/dates.ts'
import { periodText } from '#portal/nouns/employees/pay.ts'
import { employeeWords } from '#portal/nouns/employees/words.ts'
import { changesOf, EventDetails, undoWords } from '#portal/record/event-details.tsx'
import { Sums } from '#portal/record/sums.tsx'

/** The time of an entry; only the day for entries dated by day. */
export function whenText(one: TimelineEntry): string {
  if (one.kind === 'BALANCE') return shortDate(one.balance.period_start)
  return one.kind === 'INVOICE' ? shortDate(one.invoice.report_date) : dateAndTime(one.at)
}

interface EntryText {
  what: string
  /** Its state, among the states of its kind. */
  now?: { of: States; state: string }
  more: string
}

/** An entry as text: title, state, and details. */
export function wordsOf(one: TimelineEntry): EntryText {
  switch (one.kind) {
    case 'EVENT': {
      const { actor, category, status, text } = one.event
      const more = [actor.name, text, ...changesOf(one.event, employeeWords)].filter(Boolean)
      return { what: eventWords(status, category) + undoWords(one.event), more: more.join(' · ') }
    }
    case 'TRANSACTION': {
      const { id, provider, status } = one.transaction
      return { what: providerOf(provider), now: { of: transactionStatuses, state: status }, more: String(id) }
    }
    case 'BALANCE': {
      const { earned_amount, limit_amount } = one.balance
      const more = `Taken of ${formatCents(limit_amount)}, ${formatCents(earned_amount)} earned`
      return { what: periodText(one.balance), more }
    }
    case 'INVOICE': {
      const { number, status, due_date } = one.invoice
      return { what: number, now: { of: invoiceStatuses, state: status }, more: `due ${shortDate(due_date)}` }
    }
    case 'NOTE':
      return { what: one.note.text, more: one.note.user.name }
  }
}

/** The main amount in cents: drawn by a transaction, or owed on an invoice. */
export function amountOf(one: TimelineEntry): number | undefined {
  if (one.kind === 'TRANSACTION') return one.transaction.amount
  if (one.kind === 'BALANCE') return one.balance.taken_amount
  return one.kind === 'INVOICE' ? one.invoice.line.original_amount : undefined
}

/** All details, of which a row shows only a part. */
export function Entry({ one }: { one: TimelineEntry }) {
  switch (one.kind) {
    case 'EVENT':
      return <EventDetails event={one.event} words={employeeWords} />
    case 'NOTE':
      return <p className="whitespace-pre-line">{one.note.text}</p>
    case 'TRANSACTION': {
      const { amount, fee_amount, settled_at } = one.transaction
      return (
        <>
          <Sums
            of={[
              ['Amount', amount],
              ['Fee', fee_amount],
            ]}
          />
          <p className="text-muted">
            {periodText(one.transaction)}, {settled_at ? `settled ${dateAndTime(settled_at)}` : 'not settled yet'}
          </p>
        </>
      )
    }
    case 'BALANCE': {
      const { earned_amount, limit_amount, taken_amount, pending_amount } = one.balance
      return (
        <Sums
          of={[
            ['Earned', earned_amount],
            ['Limit', limit_amount],
            ['Taken', taken_amount],
            ['Pending', pending_amount],
          ]}
        />
      )
    }
    case 'INVOICE': {
      const { original_amount, writeoff_amount, withheld_amount } = one.invoice.line
      return (
        <>
          <Sums
            of={[
              ['Share', original_amount],
              ['Written off', writeoff_amount],
              ...(withheld_amount === null ? [] : [['Withheld', withheld_amount] as const]),
            ]}
          />
          <p className="text-muted">
            {one.invoice.employer.name}, {periodText(one.invoice)}
          </p>
        </>
      )
    }
  }
}
