-- The address that is answered when a mailed file is not imported. Null where nobody is answered, and once the answer is sent.
alter table imports add column answer_to text;

alter table communications drop constraint communications_kind_check;
alter table communications add check (kind in ('DATA_EMAIL_ADDED', 'DATA_EMAIL_REMOVED', 'EWA_FILE_READY', 'IMPORT_FAILED'));
