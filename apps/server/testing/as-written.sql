-- For databases of tests alone. Tests know the catalogue as it was on the day that they were written for: whenever they run, its models retire
-- as many days later as have passed since, so that no day of the calendar fails a run.
create function test_models_as_written() returns trigger language plpgsql as $$
declare v_days int := current_date - date '2026-11-28';
begin
  new.deprecated_on := new.deprecated_on + v_days;
  new.retires_on := new.retires_on + v_days;
  return new;
end $$;
create trigger test_as_written before insert on gateway_models for each row execute function test_models_as_written();

-- Prices announced in files start as far ahead as on the day they were written. Prices set by operators keep their start.
create function test_prices_as_written() returns trigger language plpgsql as $$
begin
  if new.source like 'prices/%' and substr(new.source, 8, 10) <= '2026-11-28' and new.valid_from > timestamptz '2026-11-28 00:00Z' then
    new.valid_from := new.valid_from + make_interval(days => current_date - date '2026-11-28');
  end if;
  return new;
end $$;
create trigger test_as_written before insert on gateway_prices for each row execute function test_prices_as_written();
