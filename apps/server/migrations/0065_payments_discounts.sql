-- Payments: a discount comes off first: `amount_nano` is what is paid for, fee and total are computed on it, and `discount_nano`
-- joins the credit as a granted lot of the order. A user gets one: `discount_given` is set with the booking.
alter table payments_orders
  add column discount_nano bigint not null default 0 check (discount_nano >= 0),
  add column discount_given boolean not null default false check (not discount_given or discount_nano > 0);
create unique index payments_orders_discount on payments_orders (user_id) where discount_given;

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
  if old.discount_given and not new.discount_given then
    raise exception 'the discount of order % was given already', old.order_no using errcode = 'check_violation';
  end if;
  if (new.order_no, new.user_id, new.order_type, new.amount_nano, new.discount_nano, new.fee_percent, new.fee_nano, new.fixed_nano, new.total_nano, new.rate, new.currency, new.pay_minor, new.channel_type, new.created_at, new.wishes, new.source)
     is distinct from
     (old.order_no, old.user_id, old.order_type, old.amount_nano, old.discount_nano, old.fee_percent, old.fee_nano, old.fixed_nano, old.total_nano, old.rate, old.currency, old.pay_minor, old.channel_type, old.created_at, old.wishes, old.source) then
    raise exception 'the figures of order % are frozen', old.order_no using errcode = 'check_violation';
  end if;
  return new;
end $$;
