-- A person tells the sessions they have apart by the device and by when they began, and ends any of them from another one.
alter table sessions add column id uuid not null default gen_random_uuid() unique;
alter table sessions add column device text not null default 'Unknown device' check (length(device) between 1 and 100);
alter table sessions drop constraint sessions_ended_reason_check;
alter table sessions add constraint sessions_ended_reason_check
  check (ended_reason in ('SIGNED_OUT', 'ENDED_ELSEWHERE', 'PASSWORD_CHANGED', 'PERSON_REMOVED'));
