-- What of a withdrawal paid for a debt of its user's, or for a payment that was charged back, and does not leave.
alter table payments_withdrawals
  add column taken_nano bigint not null default 0,
  add constraint payments_withdrawals_taken check (taken_nano between 0 and amount_nano);

-- What of the credit that an order brought has left by transfers which did not come back: the ledger knows the lots that they emptied.
create view payments_transferred as
  select w.user_id, l.order_ref as order_no, sum(u.amount)::bigint as amount_nano
  from payments_withdrawals w join wallet_transfers t on t.transaction_id = w.sent_tx
    join wallet_lot_uses u on u.transfer_id = t.id join wallet_lots l on l.id = u.lot_id
  where w.source = 'balance' and w.state in ('in_transit','paid') and l.kind = 'purchased' and l.order_ref is not null
  group by w.user_id, l.order_ref;

-- What came in for an order and did not go back, over its channel or by transfer, in dollars with its fee; orders paid from the balance
-- bring no new money.
create or replace view payments_net_paid as
  select o.id as order_id, o.order_no, o.user_id, o.order_type, o.paid_at, o.total_nano, o.amount_nano, o.fee_nano, o.pay_minor, o.currency, o.rate,
    o.transaction_type,
    greatest(0, o.total_nano
      - coalesce((select sum(f.amount_nano + f.fee_nano) from payments_refunds f
          where f.order_id = o.id and f.goes_to = 'channel' and f.source <> 'suspense' and f.state in ('approved','dispatched','unknown','succeeded')), 0)
      - coalesce((select sum(ceil(d.minor::numeric * o.total_nano / o.pay_minor)) from payments_disputes d where d.order_id = o.id and d.state in ('open','lost')), 0)
      - coalesce((select sum(x.amount_nano) from payments_transferred x where x.user_id = o.user_id and x.order_no = o.order_no), 0)
    )::bigint as net_nano
  from payments_orders o
  where o.base_state in ('paid','fulfilled','paid_late') and o.transaction_type <> 0 and o.paid_at is not null;
