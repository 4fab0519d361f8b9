-- Payments: the job that looks for outdated invoices goes from what changed, not through all that was ever issued.
create index payments_orders_integrity on payments_orders (id) where base_state = 'integrity_failure';
