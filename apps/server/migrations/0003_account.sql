-- folds 0075_number_messages.sql (release 0.1)

-- Users, how they sign in and prove to be there, where they are signed in, codes, freezes; times in which an operator looks on.
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
  frozen_at timestamptz,
  frozen_reason text check (char_length(frozen_reason) between 1 and 500),
  frozen_by text,
  constraint account_users_closed check ((status = 'deleted') = (closed_at is not null)),
  constraint account_users_frozen check (num_nonnulls(frozen_at, frozen_reason, frozen_by) = case when status = 'frozen' then 3 else 0 end)
);

-- Counters store keyed hashes and no names; a locked sign-in is found by the hash of its account.
-- `convert_to` is only stable by name: with a fixed encoding its result never changes.
create function account_counted_as(subject text) returns bytea language sql immutable strict parallel safe as $$
  select sha256(convert_to(subject, 'UTF8'))
$$;

-- Ways to sign in, one row each. `subject` is the normalised form, `display` is as typed.
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
create index account_identities_counted on account_identities (account_counted_as(subject));

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
  -- HMAC of the ticket that went to who asked, or of the user who was signed in. Null: codes of before.
  asker bytea check (length(asker) = 32),
  strange_guesses int not null default 0 check (strange_guesses >= 0),
  primary key (purpose, kind, target)
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

-- Hashes of the networks and browsers that a user signed in from: the user is notified of a new one.
create table account_places (
  user_id text not null references account_users,
  digest bytea not null check (length(digest) = 32),
  last_at timestamptz not null,
  primary key (user_id, digest)
);
create index account_places_age on account_places (last_at);

-- Tokens of sessions that were ended from another session (a new sign-in, the list of sessions, a changed password), so that
-- their holder gets that reason. Kept as long as the session would have lived.
create table account_ended_sessions (
  token_hash bytea primary key check (length(token_hash) = 32),
  expires_at timestamptz not null
);
create index account_ended_sessions_age on account_ended_sessions (expires_at);

-- Second factors of customers, besides password and code: passkeys and an authenticator, with recovery codes.
create table account_passkeys (
  id text primary key check (length(id) between 16 and 1400),
  user_id text not null references account_users,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null default '{}',
  name text not null check (length(name) between 1 and 80),
  created_at timestamptz not null,
  last_used_at timestamptz
);
create index account_passkeys_of on account_passkeys (user_id);

-- Challenges that a passkey must sign, each issued and accepted once.
create table account_challenges (
  id text primary key,
  challenge text not null,
  purpose text not null check (purpose in ('register','stepUp')),
  user_id text not null references account_users,
  expires_at timestamptz not null
);
create index account_challenges_age on account_challenges (expires_at);

create table account_authenticators (
  user_id text primary key references account_users,
  sealed bytea not null,
  -- The counter of the last code that was taken: a code is good once.
  counter bigint not null default 0,
  created_at timestamptz not null,
  -- Null until the first code has proved it.
  confirmed_at timestamptz
);

create table account_recovery (
  user_id text not null references account_users,
  code_hash bytea not null,
  used_at timestamptz,
  primary key (user_id, code_hash)
);

-- Times in which an operator looks at an account as its customer sees it.
create table account_views (
  token_hash bytea primary key check (length(token_hash) = 32),
  id text not null unique,
  user_id text not null references account_users,
  operator_id text not null,
  reason text not null check (length(reason) >= 10),
  created_at timestamptz not null,
  expires_at timestamptz not null check (expires_at <= created_at + interval '15 minutes')
);
create index account_views_operator on account_views (operator_id);

-- Parts of an account that operators have frozen: its calls, or payouts. The status freezes the whole account.
create table account_freezes (
  user_id text not null references account_users,
  scope text not null check (scope in ('money_out','calls')),
  frozen_at timestamptz not null,
  reason text not null check (char_length(reason) between 1 and 500),
  frozen_by text not null,
  primary key (user_id, scope)
);

-- Whatever a process remembers of a user it forgets at once; the payload is the user's id.
create function account_status_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('account_status', new.id);
  return null;
end $$;

-- True if a fresh proof must come from one of these factors.
create function account_has_factor(p_user text) returns boolean language sql stable as $$
  select exists (select from account_passkeys where user_id = p_user) or exists (select from account_authenticators where user_id = p_user and confirmed_at is not null)
$$;

-- As with the status: whatever a process remembers of the user it forgets at once.
create function account_freeze_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('account_status', coalesce(new.user_id, old.user_id));
  return null;
end $$;

create trigger account_users_status after update of status on account_users
  for each row when (old.status is distinct from new.status) execute function account_status_changed();

create trigger account_freezes_news after insert or delete on account_freezes for each row execute function account_freeze_changed();

revoke update, truncate on account_freezes from mingxi_app;
