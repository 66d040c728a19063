-- Users as records of their own: whose employee they are, what a search reads, an e-mail that waits to be confirmed.

-- The employer of the employee who is linked, kept by the trigger below; null where none is. Access is asked of it.
alter table users add column employer_id bigint references employers;
alter table users add column pending_email text;
alter table users add column status_before_email text;
alter table users add column email_token_hash text unique;
alter table users add column email_token_until timestamptz(3);
alter table users add constraint users_email_waits check (
  (status = 'PENDING_EMAIL_UPDATE' or pending_email is null)
  and (pending_email is null) = (status_before_email is null));

alter table users add column name_key text collate "C" generated always as (fold(last_name) || ' ' || fold(first_name)) stored;
alter table users add column first_key text collate "C" generated always as (fold(first_name)) stored;
alter table users add column email_key text collate "C" generated always as (fold(email)) stored;
alter table users add column phone_digits text collate "C" generated always as (translate(phone_number, '+-(). ', '')) stored;
alter table users add column search_text text collate "C" generated always as (
  fold(first_name) || ' ' || fold(last_name) || ' ' || fold(email) || ' ' || coalesce(translate(phone_number, '+-(). ', ''), '')) stored;

update users set employer_id = employees.employer_id from employees where employees.user_id = users.id;

-- A user who was deleted is linked to nobody: who links waits for who deletes, and the other way round, on the row of the user.
create function keep_user_employer() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' and old.user_id is not null and (tg_op = 'DELETE' or new.user_id is distinct from old.user_id) then
    update users set employer_id = null where id = old.user_id;
  end if;
  if tg_op <> 'DELETE' and new.user_id is not null then
    update users set employer_id = new.employer_id
      where id = new.user_id and (status <> 'DELETED' or (tg_op = 'UPDATE' and old.user_id = new.user_id));
    if not found then
      raise exception 'A deleted user cannot be linked.' using errcode = 'check_violation';
    end if;
  end if;
  return null;
end $$;
create trigger keep_user_employer after insert or delete or update of user_id, employer_id on employees
  for each row execute function keep_user_employer();

drop index users_by_status;
create index users_by_status on users (status, id);
create index users_by_name on users (name_key, id);
create index users_by_sign_in on users (last_sign_in_at, id);
create index users_by_creation on users (created_at, id);
create index users_of_employer on users (employer_id, id);
create index users_of_employer_by_name on users (employer_id, name_key, id);
create index users_by_first_name on users (first_key, id);
create index users_by_email on users (email_key, id);
create index users_by_phone on users (phone_digits, id) where phone_digits is not null;
create index users_by_text on users using gin (search_text gin_trgm_ops);

create table current_addresses (
  user_id bigint primary key references users,
  line_1 text not null,
  line_2 text,
  city text not null,
  state text not null,
  postal_code text not null,
  since date not null
);

-- The identity check of a user. Its status is the user's `kyc_status`, which is null where there is no check.
create table identity_checks (
  id bigint generated always as identity primary key,
  user_id bigint not null unique references users,
  document_types text[] not null default '{}' check (document_types <@ array['LICENSE', 'ID_CARD']),
  submitted_at timestamptz(3) not null default now(),
  reviewed_at timestamptz(3),
  reviewed_by_name text,
  reason text
);
insert into identity_checks (user_id, submitted_at) select id, created_at from users where kyc_status is not null;
