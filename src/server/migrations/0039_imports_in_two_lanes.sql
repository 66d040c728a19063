-- Large files have tables of their own for their lines, so that they keep no small one waiting; the importer of large files looks here first.
create schema large_files;
create unlogged table large_files.staged_lines (like staged_lines including all);
create unlogged table large_files.staged_faults (like staged_faults including all);
create unlogged table large_files.staged_names (like staged_names including all);
create unlogged table large_files.staged_twins (like staged_twins including all);
create unlogged table large_files.staged_people (like staged_people including all);
create unlogged table large_files.staged_statuses (like staged_statuses including all);
create unlogged table large_files.staged_plan (like staged_plan including all);
create unlogged table large_files.staged_time (like staged_time including all);
create unlogged table large_files.staged_there (like staged_there including all);
create unlogged table large_files.staged_moved (like staged_moved including all);

-- What is being done with a file that is pending; null while it waits for its turn.
alter table imports add column phase text check (phase in ('READING', 'APPLYING'));
