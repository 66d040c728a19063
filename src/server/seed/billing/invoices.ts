import { sql } from 'kysely'
import { feeOf } from '#server/seed/balances.ts'
import { departmentNumber } from '#server/seed/billing/periods.ts'
import type { Tx } from '#server/tables/database.ts'

interface InvoiceSeedOptions {
  today: string
  /** Exact number of invoices; without it, as many as pay periods give. */
  invoices: number | undefined
  crowded: boolean
}

/** Invoice ids start after this number. */
const before = 40_000

/**
 * Leaves the tables `lines_made`, the advances of each employee in a period, and `billed`: every invoice with its dates, the
 * status that follows from them, and its outcome (`fate`).
 */
export async function seedInvoices(tx: Tx, { today, invoices, crowded }: InvoiceSeedOptions): Promise<void> {
  await sql`
    create unlogged table workers as
    select employees.id as employee_id, employer_id, pay_frequency as frequency, department_code, hire_date, status, ${departmentNumber} as place,
      row_number() over (partition by employer_id, pay_frequency order by employees.id) - 1 as number
    from employees where user_id is not null and pay_frequency is not null`.execute(tx)
  if (crowded) await drawFewLines(tx, today, invoices as number)
  else await drawLines(tx, today)
  await bill(tx, today)
  await sql`
    create unlogged table lines_made as
    select row_number() over (order by id, employee_id) as line_id, id as invoice_id, employee_id, drawn.department_code, amount
    from drawn join billed using (slot)`.execute(tx)
  await sql`drop table drawn, workers, slots`.execute(tx)
  await sql`create index on billed (employer_id, report_date)`.execute(tx)
  await sql`analyze billed (id, employer_id, report_date, fate, status, payment_method, original)`.execute(tx)
}

/** The lines of drafts: the advances in the balances of the current period. */
const openLines = (today: string) => sql`
  select slot, employee_id, department_code, taken_amount as amount
  from work_period_balances join workers using (employee_id) join slots using (employer_id, frequency)
  where slots.period_start = work_period_start and period_end >= ${today}::date and part = least(parts, place) and copy = 1
    and taken_amount > 0`

/**
 * About 27 advances per employee and year of about $116, each with its fee, in finished periods. Shares are float8, like chances:
 * a numeric would be converted to text for each comparison.
 */
const drawLines = async (tx: Tx, today: string): Promise<void> =>
  void (await sql`
    create unlogged table drawn as
    select slot, employee_id, department_code, (advances * (500 * floor((2000 + least(98000, -ln(1 - pg_temp.chance(seed, 250)) * 9600)) / 500)
      + ${feeOf(sql.ref('employer_id'))}))::bigint as amount
    from (
      select slot, workers.employee_id, workers.employer_id, department_code, batch # (workers.employee_id * 2654435761) as seed, -- spreads the ids
        case frequency when 'WEEKLY' then 0.42::float8 when 'BI_WEEKLY' then 0.65 when 'SEMI_MONTHLY' then 0.67 else 0.89 end as share,
        case frequency when 'WEEKLY' then 1.24::float8 when 'BI_WEEKLY' then 1.6 when 'SEMI_MONTHLY' then 1.68 else 2.53 end as mean
      from workers join slots using (employer_id, frequency)
      where part = least(parts, place) and period_end < ${today}::date and (hire_date is null or hire_date <= period_end)
        and (status in ('ACTIVE', 'PAUSED') or period_end < ${today}::date - 20)
    ) taken
    cross join lateral (select 1 + floor(pg_temp.chance(seed, 249) * (2 * mean - 1))::int as advances) drawn
    where pg_temp.chance(seed, 248) < share
    union all ${openLines(today)}`.execute(tx))

/**
 * The newest `invoices` invoices with one to three employees each; those of the current period with everybody who took an
 * advance.
 */
async function drawFewLines(tx: Tx, today: string, invoices: number): Promise<void> {
  await sql`delete from slots where slot <= (select max(slot) from slots) - ${invoices}::int`.execute(tx)
  await sql`
    create unlogged table drawn as
    select slot, employee_id, department_code, 2000 + 500 * floor(pg_temp.chance(employee_id, slot) * 40)::bigint
      + ${feeOf(sql.ref('employer_id'))} as amount
    from slots cross join lateral generate_series(0, least(workers, 1 + batch % 3) - 1) as nth
    join workers using (employer_id, frequency) where workers.number = (batch + slot + nth) % workers and period_end < ${today}::date
    union all ${openLines(today)}`.execute(tx)
}

