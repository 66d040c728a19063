-- Known identifiers that differ from the one of a line only in leading zeros or case, while a file is imported.
create unlogged table staged_similar (line integer not null, by text not null, identifier text not null);
create index staged_similar_line on staged_similar (line);
create unlogged table large_files.staged_similar (like staged_similar including all);
