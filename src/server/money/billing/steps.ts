import { sql } from 'kysely'
import { debitDateFor, fittedDebit, openAmountOf } from '#domain/ach.ts'
import { lastWaitedFor } from '#domain/bank-result.ts'
import { addBusinessDays, isBusinessDay } from '#domain/calendar.ts'
import { partsToWork, workPart } from '#server/money/billing/demo-days.ts'
import { billingTermsOf, draftFirst, draftNext, fillDraft } from '#server/money/billing/drafts.ts'
import type { Place } from '#server/money/billing/people.ts'
import { type PaymentProcessor, traceNumberOf } from '#server/money/billing/processor.ts'
import {
  configurationsToRecalculate,
  employersToOpen,
  openNextPeriods,
  recalculateLimits,
} from '#server/money/billing/work-periods.ts'
import { type Candidate, isIn, type Share, shareOf } from '#server/tables/shares.ts'
import { takeBankResult } from '#server/money/bank-results/take.ts'
import { absorbRefunds } from '#server/money/credits/absorb-refunds.ts'
import { addAchRepayment } from '#server/money/repayments/ach.ts'
import { Refused } from '#server/http-error.ts'
import { selectAll } from '#server/postgres/select.ts'
import { effectiveRow } from '#server/tables/configurations.ts'
import type { Tx } from '#server/tables/database.ts'
import { debitWithoutAccount, lockDebitAccount } from '#server/tables/debit-accounts.ts'
import { scheduleDebit } from '#server/tables/debits.ts'
import { deductionsToDeliver, deliverDeductionOf } from '#server/money/deductions/deliver.ts'
import { approveDeductionOf, lockDeduction, whyNotApproved } from '#server/tables/deductions.ts'
import { lockInvoice, numberOf } from '#server/tables/invoices.ts'
import { moneyMoved, service } from '#server/tables/ledger.ts'
import { isRow, keyOf } from '#server/tables/rows.ts'
import { extendPayGroup, keepPayGroupOf, payGroupsToBegin, payGroupsToExtend } from '#server/tables/pay-groups.ts'
import { makePartition, monthsWithoutPartition } from '#server/tables/partitions.ts'

/** One round of the clock over a share of the organizations. */
export interface Round {
  /** Null to find work of every share. */
  share: Share
  /** The business date. */
  today: string
  now: Date
  /** Null where no processor is configured: debits then wait. */
  processor: PaymentProcessor | null
  /** Keys of the drafts whose lines are complete; only these are reported. */
  filled: Set<string>
  /** Number of parts of the demo company in this share with work up to today. */
  worked: number
}

/** The kinds of work that the summary counts. */
export type Done =
  | 'drafted'
  | 'reported'
  | 'approved'
  | 'delivered'
  | 'sent'
  | 'scheduled'
  | 'submitted'
  | 'settled'
  | 'returned'
  | 'dishonored'
  | 'unmatched'
  | 'extended'

/** What one transaction did, and for whom the next one goes on; null if the work is complete. */
export interface Part {
  done: readonly Done[]
  next: Place | null
}

/** One kind of scheduled work: finds what is due, and handles each in a transaction of its own, or in several. */
export interface Step {
  name: string
  /** Candidates of the round's share that may be due, oldest first; checked again under their lock. */
  due: (tx: Tx, round: Round) => Promise<Candidate[]>
  /**
   * Runs once for a key; returns what was done, nothing if it was done before or is not due. Work for all people of employers is
   * done for some of them in a transaction (`from`), and finds by the stored data what is left after an interruption.
   */
  runStep: (tx: Tx, key: string, round: Round, from: Place) => Promise<readonly Done[] | Part>
}

/** Closes a finished work period and opens the next one before its advances are billed. */
const openPeriods: Step = {
  name: 'open the next work periods',
  due: (tx, { today, share }) => employersToOpen(tx, today, share),
  runStep: async (tx, key, { today }, from) => ({ done: [], next: await openNextPeriods(tx, Number(key), today, from) }),
}

/** Recalculates withdrawal limits after a configuration was saved. */
const recalculate: Step = {
  name: 'reckon limits',
  due: (tx, { share }) => configurationsToRecalculate(tx, share),
  runStep: async (tx, key, _, from) => ({ done: [], next: await recalculateLimits(tx, Number(key), from) }),
}

/** Adds a day's earnings of the demo's people before their advances are billed. */
const work: Step = {
  name: 'work in the demo',
  due: (tx, { today, share }) => partsToWork(tx, today, share),
  runStep: async (tx, key, round) => {
    round.worked += await workPart(tx, key, round)
    return []
  },
}

/** Bills an employer that went live from the current period on. */
const begin: Step = {
  name: 'draft the first invoices',
  due: (tx, { today, share }) => payGroupsToBegin(tx, today, share),
  runStep: async (tx, key, { today }) => Array<Done>(await draftFirst(tx, Number(key), today)).fill('drafted'),
}

