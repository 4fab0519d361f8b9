-- Wallet: what the call path asks of holds, captures, transactions, transfers and lots names the account, so that the tables can be
-- spread by it (docs/scale.md, decision 0026). A row lives with the account of the user it is about: `account_id`. Rows from before have
-- none, and nothing finds one by it that was made without.
--
-- Functions of the ledger that take an account first find nothing of another one. Those without (cold: payments, cards, versions before) look the
-- account up and go on in the same way. All have another number of arguments than what they share a name with, so that a call whose
-- arguments have no types is never in doubt.

-- All tables at once or none, asked for again and again: whoever waited for one while holding another would stand in a ring with a posting.
do $$
begin
  for i in 1 .. 3000 loop
    begin
      lock table wallet_transactions, wallet_transfers, wallet_captures, wallet_over_captures, wallet_lot_uses in access exclusive mode nowait;
      exit;
    exception when lock_not_available then
      perform pg_sleep(0.01);
    end;
  end loop;
end $$;
-- Columns that may be null change no row: the locks are held for milliseconds, whatever the size.
alter table wallet_transactions add column account_id bigint;
alter table wallet_transfers add column account_id bigint;
alter table wallet_captures add column account_id bigint;
alter table wallet_over_captures add column account_id bigint;
alter table wallet_lot_uses add column account_id bigint;

-- What a journal row says of its transaction.
create type wallet_made as (account_id bigint, kind text, ref text, body_hash bytea, at timestamptz);

-- The account of a hold, for those who do not know it.
create function wallet_account_of(p_hold text) returns bigint language plpgsql stable as $$
begin
  return (select account_id from wallet_holds where id = p_hold);
end $$;

-- The journal

-- As before, but what a hash says of the transaction comes with the moves (one each, in the same order) and is not read again.
create function wallet_journal(p_moves wallet_move[], p_made wallet_made[]) returns void language plpgsql as $$
declare v_accounts bigint[] := array(select debit_id from unnest(p_moves) union select credit_id from unnest(p_moves));
begin
  with side as (
    select m.*, is_credit, case when is_credit then m.credit_id else m.debit_id end as account_id,
      case when is_credit then m.amount else -m.amount end as delta
    from unnest(p_moves, p_made) m (transfer_id, transaction_id, debit_id, credit_id, amount, released, released_purchased, debit_granted, credit_granted,
      home, t_kind, t_ref, body_hash, at) cross join (values (false), (true)) s (is_credit)
  ), numbered as (
    select s.*, a.kind, a.currency, a.head,
      a.entry_count + row_number() over one_account as seq, (a.posted + sum(s.delta) over one_account)::bigint as after
    from side s cross join lateral (select * from wallet_accounts a where a.id = s.account_id offset 0) a
    window one_account as (partition by s.account_id order by s.transfer_id)
  ), chained as (
    select n.*, wallet_chain(n.head, wallet_line(n.transfer_id, n.debit_id, n.credit_id, n.currency, n.amount, n.account_id,
      n.seq, n.after, n.transaction_id, n.at, n.body_hash, n.t_kind, n.t_ref)) over (partition by n.account_id order by n.transfer_id) as hash
    from numbered n
  ), both_sides as materialized (
    select c.*, lead(kind) over one_transfer as c_kind, lead(seq) over one_transfer as c_seq,
      lead(after) over one_transfer as c_after, lead(hash) over one_transfer as c_hash, lag(kind) over one_transfer as d_kind
    from chained c window one_transfer as (partition by transfer_id order by is_credit)
  ), written as (
    insert into wallet_transfers (account_id, id, transaction_id, debit_account_id, credit_account_id, debit_kind, credit_kind, currency, amount,
      debit_seq, credit_seq, debit_after, credit_after, debit_hash, credit_hash)
    select home, transfer_id, transaction_id, debit_id, credit_id, kind, c_kind, currency, amount, seq, c_seq, after, c_after, hash, c_hash
    from both_sides where not is_credit
  ), change as (
    select b.account_id, sum(b.delta)::bigint as delta, max(b.seq) as seq, (array_agg(b.hash order by b.seq desc))[1] as hash,
      coalesce(sum(b.released) filter (where not is_credit), 0)::bigint as released,
      coalesce(sum(b.released_purchased) filter (where not is_credit), 0)::bigint as released_purchased,
      sum(case when is_credit then b.credit_granted else -b.debit_granted end)::bigint as granted,
      coalesce(sum(p.recharges * b.amount), 0)::bigint as recharged, coalesce(sum(p.spends * b.amount), 0)::bigint as spent
    from both_sides b left join lateral (select recharges, spends from wallet_allowed_pairs
      where b.kind = 'customer' and debit_kind = coalesce(b.d_kind, b.kind) and credit_kind = coalesce(b.c_kind, b.kind) offset 0) p on true
    group by b.account_id
  )
  update wallet_accounts a set posted = a.posted + c.delta, held = a.held - c.released,
    purchased_held = a.purchased_held - c.released_purchased, granted = a.granted + c.granted,
    recharged = a.recharged + c.recharged, spent = a.spent + c.spent, entry_count = c.seq, head = c.hash
  from change c where a.id = c.account_id and a.id = any (v_accounts);
end $$;

-- For who has no more than the moves: a replay, and calls that were waiting while this was applied.
create or replace function wallet_journal(p_moves wallet_move[]) returns void language plpgsql as $$
begin
  perform wallet_journal(p_moves, array(select (t.account_id, t.kind, t.ref, t.body_hash, t.at)::wallet_made
    from unnest(p_moves) with ordinality m (transfer_id, transaction_id, debit_id, credit_id, amount, released, released_purchased, debit_granted, credit_granted, n)
    cross join lateral (select * from wallet_transactions t where t.id = m.transaction_id offset 0) t order by m.n));
end $$;

