-- Views of lists that staff share with groups of people: an address, with a name.
create table shared_views (
  id bigint primary key generated always as identity,
  path text not null,
  title text not null,
  search text not null,
  shared_with text[] not null check (cardinality(shared_with) > 0),
  shared_by uuid not null references people (id),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version integer not null default 1
);
-- Ignoring case, as in the forms.
create unique index shared_views_by_title on shared_views (path, lower(title));

-- A shared view belongs to nobody's company: `shared-view:7`.
create or replace function audit_belongs_to(entity text, entity_id text) returns text
language plpgsql stable
as $$
declare
  found text;
begin
  if entity in ('employer', 'organization', 'admin', 'account-manager', 'person', 'views', 'shared-view') then
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
