-- Payments at real channels: orders in the channel's own currency; the sandbox closes, refunds, disputes and states.

-- What an order is paid in is the channel's: fen, or cents where the channel's query answers in dollars.
alter table payments_orders drop constraint payments_orders_currency_check;
alter table payments_orders add constraint payments_orders_currency_check check (currency in ('CNY','USD'));

alter table payments_sandbox_trades drop constraint payments_sandbox_trades_state_check;
alter table payments_sandbox_trades add constraint payments_sandbox_trades_state_check check (state in ('open','paid','declined','closed'));

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
  check ((turns_to is null) = (turns_at is null))
);
create index payments_sandbox_disputes_due on payments_sandbox_disputes (turns_at) where turns_at is not null;
