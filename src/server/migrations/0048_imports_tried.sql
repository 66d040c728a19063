-- How many processes began a file and ended before it was over: one that ends every process is not begun for ever.
alter table imports add column tries smallint not null default 0;
