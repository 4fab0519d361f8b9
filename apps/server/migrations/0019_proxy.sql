-- folds 0075_number_messages.sql (release 0.1)

-- Proxy accounts: one row for each permitted use of the forward proxy. A new password is a new row, so that a tunnel belongs to the
-- password it was opened with. Traffic is counted here; destinations are not recorded.
create table proxy_uses (
  id text primary key check (id ~ '^use_[0-9a-z]{16}$'),
  user_id text not null,
  -- Whose it is: a customer's own, a remote browser's, the accelerated browser's.
  purpose text not null check (purpose in ('proxy','remote','browser')),
  -- Subject of the order: a task of the services, a session, a token.
  ref text not null,
  username text not null,
  password_hash bytea not null check (length(password_hash) = 32),
  -- Shown to its owner; null where only the server uses it. Sealed under the installation's key.
  password_sealed bytea,
  exit_id text not null,
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null,
  ended_at timestamptz,
  up_bytes bigint not null default 0 check (up_bytes >= 0),
  down_bytes bigint not null default 0 check (down_bytes >= 0),
  tunnels bigint not null default 0 check (tunnels >= 0),
  refused bigint not null default 0 check (refused >= 0),
  last_used_at timestamptz,
  -- Why tunnels of it were refused: counts by cause (port, address, unknown, down, limit, spent), and still nothing of where to.
  refusals jsonb not null default '{}',
  -- Traffic of later uses with the same user and purpose counts against this one's limit, so that new passwords bring no new traffic.
  -- Null: its own traffic.
  counted_since timestamptz,
  unique (purpose, ref)
);
-- One password a name at a time.
create unique index proxy_uses_live on proxy_uses (username) where ended_at is null;
create index proxy_uses_user on proxy_uses (user_id, purpose, created_at desc);

-- Processes that serve the proxy, with their last heartbeat: without one, nothing is sold.
create table proxy_nodes (
  id text primary key,
  seen_at timestamptz not null,
  tunnels int not null default 0
);

-- Open tunnels of a use in each process, so that its limits hold over all processes.
create table proxy_shares (
  use_id text not null,
  node_id text not null,
  tunnels int not null check (tunnels >= 0),
  seen_at timestamptz not null default clock_timestamp(),
  primary key (use_id, node_id)
);
create index proxy_shares_node on proxy_shares (node_id);

-- The browser extension: a code that signs one in, once, and what it may then ask with.
create table proxy_codes (
  code_hash bytea primary key check (length(code_hash) = 32),
  user_id text not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index proxy_codes_user on proxy_codes (user_id);

create table proxy_extensions (
  id text primary key check (id ~ '^ext_[0-9a-z]{16}$'),
  user_id text not null,
  token_hash bytea not null unique check (length(token_hash) = 32),
  name text not null,
  created_at timestamptz not null default clock_timestamp(),
  seen_at timestamptz not null default clock_timestamp(),
  ended_at timestamptz
);
create index proxy_extensions_user on proxy_extensions (user_id) where ended_at is null;
