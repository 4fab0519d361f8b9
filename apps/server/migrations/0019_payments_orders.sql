-- Orders of every type, what becomes of their money afterwards (refunds, disputes), and the comparison with what channels settled.

-- Once paid, an order goes on: money is asked back, goes back, comes again. `base_state` is what it is without that.
insert into payments_order_edges (from_state, to_state)
  select f, t from unnest(array['paid','fulfilled','paid_late','refunding','partially_refunded','refunded','disputed']) f
    cross join unnest(array['paid','fulfilled','paid_late','refunding','partially_refunded','refunded','disputed']) t
  where f <> t and not (f in ('paid','fulfilled','paid_late') and t in ('paid','fulfilled','paid_late'))
  union all values ('paid_late','fulfilled'), ('integrity_failure','refunding'), ('refunding','integrity_failure'), ('refunded','integrity_failure'),
    ('integrity_failure','refunded'), ('integrity_failure','partially_refunded'), ('partially_refunded','integrity_failure')
  on conflict do nothing;

alter table payments_orders
  add column base_state text check (base_state in ('paid','fulfilled','paid_late','integrity_failure')),
  -- What the ordered service was told: frozen like the figures.
  add column wishes jsonb not null default '{}';
update payments_orders set base_state = state where state in ('paid','fulfilled','paid_late','integrity_failure');

do $$ declare v_name text; begin
  select conname into strict v_name from pg_constraint where conrelid = 'payments_orders'::regclass and contype = 'c'
    and pg_get_constraintdef(oid) like '%next_check_at IS NOT NULL%';
  execute format('alter table payments_orders drop constraint %I', v_name);
end $$;
alter table payments_orders add constraint payments_orders_alive
  check (next_check_at is not null or state not in ('created','paying','unknown','disputed'));
alter table payments_orders add constraint payments_orders_base
  check (base_state is not null or state in ('created','paying','unknown','expired','cancelled'));
create index payments_orders_tail on payments_orders (user_id, right(order_no, 4));

create or replace function payments_guard_order() returns trigger language plpgsql as $$
begin
  if new.state <> old.state and not exists (select from payments_order_edges where from_state = old.state and to_state = new.state) then
    raise exception 'order % cannot go from % to %', old.order_no, old.state, new.state using errcode = 'check_violation';
  end if;
  if new.state <> old.state and new.state in ('paid','fulfilled','paid_late','integrity_failure') and new.state <> new.base_state then
    raise exception 'order % is not % without its refunds', old.order_no, new.state using errcode = 'check_violation';
  end if;
  if old.base_state in ('fulfilled') and new.base_state <> old.base_state then
    raise exception 'order % was fulfilled already', old.order_no using errcode = 'check_violation';
  end if;
  if (new.order_no, new.user_id, new.order_type, new.amount_nano, new.fee_percent, new.fee_nano, new.total_nano, new.rate, new.currency, new.pay_minor, new.channel_type, new.created_at, new.wishes)
     is distinct from
     (old.order_no, old.user_id, old.order_type, old.amount_nano, old.fee_percent, old.fee_nano, old.total_nano, old.rate, old.currency, old.pay_minor, old.channel_type, old.created_at, old.wishes) then
    raise exception 'the figures of order % are frozen', old.order_no using errcode = 'check_violation';
  end if;
  return new;
end $$;

-- The timeline: what happened, and what the text about it needs. A step in which the state stays has from_state = to_state.
alter table payments_order_steps
  add column event text,
  add column facts jsonb not null default '{}';
create view payments_order_timeline as
  select id, order_id, at, from_state, to_state, actor, reason, facts, coalesce(event, case to_state
    when 'created' then 'created' when 'paying' then case when from_state = 'unknown' then 'found' else 'opened' end when 'unknown' then 'doubted'
    when 'integrity_failure' then 'mismatch' else to_state end) as event
  from payments_order_steps;

-- `returning`: money that is not kept, on its way back (setting payments.late_money).
alter table payments_receipts drop constraint payments_receipts_outcome_check;
alter table payments_receipts add constraint payments_receipts_outcome_check check (outcome in ('credited','late','again','returning','suspense'));

-- Money in suspense that a person, or a refund that cannot be delivered, gave to the user's balance.
create table payments_resolutions (
  receipt_id bigint primary key references payments_receipts,
  amount_nano bigint not null check (amount_nano > 0),
  ledger_ref text not null unique,
  actor text not null,
  reason text not null,
  created_at timestamptz not null default now()
);
call make_append_only('payments_resolutions');

create table payments_refund_edges (
  from_state text not null,
  to_state text not null,
  primary key (from_state, to_state)
);
insert into payments_refund_edges (from_state, to_state) values
  ('requested','approved'), ('requested','rejected'),
  ('approved','dispatched'), ('approved','failed'),
  ('dispatched','unknown'), ('dispatched','succeeded'), ('dispatched','failed'),
  ('unknown','dispatched'), ('unknown','succeeded'), ('unknown','failed'),
  ('succeeded','reversed');

-- One row per refund: money of one payment (or of the balance, without receipt) that goes back. `source` is where it stands
-- meanwhile: taken from the user's balance, our income, or suspense. Amounts of the order in *_nano dollars; `minor` is what
-- the payer gets, in `currency`.
create table payments_refunds (
  id bigint generated always as identity primary key,
  refund_no text not null unique check (refund_no ~ '^R\d{8}-[0-9A-Z]{12}$'),
  order_id bigint not null references payments_orders,
  receipt_id bigint references payments_receipts,
  source text not null check (source in ('balance','revenue','suspense')),
  goes_to text not null check (goes_to in ('channel','balance')),
  amount_nano bigint not null check (amount_nano > 0),
  fee_nano bigint not null default 0 check (fee_nano >= 0),
  minor bigint not null check (minor > 0),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  state text not null check (state in ('requested','approved','dispatched','unknown','succeeded','failed','rejected','reversed')),
  reason text not null,
  asked_by text not null,
  decided_by text,
  channel_refund text,
  failure text,
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  next_check_at timestamptz,
  checks int not null default 0,
  check (goes_to = 'balance' or receipt_id is not null),
  check (next_check_at is not null or state not in ('approved','dispatched','unknown'))
);
create index payments_refunds_order on payments_refunds (order_id, id);
create index payments_refunds_due on payments_refunds (next_check_at) where next_check_at is not null;

