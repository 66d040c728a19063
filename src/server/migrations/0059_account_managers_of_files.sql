-- An account manager whom a file of employees names is kept without an invitation, and signs in only after one.
alter table people drop constraint people_status_check;
alter table people add constraint people_status_check check (status in ('NOT_INVITED', 'INVITED', 'WITHDRAWN', 'ACTIVE', 'DELETED'));
