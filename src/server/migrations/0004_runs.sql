-- One command over many rows; each row is carried out in a transaction of its own.
create table runs (
  id uuid primary key default gen_random_uuid(),
  person_id uuid not null references people (id) on delete cascade,
  -- The session that it was started in: when that ends by signing out, what remains fails.
  session_id text not null,
  intent text not null,
  command text check (length(command) <= 100),
  body jsonb not null,
  state text not null default 'running' check (state in ('running', 'done', 'stopped')),
  created_at timestamptz(3) not null default now(),
  finished_at timestamptz(3)
);
create index runs_of_person on runs (person_id, created_at desc);
create index runs_running on runs (created_at) where state = 'running';

create table run_rows (
  run_id uuid not null references runs (id) on delete cascade,
  row_number integer not null,
  target_id bigint not null,
  title text not null,
  state text not null default 'waiting' check (state in ('waiting', 'done', 'blocked', 'failed', 'stopped')),
  message text,
  -- Counts the tries that failed, so that the next one is not answered with the reply of the last.
  attempt integer not null default 1,
  primary key (run_id, row_number)
);
create index run_rows_by_state on run_rows (run_id, state, row_number);