create table payments_disputes (
  id bigint generated always as identity primary key,
  channel_type smallint not null,
  dispute_id text not null,
  order_id bigint not null references payments_orders,
  receipt_id bigint not null references payments_receipts,
  minor bigint not null check (minor > 0),
  currency text not null,
  state text not null check (state in ('open','won','lost')),
  -- What we hold of the user's money because of it, in dollars, and how often that changed.
  clawed_nano bigint not null default 0 check (clawed_nano >= 0),
  postings int not null default 0,
  created_at timestamptz not null default now(),
  closed_at timestamptz,
  unique (channel_type, dispute_id)
);
create index payments_disputes_order on payments_disputes (order_id, id);

-- I8: what went back, goes back or was claimed back of a payment is never more than what was paid. The order's row is the lock.
create function payments_guard_refund() returns trigger language plpgsql as $$
declare v_paid numeric; v_back numeric;
begin
  if tg_op = 'UPDATE' then
    if new.state <> old.state and not exists (select from payments_refund_edges where from_state = old.state and to_state = new.state) then
      raise exception 'refund % cannot go from % to %', old.refund_no, old.state, new.state using errcode = 'check_violation';
    end if;
    if (new.refund_no, new.order_id, new.receipt_id, new.source, new.goes_to, new.amount_nano, new.fee_nano, new.minor, new.currency)
       is distinct from
       (old.refund_no, old.order_id, old.receipt_id, old.source, old.goes_to, old.amount_nano, old.fee_nano, old.minor, old.currency) then
      raise exception 'the figures of refund % are frozen', old.refund_no using errcode = 'check_violation';
    end if;
    return new;
  end if;
  perform from payments_orders where id = new.order_id for update;
  if new.receipt_id is null then
    select o.pay_minor into v_paid from payments_orders o where o.id = new.order_id;
  else
    select r.paid_minor into v_paid from payments_receipts r where r.id = new.receipt_id and r.order_id = new.order_id and r.currency = new.currency;
  end if;
  select coalesce(sum(f.minor), 0) into v_back from payments_refunds f
    where f.order_id = new.order_id and f.receipt_id is not distinct from new.receipt_id and f.state in ('requested','approved','dispatched','unknown','succeeded');
  v_back := v_back + coalesce((select sum(d.minor) from payments_disputes d where d.receipt_id = new.receipt_id and d.state in ('open','lost')), 0);
  if v_paid is null or v_back + new.minor > v_paid then
    raise exception 'refund of % is more than what is left', new.minor using errcode = 'check_violation', constraint = 'payments_refunds_captured';
  end if;
  return new;
end $$;
create trigger payments_guard_refund before insert or update on payments_refunds for each row execute function payments_guard_refund();

create function payments_guard_dispute() returns trigger language plpgsql as $$
begin
  if new.state <> old.state and (old.state, new.state) not in (('open','won'), ('open','lost'), ('lost','won')) then
    raise exception 'dispute % cannot go from % to %', old.dispute_id, old.state, new.state using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger payments_guard_dispute before update on payments_disputes for each row execute function payments_guard_dispute();

-- The nightly comparison: one row a channel and day, one row a difference. The journal moves only when a fault is approved.
create table payments_statements (
  channel_type smallint not null,
  day date not null,
  state text not null default 'waiting' check (state in ('waiting','compared')),
  lines int,
  next_check_at timestamptz,
  checks int not null default 0,
  compared_at timestamptz,
  primary key (channel_type, day),
  check ((state = 'compared') = (compared_at is not null)),
  check (next_check_at is not null or state <> 'waiting')
);
create table payments_faults (
  id bigint generated always as identity primary key,
  channel_type smallint not null,
  day date not null,
  class text not null check (class in ('missing','extra','amount','currency','fee','duplicate','cross_day','timezone')),
  kind text not null check (kind in ('payment','refund','dispute','dispute_won')),
  -- The channel's transaction, with our refund number behind it where it is a refund.
  subject text not null,
  trade_no text not null default '',
  ours jsonb,
  theirs jsonb,
  state text not null default 'open' check (state in ('open','approved','dismissed')),
  actor text,
  reason text,
  decided_at timestamptz,
  unique (channel_type, day, class, kind, subject),
  foreign key (channel_type, day) references payments_statements (channel_type, day),
  check ((state = 'open') = (decided_at is null))
);
create index payments_faults_open on payments_faults (channel_type, day) where state = 'open';

-- Money that a channel settled and that belongs to no order of ours: in suspense, once a person said so.
create table payments_strays (
  channel_type smallint not null,
  channel_txn text not null,
  trade_no text not null,
  minor bigint not null check (minor > 0),
  currency text not null,
  at timestamptz not null,
  fault_id bigint not null references payments_faults,
  ledger_ref text not null unique,
  primary key (channel_type, channel_txn)
);
call make_append_only('payments_strays');

revoke insert, update, delete, truncate on payments_refund_edges from mingxi_app;
revoke delete, truncate on payments_refunds, payments_disputes, payments_statements, payments_faults from mingxi_app;
