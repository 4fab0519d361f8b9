-- The desk asks for rare actions, and for days long past, among millions of rows: both read the table from its end until a page was full.
create index audit_rows_action on audit_rows (action, id);
create index audit_rows_at on audit_rows using brin (at) with (pages_per_range = 32, autosummarize = on);
create index payments_orders_created on payments_orders using brin (created_at) with (pages_per_range = 32, autosummarize = on);
