import { sql } from 'kysely'
import { addDays } from '#domain/calendar.ts'
import { transactionProviders } from '#domain/transaction.ts'
import { type InvoicedPeriod, nextPeriod } from '#server/money/billing/next-period.ts'
import { type Candidate, isIn, type Share, shareOf } from '#server/tables/shares.ts'
import { selectAll } from '#server/postgres/select.ts'
import { beginning, nextPeople, type Place } from '#server/money/billing/people.ts'
import type { Tx } from '#server/tables/database.ts'
import type { InvoiceRow } from '#server/tables/invoices.ts'
import { isEarned, limitBy, termsOfEmployers } from '#server/tables/work-period-terms.ts'

/** Employers with a work period that is still open after its end. */
export function employersToOpen(tx: Tx, today: string, share: Share): Promise<Candidate[]> {
  return selectAll<Candidate>(tx)`
    select e.id::text as key, ${shareOf('e.organization_id')} as share from employers e
    where e.id in (select one.employer_id from work_period_balances b
      join employees one on one.id = b.employee_id and one.organization_id = b.organization_id
      where b.is_open and b.work_period_end < ${today}) and ${isIn(share, 'e.organization_id')} order by e.id`
}

/**
 * Closes the finished work periods of the next people of an employer, and opens the next ones up to the day for everybody who is
 * linked and active or paused: by the calendar of the pay group; without one, as long as the last period. Returns where the people
 * go on, null after the last.
 */
export async function openNextPeriods(tx: Tx, employerId: number, today: string, { after }: Place): Promise<Place | null> {
  const { organization_id, last, more } = await nextPeople(tx, employerId, after)
  const people = sql`e.organization_id = ${organization_id} and e.employer_id = ${employerId} and e.id > ${after} and e.id <= ${last}`
  // Locks the employees before their balances, in order of id, as every command does.
  await sql`
    select from employees e where ${people} and exists (select from work_period_balances b
      where b.organization_id = e.organization_id and b.employee_id = e.id and b.is_open and b.work_period_end < ${today}) order by e.id for update`.execute(
    tx,
  )
  const { rows } = await sql<{ period_start: string; period_end: string; frequency: string | null; ids: number[] }>`
    with closed as (
      update work_period_balances b set is_open = false, updated_at = now(), version = b.version + 1 from employees e
      where e.id = b.employee_id and e.organization_id = b.organization_id and ${people} and b.is_open and b.work_period_end < ${today}
      returning e.id, e.status, e.user_id, e.pay_frequency, b.work_period_start, b.work_period_end)
    select work_period_start as period_start, work_period_end as period_end, pay_frequency as frequency, array_agg(id order by id) as ids
    from closed where user_id is not null and status in ('ACTIVE', 'PAUSED') group by 1, 2, 3 order by 1, 2, 3`.execute(tx)
  for (const { ids, frequency, ...finished } of rows)
    for (let period: InvoicedPeriod = finished; period.period_end < today; ) {
      period = await periodFollowing(tx, employerId, frequency, period)
      await openPeriod(tx, { organizationId: organization_id, employerId, ids, today, ...period })
    }
  return more ? { employer: employerId, after: last } : null
}

/**
 * The period that starts the day after a finished one, and ends with that of the pay group with the same frequency: shorter after
 * a change of frequency. Without such a pay group, it is as long as the last one.
 */
async function periodFollowing(
  tx: Tx,
  employerId: number,
  frequency: string | null,
  last: InvoicedPeriod,
): Promise<InvoicedPeriod> {
  const period_start = addDays(last.period_end, 1)
  const { rows } = await sql<InvoicedPeriod>`
    select p.start_date as period_start, p.end_date as period_end from pay_groups g join pay_periods p on p.pay_group_id = g.id
    where g.employer_id = ${employerId} and g.payroll_frequency = ${frequency}
    order by p.end_date < ${period_start}::date, abs(p.end_date - ${period_start}::date), g.id limit 1`.execute(tx)
  let [planned] = rows
  if (!planned) return nextPeriod(last)
  while (planned.period_end < period_start) planned = nextPeriod(planned)
  return {
    period_start,
    period_end: planned.period_start > period_start ? addDays(planned.period_start, -1) : planned.period_end,
  }
}

/** Configurations saved since the limits of open work periods were last calculated from them. */
export function configurationsToRecalculate(tx: Tx, share: Share): Promise<Candidate[]> {
  return selectAll<Candidate>(tx)`
    select c.key, ${shareOf('c.organization_id')} as share from (
      select id::text as key, id, coalesce(organization_id, (select e.organization_id from employers e where e.id = employer_id))
        as organization_id from configurations where not reckoned) c
    where ${isIn(share, 'c.organization_id')} order by c.id`
}

/**
 * Recalculates the limits of the open work periods of the next people a configuration applies to, employer by employer; after the
 * last it is done. Returns where the people go on, from the beginning if the configuration was saved again meanwhile; null if it is
 * done.
 */
