-- Applied to the migrated, empty template database: the big tables become hash partitions by organization, as they are on the shards
-- of a distributed database. Everything else about them stays, but every primary and unique key contains the organization, also
-- those that are shorter until the next release.
create temporary table hashed on commit drop as
select attrelid as id, attrelid::regclass::text as name, relkind = 'p' as monthly
from pg_attribute join pg_class on pg_class.oid = attrelid
where attname = 'organization_id' and relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
  -- As in migration 0071.
  and exists (select from pg_trigger where tgrelid = attrelid and tgname = 'fill_organization');

create function make_hashed_month(parent text, month date) returns void language plpgsql as $$
declare
  partition text := parent || to_char(month, '_YYYY_MM');
begin
  execute format('create table public.%I partition of public.%I for values from (%L) to (%L) partition by hash (organization_id)',
    partition, parent, month::text || ' 00:00:00+00', (month + interval '1 month')::date::text || ' 00:00:00+00');
  -- Fewer than of the other tables: there are many months.
  for remainder in 0..1 loop
    execute format('create table public.%I partition of public.%I for values with (modulus 2, remainder %s)',
      partition || '_' || remainder, partition, remainder);
  end loop;
end $$;

-- What the tables have beside columns and checks, to be made again in this order.
create temporary table statements (place integer generated always as identity, text text) on commit drop;
insert into statements (text)
select format('alter table %s add constraint %I %s', h.name, conname,
  case when definition like '%organization_id%' then definition else regexp_replace(definition, '\)', ', organization_id)') end)
from hashed h join pg_constraint on conrelid = h.id cross join lateral pg_get_constraintdef(pg_constraint.oid) definition
where contype in ('p', 'u') and not h.monthly;
insert into statements (text)
select case when not indisunique or definition like '%organization_id%' then definition
  else regexp_replace(definition, '\)', ', organization_id)') end
from hashed h join pg_index on indrelid = h.id cross join lateral pg_get_indexdef(indexrelid) definition
where not h.monthly and not exists (select from pg_constraint where conindid = indexrelid and contype in ('p', 'u'));
insert into statements (text)
select format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) from pg_constraint
where contype = 'f' and conparentid = 0 and (conrelid in (select id from hashed where not monthly) or confrelid in (select id from hashed));
insert into statements (text)
select pg_get_triggerdef(pg_trigger.oid) from hashed h join pg_trigger on tgrelid = h.id where not tgisinternal and not h.monthly;

do $$
declare
  each record;
begin
  for each in select * from hashed where monthly loop
    execute (select string_agg(format('drop table %s', inhrelid::regclass), ';') from pg_inherits where inhparent = each.id);
  end loop;
  for each in select conrelid::regclass as of, conname from pg_constraint
    where contype = 'f' and conparentid = 0 and confrelid in (select id from hashed) loop
    execute format('alter table %s drop constraint %I', each.of, each.conname);
  end loop;
  for each in select * from hashed where not monthly loop
    execute format('alter table %I rename to %I', each.name, each.name || '_whole');
    execute format('create table %I (like %I including all excluding indexes) partition by hash (organization_id)',
      each.name, each.name || '_whole');
    for remainder in 0..7 loop
      execute format('create table %I partition of %I for values with (modulus 8, remainder %s)',
        each.name || '_' || remainder, each.name, remainder);
    end loop;
    execute format('drop table %I', each.name || '_whole');
  end loop;
  for each in select * from statements order by place loop
    execute each.text;
  end loop;
  for each in select * from monthly_partitions where parent in (select name from hashed) loop
    perform make_hashed_month(each.parent, each.month);
  end loop;
end $$;

create or replace function make_partition() returns trigger
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  if new.parent = 'audit_events' then
    execute format('create table public.%1$I partition of public.audit_events for values from (%2$L) to (%3$L)',
      new.parent || to_char(new.month, '_YYYY_MM'), new.month::text || ' 00:00:00+00',
      (new.month + interval '1 month')::date::text || ' 00:00:00+00');
  else
    perform make_hashed_month(new.parent, new.month);
  end if;
  return null;
end $$;
