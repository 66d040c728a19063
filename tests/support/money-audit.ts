import { type Kysely, sql } from 'kysely'
import type { Database } from '#server/tables/database.ts'

/**
 * Returns one sentence per inconsistency, found in SQL alone: totals of invoices and lines against the ledger, the identity,
 * allocations and unallocated money against entries, repayments against allocations, received against posted money, rolled out
 * against rolled in and waiting, results of the bank against bookings, scheduled debits against statuses. Empty is good.
 */
export async function auditMoney(db: Kysely<Database>): Promise<string[]> {
  const parts = await Promise.all(
    [
      wrongTotals,
      wrongLines,
      wrongRepayments,
      wrongPayments,
      wrongUnallocated,
      wrongCash,
      wrongCredit,
      wrongResults,
      wrongDebits,
    ].map((part) => part(db)),
  )
  return parts.flat()
}

async function wrongTotals(db: Kysely<Database>): Promise<string[]> {
  const { rows } = await sql<{ says: string }>`
    select format('INV-%s: %s is %s, the ledger says %s', i.id, name, kept, summed) as says
    from invoices i
    cross join lateral (select
        coalesce(sum(amount) filter (where kind = 'ORIGINAL'), 0) as original,
        coalesce(sum(amount) filter (where kind = 'WRITE_OFF'), 0) as writeoff,
        coalesce(sum(amount) filter (where kind = 'ROLLOVER_IN'), 0) as came,
        coalesce(sum(amount) filter (where kind = 'ROLLOVER_OUT'), 0) as went,
        coalesce(sum(amount) filter (where kind = 'PAYMENT'), 0) as paid,
        coalesce(sum(amount) filter (where kind = 'RETURN'), 0) as returned
      from ledger_entries where invoice_id = i.id) l
    cross join lateral (values
      ('original_amount', original_amount, original), ('writeoff_amount', writeoff_amount, writeoff),
      ('rollover_amount', rollover_amount, came), ('rollover_out_amount', rollover_out_amount, went),
      ('paid_amount', paid_amount, paid - returned - went), ('invoice_amount', invoice_amount, original - writeoff - came),
      ('outstanding_amount', outstanding_amount, original - writeoff - came - (paid - returned - went))
    ) as total(name, kept, summed)
    where kept <> summed order by i.id`.execute(db)
  return rows.map((row) => row.says)
}

async function wrongLines(db: Kysely<Database>): Promise<string[]> {
  const { rows } = await sql<{ says: string }>`
    select format('line %s of INV-%s: %s written off, the ledger says %s', id, invoice_id, writeoff_amount, summed) as says
    from invoice_lines line cross join lateral (select coalesce(sum(amount), 0) as summed from ledger_entries entry
      where entry.invoice_id = line.invoice_id and entry.line_id = line.id and kind = 'WRITE_OFF') l
    where writeoff_amount <> summed order by id`.execute(db)
  return rows.map((row) => row.says)
}

async function wrongRepayments(db: Kysely<Database>): Promise<string[]> {
  const { rows } = await sql<{ id: number; amount: number; unallocated_amount: number; allocated: number; returned: number }>`
    select r.id, r.amount, r.unallocated_amount, coalesce(
      (select sum(amount) from repayment_allocations where repayment_id = r.id), 0)::bigint as allocated,
      coalesce((select -sum(amount) from repayments back where back.returns_id = r.id
        and back.failure is null), 0)::bigint as returned
    from repayments r`.execute(db)
  return rows.flatMap(({ id, amount, unallocated_amount, allocated, returned }) => [
    ...(amount === unallocated_amount + allocated + returned
      ? []
      : [`REP-${id}: ${amount} is not ${unallocated_amount} unallocated + ${allocated} allocated + ${returned} returned`]),
    ...(amount > 0 && unallocated_amount < 0 ? [`REP-${id}: more is allocated than there is`] : []),
    ...(amount > 0 && returned > amount ? [`REP-${id}: more came back than came in`] : []),
  ])
}

/** The ledger entries of a counted repayment equal its allocations less returns; a pending or failed one has none. */
async function wrongPayments(db: Kysely<Database>): Promise<string[]> {
  const { rows } = await sql<{ repayment_id: number; invoice_id: number; allocated: number; posted: number }>`
    with allocated as (
      select a.repayment_id, a.invoice_id, a.amount from repayment_allocations a join repayments r on r.id = a.repayment_id
      where r.origin <> 'RETURN' and r.reconciliation_status <> 'FAILED' and r.ach_state is distinct from 'PENDING'
    ), posted as (
      select coalesce(r.returns_id, r.id) as repayment_id, e.invoice_id,
        sum(case e.kind when 'RETURN' then -e.amount else e.amount end)::bigint as amount
      from ledger_entries e join repayments r on r.id = e.repayment_id
      where e.kind in ('PAYMENT', 'RETURN') group by 1, 2
    )
    select repayment_id, invoice_id, coalesce(allocated.amount, 0) as allocated, coalesce(posted.amount, 0) as posted
    from allocated full join posted using (repayment_id, invoice_id)
    where coalesce(allocated.amount, 0) <> coalesce(posted.amount, 0)`.execute(db)
  return rows.map((row) => `REP-${row.repayment_id} on INV-${row.invoice_id}: ${row.allocated} allocated, ${row.posted} posted`)
}

/** A repayment that counts, or counted before it was returned in full. */
const posted = sql`r.origin <> 'RETURN' and r.ach_state is distinct from 'PENDING' and r.failure is distinct from 'UNMATCHED'`

