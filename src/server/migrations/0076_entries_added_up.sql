-- Entries of the ledger are added by one function, which adds them up as well: a distributed table has no triggers of whole
-- statements (docs/decisions/2026-11-30-organization-in-every-key.md). It names the organization of rows, since the servers that call
-- it serve nothing before all rows have one.
--
-- Its statements are planned once for a connection: with plans for the values of each call a repayment takes a quarter longer. The
-- day is given to it, since a function called with two search paths in turn is planned each time.
create function add_ledger_entries(organization bigint, mover_id text, mover_name text, on_day date,
  invoice_ids bigint[], kinds text[], amounts bigint[], line_ids bigint[], repayment_ids bigint[], write_off_ids bigint[],
  credit_ids bigint[], counter_invoice_ids bigint[], reversed_ids bigint[]) returns void
  language plpgsql security definer set plan_cache_mode = force_generic_plan set search_path = pg_catalog, public, pg_temp as $$
declare
  adds_up text;
begin
  -- For the trigger derive_totals, which adds up the entries of everybody else.
  adds_up := set_config('portal.adds_up', 'on', true);
  insert into ledger_entries (organization_id, invoice_id, kind, amount, line_id, repayment_id, write_off_id, credit_id,
    counter_invoice_id, reverses, actor_id, actor_name, on_date)
  select organization, entry.*, mover_id, mover_name, on_day from unnest(invoice_ids, kinds, amounts, line_ids, repayment_ids,
    write_off_ids, credit_ids, counter_invoice_ids, reversed_ids) entry;
  adds_up := set_config('portal.adds_up', 'off', true);
  -- Added to the present totals, so that they are right if somebody else adds at the same moment.
  update invoices invoice set
    original_amount = invoice.original_amount + total.original, writeoff_amount = invoice.writeoff_amount + total.writeoff,
    rollover_amount = invoice.rollover_amount + total.rollover_in, rollover_out_amount = invoice.rollover_out_amount + total.rollover_out,
    paid_amount = invoice.paid_amount + total.paid
  from (
    select invoice_id,
      coalesce(sum(amount) filter (where kind = 'ORIGINAL'), 0) as original,
      coalesce(sum(amount) filter (where kind = 'WRITE_OFF'), 0) as writeoff,
      coalesce(sum(amount) filter (where kind = 'ROLLOVER_IN'), 0) as rollover_in,
      coalesce(sum(amount) filter (where kind = 'ROLLOVER_OUT'), 0) as rollover_out,
      coalesce(sum(amount) filter (where kind = 'PAYMENT'), 0)
        - coalesce(sum(amount) filter (where kind in ('RETURN', 'ROLLOVER_OUT')), 0) as paid
    from unnest(invoice_ids, kinds, amounts) entry(invoice_id, kind, amount) group by invoice_id
  ) total
  where invoice.organization_id = organization and invoice.id = total.invoice_id;
  if 'WRITE_OFF' = any(kinds) then
    update invoice_lines line set writeoff_amount = line.writeoff_amount + total.amount
    from (select line_id, sum(amount) as amount from unnest(line_ids, kinds, amounts) entry(line_id, kind, amount)
      where kind = 'WRITE_OFF' group by line_id) total
    where line.organization_id = organization and line.id = total.line_id;
  end if;
end $$;
revoke execute on function add_ledger_entries from public;

-- The last release and statements by hand insert entries, which the trigger adds up: not those of the function above, which says so
-- in a setting. It counts only for a role that may write the totals itself, as the owner of the function.
create or replace trigger derive_totals after insert on ledger_entries referencing new table as added for each statement
  when (current_setting('portal.adds_up', true) is distinct from 'on'
    or not has_column_privilege('public.invoices', 'paid_amount', 'UPDATE'))
  execute function derive_invoice_totals();
