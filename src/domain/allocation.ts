import { payableAmountOf } from '#domain/ach.ts'
import { daysBetween } from '#domain/calendar.ts'

export type InvoiceId = number | string

/** What an allocation reads of an invoice that may take money; `outstanding_amount` in cents. */
export interface OpenInvoice<Id extends InvoiceId = InvoiceId> {
  id: Id
  due_date: string | null
  issue_date: string | null
  outstanding_amount: number
  /** What a debit may still bring, for which no other money is taken by itself; missing is nothing. */
  unanswered_amount?: number | null
}

export interface Allocation<Id extends InvoiceId = InvoiceId> {
  invoice_id: Id
  amount: number
}

export interface Allocated<Id extends InvoiceId = InvoiceId> {
  allocations: Allocation<Id>[]
  unallocated_amount: number
}

/**
 * Splits whole cents by weights with the largest remainder; the parts always add up to the amount, of any sign. Equal
 * remainders go to the earlier part, weights that are all 0 count alike. Throws RangeError for an amount with no parts, or a
 * weight that is negative or not whole.
 */
export function split(amount: number, weights: readonly number[]): number[] {
  if (weights.length === 0) {
    if (amount === 0) return []
    throw new RangeError(`Nothing to split ${amount} over`)
  }
  if (weights.some((weight) => weight < 0)) throw new RangeError('A weight is negative')
  const even = weights.every((weight) => weight === 0)
  const shares = weights.map((weight) => (even ? 1n : BigInt(weight)))
  const total = shares.reduce((sum, share) => sum + share, 0n)
  const size = BigInt(Math.abs(amount))
  const parts = shares.map((share) => (size * share) / total)
  let left = Number(size - parts.reduce((sum, part) => sum + part, 0n))
  const remainders = shares.map((share, index) => ({ index, rest: (size * share) % total }))
  remainders.sort((a, b) => (a.rest === b.rest ? a.index - b.index : a.rest < b.rest ? 1 : -1))
  for (const { index } of remainders) {
    if (left-- <= 0) break
    parts[index] = (parts[index] ?? 0n) + 1n
  }
  return parts.map((part) => (amount < 0 && part !== 0n ? -Number(part) : Number(part)))
}

// An invoice without a date is younger than every one with a date.
const compare = (a: InvoiceId | null, b: InvoiceId | null): number =>
  a === b ? 0 : a === null ? 1 : b === null ? -1 : a < b ? -1 : 1

/** Sorts invoices for `allocate`: by due date, then issue date, then id. */
export const oldestFirst = (a: Omit<OpenInvoice, 'outstanding_amount'>, b: Omit<OpenInvoice, 'outstanding_amount'>): number =>
  compare(a.due_date, b.due_date) || compare(a.issue_date, b.issue_date) || compare(a.id, b.id)

/**
 * Allocates money to open invoices: the oldest due first, then by issue date, then by id, each at most what it owes and is
 * not on its way. What remains is unallocated, and so is all of an amount that is not positive.
 */
export function allocate<Id extends InvoiceId>(amount: number, open: readonly OpenInvoice<Id>[]): Allocated<Id> {
  const allocations: Allocation<Id>[] = []
  let left = amount
  for (const invoice of [...open].sort(oldestFirst)) {
    const part = Math.min(left, payableAmountOf(invoice))
    if (part <= 0) continue
    allocations.push({ invoice_id: invoice.id, amount: part })
    left -= part
  }
  return { allocations, unallocated_amount: left }
}

/** What comes back of a repayment, part by part. */
export interface ReturnShares<Id extends InvoiceId = InvoiceId> {
  /** Taken from what was not allocated. */
  unallocated_amount: number
  /** Taken from each allocation, in the order given; never more than it had. */
  allocations: Allocation<Id>[]
}

/**
 * Shares a return over a repayment: first what is unallocated, the rest over the allocations by largest remainder. `parts`
 * are what is left of each after earlier returns. Throws RangeError when more comes back than there is: judge it first.
 */
