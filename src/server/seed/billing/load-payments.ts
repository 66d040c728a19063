import { sql } from 'kysely'
import { type BankResult, resultsOf } from '#server/money/billing/simulator.ts'
import { notLaterThan, type BillingStaff } from '#server/seed/billing/load-invoices.ts'
import type { Load } from '#server/seed/load.ts'
import type { Tx } from '#server/tables/database.ts'

/** Loads repayments, their allocations, credits, debits and the ledger. */
export const paymentLoads = (today: string, staff: BillingStaff): Load[] => [
  { table: 'ledger_entries', load: (tx) => loadLedger(tx, today, staff) },
  { table: 'repayments', load: (tx) => loadRepayments(tx, today, staff) },
  { table: 'repayment_allocations', load: loadAllocations },
  { table: 'credits', load: (tx) => loadCredits(tx, today) },
  { table: 'ach_debits', load: (tx) => loadDebits(tx, today).then(() => awaitResults(tx, today)) },
]

const loadAllocations = async (tx: Tx): Promise<void> =>
  void (await sql`
    insert into repayment_allocations (organization_id, repayment_id, invoice_id, amount)
    select invoice.organization_id, repayment_id, payments.invoice_id, case kind when 'PAID' then share - payments.returned else -payments.returned end
    from payments join repayments_made made using (pay) join (select id, organization_id from billed) invoice on invoice.id = payments.invoice_id
    where (kind = 'PAID' and share > payments.returned) or (kind = 'RETURN' and payments.returned > 0)
    order by 2, 3`.execute(tx))

const loadCredits = async (tx: Tx, today: string): Promise<void> =>
  void (await sql`
    insert into credits (id, organization_id, kind, invoice_id, amount, absorbed_amount, state, created_at, updated_at)
    select credit_id, organization_id, kind, source_id, amount, case when taker_id is null then 0 else amount end,
      case when taker_id is null then 'WAITING' else 'ABSORBED' end, least(moved_on + interval '15 hours', ${notLaterThan(today)}),
      least(coalesce(absorbed_on, moved_on) + interval '15 hours', ${notLaterThan(today)})
    from credits_made join (select id as source_id, organization_id from billed) invoice using (source_id) order by credit_id`.execute(
    tx,
  ))

const loadLedger = async (tx: Tx, today: string, staff: BillingStaff): Promise<void> =>
  void (await sql`
    insert into ledger_entries (id, organization_id, invoice_id, kind, amount, line_id, repayment_id, write_off_id, credit_id, counter_invoice_id,
      reverses, actor_id, actor_name, on_date, at)
    select entry.entry_id, coalesce(invoice.organization_id, owner.organization_id), entry.invoice_id, entry.kind, entry.amount, entry.line_id, entry.repayment_id, entry.write_off_id,
      entry.credit_id, entry.counter_id, undone.entry_id,
      case when by_hand then ${staff.decider.id} else 'service' end, case when by_hand then ${staff.decider.name} else 'System' end,
      entry.on_date, least(entry.on_date + interval '14 hours' + entry.step * interval '10 minutes', ${notLaterThan(today)})
    from entries_made entry
    left join billed invoice on invoice.id = entry.invoice_id
    left join repayments_made loose on entry.invoice_id is null and loose.repayment_id = entry.repayment_id
    left join billed_employers owner on owner.employer_id = loose.debtor
    left join entries_made undone on entry.amount < 0 and undone.write_off_id = entry.write_off_id and undone.amount > 0
    cross join lateral (select entry.kind in ('WRITE_OFF', 'ROLLOVER_OUT', 'ROLLOVER_IN') as by_hand) moved
    order by entry.entry_id`.execute(tx))

