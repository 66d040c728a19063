import type { RetryFacts } from '#domain/ach.ts'
import { type Allocation, split } from '#domain/allocation.ts'
import { addDays } from '#domain/calendar.ts'
import { type InvoiceAction, type InvoiceFacts, type InvoiceStatus, mayMove } from '#domain/invoice.ts'
import { type Entry, identityHolds, type Totals, totalsOf, waitingCredit } from '#domain/ledger.ts'
import { type AchState, counts, type Origin } from '#domain/repayment.ts'
import { cellOf } from '#tests/domain/action-table.ts'

export interface WorldLine {
  original_amount: number
  writeoff_amount: number
  pending_amount: number
}

export interface WorldWriteOff {
  line: WorldLine
  suggested_amount: number
  approved_amount: number
  suggested_by: number
  status: string
  entry: number | null
}

export interface WorldInvoice {
  id: number
  number: string
  status: InvoiceStatus
  issue_date: string
  due_date: string
  /** Kept by adding to them, never by replaying the entries. */
  kept: Totals
  entries: (Entry & { id: number })[]
  lines: WorldLine[]
  writeOffs: WorldWriteOff[]
  ach: RetryFacts | null
  /** The repayment of the debit that is under way. */
  debit: number | null
  /** Invoices that took credit of this one. */
  creditTo: number[]
  refund: { amount: number; entry: number } | null
  percentage: number | null
  accounts: number
}

export interface WorldRepayment {
  id: number
  amount: number
  origin: Origin
  ach_state: AchState | null
  failed: boolean
  allocations: Allocation<number>[]
  unallocated_amount: number
  returned_amount: number
}

/** One debtor's books, moved only by the rules of the domain. */
export class World {
  today = '2026-01-05'
  invoices: WorldInvoice[] = []
  repayments: WorldRepayment[] = []
  /** What the running step did, with the status in which it did it. */
  done: { action: InvoiceAction; status: string }[] = []
  moved: { from: InvoiceStatus; to: InvoiceStatus }[] = []
  #ids = 0

  nextId(): number {
    this.#ids += 1
    return this.#ids
  }

  issue(original: number, percentage: number | null, accounts: number): WorldInvoice {
    const id = this.nextId()
    const invoice: WorldInvoice = {
      id,
      number: `INV-${id}`,
      status: 'DRAFT',
      issue_date: this.today,
      due_date: addDays(this.today, 10),
      kept: totalsOf([]),
      entries: [],
      lines: split(original, [1, 2]).map((amount) => ({ original_amount: amount, writeoff_amount: 0, pending_amount: 0 })),
      writeOffs: [],
      ach: null,
      debit: null,
      creditTo: [],
      refund: null,
      percentage,
      accounts,
    }
    this.invoices.push(invoice)
    this.post({ kind: 'ORIGINAL', amount: original, invoice_id: id })
    return invoice
  }

  invoice(id: number | string): WorldInvoice {
    const found = this.invoices.find((invoice) => invoice.id === id)
    if (!found) throw new Error(`No invoice ${id}`)
    return found
  }

  facts(invoice: WorldInvoice): InvoiceFacts & { id: number; debtor: number } {
    return {
      id: invoice.id,
      debtor: 1,
      status: invoice.status,
      invoice_amount: invoice.kept.invoice_amount,
      paid_amount: invoice.kept.paid_amount,
      outstanding_amount: invoice.kept.outstanding_amount,
      due_date: invoice.due_date,
      active_account_count: invoice.accounts,
      credit_used: invoice.creditTo.some((id) => this.invoice(id).status !== 'DRAFT'),
      allowed_rollover_percentage: invoice.percentage,
      pending_write_offs: invoice.writeOffs.filter((each) => each.status === 'PENDING').length,
      refund: invoice.refund && { state: 'WAITING' },
      ach: invoice.ach,
      as_of: this.today,
    }
  }

