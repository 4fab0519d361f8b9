-- folds 0075_number_messages.sql (release 0.1)

-- Gateway: API keys, models and versioned prices, and the durable journal behind the relay.
create table gateway_keys (
  key_id text primary key,
  user_id text not null,
  account_id bigint not null,
  name text not null check (char_length(name) between 1 and 50),
  -- SHA-256 of the secret; the secret itself is nowhere.
  secret_hash bytea not null unique check (length(secret_hash) = 32),
  last4 text not null check (length(last4) = 4),
  -- Hash of the request that made it, so that a repeated request makes no second key.
  request_hash bytea,
  on_disconnect text not null default 'abort' check (on_disconnect in ('abort','drain')),
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  deleted_at timestamptz,
  expires_at timestamptz,
  -- Ids, `vendor/*` or the beginning of ids followed by `*`; null: every model.
  models text[] check (cardinality(models) > 0),
  -- Addresses or networks in CIDR form, IPv4 and IPv6; null: from everywhere.
  networks text[] check (cardinality(networks) > 0),
  requests_minute int check (requests_minute > 0),
  tokens_minute bigint check (tokens_minute > 0),
  calls_at_once int check (calls_at_once > 0),
  -- Nano-dollars of a Shanghai day and of a Shanghai month.
  day_budget bigint check (day_budget > 0),
  month_budget bigint check (month_budget > 0),
  disabled_at timestamptz,
  -- Model of the last call, and its network without the host part.
  last_model text,
  last_from text,
  -- Paused by an operator: refused like one that its owner switched off, and only operators let it work again.
  paused_at timestamptz,
  paused_reason text check (char_length(paused_reason) between 1 and 500),
  paused_by text,
  unique (user_id, request_hash),
  constraint gateway_keys_paused check (num_nonnulls(paused_at, paused_reason, paused_by) in (0, 3))
);
create index gateway_keys_user on gateway_keys (user_id, created_at desc, key_id);
-- The watch for budgets looks at keys that have one, every five seconds. Without this it read all keys.
create index gateway_keys_budget on gateway_keys (key_id) where deleted_at is null and (day_budget is not null or month_budget is not null);

-- The one key that a member's own base URL goes with (`apiForwards`): rotated in place, so a client changes two values and keeps its limits.
create table gateway_forwards (
  user_id text primary key,
  key_id text not null unique references gateway_keys (key_id),
  made_at timestamptz not null default clock_timestamp()
);

create table gateway_models (
  model_id text primary key,
  vendor text not null,
  name text not null,
  kind text not null check (kind in ('chat','embedding','realtime','image','speech','transcription','moderation','rerank')),
  dialects text[] not null,
  capabilities text[] not null,
  context_tokens int,
  max_output_tokens int,
  released_on date,
  deprecated_on date,
  retires_on date,
  successor text,
  aliases text[] not null default '{}',
  position int not null default 0,
  shown boolean not null default true
);

-- A price is never changed: a new row holds from its own time on. Nano-dollars per million tokens; null where the vendor has
-- no such class. Arrays in the order: input, cached input, cache write 5m, cache write 1h, output, audio in, audio out, image in.
create table gateway_prices (
  version bigint generated always as identity primary key,
  model_id text not null references gateway_models,
  valid_from timestamptz not null,
  classes bigint[] not null check (cardinality(classes) between 8 and 20 and classes[1] >= 0 and classes[5] >= 0 and 0 <= all (array_remove(classes, null))),
  long_above int check (long_above > 0),
  long_classes bigint[] check (cardinality(long_classes) between 8 and 20 and long_classes[1] >= 0 and long_classes[5] >= 0 and 0 <= all (array_remove(long_classes, null))),
  -- The dated file or the operator's note that it came from.
  source text not null,
  created_at timestamptz not null default now(),
  factors bigint[] check (cardinality(factors) = 4 and 0 < all (array_remove(factors, null))),
  -- Of a share of a list price, made for negotiated terms: the list price, and how much of it.
  of_version bigint references gateway_prices,
  millionths int check (millionths between 10000 and 999999),
  unique (model_id, source),
  check ((long_above is null) = (long_classes is null)),
  check ((of_version is null) = (millionths is null)),
  constraint gateway_prices_share unique (of_version, millionths)
);
create index gateway_prices_model on gateway_prices (model_id, valid_from desc, version desc);

-- Prices that operators plan are rows of gateway_prices like all others, from their own time on. One that has not begun yet can be taken
-- back; the row stays, as does who took it back.
create table gateway_price_drops (
  version bigint primary key references gateway_prices,
  at timestamptz not null default now(),
  by_operator text not null
);

-- Prices negotiated with a customer: a share of the list from a time on, of one model or of all. What a share makes of a list price is a price
-- row of its own, so that a call is held, charged and swept by one version as every other is.
create table gateway_price_terms (
  id bigint generated always as identity primary key,
  user_id text not null,
  -- Null: every model, but those that have terms of their own.
  model_id text references gateway_models,
  valid_from timestamptz not null,
  -- Of the list; a million is the list itself.
  millionths int not null check (millionths between 10000 and 1000000),
  title text not null check (length(title) between 1 and 80),
  -- More expensive than before: the customer was notified in time.
  rises boolean not null,
  made_by text not null,
  made_at timestamptz not null default now(),
  -- Taken back before it held.
  dropped_at timestamptz,
  dropped_by text,
  check ((dropped_at is null) = (dropped_by is null))
);
create unique index gateway_price_terms_title on gateway_price_terms (user_id, title, coalesce(model_id, ''));
create index gateway_price_terms_of on gateway_price_terms (user_id, coalesce(model_id, ''), valid_from desc, id desc) where dropped_at is null;
create index gateway_price_terms_next on gateway_price_terms (valid_from) where dropped_at is null;

-- Customers notified of a planned price rise of a model that they use, and of its withdrawal.
create table gateway_price_notices (
  source text not null,
  user_id text not null,
  told_at timestamptz not null default now(),
  taken_back_at timestamptz,
  primary key (source, user_id)
);

-- One row a running process; its leases are alive while its heartbeat is.
create table gateway_nodes (
  node text primary key,
  started_at timestamptz not null default now(),
  beat_at timestamptz not null default now(),
  -- Its death is final for its name: the process behind it may come back, under another one.
  dead_at timestamptz
);

-- Which process holds which part of which balance (a wallet hold).
create table gateway_leases (
  lease_id bigint,
  account_id bigint not null,
  node text not null,
  drawn_at timestamptz not null default now(),
  -- When a sweeper last looked at the lease of a dead node: while its process may come back, vendors are not asked every second.
  looked_at timestamptz,
  primary key (account_id, lease_id)
) with (fillfactor = 50);
create index gateway_leases_node on gateway_leases (node);

-- Calls that were promised money and have not come to an end. Small: a row lives as long as its call.
create table gateway_calls (
  call_id text,
  lease_id bigint not null,
  account_id bigint not null,
  key_id text not null,
  user_id text not null,
  model text not null,
  upstream text not null,
  price_version bigint not null,
  held bigint not null check (held >= 0),
  node text not null,
  started_at timestamptz not null,
  asked_model text not null default '',
  primary key (account_id, call_id)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000, autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 100000);

