-- A file may be about several employers of an organization: each other one gets an import of its own, which reads the bytes of the whole.
alter table imports add column for_all_employers boolean not null default false;
alter table imports add column part_of bigint references imports (id);
create index imports_part_of on imports (part_of) where part_of is not null;
