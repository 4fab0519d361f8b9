-- Operators: who they are, how they sign in, and what they ask to have done.

create function backoffice_roles_are_known(roles text[]) returns boolean language sql immutable as $$
  select cardinality(roles) between 1 and 7 and roles <@ array['owner','finance','support','risk','supply','serviceDesk','auditor']
$$;

create table backoffice_operators (
  id text primary key,
  name text not null check (length(name) between 1 and 80),
  mail text not null unique check (mail = lower(mail) and mail ~ '^[^@\s]+@[^@\s]+$'),
  roles text[] not null check (backoffice_roles_are_known(roles)),
  status text not null check (status in ('invited','active','suspended')),
  password_hash text,
  totp_sealed bytea,
  -- The counter of the last one-time code that was taken: a code is good once.
  totp_counter bigint not null default 0,
  created_at timestamptz not null default now(),
  created_by text not null,
  check (status <> 'active' or totp_sealed is not null)
);

-- The last owner stays, whoever else is taken away at the same moment.
create function backoffice_keep_owner() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('backoffice.owners', 0));
  if not exists (select from backoffice_operators where status = 'active' and 'owner' = any(roles)) then
    raise exception 'the last owner stays' using errcode = 'check_violation', constraint = 'backoffice_last_owner';
  end if;
  return null;
end $$;
create trigger backoffice_last_owner after update of status, roles on backoffice_operators for each row
  when (old.status = 'active' and 'owner' = any(old.roles) and not (new.status = 'active' and 'owner' = any(new.roles)))
  execute function backoffice_keep_owner();
revoke delete, truncate on backoffice_operators from mingxi_app;

create table backoffice_invites (
  token_hash bytea primary key,
  operator_id text not null references backoffice_operators,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index backoffice_invites_of on backoffice_invites (operator_id);

create table backoffice_recovery (
  operator_id text not null references backoffice_operators,
  code_hash bytea not null,
  used_at timestamptz,
  primary key (operator_id, code_hash)
);

create table backoffice_passkeys (
  id text primary key check (length(id) between 16 and 1400),
  operator_id text not null references backoffice_operators,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null default '{}',
  name text not null check (length(name) between 1 and 80),
  created_at timestamptz not null default now(),
  last_used_at timestamptz
);
create index backoffice_passkeys_of on backoffice_passkeys (operator_id);

-- What a passkey must sign: each is asked once and taken once.
create table backoffice_challenges (
  id text primary key,
  challenge text not null,
  purpose text not null check (purpose in ('signIn','register','stepUp')),
  operator_id text references backoffice_operators,
  expires_at timestamptz not null
);
create index backoffice_challenges_age on backoffice_challenges (expires_at);

create table backoffice_sessions (
  id text primary key,
  token_hash bytea not null unique,
  operator_id text not null references backoffice_operators,
  method text not null check (method in ('passkey','totp','recovery')),
  ip text not null,
  user_agent text not null,
  created_at timestamptz not null,
  last_seen_at timestamptz not null,
  proven_at timestamptz not null
);
create index backoffice_sessions_of on backoffice_sessions (operator_id);

-- Tokens of scripts. They ask, and never decide.
create table backoffice_tokens (
  id text primary key,
  token_hash bytea not null unique,
  operator_id text not null references backoffice_operators,
  name text not null check (length(name) between 1 and 80),
  permissions text[] not null check (cardinality(permissions) > 0),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  revoked_at timestamptz,
  last_used_at timestamptz,
  check (expires_at > created_at and expires_at <= created_at + interval '366 days')
);
create index backoffice_tokens_of on backoffice_tokens (operator_id);

-- One version a row, the newest holds; none: the rules that the code brings along.
create table backoffice_rules (
  version int generated always as identity primary key,
  rules jsonb not null check (jsonb_typeof(rules) = 'array'),
  operator_id text not null references backoffice_operators,
  at timestamptz not null default now()
);
call make_append_only('backoffice_rules');

-- Contacts that were shown to an operator: what an operator's number a day is counted from.
create table backoffice_reveals (
  id bigint generated always as identity primary key,
  operator_id text not null references backoffice_operators,
  user_id text not null,
  what text not null check (what in ('email','mobile')),
  reason text not null check (length(reason) >= 10),
  at timestamptz not null default now()
);
create index backoffice_reveals_of on backoffice_reveals (operator_id, at);
call make_append_only('backoffice_reveals');
