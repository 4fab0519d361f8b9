-- folds 0075_number_messages.sql (release 0.1)

-- Platform: roles and rights, audit, outbox, idempotency, settings, processes, calls to suppliers.
do $$ begin
  if not exists (select from pg_roles where rolname = 'mingxi_app') then
    create role mingxi_app nologin;
  end if;
exception when duplicate_object or unique_violation then null;
end $$;

do $$ begin
  execute format('grant mingxi_app to %I', current_user);
exception when others then null; -- a superuser needs no grant; another owner may hold the role already
end $$;

grant usage on schema public to mingxi_app;

alter default privileges in schema public grant select, insert, update, delete on tables to mingxi_app;
alter default privileges in schema public grant usage, select on sequences to mingxi_app;
alter default privileges in schema public grant execute on functions to mingxi_app;

-- The job queue's own schema: pg-boss makes its tables there on first start, and jobs are enqueued by transactions of ours.
create schema if not exists jobs;

grant usage on schema jobs to mingxi_app;

alter default privileges in schema jobs grant select, insert, update, delete on tables to mingxi_app;
alter default privileges in schema jobs grant usage, select on sequences to mingxi_app;
alter default privileges in schema jobs grant execute on functions to mingxi_app;

create table audit_rows (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  actor_kind text not null check (actor_kind in ('user','operator','channel','system','anonymous')),
  actor_id text not null,
  action text not null,
  target text not null,
  data jsonb not null default '{}'
);
create index audit_rows_target on audit_rows (target, id);
create index audit_rows_actor on audit_rows (actor_kind, actor_id, id);
-- Rare actions, and days long past, among millions of rows.
create index audit_rows_action on audit_rows (action, id);
create index audit_rows_at on audit_rows using brin (at) with (pages_per_range = 32, autosummarize = on);

create table outbox (
  id bigint generated always as identity primary key,
  event text not null,
  payload jsonb not null,
  created_at timestamptz not null default now(),
  delivered_at timestamptz
);
create index outbox_waiting on outbox (id) where delivered_at is null;

create table idempotency_keys (
  actor text not null,
  key text not null check (length(key) between 1 and 200),
  route text not null,
  body_hash bytea not null,
  status int,
  reply jsonb,
  created_at timestamptz not null default now(),
  primary key (actor, key)
);
create index idempotency_keys_age on idempotency_keys (created_at);

create table settings (
  key text primary key,
  value jsonb not null,
  updated_at timestamptz not null default now(),
  updated_by text not null
);

-- Operators' actions form a hash chain: the verifier reports every row that was changed, removed or inserted later.
create table audit_chain (
  seq bigint primary key,
  audit_id bigint not null unique,
  hash bytea not null check (length(hash) = 32)
);

-- First hash of the chain.
create table audit_chain_start (audit_id bigint not null);

-- Every value that a setting had, so that it can be had again.
create table settings_history (
  id bigint generated always as identity primary key,
  key text not null,
  value jsonb,
  at timestamptz not null default now(),
  by text not null
);
create index settings_history_of on settings_history (key, id);

-- Proof of life: one row a process, written every two seconds, and one for the look at alarms. /readyz and the watchdog read their own writes.
create table process_beats (
  name text primary key check (length(name) between 1 and 200),
  roles text[] not null default '{}',
  beat_at timestamptz not null default now()
);

-- Calls to suppliers that have no clear answer, one row for what waits on it; the row goes with the answer.
create table supplier_waits (
  subject text primary key check (subject ~ '^[a-z]+:.{1,200}$'),
  port text not null check (port ~ '^[a-z]+(\.[a-z]+)*$'),
  supplier text not null,
  operation text not null,
  kind text not null check (kind in ('retryable', 'unknown')),
  reason text not null,
  -- the supplier's own words, for operators
  detail text not null default '',
  tries int not null default 1 check (tries > 0),
  since timestamptz not null default clock_timestamp(),
  final_at timestamptz,
  -- since when operators have to look
  work_at timestamptz
);
create index supplier_waits_work on supplier_waits (work_at) where work_at is not null;

-- Faults that the suppliers' sandboxes simulate next; real suppliers ignore this table.
create table supplier_faults (
  id bigint generated always as identity primary key,
  port text not null,
  operation text not null default '*',
  fault text not null check (fault in ('reject', 'fail', 'stall', 'late')),
  -- only calls whose facts hold this text
  only_for text not null default '',
  reason text not null default 'refused' check (reason ~ '^[a-z_]{1,40}$'),
  -- how often; null until it is taken away
  times int check (times > 0),
  seconds int not null default 0 check (seconds between 0 and 120),
  created_at timestamptz not null default clock_timestamp()
);

-- A table that is only ever added to: the application role may not rewrite it, and a trigger stops everybody else too.
create function refuse_rewrite() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'insufficient_privilege';
end $$;

create procedure make_append_only(name regclass) language plpgsql as $$
begin
  execute format('revoke update, delete, truncate on %s from mingxi_app', name);
  execute format('create trigger append_only before update or delete on %s for each row execute function refuse_rewrite()', name);
  execute format('create trigger append_only_truncate before truncate on %s for each statement execute function refuse_rewrite()', name);
end $$;

create function audit_hash(prev bytea, kept audit_rows) returns bytea language sql stable as $$
  select sha256(prev || convert_to(jsonb_build_array(kept.id, extract(epoch from kept.at)::text, kept.actor_kind, kept.actor_id, kept.action, kept.target, kept.data)::text, 'UTF8'))
$$;

-- Runs at the commit, so that the end of the chain is locked briefly and never while the transaction waits for another lock.
create function audit_chain_row() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  last record;
begin
  perform pg_advisory_xact_lock(hashtextextended('audit.chain', 0));
  select seq, hash into last from audit_chain order by seq desc limit 1;
  insert into audit_chain (seq, audit_id, hash) values (coalesce(last.seq, 0) + 1, new.id, audit_hash(coalesce(last.hash, ''::bytea), new));
  return null;
end $$;

create function settings_keep() returns trigger language plpgsql as $$
begin
  insert into settings_history (key, value, by) values (new.key, new.value, new.updated_by);
  return null;
end $$;

create constraint trigger audit_chained after insert on audit_rows deferrable initially deferred for each row
  when (new.actor_kind = 'operator') execute function audit_chain_row();

create trigger settings_kept after insert or update on settings for each row execute function settings_keep();

call make_append_only('audit_rows');
call make_append_only('audit_chain');
call make_append_only('audit_chain_start');
call make_append_only('settings_history');

revoke insert on audit_chain from mingxi_app;

insert into audit_chain_start select coalesce(max(id), 0) from audit_rows;

revoke insert on audit_chain_start from mingxi_app;
