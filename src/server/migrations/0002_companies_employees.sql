create extension if not exists pg_trgm;

-- Employees, users, employers and organizations share one sequence: a typed number names one thing.
create sequence entity_ids as bigint start with 100001;

-- Text as search compares it: lower case, without diacritics, hyphens as spaces, no apostrophes.
-- Not strict, although null stays null: a strict one could not be inlined.
create function fold(value text) returns text
  language sql immutable parallel safe
  return case
    when octet_length(value) = char_length(value) then lower(translate(value, '-''', ' '))
    else lower(regexp_replace(
      normalize(translate(value, 'ØøŁłßĐđ-''’', 'OoLlsDd '), NFD), U&'[\0300-\036F]', '', 'g'))
  end;

create table organizations (
  id bigint primary key default nextval('entity_ids'),
  name text not null,
  lookup_name text not null,
  brand text not null,
  source_code text not null,
  status text not null check (status in ('ACTIVE', 'INACTIVE')),
  csm_name text,
  notes text,
  name_key text collate "C" generated always as (fold(name)) stored,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  version integer not null default 1
);
create index organizations_by_name on organizations (name_key, id);
create index organizations_by_source_code on organizations (source_code);

create table employers (
  id bigint primary key default nextval('entity_ids'),
  organization_id bigint not null references organizations,
  internal_name text not null,
  external_name text not null,
  external_code text not null,
  lookup_name text not null,
  brand text not null,
  status text not null check (status in ('ACTIVE', 'INACTIVE')),
  direct_customer boolean not null default false,
  go_live_date date,
  cancellation_date date,
  pilot_ee_count integer check (pilot_ee_count >= 0),
  pilot_launch_date date,
  name_key text collate "C" generated always as (fold(internal_name)) stored,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  version integer not null default 1
);
create index employers_by_name on employers (name_key, id);
create index employers_by_organization on employers (organization_id, id);
create index employers_by_external_code on employers (external_code);

create table users (
  id bigint primary key default nextval('entity_ids'),
  brand text not null,
  first_name text not null,
  last_name text not null,
  email text not null,
  phone_number text,
  status text not null check (status in ('ACTIVE', 'CONFIRMATION_PENDING', 'DELETED', 'PENDING_EMAIL_UPDATE')),
  kyc_status text check (kyc_status in ('APPROVED', 'DENIED', 'UNDER_REVIEW')),
  force_password_change boolean not null default false,
  last_sign_in_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  updated_by uuid,
  version integer not null default 1
);

create table employees (
  id bigint primary key default nextval('entity_ids'),
  employer_id bigint not null references employers,
  user_id bigint constraint employees_user_once unique references users,
  first_name text not null,
  last_name text not null,
  employee_code text not null,
  external_tk_id text,
  email text,
  phone_number text,
  department_code text,
  status text not null check (status in ('IMPORTED', 'CREATED', 'ELIGIBLE', 'ACTIVE', 'INELIGIBLE', 'PAUSED',
    'TERMINATED', 'OFFCYCLE_PAID', 'DELETED', 'DUPLICATED', 'UNKNOWN')),
  flow text not null check (flow in ('PAYROLL', 'CONSUMER')),
  brand text not null,
  hire_date date,
  pay_type text check (pay_type in ('HOURLY', 'SALARY')),
  pay_frequency text check (pay_frequency in ('WEEKLY', 'BI_WEEKLY', 'SEMI_MONTHLY', 'MONTHLY')),
  next_pay_date date,
  rate_amount bigint check (rate_amount >= 0),
  status_before_pause text,
  paused_at timestamptz(3),
  paused_by uuid,
  paused_by_name text,
  pause_reason text,
  pause_details text,
  unrecovered_amount bigint not null default 0 check (unrecovered_amount >= 0),
  -- Copies that a sort reads, kept by the triggers below.
  available_amount bigint,
  employer_key text collate "C" not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  updated_by uuid,
  version integer not null default 1,
  name_key text collate "C" generated always as (fold(last_name) || ' ' || fold(first_name)) stored,
  first_key text collate "C" generated always as (fold(first_name)) stored,
  code_key text collate "C" generated always as (fold(employee_code)) stored,
  tk_key text collate "C" generated always as (fold(external_tk_id)) stored,
  email_key text collate "C" generated always as (fold(email)) stored,
  phone_digits text collate "C" generated always as (translate(phone_number, '+-(). ', '')) stored,
  -- A yearly salary compares by its hour of a 40-hour week.
  hourly_amount bigint generated always as (case when pay_type = 'SALARY' then rate_amount / 2080 else rate_amount end) stored,
  search_text text collate "C" generated always as (
    fold(first_name) || ' ' || fold(last_name) || ' ' || coalesce(fold(email), '') || ' ' || fold(employee_code) || ' '
    || coalesce(fold(external_tk_id), '') || ' ' || coalesce(translate(phone_number, '+-(). ', ''), '')) stored,
  constraint employees_paused_whole check (
    (status = 'PAUSED') = (paused_at is not null)
    and (paused_at is null) = (status_before_pause is null)
    and (paused_at is null) = (pause_reason is null)
    and (paused_at is null) = (paused_by_name is null))
);

