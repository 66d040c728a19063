-- Ten codes that each sign a person in once without the authenticator. Only hashes are stored: the codes are shown once.
create table recovery_codes (
  person_id uuid not null references people on delete cascade,
  code_hash text not null,
  primary key (person_id, code_hash)
);
-- A person who signed in with a recovery code may set up a new authenticator, which replaces the present one once its first code is right.
alter table challenges add column replaces boolean not null default false;
alter table sessions drop constraint sessions_ended_reason_check;
alter table sessions add constraint sessions_ended_reason_check
  check (ended_reason in ('SIGNED_OUT', 'ENDED_ELSEWHERE', 'PASSWORD_CHANGED', 'PERSON_REMOVED', 'AUTHENTICATOR_RESET'));
