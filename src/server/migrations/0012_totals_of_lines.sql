-- The lines of an invoice follow from write-offs alone: other entries leave them untouched, and unasked.
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
  if exists (select from added where kind = 'WRITE_OFF') then
    update invoice_lines set writeoff_amount = writeoff_amount + total.amount
    from (select line_id, sum(amount) as amount from added where kind = 'WRITE_OFF' group by line_id) total
    where invoice_lines.id = total.line_id;
  end if;
  return null;
end $$;
