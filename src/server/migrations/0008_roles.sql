-- The application works as a role that owns nothing (src/server/postgres/grants.ts). What it may not write itself follows
-- from what it adds: these functions act as the owner, whatever search path the caller has.

create or replace function derive_invoice_totals() returns trigger
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  -- Added to what stands, so that the row is right whoever else adds at the same moment.
  update invoices set
    original_amount = original_amount + total.original, writeoff_amount = writeoff_amount + total.writeoff,
    rollover_amount = rollover_amount + total.rollover_in, rollover_out_amount = rollover_out_amount + total.rollover_out,
    paid_amount = paid_amount + total.paid
  from (
    select invoice_id,
      coalesce(sum(amount) filter (where kind = 'ORIGINAL'), 0) as original,
      coalesce(sum(amount) filter (where kind = 'WRITE_OFF'), 0) as writeoff,
      coalesce(sum(amount) filter (where kind = 'ROLLOVER_IN'), 0) as rollover_in,
      coalesce(sum(amount) filter (where kind = 'ROLLOVER_OUT'), 0) as rollover_out,
      coalesce(sum(amount) filter (where kind = 'PAYMENT'), 0)
        - coalesce(sum(amount) filter (where kind in ('RETURN', 'ROLLOVER_OUT')), 0) as paid
    from added group by invoice_id
  ) total
  where invoices.id = total.invoice_id;
  update invoice_lines set writeoff_amount = writeoff_amount + total.amount
  from (select line_id, sum(amount) as amount from added where kind = 'WRITE_OFF' group by line_id) total
  where invoice_lines.id = total.line_id;
  return null;
end $$;
revoke execute on function derive_invoice_totals() from public;

-- For the owner, too.
create trigger ledger_is_not_emptied before truncate on ledger_entries
  for each statement execute function refuse_change_of_ledger();

-- Money of a repayment that counts and stands for no invoice has its entry too, so that what came in is what is on
-- invoices and what is not. A return that took from it has a negative one.
alter table ledger_entries alter column invoice_id drop not null;
alter table ledger_entries drop constraint ledger_entries_kind_check;
alter table ledger_entries add constraint ledger_entries_kind_check
  check (kind in ('ORIGINAL', 'WRITE_OFF', 'ROLLOVER_IN', 'PAYMENT', 'RETURN', 'ROLLOVER_OUT', 'UNALLOCATED'));
alter table ledger_entries add constraint ledger_entries_placed
  check (case kind when 'UNALLOCATED' then invoice_id is null and repayment_id is not null else invoice_id is not null end);

with counted as (
  select r.id, r.returns_id, r.unallocated_amount, coalesce(r.effective_date, r.repayment_date) as on_date
  from repayments r left join repayments source on source.id = r.returns_id
  where coalesce(source.ach_state, r.ach_state) is distinct from 'PENDING'
    and coalesce(source.failure, r.failure) is distinct from 'UNMATCHED'
), entry as (
  -- The amount of a repayment is what is left of it: what its returns took is theirs.
  select id, on_date, unallocated_amount - case when returns_id is null
    then coalesce((select sum(back.unallocated_amount) from counted back where back.returns_id = counted.id), 0)
    else 0 end as amount
  from counted
)
insert into ledger_entries (invoice_id, kind, amount, repayment_id, actor_id, actor_name, on_date)
select null, 'UNALLOCATED', amount, id, 'service', 'The service', on_date from entry where amount <> 0 order by id;
