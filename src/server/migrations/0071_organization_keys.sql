-- Every row of the big tables carries its organization, and every foreign key between them contains it, so that a child row of
-- another organization is impossible (docs/decisions/2026-11-30-organization-in-every-key.md). This part takes no time, however
-- many rows there are; the rest are the later steps at the end.

create function organization_of_employer(employer bigint) returns bigint language plpgsql stable as $$
begin
  return (select organization_id from employers where id = employer);
end $$;

create function organization_of_employee(employee bigint) returns bigint language plpgsql stable as $$
begin
  return (select organization_id from employers where id = (select employer_id from employees where id = employee));
end $$;

create function organization_of_invoice(invoice bigint) returns bigint language plpgsql stable as $$
begin
  return (select organization_id from employers where id = (select employer_id from invoices where id = invoice));
end $$;

create function organization_of_debtor(type text, debtor bigint) returns bigint language plpgsql stable as $$
begin
  return case type when 'ORGANIZATION' then debtor else organization_of_employer(debtor) end;
end $$;

-- Fills the column of rows that do not name it: those of the last release when they are inserted, older ones when they are
-- updated. It reads the owner of a row rather than its parent, which may not be filled yet.
create function fill_organization() returns trigger language plpgsql as $$
begin
  case tg_argv[0]
    when 'employer' then new.organization_id := organization_of_employer(new.employer_id);
    when 'employee' then new.organization_id := organization_of_employee(new.employee_id);
    when 'invoice' then new.organization_id := organization_of_invoice(new.invoice_id);
    when 'deduction' then
      new.organization_id := organization_of_invoice((select invoice_id from deductions where id = new.deduction_id));
    when 'debtor' then new.organization_id := organization_of_debtor(new.debtor_type, new.debtor_id);
    when 'entry' then
      new.organization_id := coalesce(organization_of_invoice(new.invoice_id),
        (select organization_of_debtor(debtor_type, debtor_id) from repayments where id = new.repayment_id));
  end case;
  return new;
end $$;

-- The ledger admits one change, until the column is required: that an entry without an organization gets one. The last step
-- restores the function.
create or replace function refuse_change_of_ledger() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    if old.organization_id is null and new.organization_id is not null then
      old.organization_id := new.organization_id;
      if old is not distinct from new then
        return new;
      end if;
    end if;
  end if;
  raise exception 'The ledger is only ever added to.';
end $$;

create temporary table keyed_tables (place integer generated always as identity, name text, source text) on commit drop;
insert into keyed_tables (name, source) values
  ('employees', 'employer'), ('invoices', 'employer'), ('work_period_balances', 'employee'), ('invoice_lines', 'invoice'),
  ('repayments', 'debtor'), ('write_offs', 'invoice'), ('credits', 'invoice'), ('deductions', 'invoice'),
  ('ledger_entries', 'entry'), ('deduction_files', 'deduction'), ('repayment_allocations', 'invoice'), ('ach_debits', 'invoice'),
  ('debtor_flags', 'invoice'), ('rewards', 'employee'), ('additional_transactions', 'employee'), ('transactions', 'employee'),
  ('time_entries', 'employer');

do $$
declare
  each record;
