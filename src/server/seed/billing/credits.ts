import { sql } from 'kysely'
import type { Tx } from '#server/tables/database.ts'

/**
 * Leaves the tables `credits_made` and `write_offs_made`, and `owed`: the amount `due` on each invoice after them, and the amount
 * paid `over` that. Overpaid money goes to the debtor's next invoice that can absorb it; the refund of a cancelled employer
 * without one is stranded.
 */
export async function seedCredits(tx: Tx, today: string): Promise<void> {
  await sql`
    create unlogged table credits_made as
    with source as (
      select id, employer_id, fate, active, paid_on + 2 as moved_on, case fate
        when 'ROLLOVER' then greatest(1, original * rollover * 8 / 100000) else original * 6 / 100 + 1000 end as amount
      from billed where fate in ('ROLLOVER', 'REFUND') and status = 'CLOSED' and paid_on + 2 <= ${today}::date),
    meant as (
      select source.*, taker.id as taker_id, taker.report_date as taken_on,
        row_number() over (partition by taker.id order by source.id) as turn
      from source left join lateral (select id, report_date from billed other where other.employer_id = source.employer_id
        and other.report_date > moved_on and other.original >= 3 * amount and other.fate not in ('ROLLOVER', 'REFUND')
        and other.original >= 2000
        order by report_date, id limit 1) taker on true)
    select row_number() over (order by id) as credit_id, id as source_id, fate as kind, amount, moved_on,
      case when fate = 'ROLLOVER' or taken_on <= ${today}::date then taker_id end as taker_id,
      case fate when 'ROLLOVER' then moved_on else taken_on end as absorbed_on
    from meant where case when taker_id is null then fate = 'REFUND' and not active else turn = 1 end`.execute(tx)
  await sql`
    update billed set fate = 'OVERPAID' where fate in ('ROLLOVER', 'REFUND') and id not in (select source_id from credits_made)`.execute(
    tx,
  )
  await sql`
    update billed set status = case when taker_id is null then 'REFUND_IN_PROGRESS' else 'REFUNDED' end
    from credits_made where id = source_id and kind = 'REFUND'`.execute(tx)
  await writeOffs(tx)
  await sql`
    create unlogged table owed as
    select id, (original - coalesce(written.amount, 0) - coalesce(taken.amount, 0))::bigint as due,
      case fate when 'OVERPAID' then original * 5 / 100 + 500 else coalesce(given.amount, 0) end::bigint as over
    from billed
    left join (select invoice_id, sum(approved_amount) as amount from write_offs_made where status = 'APPROVED' group by invoice_id) written
      on written.invoice_id = id
    left join (select taker_id, amount from credits_made where taker_id is not null) taken on taken.taker_id = id
    left join (select source_id, amount from credits_made) given on given.source_id = id`.execute(tx)
}

/**
 * Suggested on the line with the highest amount: up to all of it while pending, up to half of it if approved. On any day, however few
 * invoices are open on it, some are pending and one is approved that can be reversed.
 */
const writeOffs = async (tx: Tx): Promise<void> =>
  void (await sql`
    create unlogged table write_offs_made as
    with chosen as (
      select id, report_date, employer_id, kind, draw from (
        select billed.*, draw, row_number() over (partition by status order by draw desc) as place from billed
        cross join lateral (select pg_temp.chance(id, 280) as draw) chance) placed
      cross join lateral (select case
        when status = 'ON_DEDUCTION_FILE' and place <= 3 then case place when 1 then 'APPROVED' else 'PENDING' end
        when status = 'SENT' and place = 1 then 'PENDING'
        when status = 'ON_DEDUCTION_FILE' then case when draw < 0.2 then 'PENDING' when draw < 0.3 then 'APPROVED' when draw < 0.34 then 'REJECTED' end
        when status in ('SENT', 'SCHEDULED', 'RETURNED') and draw > 0.95 then 'PENDING'
        when status in ('DEDUCTION_APPROVED', 'SCHEDULED', 'SENT', 'CLOSED', 'PROCESSING') and fate = 'EXACT' then case
          when draw < 0.012 then 'APPROVED' when draw < 0.016 then 'REJECTED' when draw < 0.019 then 'REVERSED' end end as kind) state
      where status <> 'DRAFT' and kind is not null),
    ranked as (
      select chosen.*, line_id, amount, row_number() over (partition by id order by amount desc, line_id) as rank
      from chosen join lines_made on invoice_id = id)
    select row_number() over (order by report_date, id, rank) as write_off_id, id as invoice_id, line_id, kind as status, report_date,
      suggested, case when kind in ('APPROVED', 'REVERSED') then case when pg_temp.chance(id, 282) < 0.3 then suggested * 3 / 5 else suggested end end
        as approved_amount,
      (array['EMPLOYEE_TERMINATED', 'EMPLOYEE_TERMINATED', 'INSUFFICIENT_WAGES', 'INSUFFICIENT_WAGES', 'BANKRUPTCY', 'FRAUD',
        'EMPLOYEE_DECEASED', 'OTHER'])[1 + floor(pg_temp.chance(line_id, 283) * 8)::int] as reason
    from ranked cross join lateral (select amount * (case kind when 'PENDING' then 30 + floor(pg_temp.chance(id, 281) * 71)::int
      else 20 + floor(pg_temp.chance(id, 281) * 31)::int end) / 100 as suggested) sum
    where rank = 1 or (kind = 'PENDING' and rank <= 1 + (id % 3))`.execute(tx))
