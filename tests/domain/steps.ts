import { allocate, shareReturn } from '#domain/allocation.ts'
import { addBusinessDays, addDays } from '#domain/calendar.ts'
import { canApprove } from '#domain/deduction.ts'
import {
  afterMoney,
  afterReturn,
  afterSettlement,
  allows,
  canApproveDeduction,
  canApproveWriteOff,
  canCancelRefund,
  canClose,
  canCollect,
  canEdit,
  canMarkSelfPay,
  canRefund,
  canReopen,
  canRetryAch,
  canRollover,
  canSuggestWriteOff,
  type InvoiceAction,
  takesByItself,
} from '#domain/invoice.ts'
import { reversalOf } from '#domain/ledger.ts'
import { judgeRefund, judgeRollover, overpaidOf } from '#domain/overpayment.ts'
import { counts, judgeNewRepayment, judgeReturn } from '#domain/repayment.ts'
import { canDecide, canReverse, judgeApproval, judgeSuggestion, lineOutstanding } from '#domain/write-off.ts'
import type { World, WorldInvoice, WorldRepayment } from '#tests/domain/world.ts'

/** What a random step brings: whom it meets, how much it takes, and which way it goes where there are two. */
export interface Chance {
  who: number
  /** Percent of what would fit; above 100 is too much, below 0 the wrong sign. */
  share: number
  way: number
}

const part = (amount: number, share: number): number => Math.trunc((amount * share) / 100)

/** Mostly an invoice whose status allows the action, sometimes any. */
function meet(world: World, action: InvoiceAction | null, { who, way }: Chance): WorldInvoice | undefined {
  const able = action && way % 7 !== 0 ? world.invoices.filter((each) => allows(each.status, action)) : []
  const among = able.length > 0 ? able : world.invoices
  return among[who % among.length]
}

const money = (world: World, invoice: WorldInvoice): void =>
  world.move(invoice, afterMoney(invoice.status, invoice.kept.outstanding_amount))

function settle(world: World, repayment: WorldRepayment): void {
  if (repayment.ach_state === 'PENDING') repayment.ach_state = 'COMPLETED'
  for (const { invoice_id, amount } of repayment.allocations) {
    const invoice = world.invoice(invoice_id)
    world.post({ kind: 'PAYMENT', amount, invoice_id, repayment_id: repayment.id })
    const own = invoice.debit === repayment.id
    if (own) invoice.debit = null
    const after = own ? afterSettlement : afterMoney
    world.move(invoice, after(invoice.status, invoice.kept.outstanding_amount))
  }
}

function add(world: World, repayment: Omit<WorldRepayment, 'id' | 'failed' | 'returned_amount'>): WorldRepayment {
  const added = { ...repayment, id: world.nextId(), failed: false, returned_amount: 0 }
  world.repayments.push(added)
  if (counts(added)) settle(world, added)
  return added
}

function giveBack(world: World, repayment: WorldRepayment, amount: number, code: string): void {
  const { unallocated_amount, allocations } = shareReturn(amount, world.left(repayment), repayment.unallocated_amount)
  repayment.unallocated_amount -= unallocated_amount
  repayment.returned_amount += amount
  for (const { invoice_id, amount: back } of allocations) {
    if (back === 0) continue
    const invoice = world.invoice(invoice_id)
    world.post({ kind: 'RETURN', amount: back, invoice_id, repayment_id: repayment.id })
    const allBack = world.left(repayment).every((each) => each.invoice_id !== invoice_id || each.amount === 0)
    if (invoice.ach) invoice.ach = { ...invoice.ach, return_code: code }
    const outstanding = invoice.kept.outstanding_amount
    world.move(invoice, afterReturn(invoice.status, { allBack, outstanding, debitUnderWay: invoice.debit !== null }))
  }
}

const codes = ['R01', 'R09', 'R02'] as const
const codeOf = (way: number): string => codes[way % codes.length] ?? 'R01'

