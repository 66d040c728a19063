-- Primary and unique keys of the big tables contain the organization behind what they had, so that the same index finds a row by
-- its id alone, serves the foreign keys, and belongs to a table that is distributed by organization
-- (docs/decisions/2026-11-30-organization-in-every-key.md). All of it are later steps: this part takes no time.
--
-- Four keys stay until the next release, because the last one needs them: it groups by the primary keys of employees and
-- balances, and `on conflict` names those of the invoice in lines and deductions.

with keyed_primaries as (
  -- Those that others refer to come first.
  select row_number() over () as place, of, columns from (
    select unnest(array['invoices', 'invoice_lines', 'repayments', 'write_offs', 'credits', 'deductions', 'ledger_entries',
      'ach_debits', 'debtor_flags', 'rewards', 'additional_transactions']), 'id, organization_id'
    union all values
      ('deduction_files', 'deduction_id, organization_id'),
      ('repayment_allocations', 'repayment_id, invoice_id, organization_id'),
      ('transactions', 'requested_at, id, organization_id'),
      ('time_entries', 'work_date, id, organization_id')) each(of, columns)
), keyed_uniques as (
  -- And the statement that drops the constraint or index that each replaces.
  select row_number() over () as place, each.* from (values
    ('ledger_entries', 'ledger_entries_reversed_once', 'reverses, organization_id', ' WHERE (reverses IS NOT NULL)',
      'alter table ledger_entries drop constraint if exists ledger_entries_reverses_key'),
    ('repayments', 'repayments_contested', 'contests_id, organization_id', ' WHERE (contests_id IS NOT NULL)',
      'drop index if exists repayments_contested_once'),
    ('write_offs', 'write_offs_pending_of_line', 'line_id, organization_id', ' WHERE (status = ''PENDING''::text)',
      'drop index if exists write_offs_one_pending'),
    ('ach_debits', 'ach_debits_under_way', 'invoice_id, organization_id',
      ' WHERE (state = ANY (ARRAY[''SCHEDULED''::text, ''SUBMITTED''::text]))', 'drop index if exists ach_debits_one_under_way'),
    ('work_period_balances', 'work_period_balances_by_start', 'employee_id, work_period_start, organization_id', '',
      'drop index if exists work_period_balances_of_employee'),
    ('work_period_balances', 'work_period_balances_one_open', 'employee_id, organization_id', ' WHERE is_open',
      'drop index if exists work_period_balances_open')
  ) each(of, name, columns, rows, instead)
), keyed_references as (
  -- Foreign keys, which use the index of the primary key of the second table from now on: its own one goes.
  select row_number() over () as place, each.* from (values
    ('invoice_lines', 'invoice_id', 'invoices'), ('repayments', 'returns_id', 'repayments'),
    ('repayments', 'contests_id', 'repayments'), ('write_offs', 'invoice_id', 'invoices'),
    ('write_offs', 'line_id', 'invoice_lines'), ('credits', 'invoice_id', 'invoices'), ('deductions', 'invoice_id', 'invoices'),
    ('ledger_entries', 'invoice_id', 'invoices'), ('ledger_entries', 'counter_invoice_id', 'invoices'),
    ('ledger_entries', 'line_id', 'invoice_lines'), ('ledger_entries', 'repayment_id', 'repayments'),
    ('ledger_entries', 'write_off_id', 'write_offs'), ('ledger_entries', 'credit_id', 'credits'),
    ('ledger_entries', 'reverses', 'ledger_entries'), ('deduction_files', 'deduction_id', 'deductions'),
    ('repayment_allocations', 'invoice_id', 'invoices'), ('repayment_allocations', 'repayment_id', 'repayments'),
    ('ach_debits', 'invoice_id', 'invoices'), ('ach_debits', 'repayment_id', 'repayments'),
    ('debtor_flags', 'invoice_id', 'invoices')
  ) each(of, by, parent)
), steps as (
  -- A result of the bank is outside of an organization, so it cannot refer to a row inside of one. Repayments are never deleted,
  -- and its repayment is read in the transaction that notes it.
  select 0 as part, 0 as place, jsonb_build_object('statement',
    'alter table ach_results drop constraint if exists ach_results_repayment_id_fkey') as step
  union all
  select 1, place, jsonb_build_object('primary', of, 'columns', columns) from keyed_primaries
  union all
  select 2, 2 * place, jsonb_build_object('index', format('CREATE UNIQUE INDEX %s ON public.%s USING btree (%s)%s', name, of, columns, rows))
  from keyed_uniques
  union all
  select 2, 2 * place + 1, jsonb_build_object('statement', instead) from keyed_uniques
  union all
  select 3, place, jsonb_build_object('reference', of,
    'name', format('%s_%s_in_organization', of, regexp_replace(by, '_id$', '')),
    'definition', format('foreign key (%s, organization_id) references %s', by, parent)
      || case when of = 'repayment_allocations' and by = 'repayment_id' then ' on delete cascade' else '' end,
    'instead', format('%s_%s_of_organization', of, regexp_replace(by, '_id$', '')))
  from keyed_references
  union all
  select 4, min(place), jsonb_build_object('statement', format('drop index if exists %s_of_organization', parent))
  from keyed_references group by parent
), added as (select jsonb_agg(step order by part, place) as all from steps)
insert into settings (name, value) select 'later-steps', added.all::text from added
on conflict (name) do update set value = (settings.value::jsonb || excluded.value::jsonb)::text;
