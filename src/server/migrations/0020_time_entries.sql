-- What people worked by day, in one partition a month. Rows of a whole day, so that only months in question are read.
create sequence time_entry_ids start with 800001;
create table time_entries (
  id bigint not null default nextval('time_entry_ids'),
  employee_id bigint not null references employees,
  employer_id bigint not null references employers,
  work_date date not null,
  minutes integer not null check (minutes between 1 and 1440),
  earned_amount bigint not null check (earned_amount >= 0),
  status text not null check (status in ('PENDING', 'APPROVED', 'AUTO', 'REJECTED')),
  decided_by text,
  decided_by_name text,
  decided_at timestamptz(3),
  decision_reason text,
  updated_at timestamptz(3) not null default now(),
  version integer not null default 1,
  primary key (work_date, id),
  check ((decided_by is not null) = (status in ('APPROVED', 'REJECTED')))
) partition by range (work_date);
create index time_entries_by_id on time_entries (id);
create index time_entries_of_employee on time_entries (employee_id, work_date, id);
create index time_entries_of_employer on time_entries (employer_id, work_date, id);
create index time_entries_by_minutes on time_entries (minutes, id);
create index time_entries_by_status on time_entries (status, id);
create index time_entries_pending on time_entries (work_date, id) where status = 'PENDING';

insert into monthly_partitions (parent, month)
select 'time_entries', generate_series(date_trunc('month', now() at time zone 'UTC') - interval '4 months',
  date_trunc('month', now() at time zone 'UTC') + interval '4 months', interval '1 month')::date;
