-- Whom a file names that waits for a decision: who is missing from it is counted again whenever somebody looks, until it is decided.
create table import_names (
  import_id bigint not null references imports on delete cascade,
  by text not null,
  identifier text not null,
  primary key (import_id, by, identifier)
);
