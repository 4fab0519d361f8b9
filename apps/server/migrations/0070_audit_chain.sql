-- What operators do is chained by hash: a row that is changed, taken out or slipped in later is named by the verifier.

create table audit_chain (
  seq bigint primary key,
  audit_id bigint not null unique,
  hash bytea not null check (length(hash) = 32)
);
call make_append_only('audit_chain');
revoke insert on audit_chain from mingxi_app;

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
create constraint trigger audit_chained after insert on audit_rows deferrable initially deferred for each row
  when (new.actor_kind = 'operator') execute function audit_chain_row();

-- Rows of before are not in the chain; it begins here.
create table audit_chain_start (audit_id bigint not null);
insert into audit_chain_start select coalesce(max(id), 0) from audit_rows;
call make_append_only('audit_chain_start');
revoke insert on audit_chain_start from mingxi_app;

-- Every value that a setting had, so that it can be had again.
create table settings_history (
  id bigint generated always as identity primary key,
  key text not null,
  value jsonb,
  at timestamptz not null default now(),
  by text not null
);
create index settings_history_of on settings_history (key, id);
call make_append_only('settings_history');
insert into settings_history (key, value, at, by) select key, value, updated_at, updated_by from settings;
create function settings_keep() returns trigger language plpgsql as $$
begin
  insert into settings_history (key, value, by) values (new.key, new.value, new.updated_by);
  return null;
end $$;
create trigger settings_kept after insert or update on settings for each row execute function settings_keep();