async function wrongUnallocated(db: Kysely<Database>): Promise<string[]> {
  const { rows } = await sql<{ id: number; kept: number; posted: number }>`
    select r.id, case when ${posted} then r.unallocated_amount else 0 end as kept, coalesce((
      select sum(e.amount) from ledger_entries e join repayments of on of.id = e.repayment_id
      where coalesce(of.returns_id, of.id) = r.id and e.kind = 'UNALLOCATED'), 0)::bigint as posted
    from repayments r where r.origin <> 'RETURN'`.execute(db)
  return rows
    .filter((row) => row.kept !== row.posted)
    .map((row) => `REP-${row.id}: ${row.kept} unallocated, ${row.posted} posted`)
}

/** Received money less paybacks equals the paid amounts of invoices plus the unallocated amounts, to the cent. */
async function wrongCash(db: Kysely<Database>): Promise<string[]> {
  const { rows } = await sql<{ cash: number; posted: number }>`
    select coalesce((select sum(r.amount + coalesce((select sum(back.amount) from repayments back where back.returns_id = r.id
          and back.failure is null), 0))
        from repayments r where ${posted}), 0)::bigint as cash,
      coalesce((select sum(case kind when 'RETURN' then -amount else amount end) from ledger_entries
        where kind in ('PAYMENT', 'RETURN', 'UNALLOCATED')), 0)::bigint as posted`.execute(db)
  return rows.filter((row) => row.cash !== row.posted).map((row) => `${row.cash} came in, ${row.posted} is posted`)
}

async function wrongCredit(db: Kysely<Database>): Promise<string[]> {
  const { rows } = await sql<{ out: number; waiting: number }>`
    select coalesce((select sum(case kind when 'ROLLOVER_OUT' then amount else -amount end) from ledger_entries
        where kind in ('ROLLOVER_OUT', 'ROLLOVER_IN')), 0)::bigint as out,
      coalesce((select sum(amount - absorbed_amount) from credits where state = 'WAITING'), 0)::bigint as waiting`.execute(db)
  return rows.filter((row) => row.out !== row.waiting).map((row) => `${row.out} rolled out and not in, but ${row.waiting} waits`)
}

/**
 * Every result of the bank is booked once, or stays open until a person decides it (docs/rules/invoices.md): a booked return is
 * one return of that code and amount, a booked settlement has settled its repayment, and no other booking refers to the bank.
 */
async function wrongResults(db: Kysely<Database>): Promise<string[]> {
  const { rows } = await sql<{ what: string }>`
    with told as (
      select result.*, (select count(*) from repayments back where back.returns_id = result.repayment_id and -back.amount = result.amount
          and case when result.code between 'R61' and 'R70'
            then back.dishonor_result_id = result.id and back.failure in ('DISHONORED', 'CONTESTED')
            else back.bank_result_id = result.id and back.return_code = result.code
              and (back.failure is null or back.failure in ('DISHONORED', 'CONTESTED'))
              and (back.contests_id is not null) = (result.code between 'R71' and 'R77') end) as returns
      from ach_results result where taken_at is not null
    )
    select trace_number || ' ' || code || ' ' || amount || ': ' || state || ', booked as ' || returns || ' returns' as what from told
    where state = 'WAITING' or (state = 'BOOKED' and code !~ '^(SETTLED|R([0-3][0-9]|5[0-3]|6[1-9]|7[0-7]|8[0-5]))$') or (code <> 'SETTLED' and returns <> case state when 'BOOKED' then 1 else 0 end)
      or (code = 'SETTLED' and state = 'BOOKED' and not exists (select from repayments paid where paid.id = told.repayment_id
        and paid.ach_state = 'COMPLETED' and (paid.effective_date = told.effective_date or told.problem = 'DATE_WRONG')))
    union all
    select 'REP-' || back.id || ' is ' || back.failure || ', contested by ' || count(contest.id) || ' returns' from repayments back
    left join repayments contest on contest.contests_id = back.id and contest.amount = back.amount and contest.returns_id = back.returns_id
    where back.failure in ('DISHONORED', 'CONTESTED') group by back.id, back.failure
    having count(contest.id) <> case back.failure when 'CONTESTED' then 1 else 0 end
    union all
    select 'REP-' || paid.id || ' settled by ' || count(told.id) filter (where told.code = 'SETTLED') || ' answers of the bank'
    from repayments paid join ach_debits debit on debit.repayment_id = paid.id and debit.trace_number is not null
    left join told on told.repayment_id = paid.id and told.state = 'BOOKED'
      and (told.code = 'SETTLED' or told.code between 'R61' and 'R70')
    where paid.ach_state = 'COMPLETED' group by paid.id
    -- A debit that came back whole before it settled is settled by the dishonor of its return.
    having count(told.id) filter (where told.code = 'SETTLED') <> 1
      and (count(told.id) filter (where told.code = 'SETTLED') > 1 or count(told.id) = 0)
    union all
    select 'REP-' || back.id || ' is of a bank result that is not booked' from repayments back
    left join told on told.id = back.bank_result_id and told.state = 'BOOKED'
    where back.bank_result_id is not null and told.id is null`.execute(db)
  return rows.map((row) => row.what)
}

/** Exactly the SCHEDULED invoices have one scheduled debit. */
async function wrongDebits(db: Kysely<Database>): Promise<string[]> {
  const { rows } = await sql<{ what: string }>`
    select 'INV-' || id || ' is ' || status || ' with ' || waiting || ' debits to come' as what from (
      select i.id, i.status, count(debit.id) as waiting from invoices i
      left join ach_debits debit on debit.invoice_id = i.id and debit.state = 'SCHEDULED' group by i.id, i.status
    ) counted where waiting <> case status when 'SCHEDULED' then 1 else 0 end`.execute(db)
  return rows.map((row) => row.what)
}
