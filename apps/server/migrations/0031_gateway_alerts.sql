-- Gateway: alerts of a low balance and of key budgets, by mail and by webhook.

create table gateway_alert_settings (
  user_id text primary key,
  -- Nano-dollars below which the balance is told; told once until it has been above again.
  low_balance bigint check (low_balance > 0),
  low_told boolean not null default false,
  webhook_url text check (char_length(webhook_url) <= 500),
  -- The signing secret, sealed with the installation's key.
  webhook_secret bytea,
  updated_at timestamptz not null default now(),
  check ((webhook_url is null) = (webhook_secret is null))
);
create index gateway_alert_settings_low on gateway_alert_settings (user_id) where low_balance is not null;

-- What was told of a key's budget: each threshold once a day or month. 100: the first call that it did not cover.
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

-- What is sent to users' own addresses. Kept thirty days for their page.
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