-- Empties lots for the moves that debit an account with lots, at most one move an account. Filters narrow the choice.
create or replace function wallet_take_lots(p_moves wallet_move[], p_kind text default null, p_order_ref text default null, p_lot bigint default null)
returns wallet_move[] language plpgsql as $$
declare v_moves wallet_move[]; v_short boolean; v_accounts bigint[] := array(select debit_id from unnest(p_moves));
begin
  with picked as materialized (
    select m.transfer_id, m.debit_id as account_id, l.id as lot_id, l.kind, least(l.remaining, m.amount - l.before)::bigint as take
    from unnest(p_moves) m
    cross join lateral (select has_lots from wallet_accounts where id = m.debit_id offset 0) a
    cross join lateral (
      select o.id, o.kind, o.remaining,
        sum(o.remaining) over (order by o.kind = 'purchased', o.expires_at nulls last, o.id) - o.remaining as before
      from wallet_lots o where o.account_id = m.debit_id and not o.spent and (p_kind is null or o.kind = p_kind)
        and (p_order_ref is null or o.order_ref = p_order_ref) and (p_lot is null or o.id = p_lot)) l
    where l.before < m.amount and a.has_lots
  ), used as (
    insert into wallet_lot_uses (account_id, transfer_id, lot_id, amount) select account_id, transfer_id, lot_id, take from picked
  ), cut as (
    update wallet_lots l set remaining = l.remaining - p.take from picked p
    where l.account_id = p.account_id and l.id = p.lot_id and l.account_id = any (v_accounts) and not l.spent
  ), both_lists as ( -- added up instead of joined: a join of two lists without statistics compares each with each
    select m.*, 0 as taken from unnest(p_moves) m
    union all
    select transfer_id, null, null, null, null, null, null, case kind when 'granted' then take else 0 end, null, take from picked
  ), summed as (
    select transfer_id, max(transaction_id) as transaction_id, max(debit_id) as debit_id, max(credit_id) as credit_id, max(amount) as amount,
      max(released) as released, max(released_purchased) as released_purchased, sum(debit_granted)::bigint as debit_granted,
      max(credit_granted) as credit_granted, sum(taken) as taken
    from both_lists group by transfer_id
  )
  select array_agg((s.transfer_id, s.transaction_id, s.debit_id, s.credit_id, s.amount, s.released, s.released_purchased, s.debit_granted,
      s.credit_granted)::wallet_move order by s.transfer_id), bool_or(a.has_lots and s.taken <> s.amount)
  into v_moves, v_short
  from summed s cross join lateral (select has_lots from wallet_accounts where id = s.debit_id offset 0) a;
  if v_short then perform wallet_refuse('INSUFFICIENT_FUNDS', 'lots'); end if;
  return v_moves;
end $$;

-- Gives credit back to the lots that a transaction emptied, the last emptied first. Returns the granted part.
create or replace function wallet_restore_lots(p_transfer bigint, p_account bigint, p_undoes bigint, p_amount bigint) returns bigint language plpgsql as $$
declare v_total bigint; v_granted bigint;
begin
  with taken as (
    select u.lot_id, l.kind, sum(u.amount) as amount, row_number() over (order by l.kind = 'purchased', l.expires_at nulls last, l.id) as place
    from wallet_lot_uses u join wallet_lots l on l.id = u.lot_id
    where l.account_id = p_account and (u.undoes = p_undoes or u.transfer_id in (select id from wallet_transfers where transaction_id = p_undoes))
    group by u.lot_id, l.id having sum(u.amount) > 0
  ), given as (
    select lot_id, kind, least(amount, p_amount - before)::bigint as amount
    from (select *, sum(amount) over (order by place desc) - amount as before from taken) t where before < p_amount
  ), noted as (
    insert into wallet_lot_uses (account_id, transfer_id, lot_id, amount, undoes) select p_account, p_transfer, lot_id, -amount, p_undoes from given
  ), filled as (
    update wallet_lots l set remaining = l.remaining + g.amount from given g where l.id = g.lot_id and l.account_id = p_account
  )
  select sum(amount), coalesce(sum(amount) filter (where kind = 'granted'), 0) into v_total, v_granted from given;
  if v_total is distinct from p_amount then perform wallet_refuse('REFUND_TOO_LARGE'); end if;
  return v_granted;
end $$;

-- Holds

create function wallet_hold(p_account bigint, p_id text, p_amount bigint, p_ttl interval, p_purpose text, p_only_purchased boolean, p_at_least bigint,
  out status text, out amount bigint, out replayed boolean)
language plpgsql as $$
declare v_account wallet_accounts; v_hold wallet_holds; v_free bigint;
begin
  if coalesce(p_amount, 0) <= 0 or p_at_least <= 0 then perform wallet_refuse('BAD_AMOUNT'); end if;
  select * into v_account from wallet_accounts a where a.id = p_account for no key update;
  if v_account.id is null then perform wallet_refuse('ACCOUNT_UNKNOWN', p_account::text); end if;
  select * into v_hold from wallet_holds h where h.account_id = p_account and h.id = p_id;
  replayed := v_hold.id is not null;
  if not replayed then
    v_free := v_account.posted - v_account.held;
    if p_only_purchased then v_free := least(v_free, v_account.posted - v_account.granted - v_account.purchased_held); end if;
    -- Nothing is made of an id that another account has: it is refused below.
    insert into wallet_holds (id, account_id, asked, amount, status, purpose, only_purchased, expires_at, closed_at)
    select p_id, p_account, p_amount, case when fits then least(v_free, p_amount) else p_amount end,
      case when fits then 'pending' else 'refused' end, p_purpose, p_only_purchased, clock_timestamp() + p_ttl,
      case when fits then null else clock_timestamp() end
    from (select v_free >= coalesce(p_at_least, p_amount) as fits) f
    on conflict do nothing returning * into v_hold;
    if v_hold.status = 'pending' then
      update wallet_accounts a set held = a.held + v_hold.amount,
        purchased_held = a.purchased_held + case when p_only_purchased then v_hold.amount else 0 end where a.id = p_account;
    end if;
  end if;
  if (v_hold.account_id, v_hold.asked, v_hold.purpose, v_hold.only_purchased) is distinct from (p_account, p_amount, p_purpose, p_only_purchased) then
    perform wallet_refuse('LEDGER_REF_REUSED', p_id);
  end if;
  status := v_hold.status;
  amount := v_hold.amount;
end $$;

create or replace function wallet_hold(p_id text, p_owner text, p_amount bigint, p_ttl interval, p_purpose text, p_currency text default 'USD',
  p_kind text default 'customer', p_only_purchased boolean default false, p_at_least bigint default null,
  out status text, out amount bigint, out replayed boolean)
language plpgsql as $$
begin
  select h.status, h.amount, h.replayed into status, amount, replayed
    from wallet_hold(wallet_open_account(p_owner, p_kind, p_currency), p_id, p_amount, p_ttl, p_purpose, p_only_purchased, p_at_least) h;
end $$;

