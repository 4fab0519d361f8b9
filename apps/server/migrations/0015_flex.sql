-- folds 0075_number_messages.sql (release 0.1)

-- Shared subscriptions: accounts of suppliers and their seats. A seat belongs to one task at a time, by its row (money.md G5).
create table flex_accounts (
  id bigint generated always as identity primary key,
  supplier text not null,
  ref text not null,
  platform smallint not null check (platform in (1,2,6)),
  tier text not null,
  -- `closed`: nothing more is sold of it. `lost`: the supplier has it no more.
  state text not null default 'open' check (state in ('open','closed','lost')),
  created_at timestamptz not null default now(),
  unique (supplier, ref)
);
create table flex_seats (
  account_id bigint not null references flex_accounts,
  no int not null check (no > 0),
  task_id text,
  taken_at timestamptz,
  primary key (account_id, no),
  check ((task_id is null) = (taken_at is null))
);
create index flex_seats_task on flex_seats (task_id) where task_id is not null;
create index flex_seats_free on flex_seats (account_id, no) where task_id is null;
-- A task has one seat an account.
create unique index flex_seats_once on flex_seats (task_id, account_id) where task_id is not null;

-- Occupants of seats, with their times.
create table flex_seat_uses (
  id bigint generated always as identity primary key,
  account_id bigint not null,
  no int not null,
  task_id text not null,
  taken_at timestamptz not null,
  left_at timestamptz not null default clock_timestamp(),
  foreign key (account_id, no) references flex_seats
);
call make_append_only('flex_seat_uses');

-- One trial an account and platform. One that never began is not used up: its row goes.
create table flex_trials (
  user_id text not null,
  platform smallint not null,
  task_id text not null,
  at timestamptz not null default now(),
  primary key (user_id, platform)
);

-- One trial a person, not an account: keyed hashes of the e-mail and the mobile that it was proven with stay when the account is closed.
create table flex_trial_people (
  platform smallint not null,
  digest bytea not null check (length(digest) = 32),
  user_id text not null,
  primary key (digest, platform),
  foreign key (user_id, platform) references flex_trials on delete cascade
);
create index flex_trial_people_user on flex_trial_people (user_id, platform);

-- The sandbox supplier's own book; the product does not read it.
create table flex_sandbox_members (
  ref text primary key,
  key text not null unique,
  account_ref text not null,
  until timestamptz not null,
  state text not null default 'active' check (state in ('pending','active','removed')),
  token text not null unique,
  created_at timestamptz not null default now()
);
create table flex_sandbox_calls (
  key text primary key,
  answer jsonb not null
);
create table flex_sandbox_messages (
  id bigint generated always as identity primary key,
  member_ref text not null references flex_sandbox_members,
  service text not null,
  at timestamptz not null default clock_timestamp()
);
create index flex_sandbox_messages_of on flex_sandbox_messages (member_ref, service, at);
revoke delete, truncate on flex_accounts, flex_seats from mingxi_app;
revoke truncate on flex_trials from mingxi_app;
revoke update, delete, truncate on flex_trial_people from mingxi_app;
