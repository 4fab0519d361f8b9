-- Gateway: rows of calls are found by their account. The primary key that dedupes a call is led by the account and serves the
-- pages of calls too: one index a row less to write, and a key by which the table can be distributed. A call's account and
-- beginning never change, so it is as unique as its id.

alter table gateway_usage drop constraint gateway_usage_pkey;
alter table gateway_usage add primary key (account_id, started_at, call_id);
drop index gateway_usage_account;
