-- Of the lines of a file of employees: about new people, with a status that is not known.
alter table imports add column unknown integer not null default 0;
