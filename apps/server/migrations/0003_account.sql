-- folds 0070_audit_chain.sql

-- Users, how they sign in, where they are signed in, codes; mails sent; attempt counters.
create table account_users (
  id text primary key,
  name text not null default '',
  status text not null default 'active' check (status in ('active','frozen','deleted')),
  password_hash text,
  password_set_at timestamptz,
  created_at timestamptz not null,
  first_name text not null default '',
  last_name text not null default '',
  language text check (language in ('zh','en')),
  theme text check (theme in ('system','light','dark')),
  mail_choices jsonb not null default '{}',
  invoice jsonb,
  tips text[] not null default '{}' check (cardinality(tips) <= 200),
  -- By whom the user was invited; taken once.
  invite_code text,
  closed_at timestamptz,
  constraint account_users_closed check ((status = 'deleted') = (closed_at is not null)),
  frozen_at timestamptz,
  frozen_reason text check (char_length(frozen_reason) between 1 and 500),
  frozen_by text,
  constraint account_users_frozen check (num_nonnulls(frozen_at, frozen_reason, frozen_by) = case when status = 'frozen' then 3 else 0 end)
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
  expires_at timestamptz not null,
  -- The last login or step-up of the session.
  proven_at timestamptz not null
);
create index account_sessions_user on account_sessions (user_id);
create index account_sessions_age on account_sessions (expires_at);

-- One row for a purpose and a target: a new code overwrites the old one, which is dead from then on.
create table account_codes (
  purpose text not null check (purpose in ('login','register','updatePassword','verify','updateEmail','updateMobile','bindMobile','payPassword','deleteAccount','stepUp')),
  kind text not null check (kind in ('email','mobile')),
  target text not null,
  id text not null,
  code_hmac bytea not null check (length(code_hmac) = 32),
  sent_at timestamptz not null,
  expires_at timestamptz not null,
  guesses int not null default 0,
  used_at timestamptz,
  primary key (purpose, kind, target),
  -- HMAC of the ticket that went to who asked, or of the user who was signed in. Null: codes of before.
  asker bytea check (length(asker) = 32),
  strange_guesses int not null default 0 check (strange_guesses >= 0)
);
create index account_codes_age on account_codes (expires_at);

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
  set_at timestamptz not null,
  -- Which of the installation's keys a payment password was hashed with (platform/server/sealing/seal.ts, keyId). Null: set before keys had names.
  key_id bytea check (length(key_id) = 4)
);

-- Hashes of the networks and browsers a user signed in from: another one is told to the user.
create table account_places (
  user_id text not null references account_users,
  digest bytea not null check (length(digest) = 32),
  last_at timestamptz not null,
  primary key (user_id, digest)
);
create index account_places_age on account_places (last_at);

-- Tokens of sessions that were ended from another one (a new sign-in, the list of sessions, a changed password), so that
-- whoever still holds one is told so. Kept as long as the session would have lived.
create table account_ended_sessions (
  token_hash bytea primary key check (length(token_hash) = 32),
  expires_at timestamptz not null
);
create index account_ended_sessions_age on account_ended_sessions (expires_at);

-- Whatever a process remembers of a user it forgets at once; the payload is the user's id.
create function account_status_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('account_status', new.id);
  return null;
end $$;

create trigger account_users_status after update of status on account_users
  for each row when (old.status is distinct from new.status) execute function account_status_changed();
