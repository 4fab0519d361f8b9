-- A sum that is kept on a card for one task (money.md G6). Nobody spends it but the task's own merchant, and only once it is armed: a
-- renewal of the same merchant's that comes while the task still waits is decided as any other. Its card's row guards it.
create table cards_task_holds (
  id text primary key,
  card_id text not null references cards_cards,
  -- What its member reads in the card's book.
  name text not null,
  amount bigint not null check (amount > 0),
  -- Still kept, and what went on to authorisations and captures of the merchant or, once, to the house.
  left_nano bigint not null check (left_nano >= 0),
  used bigint not null default 0 check (used >= 0),
  -- The ledger's hold; a new one where it grows from nothing again.
  hold_id text,
  holds int not null default 0,
  -- Beginnings of the names that the merchant has on a statement.
  merchants text[] not null check (cardinality(merchants) > 0),
  created_at timestamptz not null default clock_timestamp(),
  armed_at timestamptz,
  closed_at timestamptz,
  -- How it ended: let go, or taken by the house for what a supplier delivered.
  outcome text check (outcome in ('freed','charged')),
  check (left_nano + used <= amount),
  check (closed_at is null or left_nano = 0),
  check ((left_nano > 0) = (hold_id is not null)),
  check ((closed_at is null) = (outcome is null))
);
create index cards_task_holds_open on cards_task_holds (card_id, created_at) where closed_at is null;

-- What each authorisation, or a capture beyond one, took of it. Let go by the merchant it goes back, never twice.
create table cards_task_uses (
  hold_id text not null references cards_task_holds,
  ref text not null,
  amount bigint not null check (amount >= 0),
  at timestamptz not null default clock_timestamp(),
  primary key (hold_id, ref)
);
create index cards_task_uses_ref on cards_task_uses (ref);

create function cards_guard_task_hold() returns trigger language plpgsql as $$
begin
  if (new.card_id, new.amount, new.merchants) is distinct from (old.card_id, old.amount, old.merchants) then
    raise exception 'what is kept for task % is frozen', old.id using errcode = 'check_violation';
  end if;
  if old.closed_at is not null then
    raise exception 'what was kept for task % has ended', old.id using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger cards_guard_task_hold before update on cards_task_holds for each row execute function cards_guard_task_hold();
revoke delete, truncate on cards_task_holds, cards_task_uses from mingxi_app;

insert into wallet_allowed_pairs (debit_kind, credit_kind, about) values ('card', 'revenue', 'what a supplier delivered for a task of the card');
