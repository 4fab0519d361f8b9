-- Money out: withdrawals of the balance. Paper: receipts and invoices with gapless numbers.

-- Where a user's payouts go. Account, name and identity number are sealed; `shown` is masked. `digest` tells a change.
create table payments_payout_accounts (
  user_id text primary key,
  sealed bytea not null,
  digest bytea not null,
  shown jsonb not null,
  created_at timestamptz not null default now(),
  -- Null until the first change: a change lets nothing leave for a day.
  changed_at timestamptz
);

create table payments_withdrawal_edges (
  from_state text not null,
  to_state text not null,
  primary key (from_state, to_state)
);
insert into payments_withdrawal_edges (from_state, to_state) values
  ('requested','in_transit'), ('requested','cancelled'), ('requested','failed'),
  ('approving','approved'), ('approving','rejected'), ('approving','cancelled'), ('approving','failed'),
  ('approved','in_transit'), ('approved','cancelled'), ('approved','failed'),
  ('in_transit','paid'), ('in_transit','failed'),
  ('paid','returned');

create table payments_withdrawals (
  id bigint generated always as identity primary key,
  withdrawal_no text not null unique check (withdrawal_no ~ '^W\d{8}-[0-9A-Z]{12}$'),
  user_id text not null,
  amount_nano bigint not null check (amount_nano > 0),
  rate text not null,
  -- What arrives, in fen.
  pay_minor bigint not null check (pay_minor > 0),
  state text not null check (state in ('requested','approving','approved','in_transit','paid','failed','returned','rejected','cancelled')),
  -- Account and name for the payout, emptied when nothing can be sent any more.
  sealed bytea,
  shown jsonb not null,
  payout_vendor text,
  payout_txn text,
  -- The ledger's transaction that moved the money to in_transit: what a failure undoes.
  sent_tx bigint,
  reason text not null default '',
  decided_by text,
  created_at timestamptz not null default now(),
  pay_after timestamptz,
  dispatched_at timestamptz,
  finished_at timestamptz,
  next_check_at timestamptz,
  checks int not null default 0,
  check (next_check_at is not null or state in ('paid','failed','returned','rejected','cancelled')),
  -- Four eyes: who asked never decides.
  constraint payments_withdrawals_four_eyes check (decided_by is null or decided_by <> user_id)
);
-- One at a time.
create unique index payments_withdrawals_open on payments_withdrawals (user_id) where state in ('requested','approving','approved','in_transit');
create index payments_withdrawals_user on payments_withdrawals (user_id, id);
create index payments_withdrawals_day on payments_withdrawals (created_at);
create index payments_withdrawals_due on payments_withdrawals (next_check_at) where next_check_at is not null;

create function payments_guard_withdrawal() returns trigger language plpgsql as $$
begin
  if new.state <> old.state and not exists (select from payments_withdrawal_edges where from_state = old.state and to_state = new.state) then
    raise exception 'withdrawal % cannot go from % to %', old.withdrawal_no, old.state, new.state using errcode = 'check_violation';
  end if;
  if (new.withdrawal_no, new.user_id, new.amount_nano, new.rate, new.pay_minor, new.created_at)
     is distinct from (old.withdrawal_no, old.user_id, old.amount_nano, old.rate, old.pay_minor, old.created_at) then
    raise exception 'the figures of withdrawal % are frozen', old.withdrawal_no using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger payments_withdrawals_guard before update on payments_withdrawals for each row execute function payments_guard_withdrawal();

create table payments_withdrawal_steps (
  id bigint generated always as identity primary key,
  withdrawal_id bigint not null references payments_withdrawals,
  at timestamptz not null default clock_timestamp(),
  state text not null,
  actor text not null,
  reason text not null default ''
);
create index payments_withdrawal_steps_of on payments_withdrawal_steps (withdrawal_id, id);
call make_append_only('payments_withdrawal_steps');

-- The sandbox's own book of payouts: nobody else reads it.
create table payments_sandbox_payouts (
  payout_no text primary key,
  account text not null,
  minor bigint not null,
  state text not null check (state in ('paid','pending','refused','returned')),
  txn text not null unique,
  created_at timestamptz not null default now()
);

-- The last number given, per series and year. The row is the lock: a number that is not used is not taken.
create table payments_paper_counters (
  kind text not null check (kind in ('receipt','invoice')),
  year int not null,
  last int not null check (last > 0),
  primary key (kind, year)
);

create table payments_papers (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('receipt','invoice')),
  year int not null,
  number int not null,
  paper_no text not null unique,
  user_id text not null,
  month text not null default '',
  order_no text not null default '',
  lang text not null check (lang in ('zh','en')),
  amount_nano bigint not null check (amount_nano > 0),
  -- All that stands on it, frozen.
  facts jsonb not null,
  issued_at timestamptz not null default now(),
  void_at timestamptz,
  void_reason text not null default '',
  replaced_by text,
  unique (kind, year, number),
  check ((kind = 'invoice') = (month <> '')),
  check ((kind = 'receipt') = (order_no <> ''))
);
create unique index payments_papers_invoice on payments_papers (user_id, month) where kind = 'invoice' and void_at is null;
create unique index payments_papers_receipt on payments_papers (order_no) where kind = 'receipt' and void_at is null;
create index payments_papers_user on payments_papers (user_id, id);

-- What of each order stands on an invoice that holds. An order stands on one.
create table payments_invoice_orders (
  paper_id bigint not null references payments_papers,
  order_id bigint not null references payments_orders,
  amount_nano bigint not null check (amount_nano > 0),
  holds boolean not null default true,
  primary key (paper_id, order_id)
);
create unique index payments_invoice_orders_once on payments_invoice_orders (order_id) where holds;

-- What came in for an order and did not go back, in dollars with its fee; orders paid from the balance bring no new money.
create view payments_net_paid as
  select o.id as order_id, o.order_no, o.user_id, o.order_type, o.paid_at, o.total_nano, o.amount_nano, o.fee_nano, o.pay_minor, o.currency, o.rate,
    o.transaction_type,
    greatest(0, o.total_nano
      - coalesce((select sum(f.amount_nano + f.fee_nano) from payments_refunds f
          where f.order_id = o.id and f.goes_to = 'channel' and f.source <> 'suspense' and f.state in ('approved','dispatched','unknown','succeeded')), 0)
      - coalesce((select sum(ceil(d.minor::numeric * o.total_nano / o.pay_minor)) from payments_disputes d where d.order_id = o.id and d.state in ('open','lost')), 0)
    )::bigint as net_nano
  from payments_orders o
  where o.base_state in ('paid','fulfilled','paid_late') and o.transaction_type <> 0 and o.paid_at is not null;

-- What is invoiced of an order is never more than what it brought. The order's row is the lock that refunds take too.
create function payments_guard_invoice() returns trigger language plpgsql as $$
declare v_net bigint;
begin
  perform from payments_orders where id = new.order_id for update;
  select net_nano into v_net from payments_net_paid where order_id = new.order_id;
  if new.holds and new.amount_nano > coalesce(v_net, 0) then
    raise exception 'order % brought less than its invoice says', new.order_id using errcode = 'check_violation', constraint = 'payments_invoiced';
  end if;
  return new;
end $$;
create trigger payments_invoice_orders_guard before insert on payments_invoice_orders for each row execute function payments_guard_invoice();

revoke insert, update, delete, truncate on payments_withdrawal_edges from mingxi_app;
revoke delete, truncate on payments_withdrawals, payments_payout_accounts, payments_papers, payments_paper_counters, payments_invoice_orders from mingxi_app;