const fill: Step = {
  name: 'fill a draft',
  due: reported,
  runStep: async (tx, key, { now, filled }, from) => {
    const { made, next } = await fillDraft(tx, Number(key), now, from)
    if (next === null) filled.add(key)
    return { done: Array<Done>(made).fill('drafted'), next }
  },
}

function reported(tx: Tx, { today, share }: Round): Promise<Candidate[]> {
  return selectAll<Candidate>(tx)`
    select i.id::text as key, ${shareOf('e.organization_id')} as share from invoices i join employers e on e.id = i.employer_id
    where i.status = 'DRAFT' and i.report_date <= ${today} and ${isIn(share, 'e.organization_id')} order by i.report_date, i.id`
}

/** At the report date of a DRAFT: absorbs refunds, freezes the lines, creates the deduction and the next DRAFT. */
const report: Step = {
  name: 'report',
  due: async (tx, round) => (await reported(tx, round)).filter(({ key }) => round.share === null || round.filled.has(key)),
  runStep: async (tx, key, { today, now }) => {
    const draft = await keyOf(tx, 'invoices', Number(key))
    if (!draft) return []
    await keepPayGroupOf(tx, draft)
    const invoice = await absorbRefunds(tx, draft, now)
    if (!invoice || invoice.report_date > today) return []
    await sql`insert into deductions (organization_id, invoice_id) values (${invoice.organization_id}, ${invoice.id})
      on conflict do nothing`.execute(tx)
    await moneyMoved([invoice], {
      tx,
      mover: service,
      intent: 'invoice.report',
      event: 'Put on the deduction file',
      now,
      status: () => 'ON_DEDUCTION_FILE',
    })
    const made = await draftNext(tx, invoice, today)
    return ['reported', ...Array<Done>(made).fill('drafted')]
  },
}

/** Approves automatically where configured, once no write-off is pending. */
const approve: Step = {
  name: 'approve',
  due: (tx, { share }) =>
    selectAll<Candidate>(tx)`
      select d.id::text as key, ${shareOf('e.organization_id')} as share from deductions d
      join invoices i on i.id = d.invoice_id and i.organization_id = d.organization_id
      join employers e on e.id = i.employer_id
      where d.status = 'PENDING' and i.status = 'ON_DEDUCTION_FILE' and i.auto_approve_ewa_file and ${isIn(share, 'e.organization_id')}
        and not exists (select from write_offs w
          where w.organization_id = i.organization_id and w.invoice_id = i.id and w.status = 'PENDING') order by d.id`,
  runStep: async (tx, key, { now }) => {
    const deduction = await lockDeduction(tx, null, Number(key))
    if (!deduction?.invoice.auto_approve_ewa_file || whyNotApproved(deduction)) return []
    await approveDeductionOf(tx, service, deduction, now)
    return ['approved']
  },
}

/** Delivers at once where configured; a file with an unidentified employee waits for a person. */
const deliver: Step = {
  name: 'deliver',
  due: (tx, { share }) => deductionsToDeliver(tx, share),
  runStep: async (tx, key, { now }) => {
    const deduction = await lockDeduction(tx, null, Number(key))
    if (deduction?.status !== 'APPROVED') return []
    try {
      await deliverDeductionOf(tx, service, deduction, now)
      return ['delivered']
    } catch (error) {
      if (error instanceof Refused) return []
      throw error
    }
  },
}

/**
 * Sends an approved invoice when the deadline after its report date has come, or schedules its debit as many business days before
 * the due date as the bank needs.
 */
const send: Step = {
  name: 'send',
  due: (tx, { today, share }) =>
    // As many days as the deadline has business days are the least: a round must not lock every invoice that waits.
    selectAll<Candidate>(tx)`
      select i.id::text as key, ${shareOf('e.organization_id')} as share from invoices i join employers e on e.id = i.employer_id
      left join lateral ${effectiveRow('lms_configurations', sql.ref('e.id'), sql.ref('e.organization_id'))} terms on true
      where i.status = 'DEDUCTION_APPROVED' and i.report_date + coalesce(terms.invoice_deadline, 0) <= ${today}::date
        and ${isIn(share, 'e.organization_id')} order by i.report_date, i.id`,
  runStep: async (tx, key, { today, now }) => {
    const invoice = await lockInvoice(tx, null, Number(key))
    if (invoice?.status !== 'DEDUCTION_APPROVED') return []
    const { deadline } = await billingTermsOf(tx, invoice.employer_id)
    if (addBusinessDays(invoice.report_date, deadline ?? 0) > today) return []
    const byDebit = invoice.payment_method === 'AUTO_ACH' && openAmountOf(invoice) > 0
    if (byDebit) await scheduleDebit(tx, invoice, debitDateFor(invoice.due_date, invoice.ach_processing_days, today), 0)
    await moneyMoved([invoice], {
      tx,
      mover: service,
      intent: byDebit ? 'invoice.schedule-debit' : 'invoice.send',
      event: byDebit ? 'Debit scheduled' : 'Sent',
      now,
      status: () => (byDebit ? 'SCHEDULED' : 'SENT'),
    })
    return [byDebit ? 'scheduled' : 'sent']
  },
}

