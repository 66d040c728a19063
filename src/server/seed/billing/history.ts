import { sql } from 'kysely'
import { notLaterThan, type BillingStaff } from '#server/seed/billing/load-invoices.ts'
import type { Tx } from '#server/tables/database.ts'

/** Days of invoice history; older invoices have none. */
const days = 120

/**
 * Creates the history of the invoices of the last months, status by status; it reads the planning tables, so it runs before they
 * are dropped. Steps are united selects, which are prepared once: rows of `values` that differ by invoice would be prepared for
 * each invoice.
 */
export async function seedInvoiceHistory(tx: Tx, today: string, { decider }: BillingStaff): Promise<void> {
  await sql`
    insert into audit_events_before (at, actor_id, actor_name, intent, entity, entity_id, status, before, after, version, belongs_to)
    select at, case when by_hand then ${decider.id} else 'service' end, case when by_hand then ${decider.name} else 'System' end,
      intent, 'invoice', id::text, event, case when n > 1 then jsonb_build_object('status', state_before) end,
      jsonb_build_object('status', state), n, 'employer:' || employer_id
    from (
      select id, employer_id, step.*, row_number() over life as n, lag(state) over life as state_before,
        least(day + interval '9 hours' + number * interval '20 minutes', ${notLaterThan(today)}) as at
      from billed
      left join (select source_id, moved_on, absorbed_on, taker_id, kind from credits_made) credit on source_id = id
      cross join lateral (
        select 1, true, least(period_start - (period_end - period_start), ${today}::date - 1), 'DRAFT', 'invoice.draft', 'Drafted', false
        union all select 2, report_date <= ${today}::date, report_date, 'ON_DEDUCTION_FILE', 'invoice.report', 'Put on the deduction file', false
        union all select 3, approved_on <= ${today}::date, approved_on, 'DEDUCTION_APPROVED', 'deduction.approve', 'Deduction approved', not auto_approve
        union all select 4, sent_on <= ${today}::date and payment_method = 'SELF_PAY', sent_on, 'SENT', 'invoice.send', 'Sent', false
        union all select 4, sent_on <= ${today}::date and payment_method = 'AUTO_ACH', sent_on, 'SCHEDULED', 'invoice.schedule-debit', 'Debit scheduled', false
        union all select 5, payment_method = 'AUTO_ACH' and debit_on <= ${today}::date, debit_on, 'PROCESSING', 'invoice.submit-debit', 'Debit submitted', false
        union all select 6, payment_method = 'AUTO_ACH' and status in ('RETURNED', 'PARTIALLY_RETURNED'), settled_on, status, 'repayment.return', 'Returned', false
        union all select 6, fate in ('COLLECTED', 'RETRIED') and status in ('SENT', 'CLOSED'), settled_on, 'RETURNED', 'repayment.return', 'Returned', false
        union all select 7, fate = 'COLLECTED' and status = 'SENT', settled_on + 1, 'SENT', 'invoice.collect', 'Collected manually', true
        union all select 7, fate = 'RETRIED' and status = 'CLOSED', settled_on + 3, 'SCHEDULED', 'invoice.retry-ach', 'Debit scheduled again', true
        union all select 8, fate = 'RETRIED' and status = 'CLOSED', settled_on + 5, 'PROCESSING', 'invoice.submit-debit', 'Debit submitted', false
        union all select 9, payment_method = 'AUTO_ACH' and status = 'CLOSED', settled_on + case when fate = 'RETRIED' then 8 else 0 end, 'CLOSED',
          'repayment.settle', 'Debit settled', false
        union all select 9, payment_method = 'SELF_PAY' and fate = 'PARTIAL' and status = 'SENT' and paid_on <= ${today}::date, paid_on, 'SENT', 'repayment.add', 'Repayment added', true
        union all select 9, payment_method = 'SELF_PAY' and status in ('CLOSED', 'REFUNDED', 'REFUND_IN_PROGRESS'), paid_on, 'CLOSED',
          case when fate = 'SHORT' then 'invoice.close' else 'repayment.add' end, case when fate = 'SHORT' then 'Closed' else 'Repayment added' end, true
        union all select 10, kind = 'REFUND', moved_on, 'REFUND_IN_PROGRESS', 'invoice.refund', 'Refund requested', true
        union all select 10, kind = 'ROLLOVER', moved_on, 'CLOSED', 'invoice.rollover', 'Rolled over', true
        union all select 11, kind = 'REFUND' and taker_id is not null, absorbed_on, 'REFUNDED', 'invoice.absorb-refund', 'Refund absorbed', false
      ) as step(number, happened, day, state, intent, event, by_hand)
      where happened and report_date > ${today}::date - ${days}::int
      window life as (partition by id order by number)
    ) told
    order by id, number`.execute(tx)
}
