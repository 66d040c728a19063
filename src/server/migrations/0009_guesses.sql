-- What bounds guessing at the door, and what failed there, summed up.

-- Wrong guesses of strangers at one account, or from one address: when they were, and when the next one is judged.
create table guesses (
  scope text primary key,
  wrong_at timestamptz[] not null,
  next_at timestamptz not null,
  counted_at timestamptz not null
);
create index guesses_counted on guesses (counted_at);

-- Wrong codes that answered a challenge.
alter table challenges add column tries integer not null default 0;

-- A device was what a browser called itself; from now on it is a secret of the server's own, answered at the end of a
-- complete sign-in or for a link that was mailed.
delete from known_devices;
alter table known_devices
  add column expires_at timestamptz not null,
  -- Wrong guesses since the last complete sign-in.
  add column failures integer not null default 0;
create index known_devices_hash on known_devices (device_hash);
create index known_devices_expires on known_devices (expires_at);

-- Steps whose code was accepted. Beside people.totp_last_step, which a clock that was ahead makes useless.
create table used_codes (
  person_id uuid not null references people (id) on delete cascade,
  step bigint not null,
  primary key (person_id, step)
);
create index used_codes_step on used_codes (step);

-- Links that make the browser which opens them a known device for a while; asked for by e-mail, good once.
create table device_links (
  token_hash text primary key,
  person_id uuid not null references people (id) on delete cascade,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index device_links_person on device_links (person_id, created_at);
create index device_links_expires on device_links (expires_at);

-- Forgotten passwords are bounded by network too.
create index reset_codes_network on reset_codes (network, created_at);

-- Failed sign-ins of an hour: of one person, or of e-mails that nobody has, from one network.
create table failed_sign_ins (
  hour timestamptz not null,
  -- The id of a person, or 'nobody'.
  who text not null,
  network text not null,
  passwords integer not null default 0,
  codes integer not null default 0,
  lockouts integer not null default 0,
  last_at timestamptz not null,
  -- Of an e-mail that nobody has: the one that was typed last.
  last_email text,
  primary key (hour, who, network)
);
create index failed_sign_ins_who on failed_sign_ins (who, hour);