/** Everything that may happen to the books. A step that the rules refuse changes nothing. */
export const steps = {
  issue(world: World, { share, way }: Chance): void {
    if (world.invoices.length < 6)
      world.issue(1 + Math.abs(share) * 137, [null, 500, 10_000][way % 3] ?? null, way % 9 === 0 ? 2 : 1)
  },

  wait(world: World, { who }: Chance): void {
    world.today = addBusinessDays(world.today, 1 + (who % 12))
  },

  report(world: World, chance: Chance): void {
    const drafts = world.invoices.filter((each) => each.status === 'DRAFT')
    const invoice = drafts[chance.who % (drafts.length || 1)]
    if (invoice) world.move(invoice, 'ON_DEDUCTION_FILE')
  },

  approveDeduction(world: World, chance: Chance): void {
    const invoice = meet(world, 'approve-deduction', chance)
    if (!invoice || canApproveDeduction(world.facts(invoice))) return
    const pending = invoice.writeOffs.filter((each) => each.status === 'PENDING').length
    if (canApprove({ status: 'PENDING', pending_write_offs: pending })) return
    world.does('approve-deduction', invoice)
    world.move(invoice, 'DEDUCTION_APPROVED')
    money(world, invoice)
  },

  send(world: World, { who, way, share }: Chance): void {
    const approved = world.invoices.filter((each) => each.status === 'DEDUCTION_APPROVED')
    const invoice = approved[who % (approved.length || 1)]
    if (!invoice) return
    world.move(invoice, way % 3 === 0 ? 'SENT' : 'SCHEDULED')
    if (invoice.status === 'SCHEDULED')
      invoice.ach = { return_code: null, retries: 0, first_debit_date: addDays(world.today, share % 3) }
  },

  submit(world: World, { who }: Chance): void {
    const scheduled = world.invoices.filter((each) => each.status === 'SCHEDULED' && each.kept.outstanding_amount > 0)
    const invoice = scheduled[who % (scheduled.length || 1)]
    if (!invoice) return
    const amount = invoice.kept.outstanding_amount
    world.move(invoice, 'PROCESSING')
    const debit = add(world, {
      amount,
      origin: 'ACH_ENTRY',
      ach_state: 'PENDING',
      allocations: [{ invoice_id: invoice.id, amount }],
      unallocated_amount: 0,
    })
    invoice.debit = debit.id
  },

  settle(world: World, { who }: Chance): void {
    const pending = world.repayments.filter((each) => each.ach_state === 'PENDING' && !each.failed)
    const repayment = pending[who % (pending.length || 1)]
    if (repayment) settle(world, repayment)
  },

  bounce(world: World, { who, way, share }: Chance): void {
    const pending = world.repayments.filter((each) => each.ach_state === 'PENDING' && !each.failed)
    const repayment = pending[who % (pending.length || 1)]
    if (!repayment) return
    const invoice = world.invoices.find((each) => each.debit === repayment.id)
    const some = part(repayment.amount, share)
    if (invoice && some > 0 && some < repayment.amount && way % 2 === 0) {
      // Some entries of the debit came back, the others are there.
      repayment.ach_state = 'COMPLETED'
      invoice.debit = null
      world.post({ kind: 'PAYMENT', amount: repayment.amount, invoice_id: invoice.id, repayment_id: repayment.id })
      world.post({ kind: 'RETURN', amount: some, invoice_id: invoice.id, repayment_id: repayment.id })
      repayment.returned_amount = some
      invoice.ach = { ...invoice.ach, return_code: codeOf(way) }
      const outstanding = invoice.kept.outstanding_amount
      const back = afterReturn(invoice.status, { allBack: false, outstanding })
      world.move(invoice, back === 'PROCESSING' ? afterSettlement(back, outstanding) : back)
      return
    }
    repayment.failed = true
    if (!invoice) return
    invoice.debit = null
    invoice.ach = { ...invoice.ach, return_code: codeOf(way) }
    world.move(invoice, afterReturn(invoice.status, { allBack: true, outstanding: invoice.kept.outstanding_amount }))
  },

  giveBack(world: World, { who, way, share }: Chance): void {
    const settled = world.repayments.filter((each) => each.ach_state === 'COMPLETED' && each.amount > 0)
    const repayment = settled[who % (settled.length || 1)]
    if (!repayment) return
    const amount = part(repayment.amount, share > 50 ? 100 : share)
    if (!judgeReturn(repayment, amount)) giveBack(world, repayment, amount, codeOf(way))
  },

  repay(world: World, { share, way }: Chance): void {
    const open = world.invoices
      .filter((each) => takesByItself(each.status))
      .map((each) => ({ ...each, outstanding_amount: each.kept.outstanding_amount }))
    const owed = open.reduce((sum, each) => sum + Math.max(0, each.outstanding_amount), 0)
    const amount = part(owed, Math.abs(share))
    const { allocations, unallocated_amount } = allocate(amount, open)
    if (
      judgeNewRepayment(
        { amount, allocations },
        world.invoices.map((each) => world.facts(each)),
      )
    )
      return
    for (const { invoice_id, amount: taken } of allocations) {
      const invoice = world.invoice(invoice_id)
      if (taken > invoice.kept.outstanding_amount) throw new Error(`${invoice.number} was allocated more than it owes`)
      world.does('add-repayment', invoice)
    }
    add(world, { amount, origin: 'USER', ach_state: way % 2 ? 'PENDING' : null, allocations, unallocated_amount })
  },

  repayOne(world: World, chance: Chance): void {
    const invoice = meet(world, 'add-repayment', chance)
    if (!invoice) return
    const amount = part(Math.max(100, invoice.kept.invoice_amount), chance.share)
    const allocations = [{ invoice_id: invoice.id, amount }]
    if (amount < 0 || judgeNewRepayment({ amount, allocations }, [world.facts(invoice)])) return
    world.does('add-repayment', invoice)
    const ach_state = chance.way % 3 === 0 ? 'PENDING' : chance.way % 3 === 1 ? 'COMPLETED' : null
    add(world, { amount, origin: 'USER', ach_state, allocations, unallocated_amount: 0 })
  },

  payBack(world: World, chance: Chance): void {
    const invoice = meet(world, 'negative-repayment', chance)
    if (!invoice) return
    const amount = part(overpaidOf(invoice.kept), -Math.abs(chance.share))
    const allocations = [{ invoice_id: invoice.id, amount }]
    if (judgeNewRepayment({ amount, allocations }, [world.facts(invoice)])) return
    world.does('negative-repayment', invoice)
    add(world, { amount, origin: 'USER', ach_state: null, allocations, unallocated_amount: 0 })
  },

  rollover(world: World, chance: Chance): void {
    const from = meet(world, 'rollover', chance)
    const amount = from ? part(overpaidOf(from.kept), chance.share) : 0
    const to = world.invoices.find((each) => each.status === 'DRAFT' && each.kept.outstanding_amount >= amount)
    if (!from || !to || canRollover(world.facts(from)) || judgeRollover(world.facts(from), amount)) return
    world.does('rollover', from)
    world.post({ kind: 'ROLLOVER_OUT', amount, invoice_id: from.id, counter_invoice_id: to.id })
    world.post({ kind: 'ROLLOVER_IN', amount, invoice_id: to.id, counter_invoice_id: from.id })
    from.creditTo.push(to.id)
    money(world, from)
  },

  refund(world: World, chance: Chance): void {
    const invoice = meet(world, 'refund', chance)
    const amount = invoice ? part(overpaidOf(invoice.kept), chance.share) : 0
    if (!invoice || canRefund(world.facts(invoice)) || judgeRefund(invoice.kept, amount)) return
    world.does('refund', invoice)
    const entry = world.post({ kind: 'ROLLOVER_OUT', amount, invoice_id: invoice.id })
    invoice.refund = { amount, entry }
    world.move(invoice, 'REFUND_IN_PROGRESS')
  },

  absorb(world: World, { who }: Chance): void {
    const waiting = world.invoices.filter((each) => each.refund)
    const from = waiting[who % (waiting.length || 1)]
    const amount = from?.refund?.amount ?? 0
    const to = world.invoices.find((each) => each.status === 'DRAFT' && each.kept.outstanding_amount >= amount)
    if (!from || !to) return
    world.post({ kind: 'ROLLOVER_IN', amount, invoice_id: to.id, counter_invoice_id: from.id })
    from.creditTo.push(to.id)
    from.refund = null
    if (from.status === 'REFUND_IN_PROGRESS') world.move(from, 'REFUNDED')
  },

  cancelRefund(world: World, chance: Chance): void {
    const invoice = meet(world, 'cancel-refund', chance)
    if (!invoice?.refund || canCancelRefund(world.facts(invoice))) return
    const entry = invoice.entries.find((each) => each.id === invoice.refund?.entry)
    if (!entry) return
    world.does('cancel-refund', invoice)
    const { id, ...undone } = entry
    world.post(reversalOf(undone, id))
    invoice.refund = null
    world.move(invoice, 'CLOSED')
  },

  suggest(world: World, chance: Chance): void {
    const invoice = meet(world, 'suggest-write-off', chance)
    const line = invoice?.lines[chance.way % 2]
    if (!invoice || !line || canSuggestWriteOff(world.facts(invoice))) return
    const amount = part(lineOutstanding(line), chance.share)
    if (judgeSuggestion({ amount, reason: 'FRAUD' }, line)) return
    world.does('suggest-write-off', invoice)
    line.pending_amount += amount
    const suggested = {
      line,
      suggested_amount: amount,
      approved_amount: 0,
      suggested_by: chance.way % 2,
      status: 'PENDING',
      entry: null,
    }
    invoice.writeOffs.push(suggested)
  },

  decide(world: World, chance: Chance): void {
    const invoice = meet(world, 'approve-write-off', chance)
    const writeOff = invoice?.writeOffs.findLast((each) => each.status === 'PENDING') ?? invoice?.writeOffs[0]
    if (!invoice || !writeOff) return
    if (chance.way % 5 === 0) {
      if (canDecide(writeOff)) return
      writeOff.status = 'REJECTED'
      writeOff.line.pending_amount -= writeOff.suggested_amount
      return
    }
    const amount = part(writeOff.suggested_amount, chance.share)
    if (canApproveWriteOff(world.facts(invoice)) || judgeApproval(writeOff, amount, chance.who % 2, false)) return
    world.does('approve-write-off', invoice)
    writeOff.line.pending_amount -= writeOff.suggested_amount
    writeOff.line.writeoff_amount += amount
    Object.assign(writeOff, { status: 'APPROVED', approved_amount: amount })
    writeOff.entry = world.post({ kind: 'WRITE_OFF', amount, invoice_id: invoice.id })
    money(world, invoice)
  },

  takeBack(world: World, chance: Chance): void {
    const invoice = meet(world, 'approve-write-off', chance)
    const writeOff = invoice?.writeOffs[chance.share % (invoice.writeOffs.length || 1)]
    const entry = invoice?.entries.find((each) => each.id === writeOff?.entry)
    if (!invoice || !writeOff || !entry || canReverse(writeOff) || canApproveWriteOff(world.facts(invoice))) return
    world.does('approve-write-off', invoice)
    const { id, ...undone } = entry
    world.post(reversalOf(undone, id))
    writeOff.line.writeoff_amount -= writeOff.approved_amount
    writeOff.status = 'REVERSED'
    money(world, invoice)
  },

  edit(world: World, chance: Chance): void {
    const invoice = meet(world, 'edit', chance)
    if (!invoice || canEdit(world.facts(invoice))) return
    world.does('edit', invoice)
    invoice.due_date = addDays(invoice.due_date, chance.share)
  },

  close(world: World, chance: Chance): void {
    const invoice = meet(world, 'close', chance)
    if (!invoice || canClose(world.facts(invoice))) return
    world.does('close', invoice)
    world.move(invoice, 'CLOSED')
  },

  reopen(world: World, chance: Chance): void {
    const invoice = meet(world, 'reopen', chance)
    if (!invoice || canReopen(world.facts(invoice))) return
    world.does('reopen', invoice)
    world.move(invoice, 'SENT')
  },

  retry(world: World, chance: Chance): void {
    const invoice = meet(world, 'retry-ach', chance)
    if (!invoice || canRetryAch(world.facts(invoice))) return
    world.does('retry-ach', invoice)
    invoice.ach = { ...invoice.ach, return_code: null, retries: (invoice.ach?.retries ?? 0) + 1 }
    world.move(invoice, 'SCHEDULED')
  },

  collect(world: World, chance: Chance): void {
    const invoice = meet(world, 'collect', chance)
    if (!invoice || canCollect(world.facts(invoice))) return
    world.does('collect', invoice)
    world.move(invoice, 'SENT')
  },

  selfPay(world: World, chance: Chance): void {
    const invoice = meet(world, 'mark-self-pay', chance)
    if (!invoice || canMarkSelfPay(world.facts(invoice))) return
    world.does('mark-self-pay', invoice)
    world.move(invoice, 'SENT')
  },
}
export type StepName = keyof typeof steps
export const stepNames = Object.keys(steps) as StepName[]