export async function recalculateLimits(tx: Tx, id: number, from: Place): Promise<Place | null> {
  const { rows } = await sql<{ version: number; employers: number[] | null }>`
    with saved as (select * from configurations where id = ${id} and not reckoned for update)
    select saved.version, array_agg(employers.id order by employers.id) filter (where employers.id is not null) as employers
    from saved left join employers on employers.id = saved.employer_id
      or (employers.organization_id = saved.organization_id
        and not exists (select from configurations own where own.employer_id = employers.id)) group by 1`.execute(tx)
  const [saved] = rows
  if (!saved) return null
  const { version } = saved
  const place = from.version === version ? from : beginning
  const [employer, next] = (saved.employers ?? []).filter((each) => each >= place.employer)
  if (employer === undefined) {
    await sql`update configurations set reckoned = true where id = ${id}`.execute(tx)
    return null
  }
  const after = employer === place.employer ? place.after : 0
  const { organization_id, last, more } = await nextPeople(tx, employer, after)
  const people = sql`e.organization_id = ${organization_id} and e.employer_id = ${employer} and e.id > ${after} and e.id <= ${last}`
  const mayDraw = sql`e.user_id is not null and e.status in ('ACTIVE', 'PAUSED')`
  // Locks the employees before their balances, in order of id, as every command does.
  await sql`select from employees e where ${people} and ${mayDraw} order by id for update`.execute(tx)
  const limit = sql`greatest(0, ${limitBy(sql.ref('b.earned_amount'))})`
  await sql`
    update work_period_balances b set limit_amount = ${limit}, version = b.version + 1, updated_at = now()
    from employees e join (select * from (${termsOfEmployers}) every where employer_id = ${employer}) terms using (employer_id)
    where ${people} and e.id = b.employee_id and e.organization_id = b.organization_id and b.is_open and ${mayDraw} and b.limit_amount <> ${limit}`.execute(
    tx,
  )
  return more ? { employer, after: last, version } : { employer: next ?? Number.MAX_SAFE_INTEGER, after: 0, version }
}

/** Opens a work period of locked employees. Time entries for its days that arrived earlier count as earned in it. */
const openPeriod = async (
  tx: Tx,
  of: InvoicedPeriod & { organizationId: number; employerId: number; ids: readonly number[]; today: string },
): Promise<void> =>
  void (await sql`
    insert into work_period_balances (organization_id, employee_id, work_period_start, work_period_end, is_open, earned_amount,
      limit_amount)
    select ${of.organizationId}, one, ${of.period_start}, ${of.period_end}, ${of.period_end >= of.today}, earned, greatest(0, ${limitBy(sql.ref('earned'))})
    from (select one, coalesce((select sum(e.earned_amount) from time_entries e where e.employee_id = one
        and e.organization_id = ${of.organizationId} and e.work_date between ${of.period_start}::date and ${of.period_end}::date and ${isEarned('e')}), 0)::bigint as earned
      from unnest(${[...of.ids]}::bigint[]) as one) worked
    cross join (select * from (${termsOfEmployers}) terms where employer_id = ${of.employerId}) terms order by one
    on conflict do nothing`.execute(tx))

/** Fee of a simulated advance of the demo, in cents. */
const fee = 299

/** Completes pending transactions of the demo in past periods, up to that of an invoice: the demo has no processor for them. */
export const settleTransactions = async (tx: Tx, invoice: InvoiceRow): Promise<void> =>
  void (await sql`
    update transactions t set status = 'COMPLETE', settled_at = t.requested_at + interval '26 hours'
    from work_period_balances b join employees e on e.id = b.employee_id and e.organization_id = b.organization_id
    where t.work_period_balance_id = b.id and t.organization_id = b.organization_id and t.status = 'PENDING'
      and b.organization_id = ${invoice.organization_id} and e.employer_id = ${invoice.employer_id}
      and b.pending_amount > 0 and not b.is_open and b.work_period_end <= ${invoice.period_end}::date`.execute(tx))

/**
 * Simulates advances in the period of an invoice for employees of the demo: about every second of those without one, $20 to $220
 * and a fee within their limit.
 */
export async function drawTransactions(tx: Tx, invoice: InvoiceRow): Promise<void> {
  const [usual, other] = transactionProviders
  await sql`
    insert into transactions (organization_id, employee_id, work_period_balance_id, status, provider, amount, fee_amount, requested_at,
      settled_at)
    select e.organization_id, e.id, b.id, 'COMPLETE', case when e.id % 10 < 7 then ${usual}::text else ${other}::text end, wanted, ${fee}, at, at + interval '2 minutes'
    from work_period_balances b join employees e on e.id = b.employee_id and e.organization_id = b.organization_id
    cross join lateral (select hashint8extended(e.id, b.work_period_end - date '2000-01-01') & 1048575 as draw) chance
    cross join lateral (select least(2000 + 500 * (draw / 100 % 41), floor((b.available_amount - ${fee}) / 500.0)::bigint * 500) as wanted,
      b.work_period_end + interval '9 hours' + (draw % 36000) * interval '1 second' as at) drawn
    where b.organization_id = ${invoice.organization_id} and e.employer_id = ${invoice.employer_id} and e.status = 'ACTIVE' and draw % 100 < 45 and wanted >= 2000
      and b.work_period_start = ${invoice.period_start} and b.work_period_end = ${invoice.period_end}
      and b.taken_amount = 0 and b.pending_amount = 0
      and exists (select from employers where employers.id = e.employer_id and employers.status = 'ACTIVE')
      and not exists (select from transactions t where t.organization_id = b.organization_id and t.work_period_balance_id = b.id) order by e.id`.execute(
    tx,
  )
}
