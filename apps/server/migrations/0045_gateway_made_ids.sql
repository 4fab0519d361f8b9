-- Gateway: which account a vendor made a response or an item of one for. One vendor account serves all customers, so the vendor itself would
-- give anybody's response to whoever names it (decision 0039). An id is kept as the first half of its SHA-256; rows live as long as vendors
-- keep responses. No unique index: what a vendor names twice must not stop the flush that its usage rows are in.
create table gateway_made_ids (
  id uuid not null,
  account_id bigint not null references wallet_accounts,
  made_at timestamptz not null default now()
);
create index gateway_made_ids_id on gateway_made_ids (id);
create index gateway_made_ids_age on gateway_made_ids using brin (made_at);

-- A function with its owner's rights finds nothing in the caller's temporary schema before the real tables.
alter function gateway_make_months(int) set search_path = public, pg_temp;
