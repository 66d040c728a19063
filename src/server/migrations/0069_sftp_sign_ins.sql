-- When an SFTP user signed in last, and the attempts since then that failed: what support tells a customer on the phone.
alter table sftp_users add column signed_in_at timestamptz;
alter table sftp_users add column signed_in_from text;
alter table sftp_users add column failed_attempts integer not null default 0;
alter table sftp_users add column failed_at timestamptz;
alter table sftp_users add column failed_because text;
