-- folds 0075_number_messages.sql (release 0.1)

-- Operators: who they are, how they sign in, what they ask to have done and work on, and alarms.
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

-- Challenges that a passkey must sign, each issued and accepted once.
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
  -- `account`: a view of an account shows both.
  what text not null check (what in ('email','mobile','account')),
  reason text not null check (length(reason) >= 10),
  at timestamptz not null default now()
);
create index backoffice_reveals_of on backoffice_reveals (operator_id, at);

-- Commands that operators request, one row each, with fixed state transitions; another operator than the requester decides.
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
  -- Confidential part of the input, sealed: the address of an alarm may carry a key, a number is a contact.
  input_sealed bytea,
  check (reviewed_by is null or (via = 'breakGlass' and reviewed_by <> asked_by)),
  check ((ended_at is not null) = (state in ('done','failed','refused','withdrawn','expired')))
);
create unique index backoffice_commands_waiting on backoffice_commands (name, subject) where state in ('draft','waiting','approved');
create index backoffice_commands_state on backoffice_commands (state, id);
create index backoffice_commands_asked on backoffice_commands (asked_by, asked_at);
create index backoffice_commands_subject on backoffice_commands (subject, id);
create index backoffice_commands_glass on backoffice_commands (id) where via = 'breakGlass' and reviewed_by is null;

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

-- Questions of an approver to the requester before the decision. The command keeps waiting; question and answer stay as written.
create table backoffice_questions (
  id bigint generated always as identity primary key,
  command_id bigint not null references backoffice_commands,
  operator_id text not null references backoffice_operators,
  text text not null check (length(text) between 1 and 1000),
  at timestamptz not null default clock_timestamp()
);
-- The same words of the same person are the same question.
create unique index backoffice_questions_once on backoffice_questions (command_id, operator_id, md5(text));

create table backoffice_answers (
  question_id bigint primary key references backoffice_questions,
  operator_id text not null references backoffice_operators,
  text text not null check (length(text) between 1 and 1000),
  at timestamptz not null default clock_timestamp()
);

-- The operators' work list: who has taken what, for fifteen minutes.
create table backoffice_leases (
  item text primary key check (length(item) between 3 and 200),
  operator_id text not null references backoffice_operators,
  until timestamptz not null
);

-- Actions on many subjects at once: one row each, processed by a job that resumes after a kill.
create table backoffice_bulks (
  id text primary key,
  -- The command that is run for each row, or 'compensation.run'.
  kind text not null,
  title text not null check (length(title) between 1 and 80),
  reason text not null,
  level text not null check (level in ('free','reason','stepUp','second','two')),
  terms jsonb not null default '{}',
  made_by text not null references backoffice_operators,
  made_at timestamptz not null,
  rows int not null check (rows between 1 and 100000),
  state text not null default 'running' check (state in ('running','stopped','done')),
  ended_at timestamptz,
  check ((ended_at is not null) = (state = 'done'))
);
create index backoffice_bulks_running on backoffice_bulks (id) where state = 'running';

create table backoffice_bulk_rows (
  bulk_id text not null references backoffice_bulks,
  position int not null,
  -- Rows of one unit share a transaction: all of a customer's, say.
  unit text not null,
  subject text not null,
  input jsonb not null default '{}',
  amount_nano bigint check (amount_nano > 0),
  state text not null default 'waiting' check (state in ('waiting','done','refused')),
  -- The name of the refusal.
  why text,
  at timestamptz,
  primary key (bulk_id, position),
  unique (bulk_id, subject),
  check ((at is null) = (state = 'waiting')),
  check ((why is not null) = (state = 'refused'))
);
create index backoffice_bulk_rows_waiting on backoffice_bulk_rows (bulk_id, unit) where state = 'waiting';
-- A call is compensated once, by whatever campaign.
create unique index backoffice_compensated on backoffice_bulk_rows (subject) where state = 'done' and subject like 'call:%';

-- Lists written into files.
create table backoffice_exports (
  id text primary key,
  path text not null,
  filter jsonb not null,
  format text not null check (format in ('csv','xlsx')),
  made_by text not null references backoffice_operators,
  made_at timestamptz not null,
  state text not null default 'waiting' check (state in ('waiting','done','failed')),
  rows int not null default 0,
  file bytea,
  ended_at timestamptz,
  check ((file is not null) <= (state = 'done'))
);
create index backoffice_exports_of on backoffice_exports (made_by, made_at);