-- Results of calls, one row a call, kept for ever. Partitioned by the time a call began; call ids sort by time too.
create table gateway_usage (
  call_id text not null,
  started_at timestamptz not null,
  settled_at timestamptz not null default now(),
  -- The wallet hold that its money was taken from: rows of one lease add up to its captures (money.md, M7).
  lease_id bigint not null,
  account_id bigint not null,
  user_id text not null,
  key_id text not null,
  model text not null,
  upstream text not null,
  price_version bigint not null,
  dialect text not null,
  stream boolean not null,
  status int not null,
  outcome text not null,
  provenance text not null,
  amount bigint not null check (amount >= 0),
  input_tokens bigint not null,
  cached_tokens bigint not null,
  output_tokens bigint not null,
  reasoning_tokens bigint not null,
  -- Four numbers a line: kind, tokens, unit price, amount (journal/lines.ts). The amounts add up to `amount`.
  lines bigint[] not null check (cardinality(lines) % 4 = 0),
  request_id text not null,
  upstream_request_id text not null,
  first_byte_ms int not null,
  total_ms int not null,
  primary key (account_id, started_at, call_id),
  asked_model text not null default ''
) partition by range (started_at);
-- Rows lie in the order in which calls ended: a small index finds a day's for the comparison of sums and of books.
create index gateway_usage_time on gateway_usage using brin (started_at) with (pages_per_range = 32, autosummarize = on);
-- Calls that did not come to their end, by how they ended. Only such a call writes to it; the page of requests counts them by it.
create index gateway_usage_unfinished on gateway_usage (account_id, started_at, outcome) include (key_id, model) where outcome <> 'completed';

-- A clock that is far off must not stop billing.
create table gateway_usage_other partition of gateway_usage default;

-- Upstreams that were asked about a call and did not answer it: written beside its usage row, for the few calls that have any, and kept for
-- a month. No unique index: what is written twice must not stop the flush that usage rows are in.
create table gateway_failed_tries (
  call_id text not null,
  account_id bigint not null references wallet_accounts,
  no smallint not null,
  upstream text not null,
  status smallint not null,
  cause text not null check (cause in ('refused', 'timeout', 'connection')),
  from_ms int not null,
  ms int not null,
  at timestamptz not null default now()
);
create index gateway_failed_tries_call on gateway_failed_tries (call_id);
create index gateway_failed_tries_age on gateway_failed_tries using brin (at);

-- Calls that the sweeper ended in the place of their process. `vendor`: by the vendor's own figure. `none`: the vendor knows no such
-- call or billed nothing for it. `hold`: nothing was known in time and the hold was charged provisionally, work for an operator until it is resolved.
create table gateway_swept (
  account_id bigint not null references wallet_accounts,
  call_id text not null,
  started_at timestamptz not null,
  lease_id bigint not null,
  node text not null,
  basis text not null check (basis in ('vendor', 'none', 'hold')),
  amount bigint not null check (amount >= 0),
  swept_at timestamptz not null default now(),
  -- When the vendor was last asked again.
  asked_at timestamptz not null default now(),
  -- `node`: the process came back with its own figure. `vendor`: the vendor named one later. `operator`: decided by hand.
  resolved_by text check (resolved_by in ('node', 'vendor', 'operator')),
  resolved_at timestamptz,
  primary key (account_id, call_id),
  check ((resolved_by is null) = (resolved_at is null))
);
create index gateway_swept_open on gateway_swept (node, swept_at) where basis = 'hold' and resolved_at is null;

-- A usage row before its correction. The usage row itself has the later, real figure.
create table gateway_corrections (
  account_id bigint not null references wallet_accounts,
  call_id text not null,
  no int not null check (no > 0),
  at timestamptz not null default now(),
  started_at timestamptz not null,
  lease_id bigint not null,
  cause text not null check (cause in ('node', 'vendor', 'operator')),
  by text not null,
  amount_before bigint not null check (amount_before >= 0),
  amount_after bigint not null check (amount_after >= 0),
  -- The whole row as it was.
  before jsonb not null,
  xact xid8 not null default pg_current_xact_id(),
  primary key (account_id, call_id, no)
);
create index gateway_corrections_at on gateway_corrections (at);

-- Sums by Shanghai day, kept by the statement that writes the rows: the billing page never adds up calls.
create table gateway_usage_days (
  account_id bigint not null,
  day date not null,
  model text not null,
  key_id text not null,
  calls bigint not null,
  tokens bigint not null,
  amount bigint not null,
  primary key (account_id, day, model, key_id),
  failed bigint not null,
  largest bigint not null
) with (fillfactor = 70);
create index gateway_usage_days_key on gateway_usage_days (key_id, day);

-- Rows that could not be written: set aside, so that they block no other row, and raised as an alarm.
create table gateway_dead_letters (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  call_id text not null,
  kind text not null,
  reason text not null,
  payload jsonb not null,
  resolved_at timestamptz
);
create index gateway_dead_letters_open on gateway_dead_letters (id) where resolved_at is null;

create table gateway_unposted (
  id bigint generated always as identity,
  lease_id bigint not null,
  account_id bigint not null,
  model text,
  key_id text,
  calls bigint check (calls > 0),
  tokens bigint,
  amount bigint not null check (amount >= 0),
  -- The hour in which the calls began: the same in Shanghai and in UTC, which are whole hours apart.
  hour timestamptz,
  -- Calls whose outcome is not `completed`, and the most expensive call.
  failed bigint check (failed between 0 and calls),
  largest bigint check (largest between 0 and amount),
  primary key (account_id, lease_id, id)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 100000);

create table gateway_usage_hours (
  account_id bigint not null,
  hour timestamptz not null,
  model text not null,
  key_id text not null,
  calls bigint not null,
  tokens bigint not null,
  amount bigint not null,
  failed bigint not null,
  largest bigint not null,
  primary key (account_id, hour, model, key_id)
) with (fillfactor = 70);
create index gateway_usage_hours_time on gateway_usage_hours using brin (hour) with (pages_per_range = 32, autosummarize = on);

-- Comparisons of rows with their sums, day by day (Shanghai).
create table gateway_usage_checks (
  day date primary key,
  checked_at timestamptz not null,
  calls bigint not null,
  amount bigint not null,
  faults int not null
);

-- Upstream servers and which models they serve. Without rows the vendors' keys of the environment serve everything.
create table gateway_upstreams (
  upstream_id text primary key check (upstream_id ~ '^[a-z0-9][a-z0-9._-]{0,62}$'),
  -- The vendor whose ways it has: credential header, version, billing after an abort.
  vendor text not null,
  base_url text not null check (base_url ~ '^https?://[^\s?#]+$'),
  -- The name of the environment variable that holds the credential; the credential itself is never here. A fixed form, so that
  -- no other secret of the process can be sent to an upstream.
  credential_env text not null check (credential_env ~ '^(UPSTREAM_[A-Z0-9_]{1,60}|[A-Z]+_API_KEY|SANDBOX_UPSTREAM_KEY)$'),
  -- Null: as its vendor does.
  bills_after_abort boolean,
  -- Limits of one process; null: no limit.
  concurrent int check (concurrent > 0),
  per_minute int check (per_minute between 1 and 1000000),
  queue_length int not null default 200 check (queue_length between 0 and 100000),
  queue_ms int not null default 10000 check (queue_ms between 1 and 600000),
  -- Wait for the head, and between the bytes of the body; null: UPSTREAM_TIMEOUT_MS.
  first_byte_ms int check (first_byte_ms > 0),
  between_ms int check (between_ms > 0),
  -- active; draining: nothing new, what runs comes to its end; off: the same, and its connections are closed.
  state text not null default 'active' check (state in ('active', 'draining', 'off')),
  created_at timestamptz not null default now()
);

-- Keys of upstreams that operators hand in. One holds at a time; while it does, the key that the row names in the environment rests.
create table gateway_upstream_keys (
  key_id text primary key check (key_id ~ '^upk_[0-9A-Z]{26}$'),
  upstream_id text not null references gateway_upstreams,
  -- Under the installation's key, bound to this row; emptied when the key is retired.
  sealed bytea,
  -- All that is ever shown of it.
  last4 text not null check (length(last4) <= 4),
  added_by text not null,
  added_at timestamptz not null,
  retired_by text,
  retired_at timestamptz,
  check ((retired_at is null) = (retired_by is null) and (retired_at is null) = (sealed is not null))
);
create unique index gateway_upstream_keys_one on gateway_upstream_keys (upstream_id) where retired_at is null;