/**
 * Submits a scheduled debit on its date and creates its repayment. Without an active account of the debtor it waits for one, and
 * goes on the next banking day.
 */
const submit: Step = {
  name: 'submit',
  due: async (tx, { today, processor, share }) =>
    processor === null || !isBusinessDay(today)
      ? []
      : selectAll<Candidate>(tx)`
          select d.invoice_id::text as key, ${shareOf('employer.organization_id')} as share
          from ach_debits d join invoices e on e.id = d.invoice_id and e.organization_id = d.organization_id
          join employers employer on employer.id = e.employer_id
          where d.state = 'SCHEDULED' and d.debit_date <= ${today} and e.status = 'SCHEDULED' and not (${debitWithoutAccount})
            and ${isIn(share, 'employer.organization_id')}
          order by d.debit_date, d.id`,
  runStep: async (tx, key, { today, now, processor }) => {
    const invoice = await lockInvoice(tx, null, Number(key))
    if (invoice?.status !== 'SCHEDULED' || !processor) return []
    const moved = { tx, mover: service, intent: 'invoice.submit-debit', now }
    const amount = fittedDebit(invoice)
    if (amount === null) {
      // Re-evaluated, the invoice waits for the debit in flight, or is collected by hand.
      await moneyMoved([invoice], { ...moved, event: 'Debit cancelled' })
      return []
    }
    const { rows } = await sql<{ id: number }>`
      select id from ach_debits
      where organization_id = ${invoice.organization_id} and invoice_id = ${invoice.id} and state = 'SCHEDULED' and debit_date <= ${today} for update`.execute(
      tx,
    )
    const [debit] = rows
    if (!debit) return []
    const account = await lockDebitAccount(tx, invoice)
    if (!account) return []
    const { routing_number, account_number } = account
    const order = { trace_number: traceNumberOf(debit.id), amount, routing_number, account_number }
    await sql`update ach_debits set state = 'SUBMITTED', amount = ${order.amount}, trace_number = ${order.trace_number},
      submitted_on = ${today}, updated_at = ${now} 
      where ${isRow('ach_debits', { id: debit.id, organization_id: invoice.organization_id })}`.execute(tx)
    await addAchRepayment(tx, invoice, {
      id: debit.id,
      amount: order.amount,
      debit_date: today,
      account,
      descriptor: `EWA ${numberOf(invoice.id)}`,
      addenda: `TRN*1*${order.trace_number}`,
    })
    await processor.submit(tx, [order], today)
    await moneyMoved([invoice], { ...moved, event: 'Debit submitted', status: () => 'PROCESSING' })
    return ['submitted']
  },
}

/**
 * Processes bank results on their effective date, or immediately if it is too far ahead to wait for; settlements before returns of
 * the same day.
 */
const take: Step = {
  name: 'take a result',
  due: (tx, { today, share }) =>
    selectAll<Candidate>(tx)`
      select r.id::text as key, ${shareOf('e.organization_id')} as share
      from ach_results r left join ach_debits d on d.trace_number = r.trace_number
      left join invoices i on i.id = d.invoice_id and i.organization_id = d.organization_id
      left join employers e on e.id = i.employer_id
      where r.taken_at is null and (r.effective_date <= ${today} or r.effective_date > ${lastWaitedFor(today)})
        and ${isIn(share, 'e.organization_id')}
      order by r.effective_date, r.trace_number, r.code <> 'SETTLED', r.id`,
  runStep: async (tx, key, round) => {
    const done = await takeBankResult(tx, Number(key), round)
    return done ? [done] : []
  },
}

/** Extends the periods of pay groups to a year ahead (docs/rules/calendars.md). */
const extend: Step = {
  name: 'extend',
  due: (tx, { today, share }) => payGroupsToExtend(tx, today, share),
  runStep: async (tx, key, { today }) => ((await extendPayGroup(tx, Number(key), today)) ? ['extended'] : []),
}

/** Creates the partitions of transactions for the coming months before they are needed, ahead of the other steps. */
export const partition: Step = {
  name: 'make a partition',
  due: async (tx, round) => (await monthsWithoutPartition(tx, round)).map((key) => ({ key, share: 0 })),
  runStep: async (tx, month) => {
    await makePartition(tx, month)
    return []
  },
}

/** Ordered so that an invoice goes as far in one round as its dates allow. */
export const steps: readonly Step[] = [
  openPeriods,
  recalculate,
  work,
  take,
  begin,
  fill,
  report,
  approve,
  deliver,
  send,
  submit,
  extend,
]
