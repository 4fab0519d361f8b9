-- folds 0075_number_messages.sql (release 0.1)

-- Cards: what they are and what happens to them. Amounts in nano-dollars. A card's money stands in the ledger (owner `card:<id>`);
-- here stands why it moved. No column holds a number, a security code or a code that a person types.
create table cards_members (
  user_id text primary key,
  until timestamptz not null,
  chosen_card text,
  created_at timestamptz not null default now(),
  -- All years were taken back: the next card that the member opens is a first one.
  left_at timestamptz
);

-- Years of membership that an order brought. They are taken back once, however often its money moves, and as many as were given.
create table cards_memberships (
  order_no text primary key,
  user_id text not null,
  years int not null check (years > 0),
  given_at timestamptz not null default now(),
  undone_at timestamptz
);

-- Cost of a member's first API calls of a day that was given back, by Shanghai day. It only grows.
create table cards_free_days (
  user_id text not null,
  day date not null,
  given_nano bigint not null check (given_nano >= 0),
  changed_at timestamptz not null default now(),
  primary key (user_id, day)
);

-- The holder at the issuer, once a user and issuer.
create table cards_holders (
  issuer text not null,
  user_id text not null,
  holder_ref text,
  created_at timestamptz not null default now(),
  -- A refused holder is created again under another key, with the corrected data.
  generation int not null default 0 check (generation >= 0),
  primary key (issuer, user_id)
);

-- Issuers that refused a person permanently: not called again until the person's data were saved after `at`.
create table cards_refusals (
  issuer text not null,
  user_id text not null,
  reason text not null,
  at timestamptz not null,
  primary key (issuer, user_id)
);

create table cards_card_edges (
  from_state text not null,
  to_state text not null,
  primary key (from_state, to_state)
);

create table cards_cards (
  id text primary key check (id ~ '^card_[0-9a-z]{16}$'),
  user_id text not null,
  type text not null check (type in ('standard','pro')),
  state text not null default 'requested',
  frozen_by text check (frozen_by in ('user','risk','issuer')),
  close_reason text check (close_reason in ('refusals','refusal_rate','lost','expired','replaced','user','account')),
  fail_reason text not null default '',
  issuer text not null,
  attempt int not null default 1 check (attempt > 0),
  card_ref text,
  -- State last sent to the issuer, and the state to be sent.
  issuer_state text not null default 'opening',
  issuer_wanted text not null default 'active' check (issuer_wanted in ('active','frozen','closed')),
  bin text not null default '' check (bin ~ '^\d{0,8}$'),
  last4 text not null default '' check (last4 ~ '^\d{0,4}$'),
  exp_month int check (exp_month between 1 and 12),
  exp_year int check (exp_year between 2000 and 2100),
  holder text not null default '',
  months int not null check (months between 1 and 120),
  valid_until timestamptz,
  address jsonb not null default '{}',
  -- the order that paid for it
  order_no text unique,
  replaces text references cards_cards,
  replaced_by text references cards_cards,
  change_why text check (change_why in ('user','risk','lost','expired')),
  must_change boolean not null default false,
  -- the first recharge, with its fee, has been made
  activated boolean not null default false,
  refusals int not null default 0 check (refusals >= 0),
  total_spent bigint not null default 0,
  total_recharged bigint not null default 0,
  -- approved by the issuer beyond what there was to hold
  uncovered bigint not null default 0 check (uncovered >= 0),
  warned jsonb not null default '{}',
  read_at timestamptz,
  hidden_at timestamptz,
  created_at timestamptz not null default now(),
  opened_at timestamptz,
  closed_at timestamptz,
  next_check_at timestamptz default now(),
  checks int not null default 0,
  -- when the running attempt was asked for: promises and the end of its tries are counted from here
  asked_at timestamptz not null default now(),
  -- the last failed call of the running attempt, by its kind (platform/shared/suppliers/supplier-error.ts); '' while there is none
  stuck text not null default '' check (stuck in ('', 'retryable', 'unknown')),
  -- `address` is what the issuer said that it holds, and may be shown
  address_known boolean not null default false,
  unique (issuer, card_ref),
  check ((state = 'frozen') <= (frozen_by is not null)),
  check ((state in ('closing','closed')) <= (close_reason is not null)),
  check (state in ('active','frozen','closed','failed') or next_check_at is not null)
);
create index cards_cards_user on cards_cards (user_id, created_at);
create index cards_cards_due on cards_cards (next_check_at) where next_check_at is not null;
-- One new card for an old one at a time.
create unique index cards_cards_replaces on cards_cards (replaces) where state in ('requested','opening');
-- Openings for operators to look at: an attempt that has not ended within a day.
create index cards_cards_asked on cards_cards (asked_at) where state in ('requested', 'opening');