begin
  for each in select * from keyed_tables order by place loop
    execute format('alter table %I add column organization_id bigint', each.name);
    execute format('create trigger fill_organization before insert or update on %I for each row when (new.organization_id is null)
      execute function fill_organization(%L)', each.name, each.source);
  end loop;
end $$;

-- Foreign keys from the first table to the second by a column, in place of the named one.
create temporary table keyed_references (place integer generated always as identity, of text, by text, parent text, instead text)
  on commit drop;
insert into keyed_references (of, by, parent, instead) values
  ('employees', 'employer_id', 'employers', 'employees_employer_id_fkey'),
  ('invoices', 'employer_id', 'employers', 'invoices_employer_id_fkey'),
  ('work_period_balances', 'employee_id', 'employees', 'balances_employee_id_fkey'),
  ('invoice_lines', 'invoice_id', 'invoices', 'invoice_lines_invoice_id_fkey'),
  ('invoice_lines', 'employee_id', 'employees', 'invoice_lines_employee_id_fkey'),
  ('repayments', 'returns_id', 'repayments', 'repayments_returns_id_fkey'),
  ('repayments', 'contests_id', 'repayments', 'repayments_contests_id_fkey'),
  ('write_offs', 'invoice_id', 'invoices', 'write_offs_invoice_id_fkey'),
  ('write_offs', 'line_id', 'invoice_lines', 'write_offs_line_id_fkey'),
  ('credits', 'invoice_id', 'invoices', 'credits_invoice_id_fkey'),
  ('deductions', 'invoice_id', 'invoices', 'deductions_invoice_id_fkey'),
  ('ledger_entries', 'invoice_id', 'invoices', 'ledger_entries_invoice_id_fkey'),
  ('ledger_entries', 'counter_invoice_id', 'invoices', 'ledger_entries_counter_invoice_id_fkey'),
  ('ledger_entries', 'line_id', 'invoice_lines', 'ledger_entries_line_id_fkey'),
  ('ledger_entries', 'repayment_id', 'repayments', 'ledger_entries_repayment_id_fkey'),
  ('ledger_entries', 'write_off_id', 'write_offs', 'ledger_entries_write_off_id_fkey'),
  ('ledger_entries', 'credit_id', 'credits', 'ledger_entries_credit_id_fkey'),
  ('ledger_entries', 'reverses', 'ledger_entries', 'ledger_entries_reverses_fkey'),
  ('deduction_files', 'deduction_id', 'deductions', 'deduction_files_deduction_id_fkey'),
  ('repayment_allocations', 'invoice_id', 'invoices', 'repayment_allocations_invoice_id_fkey'),
  ('repayment_allocations', 'repayment_id', 'repayments', 'repayment_allocations_repayment_id_fkey'),
  ('ach_debits', 'invoice_id', 'invoices', 'ach_debits_invoice_id_fkey'),
  ('ach_debits', 'repayment_id', 'repayments', 'ach_debits_repayment_id_fkey'),
  ('debtor_flags', 'invoice_id', 'invoices', 'debtor_flags_invoice_id_fkey'),
  ('rewards', 'employee_id', 'employees', 'rewards_employee_id_fkey'),
  ('additional_transactions', 'employee_id', 'employees', 'additional_transactions_employee_id_fkey'),
  ('additional_transactions', 'work_period_balance_id', 'work_period_balances',
    'additional_transactions_work_period_balance_id_fkey'),
  ('transactions', 'employee_id', 'employees', 'transactions_employee_id_fkey'),
  ('transactions', 'work_period_balance_id', 'work_period_balances', 'transactions_work_period_balance_id_fkey'),
  ('time_entries', 'employer_id', 'employers', 'time_entries_employer_id_fkey'),
  ('time_entries', 'employee_id', 'employees', 'time_entries_employee_id_fkey'),
  ('repayments', null, 'organizations', null);

-- The later steps (src/server/tables/later-steps.ts), after indexes that a demo company still lacks.
with steps as (
  select 1 as part, place, jsonb_build_object('index', statement) as step
  from settings cross join lateral jsonb_array_elements_text(value::jsonb) with ordinality as lacking(statement, place)
  where name = 'later-indexes'
  union all
  select 2, place, jsonb_build_object('require', name, 'column', 'organization_id') from keyed_tables
  union all
  select 3, min(place), jsonb_build_object('index',
    format('CREATE UNIQUE INDEX %1$s_of_organization ON public.%1$s USING btree (organization_id, id)', parent))
  from keyed_references where parent <> 'organizations' group by parent
  union all
  select 4, 1, jsonb_build_object('statement', 'drop index if exists employers_by_organization')
  union all
  select 5, place, jsonb_build_object('reference', of,
    'name', case when by is null then of || '_organization_id_fkey'
      else format('%s_%s_of_organization', of, regexp_replace(by, '_id$', '')) end,
    'definition', case when by is null then 'foreign key (organization_id) references organizations (id)'
      else format('foreign key (organization_id, %I) references %I (organization_id, id)', by, parent) end
      || case when instead = 'repayment_allocations_repayment_id_fkey' then ' on delete cascade' else '' end,
    'instead', instead)
  from keyed_references
  union all
  select 6, 1, jsonb_build_object('statement', 'create or replace function refuse_change_of_ledger() returns trigger language plpgsql as $$
begin
  raise exception ''The ledger is only ever added to.'';
end $$')
)
insert into settings (name, value) select 'later-steps', jsonb_agg(step order by part, place)::text from steps;
delete from settings where name = 'later-indexes';
