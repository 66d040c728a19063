import type { InvoiceStatus } from '#domain/invoice.ts'

/** One step of an invoice's life, and what sets it off. */
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

/** Every step there is (rules 2); an invoice that stays where it is makes none. */
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

/** Whether an invoice may go from the one status to the other; staying is no move. */
export const mayMove = (from: string, to: string): boolean => moves.some((move) => move.from === from && move.to === to)

/** The statuses from which an invoice may go to this one. */
export const waysTo = (to: InvoiceStatus): InvoiceStatus[] => [
  ...new Set(moves.filter((move) => move.to === to).map((move) => move.from)),
]

/** What became of the last debit of an invoice: not submitted yet, without a result, come back whole or in part. */
export type DebitFate = 'DATED' | 'IN_FLIGHT' | 'BACK' | 'PARTLY_BACK'

const fates: Readonly<Record<string, DebitFate>> = {
  SCHEDULED: 'DATED',
  SUBMITTED: 'IN_FLIGHT',
  RETURNED: 'BACK',
  PARTIALLY_RETURNED: 'PARTLY_BACK',
}

/** Money of a repayment that comes back. */
export interface ComingBack {
  origin: string
  /** The invoice that was debited for it; null where no debit is known. */
  debited_invoice_id: number | null
  /** All of it is back then. */
  whole: boolean
}

/** The debits of an invoice beside the one that comes back. */
export interface OtherDebits {
  /** One of them did not come back whole. */
  stand: boolean
  /** One of them has no result yet. */
  underWay: boolean
}

/**
 * What money that comes back makes of the debits of an invoice that it was for (D458); undefined where they are what they
 * were: it was no debit of this invoice, or the result of another one decides, since it could be debited twice at once.
 */
export function fateOfReturned(invoiceId: number, back: ComingBack, others: OtherDebits): 'BACK' | 'PARTLY_BACK' | undefined {
  if (back.origin !== 'ACH_ENTRY' || (back.debited_invoice_id ?? invoiceId) !== invoiceId || others.underWay) return undefined
  return back.whole && !others.stand ? 'BACK' : 'PARTLY_BACK'
}

/** What decides in which status money leaves an invoice; all amounts in cents. */
export interface MoneyFacts {
  status: InvoiceStatus
  outstanding: number
  /** What debits have taken and the bank has not answered: it is not debited again. */
  inFlight: number
  /** What of it nobody has answered, neither the bank nor a person. */
  unanswered: number
  /** Such a result is what the invoice waits for; false where what happened is the result. */
  awaited: boolean
  /** A person closed it: it then stays closed, whatever its money does. */
  closedByHand: boolean
  /** Null where there was no debit, or where it settled. */
  debit: DebitFate | null
  /** What happened is that money of its debit came back. */
  comesBack?: boolean
  /** Its last refund that was not cancelled. */
  refund: 'WAITING' | 'ABSORBED' | null
}

/** The facts of an invoice as its row, and the API, have it. */
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

const closesByItself: readonly string[] = ['DEDUCTION_APPROVED', 'SENT', 'RETURNED']

const reopenedTo: Readonly<Record<DebitFate, InvoiceStatus>> = {
  DATED: 'SCHEDULED',
  IN_FLIGHT: 'PROCESSING',
  BACK: 'RETURNED',
  PARTLY_BACK: 'PARTIALLY_RETURNED',
}

/** Where an invoice goes whose money does not cover it (any more): as its last debit says, else it is to be paid. */
const uncovered = ({ closedByHand, debit, unanswered }: MoneyFacts): InvoiceStatus =>
  closedByHand ? 'CLOSED' : debit ? reopenedTo[debit] : unanswered > 0 ? 'PROCESSING' : 'SENT'

/**
 * The status in which money leaves an invoice: the one function that everything asks after a money event, and at no other
 * time, so that a reopened invoice stays open (INV-018, rules 2). Nothing outstanding closes, also when exactly
 * nothing is, but not in PROCESSING while a result is awaited; a scheduled debit for which nothing is left, because the rest
 * is in flight, awaits it, too, or is collected by hand where a person has said that it came back. What closed by itself and is
 * no longer covered opens again. A refund that was absorbed leaves REFUNDED, or CLOSED while something is still overpaid.
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
      // What is left of a debit may come back later than its first part.
      return !owes ? 'CLOSED' : facts.comesBack && debit === 'BACK' ? 'RETURNED' : status
    default:
      return !owes && closesByItself.includes(status) ? 'CLOSED' : status
  }
}

/** What decides where an invoice goes of which a return is reversed; cents, as they are after the reversal. */
export interface ReversedFacts {
  status: InvoiceStatus
  outstanding_amount: number
  in_flight_amount: number
  /** Its last debit. */
  ach: { state: string } | null
}

/**
 * The status of an invoice of which a return is reversed, before its money is judged. A debit that never settled is in flight again,
 * and its result awaited. After a dishonor, an invoice that still owes something is what is left of its last debit: partly
 * returned, or to be paid. After a return by hand is taken back, the result that is booked next decides.
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