create function wallet_pending(p_account bigint, p_hold text) returns wallet_holds language plpgsql as $$
declare v_hold wallet_holds;
begin
  perform wallet_lock(array[p_account]);
  select * into v_hold from wallet_holds where account_id = p_account and id = p_hold;
  if v_hold.id is null then perform wallet_refuse('HOLD_UNKNOWN', p_hold); end if;
  if v_hold.status <> 'pending' then perform wallet_refuse('HOLD_CLOSED', v_hold.status); end if;
  return v_hold;
end $$;
create or replace function wallet_pending(p_hold text) returns wallet_holds language plpgsql as $$
begin
  return wallet_pending(wallet_account_of(p_hold), p_hold);
end $$;

create function wallet_close(p_account bigint, p_hold text, p_status text) returns void language plpgsql as $$
declare v_hold wallet_holds;
begin
  update wallet_holds set status = p_status, closed_at = clock_timestamp() where account_id = p_account and id = p_hold returning * into v_hold;
  update wallet_accounts set held = held - (v_hold.amount - v_hold.captured),
    purchased_held = purchased_held - case when v_hold.only_purchased then v_hold.amount - v_hold.captured else 0 end
    where id = v_hold.account_id and v_hold.amount > v_hold.captured;
  perform wallet_repay(v_hold.account_id);
end $$;
create or replace function wallet_close(p_hold text, p_status text) returns void language plpgsql as $$
begin
  perform wallet_close(wallet_account_of(p_hold), p_hold, p_status);
end $$;

create function wallet_void(p_account bigint, p_hold text) returns text language plpgsql as $$
declare v_hold wallet_holds := wallet_pending(p_account, p_hold); v_status text := case when v_hold.captured > 0 then 'posted' else 'voided' end;
begin
  perform wallet_close(p_account, p_hold, v_status);
  return v_status;
end $$;
create or replace function wallet_void(p_hold text) returns text language plpgsql as $$
begin
  return wallet_void(wallet_account_of(p_hold), p_hold);
end $$;

create function wallet_resize(p_account bigint, p_hold text, p_delta bigint, p_ttl interval, p_at_least bigint,
  out changed bigint, out amount bigint, out uncaptured bigint)
language plpgsql as $$
declare v_hold wallet_holds := wallet_pending(p_account, p_hold); v_free bigint;
begin
  select case when v_hold.only_purchased then least(a.posted - a.held, a.posted - a.granted - a.purchased_held) else a.posted - a.held end
    into v_free from wallet_accounts a where a.id = p_account;
  changed := greatest(least(p_delta, v_free), v_hold.captured - v_hold.amount);
  if p_delta > 0 and changed < coalesce(p_at_least, p_delta) then changed := 0; end if;
  update wallet_holds h set amount = h.amount + changed, expires_at = coalesce(clock_timestamp() + p_ttl, h.expires_at)
    where h.account_id = p_account and h.id = p_hold returning h.amount, h.amount - h.captured into amount, uncaptured;
  update wallet_accounts a set held = a.held + changed,
    purchased_held = a.purchased_held + case when v_hold.only_purchased then changed else 0 end where a.id = p_account and changed <> 0;
  if changed < 0 then perform wallet_repay(p_account); end if;
end $$;
create or replace function wallet_resize(p_hold text, p_delta bigint, p_ttl interval default null, p_at_least bigint default null,
  out changed bigint, out amount bigint, out uncaptured bigint)
language plpgsql as $$
begin
  select r.changed, r.amount, r.uncaptured into changed, amount, uncaptured from wallet_resize(wallet_account_of(p_hold), p_hold, p_delta, p_ttl, p_at_least) r;
end $$;

create function wallet_extend(p_account bigint, p_hold text, p_ttl interval) returns timestamptz language plpgsql as $$
declare v_hold wallet_holds := wallet_pending(p_account, p_hold);
begin
  update wallet_holds set expires_at = clock_timestamp() + p_ttl where account_id = p_account and id = p_hold returning expires_at into v_hold.expires_at;
  return v_hold.expires_at;
end $$;
create or replace function wallet_extend(p_hold text, p_ttl interval) returns timestamptz language plpgsql as $$
begin
  return wallet_extend(wallet_account_of(p_hold), p_hold, p_ttl);
end $$;

-- Closes overdue holds; those of accounts busy elsewhere wait for the next run. Returns how many.
create or replace function wallet_expire(p_limit int default 500) returns int
language plpgsql as $$
declare v_due text[]; v_accounts bigint[]; v_hold record; v_count int := 0;
begin
  select array_agg(id), array_agg(distinct account_id) into v_due, v_accounts
    from (select id, account_id from wallet_holds where status = 'pending' and expires_at <= clock_timestamp() order by expires_at limit p_limit) due;
  select array_agg(id) into v_accounts from (select id from wallet_accounts where id = any (v_accounts)
    order by owner = 'system', kind <> 'customer', id for no key update skip locked) locked;
  for v_hold in select account_id, id from wallet_holds where id = any (v_due) and account_id = any (v_accounts)
    and status = 'pending' and expires_at <= clock_timestamp()
  loop
    perform wallet_close(v_hold.account_id, v_hold.id, 'expired');
    v_count := v_count + 1;
  end loop;
  return v_count;
end $$;

-- Captures

-- The effects of captures whose split is known and whose holders' accounts are locked. One transaction an account, so that it
-- lives where the account does; named by a digest because its users must not read each other's references.
-- wallet_capture_write, which made one for all, stays for calls that were waiting while this was applied.
create function wallet_capture_rows(p_rows wallet_capture_row[], p_kind text, p_to_kind text, p_to_owner text, p_reason text) returns void
language plpgsql as $$
declare
  v_at timestamptz := now();
  v_strict wallet_move[];
  v_strict_made wallet_made[];
  v_moves wallet_move[];
  v_made wallet_made[];
  v_to bigint[];
  v_holds text[] := array(select distinct hold_id from unnest(p_rows));
  v_accounts bigint[] := array(select distinct account_id from unnest(p_rows));
  v_owing bigint[] := array(select distinct account_id from unnest(p_rows) where debt > 0);
