-- Somebody whose invitation was withdrawn stays as they are, and signs in by nothing until they are invited again.
alter table people drop constraint people_status_check;
alter table people add constraint people_status_check check (status in ('INVITED', 'WITHDRAWN', 'ACTIVE', 'DELETED'));
-- Kept until it would have run out, so that the link can say what became of it.
alter table invitations add column withdrawn_at timestamptz;
