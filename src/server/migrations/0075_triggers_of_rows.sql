-- What triggers of whole statements count, refuse and note becomes triggers of rows, which name the organization: a distributed table
-- has no others (docs/decisions/2026-11-30-organization-in-every-key.md). All of it are later steps, for rows that have one.

do $migration$
declare
  steps text[] := array[
    $step$create or replace function keep_available_amount() returns trigger language plpgsql as $body$
begin
  if tg_op = 'DELETE' then
    if old.is_open then
      update employees set available_amount = null where organization_id = old.organization_id and id = old.employee_id;
    end if;
  elsif new.is_open then
    update employees set available_amount = new.available_amount where organization_id = new.organization_id
      and id = new.employee_id and available_amount is distinct from new.available_amount;
  elsif tg_op = 'UPDATE' and old.is_open then
    update employees set available_amount = null where organization_id = new.organization_id and id = new.employee_id;
  end if;
  return null;
end $body$$step$,

    $step$create or replace function refuse_withdrawals() returns trigger
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $body$
declare
  standing text;
begin
  -- The row of the employer is held, so that one who is being disabled meanwhile is waited for.
  select status into standing from employers where id = (
    select employer_id from employees where organization_id = new.organization_id and id = new.employee_id) for share;
  if standing <> 'ACTIVE' then
    raise exception 'The employer is inactive: its employees cannot withdraw.' using errcode = 'raise_exception';
  end if;
  return null;
end $body$;
create or replace function count_transactions() returns trigger
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $body$
begin
  -- A row that is added has no old one, whose columns are null then, and one that is removed no new one.
  update work_period_balances balance set taken_amount = taken_amount + moved.taken,
    pending_amount = pending_amount + moved.pending, version = version + 1, updated_at = now()
  from (select id, coalesce(sum(amount) filter (where status = 'COMPLETE'), 0) as taken,
      coalesce(sum(amount) filter (where status = 'PENDING'), 0) as pending
    from (values (new.work_period_balance_id, new.status, new.amount + new.fee_amount),
      (old.work_period_balance_id, old.status, - old.amount - old.fee_amount)) each(id, status, amount) group by 1) moved
  where balance.organization_id = coalesce(new.organization_id, old.organization_id) and balance.id = moved.id
    and (moved.taken <> 0 or moved.pending <> 0);
  return null;
end $body$;
drop trigger if exists a_refuse_withdrawals on transactions;
drop trigger if exists count_added_transactions on transactions;
drop trigger if exists count_changed_transactions on transactions;
drop trigger if exists count_removed_transactions on transactions;
-- By name before the one that counts them.
create trigger a_refuse_withdrawals after insert on transactions for each row
  when (new.status in ('PENDING', 'COMPLETE')) execute function refuse_withdrawals();
create trigger count_added_transactions after insert on transactions for each row
  when (new.status in ('PENDING', 'COMPLETE')) execute function count_transactions();
create trigger count_changed_transactions after update on transactions for each row
  when (old.work_period_balance_id is distinct from new.work_period_balance_id or old.status is distinct from new.status
    or old.amount is distinct from new.amount or old.fee_amount is distinct from new.fee_amount) execute function count_transactions();
-- A row that moves to another month is removed and added.
create trigger count_removed_transactions after delete on transactions for each row
  when (old.status in ('PENDING', 'COMPLETE')) execute function count_transactions()$step$,

    -- As add_name_words for one name, which a call for each row would take longer.
    $step$create or replace function keep_changed_name_words() returns trigger
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $body$
begin
  insert into name_words (word)
  select distinct part.word collate "C" from string_to_table(new.name_key, ' ') part(word)
  where char_length(part.word) between 3 and 40 and part.word !~ '[0-9@]'
    and not exists (select from name_words known where known.length = char_length(part.word) and known.word = part.word);
  return null;
end $body$;
drop trigger if exists keep_inserted_name_words on employees;
drop trigger if exists keep_inserted_name_words on users;
create trigger keep_inserted_name_words after insert on employees for each row execute function keep_changed_name_words();
create trigger keep_inserted_name_words after insert on users for each row execute function keep_changed_name_words();
drop function if exists keep_inserted_name_words()$step$,

    -- Imports are never deleted, and stay where they are when time entries are distributed.
    'alter table time_entries drop constraint if exists time_entries_import_id_fkey'];
begin
  insert into settings (name, value) select 'later-steps', jsonb_agg(jsonb_build_object('statement', step) order by place)::text
  from unnest(steps) with ordinality each(step, place)
  on conflict (name) do update set value = (settings.value::jsonb || excluded.value::jsonb)::text;
end $migration$;
