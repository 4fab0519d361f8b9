-- folds 0075_number_messages.sql (release 0.1)

-- Payments: orders, attempts, notices, money received. Amounts: nano-dollars in *_nano, fen in *_minor.

-- The state machine is data; a later feature adds edges in its own migration.
create table payments_order_edges (
  from_state text not null,
  to_state text not null,
  primary key (from_state, to_state)
);

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
  currency text not null default 'CNY' check (currency in ('CNY','USD')),
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
  base_state text check (base_state in ('paid','fulfilled','paid_late','integrity_failure')),
  -- Input of the ordered service, frozen like the figures.
  wishes jsonb not null default '{}',
  source text not null default 'user' check (source in ('user','auto')),
  -- The part of fee_nano that is no percentage.
  fixed_nano bigint not null default 0 check (fixed_nano >= 0),
  discount_nano bigint not null default 0 check (discount_nano >= 0),
  discount_given boolean not null default false constraint payments_orders_check2 check (not discount_given or discount_nano > 0),
  constraint payments_orders_alive check (next_check_at is not null or state not in ('created','paying','unknown','disputed')),
  constraint payments_orders_base check (base_state is not null or state in ('created','paying','unknown','expired','cancelled')),
  constraint payments_orders_check1 check (fixed_nano <= fee_nano)
);
create index payments_orders_user on payments_orders (user_id, id desc);
create index payments_orders_open on payments_orders (user_id) where state in ('created','paying','unknown');
create index payments_orders_due on payments_orders (next_check_at) where next_check_at is not null;
create index payments_orders_tail on payments_orders (user_id, right(order_no, 4));
-- The job that looks for outdated invoices goes from what changed, not through all that was ever issued.
create index payments_orders_integrity on payments_orders (id) where base_state = 'integrity_failure';
create unique index payments_orders_discount on payments_orders (user_id) where discount_given;
-- For searches and filters of operators.
create index payments_orders_by_state on payments_orders (state, id desc);
create index payments_orders_created on payments_orders using brin (created_at) with (pages_per_range = 32, autosummarize = on);

create table payments_order_steps (
  id bigint generated always as identity primary key,
  order_id bigint not null references payments_orders,
  at timestamptz not null default now(),
  from_state text,
  to_state text not null,
  actor text not null,
  reason text not null,
  -- The timeline: what happened, and what the text about it needs. A step in which the state stays has from_state = to_state.
  event text,
  facts jsonb not null default '{}'
);
create index payments_order_steps_order on payments_order_steps (order_id, id);

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
  outcome text not null check (outcome in ('credited','late','again','returning','suspense')),
  worth_nano bigint not null check (worth_nano >= 0),
  ledger_ref text not null unique,
  created_at timestamptz not null default now(),
  unique (channel_type, channel_txn)
);
-- An order credits at most once (I7); a second payment has its own outcome.
create unique index payments_receipts_once on payments_receipts (order_id) where outcome in ('credited','late');
create index payments_receipts_order on payments_receipts (order_id);
create index payments_receipts_suspended on payments_receipts (created_at) where outcome = 'suspense';
create index payments_receipts_by_txn on payments_receipts (channel_txn);
create index payments_receipts_by_trade on payments_receipts (trade_no);

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
  state text not null default 'open' check (state in ('open','paid','declined','closed')),
  scanned boolean not null default false,
  expires_at timestamptz not null,
  created_at timestamptz not null,
  pay_due_at timestamptz,
  hide_queries int not null default 0,
  -- Why a charge under an agreement was declined.
  refusal text
);
create index payments_sandbox_trades_due on payments_sandbox_trades (pay_due_at) where pay_due_at is not null;

