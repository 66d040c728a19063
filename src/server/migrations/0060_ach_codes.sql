-- Codes of the bank by family: a notice of change moves no money, a dishonored return gives its money back, and a contested
-- one takes it again.

-- Codes are compared in capitals, without blanks. What arrived before keeps its spelling where the same answer is there already.
create function normalize_ach_code() returns trigger language plpgsql as $$
begin
  new.code := upper(regexp_replace(new.code, '\s', '', 'g'));
  return new;
end $$;
create trigger normalize_code before insert on ach_results for each row execute function normalize_ach_code();
update ach_results set code = upper(regexp_replace(code, '\s', '', 'g'))
where code <> upper(regexp_replace(code, '\s', '', 'g')) and not exists (
  select from ach_results other
  where other.id <> ach_results.id and other.trace_number = ach_results.trace_number and other.amount = ach_results.amount
    and other.addenda = ach_results.addenda and other.effective_date = ach_results.effective_date
    and upper(regexp_replace(other.code, '\s', '', 'g')) = upper(regexp_replace(ach_results.code, '\s', '', 'g')));

-- A notice of change has the amount 0; so has an answer whose amount a person has to ask for.
alter table ach_results drop constraint ach_results_amount_check;
alter table ach_results add constraint ach_results_amount_check check (amount >= 0);
alter table ach_results drop constraint ach_results_state_check;
alter table ach_results add constraint ach_results_state_check
  check (state in ('WAITING', 'BOOKED', 'UNMATCHED', 'APPLIED', 'DISMISSED'));
alter table ach_results drop constraint ach_results_problem_check;
alter table ach_results add constraint ach_results_problem_check check (problem in
  ('NO_DEBIT', 'UNKNOWN_CODE', 'NOTICE_OF_CHANGE', 'DATE_WRONG', 'NO_AMOUNT', 'NO_RETURN', 'NO_DISHONOR', 'SETTLED_BEFORE',
    'AMOUNT_DIFFERS', 'BY_HAND_DIFFERS', 'REPEATED', 'ABOVE_DEBIT', 'TOO_LATE'));

alter table repayments drop constraint repayments_failure_check;
alter table repayments add constraint repayments_failure_check
  check (failure in ('RETURNED', 'UNMATCHED', 'TAKEN_BACK', 'DISHONORED', 'CONTESTED'));
-- The answer of the bank by which a return was dishonored, and the dishonored return that a return contests: each once.
alter table repayments
  add column dishonor_result_id bigint references ach_results (id),
  add column contests_id bigint references repayments,
  add check ((dishonor_result_id is not null) = coalesce(failure in ('DISHONORED', 'CONTESTED'), false)),
  add check (contests_id is null or origin = 'RETURN');
create unique index repayments_dishonored_once on repayments (dishonor_result_id) where dishonor_result_id is not null;
create unique index repayments_contested_once on repayments (contests_id) where contests_id is not null;
