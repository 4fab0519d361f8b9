-- Prices that operators plan: rows of gateway_prices like all others, from their own time on. One that has not begun yet can be taken
-- back; the row stays, as does who took it back.

create table gateway_price_drops (
  version bigint primary key references gateway_prices,
  at timestamptz not null default now(),
  by_operator text not null
);
call make_append_only('gateway_price_drops');

create function gateway_guard_price_drop() returns trigger language plpgsql as $$
begin
  if (select valid_from from gateway_prices where version = new.version) <= now() then
    raise exception 'price % holds already', new.version using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger gateway_price_drops_guard before insert on gateway_price_drops for each row execute function gateway_guard_price_drop();
create trigger gateway_price_drops_news after insert on gateway_price_drops for each statement execute function gateway_prices_changed();

-- What is planned or holds: all but what was taken back.
create view gateway_prices_kept as select p.* from gateway_prices p where not exists (select from gateway_price_drops d where d.version = p.version);
