-- The day that a line was about which was not taken, where it can be read: what it would have said of that day is not known.
alter table staged_names add column work_date date;
alter table large_files.staged_names add column work_date date;

-- Whether what hours are worth follows from the rate of the employee, which may have changed since the same hours came before.
-- And whether an amount goes beyond what its hours can be worth.
alter table staged_time add column derived boolean not null default false, add column beyond boolean not null default false;
alter table large_files.staged_time
  add column derived boolean not null default false, add column beyond boolean not null default false;

-- What an entry that is there is compared by, and whether its day is left as it is.
alter table staged_there add column employee_id bigint, add column minutes integer, add column unclear boolean not null default false;
alter table large_files.staged_there
  add column employee_id bigint, add column minutes integer, add column unclear boolean not null default false;