create table cards_card_steps (
  id bigint generated always as identity primary key,
  card_id text not null references cards_cards,
  at timestamptz not null default now(),
  from_state text,
  to_state text not null,
  actor text not null,
  reason text not null
);
create index cards_card_steps_card on cards_card_steps (card_id, id);

-- Amounts that a card has spent and holds in a month of Shanghai, and the part that no limit could stop.
create table cards_months (
  card_id text not null references cards_cards,
  month date not null check (extract(day from month) = 1),
  spent bigint not null default 0 check (spent >= 0),
  forced bigint not null default 0 check (forced >= 0),
  ceiling bigint not null check (ceiling >= 0),
  primary key (card_id, month),
  constraint cards_months_limit check (spent <= ceiling + forced)
);

-- The issuer's notices, each once. They say what to ask about and nothing else.
create table cards_notices (
  issuer text not null,
  event_id text not null check (length(event_id) between 1 and 200),
  kind text not null,
  ref text not null,
  card_ref text not null,
  at timestamptz not null default now(),
  done_at timestamptz,
  next_check_at timestamptz default now(),
  checks int not null default 0,
  primary key (issuer, event_id),
  check ((done_at is null) = (next_check_at is not null))
);
create index cards_notices_due on cards_notices (next_check_at) where next_check_at is not null;

-- Responses to authorisation requests of the issuer: the same response for the same request. A request is an event and an amount: not every
-- issuer gives its requests an id, and another amount under the same id is another request.
create table cards_decisions (
  issuer text not null,
  event_id text not null check (length(event_id) between 1 and 200),
  ref text not null,
  card_id text,
  asked bigint not null,
  approved boolean not null,
  amount bigint not null check (amount >= 0),
  reason text not null default '',
  at timestamptz not null default now(),
  primary key (issuer, event_id, asked)
);
create index cards_decisions_card on cards_decisions (card_id, at);
create index cards_decisions_ref on cards_decisions (issuer, ref);

create table cards_auth_edges (
  from_state text not null,
  to_state text not null,
  primary key (from_state, to_state)
);

create table cards_authorizations (
  id text primary key,
  issuer text not null,
  ref text not null,
  card_id text not null references cards_cards,
  state text not null check (state in ('approved','declined','closed','reversed','expired')),
  -- asked for in all; what the issuer holds; what is held of the card's account for it, with the fee that goes with it
  asked bigint not null check (asked >= 0),
  issuer_held bigint not null default 0 check (issuer_held >= 0),
  held bigint not null default 0 check (held >= 0),
  hold_id text,
  holds int not null default 0,
  captured bigint not null default 0,
  -- in the month's spending
  counted bigint not null default 0 check (counted >= 0),
  month date not null,
  uncovered bigint not null default 0 check (uncovered >= 0),
  reversals int not null default 0,
  reason text not null default '',
  missing bigint,
  merchant jsonb not null,
  local jsonb,
  created_at timestamptz not null default now(),
  decided_at timestamptz,
  -- Amount that the issuer no longer holds is released then, unless a capture has used it.
  release_at timestamptz,
  version int not null default 0,
  next_check_at timestamptz,
  checks int not null default 0,
  unique (issuer, ref),
  check (state <> 'approved' or next_check_at is not null)
);
create index cards_authorizations_card on cards_authorizations (card_id, created_at);
create index cards_authorizations_due on cards_authorizations (next_check_at) where next_check_at is not null;

