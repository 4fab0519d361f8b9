-- Signing in by mobile and with Google, proofs of who sits there, payment passwords, profiles, closing an account.

alter table account_users
  add column first_name text not null default '',
  add column last_name text not null default '',
  add column language text check (language in ('zh','en')),
  add column theme text check (theme in ('system','light','dark')),
  add column mail_choices jsonb not null default '{}',
  add column invoice jsonb,
  add column tips text[] not null default '{}' check (cardinality(tips) <= 200),
  -- By whom the user was invited; taken once.
  add column invite_code text,
  add column closed_at timestamptz,
  add constraint account_users_closed check ((status = 'deleted') = (closed_at is not null));

-- The last login or step-up of the session.
alter table account_sessions add column proven_at timestamptz;
update account_sessions set proven_at = created_at;
alter table account_sessions alter column proven_at set not null;

alter table account_codes drop constraint account_codes_purpose_check;
alter table account_codes add constraint account_codes_purpose_check check (purpose in
  ('login','register','updatePassword','verify','updateEmail','updateMobile','bindMobile','payPassword','deleteAccount','stepUp'));

-- A proven first step of two; good once, in the session that proved it.
create table account_flows (
  token_hash bytea primary key check (length(token_hash) = 32),
  user_id text not null references account_users,
  session_id text not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index account_flows_age on account_flows (expires_at);

-- States of a sign-in at a vendor that were used: none is good twice.
create table account_oauth_states (
  digest bytea primary key check (length(digest) = 32),
  expires_at timestamptz not null
);
create index account_oauth_states_age on account_oauth_states (expires_at);

-- `tries`: wrong since the last right one or reset. `streak`: wrong since the last right one, resets included.
-- Both are counted before the password is compared.
create table account_pay_passwords (
  user_id text primary key references account_users,
  hash text not null,
  tries int not null default 0 check (tries >= 0),
  streak int not null default 0 check (streak >= 0),
  set_at timestamptz not null
);

-- Hashes of the networks and browsers a user signed in from: another one is told to the user.
create table account_places (
  user_id text not null references account_users,
  digest bytea not null check (length(digest) = 32),
  last_at timestamptz not null,
  primary key (user_id, digest)
);
create index account_places_age on account_places (last_at);