/** Dates: reported two business days after the period, due the configured days later; ids follow the dates. */
const dated = sql`
  select ${before}::bigint + row_number() over (order by period_end, employer_id, pay_group, part, copy) as id, slots.*, employer.active, employer.code,
    employer.name, employer.organization_id, employer.debtor_type, employer.debtor_id, employer.payment_method, employer.auto_approve,
    employer.confirmation_flow, employer.rollover, employer.accounts, coalesce(original, 0) as original,
    code || '-' || pay_group || case when copy > 1 then '-' || copy else '' end as company_code,
    period.plus[2] as issue_date, report_date, due_date, approved_on, sent_on,
    debit.plus[1] as debit_on, debit.plus[2 + (slots.batch % 2)::int] as settled_on,
    greatest(sent_on, due_date + (case when late < 0.75 then floor(late * 4)::int - 2 when late < 0.97 then ceil((late - 0.75) * 80)::int
      else 20 + ceil((late - 0.97) * 900)::int end)) as paid_on,
    row_number() over (partition by employer_id order by period_end desc, pay_group, part, copy) = 1 as last
  from slots join billed_employers employer using (employer_id)
  left join (select slot, sum(amount)::bigint as original from drawn group by slot) sum using (slot)
  join bank_days period on period.day = period_end
  cross join lateral (select period.plus[3] as report_date, pg_temp.chance(batch, 260) as late) report
  join bank_days reported on reported.day = report_date
  join bank_days due on due.day = report_date + net_days
  cross join lateral (select due.plus[1] as due_date, case when auto_approve then report_date
    else reported.plus[1 + floor(pg_temp.chance(batch, 261) * 7)::int] end as approved_on) dates
  cross join lateral (select greatest(approved_on, reported.plus[1 + deadline]) as sent_on) sending
  join bank_days debit on debit.day = greatest(due_date, sent_on)`

/** Random problems; more frequent recently, so that there is something to see. */
const fates = (today: string) => sql`case
  when sent_on > ${today}::date or (payment_method = 'AUTO_ACH' and settled_on > ${today}::date) then 'EXACT'
  when payment_method = 'AUTO_ACH' then case
    when chance < 0.006 + lately * 0.02 then 'RETURNED'
    when chance < 0.012 + lately * 0.03 then 'PARTLY_RETURNED'
    when chance < 0.016 + lately * 0.04 then 'COLLECTED'
    when chance < 0.021 + lately * 0.04 then 'RETRIED'
    when chance < 0.033 + lately * 0.07 then 'OVERPAID' else 'EXACT' end
  when last and not active and debtor_type = 'EMPLOYER' and accounts < 2 and pg_temp.chance(employer_id, 271) < 0.85 then 'REFUND'
  when drawn < 0.012 + lately * 0.05 then 'UNPAID'
  when drawn < 0.020 + lately * 0.07 then 'PARTIAL'
  when drawn < 0.034 + lately * 0.08 then 'SHORT'
  when part > 1 or copy > 1 or drawn > 0.09 + lately * 0.15 then 'EXACT'
  when drawn < 0.050 + lately * 0.09 or accounts > 1 or original < 20000 then 'OVERPAID'
  when drawn < 0.070 + lately * 0.12 and rollover > 0 then 'ROLLOVER'
  else 'REFUND' end`

/** The effects of the dates. */
const bill = async (tx: Tx, today: string): Promise<void> =>
  void (await sql`
    create unlogged table billed as
    select *, case
      when report_date > ${today}::date then 'DRAFT'
      when approved_on > ${today}::date then 'ON_DEDUCTION_FILE'
      when sent_on > ${today}::date then 'DEDUCTION_APPROVED'
      when payment_method = 'AUTO_ACH' then case
        when debit_on > ${today}::date then 'SCHEDULED'
        when settled_on > ${today}::date then 'PROCESSING'
        when fate = 'RETURNED' or (fate = 'RETRIED' and settled_on + 12 > ${today}::date) then 'RETURNED'
        when fate = 'PARTLY_RETURNED' then 'PARTIALLY_RETURNED' when fate = 'COLLECTED' then 'SENT' else 'CLOSED' end
      when paid_on > ${today}::date or fate in ('UNPAID', 'PARTIAL') then 'SENT'
      else 'CLOSED' end as status
    from (${dated}) dated
    cross join lateral (select pg_temp.chance(id, 270) as chance, pg_temp.chance(batch, 270) as drawn,
      (due_date > ${today}::date - 24)::int as lately) draw
    cross join lateral (select ${fates(today)} as fate) becomes
    where original > 0 or report_date > ${today}::date`.execute(tx))