-- Booked once each.
create table cards_transactions (
  id text primary key,
  issuer text not null,
  ref text not null,
  card_id text not null references cards_cards,
  authorization_id text references cards_authorizations,
  kind text not null check (kind in ('capture','refund','refund_reversal')),
  amount bigint not null check (amount > 0),
  fee bigint not null default 0,
  at timestamptz not null,
  booked_at timestamptz not null default now(),
  unique (issuer, ref)
);
create index cards_transactions_at on cards_transactions (issuer, at);
create index cards_transactions_authorization on cards_transactions (authorization_id) where authorization_id is not null;

create table cards_move_edges (
  from_state text not null,
  to_state text not null,
  primary key (from_state, to_state)
);

-- Money on its way to a card, off it, or from one to another. `amount` leaves the source, `fee` is kept of it.
create table cards_moves (
  id text primary key,
  user_id text not null,
  kind text not null check (kind in ('recharge','withdrawal','returned','moved')),
  from_card text references cards_cards,
  to_card text references cards_cards,
  state text not null check (state in ('unloading','loading','done','failed')),
  amount bigint not null check (amount > 0),
  fee bigint not null default 0 check (fee >= 0 and fee < amount),
  order_no text unique,
  channel_type int,
  reason text not null default '',
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  next_check_at timestamptz,
  checks int not null default 0,
  -- Part of a recharge that returned to the balance, into the credit that it had taken: the origin of money is known after a round over a card.
  given_back bigint not null default 0,
  check ((kind = 'recharge') = (from_card is null)),
  check ((kind in ('recharge','moved')) = (to_card is not null)),
  check ((state in ('done','failed')) = (finished_at is not null)),
  check ((finished_at is null) = (next_check_at is not null)),
  constraint cards_moves_given_back check (given_back between 0 and case when kind = 'recharge' and state = 'done' then amount else 0 end)
);
create index cards_moves_due on cards_moves (next_check_at) where next_check_at is not null;
create index cards_moves_from on cards_moves (from_card, state);
create index cards_moves_to on cards_moves (to_card, created_at);
create index cards_moves_user on cards_moves (user_id, created_at);
-- The activation fee is taken once a card.
create unique index cards_moves_activation on cards_moves (to_card) where fee > 0 and state <> 'failed';

-- A card's book as its holder reads it. Of rows that succeeded, amount and fee add up to what the card has less what it owes;
-- of those that are processing, to what is held.
create table cards_bills (
  id text primary key,
  card_id text not null references cards_cards,
  user_id text not null,
  at timestamptz not null,
  kind text not null,
  state text not null check (state in ('processing','success','fail','reversed','merged')),
  amount bigint not null,
  fee bigint not null default 0,
  fee_kind text check (fee_kind in ('abroad','refund','reversal','activation')),
  merchant text not null default '',
  place text not null default '',
  country text not null default '',
  local jsonb,
  reason text not null default '',
  missing bigint,
  balance_after bigint,
  method text not null default '',
  order_no text,
  authorization_id text references cards_authorizations,
  transaction_id text references cards_transactions,
  move_id text references cards_moves,
  seq bigint generated always as identity
);
create index cards_bills_card on cards_bills (card_id, at desc, seq desc);
create index cards_bills_user on cards_bills (user_id, at desc, seq desc);

-- How an authorisation went.
create table cards_auth_steps (
  id bigint generated always as identity primary key,
  authorization_id text not null references cards_authorizations,
  at timestamptz not null default now(),
  event text not null,
  amount bigint not null
);
create index cards_auth_steps_of on cards_auth_steps (authorization_id, id);

