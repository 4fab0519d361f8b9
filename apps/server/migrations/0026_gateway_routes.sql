-- Gateway: upstream servers and which models they serve. Without rows the vendors' keys of the environment serve everything.

create table gateway_upstreams (
  upstream_id text primary key check (upstream_id ~ '^[a-z0-9][a-z0-9._-]{0,62}$'),
  -- The vendor whose ways it has: credential header, version, billing after an abort.
  vendor text not null,
  base_url text not null check (base_url ~ '^https?://[^\s?#]+$'),
  -- The name of the environment variable that holds the credential; the credential itself is never here. A fixed form, so that
  -- no other secret of the process can be sent to an upstream.
  credential_env text not null check (credential_env ~ '^(UPSTREAM_[A-Z0-9_]{1,60}|[A-Z]+_API_KEY|SANDBOX_UPSTREAM_KEY)$'),
  -- Null: as its vendor does.
  bills_after_abort boolean,
  -- 1.1, 2, or auto: 2 where the server offers it.
  http text not null default '1.1' check (http in ('1.1', '2', 'auto')),
  -- What one process asks of it at most; null: no limit.
  concurrent int check (concurrent > 0),
  per_minute int check (per_minute between 1 and 1000000),
  queue_length int not null default 200 check (queue_length between 0 and 100000),
  queue_ms int not null default 10000 check (queue_ms between 1 and 600000),
  -- Wait for the head, and between the bytes of the body; null: UPSTREAM_TIMEOUT_MS.
  first_byte_ms int check (first_byte_ms > 0),
  between_ms int check (between_ms > 0),
  -- active; draining: nothing new, what runs comes to its end; off: the same, and its connections are closed.
  state text not null default 'active' check (state in ('active', 'draining', 'off')),
  created_at timestamptz not null default now()
);

-- A model with a row here is served by its rows alone.
create table gateway_routes (
  model_id text not null references gateway_models,
  upstream_id text not null references gateway_upstreams,
  -- The model's name at that upstream.
  upstream_model text not null check (upstream_model <> ''),
  priority int not null default 0 check (priority between 0 and 1000),
  weight int not null default 100 check (weight between 1 and 10000),
  -- What the upstream asks of us, in basis points of our list price: the rest is the margin.
  cost_bp int not null default 10000 check (cost_bp between 0 and 1000000),
  -- Null: every dialect of the model that the upstream's vendor has.
  dialects text[] check (cardinality(dialects) > 0),
  first_byte_ms int check (first_byte_ms > 0),
  between_ms int check (between_ms > 0),
  primary key (model_id, upstream_id)
);

create function gateway_routes_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('gateway_routes', '');
  return null;
end $$;
create trigger gateway_upstreams_news after insert or update or delete on gateway_upstreams for each statement execute function gateway_routes_changed();
create trigger gateway_routes_news after insert or update or delete on gateway_routes for each statement execute function gateway_routes_changed();
