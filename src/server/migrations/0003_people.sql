-- Who signs in, what they hold and what they see; sessions, and everything that guards the door.

create table people (
  id uuid primary key default gen_random_uuid(),
  kind text not null check (kind in ('ADMIN', 'ACCOUNT_MANAGER')),
  email text not null check (email = lower(btrim(email)) and length(email) between 3 and 254),
  name text not null check (length(name) between 1 and 200),
  phone_number text,
  origin text not null default 'ADMIN_PORTAL' check (origin in ('INGESTION', 'ADMIN_PORTAL')),
  brand text,
  status text not null default 'ACTIVE' check (status in ('INVITED', 'ACTIVE', 'DELETED')),
  -- Null until the person has chosen one.
  password_hash text,
  -- Base32; null until an authenticator is set up.
  totp_secret text,
  -- The last 30-second step whose code was accepted: neither it nor an older one is accepted again.
  totp_last_step bigint,
  version integer not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
-- An address is free again once its person was removed.
create unique index people_email on people (email) where status <> 'DELETED';
create index people_kind_name on people (kind, name, id) where status <> 'DELETED';

create table person_groups (
  person_id uuid not null references people (id) on delete cascade,
  group_id integer not null,
  primary key (person_id, group_id)
);
create index person_groups_group on person_groups (group_id);

create table person_permissions (
  person_id uuid not null references people (id) on delete cascade,
  permission_id integer not null,
  primary key (person_id, permission_id)
);

-- What an account manager sees: whole organizations, or single employers.
create table access_grants (
  id bigint generated always as identity primary key,
  person_id uuid not null references people (id) on delete cascade,
  organization_id bigint references organizations (id) on delete cascade,
  employer_id bigint references employers (id) on delete cascade,
  check (num_nonnulls(organization_id, employer_id) = 1)
);
create unique index access_grants_organization on access_grants (person_id, organization_id) where organization_id is not null;
create unique index access_grants_employer on access_grants (person_id, employer_id) where employer_id is not null;
create index access_grants_by_organization on access_grants (organization_id) where organization_id is not null;
create index access_grants_by_employer on access_grants (employer_id) where employer_id is not null;

create table sessions (
  -- SHA-256 of the token; the token itself is nowhere.
  token_hash text primary key,
  person_id uuid not null references people (id) on delete cascade,
  created_at timestamptz not null,
  last_active_at timestamptz not null,
  idle_seconds integer not null check (idle_seconds > 0),
  expires_at timestamptz not null,
  ended_at timestamptz,
  ended_reason text check (ended_reason in ('SIGNED_OUT', 'PASSWORD_CHANGED', 'PERSON_REMOVED')),
  address text not null,
  device_hash text
);
create index sessions_person on sessions (person_id) where ended_at is null;
create index sessions_expires on sessions (expires_at);

-- A device that completed a sign-in: attempts of others do not lock it out.
create table known_devices (
  person_id uuid not null references people (id) on delete cascade,
  device_hash text not null,
  last_seen_at timestamptz not null,
  primary key (person_id, device_hash)
);

-- Between the password and the code.
create table challenges (
  session_hash text primary key,
  person_id uuid not null references people (id) on delete cascade,
  step text not null check (step in ('MFA_SETUP', 'SOFTWARE_TOKEN_MFA')),
  -- The new authenticator's secret, until its first code is right.
  pending_secret text check ((step = 'MFA_SETUP') = (pending_secret is not null)),
  expires_at timestamptz not null
);
create index challenges_person on challenges (person_id);
create index challenges_expires on challenges (expires_at);

-- Failed attempts, counted before they are judged, so that many at once count as many.
create table attempt_limits (
  scope text primary key,
  failures integer not null,
  last_attempt_at timestamptz not null,
  locked_until timestamptz
);
create index attempt_limits_last on attempt_limits (last_attempt_at);

-- Asked for by e-mail, known or not, so that both cost the same; an unknown one has no person.
create table reset_codes (
  id uuid primary key default gen_random_uuid(),
  email text not null,
  person_id uuid references people (id) on delete cascade,
  code_hash text not null,
  -- Who asked: the code is good only from there.
  requester text not null,
  network text not null,
  tries integer not null default 0,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index reset_codes_email on reset_codes (email, created_at desc);
create index reset_codes_created on reset_codes (created_at);

-- Set-up links; good once.
create table invitations (
  token_hash text primary key,
  person_id uuid not null references people (id) on delete cascade,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index invitations_person on invitations (person_id);

create table application_keys (
  key text primary key,
  application_name text not null default 'ADMIN_PORTAL',
  created_at timestamptz not null default now(),
  retired_at timestamptz
);
-- One that is current for each application.
create unique index application_keys_current on application_keys (application_name) where retired_at is null;

-- Mail: sent by SMTP where one is configured, otherwise it waits here until it is of no use any more.
create table outbox (
  id bigint generated always as identity primary key,
  recipient text not null,
  subject text not null,
  body text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  sent_at timestamptz,
  attempts integer not null default 0,
  next_attempt_at timestamptz not null
);
create index outbox_waiting on outbox (next_attempt_at) where sent_at is null;
create index outbox_expires on outbox (expires_at);
