-- The same answer of the bank on another date is another answer: the second stands until a person decides it.
alter table ach_results drop constraint ach_results_pkey;
alter table ach_results add primary key (trace_number, code, amount, addenda, effective_date);

-- A date on which the bank cannot have answered.
alter table ach_results drop constraint ach_results_problem_check;
alter table ach_results add constraint ach_results_problem_check check (problem in
  ('NO_DEBIT', 'UNKNOWN_CODE', 'DATE_WRONG', 'SETTLED_BEFORE', 'AMOUNT_DIFFERS', 'BY_HAND_DIFFERS', 'REPEATED', 'ABOVE_DEBIT', 'TOO_LATE'));
