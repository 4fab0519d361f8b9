-- Gateway: API keys, models and versioned prices, and the durable journal behind the relay.

create table gateway_keys (
  key_id text primary key,
  user_id text not null,
  account_id bigint not null,
  name text not null check (char_length(name) between 1 and 50),
  -- SHA-256 of the secret; the secret itself is nowhere.
  secret_hash bytea not null unique check (length(secret_hash) = 32),
  last4 text not null check (length(last4) = 4),
  -- Hash of the request that made it, so that a repeated request makes no second key.
  request_hash bytea,
  on_disconnect text not null default 'abort' check (on_disconnect in ('abort','drain')),
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  deleted_at timestamptz,
  unique (user_id, request_hash)
);
create index gateway_keys_user on gateway_keys (user_id, created_at desc, key_id);

-- Every process forgets a key as soon as it changes; a new key leaves the lists of unknown ones.
create function gateway_key_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('gateway_keys', encode(new.secret_hash, 'hex'));
  return null;
end $$;
create trigger gateway_keys_made after insert on gateway_keys for each row execute function gateway_key_changed();
create trigger gateway_keys_changed after update of deleted_at, on_disconnect, account_id on gateway_keys for each row execute function gateway_key_changed();

create table gateway_models (
  model_id text primary key,
  vendor text not null,
  name text not null,
  kind text not null check (kind in ('chat','embedding')),
  dialects text[] not null,
  capabilities text[] not null,
  context_tokens int,
  max_output_tokens int,
  released_on date,
  deprecated_on date,
  retires_on date,
  successor text,
  aliases text[] not null default '{}',
  position int not null default 0,
  shown boolean not null default true
);

-- A price is never changed: a new row holds from its own time on. Nano-dollars per million tokens; null where the vendor has
-- no such class. Arrays in the order: input, cached input, cache write 5m, cache write 1h, output, audio in, audio out, image in.
create table gateway_prices (
  version bigint generated always as identity primary key,
  model_id text not null references gateway_models,
  valid_from timestamptz not null,
  classes bigint[] not null check (cardinality(classes) = 8 and classes[1] >= 0 and classes[5] >= 0 and 0 <= all (array_remove(classes, null))),
  long_above int check (long_above > 0),
  long_classes bigint[] check (cardinality(long_classes) = 8 and long_classes[1] >= 0 and long_classes[5] >= 0 and 0 <= all (array_remove(long_classes, null))),
  -- The dated file or the operator's note that it came from.
  source text not null,
  created_at timestamptz not null default now(),
  unique (model_id, source),
  check ((long_above is null) = (long_classes is null))
);
create index gateway_prices_model on gateway_prices (model_id, valid_from desc, version desc);
call make_append_only('gateway_prices');

create function gateway_prices_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('gateway_prices', '');
  return null;
end $$;
create trigger gateway_models_news after insert or update or delete on gateway_models for each statement execute function gateway_prices_changed();
create trigger gateway_prices_news after insert on gateway_prices for each statement execute function gateway_prices_changed();

-- One row a running process; its leases are alive while its heartbeat is.
create table gateway_nodes (
  node text primary key,
  started_at timestamptz not null default now(),
  beat_at timestamptz not null default now()
);

-- Which process holds which part of which balance (a wallet hold).
create table gateway_leases (
  lease_id bigint primary key,
  account_id bigint not null,
  node text not null,
  drawn_at timestamptz not null default now(),
  -- What usage rows took from it, and how much of that the ledger has: the rest follows in one posting for many calls.
  charged bigint not null default 0,
  posted bigint not null default 0,
  check (0 <= posted and posted <= charged)
) with (fillfactor = 50);
create index gateway_leases_account on gateway_leases (account_id);
create index gateway_leases_node on gateway_leases (node);

-- Calls that were promised money and have not come to an end. Small: a row lives as long as its call.
create table gateway_calls (
  call_id text primary key,
  lease_id bigint not null,
  account_id bigint not null,
  key_id text not null,
  user_id text not null,
  model text not null,
  upstream text not null,
  price_version bigint not null,
  held bigint not null check (held >= 0),
  node text not null,
  started_at timestamptz not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000, autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 100000);

