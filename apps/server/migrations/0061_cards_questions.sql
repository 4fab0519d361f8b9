-- A question is an event and a sum: not every issuer names its questions, and one that asks for more under the same name is another.
alter table cards_decisions drop constraint cards_decisions_pkey, add primary key (issuer, event_id, asked);

-- Years of membership that an order brought. They are taken back once, however often its money moves, and as many as were given.
create table cards_memberships (
  order_no text primary key,
  user_id text not null,
  years int not null check (years > 0),
  given_at timestamptz not null default now(),
  undone_at timestamptz
);
revoke delete, truncate on cards_memberships from mingxi_app;

insert into cards_memberships (order_no, user_id, years, given_at, undone_at)
  select o.order_no, o.user_id, 2, coalesce(o.paid_at, o.created_at), case when o.state = 'refunded' and o.base_state = 'fulfilled' then now() end
  from payments_orders o
  where o.order_type = 1 and exists (select from cards_cards c where c.order_no = o.order_no)
    or o.order_type = 7 and o.base_state = 'fulfilled';
