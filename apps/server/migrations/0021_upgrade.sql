-- folds 0075_number_messages.sql (release 0.1)

-- One-click upgrades. What a member fills in is a draft, one at a time; queued it is a task of the services (services_tasks), whose
-- states and time the kit keeps, with a sum on a card (cards_task_holds, under the same id).
create sequence upgrade_tickets;

create table upgrade_orders (
  id text primary key check (id ~ '^upg_[0-9a-z]{16}$'),
  user_id text not null,
  plan text not null,
  service text not null,
  seats int not null default 1 check (seats between 1 and 100),
  account text not null default '',
  link text not null default '',
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  -- From here on: queued.
  task_id text unique references services_tasks,
  ticket bigint unique,
  card_id text references cards_cards,
  last4 text not null default '',
  amount bigint check (amount > 0),
  fee bigint check (fee >= 0),
  queued_at timestamptz,
  -- Its end, written in the transaction that ends the task.
  outcome text check (outcome in ('done','failed')),
  cause text not null default '',
  ended_at timestamptz,
  -- Each time that the payment password lent the card: its number is shown once for it, to one person.
  lent int not null default 0 check (lent >= 0),
  shown int not null default 0 check (shown >= 0 and shown <= lent),
  shown_at timestamptz,
  shown_to text,
  check ((task_id is null) = (card_id is null)),
  check ((task_id is null) = (ticket is null)),
  check ((task_id is null) = (amount is null)),
  check ((task_id is null) = (queued_at is null)),
  check ((task_id is null) = (lent = 0)),
  check ((shown > 0) = (shown_at is not null)),
  check ((outcome is null) = (ended_at is null)),
  check (ended_at is null or task_id is not null),
  check (task_id is null or (account <> '' and link <> ''))
);
create unique index upgrade_orders_draft on upgrade_orders (user_id) where task_id is null;
create index upgrade_orders_user on upgrade_orders (user_id, created_at desc);
create index upgrade_orders_card on upgrade_orders (card_id, service, queued_at) where card_id is not null;
create index upgrade_orders_ended on upgrade_orders (ended_at desc) where ended_at is not null;
create index upgrade_orders_account on upgrade_orders (service, lower(account), queued_at) where task_id is not null;
-- An account, and a link, is in progress in one order at a time: of two concurrent orders one begins. A link may be longer than an index takes.
create unique index upgrade_orders_live_account on upgrade_orders (service, lower(account)) where task_id is not null and ended_at is null;
create unique index upgrade_orders_live_link on upgrade_orders (md5(link)) where task_id is not null and ended_at is null;

-- Input of the order is frozen; an expired link can be replaced.
create function upgrade_guard_order() returns trigger language plpgsql as $$
begin
  if old.task_id is not null and (new.task_id, new.user_id, new.plan, new.seats, new.card_id, new.amount, new.fee, new.ticket)
     is distinct from (old.task_id, old.user_id, old.plan, old.seats, old.card_id, old.amount, old.fee, old.ticket) then
    raise exception 'what was ordered with % is frozen', old.id using errcode = 'check_violation';
  end if;
  if old.ended_at is not null and (new.outcome, new.cause, new.ended_at) is distinct from (old.outcome, old.cause, old.ended_at) then
    raise exception '% has ended', old.id using errcode = 'check_violation';
  end if;
  if new.lent < old.lent then
    raise exception 'what was lent for % is not taken back', old.id using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger upgrade_guard_order before update on upgrade_orders for each row execute function upgrade_guard_order();

-- The sandbox supplier's book: one order a key.
create table upgrade_sandbox (
  key text primary key,
  ref text not null unique,
  account text not null,
  state text not null check (state in ('working','done','failed','expired','captcha','cancelled')),
  cause text not null default '',
  created_at timestamptz not null
);
