-- The operators' work list: who has taken what, for fifteen minutes; and the rows that wait, found without reading those that do not.
create table backoffice_leases (
  item text primary key check (length(item) between 3 and 200),
  operator_id text not null references backoffice_operators,
  until timestamptz not null
);

create index payments_withdrawals_deciding on payments_withdrawals (created_at) where state = 'approving';
create index payments_refunds_deciding on payments_refunds (created_at) where state = 'requested';
create index payments_receipts_suspended on payments_receipts (created_at) where outcome = 'suspense';
create index payments_disputes_open on payments_disputes (created_at) where state = 'open';
create index support_complaints_open on support_complaints (created_at) where state = 'open';
create index identity_people_in_review on identity_people (updated_at) where status = 'review';
create index backoffice_commands_glass on backoffice_commands (id) where via = 'breakGlass' and reviewed_by is null;
-- What operators search and filter by.
create index payments_orders_by_state on payments_orders (state, id desc);
create index payments_receipts_by_txn on payments_receipts (channel_txn);
create index payments_receipts_by_trade on payments_receipts (trade_no);
create index payments_withdrawals_by_state on payments_withdrawals (state, id desc);
create index payments_payout_accounts_same on payments_payout_accounts (digest);
create index notices_mails_of on notices_mails (recipient, created_at desc, id desc);
