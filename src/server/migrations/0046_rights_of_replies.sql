-- What the person might see when a reply was kept: one who may see less by now is not given what it shows.
alter table idempotency_keys add column rights integer[];
