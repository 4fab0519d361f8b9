-- That the notice about paying was read for an order before it was opened at a channel: once, and kept.
create table payments_notice_reads (
  order_id bigint primary key references payments_orders,
  read_at timestamptz not null default now()
);
revoke update, delete, truncate on payments_notice_reads from mingxi_app;
