-- What channels keep of each line of their statements, and when a refund first left.

alter table payments_refunds add column dispatched_at timestamptz;
update payments_refunds set dispatched_at = coalesce(finished_at, created_at) where state in ('dispatched','unknown','succeeded','failed','reversed');

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
call make_append_only('payments_channel_costs');