create table cards_challenges (
  issuer text not null,
  ref text not null,
  card_id text not null references cards_cards,
  at timestamptz not null default now(),
  primary key (issuer, ref)
);
create index cards_challenges_card on cards_challenges (card_id, at);

create table cards_disputes (
  id text primary key,
  user_id text not null,
  card_id text not null references cards_cards,
  transaction_id text not null unique references cards_transactions,
  issuer_ref text,
  state text not null check (state in ('draft','submitted','won','lost','expired','refused')),
  reason text not null,
  words text not null,
  file_path text,
  amount bigint not null check (amount > 0),
  credited bigint not null default 0 check (credited in (0, amount)),
  credits int not null default 0,
  created_at timestamptz not null default now(),
  submitted_at timestamptz,
  finished_at timestamptz,
  next_check_at timestamptz default now(),
  checks int not null default 0,
  check ((finished_at is null) = (next_check_at is not null))
);
create index cards_disputes_user on cards_disputes (user_id, created_at);
create index cards_disputes_due on cards_disputes (next_check_at) where next_check_at is not null;

-- The issuer's book against ours, a day of UTC at a time, and what differed.
create table cards_book_days (
  issuer text not null,
  day date not null,
  compared_at timestamptz not null default now(),
  rows int not null,
  faults int not null,
  primary key (issuer, day)
);

create table cards_book_faults (
  id bigint generated always as identity primary key,
  issuer text not null,
  day date not null,
  ref text not null,
  fault text not null check (fault in ('missing','extra','amount','kind','card','twice','sum')),
  ours text not null default '',
  theirs text not null default '',
  found_at timestamptz not null default now(),
  mended_at timestamptz,
  unique (issuer, day, ref, fault)
);

-- An amount reserved on a card for one task (money.md G6). Only the task's own merchant spends it, and only once it is armed: a
-- renewal of the same merchant while the task still waits is decided like any other authorisation. The card's row is its lock.
create table cards_task_holds (
  id text primary key,
  card_id text not null references cards_cards,
  -- Title in the card's book, for the member.
  name text not null,
  amount bigint not null check (amount > 0),
  -- Amount still reserved, and amounts used by authorisations and captures of the merchant or, once, by us.
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
  -- Outcome: released, or taken by us for a supplier's delivery.
  outcome text check (outcome in ('freed','charged')),
  check (left_nano + used <= amount),
  check (closed_at is null or left_nano = 0),
  check ((left_nano > 0) = (hold_id is not null)),
  check ((closed_at is null) = (outcome is null))
);
create index cards_task_holds_open on cards_task_holds (card_id, created_at) where closed_at is null;

-- Amounts that each authorisation, or a capture beyond one, took of it. Released by the merchant, an amount returns once.
create table cards_task_uses (
  hold_id text not null references cards_task_holds,
  ref text not null,
  amount bigint not null check (amount >= 0),
  at timestamptz not null default clock_timestamp(),
  primary key (hold_id, ref)
);
create index cards_task_uses_ref on cards_task_uses (ref);

insert into cards_card_edges (from_state, to_state) values
  ('requested','opening'), ('requested','failed'), ('requested','closed'), ('opening','active'), ('opening','failed'),
  ('failed','requested'), ('failed','closed'), ('active','frozen'), ('frozen','active'), ('active','closing'), ('frozen','closing'), ('closing','closed');

-- The issuer's record is final: it may approve an authorisation that we declined, decline one that we approved, capture an expired one.
insert into cards_auth_edges (from_state, to_state) values
  ('approved','declined'), ('approved','closed'), ('approved','reversed'), ('approved','expired'),
  ('declined','approved'), ('declined','closed'), ('declined','reversed'), ('declined','expired'), ('closed','approved'), ('closed','reversed'), ('closed','expired'),
  ('expired','closed'), ('reversed','closed');

insert into cards_move_edges (from_state, to_state) values
  ('unloading','loading'), ('unloading','done'), ('unloading','failed'), ('loading','done'), ('loading','failed');