  /** Appends an entry and adds it to the kept totals. */
  post(entry: Entry): number {
    const invoice = this.invoice(entry.invoice_id)
    const { kept } = invoice
    const { amount } = entry
    if (entry.kind === 'ORIGINAL') kept.original_amount += amount
    if (entry.kind === 'WRITE_OFF') kept.writeoff_amount += amount
    if (entry.kind === 'ROLLOVER_IN') kept.rollover_in_amount += amount
    if (entry.kind === 'ROLLOVER_OUT') kept.rollover_out_amount += amount
    if (entry.kind === 'PAYMENT') kept.paid_amount += amount
    if (entry.kind === 'RETURN' || entry.kind === 'ROLLOVER_OUT') kept.paid_amount -= amount
    if (entry.kind === 'ORIGINAL') kept.invoice_amount += amount
    if (entry.kind === 'WRITE_OFF' || entry.kind === 'ROLLOVER_IN') kept.invoice_amount -= amount
    const owes = entry.kind === 'ORIGINAL' || entry.kind === 'RETURN' || entry.kind === 'ROLLOVER_OUT'
    kept.outstanding_amount += owes ? amount : -amount
    const id = this.nextId()
    invoice.entries.push({ ...entry, id })
    return id
  }

  /** Notes an action before it changes anything. */
  does(action: InvoiceAction, invoice: WorldInvoice): void {
    this.done.push({ action, status: invoice.status })
  }

  move(invoice: WorldInvoice, to: InvoiceStatus): void {
    if (to === invoice.status) return
    this.moved.push({ from: invoice.status, to })
    invoice.status = to
  }

  /** What is left of a repayment on each invoice, after returns. */
  left(repayment: WorldRepayment): Allocation<number>[] {
    return repayment.allocations.map(({ invoice_id }) => {
      const own = this.invoice(invoice_id).entries.filter((entry) => entry.repayment_id === repayment.id)
      return { invoice_id, amount: totalsOf(own).paid_amount }
    })
  }
}

const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0)

/** Every sentence that has to be true between two steps, and is not; empty when all hold. */
export function broken(world: World): string[] {
  const faults: string[] = []
  const holds = (truth: boolean, fault: string) => {
    if (!truth) faults.push(fault)
  }
  for (const invoice of world.invoices) {
    const replayed = totalsOf(invoice.entries)
    holds(identityHolds(invoice.kept), `${invoice.number} breaks the identity`)
    holds(JSON.stringify(replayed) === JSON.stringify(invoice.kept), `${invoice.number} replays to other totals`)
    const approved = invoice.writeOffs.filter((each) => each.status === 'APPROVED').map((each) => each.approved_amount)
    holds(sum(approved) === invoice.kept.writeoff_amount, `${invoice.number} has written off what nobody approved`)
    for (const line of invoice.lines)
      holds(
        line.writeoff_amount + line.pending_amount <= line.original_amount && line.pending_amount >= 0,
        `${invoice.number} writes off more than a line holds`,
      )
    holds(
      (invoice.status === 'PROCESSING') === (invoice.debit !== null),
      `${invoice.number} is not PROCESSING just while a debit is`,
    )
  }
  const entries = world.invoices.flatMap((invoice) => invoice.entries)
  const waiting = sum(world.invoices.map((invoice) => invoice.refund?.amount ?? 0))
  holds(waitingCredit(entries) === waiting, 'credit came from nowhere, or went nowhere')
  for (const repayment of world.repayments) {
    const own = totalsOf(entries.filter((entry) => entry.repayment_id === repayment.id)).paid_amount
    const expected = counts(repayment) ? repayment.amount - repayment.returned_amount - repayment.unallocated_amount : 0
    holds(own === expected, `REP-${repayment.id} pays ${own} instead of ${expected}`)
    holds(repayment.amount < 0 || repayment.unallocated_amount >= 0, `REP-${repayment.id} is allocated more than it holds`)
  }
  for (const { action, status } of world.done) holds(cellOf(status, action) === 'y', `${action} happened in ${status}`)
  for (const { from, to } of world.moved) holds(mayMove(from, to), `an invoice went from ${from} to ${to}`)
  return faults
}