export function shareReturn<Id extends InvoiceId>(
  amount: number,
  parts: readonly Allocation<Id>[],
  unallocated: number,
): ReturnShares<Id> {
  const first = Math.min(amount, Math.max(0, unallocated))
  const allocated = parts.reduce((sum, part) => sum + part.amount, 0)
  if (amount < 0 || amount - first > allocated) throw new RangeError(`${amount} cannot come back of ${allocated + first}`)
  const weights = parts.map((part) => part.amount)
  const shares = split(amount - first, weights)
  return {
    unallocated_amount: first,
    allocations: parts.map(({ invoice_id }, index) => ({ invoice_id, amount: shares[index] ?? 0 })),
  }
}

/** What a suggestion is made from; `descriptor` is the bank's text, amounts in cents. */
export interface Incoming {
  amount: number
  descriptor: string | null
  date: string
}

export interface NumberedInvoice<Id extends InvoiceId = InvoiceId> extends OpenInvoice<Id> {
  /** As people read it: `INV-100123`. */
  number: string
}

/** Why a match was suggested: the descriptor names it, one amount fits, a run of amounts fits, or nothing better. */
export type MatchReason = 'NUMBER' | 'AMOUNT' | 'RUN' | 'OLDEST'

export interface Match<Id extends InvoiceId = InvoiceId> extends Allocated<Id> {
  reason: MatchReason
}

const digitsOf = (number: string): string => number.replace(/\D/g, '').replace(/^0+/, '')

/** The invoice numbers that a text names, without prefix and leading zeros: `INV-12`, `inv 12`, `INVOICE #0012`. */
export function numbersIn(text: string): Set<string> {
  const found = text.matchAll(/(?<![a-z])inv(?:oice)?s?[\s#:._-]*(?:no\.?|nr\.?)?[\s#:._-]*0*(\d+)/gi)
  return new Set([...found].map((match) => match[1] ?? ''))
}

/** The first run of neighbours, oldest first, that adds up to the amount. */
function runOf<Id extends InvoiceId>(amount: number, sorted: readonly NumberedInvoice<Id>[]): NumberedInvoice<Id>[] | null {
  let start = 0
  let sum = 0
  for (let end = 0; end < sorted.length; end++) {
    sum += sorted[end]?.outstanding_amount ?? 0
    while (start <= end && sum > amount) sum -= sorted[start++]?.outstanding_amount ?? 0
    if (sum === amount && end > start) return sorted.slice(start, end + 1)
  }
  return null
}

/**
 * Suggests where a repayment belongs: to the invoices that its descriptor names (the rest to the oldest), else to the one
 * that owes exactly this (the nearest due date wins), else to a run of the oldest that owes exactly this, else by `allocate`.
 */
export function suggestMatch<Id extends InvoiceId>(repayment: Incoming, open: readonly NumberedInvoice<Id>[]): Match<Id> {
  const { amount, descriptor, date } = repayment
  const owing = open
    .map((invoice) => ({ ...invoice, outstanding_amount: payableAmountOf(invoice), unanswered_amount: 0 }))
    .filter((invoice) => invoice.outstanding_amount > 0)
    .sort(oldestFirst)
  const named = numbersIn(descriptor ?? '')
  const namedInvoices = owing.filter((invoice) => named.has(digitsOf(invoice.number)))
  if (amount > 0 && namedInvoices.length > 0) {
    const first = allocate(amount, namedInvoices)
    const rest = allocate(
      first.unallocated_amount,
      owing.filter((invoice) => !namedInvoices.includes(invoice)),
    )
    return {
      reason: 'NUMBER',
      allocations: [...first.allocations, ...rest.allocations],
      unallocated_amount: rest.unallocated_amount,
    }
  }
  const away = (invoice: NumberedInvoice<Id>) => (invoice.due_date ? Math.abs(daysBetween(invoice.due_date, date)) : Infinity)
  const exact = owing.filter((invoice) => invoice.outstanding_amount === amount).sort((a, b) => away(a) - away(b) || 0)
  if (exact[0]) return { reason: 'AMOUNT', ...allocate(amount, exact.slice(0, 1)) }
  const run = runOf(amount, owing)
  if (run) return { reason: 'RUN', ...allocate(amount, run) }
  return { reason: 'OLDEST', ...allocate(amount, owing) }
}
