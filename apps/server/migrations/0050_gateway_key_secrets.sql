-- Gateway: a key is more than its secret. It can be switched off and on, its secret can be replaced while the old one lives on for a day,
-- and the console may call with it for a minute without anybody knowing its secret. Limits, budgets and usage stay with the key.

alter table gateway_keys
  add column disabled_at timestamptz,
  -- What the last call asked for, and the network that it came from without its host part.
  add column last_model text,
  add column last_from text;

-- Further secrets of a key: the one before a rotation (`old`), and those of calls from the console (`test`). Rows live on for a month
-- after their end, so that a call with a replaced secret is told so.
create table gateway_key_secrets (
  secret_hash bytea primary key check (length(secret_hash) = 32),
  key_id text not null references gateway_keys,
  kind text not null check (kind in ('old', 'test')),
  last4 text not null,
  made_at timestamptz not null default now(),
  ends_at timestamptz not null,
  -- Requests with it since the rotation, and the latest.
  calls bigint not null default 0 check (calls >= 0),
  last_used_at timestamptz
);
create index gateway_key_secrets_key on gateway_key_secrets (key_id, kind, made_at desc);

-- Processes keep keys in memory by secret: each of a key's is read anew.
create or replace function gateway_key_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('gateway_keys', encode(new.secret_hash, 'hex'));
  if tg_op = 'UPDATE' then
    if old.secret_hash <> new.secret_hash then perform pg_notify('gateway_keys', encode(old.secret_hash, 'hex')); end if;
    perform pg_notify('gateway_keys', encode(secret_hash, 'hex')) from gateway_key_secrets where key_id = new.key_id and ends_at > now();
  end if;
  return null;
end $$;
drop trigger gateway_keys_changed on gateway_keys;
create trigger gateway_keys_changed after update of deleted_at, disabled_at, secret_hash, on_disconnect, account_id, expires_at, models, networks,
  requests_minute, tokens_minute, calls_at_once, day_budget, month_budget on gateway_keys for each row execute function gateway_key_changed();

create function gateway_key_secret_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('gateway_keys', encode(coalesce(new.secret_hash, old.secret_hash), 'hex'));
  return null;
end $$;
create trigger gateway_key_secrets_changed after insert or delete or update of ends_at on gateway_key_secrets
  for each row execute function gateway_key_secret_changed();

create or replace function gateway_read_on_changed() returns trigger language plpgsql as $$
declare v_account bigint := coalesce(new.account_id, old.account_id);
begin
  perform pg_notify('gateway_keys', encode(secret_hash, 'hex')) from gateway_keys where account_id = v_account and deleted_at is null;
  perform pg_notify('gateway_keys', encode(s.secret_hash, 'hex')) from gateway_key_secrets s join gateway_keys k using (key_id)
    where k.account_id = v_account and k.deleted_at is null and s.ends_at > now();
  return null;
end $$;
