-- folds 0070_audit_chain.sql

-- Platform: roles and rights, audit, outbox, idempotency, settings. Plain SQL, forward only.
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

-- What operators do is chained by hash: a row that is changed, taken out or slipped in later is named by the verifier.
create table audit_chain (
  seq bigint primary key,
  audit_id bigint not null unique,
  hash bytea not null check (length(hash) = 32)
);

-- Where the chain begins.
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

-- At the commit, so that the chain's end is held for a moment only, and never while somebody waits for another lock.
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
