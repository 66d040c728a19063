import { sql } from 'kysely'
import type { Tx } from '#server/tables/database.ts'

/** Repayment ids start after this number. */
const before = 70_000

/**
 * Leaves the tables `payments` (the part of each payment that is allocated to each invoice, and the part returned),
 * `repayments_made`, and `entries_made`: the ledger, of which every total is the sum.
 */
export async function seedPayments(tx: Tx, today: string): Promise<void> {
  await sql`
    create unlogged table payments as
    select id * 10 as pay, id as invoice_id, true as debit, 0 as attempt, due as share, debit_on as on_date, settled_on, 'ACH_ENTRY' as origin,
      status = 'PROCESSING' as under_way,
      case when status = 'PROCESSING' then 0 when fate in ('RETURNED', 'COLLECTED', 'RETRIED') then due
        when fate = 'PARTLY_RETURNED' then due * (30 + id % 35) / 100 else 0 end as returned,
      case when fate = 'RETRIED' then 'R01' else (array['R01', 'R01', 'R01', 'R01', 'R09', 'R02', 'R03', 'R16'])[1 + (id % 8)::int] end as return_code
    from billed join owed using (id) where payment_method = 'AUTO_ACH' and debit_on <= ${today}::date
      and status in ('PROCESSING', 'RETURNED', 'PARTIALLY_RETURNED', 'CLOSED', 'SENT')
    union all
    select id * 10 + 1, id, true, 1, due, settled_on + 5, settled_on + 8, 'ACH_ENTRY', false, 0, null
    from billed join owed using (id) where fate = 'RETRIED' and status = 'CLOSED'
    union all
    select min(id) over (partition by batch, employer_id, pay_group, period_end) * 10 + 2, id, false, 0,
      case fate when 'PARTIAL' then due / 2 when 'SHORT' then due * 93 / 100 else due + over end, paid_on, paid_on,
      case when pg_temp.chance(batch, 291) < 0.55 then 'USER' else 'ACH_ENTRY' end, false, 0, null
    from billed join owed using (id) where payment_method = 'SELF_PAY' and fate <> 'UNPAID' and report_date <= ${today}::date and paid_on <= ${today}::date
      and status in ('SENT', 'CLOSED', 'REFUNDED', 'REFUND_IN_PROGRESS')
    union all
    select id * 10 + 3, id, false, 0, over, settled_on, settled_on, 'USER', false, 0, null
    from billed join owed using (id) where payment_method = 'AUTO_ACH' and fate = 'OVERPAID' and status = 'CLOSED'`.execute(tx)
  await sql`delete from payments where share <= 0`.execute(tx)
  await numberRepayments(tx, today)
  await enter(tx, today)
}

/** Payments and returns in order of date; some money is not allocated yet, or has no known debtor. */
const numberRepayments = async (tx: Tx, today: string): Promise<void> =>
  void (await sql`
    create unlogged table repayments_made as
    select ${before}::bigint + row_number() over (order by on_date, pay, kind) as repayment_id, made.* from (
      select 'PAID' as kind, pay, sum(share)::bigint as amount, min(on_date) as on_date, min(settled_on) as settled_on, min(origin) as origin,
        bool_or(under_way) as under_way, sum(returned)::bigint as returned, max(return_code) filter (where returned > 0) as return_code,
        min(invoice_id) as invoice_id, count(*)::int as invoices, null::bigint as debtor
      from payments group by pay
      union all
      select 'RETURN', pay, -returned, settled_on, settled_on, 'RETURN', false, 0, return_code, invoice_id, 1, null from payments where returned > 0
      union all
      select case turn % 3 when 0 then 'AWAITED' when 1 then 'LOOSE' else 'UNMATCHED' end, employer_id, 5000 + 100 * floor(chance * 400000)::bigint % 4000000,
        day, day, case when turn % 6 = 1 then 'USER' else 'ACH_ENTRY' end, turn % 3 = 0, 0, null, null, 0, employer_id
      from (select employer_id, pg_temp.chance(employer_id, 292) as chance, row_number() over (order by pg_temp.chance(employer_id, 292), employer_id) as turn,
          count(*) over () as employers, ${today}::date - 1 - floor(pg_temp.chance(employer_id, 293) * 28)::int as day
        from billed_employers where active) drawn
      where turn <= greatest(9, employers / 10)
    ) made`.execute(tx))

const enter = async (tx: Tx, today: string): Promise<void> =>
  void (await sql`
    create unlogged table entries_made as
    select row_number() over (order by invoice_id, on_date, step) as entry_id, entry.* from (
      select id as invoice_id, 'ORIGINAL' as kind, original as amount, least(period_end, ${today}::date) as on_date, 1 as step,
        null::bigint as line_id, null::bigint as repayment_id, null::bigint as write_off_id, null::bigint as credit_id, null::bigint as counter_id
      from billed where original > 0
      union all select invoice_id, 'WRITE_OFF', approved_amount, report_date, 2, line_id, null, write_off_id, null, null
        from write_offs_made where approved_amount is not null
      union all select invoice_id, 'WRITE_OFF', -approved_amount, report_date, 3, line_id, null, write_off_id, null, null
        from write_offs_made where status = 'REVERSED'
      union all select taker_id, 'ROLLOVER_IN', amount, absorbed_on, 4, null, null, null, credit_id, source_id
        from credits_made where taker_id is not null
      union all select payments.invoice_id, 'PAYMENT', share, payments.settled_on, 5, null, repayment_id, null, null, null
        from payments join repayments_made paid on paid.kind = 'PAID' and paid.pay = payments.pay where not payments.under_way
      union all select payments.invoice_id, 'RETURN', payments.returned, payments.settled_on, 6, null, repayment_id, null, null, null
        from payments join repayments_made back on back.kind = 'RETURN' and back.pay = payments.pay where payments.returned > 0
      union all select null, 'UNALLOCATED', amount, settled_on, 5, null, repayment_id, null, null, null from repayments_made where kind = 'LOOSE'
      union all select source_id, 'ROLLOVER_OUT', amount, moved_on, 7, null, null, null, credit_id, taker_id from credits_made
    ) entry`.execute(tx))
