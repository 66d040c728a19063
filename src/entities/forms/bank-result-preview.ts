import { dayOf, dayText } from '#domain/day-text.ts'
import type { BankResult } from '#contract/bank-results.ts'
import { getInvoice, type Invoice } from '#contract/invoices.ts'
import { getRepayment, type Repayment } from '#contract/repayments.ts'
import { shareReturn } from '#domain/allocation.ts'
import { bankResultStates, dishonorableReturn, isDishonor, isSettlement } from '#domain/bank-result.ts'
import type { InvoiceStatus } from '#domain/invoice.ts'
import { statusAfterReversal } from '#domain/invoice-life.ts'
import { bankResult } from '#entities/bank-result.ts'
import { invoiceHeads, lineOf, type Moves, previewOf } from '#entities/forms/invoice-preview.ts'
import { factsOfReturn } from '#entities/forms/return-preview.ts'
import { amountRow, statusRow } from '#entities/forms/preview-rows.ts'
import type { PreviewRow, Read } from '#kernel/command.ts'
import type { MoneyLines } from '#kernel/money-lines.ts'

/** The repayment of a bank result, its manual returns, its dishonored return, and the invoices of its money. */
export interface BankResultMoney {
  money: Repayment | null
  dishonored: Repayment | null
  byHand: readonly Repayment[]
  invoices: readonly Invoice[]
}

const sharesOf = (one: Repayment): Repayment['allocations'] => (one.failure === 'RETURNED' ? [] : one.allocations)

/** Reads what a bank result moves, for its own repayment or the one that the person chooses. */
export async function moneyOf(
  one: BankResult,
  read: Read,
  named: string | number | null = one.repayment_id,
): Promise<BankResultMoney> {
  if (named === null) return { money: null, dishonored: null, byHand: [], invoices: [] }
  const repayment = async (id: string | number) => read(getRepayment, { id })
  const hands = one.debit?.returns.filter((each) => each.by_hand) ?? []
  const returned = isDishonor(one.code) ? dishonorableReturn(one) : null
  const [money, dishonored, ...byHand] = await Promise.all([
    repayment(named),
    returned ? repayment(returned.id) : null,
    ...hands.map((each) => repayment(each.id)),
  ])
  const ids = new Set([money, dishonored, ...byHand].flatMap((each) => each?.allocations.map((share) => share.invoice_id) ?? []))
  if (one.invoice) ids.add(one.invoice.id)
  if (money?.debited_invoice_id) ids.add(money.debited_invoice_id)
  const invoices = await Promise.all([...ids].map((id) => read(getInvoice, { id })))
  return { money: money ?? null, dishonored: dishonored ?? null, byHand: byHand as Repayment[], invoices }
}

/** The versions of all records that a bank result moves. */
export const versionsOf = ({ invoices }: BankResultMoney): Record<string, number> =>
  Object.fromEntries(invoices.map((each) => [each.id, each.version]))

/** Whether a repayment is the last debit of an invoice, which determines its status. */
const isLast = ({ ach }: Invoice, { id }: Repayment): boolean => (ach?.repayment_id ?? id) === id

/**
 * The effects of a bank result on the repayment and on each invoice, booked in addition to existing returns or instead of the
 * manual ones.
 */
function bookingOf(one: BankResult, known: BankResultMoney, instead: boolean) {
  const { money, byHand, invoices } = known
  if (!money) return null
  if (isDishonor(one.code)) return dishonorOf(money, known)
  const taken = instead ? byHand : []
  const restored = new Map(sharesOf(money).map((share) => [share.invoice_id, share.amount]))
  for (const share of taken.flatMap((each) => each.allocations))
    restored.set(share.invoice_id, (restored.get(share.invoice_id) ?? 0) - share.amount)
  const unallocated = money.unallocated_amount - taken.reduce((sum, each) => sum + each.unallocated_amount, 0)
  const shares = [...restored].map(([invoice_id, amount]) => ({ invoice_id, amount }))
  const settles = isSettlement(one.code)
  const held = shares.reduce((sum, share) => sum + share.amount, unallocated)
  if (!settles && one.amount > held) return null
  const parts = settles ? { allocations: [], unallocated_amount: 0 } : shareReturn(one.amount, shares, unallocated)
  const back = parts.allocations
  const counted = money.ach_state !== 'PENDING'
  const returned = money.amount - held + (settles ? 0 : one.amount)
  const touched = invoices.map((invoice): { invoice: Invoice; moves: Moves } => {
    const whole = restored.get(invoice.id) ?? 0
    const after = whole - (back.find((part) => part.invoice_id === invoice.id)?.amount ?? 0)
    const share = sharesOf(money).find((each) => each.invoice_id === invoice.id)?.amount ?? 0
    const before = counted ? share : 0
    // Instead of the manual returns: what they kept from being debited again is released.
    const freed = counted ? whole - share : whole - after
    // While another debit of the invoice is in flight, its result is awaited.
    const underWay = invoice.unanswered_amount > (counted ? 0 : share)
    const in_flight_amount = Math.max(0, invoice.in_flight_amount - (settles ? whole : freed))
    const unanswered = invoice.unanswered_amount - (counted ? 0 : whole - after)
    return {
      invoice: {
        ...invoice,
        in_flight_amount,
        unanswered_amount: settles || instead ? in_flight_amount : Math.max(0, unanswered),
      },
      moves: {
        paid: counted || settles ? after - before : 0,
        validated: true,
        ...(taken.length > 0 ? afterTakingBack(invoice, counted, whole - before) : {}),
        facts: !settles
          ? factsOfReturn(money, invoice, returned >= money.amount)
          : underWay
            ? {}
            : { awaited: false, ...(isLast(invoice, money) ? { debit: returned === 0 ? null : 'PARTLY_BACK' } : {}) },
      },
    }
  })
  return { money, returned, unallocated: unallocated - parts.unallocated_amount, touched }
}

