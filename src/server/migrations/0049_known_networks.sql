-- Networks from which an SFTP user signed in before: guesses from elsewhere do not keep it out there.
create table sftp_networks (
  sftp_user_id bigint not null references sftp_users (id) on delete cascade,
  network text not null,
  last_seen_at timestamptz not null,
  primary key (sftp_user_id, network)
);
create index sftp_networks_seen on sftp_networks (last_seen_at);
