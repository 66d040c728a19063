-- The file of a deduction as it was delivered: what is changed afterwards, of employees or of how they are named, changes nothing in it.
create table deduction_files (
  deduction_id bigint primary key references deductions,
  head jsonb not null check (jsonb_typeof(head) = 'array'),
  rows jsonb not null check (jsonb_typeof(rows) = 'array')
);
