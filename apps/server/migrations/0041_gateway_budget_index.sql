-- Gateway: the watch for budgets looks at keys that have one, every five seconds. Without this it read all keys.
create index gateway_keys_budget on gateway_keys (key_id) where deleted_at is null and (day_budget is not null or month_budget is not null);