begin
  if v_owing <> '{}' then
    perform wallet_lock(array(select wallet_open_account(owner, 'receivable', currency) from wallet_accounts where id = any (v_owing)));
  end if;
  v_to := array(select wallet_open_account(p_to_owner, p_to_kind, currency)
    from (select distinct currency from wallet_accounts where id = any (v_accounts)) c);
  perform wallet_lock(v_to);
  if exists (select from wallet_accounts where id = any (v_to) and has_lots) then perform wallet_refuse('ACCOUNT_UNKNOWN', p_to_kind); end if;

  with made as materialized (
    select account_id, transaction_id, 'batch:' || md5((array_agg(ref order by n))[1]) as ref,
      sha256(convert_to(string_agg(concat_ws('|', hold_id, amount, ref), ',' order by n), 'UTF8')) as body_hash,
      sum(from_hold) filter (where only_purchased)::bigint as strict_released, sum(from_hold + from_available) filter (where only_purchased)::bigint as strict_paid,
      sum(from_hold) filter (where not only_purchased)::bigint as released, sum(from_hold + from_available) filter (where not only_purchased)::bigint as paid,
      sum(debt)::bigint as debt
    from unnest(p_rows) group by account_id, transaction_id
  ), transactions as (
    insert into wallet_transactions (account_id, id, kind, ref, body_hash, at) select account_id, transaction_id, p_kind, ref, body_hash, v_at from made
  ), captures as (
    insert into wallet_captures (account_id, kind, ref, hold_id, amount, from_hold, from_available, debt, transaction_id)
    select account_id, p_kind, ref, hold_id, amount, from_hold, from_available, debt, transaction_id from unnest(p_rows)
  ), reasons as (
    insert into wallet_over_captures (account_id, kind, ref, amount, reason)
    select account_id, p_kind, ref, amount - from_hold, p_reason from unnest(p_rows) where amount > from_hold
  ), holds as (
    update wallet_holds h set captured = h.captured + t.take
    from (select account_id, hold_id, sum(from_hold)::bigint as take from unnest(p_rows) group by account_id, hold_id) t
    where h.account_id = t.account_id and h.id = t.hold_id and h.id = any (v_holds) and t.take > 0
  ), known as (
    select m.*, a.owner, a.currency, t.id as to_id
    from made m join wallet_accounts a on a.id = m.account_id and a.id = any (v_accounts)
    join wallet_accounts t on t.id = any (v_to) and t.currency = a.currency
  ), moves as materialized (
    select nextval('wallet_transfers_id_seq') as transfer_id, k.account_id, k.transaction_id, k.ref, k.body_hash, k.to_id, m.*
    from known k cross join lateral (values (k.account_id, k.strict_paid, k.strict_released, true), (k.account_id, k.paid, k.released, false),
      (case when k.debt > 0 then wallet_open_account(k.owner, 'receivable', k.currency) end, k.debt, 0, false)) m (debit_id, amount, released, only_purchased)
    where m.amount > 0
  ), typed as (
    select transfer_id, only_purchased, (transfer_id, transaction_id, debit_id, to_id, amount, released, case when only_purchased then released else 0 end, 0, 0)::wallet_move as move,
      (account_id, p_kind, ref, body_hash, v_at)::wallet_made as made from moves
  )
  select array_agg(move order by transfer_id) filter (where only_purchased), array_agg(made order by transfer_id) filter (where only_purchased),
    array_agg(move order by transfer_id) filter (where not only_purchased), array_agg(made order by transfer_id) filter (where not only_purchased)
    into v_strict, v_strict_made, v_moves, v_made from typed;
  if v_strict is not null then perform wallet_journal(wallet_take_lots(v_strict, 'purchased'), v_strict_made); end if;
  if v_moves is not null then perform wallet_journal(wallet_take_lots(v_moves), v_made); end if;
  perform wallet_repay(id) from unnest(v_owing) id; -- a strict hold's excess may be owed beside money that is available
end $$;

-- Captures for many holds at once, each call once for (p_kind, ref) of its account: from its hold, then from what is available, then as
-- debt. One transfer an account. No row fails because of another one; `outcome` is captured, replayed, ref_reused,
-- hold_unknown or bad_amount, and the last three moved nothing. The receiver is one account of p_to_owner a currency.
-- A reference that another account used before breaks the one-machine guard (23505): callers make references of what is the account's own.
create function wallet_capture_many(p_accounts bigint[], p_holds text[], p_amounts bigint[], p_refs text[], p_kind text, p_to_kind text,
  p_to_owner text, p_reason text)
returns table (ref text, hold_id text, outcome text, captured bigint, from_available bigint, debt bigint, transaction_id bigint)
language plpgsql as $$
#variable_conflict use_column
declare v_rows wallet_capture_row[]; v_fresh wallet_capture_row[]; v_accounts bigint[] := array(select distinct a from unnest(p_accounts) a where a is not null);
begin
  perform from wallet_accounts where id = any (v_accounts)
    order by owner = 'system', kind <> 'customer', id for no key update;

  with asked as (
    select u.*, row_number() over (partition by u.ref order by u.n) as copy
    from unnest(p_accounts, p_holds, p_amounts, p_refs) with ordinality u (account_id, hold_id, amount, ref, n)
  ), seen as (
    select k.n, k.ref, k.hold_id, k.amount, k.account_id, h.only_purchased, c.transaction_id,
      c.from_hold, c.from_available, c.debt, case when h.status = 'pending' then h.amount - h.captured else 0 end as uncaptured,
      case when h.id is null then 'hold_unknown' when k.ref is null or coalesce(k.amount, -1) < 0 then 'bad_amount'
        when c.ref is not null then case when (c.hold_id, c.amount) = (k.hold_id, k.amount) then 'replayed' else 'ref_reused' end
        when k.copy > 1 then 'ref_reused' when k.amount = 0 then 'replayed' else 'captured' end as outcome
    from asked k
    left join lateral (select * from wallet_holds h where h.account_id = k.account_id and h.id = k.hold_id offset 0) h on true
    left join lateral (select * from wallet_captures c where c.account_id = k.account_id and c.kind = p_kind and c.ref = k.ref offset 0) c on true
  ), held as (
    select s.*, greatest(0, least(s.amount, s.uncaptured - sum(s.amount) over (partition by s.hold_id order by s.n) + s.amount))::bigint as take
    from seen s where s.outcome = 'captured'
  ), beyond as (
    select h.*, case when h.only_purchased then 0 else h.amount - h.take end as over from held h
  ), funded as (
    select b.*, greatest(0, least(b.over, a.posted - a.held - sum(b.over) over (partition by b.account_id order by b.n) + b.over))::bigint as extra,
      case when row_number() over (partition by b.account_id order by b.n) = 1 then nextval('wallet_transactions_id_seq') end as opened
    from beyond b join wallet_accounts a on a.id = b.account_id and a.id = any (v_accounts)
  )
  select array_agg(row_ order by (row_).n) into v_rows from (
    select (n, ref, hold_id, amount, outcome, account_id, only_purchased, take, extra, amount - take - extra,
      max(opened) over (partition by account_id))::wallet_capture_row as row_ from funded
    union all
    select (n, ref, hold_id, amount, outcome, account_id, only_purchased, coalesce(from_hold, 0), coalesce(from_available, 0), coalesce(debt, 0), transaction_id)::wallet_capture_row
    from seen where outcome <> 'captured') both_;

  v_fresh := array(select r::wallet_capture_row from unnest(v_rows) r where r.outcome = 'captured' order by r.n);
  if v_fresh <> '{}' then perform wallet_capture_rows(v_fresh, p_kind, p_to_kind, p_to_owner, p_reason); end if;
  return query select r.ref, r.hold_id, r.outcome, case when r.outcome in ('captured', 'replayed') then r.amount else 0 end,
    r.from_available, r.debt, r.transaction_id from unnest(v_rows) r order by r.n;