create function cards_guard_card() returns trigger language plpgsql as $$
begin
  if new.state <> old.state and not exists (select from cards_card_edges where from_state = old.state and to_state = new.state) then
    raise exception 'card % cannot go from % to %', old.id, old.state, new.state using errcode = 'check_violation';
  end if;
  if (new.id, new.user_id, new.type, new.issuer, new.replaces) is distinct from (old.id, old.user_id, old.type, old.issuer, old.replaces)
    or old.card_ref is not null and new.card_ref is distinct from old.card_ref then
    raise exception 'what card % is never changes', old.id using errcode = 'check_violation';
  end if;
  return new;
end $$;

create function cards_guard_authorization() returns trigger language plpgsql as $$
begin
  if new.state <> old.state and not exists (select from cards_auth_edges where from_state = old.state and to_state = new.state) then
    raise exception 'authorisation % cannot go from % to %', old.id, old.state, new.state using errcode = 'check_violation';
  end if;
  if (new.id, new.issuer, new.ref, new.card_id, new.month) is distinct from (old.id, old.issuer, old.ref, old.card_id, old.month) then
    raise exception 'what authorisation % is never changes', old.id using errcode = 'check_violation';
  end if;
  return new;
end $$;

create function cards_guard_move() returns trigger language plpgsql as $$
begin
  if new.state <> old.state and not exists (select from cards_move_edges where from_state = old.state and to_state = new.state) then
    raise exception 'move % cannot go from % to %', old.id, old.state, new.state using errcode = 'check_violation';
  end if;
  if (new.id, new.user_id, new.kind, new.from_card, new.to_card, new.amount, new.fee) is distinct from
     (old.id, old.user_id, old.kind, old.from_card, old.to_card, old.amount, old.fee) then
    raise exception 'the figures of move % are frozen', old.id using errcode = 'check_violation';
  end if;
  return new;
end $$;

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

-- A card names its payer when it is made.
create function cards_name_payer() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into wallet_payers (owner, payer) values ('card:' || new.id, 'user:' || new.user_id) on conflict do nothing;
  return null;
end $$;

-- A payment of a card's debt from the balance is a row among the card's bills, in the transaction that paid it.
create function cards_show_debt_paid() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare v_owner text := (select owner from wallet_accounts where id = new.credit_account_id);
begin
  insert into cards_bills (id, card_id, user_id, at, kind, state, amount, balance_after, method)
    select 'paid_' || new.transaction_id, c.id, c.user_id, now(), 'settled_debt', 'success', new.amount,
      (select sum(posted) from wallet_accounts where owner = v_owner and currency = new.currency and kind in ('card', 'receivable')), 'balance'
    from cards_cards c where v_owner like 'card:%' and c.id = substr(v_owner, 6);
  return null;
end $$;

create trigger cards_guard_card before update on cards_cards for each row execute function cards_guard_card();
create trigger cards_guard_authorization before update on cards_authorizations for each row execute function cards_guard_authorization();
create trigger cards_guard_move before update on cards_moves for each row execute function cards_guard_move();
create trigger cards_guard_task_hold before update on cards_task_holds for each row execute function cards_guard_task_hold();
create trigger names_payer after insert on cards_cards for each row execute function cards_name_payer();
create trigger shows_debt_paid after insert on wallet_transfers for each row
  when (new.debit_kind = 'customer' and new.credit_kind = 'receivable') execute function cards_show_debt_paid();

call make_append_only('cards_card_steps');
call make_append_only('cards_decisions');
call make_append_only('cards_transactions');
call make_append_only('cards_auth_steps');

revoke insert, update, delete, truncate on cards_card_edges, cards_auth_edges, cards_move_edges from mingxi_app;

revoke delete, truncate on cards_members, cards_holders, cards_cards, cards_months, cards_notices, cards_authorizations, cards_moves, cards_bills,
  cards_disputes, cards_book_days, cards_book_faults, cards_memberships, cards_free_days, cards_task_holds, cards_task_uses from mingxi_app;
