-- How many requests of the work period were used up when an additional transaction was granted: exactly one more than these may be
-- used, whatever requests per cycle was or becomes.
alter table additional_transactions add column used_before integer not null default 0 check (used_before >= 0);
update additional_transactions given set used_before = (
  select count(*) from transactions t where t.work_period_balance_id = given.work_period_balance_id
    and t.status in ('PENDING', 'COMPLETE') and t.requested_at < given.granted_at);
alter table additional_transactions alter column used_before drop default;
