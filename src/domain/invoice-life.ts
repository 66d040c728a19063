import type { InvoiceStatus } from '#domain/invoice.ts'

/** A status transition of an invoice, and its cause. */
export interface Move {
  from: InvoiceStatus
  to: InvoiceStatus
  trigger: Trigger
}

export type Trigger =
  | 'report-date'
  | 'deduction-approved'
  | 'self-pay'
  | 'debit-scheduled'
  | 'ach-submitted'
  | 'settled'
  | 'returned'
  | 'late-return'
  | 'retry-ach'
  | 'collect'
  | 'close'
  | 'paid'
  | 'uncovered'
  | 'return-taken-back'
  | 'return-dishonored'
  | 'reopen'
  | 'refund'
  | 'refund-absorbed'
  | 'refund-cancelled'

/** All status transitions (docs/rules/invoices.md); an invoice that keeps its status makes none. */
export const moves: readonly Move[] = [
  { from: 'DRAFT', to: 'ON_DEDUCTION_FILE', trigger: 'report-date' },
  { from: 'ON_DEDUCTION_FILE', to: 'DEDUCTION_APPROVED', trigger: 'deduction-approved' },
  { from: 'DEDUCTION_APPROVED', to: 'SENT', trigger: 'self-pay' },
  { from: 'DEDUCTION_APPROVED', to: 'SCHEDULED', trigger: 'debit-scheduled' },
  { from: 'DEDUCTION_APPROVED', to: 'CLOSED', trigger: 'paid' },
  { from: 'SCHEDULED', to: 'PROCESSING', trigger: 'ach-submitted' },
  { from: 'SCHEDULED', to: 'SENT', trigger: 'self-pay' },
  { from: 'SCHEDULED', to: 'CLOSED', trigger: 'paid' },
  { from: 'SENT', to: 'CLOSED', trigger: 'close' },
  { from: 'SENT', to: 'CLOSED', trigger: 'paid' },
  { from: 'SENT', to: 'REFUND_IN_PROGRESS', trigger: 'refund' },
  { from: 'SENT', to: 'RETURNED', trigger: 'late-return' },
  { from: 'SENT', to: 'PARTIALLY_RETURNED', trigger: 'late-return' },
  { from: 'PROCESSING', to: 'CLOSED', trigger: 'settled' },
  { from: 'PROCESSING', to: 'SENT', trigger: 'uncovered' },
  { from: 'PROCESSING', to: 'RETURNED', trigger: 'returned' },
  { from: 'PROCESSING', to: 'PARTIALLY_RETURNED', trigger: 'returned' },
  { from: 'PARTIALLY_RETURNED', to: 'RETURNED', trigger: 'returned' },
  { from: 'CLOSED', to: 'RETURNED', trigger: 'late-return' },
  { from: 'CLOSED', to: 'PARTIALLY_RETURNED', trigger: 'late-return' },
  { from: 'CLOSED', to: 'SENT', trigger: 'reopen' },
  { from: 'CLOSED', to: 'SENT', trigger: 'uncovered' },
  { from: 'CLOSED', to: 'SCHEDULED', trigger: 'uncovered' },
  { from: 'CLOSED', to: 'PROCESSING', trigger: 'uncovered' },
  { from: 'CLOSED', to: 'REFUND_IN_PROGRESS', trigger: 'refund' },
  { from: 'RETURNED', to: 'SCHEDULED', trigger: 'retry-ach' },
  { from: 'RETURNED', to: 'SENT', trigger: 'collect' },
  { from: 'RETURNED', to: 'CLOSED', trigger: 'close' },
  { from: 'RETURNED', to: 'CLOSED', trigger: 'paid' },
  { from: 'PARTIALLY_RETURNED', to: 'SCHEDULED', trigger: 'retry-ach' },
  { from: 'PARTIALLY_RETURNED', to: 'SENT', trigger: 'collect' },
  { from: 'PARTIALLY_RETURNED', to: 'CLOSED', trigger: 'close' },
  { from: 'PARTIALLY_RETURNED', to: 'CLOSED', trigger: 'paid' },
  { from: 'RETURNED', to: 'PROCESSING', trigger: 'return-taken-back' },
  { from: 'PARTIALLY_RETURNED', to: 'PROCESSING', trigger: 'return-taken-back' },
  { from: 'RETURNED', to: 'PARTIALLY_RETURNED', trigger: 'return-dishonored' },
  { from: 'REFUND_IN_PROGRESS', to: 'REFUNDED', trigger: 'refund-absorbed' },
  { from: 'REFUND_IN_PROGRESS', to: 'CLOSED', trigger: 'refund-absorbed' },
  { from: 'REFUND_IN_PROGRESS', to: 'CLOSED', trigger: 'refund-cancelled' },
  { from: 'REFUND_IN_PROGRESS', to: 'SENT', trigger: 'uncovered' },
  { from: 'REFUND_IN_PROGRESS', to: 'PROCESSING', trigger: 'uncovered' },
  { from: 'REFUND_IN_PROGRESS', to: 'RETURNED', trigger: 'late-return' },
  { from: 'REFUND_IN_PROGRESS', to: 'PARTIALLY_RETURNED', trigger: 'late-return' },
  { from: 'REFUNDED', to: 'CLOSED', trigger: 'settled' },
  { from: 'REFUNDED', to: 'SENT', trigger: 'uncovered' },
  { from: 'REFUNDED', to: 'PROCESSING', trigger: 'uncovered' },
  { from: 'REFUNDED', to: 'RETURNED', trigger: 'late-return' },
  { from: 'REFUNDED', to: 'PARTIALLY_RETURNED', trigger: 'late-return' },
]

