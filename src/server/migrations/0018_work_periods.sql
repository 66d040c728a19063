-- One row for each employee and pay period: the open one and those that are over. Both days belong to the period.
alter table balances rename to work_period_balances;
alter table work_period_balances drop constraint balances_pkey;
drop index balances_by_id;
alter table work_period_balances add primary key (id);
alter table work_period_balances drop constraint balances_check;
update work_period_balances set work_period_end = work_period_end - 1;
alter table work_period_balances
  add check (work_period_end >= work_period_start),
  add column is_open boolean not null default true,
  -- What may be drawn of what was earned, by the terms that held when it was last reckoned.
  add column limit_amount bigint not null default 0 check (limit_amount >= 0),
  add column updated_at timestamptz(3) not null default now();
update work_period_balances set limit_amount = available_amount + taken_amount + pending_amount;

drop trigger keep_available_amount on work_period_balances;
alter table work_period_balances drop column available_amount;
alter table work_period_balances add column available_amount bigint not null
  generated always as (greatest(0, limit_amount - taken_amount - pending_amount)) stored;
alter table work_period_balances alter column limit_amount drop default,
  alter column taken_amount set default 0, alter column pending_amount set default 0;

create unique index work_period_balances_open on work_period_balances (employee_id) where is_open;
create unique index work_period_balances_of_employee on work_period_balances (employee_id, work_period_start);
create index work_period_balances_over on work_period_balances (work_period_end) where is_open;

-- Employees are sorted by what the open period leaves them.
create or replace function keep_available_amount() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    if old.is_open then
      update employees set available_amount = null where id = old.employee_id;
    end if;
  elsif new.is_open then
    update employees set available_amount = new.available_amount
      where id = new.employee_id and available_amount is distinct from new.available_amount;
  elsif tg_op = 'UPDATE' and old.is_open then
    update employees set available_amount = null where id = new.employee_id;
  end if;
  return null;
end $$;
create trigger keep_available_amount after insert or delete or update on work_period_balances
  for each row execute function keep_available_amount();

-- What people drew, in one partition a month.
create sequence transaction_ids start with 700001;
create table transactions (
  id bigint not null default nextval('transaction_ids'),
  employee_id bigint not null references employees,
  work_period_balance_id bigint not null references work_period_balances,
  status text not null check (status in ('COMPLETE', 'FAIL', 'DELETED', 'PENDING')),
  provider text not null,
  amount bigint not null check (amount > 0),
  fee_amount bigint not null check (fee_amount >= 0),
  requested_at timestamptz(3) not null default now(),
  settled_at timestamptz(3),
  primary key (requested_at, id),
  check ((status = 'PENDING') = (settled_at is null))
) partition by range (requested_at);
create index transactions_of_employee on transactions (employee_id, requested_at, id);
create index transactions_of_balance on transactions (work_period_balance_id, requested_at, id);

-- Which months a partitioned table has a partition for, in UTC. A row makes it; it stays when the partition is detached, so
-- that it is not made again.
create table monthly_partitions (
  parent text not null,
  month date not null check (extract(day from month) = 1 and month between '2000-01-01' and '2999-12-01'),
  primary key (parent, month)
);

-- Made beside the table and attached: people go on reading and writing meanwhile.
create function make_partition() returns trigger
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  partition text := new.parent || to_char(new.month, '_YYYY_MM');
begin
  if not exists (select from pg_partitioned_table where partrelid = to_regclass(format('public.%I', new.parent))) then
    raise exception 'There is no partitioned table %.', new.parent;
  end if;
  execute format('create table public.%I (like public.%I including all)', partition, new.parent);
  execute format('alter table public.%I attach partition public.%I for values from (%L) to (%L)', new.parent, partition,
    new.month::text || ' 00:00:00+00', (new.month + interval '1 month')::date::text || ' 00:00:00+00');
  return null;
end $$;
revoke execute on function make_partition() from public;
create trigger make_partition after insert on monthly_partitions for each row execute function make_partition();

insert into monthly_partitions (parent, month)
select 'transactions', generate_series(date_trunc('month', now() at time zone 'UTC') - interval '4 months',
  date_trunc('month', now() at time zone 'UTC') + interval '4 months', interval '1 month')::date;

-- Taken and pending are what the transactions of a balance come to: whoever adds or changes one changes them, nobody else.
create function count_transactions() returns trigger
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  if tg_op = 'INSERT' then
    update work_period_balances balance set taken_amount = taken_amount + moved.taken,
      pending_amount = pending_amount + moved.pending, version = version + 1, updated_at = now()
    from (select work_period_balance_id as id,
        coalesce(sum(amount + fee_amount) filter (where status = 'COMPLETE'), 0) as taken,
        coalesce(sum(amount + fee_amount) filter (where status = 'PENDING'), 0) as pending
      from added group by 1) moved
    where balance.id = moved.id and (moved.taken <> 0 or moved.pending <> 0);
  else
    update work_period_balances balance set taken_amount = taken_amount + moved.taken,
      pending_amount = pending_amount + moved.pending, version = version + 1, updated_at = now()
    from (select work_period_balance_id as id,
        coalesce(sum(sign * (amount + fee_amount)) filter (where status = 'COMPLETE'), 0) as taken,
        coalesce(sum(sign * (amount + fee_amount)) filter (where status = 'PENDING'), 0) as pending
      from (select *, 1 as sign from added union all select *, -1 from taken_out) each group by 1) moved
    where balance.id = moved.id and (moved.taken <> 0 or moved.pending <> 0);
  end if;
  return null;
end $$;
revoke execute on function count_transactions() from public;
create trigger count_added_transactions after insert on transactions referencing new table as added
  for each statement execute function count_transactions();
create trigger count_changed_transactions after update on transactions referencing new table as added old table as taken_out
  for each statement execute function count_transactions();

-- One more request in a work period, beyond the requests of its cycle. Whether it is used follows from the transactions.
create table additional_transactions (
  id bigint generated by default as identity primary key,
  employee_id bigint not null references employees,
  work_period_balance_id bigint not null references work_period_balances,
  granted_by text not null,
  granted_by_name text not null,
  granted_at timestamptz(3) not null default now(),
  notes text
);
create index additional_transactions_of_balance on additional_transactions (work_period_balance_id);
