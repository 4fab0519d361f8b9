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
revoke delete, truncate on gateway_upstream_keys from mingxi_app;
create trigger gateway_upstream_keys_news after insert or update on gateway_upstream_keys for each statement execute function gateway_routes_changed();

-- Small calls that operators make to see whether an upstream answers. Each is sent once at most; what it cost is the house's.
create table gateway_test_calls (
  test_id text primary key check (test_id ~ '^gtc_[0-9A-Z]{26}$'),
  upstream_id text not null,
  model_id text not null references gateway_models,
  -- The model's name at the upstream, and in which dialect it is asked.
  upstream_model text not null,
  dialect text not null,
  -- What the upstream asks, in basis points of the list price.
  cost_bp int not null check (cost_bp between 0 and 1000000),
  state text not null default 'waiting' check (state in ('waiting','calling','done','failed')),
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
  check ((state in ('done','failed')) = (ended_at is not null)),
  check (state = 'waiting' or called_at is not null)
);
create index gateway_test_calls_upstream on gateway_test_calls (upstream_id, asked_at desc);
create index gateway_test_calls_called on gateway_test_calls (called_at) where input_tokens is not null;
revoke delete, truncate on gateway_test_calls from mingxi_app;

create function gateway_guard_test_call() returns trigger language plpgsql as $$
begin
  if old.state in ('done','failed') or (old.state = 'calling' and new.state = 'waiting') or (old.state = 'waiting' and new.state = 'done') then
    raise exception 'test call % cannot go from % to %', old.test_id, old.state, new.state using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger gateway_test_calls_guard before update on gateway_test_calls for each row execute function gateway_guard_test_call();

-- What the house uses of what it sells.
insert into wallet_account_kinds (kind, may_go_negative, has_lots, about) values ('own_use', true, false, 'minus what calls of the house itself cost');
insert into wallet_allowed_pairs (debit_kind, credit_kind, about) values ('own_use', 'revenue', 'a test call of the house');
