-- Captures: holds turned into charges, hundreds at once for the gateway's leases or one by one.

create type wallet_capture_row as (
  n bigint, ref text, hold_id text, amount bigint, outcome text, account_id bigint, only_purchased boolean,
  from_hold bigint, from_available bigint, debt bigint, transaction_id bigint);

-- The effects of captures whose split is known and whose holders' accounts are locked: one transaction, named by a digest
-- because its users must not read each other's references. Returns its id.
create function wallet_capture_write(p_rows wallet_capture_row[], p_kind text, p_to_kind text, p_to_owner text, p_reason text) returns bigint
language plpgsql as $$
declare
  v_transaction bigint;
  v_strict wallet_move[];
  v_moves wallet_move[];
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

  insert into wallet_transactions (kind, ref, body_hash)
  select p_kind, 'batch:' || md5(p_rows[1].ref), sha256(convert_to(string_agg(concat_ws('|', r.hold_id, r.amount, r.ref), ',' order by r.n), 'UTF8'))
    from unnest(p_rows) r returning id into v_transaction;
  with captures as (
    insert into wallet_captures (kind, ref, hold_id, amount, from_hold, from_available, debt, transaction_id)
    select p_kind, ref, hold_id, amount, from_hold, from_available, debt, v_transaction from unnest(p_rows)
  ), reasons as (
    insert into wallet_over_captures (kind, ref, amount, reason)
    select p_kind, ref, amount - from_hold, p_reason from unnest(p_rows) where amount > from_hold
  ), holds as (
    update wallet_holds h set captured = h.captured + t.take
    from (select hold_id, sum(from_hold)::bigint as take from unnest(p_rows) group by hold_id) t
    where h.id = t.hold_id and h.id = any (v_holds) and t.take > 0
  ), part as (
    select r.account_id, r.only_purchased, sum(r.from_hold)::bigint as released, sum(r.from_hold + r.from_available)::bigint as paid, sum(r.debt)::bigint as debt
    from unnest(p_rows) r group by r.account_id, r.only_purchased
  ), known as (
    select p.*, a.owner, a.currency, t.id as to_id
    from part p join wallet_accounts a on a.id = p.account_id and a.id = any (v_accounts)
    join wallet_accounts t on t.id = any (v_to) and t.currency = a.currency
  ), moves as materialized (
    select nextval('wallet_transfers_id_seq') as transfer_id, m.* from (
      select account_id as debit_id, to_id, paid as amount, released, only_purchased from known where paid > 0
      union all
      select wallet_open_account(owner, 'receivable', currency), to_id, debt, 0, false from known where debt > 0) m
  ), typed as (
    select only_purchased, (transfer_id, v_transaction, debit_id, to_id, amount, released,
      case when only_purchased then released else 0 end, 0, 0)::wallet_move as move from moves
  )
  select array_agg(move order by (move).transfer_id) filter (where only_purchased),
    array_agg(move order by (move).transfer_id) filter (where not only_purchased) into v_strict, v_moves from typed;
  if v_strict is not null then perform wallet_journal(wallet_take_lots(v_strict, 'purchased')); end if;
  if v_moves is not null then perform wallet_journal(wallet_take_lots(v_moves)); end if;
  perform wallet_repay(id) from unnest(v_owing) id; -- a strict hold's excess may be owed beside money that is available
  return v_transaction;
end $$;

-- Captures for many holds at once, each call once for (p_kind, ref): from its hold, then from what is available, then as
-- debt. One transfer an account. No row fails because of another one; `outcome` is captured, replayed, ref_reused,
-- hold_unknown or bad_amount, and the last three moved nothing. The receiver is one account of p_to_owner a currency.
create function wallet_capture_many(p_holds text[], p_amounts bigint[], p_refs text[], p_kind text, p_to_kind text default 'revenue',
  p_to_owner text default 'system', p_reason text default 'lease closed or too small')
