-- Payments: a withdrawal takes the balance or what was earned by inviting. The latter leaves by transfer alone, once a month of Shanghai
-- that came to something.
alter table payments_withdrawals add column source text not null default 'balance' check (source in ('balance', 'reward'));
create unique index payments_withdrawals_reward_month
  on payments_withdrawals (user_id, (date_trunc('month', created_at at time zone 'Asia/Shanghai')))
  where source = 'reward' and state not in ('failed', 'returned', 'rejected', 'cancelled');

create or replace function payments_guard_withdrawal() returns trigger language plpgsql as $$
begin
  if new.state <> old.state and not exists (select from payments_withdrawal_edges where from_state = old.state and to_state = new.state) then
    raise exception 'withdrawal % cannot go from % to %', old.withdrawal_no, old.state, new.state using errcode = 'check_violation';
  end if;
  if (new.withdrawal_no, new.user_id, new.amount_nano, new.rate, new.pay_minor, new.created_at, new.source)
     is distinct from (old.withdrawal_no, old.user_id, old.amount_nano, old.rate, old.pay_minor, old.created_at, old.source) then
    raise exception 'the figures of withdrawal % are frozen', old.withdrawal_no using errcode = 'check_violation';
  end if;
  return new;
end $$;
