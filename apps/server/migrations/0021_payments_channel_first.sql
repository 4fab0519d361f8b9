-- Withdrawals go back the way the money came first; the rest goes by transfer.

-- `channel_nano`: what is with the channels or on its way to them. `sent_nano` and `sent_minor`: what the transfer takes, once it
-- has left, frozen with it.
alter table payments_withdrawals
  add column channel_nano bigint not null default 0 check (channel_nano >= 0),
  add column sent_nano bigint check (sent_nano > 0),
  add column sent_minor bigint check (sent_minor > 0);
update payments_withdrawals set sent_nano = amount_nano, sent_minor = pay_minor where sent_tx is not null;
alter table payments_withdrawals
  add constraint payments_withdrawals_whole check (channel_nano + coalesce(sent_nano, 0) <= amount_nano),
  add constraint payments_withdrawals_sent check ((sent_tx is null) = (sent_nano is null) and (sent_nano is null) = (sent_minor is null));

-- Each refund that a withdrawal started, at the order that brought the money. `lost`: it did not arrive, or came back.
create table payments_withdrawal_parts (
  refund_id bigint primary key references payments_refunds,
  withdrawal_id bigint not null references payments_withdrawals,
  amount_nano bigint not null check (amount_nano > 0),
  lost boolean not null default false
);
create index payments_withdrawal_parts_of on payments_withdrawal_parts (withdrawal_id);
revoke delete, truncate on payments_withdrawal_parts from mingxi_app;