-- Notes of operators about a customer, visible to operators only. A removed note keeps its row and loses its text.
create table backoffice_customer_notes (
  id text primary key check (id ~ '^cnt_[0-9A-Z]{26}$'),
  user_id text not null,
  text text check (length(text) between 1 and 2000),
  pinned boolean not null default false,
  made_by text not null,
  made_at timestamptz not null,
  removed_at timestamptz,
  removed_by text,
  check ((removed_at is null) = (removed_by is null)),
  check ((removed_at is null) = (text is not null)),
  check (removed_at is null or not pinned)
);
create index backoffice_customer_notes_of on backoffice_customer_notes (user_id, pinned desc, id desc) where removed_at is null;

-- Alarms, kept until they end, the operators they notify, and the state of each delivery.
create table backoffice_alarms (
  id text primary key check (id ~ '^alm_[0-9A-Z]{26}$'),
  name text not null check (length(name) between 1 and 80),
  -- Which one, where a name has many: a node, a queue, a supplier.
  key text not null default '' check (length(key) <= 120),
  severity text not null check (severity in ('minor','serious','critical')),
  detail text not null check (length(detail) <= 300),
  -- A state lasts until a look finds it gone; an event until it has not come again for a while.
  source text not null check (source in ('state','event')),
  raised_at timestamptz not null,
  last_at timestamptz not null,
  times bigint not null default 1 check (times > 0),
  -- An operator acknowledged it: further notifications stop.
  taken_by text references backoffice_operators,
  taken_at timestamptz,
  closed_at timestamptz,
  check ((taken_by is null) = (taken_at is null))
);
create unique index backoffice_alarms_open on backoffice_alarms (name, key) where closed_at is null;
create index backoffice_alarms_over on backoffice_alarms (closed_at) where closed_at is not null;

