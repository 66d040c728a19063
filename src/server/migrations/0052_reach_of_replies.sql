-- Which companies were open to the person when a reply was kept: it tells nothing of one that is theirs no more.
alter table idempotency_keys add column reach text;