-- Small calls of operators that test whether an upstream responds. Each is sent at most once, at our cost.
create table gateway_test_calls (
  test_id text primary key check (test_id ~ '^gtc_[0-9A-Z]{26}$'),
  upstream_id text not null,
  model_id text not null references gateway_models,
  -- The model's name at the upstream, and in which dialect it is asked.
  upstream_model text not null,
  dialect text not null,
  -- Price of the upstream, in basis points of the list price.
  cost_bp int not null check (cost_bp between 0 and 1000000),
  state text not null default 'waiting' constraint gateway_test_calls_state check (state in ('waiting','calling','done','failed','unknown')),
  asked_by text not null,
  asked_at timestamptz not null,
  called_at timestamptz,
  ended_at timestamptz,
  status int,
  latency_ms int check (latency_ms >= 0),
  -- The beginning of what it answered, or why it did not.
  answer text not null default '' check (length(answer) <= 500),
  input_tokens bigint check (input_tokens >= 0),
  cached_tokens bigint check (cached_tokens >= 0),
  output_tokens bigint check (output_tokens >= 0),
  cost bigint check (cost >= 0),
  -- Maximum cost, recorded before the call is sent. A call that may have been billed, and whose bill is unknown, is booked with it.
  most_input bigint check (most_input >= 0),
  most_output bigint check (most_output >= 0),
  held bigint check (held >= 0),
  constraint gateway_test_calls_check1 check (state = 'waiting' or called_at is not null),
  constraint gateway_test_calls_ended check ((state in ('done','failed','unknown')) = (ended_at is not null)),
  constraint gateway_test_calls_held check (state in ('waiting','failed') or (held is not null and most_input is not null and most_output is not null)),
  constraint gateway_test_calls_priced check (state not in ('done','unknown') or (cost is not null and input_tokens is not null and output_tokens is not null)),
  constraint gateway_test_calls_counted check (cost is null or input_tokens is not null)
);
create index gateway_test_calls_upstream on gateway_test_calls (upstream_id, asked_at desc);
create index gateway_test_calls_called on gateway_test_calls (called_at) where input_tokens is not null;
create index gateway_test_calls_open on gateway_test_calls (called_at) where state = 'calling';

-- A model with a row here is served by its rows alone.
create table gateway_routes (
  model_id text not null references gateway_models,
  upstream_id text not null references gateway_upstreams,
  -- The model's name at that upstream.
  upstream_model text not null check (upstream_model <> ''),
  priority int not null default 0 check (priority between 0 and 1000),
  weight int not null default 100 check (weight between 1 and 10000),
  -- Price of the upstream for us, in basis points of our list price: the rest is the margin.
  cost_bp int not null default 10000 check (cost_bp between 0 and 1000000),
  -- Null: every dialect of the model that the upstream's vendor has.
  dialects text[] check (cardinality(dialects) > 0),
  first_byte_ms int check (first_byte_ms > 0),
  between_ms int check (between_ms > 0),
  primary key (model_id, upstream_id)
);