const loadRepayments = async (tx: Tx, today: string, { suggester, decider }: BillingStaff): Promise<void> =>
  void (await sql`
    insert into repayments (id, organization_id, debtor_type, debtor_id, amount, unallocated_amount, repayment_date, effective_date, origin,
      reconciliation_status, ach_state, failure, return_code, returns_id, requester_id, requester_name, ach_addenda, descriptor,
      bank_name, account_number, department_code, notes, created_at, updated_at, version)
    select made.repayment_id, owed.organization_id, owed.debtor_type, owed.debtor_id, made.amount, case when made.invoices = 0 then made.amount else 0 end, made.on_date,
      case when made.under_way then null else made.settled_on end, made.origin,
      case when made.kind = 'UNMATCHED' or made.returned = made.amount or source.returned = source.amount then 'FAILED' when made.invoices = 0 or made.under_way then 'PENDING' else 'RECONCILED' end,
      case when made.origin = 'ACH_ENTRY' then case when made.under_way then 'PENDING' else 'COMPLETED' end end,
      case when made.kind = 'UNMATCHED' then 'UNMATCHED' when made.returned = made.amount then 'RETURNED' end,
      made.return_code, source.repayment_id,
      case when made.origin = 'USER' then case when made.pay % 3 = 0 then ${decider.id} else ${suggester.id} end end,
      case when made.origin = 'USER' then case when made.pay % 3 = 0 then ${decider.name} else ${suggester.name} end end,
      case when made.origin <> 'USER' then 'RMR*IV*' || case when made.invoice_id is null then 'UNKNOWN' else made.invoice_id::text end || '**' || to_char(abs(made.amount) / 100.0, 'FM999999990.00') end,
      case when made.origin = 'USER' then null when made.kind = 'RETURN' then 'RETURN ' || made.return_code
        when made.invoices = 0 then upper(left(owed.name, 16)) || ' PAYROLL' when made.pay % 4 = 0 then upper(left(owed.name, 16)) || ' INV-' || made.invoice_id
        else upper(left(owed.name, 16)) || ' EWA' end,
      case when made.origin <> 'USER' then account.bank_name end, case when made.origin <> 'USER' then account.account_number end,
      null, case when made.origin = 'USER' and made.pay % 7 = 0 then 'Check, entered from the deposit slip.' end,
      least(made.on_date + interval '13 hours', ${notLaterThan(today)}), least(made.settled_on + interval '14 hours', ${notLaterThan(today)}),
      case when made.under_way then 1 else 2 end
    from repayments_made made
    left join repayments_made source on made.kind = 'RETURN' and source.kind = 'PAID' and source.pay = made.pay
    left join billed on billed.id = made.invoice_id
    join billed_employers owed on owed.employer_id = coalesce(made.debtor, billed.employer_id)
    left join lateral (select bank_name, account_number from billing_accounts where organization_id = owed.organization_id
      order by id limit 1) account on true
    order by made.repayment_id`.execute(tx))

/**
 * One debit for each attempt; for a SCHEDULED invoice the upcoming one. A trace number consists of the bank's number and the
 * debit's id.
 */
const loadDebits = async (tx: Tx, today: string): Promise<void> =>
  void (await sql`
    insert into ach_debits (id, organization_id, invoice_id, repayment_id, amount, debit_date, attempt, state, trace_number, submitted_on, settled_on,
      return_code, created_at, updated_at)
    select number, organization_id, invoice_id, repayment_id, amount, on_date, attempt, state,
      case when state <> 'SCHEDULED' then '09100001' || lpad(number::text, 7, '0') end, case when state <> 'SCHEDULED' then on_date end,
      case when state in ('SETTLED', 'PARTIALLY_RETURNED') then settled_on end, return_code,
      least(on_date - 3 + interval '9 hours', ${notLaterThan(today)}), least(settled_on + interval '14 hours', ${notLaterThan(today)})
    from (
      select row_number() over (order by on_date, invoice_id, attempt) as number, debit.* from (
        select payments.invoice_id, repayment_id, share as amount, payments.on_date, payments.settled_on, attempt,
          case when payments.under_way then 'SUBMITTED' when payments.returned = share then 'RETURNED' when payments.returned > 0 then 'PARTIALLY_RETURNED'
            else 'SETTLED' end as state, case when payments.returned > 0 then payments.return_code end as return_code
        from payments join repayments_made paid on paid.kind = 'PAID' and paid.pay = payments.pay where debit
        union all
        select id, null, due, debit_on, debit_on, 0, 'SCHEDULED', null from billed join owed using (id) where status = 'SCHEDULED'
      ) debit
    ) numbered join (select id as invoice_id, organization_id from billed) invoice using (invoice_id)`.execute(tx))

/** The results of debits in flight, as the simulator creates them, none before tomorrow. */
async function awaitResults(tx: Tx, today: string): Promise<void> {
  const { rows } = await sql<{ trace_number: string; amount: number; debit_date: string }>`
    select trace_number, amount, debit_date from ach_debits where state = 'SUBMITTED' order by id`.execute(tx)
  const results = rows.flatMap((debit) => resultsOf(debit, debit.debit_date))
  const column = (name: keyof BankResult) => results.map((result) => result[name])
  await sql`
    insert into ach_results (trace_number, code, amount, addenda, effective_date)
    select trace_number, code, amount, addenda, greatest(effective_date, ${today}::date + 1)
    from unnest(${column('trace_number')}::text[], ${column('code')}::text[], ${column('amount')}::bigint[], ${column('addenda')}::text[],
      ${column('effective_date')}::date[]) as result(trace_number, code, amount, addenda, effective_date)`.execute(tx)
}