end $$;

-- The same by hold alone. A reference that was used before is known whoever used it, and whenever.
create or replace function wallet_capture_many(p_holds text[], p_amounts bigint[], p_refs text[], p_kind text, p_to_kind text default 'revenue',
  p_to_owner text default 'system', p_reason text default 'lease closed or too small')
returns table (ref text, hold_id text, outcome text, captured bigint, from_available bigint, debt bigint, transaction_id bigint)
language plpgsql as $$
#variable_conflict use_column
declare
  v_accounts bigint[] := array(select h.account_id from unnest(p_holds) with ordinality u (hold_id, n)
    left join lateral (select account_id from wallet_holds where id = u.hold_id offset 0) h on true order by u.n);
  v_other int[];
  v_rest int[];
begin
  perform from wallet_accounts where id = any (v_accounts)
    order by owner = 'system', kind <> 'customer', id for no key update;
  -- Captures that the search by account does not find: of another account, or from before captures named theirs.
  v_other := array(select u.n from unnest(v_accounts, p_refs) with ordinality u (account_id, ref, n)
    cross join lateral (select * from wallet_captures c where c.kind = p_kind and c.ref = u.ref offset 0) c where c.account_id is distinct from u.account_id);
  v_rest := array(select n from generate_subscripts(p_holds, 1) n where n <> all (v_other) order by n);
  return query select s.ref, s.hold_id, s.outcome, s.captured, s.from_available, s.debt, s.transaction_id from (
    select v_rest[r.place] as n, r.ref, r.hold_id, r.outcome, r.captured, r.from_available, r.debt, r.transaction_id
    from wallet_capture_many(array(select v_accounts[i] from unnest(v_rest) i), array(select p_holds[i] from unnest(v_rest) i), array(select p_amounts[i] from unnest(v_rest) i),
      array(select p_refs[i] from unnest(v_rest) i), p_kind, p_to_kind, p_to_owner, p_reason)
      with ordinality r (ref, hold_id, outcome, captured, from_available, debt, transaction_id, place)
    union all
    select o.n, o.ref, o.hold_id, o.outcome, case o.outcome when 'replayed' then c.amount else 0 end, c.from_available, c.debt, c.transaction_id
    from wallet_captures c join lateral (select i as n, p_refs[i] as ref, p_holds[i] as hold_id, case when v_accounts[i] is null then 'hold_unknown'
      when coalesce(p_amounts[i], -1) < 0 then 'bad_amount' when (c.hold_id, c.amount) = (p_holds[i], p_amounts[i]) then 'replayed' else 'ref_reused' end as outcome
      from unnest(v_other) i where p_refs[i] = c.ref) o on true
    where c.kind = p_kind and c.ref = any (array(select p_refs[i] from unnest(v_other) i))) s order by s.n;
end $$;

create or replace function wallet_capture(p_hold text, p_amount bigint, p_kind text, p_ref text, p_to_kind text default 'revenue', p_to_owner text default 'system',
  p_close boolean default true, p_over_reason text default null, out transaction_id bigint, out from_hold bigint, out from_available bigint, out debt bigint, out replayed boolean)
language plpgsql as $$
#variable_conflict use_column
declare v_account bigint := wallet_account_of(p_hold); v_known wallet_captures; v_hold wallet_holds; v_made record;
begin
  if coalesce(p_amount, 0) <= 0 then perform wallet_refuse('BAD_AMOUNT'); end if;
  perform wallet_lock(array[v_account]);
  select * into v_known from wallet_captures c where c.kind = p_kind and c.ref = p_ref;
  replayed := v_known.ref is not null;
  if replayed then
    if (v_known.hold_id, v_known.amount) is distinct from (p_hold, p_amount) then perform wallet_refuse('LEDGER_REF_REUSED', p_ref); end if;
  else
    v_hold := wallet_pending(v_account, p_hold);
    if p_amount > v_hold.amount - v_hold.captured and p_over_reason is null then perform wallet_refuse('HOLD_EXCEEDED'); end if;
    select * into v_made from wallet_capture_many(array[v_account], array[p_hold], array[p_amount], array[p_ref], p_kind, p_to_kind, p_to_owner, p_over_reason);
    select * into v_known from wallet_captures c where c.account_id = v_account and c.kind = p_kind and c.ref = p_ref;
    if p_close then perform wallet_close(v_account, p_hold, 'posted'); end if;
  end if;
  transaction_id := v_known.transaction_id; from_hold := v_known.from_hold; from_available := v_known.from_available; debt := v_known.debt;
end $$;

-- Postings

create function wallet_step(p_transaction bigint, p_debit bigint, p_credit bigint, p_amount bigint, p jsonb, p_made wallet_made) returns bigint
language plpgsql as $$
declare
  v_id bigint := nextval('wallet_transfers_id_seq');
  v_moves wallet_move[];
  v_debit wallet_accounts;
  v_credit wallet_accounts;
  v_lot_kind text;
  v_granted bigint := 0;
