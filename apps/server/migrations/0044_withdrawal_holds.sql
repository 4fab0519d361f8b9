-- A withdrawal that an operator has stopped for now: it is neither approved nor paid until it is released, or its end has come.
alter table payments_withdrawals
  add column held_at timestamptz,
  add column held_by text,
  -- Null: until somebody releases it.
  add column held_until timestamptz,
  add column held_why text not null default '' check (length(held_why) <= 2000),
  add constraint payments_withdrawals_hold_whole check ((held_at is null) = (held_by is null) and (held_at is not null or (held_until is null and held_why = ''))),
  add constraint payments_withdrawals_hold_end check (held_until > held_at),
  -- What has left cannot be held any more.
  add constraint payments_withdrawals_hold_state check (held_at is null or (state in ('requested','approving','approved','in_transit') and sent_tx is null));
create index payments_withdrawals_held on payments_withdrawals (held_at) where held_at is not null;

create or replace function payments_guard_withdrawal() returns trigger language plpgsql as $$
begin
  if new.state <> old.state and not exists (select from payments_withdrawal_edges where from_state = old.state and to_state = new.state) then
    raise exception 'withdrawal % cannot go from % to %', old.withdrawal_no, old.state, new.state using errcode = 'check_violation';
  end if;
  if old.held_at is not null and (old.held_until is null or old.held_until > clock_timestamp())
     and ((new.state <> old.state and new.state in ('approved','in_transit')) or new.sent_tx is distinct from old.sent_tx) then
    raise exception 'withdrawal % is on hold', old.withdrawal_no using errcode = 'check_violation';
  end if;
  if (new.withdrawal_no, new.user_id, new.amount_nano, new.rate, new.pay_minor, new.created_at, new.source)
     is distinct from (old.withdrawal_no, old.user_id, old.amount_nano, old.rate, old.pay_minor, old.created_at, old.source) then
    raise exception 'the figures of withdrawal % are frozen', old.withdrawal_no using errcode = 'check_violation';
  end if;
  return new;
end $$;
