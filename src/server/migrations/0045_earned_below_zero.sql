-- What was taken back of a work period beyond what stood there as earned, since that was adjusted; cents. What comes back fills it first.
alter table work_period_balances add column taken_back_beyond bigint not null default 0 check (taken_back_beyond >= 0);
