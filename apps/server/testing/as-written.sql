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
