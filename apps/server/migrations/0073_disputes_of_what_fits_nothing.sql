-- A payment that fits no order can be wanted back by the payer's bank too, before or after a person decided about it.

insert into payments_order_edges (from_state, to_state) values ('integrity_failure','disputed'), ('disputed','integrity_failure') on conflict do nothing;
