-- What came in for an order and stayed, as in 0059, without payments that were turned away.
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
  where o.base_state in ('paid','fulfilled','paid_late') and o.transaction_type <> 0 and o.paid_at is not null
    -- late money that was not kept goes back from where it waits, and brought nothing
    and (o.base_state <> 'paid_late' or exists (select from payments_receipts r left join payments_resolutions s on s.receipt_id = r.id
      where r.order_id = o.id and (r.outcome in ('credited','late','again') or s.receipt_id is not null)));
