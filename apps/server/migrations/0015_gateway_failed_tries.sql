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
