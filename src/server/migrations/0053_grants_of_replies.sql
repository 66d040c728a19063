-- What the person was granted when a reply was kept, so that it is told again while all of that is open to them, and more may be.
-- A hash of before names no company: its reply is judged as one of whose companies some are gone.
alter table idempotency_keys alter column reach type text[] using string_to_array(reach, ',');
