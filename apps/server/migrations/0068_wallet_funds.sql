-- The funds page lists what changed a balance other than charges of calls, which are added up by day elsewhere. These two find the few
-- such rows of an account among its many charges; neither is written by a charge of calls.
create index wallet_transfers_out on wallet_transfers (debit_account_id, debit_seq) where debit_kind in ('customer', 'receivable') and credit_kind <> 'revenue';
create index wallet_transactions_other on wallet_transactions (account_id, id) where kind <> 'gateway.usage';
