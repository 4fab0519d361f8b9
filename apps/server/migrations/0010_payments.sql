-- Payments: orders, attempts, notices, money received. Amounts: nano-dollars in *_nano, fen in *_minor.

-- The state machine is data; a later feature adds edges in its own migration.
create table payments_order_edges (
  from_state text not null,
  to_state text not null,
  primary key (from_state, to_state)
);
insert into payments_order_edges (from_state, to_state) values
  ('created','paying'), ('created','expired'), ('created','cancelled'),
  ('paying','unknown'), ('paying','paid'), ('paying','expired'), ('paying','cancelled'), ('paying','integrity_failure'),
  ('unknown','paying'), ('unknown','paid'), ('unknown','expired'), ('unknown','cancelled'), ('unknown','integrity_failure'),
  ('paid','fulfilled'),
  ('expired','paid_late'), ('expired','integrity_failure'),
  ('cancelled','paid_late'), ('cancelled','integrity_failure'),
  ('integrity_failure','paid_late');

create table payments_orders (
  id bigint generated always as identity primary key,
  order_no text not null unique check (order_no ~ '^\d{8}-[0-9A-Z]{12}$'),
  user_id text not null,
  order_type smallint not null check (order_type between 0 and 15),
  state text not null default 'created',
  -- Frozen at creation.
  amount_nano bigint not null check (amount_nano > 0),
  fee_percent text not null check (fee_percent ~ '^\d{1,2}(\.\d{1,4})?$'),
  fee_nano bigint not null check (fee_nano >= 0),
  total_nano bigint not null check (total_nano = amount_nano + fee_nano),
  rate text not null check (rate ~ '^[1-9]\d{0,3}\.\d{1,6}$'),
  currency text not null default 'CNY' check (currency = 'CNY'),
  pay_minor bigint not null check (pay_minor > 0),
  channel_type smallint not null check (channel_type between 1 and 25),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  -- The payer's last choice of method; moves with each attempt.
  transaction_type smallint not null,
  trade_from text not null check (trade_from in ('QRCODE','H5')),
  paid_at timestamptz,
  scanned boolean not null default false,
  declined boolean not null default false,
  -- Liveness (I11): when the reconciler looks next; null only when nothing can happen by itself any more.
  next_check_at timestamptz,
  checks int not null default 0,
  asked_at timestamptz,
  seen_at timestamptz,
  check (next_check_at is not null or state in ('paid','fulfilled','paid_late','expired','cancelled','integrity_failure'))
);
create index payments_orders_user on payments_orders (user_id, id desc);
create index payments_orders_open on payments_orders (user_id) where state in ('created','paying','unknown');
create index payments_orders_due on payments_orders (next_check_at) where next_check_at is not null;

-- Only forward edges, and what was promised to the payer never changes.
create function payments_guard_order() returns trigger language plpgsql as $$
begin
  if new.state <> old.state and not exists (select from payments_order_edges where from_state = old.state and to_state = new.state) then
    raise exception 'order % cannot go from % to %', old.order_no, old.state, new.state using errcode = 'check_violation';
  end if;
  if (new.order_no, new.user_id, new.order_type, new.amount_nano, new.fee_percent, new.fee_nano, new.total_nano, new.rate, new.currency, new.pay_minor, new.channel_type, new.created_at)
     is distinct from
     (old.order_no, old.user_id, old.order_type, old.amount_nano, old.fee_percent, old.fee_nano, old.total_nano, old.rate, old.currency, old.pay_minor, old.channel_type, old.created_at) then
    raise exception 'the figures of order % are frozen', old.order_no using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger payments_guard_order before update on payments_orders for each row execute function payments_guard_order();

create table payments_order_steps (
  id bigint generated always as identity primary key,
  order_id bigint not null references payments_orders,
  at timestamptz not null default now(),
  from_state text,
  to_state text not null,
  actor text not null,
  reason text not null
);
create index payments_order_steps_order on payments_order_steps (order_id, id);
call make_append_only('payments_order_steps');

-- One row per call that opens an order at a channel. `dispatched` is committed before the call leaves.
-- A trade number belongs to one order, channel and method: opening it again is the channel's own idempotency.
create table payments_attempts (
  id bigint generated always as identity primary key,
  order_id bigint not null references payments_orders,
  channel_type smallint not null,
  transaction_type smallint not null,
  trade_from text not null,
  trade_no text not null,
  state text not null check (state in ('prepared','dispatched','succeeded','failed','unknown')),
  form text check (form in ('qr','redirect','form')),
  opened jsonb,
  expires_at timestamptz,
  reason text,
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  check (state <> 'succeeded' or (opened is not null and expires_at is not null))
);
create index payments_attempts_order on payments_attempts (order_id, id desc);
create index payments_attempts_trade on payments_attempts (channel_type, trade_no);

-- Inbox of verified notices: the row commits together with the effect (I6).
create table payments_notices (
  channel_type smallint not null,
  notice_id text not null,
  order_id bigint not null references payments_orders,
  trade_no text not null,
  event text not null,
  received_at timestamptz not null default now(),
  primary key (channel_type, notice_id)
);
call make_append_only('payments_notices');

-- Money that reached us, as the channel's own query states it: one row per channel transaction, whatever becomes of it.
create table payments_receipts (
  id bigint generated always as identity primary key,
  channel_type smallint not null,
  channel_txn text not null,
  order_id bigint not null references payments_orders,
  trade_no text not null,
  paid_minor bigint not null check (paid_minor > 0),
  currency text not null,
  paid_at timestamptz not null,
  outcome text not null check (outcome in ('credited','late','again','suspense')),
  worth_nano bigint not null check (worth_nano >= 0),
  ledger_ref text not null unique,
  created_at timestamptz not null default now(),
  unique (channel_type, channel_txn)
);
-- An order credits at most once (I7); a second payment has its own outcome.
create unique index payments_receipts_once on payments_receipts (order_id) where outcome in ('credited','late');
create index payments_receipts_order on payments_receipts (order_id);
call make_append_only('payments_receipts');

revoke insert, update, delete, truncate on payments_order_edges from mingxi_app;
revoke delete, truncate on payments_orders, payments_attempts from mingxi_app;

-- The sandbox channel's own book: read and written by the sandbox alone, compared with ours by tests.
create table payments_sandbox_trades (
  token text primary key,
  trade_no text not null unique,
  minor bigint not null,
  currency text not null,
  subject text not null,
  magic text not null,
  method smallint not null,
  form text not null,
  lang text not null,
  notify_url text not null,
  return_url text not null,
  state text not null default 'open' check (state in ('open','paid','declined')),
  scanned boolean not null default false,
  expires_at timestamptz not null,
  created_at timestamptz not null,
  pay_due_at timestamptz,
  hide_queries int not null default 0
);
create index payments_sandbox_trades_due on payments_sandbox_trades (pay_due_at) where pay_due_at is not null;
create table payments_sandbox_payments (
  txn text primary key,
  token text not null references payments_sandbox_trades,
  minor bigint not null,
  currency text not null,
  paid_at timestamptz not null
);
create index payments_sandbox_payments_token on payments_sandbox_payments (token);
create table payments_sandbox_notices (
  id bigint generated always as identity primary key,
  notice_id text not null,
  token text not null references payments_sandbox_trades,
  body text not null,
  bad_signature boolean not null default false,
  due_at timestamptz not null,
  tries int not null default 0,
  done_at timestamptz
);
create index payments_sandbox_notices_due on payments_sandbox_notices (due_at) where done_at is null;
