-- In which line a file has its headers, and what statuses of the customer mean.
alter table mappings add column header_line integer not null default 1 check (header_line between 1 and 100);
alter table mappings add column statuses jsonb not null default '[]' check (jsonb_typeof(statuses) = 'array');

-- How a file was read; null until it is.
alter table imports add column read_as jsonb;
-- What only a person can decide about a file, and what was answered.
alter table imports add column asked jsonb not null default '{"questions": [], "answers": {}}';
