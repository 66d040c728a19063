-- Whom a file of employees created, changed and ended, with the columns that it changed, before and after. Kept as long as its lines.
-- Employees are never deleted, so no key holds them here.
create table import_people (
  import_id bigint not null references imports on delete cascade,
  employee_id bigint not null,
  effect text not null check (effect in ('CREATED', 'CHANGED', 'ENDED')),
  before jsonb not null,
  after jsonb not null,
  -- What an undo did with it; null until the import is undone.
  undo text check (undo in ('UNDONE', 'SKIPPED')),
  primary key (import_id, employee_id)
);

-- Whether the people of an import were listed: before this they were not.
alter table imports add column lists_people boolean not null default false;
alter table imports add column undone_at timestamptz(3);
-- The import whose rejected lines these are, corrected: they are added to it and say nothing of the rest of the staff.
alter table imports add column mends bigint references imports;