begin
  select * into v_debit from wallet_accounts where id = p_debit;
  select * into v_credit from wallet_accounts where id = p_credit;
  if not v_debit.may_go_negative and v_debit.posted - v_debit.held < p_amount then
    perform wallet_refuse('INSUFFICIENT_FUNDS');
  end if;
  if v_credit.has_lots then
    v_lot_kind := coalesce(p ->> 'lot_kind', case v_debit.kind when 'grants' then 'granted' else 'purchased' end);
    v_granted := case when p ->> 'undoes' is not null then wallet_restore_lots(v_id, p_credit, (p ->> 'undoes')::bigint, p_amount)
      when v_lot_kind = 'granted' then p_amount else 0 end;
  end if;
  v_moves := array[(v_id, p_transaction, p_debit, p_credit, p_amount, 0, 0, 0, v_granted)::wallet_move];
  if v_debit.has_lots then
    v_moves := wallet_take_lots(v_moves, p ->> 'take_kind', p ->> 'take_order_ref', (p ->> 'take_lot')::bigint);
  end if;
  perform wallet_journal(v_moves, array[p_made]);
  if v_credit.has_lots and p ->> 'undoes' is null then
    insert into wallet_lots (account_id, transfer_id, kind, amount, remaining, order_ref, expires_at)
      values (p_credit, v_id, v_lot_kind, p_amount, p_amount, p ->> 'order_ref', (p ->> 'expires_at')::timestamptz);
  end if;
  return v_id;
end $$;
-- For calls that were waiting while this was applied.
create or replace function wallet_step(p_transaction bigint, p_debit bigint, p_credit bigint, p_amount bigint, p jsonb default '{}') returns bigint
language plpgsql as $$
begin
  return wallet_step(p_transaction, p_debit, p_credit, p_amount, p,
    (select (t.account_id, t.kind, t.ref, t.body_hash, t.at)::wallet_made from wallet_transactions t where t.id = p_transaction));
end $$;

-- Pays a user's debt from what has become available. Called wherever that grows, so a debt means that nothing is available.
create or replace function wallet_repay(p_account bigint) returns void language plpgsql as $$
declare v_receivable bigint; v_amount bigint; v_ref text; v_transaction bigint; v_made wallet_made;
begin
  select r.id, least(-r.posted, c.posted - c.held), c.id || ':' || c.entry_count into v_receivable, v_amount, v_ref
  from wallet_accounts c join wallet_accounts r on r.owner = c.owner and r.currency = c.currency and r.kind = 'receivable'
  where c.id = p_account and c.kind = 'customer' and r.posted < 0 and c.posted > c.held;
  if v_amount is null then return; end if;
  perform wallet_lock(array[p_account, v_receivable]);
  v_made := (p_account, 'wallet.repay', v_ref, sha256(convert_to(v_amount::text, 'UTF8')), now());
  insert into wallet_transactions (account_id, kind, ref, body_hash, at) values (v_made.*) returning id into v_transaction;
  perform wallet_step(v_transaction, p_account, v_receivable, v_amount, '{}', v_made);
end $$;

-- Posts legs as one transaction, once for (kind, ref): the same legs again change nothing, other legs are refused.
-- A leg: debit_owner, debit_kind, credit_owner, credit_kind, currency, amount (text), the options of wallet_step, and
-- `owe`: what is not available is owed, debited from the owner's receivable. Legs run in order. The transaction belongs to the
-- first account of a user that a leg names, else to the first account.
create or replace function wallet_post(p_kind text, p_ref text, p_legs jsonb, out transaction_id bigint, out replayed boolean)
language plpgsql as $$
declare
  v_made wallet_made;
  v_known bytea;
  v_ids bigint[] := '{}';
  v_leg jsonb;
  v_currency text;
  v_amount bigint;
  v_available bigint;
  i int := 0;
begin
  for v_leg in select * from jsonb_array_elements(p_legs) loop
    v_currency := coalesce(v_leg ->> 'currency', 'USD');
    v_ids := v_ids || array[wallet_open_account(v_leg ->> 'debit_owner', v_leg ->> 'debit_kind', v_currency),
      wallet_open_account(v_leg ->> 'credit_owner', v_leg ->> 'credit_kind', v_currency),
      case when v_leg ->> 'owe' = 'true' then wallet_open_account(v_leg ->> 'debit_owner', 'receivable', v_currency) end];
  end loop;
  v_made := (coalesce((select u.id from jsonb_array_elements(p_legs) with ordinality l (leg, n)
      cross join lateral (values (1, leg ->> 'debit_owner', v_ids[3 * n - 2]), (2, leg ->> 'credit_owner', v_ids[3 * n - 1])) u (side, owner, id)
      where u.owner <> 'system' order by n, side limit 1), v_ids[1]),
    p_kind, p_ref, sha256(convert_to(p_legs::text, 'UTF8')), now());
  insert into wallet_transactions (account_id, kind, ref, body_hash, at) values (v_made.*) on conflict do nothing
    returning id into transaction_id;
  replayed := transaction_id is null;
  if replayed then
    select t.id, t.body_hash into transaction_id, v_known from wallet_transactions t where t.kind = p_kind and t.ref = p_ref;
    if v_known is distinct from v_made.body_hash then perform wallet_refuse('LEDGER_REF_REUSED', p_ref); end if;
    return;
  end if;
  if v_ids = '{}' then perform wallet_refuse('BAD_AMOUNT', 'no legs'); end if;
  perform wallet_lock(v_ids);
  for v_leg in select * from jsonb_array_elements(p_legs) loop
    v_amount := (v_leg ->> 'amount')::bigint;
    if v_amount is null or v_amount <= 0 then perform wallet_refuse('BAD_AMOUNT'); end if;
    v_available := v_amount;
    if v_ids[3 * i + 3] is not null then
      select least(v_amount, greatest(0, posted - held)) into v_available from wallet_accounts where id = v_ids[3 * i + 1];
    end if;
    if v_available > 0 then
      perform wallet_step(transaction_id, v_ids[3 * i + 1], v_ids[3 * i + 2], v_available, v_leg, v_made);
    end if;
    if v_available < v_amount then
      perform wallet_step(transaction_id, v_ids[3 * i + 3], v_ids[3 * i + 2], v_amount - v_available, '{}', v_made);
    end if;
    i := i + 1;
  end loop;
  for i in 0 .. jsonb_array_length(p_legs) - 1 loop
    perform wallet_repay(v_ids[3 * i + 2]);
  end loop;
end $$;

