-- What waits in each company, as the dashboard shows it: counted anew twice a minute in the background, so that nobody waits for it.
-- Whose companies are added up is asked at every request.
create table dashboard_figures (
  -- ALL is everything together, what admins see; NONE is what belongs to no company.
  company_type text not null check (company_type in ('ALL', 'EMPLOYER', 'ORGANIZATION', 'NONE')),
  company_id bigint not null,
  measure text not null,
  -- An age, a day or a week, of what is told in parts; else empty.
  part text not null,
  count integer not null,
  -- Cents.
  amount bigint not null,
  primary key (company_type, company_id, measure, part)
);

-- When that was, and on which business date; one row once anything was counted.
create table dashboard_rounds (
  one boolean primary key default true check (one),
  counted_at timestamptz(3) not null,
  business_date date not null
);

-- Whose period reports on a day.
create index pay_periods_by_report on pay_periods (report_date);
create index employees_paused on employees (paused_at, id) where paused_at is not null;
