-- Files are applied to people in batches, whose lines and entries are found by the employee.
create index staged_time_of_employee on staged_time (employee_id);
create index staged_time_of_employee on large_files.staged_time (employee_id);
create index staged_there_of_employee on staged_there (employee_id);
create index staged_there_of_employee on large_files.staged_there (employee_id);
create index staged_moved_of_employee on staged_moved (employee_id);
create index staged_moved_of_employee on large_files.staged_moved (employee_id);
-- Whether an entry is approved by itself is told when it is added.
alter table staged_time drop column status;
alter table large_files.staged_time drop column status;
