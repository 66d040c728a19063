-- A run that undoes another one, once.
alter table runs add column undoes uuid unique references runs (id) on delete cascade;

-- What each row of a run did is found by the key that it was done under.
create index audit_events_of_runs on audit_events (idempotency_key) where idempotency_key like 'run:%';

-- What a kept reply is about: it is only answered while that is open to the person.
alter table idempotency_keys add column entity text;
alter table idempotency_keys add column entity_id text;

-- Whose rows a finished file has: it is only given out while all of them are open to the person.
alter table exports add column debtors jsonb;
