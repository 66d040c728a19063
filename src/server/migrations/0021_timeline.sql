-- What happened to a record, and the notes of one, are read in the order of time, as they stand beside what else happened then.
drop index audit_events_of_entity;
create index audit_events_of_entity on audit_events (entity, entity_id, at, id);
drop index notes_of_entity;
create index notes_of_entity on notes (entity_type, entity_id, created_at, id);
