-- Gateway: the daily comparison of books: our usage rows, the ledger, vendors' own reports, and payments received. Days are UTC
-- days, since vendors' are.

create table gateway_books (
  day date not null,
  -- The vendor whose report it is compared with.
  vendor text not null,
  model text not null,
  our_calls bigint not null,
  our_input bigint not null,
  our_cached bigint not null,
  our_output bigint not null,
  our_charge bigint not null,
  -- Of our calls: those whose counts are not the vendor's final ones. They explain drift.
  estimated_calls bigint not null,
  -- Null where the vendor does not say.
  their_calls bigint,
  their_input bigint,
  their_cached bigint,
  their_output bigint,
  their_cost bigint,
  -- Raised when a later comparison of the same day finds other figures: vendors correct theirs for days.
  revision int not null default 1,
  first_at timestamptz not null default now(),
  changed_at timestamptz not null default now(),
  primary key (day, vendor, model)
);

-- A day's totals; `sums` and `captured` are those of all time in one snapshot, and must be equal to the nano-dollar.
create table gateway_book_days (
  day date primary key,
  charged bigint not null,
  posted bigint not null,
  received bigint not null,
  paid_back bigint not null,
  sums bigint not null,
  captured bigint not null,
  -- Vendors that were asked and did not answer.
  unread text[] not null,
  alarms text[] not null,
  compared_at timestamptz not null default now()
);

-- Transactions lie in the order of time: a small index finds a day's.
create index wallet_transactions_time on wallet_transactions using brin (at) with (pages_per_range = 32, autosummarize = on);
