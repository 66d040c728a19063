-- The views of lists that a person saved: all of them in one row, since they are read and replaced together.
create table saved_views (
  person_id uuid primary key references people (id) on delete cascade,
  views jsonb not null default '[]',
  version integer not null default 1
);