-- Calls under way of keys that are counted. What they may cost is reserved against the key's budgets until the usage row is
-- there; a row of a process that died goes when the sweeper has ended its call.
create table gateway_takes (
  call_id text primary key,
  key_id text not null,
  node text not null,
  taken_at timestamptz not null default now(),
  -- Shanghai day on which the call began: its usage row counts there too.
  day date not null,
  held bigint not null check (held >= 0),
  -- Tokens counted when it began, and the second in which; 0 where the key has no limit of tokens.
  tokens bigint not null check (tokens >= 0),
  second bigint not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
create index gateway_takes_key on gateway_takes (key_id);
create index gateway_takes_node on gateway_takes (node);

-- The last sixty seconds of a key, a slot a second. Its row is the lock under which the key is counted.
create table gateway_key_minutes (
  key_id text primary key,
  second bigint not null,
  requests int[] not null,
  tokens bigint[] not null
) with (fillfactor = 50);

-- Users notified by mail that a model they used ends, so that each is notified once.
create table gateway_model_notices (
  model_id text not null references gateway_models,
  user_id text not null,
  told_at timestamptz not null default now(),
  primary key (model_id, user_id)
);

-- The daily comparison of books: our usage rows, the ledger, vendors' own reports, and payments received. Days are UTC
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

-- Alerts of a low balance and of key budgets, by mail and by webhook.
create table gateway_alert_settings (
  user_id text primary key,
  -- Balance in nano-dollars below which the user is notified; once, until the balance has been above it again.
  low_balance bigint check (low_balance > 0),
  low_told boolean not null default false,
  webhook_url text check (char_length(webhook_url) <= 500),
  -- The signing secret, sealed with the installation's key.
  webhook_secret bytea,
  updated_at timestamptz not null default now(),
  check ((webhook_url is null) = (webhook_secret is null))
);
create index gateway_alert_settings_low on gateway_alert_settings (user_id) where low_balance is not null;

-- Notifications about a key's budget: each threshold once a day or month. 100: the first call that it did not cover.
create table gateway_budget_alerts (
  key_id text not null,
  period text not null check (period in ('day','month')),
  starts date not null,
  threshold int not null check (threshold in (50, 80, 100)),
  told_at timestamptz not null default now(),
  primary key (key_id, period, starts, threshold)
);

-- Budgets that refused a call since the watch last looked.
create table gateway_budget_refusals (
  key_id text not null,
  period text not null check (period in ('day','month')),
  starts date not null,
  primary key (key_id, period, starts)
);

-- Deliveries to users' webhooks. Kept thirty days for their page.
create table gateway_webhooks (
  id text primary key,
  user_id text not null,
  event text not null,
  body text not null,
  state text not null default 'waiting' check (state in ('waiting','sent','failed')),
  attempts int not null default 0,
  -- Our own words, never the other side's.
  problem text,
  created_at timestamptz not null default now(),
  ended_at timestamptz
);
create index gateway_webhooks_user on gateway_webhooks (user_id, created_at desc);

-- Money and sums wait in separate tables. `gateway_unposted` keeps the charges of a flush for each lease and is posted to the ledger soon.
-- `gateway_unsummed` keeps the results by hour, model and key for longer, so that many calls of a key share one update of its sums.
-- Readers of sums add the waiting rows, so no page is behind.
create table gateway_unsummed (
  account_id bigint not null,
  hour timestamptz not null,
  model text not null,
  key_id text not null,
  calls bigint not null,
  tokens bigint not null,
  amount bigint not null,
  failed bigint not null,
  largest bigint not null,
  -- A correction waits for its sums as a row without a call.
  constraint gateway_unsummed_figures check (
    calls > 0 and amount >= 0 and failed between 0 and calls and largest between 0 and amount
    or calls = 0 and failed between -1 and 1 and largest >= 0)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000, autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 100000);
create index gateway_unsummed_account on gateway_unsummed (account_id, key_id);

-- Accounts whose estimates fell short of what a vendor billed: their calls are read to the end when a client leaves. A row is the proof.
create table gateway_read_on (
  account_id bigint primary key,
  call_id text not null,
  estimated bigint not null check (estimated >= 0),
  billed bigint not null check (billed > estimated),
  noted_at timestamptz not null default now()
);

-- The account that a vendor's response, or an item of one, belongs to. One vendor account serves all customers, so the vendor itself would
-- return a response to any customer who names it. Stores the first half of the id's SHA-256; rows live as long as vendors keep responses.
-- No unique index: an id that a vendor issues twice must not block the flush of its usage rows.
create table gateway_made_ids (
  id uuid not null,
  account_id bigint not null references wallet_accounts,
  made_at timestamptz not null default now()
);
create index gateway_made_ids_id on gateway_made_ids (id);
create index gateway_made_ids_age on gateway_made_ids using brin (made_at);

-- Further secrets of a key: the one before a rotation (`old`), and those of calls from the console (`test`). Rows are kept for a month
-- after their end, so that a call with a replaced secret gets that reason.
create table gateway_key_secrets (
  secret_hash bytea primary key check (length(secret_hash) = 32),
  key_id text not null references gateway_keys,
  kind text not null check (kind in ('old', 'test')),
  last4 text not null,
  made_at timestamptz not null default now(),
  ends_at timestamptz not null,
  -- Requests with it since the rotation, and the latest.
  calls bigint not null default 0 check (calls >= 0),
  last_used_at timestamptz
);
create index gateway_key_secrets_key on gateway_key_secrets (key_id, kind, made_at desc);

-- Calls that were refused before they were promised any money. They cost nothing and prove nothing; they are kept for a month,
-- for the person who looks for a reason. Rows are few however many calls there are: each process keeps so many a key and minute
-- (features/gateway/server/requests/recorder.ts), all others are only counted.
create table gateway_refused (
  account_id bigint not null,
  at timestamptz not null,
  -- `ref_` and the 24 characters of the request's id.
  id text not null,
  key_id text not null,
  cause text not null,
  status smallint not null,
  surface text not null check (surface in ('openai', 'anthropic', 'gemini')),
  path text not null,
  -- Of the catalogue; empty where the call named none of it, or was refused before its body was read.
  model text not null,
  asked text not null,
  message text not null,
  field text,
  total_ms int not null,
  primary key (account_id, at, id)
);
create index gateway_refused_age on gateway_refused using brin (at) with (pages_per_range = 16, autosummarize = on);

-- All of them, by hour: what the pages count.
create table gateway_refused_hours (
  account_id bigint not null,
  hour timestamptz not null,
  key_id text not null,
  model text not null,
  calls bigint not null check (calls > 0),
  -- How many of them have a row.
  kept bigint not null check (kept between 0 and calls),
  primary key (account_id, hour, key_id, model)
);
create index gateway_refused_hours_age on gateway_refused_hours (hour);

-- The list that is planned or holds: shares follow it, and what was taken back is not in it.
create view gateway_prices_kept as select p.* from gateway_prices p
  where p.of_version is null and not exists (select from gateway_price_drops d where d.version = p.version);

create function gateway_prices_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('gateway_prices', '');
  return null;
end $$;

create function gateway_guard_price_drop() returns trigger language plpgsql as $$
begin
  if (select valid_from from gateway_prices where version = new.version) <= now() then
    raise exception 'price % holds already', new.version using errcode = 'check_violation';
  end if;
  return new;
end $$;

create function gateway_guard_price_term() returns trigger language plpgsql as $$
begin
  if (new.id, new.user_id, new.model_id, new.valid_from, new.millionths, new.title, new.rises, new.made_by, new.made_at)
     is distinct from (old.id, old.user_id, old.model_id, old.valid_from, old.millionths, old.title, old.rises, old.made_by, old.made_at) or old.dropped_at is not null then
    raise exception 'what was negotiated is frozen' using errcode = 'check_violation';
  end if;
  if old.valid_from <= now() then
    raise exception 'terms % hold already', old.id using errcode = 'check_violation';
  end if;
  return new;
end $$;

create function gateway_share(prices bigint[], millionths int) returns bigint[] language sql immutable strict as $$
  select array(select ceil(price::numeric * millionths / 1000000)::bigint from unnest(prices) with ordinality as each (price, at) order by at)
$$;

-- Whichever comes second, a list price or a share of it, makes the row of both. One at a time, so that each sees the other.
create function gateway_share_prices() returns trigger language plpgsql as $$
declare
  v_version bigint := case tg_table_name when 'gateway_prices' then (to_jsonb(new)->>'version')::bigint end;
  v_term bigint := case tg_table_name when 'gateway_price_terms' then (to_jsonb(new)->>'id')::bigint end;
begin
  perform pg_advisory_xact_lock(hashtextextended('gateway_price_terms', 0));
  insert into gateway_prices (model_id, valid_from, classes, long_above, long_classes, source, factors, of_version, millionths)
  select distinct l.model_id, l.valid_from, gateway_share(l.classes, t.millionths), l.long_above, gateway_share(l.long_classes, t.millionths),
      'share:' || l.version || ':' || t.millionths, l.factors, l.version, t.millionths
    from gateway_price_terms t join gateway_prices_kept l on t.model_id is null or t.model_id = l.model_id
    where t.millionths < 1000000 and t.dropped_at is null and (v_version is null or l.version = v_version) and (v_term is null or t.id = v_term)
  on conflict on constraint gateway_prices_share do nothing;
  return null;
end $$;

-- The application may not create tables; it may ask for the months ahead.
create function gateway_make_months(ahead int) returns void language plpgsql security definer set search_path = public as $$
declare
  month date;
begin
  for month in select generate_series(date_trunc('month', now()) - interval '1 month', date_trunc('month', now()) + make_interval(months => ahead), interval '1 month')::date loop
    execute format('create table if not exists %I partition of gateway_usage for values from (%L) to (%L)',
      'gateway_usage_' || to_char(month, 'YYYYMM'), month::timestamp at time zone 'UTC', (month + interval '1 month')::timestamp at time zone 'UTC');
  end loop;
end $$;

-- Ends a statement whose parts must stand or fall together.
create function gateway_must(fine boolean, problem text) returns boolean language plpgsql as $$
begin
  if fine is not true then
    raise exception using errcode = 'GW001', message = problem;
  end if;
  return true;
end $$;

create function gateway_shanghai_day(hour timestamptz) returns date language sql stable parallel safe return (hour at time zone 'Asia/Shanghai')::date;

-- Opens calls, writes usage rows with what is to be posted of them, closes calls: together or not at all.
create function gateway_flush(
  o_call text[], o_lease bigint[], o_account bigint[], o_key text[], o_user text[], o_model text[], o_upstream text[], o_price bigint[], o_held bigint[], o_started float8[], o_node text,
  s_call text[], s_lease bigint[], s_account bigint[], s_key text[], s_user text[], s_model text[], s_upstream text[], s_price bigint[], s_started float8[], s_dialect text[], s_stream bool[],
  s_status int[], s_outcome text[], s_provenance text[], s_amount bigint[], s_input bigint[], s_cached bigint[], s_output bigint[], s_reasoning bigint[], s_lines text[],
  s_request text[], s_upstream_request text[], s_first_byte int[], s_total int[],
  u_lease bigint[], u_account bigint[], u_hour timestamptz[], u_model text[], u_key text[], u_calls bigint[], u_tokens bigint[], u_amount bigint[], u_failed bigint[], u_largest bigint[],
  p_closed text[]) returns void language plpgsql set plan_cache_mode = force_generic_plan as $$
begin
  if o_call <> '{}' then
    insert into gateway_calls (call_id, lease_id, account_id, key_id, user_id, model, upstream, price_version, held, node, started_at)
    select call_id, lease_id, account_id, key_id, user_id, model, upstream, price_version, held, o_node, to_timestamp(started / 1000.0)
    from unnest(o_call, o_lease, o_account, o_key, o_user, o_model, o_upstream, o_price, o_held, o_started)
      as r (call_id, lease_id, account_id, key_id, user_id, model, upstream, price_version, held, started);
  end if;
  if s_call <> '{}' then
    insert into gateway_usage (call_id, lease_id, account_id, key_id, user_id, model, upstream, price_version, started_at, dialect, stream, status, outcome, provenance,
      amount, input_tokens, cached_tokens, output_tokens, reasoning_tokens, lines, request_id, upstream_request_id, first_byte_ms, total_ms)
    select call_id, lease_id, account_id, key_id, user_id, model, upstream, price_version, to_timestamp(started / 1000.0), dialect, stream, status, outcome, provenance,
      amount, input_tokens, cached_tokens, output_tokens, reasoning_tokens, lines::bigint[], request_id, upstream_request_id, first_byte_ms, total_ms
    from unnest(s_call, s_lease, s_account, s_key, s_user, s_model, s_upstream, s_price, s_started, s_dialect, s_stream, s_status, s_outcome, s_provenance,
      s_amount, s_input, s_cached, s_output, s_reasoning, s_lines, s_request, s_upstream_request, s_first_byte, s_total)
      as s (call_id, lease_id, account_id, key_id, user_id, model, upstream, price_version, started, dialect, stream, status, outcome, provenance,
      amount, input_tokens, cached_tokens, output_tokens, reasoning_tokens, lines, request_id, upstream_request_id, first_byte_ms, total_ms);
    insert into gateway_unposted (lease_id, account_id, hour, model, key_id, calls, tokens, amount, failed, largest)
    select * from unnest(u_lease, u_account, u_hour, u_model, u_key, u_calls, u_tokens, u_amount, u_failed, u_largest);
  end if;
  if p_closed <> '{}' then
    delete from gateway_calls where call_id = any (p_closed);
  end if;
end $$;

create function gateway_routes_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('gateway_routes', '');
  return null;
end $$;

-- Milliseconds until `p_more` of what the window holds have left it; null when that is more than it holds.
create function gateway_frees_in(p_slots bigint[], p_second bigint, p_now_ms bigint, p_more bigint) returns bigint language plpgsql immutable as $$
declare
  v_left bigint := p_more;
begin
  if p_more <= 0 then return 0; end if;
  for ago in reverse 59 .. 0 loop
    v_left := v_left - p_slots[(p_second - ago) % 60 + 1];
    if v_left <= 0 then return greatest(1, (p_second - ago + 60) * 1000 - p_now_ms); end if;
  end loop;
  return null;
end $$;

-- Calls that came to their end: their slots and reserved dollars are free, and the tokens of their minute are what they
-- really were. May be said twice.
create function gateway_end_takes(p_call text[], p_tokens bigint[]) returns void language plpgsql set plan_cache_mode = force_generic_plan as $$
declare
  v_gone record;
begin
  for v_gone in
    with gone as (
      delete from gateway_takes t using unnest(p_call, p_tokens) u (call_id, came) where t.call_id = u.call_id
      returning t.key_id, t.second, u.came - t.tokens as more, t.tokens
    ) select key_id, second, sum(more)::bigint as more from gone where tokens > 0 group by key_id, second having sum(more) <> 0 order by key_id, second
  loop
    update gateway_key_minutes m set tokens[v_gone.second % 60 + 1] = greatest(0, m.tokens[v_gone.second % 60 + 1] + v_gone.more)
      where m.key_id = v_gone.key_id and m.second - v_gone.second < 60;
  end loop;
end $$;

-- Ends open rows: the two lists go together.
create function gateway_close(p_accounts bigint[], p_calls text[]) returns void language plpgsql set plan_cache_mode = force_generic_plan as $$
begin
  delete from gateway_calls c using unnest(p_accounts, p_calls) as e (account_id, call_id) where c.account_id = e.account_id and c.call_id = e.call_id;
end $$;

-- Moves what waits into hours and days; returns the rows moved. One at a time: a second finds the first at work and leaves.
create function gateway_sum() returns int language plpgsql as $$
declare
  v_rows int;
begin
  if not pg_try_advisory_xact_lock(hashtext('gateway_sum')) then return 0; end if;
  with taken as (
    delete from gateway_unsummed where ctid = any (array(select ctid from gateway_unsummed limit 200000)) returning account_id, hour, model, key_id, calls, tokens, amount, failed, largest
  ), hours as (
    select account_id, hour, model, key_id, sum(calls) as calls, sum(tokens) as tokens, sum(amount) as amount, sum(failed) as failed, max(largest) as largest, count(*) as n
    from taken group by 1, 2, 3, 4 order by 1, 2, 3, 4
  ), by_hour as (
    insert into gateway_usage_hours as h (account_id, hour, model, key_id, calls, tokens, amount, failed, largest)
    select account_id, hour, model, key_id, calls, tokens, amount, failed, largest from hours
    on conflict (account_id, hour, model, key_id) do update set calls = h.calls + excluded.calls, tokens = h.tokens + excluded.tokens,
      amount = h.amount + excluded.amount, failed = h.failed + excluded.failed, largest = greatest(h.largest, excluded.largest)
  ), by_day as (
    insert into gateway_usage_days as d (account_id, day, model, key_id, calls, tokens, amount, failed, largest)
    select account_id, gateway_shanghai_day(hour), model, key_id, sum(calls), sum(tokens), sum(amount), sum(failed), max(largest) from hours group by 1, 2, 3, 4 order by 1, 2, 3, 4
    on conflict (account_id, day, model, key_id) do update set calls = d.calls + excluded.calls, tokens = d.tokens + excluded.tokens,
      amount = d.amount + excluded.amount, failed = d.failed + excluded.failed, largest = greatest(d.largest, excluded.largest)
  ) select coalesce(sum(n), 0) into v_rows from hours;
  return v_rows;
end $$;

-- Takes calls within the limits of their keys, in the order given; a verdict each: taken, or the limit that stands in the way
-- (requests, tokens, concurrency, day, month). A minute is the running second and the 59 before it, by this server's clock. The
-- limits are read under the lock: a change holds from the next call on, whatever a process has in its memory.
create function gateway_take(p_node text, p_call text[], p_key text[], p_held bigint[], p_tokens bigint[], p_started float8[])
returns table (n int, verdict text, bound bigint, used bigint, retry_ms bigint, second bigint,
  requests_limit bigint, requests_left bigint, requests_reset_ms bigint, tokens_limit bigint, tokens_left bigint, tokens_reset_ms bigint)
language plpgsql set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  v_key text;
  v_lim gateway_keys;
  v_min gateway_key_minutes;
  v_now bigint;
  v_requests bigint;
  v_tokens bigint;
  v_counted bigint;
  v_open bigint;
  v_day date;
  v_known date;
  v_day_used bigint;
  v_month_used bigint;
  v_last bigint;
  v_taken int[];
  v_days date[];
begin
  for v_key in select distinct k from unnest(p_key) k order by k loop
    insert into gateway_key_minutes (key_id, second, requests, tokens) values (v_key, 0, array_fill(0, array[60]), array_fill(0::bigint, array[60]))
      on conflict (key_id) do nothing;
    select * into v_min from gateway_key_minutes where key_id = v_key for update;
    select * into v_lim from gateway_keys where key_id = v_key;
    v_now := floor(extract(epoch from clock_timestamp()) * 1000);
    second := greatest(v_now / 1000, v_min.second);
    for ago in 0 .. least(60, second - v_min.second) - 1 loop
      v_min.requests[(second - ago) % 60 + 1] := 0;
      v_min.tokens[(second - ago) % 60 + 1] := 0;
    end loop;
    select coalesce(sum(r), 0) into v_requests from unnest(v_min.requests) r;
    select coalesce(sum(t), 0) into v_tokens from unnest(v_min.tokens) t;
    v_open := (select count(*) from gateway_takes where key_id = v_key);
    v_known := null;
    v_taken := '{}';
    v_days := '{}';
    for n in select i from unnest(p_key) with ordinality k (key_id, i) where k.key_id = v_key order by i loop
      v_day := (to_timestamp(p_started[n] / 1000.0) at time zone 'Asia/Shanghai')::date;
      if v_known is distinct from v_day and coalesce(v_lim.day_budget, v_lim.month_budget) is not null then
        v_known := v_day;
        -- One statement: of a call that ends meanwhile, its row or its promise is seen, or both, and never neither.
        select s.day_spent + h.day_held, s.month_spent + h.month_held into v_day_used, v_month_used
        from gateway_key_spent(v_key, v_lim.account_id, v_day) s cross join (
          select coalesce(sum(held) filter (where day = v_day), 0) as day_held, coalesce(sum(held), 0) as month_held from (
            select day, held from gateway_takes where key_id = v_key
            union all select d, p_held[c] from unnest(v_taken, v_days) t (c, d)) taken where date_trunc('month', day) = date_trunc('month', v_day)) h;
      end if;
      v_counted := case when v_lim.tokens_minute is null then 0 else p_tokens[n] end;
      verdict := 'taken';
      bound := null;
      used := null;
      retry_ms := null;
      if v_open >= v_lim.calls_at_once then
        verdict := 'concurrency'; bound := v_lim.calls_at_once; used := v_open; retry_ms := 1000;
      elsif v_requests >= v_lim.requests_minute then
        verdict := 'requests'; bound := v_lim.requests_minute; used := v_requests;
        retry_ms := gateway_frees_in(v_min.requests::bigint[], second, v_now, v_requests + 1 - bound);
      elsif v_tokens + v_counted > v_lim.tokens_minute then
        verdict := 'tokens'; bound := v_lim.tokens_minute; used := v_tokens;
        retry_ms := case when v_counted <= bound then gateway_frees_in(v_min.tokens, second, v_now, v_tokens + v_counted - bound) end;
      elsif v_day_used + p_held[n] > v_lim.day_budget then
        verdict := 'day'; bound := v_lim.day_budget; used := v_day_used;
      elsif v_month_used + p_held[n] > v_lim.month_budget then
        verdict := 'month'; bound := v_lim.month_budget; used := v_month_used;
      else
        v_open := v_open + 1;
        v_requests := v_requests + 1;
        v_tokens := v_tokens + v_counted;
        v_day_used := v_day_used + p_held[n];
        v_month_used := v_month_used + p_held[n];
        v_min.requests[second % 60 + 1] := v_min.requests[second % 60 + 1] + 1;
        v_min.tokens[second % 60 + 1] := v_min.tokens[second % 60 + 1] + v_counted;
        v_taken := v_taken || n;
        v_days := v_days || v_day;
      end if;
      requests_limit := v_lim.requests_minute;
      requests_left := greatest(0, v_lim.requests_minute - v_requests);
      requests_reset_ms := gateway_frees_in(v_min.requests::bigint[], second, v_now, v_requests);
      tokens_limit := v_lim.tokens_minute;
      tokens_left := greatest(0, v_lim.tokens_minute - v_tokens);
      tokens_reset_ms := gateway_frees_in(v_min.tokens, second, v_now, v_tokens);
      return next;
    end loop;
    update gateway_key_minutes set second = gateway_take.second, requests = v_min.requests, tokens = v_min.tokens where key_id = v_key;
    insert into gateway_takes (call_id, key_id, node, day, held, tokens, second)
      select p_call[c], v_key, p_node, d, p_held[c], case when v_lim.tokens_minute is null then 0 else p_tokens[c] end, gateway_take.second
      from unnest(v_taken, v_days) t (c, d);
  end loop;
end $$;

-- Amounts that a key has spent. Both parts of the union name the account.
create function gateway_key_spent(p_key text, p_account bigint, p_day date, out day_spent bigint, out month_spent bigint) language sql stable as $$
  select coalesce(sum(amount) filter (where day = p_day), 0)::bigint, coalesce(sum(amount), 0)::bigint from (
    select d.day, d.amount from gateway_usage_days d
      where d.account_id = p_account and d.key_id = p_key and d.day >= date_trunc('month', p_day)::date and d.day < (date_trunc('month', p_day) + interval '1 month')::date
    union all
    select gateway_shanghai_day(u.hour), u.amount from gateway_unsummed u
      where u.account_id = p_account and u.key_id = p_key and date_trunc('month', gateway_shanghai_day(u.hour)) = date_trunc('month', p_day)
  ) s
$$;

-- A posting takes a few accounts a transaction. One transaction for all of them kept every account's row locked
-- until the last was done, and a call that needed more of its account's money meanwhile waited for it.

-- Moves what these rows of gateway_unposted charge into the ledger; returns their number.
create function gateway_post_rows(p_ids bigint[], p_accounts bigint[], p_leases bigint[], p_amounts bigint[]) returns int language plpgsql
set plan_cache_mode = force_generic_plan as $$
declare
  v_of bigint[];
  v_leases bigint[];
  v_amounts bigint[];
  v_refs text[];
begin
  select array_agg(account_id order by lease_id), array_agg(lease_id order by lease_id), array_agg(amount order by lease_id), array_agg('charge:' || lease_id || ':' || last order by lease_id)
    into v_of, v_leases, v_amounts, v_refs
    from (select account_id, lease_id, sum(amount)::bigint as amount, max(id) as last from unnest(p_ids, p_accounts, p_leases, p_amounts) as u (id, account_id, lease_id, amount)
      group by account_id, lease_id having sum(amount) > 0) sums;
  if v_leases is not null then
    perform gateway_must(not exists (select from wallet_capture_many(v_of, array(select 'gateway.lease.' || l from unnest(v_leases) with ordinality u (l, n) order by n),
      v_amounts, v_refs, 'gateway.usage', 'revenue', 'system', 'lease closed or too small') c where c.outcome <> 'captured'), 'the wallet refused a capture');
  end if;
  return coalesce(cardinality(p_ids), 0);
end $$;

-- Takes what waits of the next accounts after this one, 10,000 rows at most; `last` is the last of them, null where none are left after them. By
-- index: the plan is kept, and was made when hardly a row waited.
create function gateway_next_unposted(p_after bigint, p_accounts int, out last bigint, out ids bigint[], out accounts bigint[], out leases bigint[], out amounts bigint[])
language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
#variable_conflict use_column
declare
  v_found int;
begin
  select max(account_id), count(*) into last, v_found from (select distinct account_id from gateway_unposted where account_id > p_after order by account_id limit p_accounts) next_;
  with taken as (
    delete from gateway_unposted where ctid = any (array(
      select ctid from gateway_unposted where account_id > p_after and account_id <= last order by account_id limit 10000 for update skip locked)) returning *
  ), summed as (
    -- Rows that carry their own sums.
    insert into gateway_unsummed (account_id, hour, model, key_id, calls, tokens, amount, failed, largest)
    select account_id, hour, model, key_id, calls, tokens, amount, failed, largest from taken where key_id is not null
  ) select array_agg(t.id), array_agg(t.account_id), array_agg(t.lease_id), array_agg(t.amount) into ids, accounts, leases, amounts from taken t;
  if cardinality(ids) = 10000 then
    last := (select max(a) from unnest(accounts) a); -- the accounts after it are the next transaction's
  elsif v_found < p_accounts then
    last := null;
  end if;
end $$;

-- Posts what waits of the next accounts after this one; `last` is where to go on, null where none is left.
create function gateway_post_next(p_after bigint, p_accounts int, out moved int, out last bigint) language plpgsql as $$
declare
  v_next record;
begin
  select * into v_next from gateway_next_unposted(p_after, p_accounts);
  last := v_next.last;
  moved := gateway_post_rows(v_next.ids, v_next.accounts, v_next.leases, v_next.amounts);
end $$;

-- Of the leases named; without them as much as there is.
create function gateway_post(p_accounts bigint[], p_leases bigint[]) returns int language plpgsql set plan_cache_mode = force_generic_plan as $$
declare
  v_ids bigint[];
  v_of bigint[];
  v_leases bigint[];
  v_amounts bigint[];
begin
  if p_leases is null then
    with taken as (
      delete from gateway_unposted where ctid = any (array(select ctid from gateway_unposted limit 10000 for update skip locked)) returning *
    ), summed as (
      insert into gateway_unsummed (account_id, hour, model, key_id, calls, tokens, amount, failed, largest)
      select account_id, hour, model, key_id, calls, tokens, amount, failed, largest from taken where key_id is not null
    ) select array_agg(t.id), array_agg(t.account_id), array_agg(t.lease_id), array_agg(t.amount) into v_ids, v_of, v_leases, v_amounts from taken t;
  else
    with taken as (
      delete from gateway_unposted u using unnest(p_accounts, p_leases) as l (account_id, lease_id) where u.account_id = l.account_id and u.lease_id = l.lease_id returning u.*
    ), summed as (
      insert into gateway_unsummed (account_id, hour, model, key_id, calls, tokens, amount, failed, largest)
      select account_id, hour, model, key_id, calls, tokens, amount, failed, largest from taken where key_id is not null
    ) select array_agg(t.id), array_agg(t.account_id), array_agg(t.lease_id), array_agg(t.amount) into v_ids, v_of, v_leases, v_amounts from taken t;
  end if;
  return gateway_post_rows(v_ids, v_of, v_leases, v_amounts);
end $$;

-- Processes cache keys by secret: every secret of a changed key is read again.
create function gateway_key_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('gateway_keys', encode(new.secret_hash, 'hex'));
  if tg_op = 'UPDATE' then
    if old.secret_hash <> new.secret_hash then perform pg_notify('gateway_keys', encode(old.secret_hash, 'hex')); end if;
    perform pg_notify('gateway_keys', encode(secret_hash, 'hex')) from gateway_key_secrets where key_id = new.key_id and ends_at > now();
  end if;
  return null;
end $$;

create function gateway_key_secret_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('gateway_keys', encode(coalesce(new.secret_hash, old.secret_hash), 'hex'));
  return null;
end $$;

create function gateway_read_on_changed() returns trigger language plpgsql as $$
declare v_account bigint := coalesce(new.account_id, old.account_id);
begin
  perform pg_notify('gateway_keys', encode(secret_hash, 'hex')) from gateway_keys where account_id = v_account and deleted_at is null;
  perform pg_notify('gateway_keys', encode(s.secret_hash, 'hex')) from gateway_key_secrets s join gateway_keys k using (key_id)
    where k.account_id = v_account and k.deleted_at is null and s.ends_at > now();
  return null;
end $$;

create function gateway_guard_test_call() returns trigger language plpgsql as $$
begin
  if old.state in ('done','failed','unknown') or (old.state = 'calling' and new.state = 'waiting') or (old.state = 'waiting' and new.state in ('done','unknown')) then
    raise exception 'test call % cannot go from % to %', old.test_id, old.state, new.state using errcode = 'check_violation';
  end if;
  if old.state = 'calling' and (old.held, old.most_input, old.most_output) is distinct from (new.held, new.most_input, new.most_output) then
    raise exception 'what is held for test call % is frozen', old.test_id using errcode = 'check_violation';
  end if;
  return new;
end $$;

-- A process that was taken for dead may come back with real figures. Its death is final for its name, calls swept in its absence stay
-- correctable, and each correction is one transaction: dedupe row, usage row, sums and money (docs/decisions/open-calls-and-dead-nodes.md).

create function gateway_dead_is_final() returns trigger language plpgsql as $$
begin
  if old.dead_at is not null and (new.dead_at is distinct from old.dead_at or new.beat_at <> old.beat_at) then
    raise exception using errcode = 'GW002', message = 'node ' || old.node || ' was declared dead';
  end if;
  return new;
end $$;

-- Money is drawn under the name of a living process only. A name that was declared dead draws nothing more.
create function gateway_lease_needs_node() returns trigger language plpgsql as $$
begin
  if not exists (select from gateway_nodes n where n.node = new.node and n.dead_at is null) then
    raise exception using errcode = 'GW002', message = 'no living node ' || new.node;
  end if;
  return new;
end $$;

-- The process behind a dead name continues under a new name and takes over the rest of its leases, to end them. Waits for a sweeper that is
-- ending one of them. Idempotent for the same pair of names.
create function gateway_return(p_was text, p_node text, out leases int, out calls int) language plpgsql as $$
begin
  insert into gateway_nodes (node) values (p_node) on conflict (node) do nothing;
  update gateway_leases set node = p_node where node = p_was;
  get diagnostics leases = row_count;
  update gateway_calls set node = p_node where node = p_was;
  get diagnostics calls = row_count;
  delete from gateway_nodes where node = p_was;
end $$;

-- A usage row changes by a correction that was written in the same transaction, and in its figures only.
create function gateway_usage_rewrite() returns trigger language plpgsql as $$
begin
  if tg_op <> 'UPDATE'
    or (new.call_id, new.account_id, new.started_at, new.settled_at, new.lease_id, new.user_id, new.key_id, new.model, new.asked_model, new.price_version)
      is distinct from (old.call_id, old.account_id, old.started_at, old.settled_at, old.lease_id, old.user_id, old.key_id, old.model, old.asked_model, old.price_version)
    or not exists (select from gateway_corrections c where c.account_id = new.account_id and c.call_id = new.call_id
      and c.xact = pg_current_xact_id() and (c.amount_before, c.amount_after) = (old.amount, new.amount)) then
    raise exception '% is append-only', tg_table_name using errcode = 'insufficient_privilege';
  end if;
  return new;
end $$;

-- Gives back what a lease was charged too much, to the lots it came from; what was never paid and is still owed is forgiven first.
create function gateway_give_back(p_account bigint, p_lease bigint, p_amount bigint, p_ref text) returns void language plpgsql
set plan_cache_mode = force_generic_plan as $$
declare
  v_owner text := (select owner from wallet_accounts where id = p_account);
  v_left bigint := p_amount;
  v_part bigint;
  v_debt bigint;
  v_txn record;
  v_legs jsonb := '[]';
begin
  -- Waiting rows are posted first: only a charge that was taken can be given back.
  perform gateway_post(array[p_account], array[p_lease]);
  perform wallet_lock(array[p_account]);
  for v_txn in
    select c.transaction_id as id, sum(c.debt)::bigint as debt, (select coalesce(sum(u.amount), 0) from wallet_lot_uses u
        where u.account_id = p_account and (u.undoes = c.transaction_id or u.undoes is null and u.transfer_id in (select t.id from wallet_transfers t where t.transaction_id = c.transaction_id)))::bigint as taken
    from wallet_captures c where c.account_id = p_account and c.kind = 'gateway.usage' and c.hold_id = 'gateway.lease.' || p_lease
    group by c.transaction_id order by c.transaction_id desc
  loop
    v_debt := least(v_left, v_txn.debt, greatest(0, coalesce((select -r.posted from wallet_accounts r where r.owner = v_owner and r.kind = 'receivable' and r.currency = 'USD'), 0)
      - coalesce((select sum((l ->> 'amount')::bigint) from jsonb_array_elements(v_legs) l where l ->> 'credit_kind' = 'receivable'), 0)));
    if v_debt > 0 then
      v_legs := v_legs || jsonb_build_object('debit_owner', 'system', 'debit_kind', 'revenue', 'credit_owner', v_owner, 'credit_kind', 'receivable', 'amount', v_debt::text);
      v_left := v_left - v_debt;
    end if;
    v_part := least(v_left, v_txn.taken);
    if v_part > 0 then
      v_legs := v_legs || jsonb_build_object('debit_owner', 'system', 'debit_kind', 'revenue', 'credit_owner', v_owner, 'credit_kind', 'customer', 'amount', v_part::text, 'undoes', v_txn.id::text);
      v_left := v_left - v_part;
    end if;
    exit when v_left = 0;
  end loop;
  -- Paid as a debt that was settled since: which lots settled it is not known, so it comes back as credit that cannot be withdrawn.
  if v_left > 0 then
    v_legs := v_legs || jsonb_build_object('debit_owner', 'system', 'debit_kind', 'revenue', 'credit_owner', v_owner, 'credit_kind', 'customer', 'amount', v_left::text, 'lot_kind', 'granted');
  end if;
  perform wallet_post('gateway.correction', p_ref, v_legs);
end $$;

-- Puts a real figure in the place of what a call was charged: `corrected`, `equal` (the same figure), `kept` (what stands is final, or as
-- good) or `unknown` (no such row). `p_new` has figures by column; absent ones stay. The row's lock orders correctors. A process corrects what was
-- written in its place, once, and a vendor's own figure only by another one; a vendor's figure corrects a hold or a sweep to zero.
create function gateway_correct(p_account bigint, p_call text, p_started timestamptz, p_cause text, p_by text, p_new jsonb, out outcome text, out difference bigint)
language plpgsql security definer set search_path = public, pg_temp set plan_cache_mode = force_generic_plan as $$
declare
  v_old gateway_usage;
  v_new gateway_usage;
  v_swept gateway_swept;
  v_no int;
begin
  difference := 0;
  select * into v_old from gateway_usage u where u.account_id = p_account and u.started_at = p_started and u.call_id = p_call for update;
  if v_old.call_id is null then outcome := 'unknown'; return; end if;
  select * into v_swept from gateway_swept s where s.account_id = p_account and s.call_id = p_call for update;
  v_new := jsonb_populate_record(v_old, p_new);
  outcome := 'kept';
  if v_swept.call_id is null then
    -- Rows swept to zero before sweeps were noted: a sweeper's row has no request id.
    if p_cause = 'node' or v_old.amount <> 0 or v_old.request_id <> '' or v_old.outcome <> 'upstream_cut' or v_old.status <> 500 then return; end if;
    insert into gateway_swept (account_id, call_id, started_at, lease_id, node, basis, amount, swept_at)
      values (p_account, p_call, p_started, v_old.lease_id, '', 'none', 0, v_old.settled_at) returning * into v_swept;
  elsif v_swept.resolved_by in ('node', 'operator') then
    return;
  elsif coalesce(v_swept.resolved_by, v_swept.basis) = 'vendor' and (p_cause <> 'node' or v_new.provenance not in ('upstream', 'counted') or v_new.lines = '{}') then
    return;
  end if;
  update gateway_swept s set resolved_by = p_cause, resolved_at = now() where s.account_id = p_account and s.call_id = p_call;
  difference := v_new.amount - v_old.amount;
  if v_new is not distinct from v_old then outcome := 'equal'; return; end if;
  outcome := 'corrected';
  select coalesce(max(c.no), 0) + 1 into v_no from gateway_corrections c where c.account_id = p_account and c.call_id = p_call;
  insert into gateway_corrections (account_id, call_id, no, started_at, lease_id, cause, by, amount_before, amount_after, before)
    values (p_account, p_call, v_no, p_started, v_old.lease_id, p_cause, p_by, v_old.amount, v_new.amount, to_jsonb(v_old));
  update gateway_usage u set upstream = v_new.upstream, dialect = v_new.dialect, stream = v_new.stream, status = v_new.status, outcome = v_new.outcome, provenance = v_new.provenance,
    amount = v_new.amount, input_tokens = v_new.input_tokens, cached_tokens = v_new.cached_tokens, output_tokens = v_new.output_tokens, reasoning_tokens = v_new.reasoning_tokens,
    lines = v_new.lines, request_id = v_new.request_id, upstream_request_id = v_new.upstream_request_id, first_byte_ms = v_new.first_byte_ms, total_ms = v_new.total_ms
    where u.account_id = p_account and u.started_at = p_started and u.call_id = p_call;
  insert into gateway_unsummed (account_id, hour, model, key_id, calls, tokens, amount, failed, largest)
    values (p_account, date_trunc('hour', p_started, 'UTC'), v_old.model, v_old.key_id, 0, v_new.input_tokens + v_new.output_tokens - v_old.input_tokens - v_old.output_tokens,
      difference, (v_new.outcome <> 'completed')::int - (v_old.outcome <> 'completed')::int, v_new.amount);
  if difference > 0 then
    insert into gateway_unposted (lease_id, account_id, amount) values (v_old.lease_id, p_account, difference);
  elsif difference < 0 then
    perform gateway_give_back(p_account, v_old.lease_id, - difference, p_call || ':' || v_no);
  end if;
end $$;

create trigger gateway_keys_made after insert on gateway_keys for each row execute function gateway_key_changed();
create trigger gateway_models_news after insert or update or delete on gateway_models for each statement execute function gateway_prices_changed();
create trigger gateway_prices_news after insert on gateway_prices for each statement execute function gateway_prices_changed();
create trigger gateway_upstreams_news after insert or update or delete on gateway_upstreams for each statement execute function gateway_routes_changed();
create trigger gateway_routes_news after insert or update or delete on gateway_routes for each statement execute function gateway_routes_changed();
create trigger gateway_read_on_news after insert or delete on gateway_read_on for each row execute function gateway_read_on_changed();

create trigger gateway_keys_changed after update of deleted_at, disabled_at, secret_hash, on_disconnect, account_id, expires_at, models, networks,
  requests_minute, tokens_minute, calls_at_once, day_budget, month_budget on gateway_keys for each row execute function gateway_key_changed();

create trigger gateway_key_secrets_changed after insert or delete or update of ends_at on gateway_key_secrets
  for each row execute function gateway_key_secret_changed();

create trigger gateway_keys_paused after update of paused_at on gateway_keys
  for each row when (old.paused_at is distinct from new.paused_at) execute function gateway_key_changed();
create trigger gateway_price_drops_guard before insert on gateway_price_drops for each row execute function gateway_guard_price_drop();
create trigger gateway_price_drops_news after insert on gateway_price_drops for each statement execute function gateway_prices_changed();
create trigger gateway_price_terms_guard before update on gateway_price_terms for each row execute function gateway_guard_price_term();
create trigger gateway_price_terms_news after insert or update on gateway_price_terms for each statement execute function gateway_prices_changed();
create trigger gateway_prices_shares after insert on gateway_prices for each row when (new.of_version is null) execute function gateway_share_prices();
create trigger gateway_price_terms_shares after insert on gateway_price_terms for each row execute function gateway_share_prices();
create trigger gateway_upstream_keys_news after insert or update on gateway_upstream_keys for each statement execute function gateway_routes_changed();
create trigger gateway_test_calls_guard before update on gateway_test_calls for each row execute function gateway_guard_test_call();
create trigger dead_is_final before update on gateway_nodes for each row execute function gateway_dead_is_final();
create trigger needs_node before insert or update of node on gateway_leases for each row execute function gateway_lease_needs_node();

call make_append_only('gateway_prices');
call make_append_only('gateway_price_drops');
call make_append_only('gateway_corrections');

-- Usage is append-only but for corrections.
revoke update, delete, truncate on gateway_usage from mingxi_app;
create trigger append_only before update or delete on gateway_usage for each row execute function gateway_usage_rewrite();
create trigger append_only_truncate before truncate on gateway_usage for each statement execute function refuse_rewrite();

revoke insert on gateway_corrections from mingxi_app;
revoke delete, truncate on gateway_price_terms, gateway_upstream_keys, gateway_test_calls from mingxi_app;

select gateway_make_months(12);

-- A list of keys is looked up by index, regardless of the table's content when the plan was made. These functions keep one plan
-- (force_generic_plan), made at the start of a session, when the table of open calls is nearly empty: a sequential scan was cheapest then,
-- and remained the plan. With 15,000 open calls one end cost 5 ms, with none 32 ends cost 0.44 instead of 0.17 ms.
alter function gateway_close(bigint[], text[]) set enable_seqscan = off;

alter function gateway_close(bigint[], text[]) set enable_hashjoin = off;
alter function gateway_close(bigint[], text[]) set enable_mergejoin = off;
alter function gateway_end_takes(text[], bigint[]) set enable_seqscan = off;
alter function gateway_end_takes(text[], bigint[]) set enable_hashjoin = off;
alter function gateway_end_takes(text[], bigint[]) set enable_mergejoin = off;
alter function gateway_take(text, text[], text[], bigint[], bigint[], float8[]) set enable_seqscan = off;

-- A function with its owner's rights finds nothing in the caller's temporary schema before the real tables.
alter function gateway_make_months(int) set search_path = public, pg_temp;
