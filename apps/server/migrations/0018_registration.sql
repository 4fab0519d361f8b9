-- folds 0075_number_messages.sql (release 0.1)

-- Input that an operator of the services' desk types for a member, sealed, and deleted once the order has ended. Order, money and time are
-- in services_tasks.
create table registration_secrets (
  task_id text primary key,
  user_id text not null,
  sealed bytea not null,
  created_at timestamptz not null default clock_timestamp(),
  -- The password of a failed registration stays until this time, so that the member can try again without typing it. Null while the order runs.
  forget_at timestamptz
);
create index registration_secrets_user on registration_secrets (user_id);
create index registration_secrets_forget on registration_secrets (forget_at) where forget_at is not null;

-- The book of the sandbox that registers accounts: one job a key.
create table registration_sandbox (
  ref text primary key,
  key text not null unique,
  account text not null,
  state text not null check (state in ('working','done','failed','cancelled')),
  reason text not null default '',
  -- Its answer was lost on the way, once.
  lost boolean not null default false,
  created_at timestamptz not null default clock_timestamp()
);
