-- The most that a test call can cost is written down before it is sent. One that may have been billed, and whose bill nobody knows,
-- is booked with it.
alter table gateway_test_calls
  add column most_input bigint check (most_input >= 0),
  add column most_output bigint check (most_output >= 0),
  add column held bigint check (held >= 0);

-- Lost before this was kept: more than enough tokens, each at the dearest price that the model ever had.
update gateway_test_calls t set most_input = 700, most_output = 16,
    held = ceil(716 * (select max(c) from gateway_prices p cross join unnest(p.classes[1:7]) c where p.model_id = t.model_id) * t.cost_bp / 10000 / 1e6)
  where t.state = 'calling';

alter table gateway_test_calls
  drop constraint gateway_test_calls_state_check,
  drop constraint gateway_test_calls_check,
  add constraint gateway_test_calls_state check (state in ('waiting','calling','done','failed','unknown')),
  add constraint gateway_test_calls_ended check ((state in ('done','failed','unknown')) = (ended_at is not null)),
  -- Older ones are ended and change no more.
  add constraint gateway_test_calls_held check (state in ('waiting','failed') or (held is not null and most_input is not null and most_output is not null)) not valid,
  add constraint gateway_test_calls_priced check (state not in ('done','unknown') or (cost is not null and input_tokens is not null and output_tokens is not null)) not valid,
  add constraint gateway_test_calls_counted check (cost is null or input_tokens is not null);
create index gateway_test_calls_open on gateway_test_calls (called_at) where state = 'calling';

create or replace function gateway_guard_test_call() returns trigger language plpgsql as $$
begin
  if old.state in ('done','failed','unknown') or (old.state = 'calling' and new.state = 'waiting') or (old.state = 'waiting' and new.state in ('done','unknown')) then
    raise exception 'test call % cannot go from % to %', old.test_id, old.state, new.state using errcode = 'check_violation';
  end if;
  if old.state = 'calling' and (old.held, old.most_input, old.most_output) is distinct from (new.held, new.most_input, new.most_output) then
    raise exception 'what is held for test call % is frozen', old.test_id using errcode = 'check_violation';
  end if;
  return new;
end $$;
