-- Files in which employers tell what they withheld are received as those of employees and time are.
alter table imports drop constraint imports_kind_check;
alter table imports add check (kind in ('EMPLOYEE', 'TIMEKEEPING', 'CONFIRMATION'));

-- Lines of a timekeeping file whose pay code does not count: the same file may come again once it does.
alter table imports add column uncounted integer not null default 0;
alter table staged_time add column counts boolean not null default true;
alter table large_files.staged_time add column counts boolean not null default true;

-- Which lines of which invoices a line of such a file may be about; cents.
create unlogged table staged_confirmed (
  line integer not null, line_id bigint not null, deduction_id bigint not null, invoice_id bigint not null,
  asked bigint not null, is_known boolean not null, withheld bigint, not_withheld bigint,
  primary key (line, line_id));
create unlogged table large_files.staged_confirmed (like staged_confirmed including all);
