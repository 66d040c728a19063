-- What happened, in one partition a month. All that there is becomes the first partition, which ends with the month that is
-- under way: no row is moved.

alter table audit_events rename to audit_events_before;
create sequence audit_event_ids;
select setval('audit_event_ids', coalesce(max(id), 0) + 1, false) from audit_events_before;
alter table audit_events_before alter column id drop identity;
alter table audit_events_before alter column id set default nextval('audit_event_ids');
drop trigger audit_event_filed on audit_events_before;

-- Within a partitioned table a key has the column that the partitions are made by.
drop index audit_events_by_time;
alter table audit_events_before drop constraint audit_events_pkey;
alter table audit_events_before add constraint audit_events_before_pkey primary key (at, id);
create index audit_events_before_by_id on audit_events_before (id);
alter index audit_events_by_owner rename to audit_events_before_by_owner;
alter index audit_events_of_entity rename to audit_events_before_of_entity;
alter index audit_events_of_actor rename to audit_events_before_of_actor;
alter index audit_events_of_intent rename to audit_events_before_of_intent;
alter index audit_events_of_command rename to audit_events_before_of_command;
alter index audit_events_of_runs rename to audit_events_before_of_runs;

create table audit_events (like audit_events_before including defaults including constraints, primary key (at, id))
  partition by range (at);
create index audit_events_by_id on audit_events (id);
create index audit_events_by_owner on audit_events (belongs_to, at, id);
create index audit_events_of_entity on audit_events (entity, entity_id, at, id);
create index audit_events_of_actor on audit_events (actor_id, at, id);
create index audit_events_of_intent on audit_events (intent, at, id);
create index audit_events_of_command on audit_events (command, at, id) where command is not null;
create index audit_events_of_runs on audit_events (idempotency_key) where idempotency_key like 'run:%';
alter sequence audit_event_ids owned by audit_events.id;
create trigger audit_event_filed before insert on audit_events
for each row when (new.belongs_to is null) execute function audit_event_filed();

-- Attaches what came before the months, up to the first of them; for whoever took it out to load it.
create function attach_audit_before(first_month date) returns void
  language plpgsql as $$
begin
  execute format('alter table audit_events attach partition audit_events_before for values from (minvalue) to (%L)',
    first_month::text || ' 00:00:00+00');
end $$;
revoke execute on function attach_audit_before(date) from public;

do $$
declare
  first_month date;
begin
  -- A clock may have been ahead once.
  select date_trunc('month', greatest(max(at), now()) at time zone 'UTC') + interval '1 month' into first_month from audit_events_before;
  perform attach_audit_before(first_month);
  insert into monthly_partitions (parent, month)
  select 'audit_events', generate_series(first_month, first_month + interval '3 months', interval '1 month')::date;
end $$;