-- Ways to reach an operator: from which severity, how long after the alarm, and in which hours it is left alone (minutes of Shanghai's day).
create table backoffice_alarm_ways (
  id text primary key check (id ~ '^alw_[0-9A-Z]{26}$'),
  operator_id text not null references backoffice_operators,
  kind text not null check (kind in ('mail','sms','webhook')),
  -- A number in E.164, an https address; empty for mail, which goes to the operator's own mailbox.
  address text not null check (length(address) <= 500),
  severity text not null check (severity in ('minor','serious','critical')),
  wait_minutes int not null default 0 check (wait_minutes between 0 and 1440),
  quiet_from int check (quiet_from between 0 and 1439),
  quiet_to int check (quiet_to between 0 and 1439),
  secret_sealed bytea,
  made_by text not null,
  made_at timestamptz not null,
  ended_at timestamptz,
  check ((quiet_from is null) = (quiet_to is null) and quiet_from is distinct from quiet_to or quiet_from is null and quiet_to is null),
  check ((secret_sealed is not null) = (kind = 'webhook')),
  check ((address = '') = (kind = 'mail'))
);
create unique index backoffice_alarm_ways_kept on backoffice_alarm_ways (operator_id, kind, address) where ended_at is null;

create table backoffice_alarm_deliveries (
  id text primary key check (id ~ '^ald_[0-9A-Z]{26}$'),
  way_id text not null references backoffice_alarm_ways,
  alarm_id text references backoffice_alarms,
  kind text not null check (kind in ('raised','closed','test')),
  body text not null,
  state text not null check (state in ('waiting','sent','failed')),
  attempts int not null default 0,
  problem text,
  created_at timestamptz not null,
  ended_at timestamptz,
  check ((alarm_id is null) = (kind = 'test')),
  check ((state = 'waiting') = (ended_at is null)),
  -- Each way hears of an alarm once, and once of its end.
  unique (alarm_id, way_id, kind)
);
create index backoffice_alarm_deliveries_of on backoffice_alarm_deliveries (way_id, created_at);

-- Balances at suppliers and channels, and expiry of certificates: the last reading, and the history of the balance.
create table backoffice_balances (
  -- `numbers:five-sim`, and the currency where one keeps several.
  source text not null check (length(source) between 1 and 80),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  amount_nano bigint not null,
  read_at timestamptz not null,
  primary key (source, currency)
);

create table backoffice_balance_reads (
  source text primary key,
  -- The last look, and since when looks fail.
  looked_at timestamptz not null,
  failing_since timestamptz,
  problem text check (length(problem) <= 200),
  check ((failing_since is null) = (problem is null))
);

-- One point an hour, and whatever changed.
create table backoffice_balance_points (
  source text not null,
  currency text not null,
  at timestamptz not null,
  amount_nano bigint not null,
  primary key (source, currency, at)
);

create table backoffice_certificates (
  name text primary key check (length(name) between 1 and 253),
  expires_at timestamptz,
  issuer text not null default '' check (length(issuer) <= 200),
  looked_at timestamptz not null,
  failing_since timestamptz,
  problem text check (length(problem) <= 200),
  check ((failing_since is null) = (problem is null))
);

insert into backoffice_command_edges (from_state, to_state) values
  ('draft','waiting'), ('draft','approved'),
  ('waiting','approved'), ('waiting','refused'), ('waiting','withdrawn'), ('waiting','expired'),
  ('approved','done'), ('approved','failed'), ('approved','refused'), ('approved','expired');

-- The last owner stays, also if others are removed at the same moment.
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

create function backoffice_guard_question() returns trigger language plpgsql as $$
declare
  asked record;
begin
  select asked_by, state into asked from backoffice_commands where id = new.command_id for update;
  if asked.asked_by = new.operator_id then
    raise exception 'nobody asks themselves back' using errcode = 'check_violation';
  end if;
  if asked.state <> 'waiting' then
    raise exception 'command % is % already', new.command_id, asked.state using errcode = 'check_violation';
  end if;
  return new;
end $$;

create function backoffice_guard_answer() returns trigger language plpgsql as $$
declare
  asked record;
begin
  select c.asked_by, c.state into asked from backoffice_questions q join backoffice_commands c on c.id = q.command_id where q.id = new.question_id for update of c;
  if asked.asked_by is distinct from new.operator_id then
    raise exception 'only who asked for it answers' using errcode = 'check_violation';
  end if;
  if asked.state <> 'waiting' then
    raise exception 'what is asked about is % already', asked.state using errcode = 'check_violation';
  end if;
  return new;
end $$;

create function backoffice_guard_bulk() returns trigger language plpgsql as $$
begin
  if old.state = 'done' then
    raise exception 'bulk % is done', old.id using errcode = 'check_violation';
  end if;
  if (new.id, new.kind, new.title, new.reason, new.level, new.terms, new.made_by, new.made_at, new.rows)
     is distinct from (old.id, old.kind, old.title, old.reason, old.level, old.terms, old.made_by, old.made_at, old.rows) then
    raise exception 'what bulk % does is frozen', old.id using errcode = 'check_violation';
  end if;
  return new;
end $$;

create function backoffice_guard_bulk_row() returns trigger language plpgsql as $$
begin
  if old.state <> 'waiting' then
    raise exception 'row % of % is % already', old.position, old.bulk_id, old.state using errcode = 'check_violation';
  end if;
  return new;
end $$;

create function backoffice_guard_customer_note() returns trigger language plpgsql as $$
begin
  if old.removed_at is not null then
    raise exception 'note % was removed', old.id using errcode = 'check_violation';
  end if;
  if (new.id, new.user_id, new.made_by, new.made_at) is distinct from (old.id, old.user_id, old.made_by, old.made_at)
     or (new.removed_at is null and new.text is distinct from old.text) then
    raise exception 'what was written is frozen' using errcode = 'check_violation';
  end if;
  return new;
end $$;

create trigger backoffice_last_owner after update of status, roles on backoffice_operators for each row
  when (old.status = 'active' and 'owner' = any(old.roles) and not (new.status = 'active' and 'owner' = any(new.roles)))
  execute function backoffice_keep_owner();

create trigger backoffice_decisions_guard before insert on backoffice_decisions for each row execute function backoffice_guard_decision();
create trigger backoffice_commands_guard before insert or update on backoffice_commands for each row execute function backoffice_guard_command();

create trigger backoffice_commands_step after update of state on backoffice_commands for each row
  when (old.state <> new.state) execute function backoffice_note_step();
create trigger backoffice_questions_guard before insert on backoffice_questions for each row execute function backoffice_guard_question();
create trigger backoffice_answers_guard before insert on backoffice_answers for each row execute function backoffice_guard_answer();
create trigger backoffice_bulks_guard before update on backoffice_bulks for each row execute function backoffice_guard_bulk();
create trigger backoffice_bulk_rows_guard before update on backoffice_bulk_rows for each row execute function backoffice_guard_bulk_row();
create trigger backoffice_customer_notes_guard before update on backoffice_customer_notes for each row execute function backoffice_guard_customer_note();

call make_append_only('backoffice_rules');
call make_append_only('backoffice_reveals');
call make_append_only('backoffice_decisions');
call make_append_only('backoffice_command_steps');
call make_append_only('backoffice_questions');
call make_append_only('backoffice_answers');

revoke delete, truncate on backoffice_operators from mingxi_app;
revoke insert, update, delete, truncate on backoffice_command_edges from mingxi_app;
revoke delete, truncate on backoffice_commands from mingxi_app;
revoke delete, truncate on backoffice_bulks, backoffice_bulk_rows, backoffice_customer_notes, backoffice_alarm_ways from mingxi_app;