/** The effect of a dishonor: the money of the return is back with the debit, which counts as settled if all of it had been returned. */
function dishonorOf(money: Repayment, { dishonored, invoices }: BankResultMoney) {
  if (!dishonored) return null
  const settledBefore = money.ach_state !== 'PENDING'
  const settles = !settledBefore && money.returned_amount === money.amount
  const returned = money.returned_amount + dishonored.amount
  const kept = settledBefore || settles ? 'SETTLED' : 'SUBMITTED'
  const state: NonNullable<Invoice['ach']>['state'] = returned === 0 ? kept : 'PARTIALLY_RETURNED'
  const touched = invoices.map((invoice): { invoice: Invoice; moves: Moves } => {
    const restored = -(dishonored.allocations.find((share) => share.invoice_id === invoice.id)?.amount ?? 0)
    const own = invoice.id === money.debited_invoice_id ? -dishonored.amount : 0
    const inFlight = settledBefore || settles ? (dishonored.by_hand ? -own : 0) : dishonored.by_hand ? 0 : own
    const paid = settledBefore || settles ? restored : 0
    const after = {
      ...invoice,
      in_flight_amount: Math.max(0, invoice.in_flight_amount + inFlight),
      unanswered_amount: invoice.unanswered_amount + (settledBefore || settles ? 0 : own),
      ach: invoice.ach && isLast(invoice, money) ? { ...invoice.ach, state } : invoice.ach,
    }
    const reversed = {
      ...after,
      outstanding_amount: invoice.outstanding_amount - paid,
      in_flight_amount: settles ? own : after.in_flight_amount,
    }
    const status = statusAfterReversal(reversed, { settled: settledBefore, dishonored: true })
    return { invoice: after, moves: { paid, validated: true, status } }
  })
  return { money, returned, unallocated: money.unallocated_amount - dishonored.unallocated_amount, touched }
}

/** Before and after of a bank result that is booked in addition to existing returns, or instead of the manual ones. */
export function previewBooking(one: BankResult, known: BankResultMoney, instead: boolean): PreviewRow[] {
  const booking = bookingOf(one, known, instead)
  if (!booking) return []
  const { money, returned, unallocated, touched } = booking
  return [
    ...statusRow(bankResult.title(one), bankResultStates, one.state, 'BOOKED'),
    ...amountRow(money.reference_id, 'returned', money.returned_amount, returned),
    ...amountRow(money.reference_id, 'unallocated', money.unallocated_amount, unallocated),
    ...touched.flatMap(({ invoice, moves }) => previewOf(invoice, moves)),
  ]
}

/** The same as lines of a money form. */
export function linesOfBooking(one: BankResult, known: BankResultMoney, instead: boolean): MoneyLines | null {
  const booking = bookingOf(one, known, instead)
  return (
    booking && { ...invoiceHeads('Paid'), lines: booking.touched.map(({ invoice, moves }) => lineOf(invoice, moves)), sums: [] }
  )
}

/** Warning about a result with a date on which the bank cannot have answered: the date on which it takes effect when booked. */
export const dateOfBooking = ({ problem, effective_date, debit }: BankResult): string =>
  problem !== 'DATE_WRONG' || !debit
    ? ''
    : effective_date < debit.debited_on
      ? `It counts from ${dayText(dayOf(debit.debited_on))}, the day of the debit. `
      : 'It counts from today. '

/** State of an invoice after the manual returns are taken back: its debit is awaited again, or it is paid again. */
function afterTakingBack(
  { status, outstanding_amount }: Invoice,
  counted: boolean,
  restored: number,
): { status?: InvoiceStatus } {
  if (!status.endsWith('RETURNED')) return {}
  if (!counted) return { status: 'PROCESSING' }
  return outstanding_amount <= restored ? { status: 'CLOSED' } : {}
}
