-- What a customer proves to be there with, beside password and code: passkeys and an authenticator, with recovery codes. And the times
-- in which an operator looks at an account as its customer sees it.

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

-- What a passkey must sign: each is asked once and taken once.
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

-- Whether a fresh proof must come from one of these.
create function account_has_factor(p_user text) returns boolean language sql stable as $$
  select exists (select from account_passkeys where user_id = p_user) or exists (select from account_authenticators where user_id = p_user and confirmed_at is not null)
$$;

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

-- What was answered to a complaint, by whom, and when.
alter table support_complaints
  add column answer text check (length(answer) between 1 and 4000),
  add column answered_by text,
  add column closed_at timestamptz,
  add check ((answer is null) = (answered_by is null) and (answer is null or state = 'closed'));
