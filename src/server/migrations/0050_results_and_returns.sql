-- The same answer of the bank on another date is another answer: the second stands until a person decides it.
alter table ach_results drop constraint ach_results_pkey;
alter table ach_results add primary key (trace_number, code, amount, addenda, effective_date);

-- A date on which the bank cannot have answered.
alter table ach_results drop constraint ach_results_problem_check;
alter table ach_results add constraint ach_results_problem_check check (problem in
  ('NO_DEBIT', 'UNKNOWN_CODE', 'DATE_WRONG', 'SETTLED_BEFORE', 'AMOUNT_DIFFERS', 'BY_HAND_DIFFERS', 'REPEATED', 'ABOVE_DEBIT', 'TOO_LATE'));

-- A return counts as what it returns does: with it, it is pending, reconciled or failed.
alter table repayments drop constraint repayments_check1;
alter table repayments add constraint repayments_failed
  check (case origin when 'RETURN' then failure is null or reconciliation_status = 'FAILED'
    else (failure is not null) = (reconciliation_status = 'FAILED') end);
update repayments back set reconciliation_status = source.reconciliation_status
from repayments source where source.id = back.returns_id and back.failure is null
  and back.reconciliation_status <> source.reconciliation_status;
