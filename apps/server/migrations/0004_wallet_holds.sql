-- Holds: money promised but not yet moved. All changes happen under the lock of the account (see 0003_wallet_functions.sql).

-- Holds `p_amount`, or with `p_at_least` as much of it as there is down to that. The answer for an id never changes:
-- refused stays refused, also after a top-up (money.md, K6).
create function wallet_hold(p_id text, p_owner text, p_amount bigint, p_ttl interval, p_purpose text, p_currency text default 'USD',
  p_kind text default 'customer', p_only_purchased boolean default false, p_at_least bigint default null,
  out status text, out amount bigint, out replayed boolean)
language plpgsql as $$
declare v_id bigint := wallet_open_account(p_owner, p_kind, p_currency); v_account wallet_accounts; v_hold wallet_holds; v_free bigint;
begin
  if coalesce(p_amount, 0) <= 0 or p_at_least <= 0 then perform wallet_refuse('BAD_AMOUNT'); end if;
  select * into v_account from wallet_accounts a where a.id = v_id for no key update;
  select * into v_hold from wallet_holds h where h.id = p_id;
  replayed := v_hold.id is not null;
  if not replayed then
    v_free := v_account.posted - v_account.held;
    if p_only_purchased then v_free := least(v_free, v_account.posted - v_account.granted - v_account.purchased_held); end if;
    insert into wallet_holds (id, account_id, asked, amount, status, purpose, only_purchased, expires_at, closed_at)
    select p_id, v_account.id, p_amount, case when fits then least(v_free, p_amount) else p_amount end,
      case when fits then 'pending' else 'refused' end, p_purpose, p_only_purchased, clock_timestamp() + p_ttl,
      case when fits then null else clock_timestamp() end
    from (select v_free >= coalesce(p_at_least, p_amount) as fits) f
    on conflict (id) do nothing returning * into v_hold;
    if v_hold.status = 'pending' then
      update wallet_accounts a set held = a.held + v_hold.amount,
        purchased_held = a.purchased_held + case when p_only_purchased then v_hold.amount else 0 end where a.id = v_account.id;
    end if;
  end if;
  if (v_hold.account_id, v_hold.asked, v_hold.purpose, v_hold.only_purchased) is distinct from (v_account.id, p_amount, p_purpose, p_only_purchased) then
    perform wallet_refuse('LEDGER_REF_REUSED', p_id);
  end if;
  status := v_hold.status;
  amount := v_hold.amount;
end $$;

-- Locks the account of a hold and reads the hold; refuses an unknown or closed one.
create function wallet_pending(p_hold text) returns wallet_holds language plpgsql as $$
declare v_hold wallet_holds;
begin
  perform wallet_lock(array[(select account_id from wallet_holds where id = p_hold)]);
  select * into v_hold from wallet_holds where id = p_hold;
  if v_hold.id is null then perform wallet_refuse('HOLD_UNKNOWN', p_hold); end if;
  if v_hold.status <> 'pending' then perform wallet_refuse('HOLD_CLOSED', v_hold.status); end if;
  return v_hold;
end $$;

-- Closes a pending hold under its account's lock and frees the rest.
create function wallet_close(p_hold text, p_status text) returns void language plpgsql as $$
declare v_hold wallet_holds;
begin
  update wallet_holds set status = p_status, closed_at = clock_timestamp() where id = p_hold returning * into v_hold;
  update wallet_accounts set held = held - (v_hold.amount - v_hold.captured),
    purchased_held = purchased_held - case when v_hold.only_purchased then v_hold.amount - v_hold.captured else 0 end
    where id = v_hold.account_id and v_hold.amount > v_hold.captured;
  perform wallet_repay(v_hold.account_id);
end $$;

-- Frees what was not captured. Returns `voided`, or `posted` when something was.
create function wallet_void(p_hold text) returns text
language plpgsql as $$
declare v_hold wallet_holds := wallet_pending(p_hold); v_status text := case when v_hold.captured > 0 then 'posted' else 'voided' end;
begin
  perform wallet_close(p_hold, v_status);
  return v_status;
end $$;

-- Closes overdue holds; those of accounts busy elsewhere wait for the next run. Returns how many.
create function wallet_expire(p_limit int default 500) returns int
language plpgsql as $$
declare v_due text[]; v_accounts bigint[]; v_hold text; v_count int := 0;
begin
  select array_agg(id), array_agg(distinct account_id) into v_due, v_accounts
    from (select id, account_id from wallet_holds where status = 'pending' and expires_at <= clock_timestamp() order by expires_at limit p_limit) due;
  select array_agg(id) into v_accounts from (select id from wallet_accounts where id = any (v_accounts)
    order by owner = 'system', kind <> 'customer', id for no key update skip locked) locked;
  for v_hold in select id from wallet_holds where id = any (v_due) and account_id = any (v_accounts)
    and status = 'pending' and expires_at <= clock_timestamp()
  loop
    perform wallet_close(v_hold, 'expired');
    v_count := v_count + 1;
  end loop;
  return v_count;
end $$;

-- Grows (as far as available, at least p_at_least of it) or shrinks (not below what was captured) a pending hold, and
-- with p_ttl renews its end. `changed` is what the amount moved by: 0 when there was too little.
create function wallet_resize(p_hold text, p_delta bigint, p_ttl interval default null, p_at_least bigint default null,
  out changed bigint, out amount bigint, out uncaptured bigint)
language plpgsql as $$
declare v_hold wallet_holds := wallet_pending(p_hold); v_free bigint;
begin
  select case when v_hold.only_purchased then least(a.posted - a.held, a.posted - a.granted - a.purchased_held) else a.posted - a.held end
    into v_free from wallet_accounts a where a.id = v_hold.account_id;
  changed := greatest(least(p_delta, v_free), v_hold.captured - v_hold.amount);
  if p_delta > 0 and changed < coalesce(p_at_least, p_delta) then changed := 0; end if;
  update wallet_holds h set amount = h.amount + changed, expires_at = coalesce(clock_timestamp() + p_ttl, h.expires_at)
    where h.id = p_hold returning h.amount, h.amount - h.captured into amount, uncaptured;
  update wallet_accounts a set held = a.held + changed,
    purchased_held = a.purchased_held + case when v_hold.only_purchased then changed else 0 end where a.id = v_hold.account_id and changed <> 0;
  if changed < 0 then perform wallet_repay(v_hold.account_id); end if;
end $$;

-- Moves the end of a pending hold to p_ttl from now.
create function wallet_extend(p_hold text, p_ttl interval) returns timestamptz
language plpgsql as $$
declare v_hold wallet_holds := wallet_pending(p_hold);
begin
  update wallet_holds set expires_at = clock_timestamp() + p_ttl where id = p_hold returning expires_at into v_hold.expires_at;
  return v_hold.expires_at;
end $$;
