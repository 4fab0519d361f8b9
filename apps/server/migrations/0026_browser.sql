-- The accelerated browser: who had the trial, and what the client signs in with.
create table browser_trials (
  user_id text primary key,
  task_id text not null unique,
  created_at timestamptz not null default clock_timestamp()
);

-- One token a user: the next one ends it. What it opens at the proxy stands there, under `ref`.
create table browser_tokens (
  user_id text primary key,
  token_hash bytea not null unique check (length(token_hash) = 32),
  created_at timestamptz not null default clock_timestamp(),
  used_at timestamptz,
  sessions bigint not null default 0 check (sessions >= 0)
);

grant select, insert, update, delete on browser_trials, browser_tokens to mingxi_app;
