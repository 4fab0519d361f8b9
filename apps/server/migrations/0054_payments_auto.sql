-- Auto recharge: what a user agreed to, the stored payment method at a channel, and each charge under it. Nano-dollars.

alter table payments_orders add column source text not null default 'user' check (source in ('user','auto'));

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
  if (new.order_no, new.user_id, new.order_type, new.amount_nano, new.fee_percent, new.fee_nano, new.total_nano, new.rate, new.currency, new.pay_minor, new.channel_type, new.created_at, new.wishes, new.source)
     is distinct from
     (old.order_no, old.user_id, old.order_type, old.amount_nano, old.fee_percent, old.fee_nano, old.total_nano, old.rate, old.currency, old.pay_minor, old.channel_type, old.created_at, old.wishes, old.source) then
    raise exception 'the figures of order % are frozen', old.order_no using errcode = 'check_violation';
  end if;
  return new;
end $$;

-- A stored payment method: an agreement between the user and the channel, under our number.
create table payments_agreements (
  agreement_no text primary key check (agreement_no ~ '^A\d{8}-[0-9A-Z]{12}$'),
  user_id text not null,
  channel_type smallint not null,
  transaction_type smallint not null,
  state text not null default 'signing' check (state in ('signing','active','lapsed','ending','ended')),
  -- What the channel calls it, sealed with the installation's key; gone once it has ended.
  sealed bytea,
  -- As its owner knows it: "Visa ···· 4242".
  label text,
  -- The channel's rule when it was signed: days between two charges.
  every_days int not null default 0 check (every_days >= 0),
  ended_by text check (ended_by in ('user','channel','house')),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  signed_at timestamptz,
  ended_at timestamptz,
  -- Liveness (I11): when the channel is asked next.
  next_check_at timestamptz,
  checks int not null default 0,
  check (next_check_at is not null or state in ('lapsed','ended')),
  check (state <> 'active' or sealed is not null),
  check (state <> 'ended' or sealed is null)
);
create index payments_agreements_user on payments_agreements (user_id, created_at desc);
create index payments_agreements_due on payments_agreements (next_check_at) where next_check_at is not null;
create unique index payments_agreements_one on payments_agreements (user_id) where state = 'active';

create table payments_agreement_edges (
  from_state text not null,
  to_state text not null,
  primary key (from_state, to_state)
);
insert into payments_agreement_edges (from_state, to_state) values
  ('signing','active'), ('signing','lapsed'), ('signing','ending'),
  ('active','ending'), ('active','ended'), ('lapsed','ending'), ('ending','ended');

create function payments_guard_agreement() returns trigger language plpgsql as $$
begin
  if new.state <> old.state and not exists (select from payments_agreement_edges where from_state = old.state and to_state = new.state) then
    raise exception 'agreement % cannot go from % to %', old.agreement_no, old.state, new.state using errcode = 'check_violation';
  end if;
  if (new.user_id, new.channel_type, new.transaction_type) is distinct from (old.user_id, old.channel_type, old.transaction_type) then
    raise exception 'agreement % belongs to somebody', old.agreement_no using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger payments_guard_agreement before update on payments_agreements for each row execute function payments_guard_agreement();

-- Verified notices about agreements; the row commits together with the effect (I6).
create table payments_agreement_notices (
  channel_type smallint not null,
  notice_id text not null,
  agreement_no text not null references payments_agreements,
  received_at timestamptz not null default now(),
  primary key (channel_type, notice_id)
);
call make_append_only('payments_agreement_notices');

-- What a user wants, one row each. `cool_until`: nothing is charged before it (a refusal, or a ceiling that was reached).
create table payments_auto_plans (
  user_id text primary key,
  state text not null default 'off' check (state in ('off','signing','active','attention','stopped')),
  attention text check (attention in ('declined','authentication','ended','mismatch','disputed')),
  agreement_no text references payments_agreements,
  threshold_nano bigint check (threshold_nano > 0),
  amount_nano bigint check (amount_nano > 0),
  day_most_nano bigint check (day_most_nano > 0),
  month_most_nano bigint check (month_most_nano >= day_most_nano),
  refusals int not null default 0 check (refusals >= 0),
  cool_until timestamptz not null default '-infinity',
  -- Until then a stop can be undone; then the agreement is ended at the channel.
  undo_until timestamptz,
  updated_at timestamptz not null default now(),
  check (state = 'off' or num_nonnulls(agreement_no, threshold_nano, amount_nano, day_most_nano, month_most_nano) = 5),
  check ((state = 'attention') = (attention is not null)),
  check ((state = 'stopped') = (undo_until is not null))
);
create index payments_auto_plans_watched on payments_auto_plans (user_id) where state = 'active';
create index payments_auto_plans_undo on payments_auto_plans (undo_until) where undo_until is not null;