returns table (ref text, hold_id text, outcome text, captured bigint, from_available bigint, debt bigint, transaction_id bigint)
language plpgsql as $$
#variable_conflict use_column
declare v_rows wallet_capture_row[]; v_fresh wallet_capture_row[]; v_transaction bigint; v_accounts bigint[] := array(select distinct account_id from wallet_holds where id = any (p_holds));
begin
  perform from wallet_accounts where id = any (v_accounts)
    order by owner = 'system', kind <> 'customer', id for no key update;

  with asked as (
    select u.*, row_number() over (partition by u.ref order by u.n) as copy
    from unnest(p_holds, p_amounts, p_refs) with ordinality u (hold_id, amount, ref, n)
  ), seen as (
    select k.n, k.ref, k.hold_id, k.amount, h.account_id, h.only_purchased, c.transaction_id,
      c.from_hold, c.from_available, c.debt, case when h.status = 'pending' then h.amount - h.captured else 0 end as uncaptured,
      case when h.id is null then 'hold_unknown' when k.ref is null or coalesce(k.amount, -1) < 0 then 'bad_amount'
        when c.ref is not null then case when (c.hold_id, c.amount) = (k.hold_id, k.amount) then 'replayed' else 'ref_reused' end
        when k.copy > 1 then 'ref_reused' when k.amount = 0 then 'replayed' else 'captured' end as outcome
    from asked k
    left join lateral (select * from wallet_holds h where h.id = k.hold_id offset 0) h on true
    left join lateral (select * from wallet_captures c where c.kind = p_kind and c.ref = k.ref offset 0) c on true
  ), held as (
    select s.*, greatest(0, least(s.amount, s.uncaptured - sum(s.amount) over (partition by s.hold_id order by s.n) + s.amount))::bigint as take
    from seen s where s.outcome = 'captured'
  ), beyond as (
    select h.*, case when h.only_purchased then 0 else h.amount - h.take end as over from held h
  ), funded as (
    select b.*, greatest(0, least(b.over, a.posted - a.held - sum(b.over) over (partition by b.account_id order by b.n) + b.over))::bigint as extra
    from beyond b join wallet_accounts a on a.id = b.account_id and a.id = any (v_accounts)
  )
  select array_agg(row_ order by (row_).n) into v_rows from (
    select (n, ref, hold_id, amount, outcome, account_id, only_purchased, take, extra, amount - take - extra, null)::wallet_capture_row as row_ from funded
    union all
    select (n, ref, hold_id, amount, outcome, account_id, only_purchased, coalesce(from_hold, 0), coalesce(from_available, 0), coalesce(debt, 0), transaction_id)::wallet_capture_row
    from seen where outcome <> 'captured') both_;

  v_fresh := array(select r::wallet_capture_row from unnest(v_rows) r where r.outcome = 'captured' order by r.n);
  if v_fresh <> '{}' then v_transaction := wallet_capture_write(v_fresh, p_kind, p_to_kind, p_to_owner, p_reason); end if;
  return query select r.ref, r.hold_id, r.outcome, case when r.outcome in ('captured', 'replayed') then r.amount else 0 end,
    r.from_available, r.debt, case r.outcome when 'captured' then v_transaction else r.transaction_id end from unnest(v_rows) r order by r.n;
end $$;

-- Captures for one hold, once for (p_kind, p_ref). Closes it unless told otherwise. Taking more than is left in it needs
-- p_over_reason; the excess comes from what is available, then becomes debt.
create function wallet_capture(p_hold text, p_amount bigint, p_kind text, p_ref text, p_to_kind text default 'revenue', p_to_owner text default 'system',
  p_close boolean default true, p_over_reason text default null, out transaction_id bigint, out from_hold bigint, out from_available bigint, out debt bigint, out replayed boolean)
language plpgsql as $$
#variable_conflict use_column
declare v_known wallet_captures; v_hold wallet_holds; v_made record;
begin
  if coalesce(p_amount, 0) <= 0 then perform wallet_refuse('BAD_AMOUNT'); end if;
  perform wallet_lock(array[(select account_id from wallet_holds where id = p_hold)]);
  select * into v_known from wallet_captures c where c.kind = p_kind and c.ref = p_ref;
  replayed := v_known.ref is not null;
  if replayed then
    if (v_known.hold_id, v_known.amount) is distinct from (p_hold, p_amount) then perform wallet_refuse('LEDGER_REF_REUSED', p_ref); end if;
  else
    v_hold := wallet_pending(p_hold);
    if p_amount > v_hold.amount - v_hold.captured and p_over_reason is null then perform wallet_refuse('HOLD_EXCEEDED'); end if;
    select * into v_made from wallet_capture_many(array[p_hold], array[p_amount], array[p_ref], p_kind, p_to_kind, p_to_owner, p_over_reason);
    select * into v_known from wallet_captures c where c.kind = p_kind and c.ref = p_ref;
    if p_close then perform wallet_close(p_hold, 'posted'); end if;
  end if;
  transaction_id := v_known.transaction_id; from_hold := v_known.from_hold; from_available := v_known.from_available; debt := v_known.debt;
end $$;
