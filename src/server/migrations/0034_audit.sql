-- The audit as one list: whose record an event is about is kept with it, since nobody can ask that of millions of rows.

-- `employer:12`, `organization:3`, `admin:<id>`; 'nobody' where the record belongs to none of them: only admins see it.
create function audit_belongs_to(entity text, entity_id text) returns text
language plpgsql stable
as $$
declare
  found text;
begin
  if entity in ('employer', 'organization', 'admin', 'account-manager', 'person', 'views') then
    return entity || ':' || entity_id;
  end if;
  if entity_id !~ '^\d{1,18}$' then
    return 'nobody';
  end if;
  case entity
    when 'employee' then select 'employer:' || e.employer_id into found from employees e where e.id = entity_id::bigint;
    when 'user' then select 'employer:' || e.employer_id into found from users e where e.id = entity_id::bigint;
    when 'invoice' then select 'employer:' || e.employer_id into found from invoices e where e.id = entity_id::bigint;
    when 'write-off' then
      select 'employer:' || i.employer_id into found from write_offs e join invoices i on i.id = e.invoice_id where e.id = entity_id::bigint;
    when 'deduction' then
      select 'employer:' || i.employer_id into found from deductions e join invoices i on i.id = e.invoice_id where e.id = entity_id::bigint;
    when 'time-entry' then select 'employer:' || e.employer_id into found from time_entries e where e.id = entity_id::bigint;
    when 'repayment' then
      select lower(e.debtor_type) || ':' || e.debtor_id into found from repayments e where e.id = entity_id::bigint;
    when 'bank-result' then
      select lower(r.debtor_type) || ':' || r.debtor_id into found from ach_results e join repayments r on r.id = e.repayment_id
        where e.id = entity_id::bigint;
    when 'sftp-user' then select 'organization:' || e.organization_id into found from sftp_users e where e.id = entity_id::bigint;
    when 'import' then
      select coalesce('employer:' || e.employer_id, 'organization:' || e.organization_id) into found from imports e
        where e.id = entity_id::bigint;
    else found := null;
  end case;
  return coalesce(found, 'nobody');
end
$$;

alter table audit_events add column belongs_to text;
update audit_events set belongs_to = audit_belongs_to(entity, entity_id);
alter table audit_events alter column belongs_to set not null;

create function audit_event_filed() returns trigger
language plpgsql
as $$
begin
  new.belongs_to := audit_belongs_to(new.entity, new.entity_id);
  return new;
end
$$;
-- What adds thousands at once says it itself.
create trigger audit_event_filed before insert on audit_events
for each row when (new.belongs_to is null) execute function audit_event_filed();

create index audit_events_by_time on audit_events (at, id);
create index audit_events_by_owner on audit_events (belongs_to, at, id);
drop index audit_events_of_actor;
create index audit_events_of_actor on audit_events (actor_id, at, id);
create index audit_events_of_intent on audit_events (intent, at, id);
create index audit_events_of_command on audit_events (command, at, id) where command is not null;

-- A file tells what its person might see when it was written.
alter table exports add column held integer[];
