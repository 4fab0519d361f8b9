-- A key that operators have paused: refused like one that its owner switched off, and only operators let it work again.
alter table gateway_keys
  add column paused_at timestamptz,
  add column paused_reason text check (char_length(paused_reason) between 1 and 500),
  add column paused_by text,
  add constraint gateway_keys_paused check (num_nonnulls(paused_at, paused_reason, paused_by) in (0, 3));

create trigger gateway_keys_paused after update of paused_at on gateway_keys
  for each row when (old.paused_at is distinct from new.paused_at) execute function gateway_key_changed();