-- Moves what is left of expired lots to breakage, as far as no hold needs it. Returns the number of lots moved.
create or replace function wallet_expire_lots(p_limit int default 100) returns int
language plpgsql as $$
declare v_lot record; v_amount bigint; v_transaction bigint; v_count int := 0; v_breakage bigint; v_made wallet_made;
begin
  for v_lot in select l.id, l.account_id, a.currency from wallet_lots l join wallet_accounts a on a.id = l.account_id
    where not l.spent and l.expires_at <= now() and a.posted > a.held order by l.expires_at limit p_limit
  loop
    v_breakage := wallet_open_account('system', 'breakage', v_lot.currency);
    perform wallet_lock(array[v_lot.account_id, v_breakage]);
    select least(l.remaining, a.posted - a.held, case l.kind when 'purchased' then a.posted - a.granted - a.purchased_held end) into v_amount
      from wallet_lots l join wallet_accounts a on a.id = l.account_id where l.account_id = v_lot.account_id and l.id = v_lot.id;
    continue when v_amount <= 0;
    v_made := (v_lot.account_id, 'wallet.breakage', (select v_lot.id || ':' || entry_count from wallet_accounts where id = v_lot.account_id),
      sha256(convert_to(v_amount::text, 'UTF8')), now());
    insert into wallet_transactions (account_id, kind, ref, body_hash, at) values (v_made.*) returning id into v_transaction;
    perform wallet_step(v_transaction, v_lot.account_id, v_breakage, v_amount, jsonb_build_object('take_lot', v_lot.id), v_made);
    v_count := v_count + 1;
  end loop;
  return v_count;
end $$;

-- The rights of 0007: what was replaced has lost them, what is new never had them.
do $$ declare f regprocedure; begin
  for f in select p.oid from pg_proc p where p.pronamespace = 'public'::regnamespace and p.proname in ('wallet_post',
    'wallet_hold', 'wallet_capture', 'wallet_capture_many', 'wallet_void', 'wallet_extend', 'wallet_resize', 'wallet_expire', 'wallet_expire_lots')
  loop
    execute format('alter function %s security definer set search_path = public, pg_temp', f);
    execute format('alter function %s set plan_cache_mode = force_generic_plan', f);
    execute format('alter function %s set enable_seqscan = off', f);
  end loop;
  for f in select p.oid from pg_proc p where p.pronamespace = 'public'::regnamespace and p.proname in ('wallet_journal', 'wallet_take_lots', 'wallet_restore_lots',
    'wallet_step', 'wallet_repay', 'wallet_pending', 'wallet_close', 'wallet_capture_write', 'wallet_capture_rows', 'wallet_account_of')
  loop
    execute format('revoke execute on function %s from public, mingxi_app', f);
  end loop;
end $$;

-- The verifier of 0008, which looks at where rows live too.
create or replace view wallet_entries as
  select debit_account_id as account_id, debit_seq as seq, id as transfer_id, transaction_id, -amount as delta, debit_after as after, debit_hash as hash, debit_kind as kind, credit_kind as other_kind,
    debit_account_id, credit_account_id, currency, amount, account_id as home from wallet_transfers
  union all
  select credit_account_id, credit_seq, id, transaction_id, amount, credit_after, credit_hash, credit_kind, debit_kind,
    debit_account_id, credit_account_id, currency, amount, account_id as home from wallet_transfers;

create or replace function wallet_verify(p_limit int default 20) returns table (place int, at_table text, row_id text, problem text)
language sql stable set search_path = public, pg_temp as $$
  with entries as (
    select e.*, coalesce(lag(e.seq) over one_account, 0) as seq_before, coalesce(lag(e.after) over one_account, 0) as after_before,
      coalesce(lag(e.hash) over one_account, ''::bytea) as hash_before
    from wallet_entries e window one_account as (partition by e.account_id order by e.seq, e.transfer_id)
  ), checked as (
    select e.transfer_id, e.account_id, e.seq, case
      when a.id is null or t.id is null then 'its account or transaction is gone'
      when e.seq <> e.seq_before + 1 then 'entry ' || e.seq_before + 1 || ' before it is missing or doubled'
      when e.amount <= 0 or e.after <> e.after_before + e.delta then 'the balance after it does not follow'
      when e.hash <> wallet_link(e.hash_before, wallet_line(e.transfer_id, e.debit_account_id, e.credit_account_id, e.currency, e.amount,
        e.account_id, e.seq, e.after, e.transaction_id, t.at, t.body_hash, t.kind, t.ref)) then 'its hash does not follow'
      when (a.kind, a.currency) <> (e.kind, e.currency) then 'it names another kind or currency than its account'
      when e.home is distinct from t.account_id then 'it lives with another account than its transaction' end as problem
    from entries e left join wallet_accounts a on a.id = e.account_id left join wallet_transactions t on t.id = e.transaction_id
  ), folded as (
    select e.account_id, max(e.seq) as entry_count, (array_agg(e.hash order by e.seq desc))[1] as head, sum(e.delta) as posted,
      coalesce(sum(p.recharges * e.amount) filter (where e.kind = 'customer'), 0) as recharged,
      coalesce(sum(p.spends * e.amount) filter (where e.kind = 'customer'), 0) as spent
    from wallet_entries e left join wallet_allowed_pairs p on p.debit_kind = case when e.delta < 0 then e.kind else e.other_kind end
      and p.credit_kind = case when e.delta < 0 then e.other_kind else e.kind end
    group by e.account_id
  ), promised as (
    select account_id, sum(amount - captured) as held, coalesce(sum(amount - captured) filter (where only_purchased), 0) as purchased_held
    from wallet_holds where status = 'pending' group by account_id
  ), stock as (
    select account_id, sum(remaining) as remaining, coalesce(sum(remaining) filter (where kind = 'granted'), 0) as granted from wallet_lots group by account_id
  ), lot_of as (
    select transfer_id, sum(amount) filter (where amount > 0) as taken, -sum(amount) filter (where amount < 0) as given from wallet_lot_uses group by transfer_id
  ), found as (
    select 1 as place, transfer_id as n, 'wallet_transfers' as at_table, transfer_id::text as row_id,
      'entry ' || seq || ' of account ' || account_id || ': ' || problem as problem from checked where problem is not null
    union all
    select 2, a.id, 'wallet_accounts', a.id::text, case
      when a.entry_count <> coalesce(f.entry_count, 0) then 'its last entries are missing: ' || coalesce(f.entry_count, 0) || ' of ' || a.entry_count
      when a.head <> coalesce(f.head, '') then 'its head is not the last hash'
      when a.posted <> coalesce(f.posted, 0) then 'posted is not the sum of its entries'
      when (a.recharged, a.spent) <> (coalesce(f.recharged, 0), coalesce(f.spent, 0)) then 'its totals are not those of its entries'
      when (a.held, a.purchased_held) <> (coalesce(p.held, 0), coalesce(p.purchased_held, 0)) then 'held is not the sum of its pending holds'
      when a.has_lots and (a.posted, a.granted) <> (coalesce(s.remaining, 0), coalesce(s.granted, 0)) then 'its lots do not add up to its balance'
      when not a.may_go_negative and a.posted < a.held then 'more is held than there is'
      else 'debt stands beside available money' end
    from wallet_accounts a left join folded f on f.account_id = a.id left join promised p on p.account_id = a.id left join stock s on s.account_id = a.id
    where a.entry_count <> coalesce(f.entry_count, 0) or a.head <> coalesce(f.head, '') or a.posted <> coalesce(f.posted, 0)
      or (a.recharged, a.spent) <> (coalesce(f.recharged, 0), coalesce(f.spent, 0))
      or (a.held, a.purchased_held) <> (coalesce(p.held, 0), coalesce(p.purchased_held, 0))
      or a.has_lots and (a.posted, a.granted) <> (coalesce(s.remaining, 0), coalesce(s.granted, 0))
      or not a.may_go_negative and a.posted < a.held
      or a.kind = 'customer' and a.posted > a.held and exists (
        select from wallet_accounts r where r.owner = a.owner and r.currency = a.currency and r.kind = 'receivable' and r.posted < 0)
    union all
    select 3, 0, 'wallet_accounts', currency, 'the accounts of this currency do not sum to zero' from wallet_accounts group by currency having sum(posted) <> 0
    union all
    select 4, 0, 'wallet_holds', h.id, 'captured is not the sum of its captures'
    from wallet_holds h left join (select hold_id, sum(from_hold) as taken from wallet_captures group by hold_id) c on c.hold_id = h.id
    where h.captured <> coalesce(c.taken, 0)
    union all
    select 5, c.transaction_id, 'wallet_captures', min(c.ref), 'the captures of its transaction do not add up to the transfers'
    from wallet_captures c group by c.transaction_id
    having sum(c.amount) <> (select coalesce(sum(amount), 0) from wallet_transfers t where t.transaction_id = c.transaction_id)
    union all
    select 6, 0, 'wallet_captures', c.ref, 'more was taken than held, and no row says why'
    from wallet_captures c left join wallet_over_captures o using (kind, ref) where c.amount - c.from_hold <> coalesce(o.amount, 0)
    union all
    select 6, 0, 'wallet_captures', c.ref, 'it lives with another account than its hold or its reason'
    from wallet_captures c left join wallet_holds h on h.id = c.hold_id left join wallet_over_captures o using (kind, ref)
    where c.account_id <> h.account_id or o.ref is not null and o.account_id is distinct from c.account_id
    union all
    select 7, l.id, 'wallet_lots', l.id::text, 'remaining is not its amount less its uses'
    from wallet_lots l left join (select lot_id, sum(amount) as used from wallet_lot_uses group by lot_id) u on u.lot_id = l.id
    where l.remaining <> l.amount - coalesce(u.used, 0)
    union all
    select 7, u.lot_id, 'wallet_lot_uses', u.transfer_id || ' of lot ' || u.lot_id, 'it lives with another account than its lot'
    from wallet_lot_uses u join wallet_lots l on l.id = u.lot_id where u.account_id <> l.account_id
    union all
    select 8, t.id, 'wallet_transfers', t.id::text, 'its lots do not add up to its amount'
    from wallet_transfers t join wallet_accounts d on d.id = t.debit_account_id join wallet_accounts c on c.id = t.credit_account_id
    left join lot_of u on u.transfer_id = t.id left join wallet_lots l on l.transfer_id = t.id
    where (case when d.has_lots then t.amount else 0 end, case when c.has_lots then t.amount else 0 end)
      <> (coalesce(u.taken, 0), coalesce(l.amount, 0) + coalesce(u.given, 0))
  )
  select place, at_table, row_id, problem from found order by place, n, row_id limit p_limit
