-- folds 0070_audit_chain.sql

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

-- What operators ask to have done: a row each, along edges, decided by others than who asked.
create table backoffice_command_edges (
  from_state text not null,
  to_state text not null,
  primary key (from_state, to_state)
);

create table backoffice_commands (
  id bigint generated always as identity primary key,
  no text not null unique check (no ~ '^C\d{8}-[0-9A-Z]{8}$'),
  name text not null,
  subject text not null,
  input jsonb not null,
  reason_code text not null,
  reason text not null,
  link text,
  -- The hash of what the preview showed, and what it showed.
  expects bytea not null,
  preview jsonb not null,
  level text not null check (level in ('free','reason','stepUp','second','two')),
  rules_version int not null,
  -- How many others must say yes.
  needs int not null check (needs between 0 and 2),
  amount_nano bigint check (amount_nano >= 0),
  via text not null check (via in ('session','token','breakGlass')),
  -- The session or the token it came by.
  via_id text not null,
  state text not null default 'draft' check (state in ('draft','waiting','approved','done','failed','refused','withdrawn','expired')),
  asked_by text not null references backoffice_operators,
  asked_at timestamptz not null,
  expires_at timestamptz not null,
  ended_at timestamptz,
  result jsonb,
  -- Why it was refused or failed: what was expected, what is.
  difference jsonb,
  undo_of bigint unique references backoffice_commands,
  reminded_at timestamptz,
  reviewed_by text references backoffice_operators,
  check (reviewed_by is null or (via = 'breakGlass' and reviewed_by <> asked_by)),
  check ((ended_at is not null) = (state in ('done','failed','refused','withdrawn','expired')))
);
create unique index backoffice_commands_waiting on backoffice_commands (name, subject) where state in ('draft','waiting','approved');
create index backoffice_commands_state on backoffice_commands (state, id);
create index backoffice_commands_asked on backoffice_commands (asked_by, asked_at);
create index backoffice_commands_subject on backoffice_commands (subject, id);

create table backoffice_decisions (
  command_id bigint not null references backoffice_commands,
  operator_id text not null references backoffice_operators,
  verdict text not null check (verdict in ('approve','refuse')),
  reason text not null default '',
  at timestamptz not null default now(),
  primary key (command_id, operator_id)
);

create table backoffice_command_steps (
  id bigint generated always as identity primary key,
  command_id bigint not null references backoffice_commands,
  state text not null,
  at timestamptz not null default clock_timestamp()
);
create index backoffice_command_steps_of on backoffice_command_steps (command_id, id);

insert into backoffice_command_edges (from_state, to_state) values
  ('draft','waiting'), ('draft','approved'),
  ('waiting','approved'), ('waiting','refused'), ('waiting','withdrawn'), ('waiting','expired'),
  ('approved','done'), ('approved','failed'), ('approved','refused'), ('approved','expired');

-- The last owner stays, whoever else is taken away at the same moment.
create function backoffice_keep_owner() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('backoffice.owners', 0));
  if not exists (select from backoffice_operators where status = 'active' and 'owner' = any(roles)) then
    raise exception 'the last owner stays' using errcode = 'check_violation', constraint = 'backoffice_last_owner';
  end if;
  return null;
end $$;

create function backoffice_guard_decision() returns trigger language plpgsql as $$
declare
  asked record;
begin
  select asked_by, state into asked from backoffice_commands where id = new.command_id for update;
  if asked.asked_by = new.operator_id then
    raise exception 'nobody decides what they asked for' using errcode = 'check_violation';
  end if;
  if asked.state <> 'waiting' then
    raise exception 'command % is % already', new.command_id, asked.state using errcode = 'check_violation';
  end if;
  return new;
end $$;

create function backoffice_guard_command() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    if new.state <> 'draft' then
      raise exception 'a command begins as a draft' using errcode = 'check_violation';
    end if;
    return new;
  end if;
  if new.state <> old.state and not exists (select from backoffice_command_edges where from_state = old.state and to_state = new.state) then
    raise exception 'command % cannot go from % to %', old.no, old.state, new.state using errcode = 'check_violation';
  end if;
  if (new.no, new.name, new.subject, new.input, new.reason_code, new.reason, new.link, new.level, new.rules_version, new.needs, new.amount_nano,
      new.via, new.via_id, new.asked_by, new.asked_at, new.expires_at, new.undo_of)
     is distinct from (old.no, old.name, old.subject, old.input, old.reason_code, old.reason, old.link, old.level, old.rules_version, old.needs, old.amount_nano,
      old.via, old.via_id, old.asked_by, old.asked_at, old.expires_at, old.undo_of) then
    raise exception 'what command % asks for is frozen', old.no using errcode = 'check_violation';
  end if;
  if old.state <> 'draft' and (new.expects, new.preview) is distinct from (old.expects, old.preview) then
    raise exception 'what command % showed is frozen', old.no using errcode = 'check_violation';
  end if;
  if new.state = 'approved' and old.state <> 'approved'
     and (select count(*) from backoffice_decisions where command_id = new.id and verdict = 'approve') < new.needs then
    raise exception 'command % needs % who approve', old.no, new.needs using errcode = 'check_violation';
  end if;
  return new;
end $$;

create function backoffice_note_step() returns trigger language plpgsql as $$
begin
  insert into backoffice_command_steps (command_id, state) values (new.id, new.state);
  return null;
end $$;

create trigger backoffice_last_owner after update of status, roles on backoffice_operators for each row
  when (old.status = 'active' and 'owner' = any(old.roles) and not (new.status = 'active' and 'owner' = any(new.roles)))
  execute function backoffice_keep_owner();

create trigger backoffice_decisions_guard before insert on backoffice_decisions for each row execute function backoffice_guard_decision();
create trigger backoffice_commands_guard before insert or update on backoffice_commands for each row execute function backoffice_guard_command();

create trigger backoffice_commands_step after update of state on backoffice_commands for each row
  when (old.state <> new.state) execute function backoffice_note_step();

call make_append_only('backoffice_rules');
call make_append_only('backoffice_reveals');
call make_append_only('backoffice_decisions');
call make_append_only('backoffice_command_steps');

revoke delete, truncate on backoffice_operators from mingxi_app;
revoke insert, update, delete, truncate on backoffice_command_edges from mingxi_app;
revoke delete, truncate on backoffice_commands from mingxi_app;