/** Whether an invoice may change from one status to the other; keeping the status is not a transition. */
export const mayMove = (from: string, to: string): boolean => moves.some((move) => move.from === from && move.to === to)

/** The statuses from which an invoice may change to this one. */
export const waysTo = (to: InvoiceStatus): InvoiceStatus[] => [
  ...new Set(moves.filter((move) => move.to === to).map((move) => move.from)),
]

/** State of the last debit of an invoice: not submitted yet, in flight, returned in full or in part. */
export type DebitFate = 'DATED' | 'IN_FLIGHT' | 'BACK' | 'PARTLY_BACK'

const fates: Readonly<Record<string, DebitFate>> = {
  SCHEDULED: 'DATED',
  SUBMITTED: 'IN_FLIGHT',
  RETURNED: 'BACK',
  PARTIALLY_RETURNED: 'PARTLY_BACK',
}

/** A return of money of a repayment. */
export interface ComingBack {
  origin: string
  /** The invoice that was debited for it; null if no debit is known. */
  debited_invoice_id: number | null
  /** Nothing of it was returned before. */
  first: boolean
  /** After this return all of it is returned. */
  whole: boolean
}

/** The debits of an invoice other than the returned one. */
export interface OtherDebits {
  /** One of them has not been returned in full. */
  stand: boolean
  /** One of them has no result yet. */
  underWay: boolean
}

/**
 * The facts about an invoice's debits after a return of money that was for it; none if they do not change: the debit was of
 * another invoice, or the result of another debit decides, since an invoice could have two debits at once.
 */
export function factsAfterReturn(
  invoiceId: number,
  back: ComingBack,
  others: OtherDebits,
): Partial<Pick<MoneyFacts, 'debit' | 'awaited' | 'comesBack'>> {
  if (back.origin !== 'ACH_ENTRY' || (back.debited_invoice_id ?? invoiceId) !== invoiceId || others.underWay) return {}
  const debit = back.whole && !others.stand ? 'BACK' : 'PARTLY_BACK'
  return { debit, awaited: false, comesBack: back.first ? 'first' : 'again' }
}

/** What determines the status after a change of money; all amounts in cents. */
export interface MoneyFacts {
  status: InvoiceStatus
  outstanding: number
  /** Submitted by debits and not answered by the bank: not debited again. */
  inFlight: number
  /** The part of it that neither the bank nor a person has answered. */
  unanswered: number
  /** The invoice waits for such a result; false if the event is the result. */
  awaited: boolean
  /** A person closed it: it then stays closed, whatever its money does. */
  closedByHand: boolean
  /** Null if there was no debit, or if it settled. */
  debit: DebitFate | null
  /** The event is a return of its debit: the first, or another one. */
  comesBack?: 'first' | 'again'
  /** Its last refund that was not cancelled. */
  refund: 'WAITING' | 'ABSORBED' | null
}

/** The facts, from an invoice of the API or a row. */
export const moneyFactsOf = (invoice: {
  status: string
  outstanding_amount: number
  in_flight_amount?: number
  unanswered_amount?: number
  closed_by?: unknown
  ach?: { state: string } | null
  refund?: { state: string } | null
}): MoneyFacts => ({
  status: invoice.status as InvoiceStatus,
  outstanding: invoice.outstanding_amount,
  inFlight: invoice.in_flight_amount ?? 0,
  unanswered: invoice.unanswered_amount ?? 0,
  awaited: (invoice.unanswered_amount ?? 0) > 0,
  closedByHand: Boolean(invoice.closed_by),
  debit: fates[invoice.ach?.state ?? ''] ?? null,
  refund: (invoice.refund?.state as MoneyFacts['refund']) ?? null,
})

