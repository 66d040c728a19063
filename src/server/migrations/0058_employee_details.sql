-- What files say of an employee beside the work itself: personal details, and the codes that payroll files carry back.
alter table employees
  add column birth_date date, add column address text, add column city text, add column state text, add column zip text,
  add column country text, add column business_unit_code text, add column location_code text, add column pay_code text,
  add column payroll_code text;

-- Only of those who have one: employers whose files carry no codes pay nothing for the filters by them.
create index employees_by_business_unit on employees (business_unit_code, id) where business_unit_code is not null;
create index employees_by_location on employees (location_code, id) where location_code is not null;
create index employees_by_payroll_code on employees (payroll_code, id) where payroll_code is not null;

alter table staged_plan
  add column birth_date date, add column address text, add column city text, add column state text, add column zip text,
  add column country text, add column business_unit_code text, add column location_code text, add column pay_code text,
  add column payroll_code text;
alter table large_files.staged_plan
  add column birth_date date, add column address text, add column city text, add column state text, add column zip text,
  add column country text, add column business_unit_code text, add column location_code text, add column pay_code text,
  add column payroll_code text;

-- The codes of a line of time, by the field of the mapping; null where the file has none.
alter table time_entries add column codes jsonb;
alter table staged_time add column codes jsonb;
alter table large_files.staged_time add column codes jsonb;

-- Files of time and of confirmations no longer offer fields that have no effect there. Columns for them never did anything.
update mappings set columns = coalesce((
    select jsonb_agg(kept.value order by kept.place) from jsonb_array_elements(columns) with ordinality as kept (value, place)
    where kept.value ->> 'field' is null or not (kept.value ->> 'field' = any (array['first_name', 'last_name', 'full_name', 'status']
      || case kind when 'CONFIRMATION' then array['department_code', 'pay_code', 'payroll_code'] else array[]::text[] end))), '[]')
  where kind in ('TIMEKEEPING', 'CONFIRMATION');