-- The balance of the work period that is open; amounts in cents.
create table balances (
  employee_id bigint primary key references employees,
  work_period_start date not null,
  work_period_end date not null,
  earned_amount bigint not null check (earned_amount >= 0),
  taken_amount bigint not null check (taken_amount >= 0),
  pending_amount bigint not null check (pending_amount >= 0),
  available_amount bigint not null check (available_amount >= 0),
  version integer not null default 1,
  check (work_period_end > work_period_start)
);

create function keep_employer_key() returns trigger language plpgsql as $$
begin
  select name_key into new.employer_key from employers where id = new.employer_id;
  return new;
end $$;
create trigger keep_employer_key before insert or update of employer_id on employees
  for each row execute function keep_employer_key();

create function spread_employer_key() returns trigger language plpgsql as $$
begin
  update employees set employer_key = new.name_key where employer_id = new.id;
  return null;
end $$;
create trigger spread_employer_key after update of internal_name on employers
  for each row when (old.internal_name is distinct from new.internal_name) execute function spread_employer_key();

create function keep_available_amount() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    update employees set available_amount = null where id = old.employee_id;
  else
    update employees set available_amount = new.available_amount
      where id = new.employee_id and available_amount is distinct from new.available_amount;
  end if;
  return null;
end $$;
create trigger keep_available_amount after insert or delete or update of available_amount on balances
  for each row execute function keep_available_amount();

-- One index a sort over everybody, and one within an employer, which pages of a few employers are merged from.
create index employees_by_name on employees (name_key, id) include (employer_id);
create index employees_by_status on employees (status, id);
create index employees_by_employer on employees (employer_key, id);
create index employees_by_hire_date on employees (hire_date, id);
create index employees_by_rate on employees (hourly_amount, id);
create index employees_by_available on employees (available_amount, id);
create index employees_by_update on employees (updated_at, id);
create index employees_of_employer on employees (employer_id, id);
create index employees_of_employer_by_name on employees (employer_id, name_key, id);
create index employees_of_employer_by_status on employees (employer_id, status, id);
create index employees_of_employer_by_hire_date on employees (employer_id, hire_date, id);
create index employees_of_employer_by_rate on employees (employer_id, hourly_amount, id);
create index employees_of_employer_by_available on employees (employer_id, available_amount, id);
create index employees_of_employer_by_update on employees (employer_id, updated_at, id);

-- Search: exact and prefix matches by tree, the rest by trigrams.
create index employees_by_first_name on employees (first_key, id) include (name_key, employer_id);
create index employees_by_code on employees (code_key, id);
create index employees_by_tk on employees (tk_key, id) where tk_key is not null;
create index employees_by_email on employees (email_key, id) where email_key is not null;
create index employees_by_phone on employees (phone_digits, id) where phone_digits is not null;
create index employees_by_text on employees using gin (search_text gin_trgm_ops);
create index employees_by_department on employees (department_code, id);

create index users_by_status on users (status, id) where status <> 'ACTIVE';
create index users_by_kyc on users (kyc_status, id) where kyc_status <> 'APPROVED';