const closesByItself: readonly string[] = ['DEDUCTION_APPROVED', 'RETURNED']

const reopenedTo: Readonly<Record<DebitFate, InvoiceStatus>> = {
  DATED: 'SCHEDULED',
  IN_FLIGHT: 'PROCESSING',
  BACK: 'RETURNED',
  PARTLY_BACK: 'PARTIALLY_RETURNED',
}

/**
 * The status of an invoice that is not (or no longer) paid in full: CLOSED if closed by hand, else by its last debit, else
 * PROCESSING while a result is awaited, else SENT.
 */
const uncovered = ({ closedByHand, debit, unanswered }: MoneyFacts): InvoiceStatus =>
  closedByHand ? 'CLOSED' : debit ? reopenedTo[debit] : unanswered > 0 ? 'PROCESSING' : 'SENT'

/**
 * The status of an invoice after a money event. Called after every money event and at no other time, so that a reopened invoice
 * stays open (INV-018, docs/rules/invoices.md). An invoice with nothing outstanding closes, except in PROCESSING while a result
 * is awaited. A scheduled debit with nothing left to debit, because the rest is in flight, also awaits the result, or is
 * collected by hand if a person has recorded its return. An invoice that closed automatically reopens when it is no longer paid
 * in full. A Sent invoice becomes RETURNED by the first return of its debit. A refund that was absorbed leaves REFUNDED, or CLOSED
 * while something is still overpaid.
 */
export function afterMoney(facts: MoneyFacts): InvoiceStatus {
  const { status, outstanding, inFlight, unanswered, awaited, debit, refund } = facts
  const owes = outstanding > 0
  switch (status) {
    case 'PROCESSING':
      if (awaited) return status
      if (owes) return uncovered(facts)
      return unanswered > 0 && debit !== 'BACK' ? status : 'CLOSED'
    case 'CLOSED':
      return owes ? uncovered(facts) : status
    case 'REFUND_IN_PROGRESS':
      if (owes) return uncovered(facts)
      if (refund === 'WAITING') return status
      return refund === 'ABSORBED' && outstanding === 0 ? 'REFUNDED' : 'CLOSED'
    case 'REFUNDED':
      return owes ? uncovered(facts) : outstanding < 0 ? 'CLOSED' : status
    case 'SCHEDULED':
      if (!owes) return 'CLOSED'
      return outstanding > inFlight ? status : unanswered > 0 ? 'PROCESSING' : 'SENT'
    case 'PARTIALLY_RETURNED':
      // The rest of a debit may be returned later than its first part.
      return !owes ? 'CLOSED' : facts.comesBack && debit === 'BACK' ? 'RETURNED' : status
    case 'SENT':
      // After an earlier return, a person has decided to collect it.
      return !owes ? 'CLOSED' : facts.comesBack === 'first' ? uncovered(facts) : status
    default:
      return !owes && closesByItself.includes(status) ? 'CLOSED' : status
  }
}

/** Determines the status after a return is reversed; cents, as they are after the reversal. */
export interface ReversedFacts {
  status: InvoiceStatus
  outstanding_amount: number
  in_flight_amount: number
  /** Its last debit. */
  ach: { state: string } | null
}

/**
 * The status of an invoice after a return is reversed, before its money is checked. A debit that never settled is in flight
 * again, and its result is awaited. After a dishonor, an invoice that still owes something has the status of what is left of
 * its last debit: PARTIALLY_RETURNED, or SENT. After a manual return is taken back, the result that is booked next decides.
 */
export function statusAfterReversal(
  { status, outstanding_amount, in_flight_amount, ach }: ReversedFacts,
  { settled, dishonored }: { settled: boolean; dishonored: boolean },
): InvoiceStatus {
  if (!status.endsWith('RETURNED')) return status
  if (!settled && in_flight_amount > 0) return 'PROCESSING'
  if (!dishonored || outstanding_amount <= 0) return status
  if (ach?.state === 'PARTIALLY_RETURNED') return 'PARTIALLY_RETURNED'
  return ach?.state === 'SETTLED' ? 'SENT' : status
}
