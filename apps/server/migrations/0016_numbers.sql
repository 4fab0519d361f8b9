-- folds 0075_number_messages.sql (release 0.1)

-- Rented telephone numbers: the supplier's rental, its messages, and rentals found at the supplier without an order. Order, money and time
-- are in services_tasks. Costs in nano-dollars.

create table numbers_rentals (
  supplier text not null,
  ref text not null,
  task_id text not null,
  user_id text not null,
  number text not null check (number ~ '^\+\d{6,15}$'),
  service text not null,
  country text not null,
  cost bigint not null check (cost >= 0),
  -- `open`: it may still ring. `kept`: paid there. `given_back`: not paid.
  state text not null default 'open' check (state in ('open','kept','given_back')),
  -- Until when it is looked at, whatever became of the order.
  since timestamptz not null default clock_timestamp(),
  received_at timestamptz,
  ended_at timestamptz,
  next_look_at timestamptz default clock_timestamp(),
  failures int not null default 0,
  primary key (supplier, ref),
  check ((state = 'open') = (next_look_at is not null))
);
create index numbers_rentals_due on numbers_rentals (next_look_at) where next_look_at is not null;
create index numbers_rentals_task on numbers_rentals (task_id);
create index numbers_rentals_measured on numbers_rentals (service, country, since);
-- A number rings for one order at a time.
create unique index numbers_rentals_open on numbers_rentals (supplier, number) where state = 'open';
-- Finds earlier rentals of a number when a notice arrives for it.
create index numbers_rentals_number on numbers_rentals (supplier, number);

-- A cost that was paid or returned stays so.
create function numbers_guard_rental() returns trigger language plpgsql as $$
begin
  if old.state <> 'open' and new.state <> old.state then
    raise exception 'rental % at % is % already', old.ref, old.supplier, old.state using errcode = 'check_violation';
  end if;
  if (new.task_id, new.user_id, new.number, new.cost) is distinct from (old.task_id, old.user_id, old.number, old.cost) then
    raise exception 'what rental % is never changes', old.ref using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger numbers_guard_rental before update on numbers_rentals for each row execute function numbers_guard_rental();

-- Messages to a number, sealed; the text is deleted after a day.
create table numbers_messages (
  id text primary key,
  task_id text not null,
  -- Of the supplier's own key for it: the same message is one.
  digest bytea not null,
  at timestamptz not null default clock_timestamp(),
  -- After the order had ended: shown, and free.
  late boolean not null default false,
  sealed bytea,
  -- Identifies a message across the rentals of its number: a supplier may deliver a message again after the number was rented again. Older
  -- rows have none; the digest still keeps each of them unique in its order.
  origin bytea check (length(origin) = 32),
  unique (task_id, digest)
);
create index numbers_messages_kept on numbers_messages (at) where sealed is not null;
create unique index numbers_messages_origin on numbers_messages (origin) where origin is not null;

-- How renting went, for whom to ask first.
create table numbers_tries (
  id bigint generated always as identity primary key,
  at timestamptz not null default clock_timestamp(),
  supplier text not null,
  service text not null,
  country text not null,
  outcome text not null check (outcome in ('rented','refused','unknown')),
  why text not null default ''
);
create index numbers_tries_recent on numbers_tries (supplier, at);

-- Held for us at a supplier, and no order knows it: an answer was lost. It is given back.
create table numbers_strangers (
  supplier text not null,
  ref text not null,
  number text not null,
  seen_at timestamptz not null default clock_timestamp(),
  state text not null default 'seen' check (state in ('seen','given_back','kept')),
  primary key (supplier, ref)
);

-- The sandbox supplier's own book.
create table numbers_sandbox (
  ref text primary key,
  number text not null,
  service text not null,
  country text not null,
  cost bigint not null,
  state text not null default 'open' check (state in ('open','cancelled','finished')),
  texts jsonb not null default '[]',
  created_at timestamptz not null default clock_timestamp()
);
create unique index numbers_sandbox_open on numbers_sandbox (number) where state = 'open';
create table numbers_sandbox_mood (
  one boolean primary key default true check (one),
  mood text not null check (mood in ('well','empty','poor','slow','down','early'))
);
insert into numbers_sandbox_mood (mood) values ('well');