create table payments_sandbox_payments (
  txn text primary key,
  token text not null references payments_sandbox_trades,
  minor bigint not null,
  currency text not null,
  paid_at timestamptz not null,
  -- The sandbox's payers have a name, as a buyer has an id at a channel.
  payer text
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

-- A refund may change by itself at `turns_at`: slow ones succeed, reversed ones fail after they had succeeded.
create table payments_sandbox_refunds (
  refund_no text primary key,
  txn text not null references payments_sandbox_payments,
  token text not null references payments_sandbox_trades,
  minor bigint not null check (minor > 0),
  state text not null check (state in ('pending','succeeded','stuck','failed')),
  notify_url text not null,
  created_at timestamptz not null,
  turns_to text check (turns_to in ('succeeded','failed')),
  turns_at timestamptz,
  check ((turns_to is null) = (turns_at is null))
);
create index payments_sandbox_refunds_txn on payments_sandbox_refunds (txn);
create index payments_sandbox_refunds_due on payments_sandbox_refunds (turns_at) where turns_at is not null;

create table payments_sandbox_disputes (
  dispute_id text primary key,
  txn text not null unique references payments_sandbox_payments,
  token text not null references payments_sandbox_trades,
  minor bigint not null,
  state text not null check (state in ('open','won','lost')),
  created_at timestamptz not null,
  turns_to text check (turns_to in ('won','lost')),
  turns_at timestamptz,
  -- The sandbox's company takes evidence for a week.
  evidence_no text,
  evidence jsonb,
  check ((turns_to is null) = (turns_at is null))
);
create index payments_sandbox_disputes_due on payments_sandbox_disputes (turns_at) where turns_at is not null;

-- Money in suspense that a person, or a refund that cannot be delivered, gave to the user's balance.
create table payments_resolutions (
  receipt_id bigint primary key references payments_receipts,
  amount_nano bigint not null check (amount_nano > 0),
  ledger_ref text not null unique,
  actor text not null,
  reason text not null,
  created_at timestamptz not null default now()
);

create table payments_refund_edges (
  from_state text not null,
  to_state text not null,
  primary key (from_state, to_state)
);

-- One row per refund: money of one payment (or of the balance, without receipt) that goes back. `source` is where it stands
-- meanwhile: taken from the user's balance, our income, or suspense; `held`: it stands in the balance again, as orders of services say, and
-- no posting goes with it. Amounts of the order in *_nano dollars; `minor` is what the payer gets, in `currency`.
create table payments_refunds (
  id bigint generated always as identity primary key,
  refund_no text not null unique check (refund_no ~ '^R\d{8}-[0-9A-Z]{12}$'),
  order_id bigint not null references payments_orders,
  receipt_id bigint references payments_receipts,
  source text not null constraint payments_refunds_source check (source in ('balance','revenue','suspense','held')),
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
  -- First dispatch of the refund to the channel.
  dispatched_at timestamptz,
  check (goes_to = 'balance' or receipt_id is not null),
  check (next_check_at is not null or state not in ('approved','dispatched','unknown'))
);
create index payments_refunds_order on payments_refunds (order_id, id);
create index payments_refunds_due on payments_refunds (next_check_at) where next_check_at is not null;
create index payments_refunds_deciding on payments_refunds (created_at) where state = 'requested';

create table payments_disputes (
  id bigint generated always as identity primary key,
  channel_type smallint not null,
  dispute_id text not null,
  order_id bigint not null references payments_orders,
  receipt_id bigint not null references payments_receipts,
  minor bigint not null check (minor > 0),
  currency text not null,
  state text not null check (state in ('open','won','lost')),
  -- User money held because of the dispute, in dollars, and how often that changed.
  clawed_nano bigint not null default 0 check (clawed_nano >= 0),
  postings int not null default 0,
  created_at timestamptz not null default now(),
  closed_at timestamptz,
  -- Cost of a lost dispute to its payer besides the amount, and the part that was owed at first. Taken once; returned if the dispute is won later.
  fee_nano bigint not null default 0 check (fee_nano >= 0),
  fee_owed_nano bigint not null default 0 check (fee_owed_nano between 0 and fee_nano),
  -- Until when the channel takes evidence against it; null where it does not say.
  due_at timestamptz,
  unique (channel_type, dispute_id),
  check (fee_nano = 0 or state = 'lost')
);
create index payments_disputes_order on payments_disputes (order_id, id);
create index payments_disputes_open on payments_disputes (created_at) where state = 'open';
create index payments_disputes_due on payments_disputes (due_at) where state = 'open';

-- Evidence of an operator against a dispute, once: a statement and the facts of the order. A worker sends it until the channel has it.
create table payments_evidence (
  evidence_no text primary key check (evidence_no ~ '^E\d{8}-[0-9A-Z]{12}$'),
  dispute_pk bigint not null unique references payments_disputes,
  words text not null check (length(words) between 1 and 5000),
  facts jsonb not null,
  -- waiting: on its way; taken: the channel has it; refused: the channel, or time, said no.
  state text not null default 'waiting' check (state in ('waiting','taken','refused')),
  refusal text not null default '' check (length(refusal) <= 200),
  asked_by text not null,
  asked_at timestamptz not null default now(),
  next_check_at timestamptz default now(),
  checks int not null default 0,
  ended_at timestamptz,
  check ((state = 'waiting') = (next_check_at is not null) and (state = 'waiting') = (ended_at is null)),
  check ((state = 'refused') = (refusal <> ''))
);
create index payments_evidence_due on payments_evidence (next_check_at) where next_check_at is not null;

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

-- Money out: withdrawals of the balance. Paper: receipts and invoices with gapless numbers.

-- Payout accounts of users. Account, name and identity number are sealed; `shown` is masked; `digest` changes with them.
create table payments_payout_accounts (
  user_id text primary key,
  sealed bytea not null,
  digest bytea not null,
  shown jsonb not null,
  created_at timestamptz not null default now(),
  -- Null until the first change: a change lets nothing leave for a day.
  changed_at timestamptz
);
create index payments_payout_accounts_same on payments_payout_accounts (digest);

create table payments_withdrawal_edges (
  from_state text not null,
  to_state text not null,
  primary key (from_state, to_state)
);

create table payments_withdrawals (
  id bigint generated always as identity primary key,
  withdrawal_no text not null unique check (withdrawal_no ~ '^W\d{8}-[0-9A-Z]{12}$'),
  user_id text not null,
  amount_nano bigint not null check (amount_nano > 0),
  rate text not null,
  -- Amount that arrives, in fen.
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
  channel_nano bigint not null default 0 check (channel_nano >= 0),
  sent_nano bigint check (sent_nano > 0),
  sent_minor bigint check (sent_minor > 0),
  source text not null default 'balance' check (source in ('balance', 'reward')),
  -- Stopped by an operator for now: neither approved nor paid until it is released, or its end has come. Without an end: until it is released.
  held_at timestamptz,
  held_by text,
  held_until timestamptz,
  held_why text not null default '' check (length(held_why) <= 2000),
  -- Part that paid a debt of its user, or a payment that was charged back, and is not sent.
  taken_nano bigint not null default 0,
  -- When the last call that may have sent a transfer began: what was not sent, by its vendor's word, is taken back only after that call's end.
  called_at timestamptz,
  check (next_check_at is not null or state in ('paid','failed','returned','rejected','cancelled')),
  -- Four eyes: who asked never decides.
  constraint payments_withdrawals_four_eyes check (decided_by is null or decided_by <> user_id),
  constraint payments_withdrawals_whole check (channel_nano + coalesce(sent_nano, 0) <= amount_nano),
  constraint payments_withdrawals_sent check ((sent_tx is null) = (sent_nano is null) and (sent_nano is null) = (sent_minor is null)),
  constraint payments_withdrawals_hold_whole check ((held_at is null) = (held_by is null) and (held_at is not null or (held_until is null and held_why = ''))),
  constraint payments_withdrawals_hold_end check (held_until > held_at),
  -- A transfer that was sent can no longer be held.
  constraint payments_withdrawals_hold_state check (held_at is null or (state in ('requested','approving','approved','in_transit') and sent_tx is null)),
  constraint payments_withdrawals_taken check (taken_nano between 0 and amount_nano)
);
-- One at a time.
create unique index payments_withdrawals_open on payments_withdrawals (user_id) where state in ('requested','approving','approved','in_transit');
create index payments_withdrawals_user on payments_withdrawals (user_id, id);
create index payments_withdrawals_day on payments_withdrawals (created_at);
create index payments_withdrawals_due on payments_withdrawals (next_check_at) where next_check_at is not null;
create unique index payments_withdrawals_reward_month
  on payments_withdrawals (user_id, (date_trunc('month', created_at at time zone 'Asia/Shanghai')))
  where source = 'reward' and state not in ('failed', 'returned', 'rejected', 'cancelled');
create index payments_withdrawals_deciding on payments_withdrawals (created_at) where state = 'approving';
create index payments_withdrawals_by_state on payments_withdrawals (state, id desc);
create index payments_withdrawals_held on payments_withdrawals (held_at) where held_at is not null;

create table payments_withdrawal_steps (
  id bigint generated always as identity primary key,
  withdrawal_id bigint not null references payments_withdrawals,
  at timestamptz not null default clock_timestamp(),
  state text not null,
  actor text not null,
  reason text not null default ''
);
create index payments_withdrawal_steps_of on payments_withdrawal_steps (withdrawal_id, id);

-- The sandbox's own book of payouts; the product does not read it.
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

-- Requests to the invoice desk, for invoices that the customer's form does not issue. One a month may wait at a time; the outcome is kept.
create table payments_invoice_requests (
  id bigint generated always as identity primary key,
  request_no text not null unique,
  user_id text not null,
  month text not null check (month ~ '^20\d\d-(0[1-9]|1[0-2])$'),
  lang text not null check (lang in ('zh','en')),
  details jsonb not null,
  note text not null default '' check (length(note) <= 300),
  -- Dollars that the customer agreed to pay for it at most.
  agreed_fee text not null check (agreed_fee ~ '^\d{1,6}(\.\d{1,2})?$'),
  state text not null default 'open' check (state in ('open','issued','refused','withdrawn')),
  asked_at timestamptz not null default now(),
  ended_at timestamptz,
  paper_no text references payments_papers (paper_no),
  cause text not null default '',
  -- The desk's reply to the customer.
  answer text not null default '' check (length(answer) <= 300),
  check ((state = 'open') = (ended_at is null)),
  check ((state = 'issued') = (paper_no is not null)),
  check ((state = 'refused') = (cause <> ''))
);
create unique index payments_invoice_requests_one on payments_invoice_requests (user_id, month) where state = 'open';
create index payments_invoice_requests_open on payments_invoice_requests (asked_at) where state = 'open';
create index payments_invoice_requests_user on payments_invoice_requests (user_id, id);

-- Orders on a valid invoice, each on at most one.
create table payments_invoice_orders (
  paper_id bigint not null references payments_papers,
  order_id bigint not null references payments_orders,
  amount_nano bigint not null check (amount_nano > 0),
  holds boolean not null default true,
  primary key (paper_id, order_id)
);
create unique index payments_invoice_orders_once on payments_invoice_orders (order_id) where holds;

-- Each refund that a withdrawal started, at the order that brought the money. `lost`: it did not arrive, or came back.
create table payments_withdrawal_parts (
  refund_id bigint primary key references payments_refunds,
  withdrawal_id bigint not null references payments_withdrawals,
  amount_nano bigint not null check (amount_nano > 0),
  lost boolean not null default false
);
create index payments_withdrawal_parts_of on payments_withdrawal_parts (withdrawal_id);

-- A line's cost is booked once, whatever days it is compared on. One posting books the lines of one comparison.
create table payments_channel_costs (
  id bigint generated always as identity primary key,
  channel_type smallint not null,
  kind text not null check (kind in ('payment','refund','dispute','dispute_won')),
  channel_txn text not null,
  refund_no text not null,
  day date not null,
  -- In minor units; negative: given back.
  fee_minor bigint not null check (fee_minor <> 0),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  created_at timestamptz not null default now(),
  unique (channel_type, kind, channel_txn, refund_no)
);
create index payments_channel_costs_day on payments_channel_costs (channel_type, day);

-- A stored payment method: an agreement between the user and the channel, under our number.
create table payments_agreements (
  agreement_no text primary key check (agreement_no ~ '^A\d{8}-[0-9A-Z]{12}$'),
  user_id text not null,
  channel_type smallint not null,
  transaction_type smallint not null,
  state text not null default 'signing' check (state in ('signing','active','lapsed','ending','ended')),
  -- The channel's id of it, sealed with the installation's key; deleted once it has ended.
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

-- Verified notices about agreements; the row commits together with the effect (I6).
create table payments_agreement_notices (
  channel_type smallint not null,
  notice_id text not null,
  agreement_no text not null references payments_agreements,
  received_at timestamptz not null default now(),
  primary key (channel_type, notice_id)
);

-- Settings of automatic recharges, one row a user. `cool_until`: no charge before it (a refusal, or a ceiling that was reached).
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

-- Consent of a user, with the version of its exact text, and the time. Evidence: never changed.
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

-- Charges of a day and a month of Shanghai, fee included. The ceilings are in the same row, so that no statement can exceed them.
-- Money that arrives after its charge was abandoned is counted separately: it is always accepted.
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

-- The sandbox company's own book of agreements, and its notices about them.
create table payments_sandbox_agreements (
  token text primary key,
  agreement_no text not null unique,
  method smallint not null,
  lang text not null,
  notify_url text not null,
  return_url text not null,
  state text not null default 'open' check (state in ('open','active','refused','ended')),
  -- The charge whose first call is lost on purpose.
  lost_trade text,
  label text,
  expires_at timestamptz not null,
  created_at timestamptz not null
);

create table payments_sandbox_agreement_notices (
  id bigint generated always as identity primary key,
  notice_id text not null,
  token text not null references payments_sandbox_agreements,
  body text not null,
  due_at timestamptz not null,
  tries int not null default 0,
  done_at timestamptz
);
create index payments_sandbox_agreement_notices_due on payments_sandbox_agreement_notices (due_at) where done_at is null;

-- An order pays for its invoice once, also if the invoice is issued again.
create table payments_invoice_fees (
  order_id bigint primary key references payments_orders,
  paper_id bigint not null references payments_papers,
  fee_nano bigint not null check (fee_nano > 0),
  charged_at timestamptz not null default now()
);

-- That the notice about paying was read for an order before it was opened at a channel: once, and kept.
create table payments_notice_reads (
  order_id bigint primary key references payments_orders,
  read_at timestamptz not null default now()
);

insert into payments_order_edges (from_state, to_state) values
  ('created','paying'), ('created','expired'), ('created','cancelled'),
  ('paying','unknown'), ('paying','paid'), ('paying','expired'), ('paying','cancelled'), ('paying','integrity_failure'),
  ('unknown','paying'), ('unknown','paid'), ('unknown','expired'), ('unknown','cancelled'), ('unknown','integrity_failure'),
  ('paid','fulfilled'),
  ('expired','paid_late'), ('expired','integrity_failure'),
  ('cancelled','paid_late'), ('cancelled','integrity_failure'),
  ('integrity_failure','paid_late');

-- Orders of every type, what becomes of their money afterwards (refunds, disputes), and the comparison with what channels settled.

-- After its payment an order may be refunded, disputed and paid again. `base_state` is its state without these.
insert into payments_order_edges (from_state, to_state)
  select f, t from unnest(array['paid','fulfilled','paid_late','refunding','partially_refunded','refunded','disputed']) f
    cross join unnest(array['paid','fulfilled','paid_late','refunding','partially_refunded','refunded','disputed']) t
  where f <> t and not (f in ('paid','fulfilled','paid_late') and t in ('paid','fulfilled','paid_late'))
  union all values ('paid_late','fulfilled'), ('integrity_failure','refunding'), ('refunding','integrity_failure'), ('refunded','integrity_failure'),
    ('integrity_failure','refunded'), ('integrity_failure','partially_refunded'), ('partially_refunded','integrity_failure'),
    -- A payment that fits no order can be wanted back by the payer's bank too, before or after a person decided about it.
    ('integrity_failure','disputed'), ('disputed','integrity_failure')
  on conflict do nothing;

insert into payments_refund_edges (from_state, to_state) values
  ('requested','approved'), ('requested','rejected'),
  ('approved','dispatched'), ('approved','failed'),
  ('dispatched','unknown'), ('dispatched','succeeded'), ('dispatched','failed'),
  ('unknown','dispatched'), ('unknown','succeeded'), ('unknown','failed'),
  ('succeeded','reversed');

insert into payments_withdrawal_edges (from_state, to_state) values
  ('requested','in_transit'), ('requested','cancelled'), ('requested','failed'),
  ('approving','approved'), ('approving','rejected'), ('approving','cancelled'), ('approving','failed'),
  ('approved','in_transit'), ('approved','cancelled'), ('approved','failed'),
  ('in_transit','paid'), ('in_transit','failed'),
  ('paid','returned');

insert into payments_agreement_edges (from_state, to_state) values
  ('signing','active'), ('signing','lapsed'), ('signing','ending'),
  ('active','ending'), ('active','ended'), ('lapsed','ending'), ('ending','ended');

insert into payments_auto_charge_edges (from_state, to_state) values
  ('announced','charging'), ('announced','skipped'),
  ('charging','paid'), ('charging','refused'), ('charging','lapsed'), ('charging','mismatch'),
  -- Money that arrived nevertheless.
  ('announced','paid'), ('refused','paid'), ('lapsed','paid'), ('skipped','paid'), ('mismatch','paid'),
  ('refused','mismatch'), ('lapsed','mismatch'), ('skipped','mismatch');

create view payments_order_timeline as
  select id, order_id, at, from_state, to_state, actor, reason, facts, coalesce(event, case to_state
    when 'created' then 'created' when 'paying' then case when from_state = 'unknown' then 'found' else 'opened' end when 'unknown' then 'doubted'
    when 'integrity_failure' then 'mismatch' else to_state end) as event
  from payments_order_steps;

-- Part of an order's credit that left by transfers that did not return, from the lots that they emptied.
create view payments_transferred as
  select w.user_id, l.order_ref as order_no, sum(u.amount)::bigint as amount_nano
  from payments_withdrawals w join wallet_transfers t on t.transaction_id = w.sent_tx
    join wallet_lot_uses u on u.transfer_id = t.id join wallet_lots l on l.id = u.lot_id
  where w.source = 'balance' and w.state in ('in_transit','paid') and l.kind = 'purchased' and l.order_ref is not null
  group by w.user_id, l.order_ref;

-- Money that arrived for an order and stayed, in dollars with its fee: without refunds over its channel or by transfer, and without
-- rejected payments. Orders paid from the balance bring no new money.
create view payments_net_paid as
  select o.id as order_id, o.order_no, o.user_id, o.order_type, o.paid_at, o.total_nano, o.amount_nano, o.fee_nano, o.pay_minor, o.currency, o.rate,
    o.transaction_type,
    greatest(0, o.total_nano
      - coalesce((select sum(f.amount_nano + f.fee_nano) from payments_refunds f
          where f.order_id = o.id and f.goes_to = 'channel' and f.source <> 'suspense' and f.state in ('approved','dispatched','unknown','succeeded')), 0)
      - coalesce((select sum(ceil(d.minor::numeric * o.total_nano / o.pay_minor)) from payments_disputes d where d.order_id = o.id and d.state in ('open','lost')), 0)
      - coalesce((select sum(x.amount_nano) from payments_transferred x where x.user_id = o.user_id and x.order_no = o.order_no), 0)
    )::bigint as net_nano
  from payments_orders o
  where o.base_state in ('paid','fulfilled','paid_late') and o.transaction_type <> 0 and o.paid_at is not null
    -- late money that was not kept goes back from where it waits, and brought nothing
    and (o.base_state <> 'paid_late' or exists (select from payments_receipts r left join payments_resolutions s on s.receipt_id = r.id
      where r.order_id = o.id and (r.outcome in ('credited','late','again') or s.receipt_id is not null)));

-- True when the refund was written: its number is new and the payment still has that much. The payment's row is locked
-- first, so that the sum is read after every refund that came before.
create function payments_sandbox_refund(refund payments_sandbox_refunds) returns boolean language plpgsql as $$
begin
  perform from payments_sandbox_payments where txn = refund.txn for update;
  insert into payments_sandbox_refunds select refund.*
    where exists (select from payments_sandbox_payments p where p.txn = refund.txn and p.minor >= refund.minor
      + coalesce((select sum(r.minor) from payments_sandbox_refunds r where r.txn = refund.txn and r.state <> 'failed'), 0))
    on conflict (refund_no) do nothing;
  return found;
end $$;

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

create function payments_guard_dispute() returns trigger language plpgsql as $$
begin
  if new.state <> old.state and (old.state, new.state) not in (('open','won'), ('open','lost'), ('lost','won')) then
    raise exception 'dispute % cannot go from % to %', old.dispute_id, old.state, new.state using errcode = 'check_violation';
  end if;
  return new;
end $$;

-- An order is invoiced for at most the money that it brought. The order's row is the lock that refunds take too.
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

create function payments_guard_order() returns trigger language plpgsql as $$
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
  if old.discount_given and not new.discount_given then
    raise exception 'the discount of order % was given already', old.order_no using errcode = 'check_violation';
  end if;
  if (new.order_no, new.user_id, new.order_type, new.amount_nano, new.discount_nano, new.fee_percent, new.fee_nano, new.fixed_nano, new.total_nano, new.rate, new.currency, new.pay_minor, new.channel_type, new.created_at, new.wishes, new.source)
     is distinct from
     (old.order_no, old.user_id, old.order_type, old.amount_nano, old.discount_nano, old.fee_percent, old.fee_nano, old.fixed_nano, old.total_nano, old.rate, old.currency, old.pay_minor, old.channel_type, old.created_at, old.wishes, old.source) then
    raise exception 'the figures of order % are frozen', old.order_no using errcode = 'check_violation';
  end if;
  return new;
end $$;

create function payments_guard_withdrawal() returns trigger language plpgsql as $$
begin
  if new.state <> old.state and not exists (select from payments_withdrawal_edges where from_state = old.state and to_state = new.state) then
    raise exception 'withdrawal % cannot go from % to %', old.withdrawal_no, old.state, new.state using errcode = 'check_violation';
  end if;
  if old.held_at is not null and (old.held_until is null or old.held_until > clock_timestamp())
     and ((new.state <> old.state and new.state in ('approved','in_transit')) or new.sent_tx is distinct from old.sent_tx) then
    raise exception 'withdrawal % is on hold', old.withdrawal_no using errcode = 'check_violation';
  end if;
  if (new.withdrawal_no, new.user_id, new.amount_nano, new.rate, new.pay_minor, new.created_at, new.source)
     is distinct from (old.withdrawal_no, old.user_id, old.amount_nano, old.rate, old.pay_minor, old.created_at, old.source) then
    raise exception 'the figures of withdrawal % are frozen', old.withdrawal_no using errcode = 'check_violation';
  end if;
  return new;
end $$;

create function payments_guard_invoice_request() returns trigger language plpgsql as $$
begin
  if old.state <> 'open' then
    raise exception 'request % has ended', old.request_no using errcode = 'check_violation';
  end if;
  if (new.request_no, new.user_id, new.month, new.lang, new.details, new.note, new.agreed_fee, new.asked_at)
     is distinct from (old.request_no, old.user_id, old.month, old.lang, old.details, old.note, old.agreed_fee, old.asked_at) then
    raise exception 'what was asked for is frozen' using errcode = 'check_violation';
  end if;
  return new;
end $$;

create function payments_guard_evidence() returns trigger language plpgsql as $$
declare
  v_state text;
begin
  if tg_op = 'INSERT' then
    select state into v_state from payments_disputes where id = new.dispute_pk for share;
    if v_state <> 'open' then
      raise exception 'dispute % is closed', new.dispute_pk using errcode = 'check_violation';
    end if;
    return new;
  end if;
  if old.state <> 'waiting' then
    raise exception 'evidence % has ended', old.evidence_no using errcode = 'check_violation';
  end if;
  if (new.evidence_no, new.dispute_pk, new.words, new.facts, new.asked_by, new.asked_at)
     is distinct from (old.evidence_no, old.dispute_pk, old.words, old.facts, old.asked_by, old.asked_at) then
    raise exception 'what was handed in is frozen' using errcode = 'check_violation';
  end if;
  return new;
end $$;

create trigger payments_guard_order before update on payments_orders for each row execute function payments_guard_order();
create trigger payments_guard_refund before insert or update on payments_refunds for each row execute function payments_guard_refund();
create trigger payments_guard_dispute before update on payments_disputes for each row execute function payments_guard_dispute();
create trigger payments_withdrawals_guard before update on payments_withdrawals for each row execute function payments_guard_withdrawal();
create trigger payments_invoice_orders_guard before insert on payments_invoice_orders for each row execute function payments_guard_invoice();
create trigger payments_guard_agreement before update on payments_agreements for each row execute function payments_guard_agreement();
create trigger payments_guard_auto_charge before update on payments_auto_charges for each row execute function payments_guard_auto_charge();
create trigger payments_invoice_requests_guard before update on payments_invoice_requests for each row execute function payments_guard_invoice_request();
create trigger payments_evidence_guard before insert or update on payments_evidence for each row execute function payments_guard_evidence();

call make_append_only('payments_order_steps');
call make_append_only('payments_notices');
call make_append_only('payments_receipts');
call make_append_only('payments_resolutions');
call make_append_only('payments_strays');
call make_append_only('payments_withdrawal_steps');
call make_append_only('payments_channel_costs');
call make_append_only('payments_agreement_notices');
call make_append_only('payments_auto_consents');

revoke insert, update, delete, truncate on payments_order_edges from mingxi_app;
revoke delete, truncate on payments_orders, payments_attempts from mingxi_app;
revoke insert, update, delete, truncate on payments_refund_edges from mingxi_app;
revoke delete, truncate on payments_refunds, payments_disputes, payments_statements, payments_faults from mingxi_app;
revoke insert, update, delete, truncate on payments_withdrawal_edges from mingxi_app;
revoke delete, truncate on payments_withdrawals, payments_payout_accounts, payments_papers, payments_paper_counters, payments_invoice_orders from mingxi_app;
revoke delete, truncate on payments_withdrawal_parts from mingxi_app;
revoke insert, update, delete, truncate on payments_agreement_edges, payments_auto_charge_edges from mingxi_app;
revoke delete, truncate on payments_agreements, payments_auto_plans, payments_auto_sums, payments_auto_charges from mingxi_app;
revoke update, delete, truncate on payments_invoice_fees from mingxi_app;
revoke update, delete, truncate on payments_notice_reads from mingxi_app;
revoke delete, truncate on payments_invoice_requests, payments_evidence from mingxi_app;
