-- Whether the file of a deduction is given to the employer; of those delivered before it was.
alter table deductions add column sent boolean not null default true;

alter table communications drop constraint communications_kind_check;
alter table communications add check (kind in ('DATA_EMAIL_ADDED', 'DATA_EMAIL_REMOVED', 'EWA_FILE_READY'));
