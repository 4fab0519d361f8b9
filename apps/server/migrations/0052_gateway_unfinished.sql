-- Gateway: calls that did not come to their end, by how they ended. Only such a call writes to it; the page of requests counts them by it.
create index gateway_usage_unfinished on gateway_usage (account_id, started_at, outcome) include (key_id, model) where outcome <> 'completed';
