import { payableAmountOf } from '#domain/ach.ts'
import { daysBetween } from '#domain/calendar.ts'

export type InvoiceId = number | string

/** The data of an invoice that an allocation needs; `outstanding_amount` in cents. */
export interface OpenInvoice<Id extends InvoiceId = InvoiceId> {
  id: Id
  due_date: string | null
  issue_date: string | null
  outstanding_amount: number
  /** What a debit may still bring, for which no other money is allocated automatically; defaults to 0. */
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
 * Splits whole cents by weights with the largest remainder method; the parts always add up to the amount, whatever its sign.
 * Equal remainders go to the earlier part; weights that are all 0 count as equal. Throws RangeError for an amount without
 * parts, or a weight that is negative or not an integer.
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

// An invoice without a date sorts after all dated ones.
const compare = (a: InvoiceId | null, b: InvoiceId | null): number =>
  a === b ? 0 : a === null ? 1 : b === null ? -1 : a < b ? -1 : 1

/** Sorts invoices for `allocate`: by due date, then issue date, then id. */
export const oldestFirst = (a: Omit<OpenInvoice, 'outstanding_amount'>, b: Omit<OpenInvoice, 'outstanding_amount'>): number =>
  compare(a.due_date, b.due_date) || compare(a.issue_date, b.issue_date) || compare(a.id, b.id)

/**
 * Allocates money to open invoices: oldest due date first, then by issue date, then by id, each at most its outstanding amount
 * less what is in flight. The remainder is unallocated, as is all of an amount that is not positive.
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

/** The shares of a return in a repayment. */
export interface ReturnShares<Id extends InvoiceId = InvoiceId> {
  /** Taken from the unallocated amount. */
  unallocated_amount: number
  /** Taken from each allocation, in the order given; never more than it has. */
  allocations: Allocation<Id>[]
}

/**
 * Distributes a return over a repayment: first from the unallocated amount, the rest over the allocations by largest remainder.
 * `parts` are what earlier returns left of each. Throws RangeError if more is returned than there is: validate first.
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

/** Input of a suggestion; `descriptor` is the bank's text, amounts in cents. */
export interface Incoming {
  amount: number
  descriptor: string | null
  date: string
}

export interface NumberedInvoice<Id extends InvoiceId = InvoiceId> extends OpenInvoice<Id> {
  /** As shown to people: `INV-100123`. */
  number: string
}

/** Why a match was suggested: the descriptor names it, one amount fits, consecutive amounts fit, or none of these. */
export type MatchReason = 'NUMBER' | 'AMOUNT' | 'RUN' | 'OLDEST'

export interface Match<Id extends InvoiceId = InvoiceId> extends Allocated<Id> {
  reason: MatchReason
}

const digitsOf = (number: string): string => number.replace(/\D/g, '').replace(/^0+/, '')

/** The invoice numbers in a text, without prefix and leading zeros: `INV-12`, `inv 12`, `INVOICE #0012`. */
export function numbersIn(text: string): Set<string> {
  const found = text.matchAll(/(?<![a-z])inv(?:oice)?s?[\s#:._-]*(?:no\.?|nr\.?)?[\s#:._-]*0*(\d+)/gi)
  return new Set([...found].map((match) => match[1] ?? ''))
}

/** The first consecutive invoices, oldest first, that add up to the amount. */
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
 * Suggests an allocation of a repayment: to the invoices named in its descriptor (the rest to the oldest), else to the one that
 * owes exactly this amount (the nearest due date wins), else to consecutive invoices that do, else by `allocate`.
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