-- What calls came to, one row a call, for ever. Partitioned by the time a call began; call ids sort by time too.
create table gateway_usage (
  call_id text not null,
  started_at timestamptz not null,
  settled_at timestamptz not null default now(),
  -- The wallet hold that its money was taken from: rows of one lease add up to its captures (money.md, M7).
  lease_id bigint not null,
  account_id bigint not null,
  user_id text not null,
  key_id text not null,
  model text not null,
  upstream text not null,
  price_version bigint not null,
  dialect text not null,
  stream boolean not null,
  status int not null,
  outcome text not null,
  provenance text not null,
  amount bigint not null check (amount >= 0),
  input_tokens bigint not null,
  cached_tokens bigint not null,
  output_tokens bigint not null,
  reasoning_tokens bigint not null,
  -- Four numbers a line: kind, tokens, unit price, amount (journal/lines.ts). The amounts add up to `amount`.
  lines bigint[] not null check (cardinality(lines) % 4 = 0),
  request_id text not null,
  upstream_request_id text not null,
  first_byte_ms int not null,
  total_ms int not null,
  primary key (call_id, started_at)
) partition by range (started_at);
create index gateway_usage_account on gateway_usage (account_id, started_at desc, call_id desc);
create index gateway_usage_key on gateway_usage (key_id, started_at desc, call_id desc);
call make_append_only('gateway_usage');

-- The application may not create tables; it may ask for the months ahead.
create function gateway_make_months(ahead int) returns void language plpgsql security definer set search_path = public as $$
declare
  month date;
begin
  for month in select generate_series(date_trunc('month', now()) - interval '1 month', date_trunc('month', now()) + make_interval(months => ahead), interval '1 month')::date loop
    execute format('create table if not exists %I partition of gateway_usage for values from (%L) to (%L)',
      'gateway_usage_' || to_char(month, 'YYYYMM'), month::timestamp at time zone 'UTC', (month + interval '1 month')::timestamp at time zone 'UTC');
  end loop;
end $$;
select gateway_make_months(12);
-- A clock that is far off must not stop billing.
create table gateway_usage_other partition of gateway_usage default;

-- Sums by Shanghai day, kept by the statement that writes the rows: the billing page never adds up calls.
create table gateway_usage_days (
  account_id bigint not null,
  day date not null,
  model text not null,
  key_id text not null,
  calls bigint not null,
  tokens bigint not null,
  amount bigint not null,
  primary key (account_id, day, model, key_id)
) with (fillfactor = 70);

-- Rows that could not be written: parked, so that they stop nobody else, and raised as an alarm.
create table gateway_dead_letters (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  call_id text not null,
  kind text not null,
  reason text not null,
  payload jsonb not null,
  resolved_at timestamptz
);
create index gateway_dead_letters_open on gateway_dead_letters (id) where resolved_at is null;

-- Ends a statement whose parts must stand or fall together.
create function gateway_must(fine boolean, problem text) returns boolean language plpgsql as $$
begin
  if fine is not true then
    raise exception using errcode = 'GW001', message = problem;
  end if;
  return true;
end $$;

-- Adds to what leases were charged, in one order whoever calls; returns the leases that have ended. A function, because each
-- of its statements sees what was committed meanwhile: within one statement a row locked first and updated then may not.
create function gateway_charge(p_leases bigint[], p_amounts bigint[]) returns bigint[] language plpgsql as $$
declare
  v_late bigint[] := '{}';
  v_at bigint;
begin
  for v_at in select n from unnest(p_leases) with ordinality u (lease_id, n) order by lease_id loop
    update gateway_leases set charged = charged + p_amounts[v_at] where lease_id = p_leases[v_at];
    if not found then v_late := v_late || p_leases[v_at]; end if;
  end loop;
  return v_late;
end $$;

-- Moves what the leases of a process, or those named, were charged into the ledger, once: the reference of a posting is the
-- total that it reaches.
create function gateway_post(p_node text, p_leases bigint[]) returns int language plpgsql as $$
declare
  v_leases bigint[];
  v_charged bigint[];
  v_amounts bigint[];
begin
  select array_agg(lease_id order by lease_id), array_agg(charged order by lease_id), array_agg(charged - posted order by lease_id)
    into v_leases, v_charged, v_amounts
    from (select lease_id, charged, posted from gateway_leases where (node = p_node or lease_id = any (p_leases)) and charged > posted
      order by lease_id for update) due;
  if v_leases is null then return 0; end if;
  perform gateway_must(not exists (select from wallet_capture_many(
    array(select 'gateway.lease.' || lease_id from unnest(v_leases) with ordinality u (lease_id, n) order by n), v_amounts,
    array(select 'lease:' || lease_id || ':' || charged from unnest(v_leases, v_charged) with ordinality u (lease_id, charged, n) order by n),
    'gateway.usage') c where c.outcome <> 'captured'), 'the wallet refused a capture');
  update gateway_leases l set posted = u.charged from unnest(v_leases, v_charged) u (lease_id, charged) where l.lease_id = u.lease_id;
  return array_length(v_leases, 1);
end $$;