$$;

-- Gateway: a posting names the accounts of its leases; the rest is as it was.
create or replace function gateway_post(p_accounts bigint[], p_leases bigint[]) returns int language plpgsql set plan_cache_mode = force_generic_plan as $$
declare
  v_rows gateway_unposted[];
  v_of bigint[];
  v_leases bigint[];
  v_amounts bigint[];
  v_refs text[];
begin
  if p_leases is null then
    with taken as (
      delete from gateway_unposted where ctid = any (array(select ctid from gateway_unposted limit 10000 for update skip locked)) returning *
    ) select array_agg(t::gateway_unposted) into v_rows from taken t;
  else
    with taken as (
      delete from gateway_unposted u using unnest(p_accounts, p_leases) as l (account_id, lease_id) where u.account_id = l.account_id and u.lease_id = l.lease_id returning u.*
    ) select array_agg(t::gateway_unposted) into v_rows from taken t;
  end if;
  if v_rows is null then return 0; end if;
  select array_agg(account_id order by lease_id), array_agg(lease_id order by lease_id), array_agg(amount order by lease_id), array_agg('charge:' || lease_id || ':' || last order by lease_id)
    into v_of, v_leases, v_amounts, v_refs
    from (select account_id, lease_id, sum(amount)::bigint as amount, max(id) as last from unnest(v_rows) group by account_id, lease_id having sum(amount) > 0) sums;
  if v_leases is not null then
    perform gateway_must(not exists (select from wallet_capture_many(v_of, array(select 'gateway.lease.' || l from unnest(v_leases) with ordinality u (l, n) order by n),
      v_amounts, v_refs, 'gateway.usage', 'revenue', 'system', 'lease closed or too small') c where c.outcome <> 'captured'), 'the wallet refused a capture');
  end if;
  insert into gateway_unsummed (account_id, hour, model, key_id, calls, tokens, amount, failed, largest)
  select account_id, hour, model, key_id, calls, tokens, amount, failed, largest from unnest(v_rows) where key_id is not null;
  return cardinality(v_rows);
end $$;

-- Gateway: what a key has spent names its account on both sides.
create or replace function gateway_key_spent(p_key text, p_account bigint, p_day date, out day_spent bigint, out month_spent bigint) language sql stable as $$
  select coalesce(sum(amount) filter (where day = p_day), 0)::bigint, coalesce(sum(amount), 0)::bigint from (
    select d.day, d.amount from gateway_usage_days d
      where d.account_id = p_account and d.key_id = p_key and d.day >= date_trunc('month', p_day)::date and d.day < (date_trunc('month', p_day) + interval '1 month')::date
    union all
    select gateway_shanghai_day(u.hour), u.amount from gateway_unsummed u
      where u.account_id = p_account and u.key_id = p_key and date_trunc('month', gateway_shanghai_day(u.hour)) = date_trunc('month', p_day)
  ) s
$$;
