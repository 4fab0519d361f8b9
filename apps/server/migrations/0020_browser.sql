-- folds 0075_number_messages.sql (release 0.1)

-- The accelerated browser: who had the trial, and what the client signs in with.
create table browser_trials (
  user_id text primary key,
  task_id text not null unique,
  created_at timestamptz not null default clock_timestamp()
);
-- Trials of a day are counted.
create index browser_trials_created on browser_trials (created_at);

-- One trial a person, not an account: keyed hashes of the e-mail and the mobile that it was proven with stay when the account is closed.
create table browser_trial_people (
  digest bytea primary key check (length(digest) = 32),
  user_id text not null references browser_trials on delete cascade
);
create index browser_trial_people_user on browser_trial_people (user_id);

-- One token a user: the next one ends it. What it opens at the proxy stands there, under `ref`.
create table browser_tokens (
  user_id text primary key,
  token_hash bytea not null unique check (length(token_hash) = 32),
  created_at timestamptz not null default clock_timestamp(),
  used_at timestamptz,
  sessions bigint not null default 0 check (sessions >= 0)
);

revoke update, delete, truncate on browser_trial_people from mingxi_app;