-- What a user agreed to, word for word by its version, and when. Evidence: never changed.
create table payments_auto_consents (
  id bigint generated always as identity primary key,
  user_id text not null,
  agreement_no text not null references payments_agreements,
  at timestamptz not null default now(),
  version text not null,
  lang text not null check (lang in ('zh','en')),
  channel_type smallint not null,
  transaction_type smallint not null,
  threshold_nano bigint not null,
  amount_nano bigint not null,
  day_most_nano bigint not null,
  month_most_nano bigint not null
);
create index payments_auto_consents_user on payments_auto_consents (user_id, id);
call make_append_only('payments_auto_consents');

-- What was charged on a day and in a month of Shanghai, fee included. The ceilings stand beside it, so that no statement
-- can pass them. Money that came after its charge was given up is told apart: it counts, and is never turned away.
create table payments_auto_sums (
  user_id text not null,
  period text not null check (period in ('day','month')),
  starts date not null,
  charges int not null check (charges >= 0),
  most_charges int not null,
  total_nano bigint not null check (total_nano >= 0),
  most_nano bigint not null,
  late_nano bigint not null default 0 check (late_nano >= 0),
  primary key (user_id, period, starts),
  constraint payments_auto_sums_charges check (charges <= most_charges),
  constraint payments_auto_sums_most check (total_nano <= most_nano)
);

-- One automatic charge: an order of source auto under an agreement.
create table payments_auto_charges (
  order_id bigint primary key references payments_orders,
  user_id text not null,
  agreement_no text not null references payments_agreements,
  state text not null default 'announced' check (state in ('announced','charging','paid','refused','lapsed','skipped','mismatch')),
  charge_at timestamptz not null,
  -- The day and month of Shanghai that it counts in.
  day date not null,
  month date not null,
  refusal text check (refusal in ('declined','authentication','ended')),
  tries int not null default 0,
  next_try_at timestamptz,
  created_at timestamptz not null default now(),
  ended_at timestamptz,
  check ((next_try_at is not null) = (state in ('announced','charging'))),
  check ((ended_at is null) = (state in ('announced','charging'))),
  check ((refusal is not null) = (state = 'refused') or state = 'paid')
);
-- At most one under way per account.
create unique index payments_auto_charges_one on payments_auto_charges (user_id) where state in ('announced','charging');
create index payments_auto_charges_due on payments_auto_charges (next_try_at) where next_try_at is not null;
create index payments_auto_charges_user on payments_auto_charges (user_id, order_id desc);

create table payments_auto_charge_edges (
  from_state text not null,
  to_state text not null,
  primary key (from_state, to_state)
);
insert into payments_auto_charge_edges (from_state, to_state) values
  ('announced','charging'), ('announced','skipped'),
  ('charging','paid'), ('charging','refused'), ('charging','lapsed'), ('charging','mismatch'),
  -- Money that came all the same.
  ('announced','paid'), ('refused','paid'), ('lapsed','paid'), ('skipped','paid'), ('mismatch','paid'),
  ('refused','mismatch'), ('lapsed','mismatch'), ('skipped','mismatch');

create function payments_guard_auto_charge() returns trigger language plpgsql as $$
begin
  if new.state <> old.state and not exists (select from payments_auto_charge_edges where from_state = old.state and to_state = new.state) then
    raise exception 'charge % cannot go from % to %', old.order_id, old.state, new.state using errcode = 'check_violation';
  end if;
  if (new.user_id, new.agreement_no, new.day, new.month) is distinct from (old.user_id, old.agreement_no, old.day, old.month) then
    raise exception 'charge % is frozen', old.order_id using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger payments_guard_auto_charge before update on payments_auto_charges for each row execute function payments_guard_auto_charge();

revoke insert, update, delete, truncate on payments_agreement_edges, payments_auto_charge_edges from mingxi_app;
revoke delete, truncate on payments_agreements, payments_auto_plans, payments_auto_sums, payments_auto_charges from mingxi_app;
