-- An account, and a link, goes on in one order at a time: two at once never both begin. A link may be longer than an index takes.
create unique index upgrade_orders_live_account on upgrade_orders (service, lower(account)) where task_id is not null and ended_at is null;
create unique index upgrade_orders_live_link on upgrade_orders (md5(link)) where task_id is not null and ended_at is null;
