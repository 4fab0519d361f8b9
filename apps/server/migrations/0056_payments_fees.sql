-- Fees beside the percentage: of each payment at a channel, of a dispute that was lost, of an order on an invoice.

alter table payments_orders
  -- The part of fee_nano that is no percentage.
  add column fixed_nano bigint not null default 0 check (fixed_nano >= 0),
  add check (fixed_nano <= fee_nano);
create or replace function payments_guard_order() returns trigger language plpgsql as $$
begin
  if new.state <> old.state and not exists (select from payments_order_edges where from_state = old.state and to_state = new.state) then
    raise exception 'order % cannot go from % to %', old.order_no, old.state, new.state using errcode = 'check_violation';
  end if;
  if new.state <> old.state and new.state in ('paid','fulfilled','paid_late','integrity_failure') and new.state <> new.base_state then
    raise exception 'order % is not % without its refunds', old.order_no, new.state using errcode = 'check_violation';
  end if;
  if old.base_state in ('fulfilled') and new.base_state <> old.base_state then
    raise exception 'order % was fulfilled already', old.order_no using errcode = 'check_violation';
  end if;
  if (new.order_no, new.user_id, new.order_type, new.amount_nano, new.fee_percent, new.fee_nano, new.fixed_nano, new.total_nano, new.rate, new.currency, new.pay_minor, new.channel_type, new.created_at, new.wishes, new.source)
     is distinct from
     (old.order_no, old.user_id, old.order_type, old.amount_nano, old.fee_percent, old.fee_nano, old.fixed_nano, old.total_nano, old.rate, old.currency, old.pay_minor, old.channel_type, old.created_at, old.wishes, old.source) then
    raise exception 'the figures of order % are frozen', old.order_no using errcode = 'check_violation';
  end if;
  return new;
end $$;

-- What a lost dispute cost its payer beside the amount, and how much of that was owed at first. Taken once; given back when it is won after all.
alter table payments_disputes
  add column fee_nano bigint not null default 0 check (fee_nano >= 0),
  add column fee_owed_nano bigint not null default 0 check (fee_owed_nano between 0 and fee_nano),
  add check (fee_nano = 0 or state = 'lost');

-- An order pays for its invoice once, however often that is issued anew.
create table payments_invoice_fees (
  order_id bigint primary key references payments_orders,
  paper_id bigint not null references payments_papers,
  fee_nano bigint not null check (fee_nano > 0),
  charged_at timestamptz not null default now()
);
revoke update, delete, truncate on payments_invoice_fees from mingxi_app;
