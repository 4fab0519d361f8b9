-- Users, how they sign in, where they are signed in, codes; mails sent; attempt counters.

create table account_users (
  id text primary key,
  name text not null default '',
  status text not null default 'active' check (status in ('active','frozen','deleted')),
  password_hash text,
  password_set_at timestamptz,
  created_at timestamptz not null
);

-- What a person proves to be a user: one row a way. `subject` is the normal form, `display` what was typed.
create table account_identities (
  kind text not null check (kind in ('email','mobile','google')),
  subject text not null,
  display text not null,
  user_id text not null references account_users,
  verified_at timestamptz,
  created_at timestamptz not null,
  primary key (kind, subject),
  unique (user_id, kind)
);

create table account_sessions (
  token_hash bytea primary key check (length(token_hash) = 32),
  id text not null unique,
  user_id text not null references account_users,
  ip text not null,
  user_agent text not null,
  created_at timestamptz not null,
  last_seen_at timestamptz not null,
  expires_at timestamptz not null
);
create index account_sessions_user on account_sessions (user_id);
create index account_sessions_age on account_sessions (expires_at);

-- One row for a purpose and a target: a new code overwrites the old one, which is dead from then on.
create table account_codes (
  purpose text not null check (purpose in ('login','register','updatePassword','verify','updateEmail')),
  kind text not null check (kind in ('email','mobile')),
  target text not null,
  id text not null,
  code_hmac bytea not null check (length(code_hmac) = 32),
  sent_at timestamptz not null,
  expires_at timestamptz not null,
  guesses int not null default 0,
  used_at timestamptz,
  primary key (purpose, kind, target)
);
create index account_codes_age on account_codes (expires_at);

-- `content` is sealed with the installation's key and emptied once the mail is gone or given up.
create table notices_mails (
  id text primary key,
  dedupe text not null unique,
  template text not null,
  recipient text not null,
  content bytea,
  state text not null default 'waiting' check (state in ('waiting','sent','refused','expired')),
  vendor text,
  problem text,
  attempts int not null default 0,
  claimed_until timestamptz,
  good_until timestamptz not null,
  created_at timestamptz not null,
  ended_at timestamptz,
  check ((state = 'waiting') = (content is not null)),
  check ((state = 'waiting') = (ended_at is null))
);
create index notices_mails_waiting on notices_mails (good_until) where state = 'waiting';
create index notices_mails_age on notices_mails (ended_at) where state <> 'waiting';

-- The mailbox of the sandbox, readable on purpose.
create table notices_sandbox_mails (
  seq bigint generated always as identity primary key,
  message_id text not null,
  recipient text not null,
  subject text not null,
  text text not null,
  html text not null,
  code text,
  at timestamptz not null
);
create index notices_sandbox_mails_recipient on notices_sandbox_mails (lower(recipient), seq desc);

-- Fixed windows that begin with their first event. `subject` is a hash: no addresses at rest.
create table risk_counters (
  bucket text not null,
  subject bytea not null check (length(subject) = 32),
  count int not null,
  ends_at timestamptz not null,
  primary key (bucket, subject)
);
create index risk_counters_age on risk_counters (ends_at);
