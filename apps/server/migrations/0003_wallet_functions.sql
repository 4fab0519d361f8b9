-- The ledger's verbs, one round trip each. Rules that all of them keep:
-- * The row of a user's `customer` account is the lock for everything that user has: holds, lots, debt. Locks are taken
--   customers first, then other accounts of users, then the system's (the hot ones, held shortest), each by id.
-- * A refusal is an error of class MX whose message is its name; a refused hold is a row and not an error, because an
--   error would undo the record of the refusal.
-- * Plans are generic: planning the set-based statements costs more than running them. Every access to a table that grows
--   is bounded by `= any (array)` or `lateral`, and sequential scans are off, so that a plan made while the tables were
--   empty stays a good one.

create function wallet_refuse(p_name text, p_detail text default '') returns void language plpgsql as $$
begin
  raise exception using errcode = 'MX001', message = p_name, detail = p_detail;
end $$;

-- The text that a hash covers. Kind and reference come last: they are the only free texts.
create function wallet_line(p_transfer bigint, p_debit bigint, p_credit bigint, p_currency text, p_amount bigint, p_account bigint,
  p_seq bigint, p_after bigint, p_transaction bigint, p_at timestamptz, p_body bytea, p_kind text, p_ref text)
returns text language sql stable as $$
  select concat_ws('|', p_transfer, p_debit, p_credit, p_currency, p_amount, p_account, p_seq, p_after, p_transaction,
    (extract(epoch from p_at) * 1000000)::bigint, encode(p_body, 'hex'), p_kind, p_ref)
$$;

-- One link of an account's chain: sha256(previous head, text). In PL/pgSQL, which is quicker here than an SQL function.
create function wallet_link(p_head bytea, p_line text) returns bytea language plpgsql immutable as $$
begin
  return sha256(p_head || convert_to(p_line, 'UTF8'));
end $$;
create function wallet_chain_step(p_state bytea, p_head bytea, p_line text) returns bytea language plpgsql immutable as $$
begin
  return sha256(coalesce(p_state, p_head) || convert_to(p_line, 'UTF8'));
end $$;
create aggregate wallet_chain(bytea, text) (sfunc = wallet_chain_step, stype = bytea);

create function wallet_open_account(p_owner text, p_kind text, p_currency text default 'USD') returns bigint
language plpgsql as $$
declare v_id bigint;
begin
  select id into v_id from wallet_accounts where owner = p_owner and kind = p_kind and currency = p_currency;
  if v_id is null then
    insert into wallet_accounts (owner, kind, currency, may_go_negative, has_lots)
      select p_owner, k.kind, p_currency, k.may_go_negative, k.has_lots from wallet_account_kinds k where k.kind = p_kind
      on conflict (owner, kind, currency) do nothing returning id into v_id;
    if v_id is null then
      select id into v_id from wallet_accounts where owner = p_owner and kind = p_kind and currency = p_currency;
    end if;
    if v_id is null then perform wallet_refuse('ACCOUNT_UNKNOWN', p_kind); end if;
  end if;
  return v_id;
end $$;

-- Locks accounts in the one order, and with any account of a user that user's customer and receivable.
create function wallet_lock(p_ids bigint[]) returns void language plpgsql as $$
begin
  perform from wallet_accounts where id in (
    select unnest(p_ids)
    union select s.id from wallet_accounts a join wallet_accounts s on s.owner = a.owner and s.currency = a.currency
    where a.id = any (p_ids) and a.owner <> 'system' and s.kind in ('customer', 'receivable'))
  order by owner = 'system', kind <> 'customer', id for no key update;
end $$;

-- What the journal writer is told: one row a transfer. `released` leaves the debit account's holds with it; the
-- `*_granted` are the parts that come from or go to granted lots.
create type wallet_move as (
  transfer_id bigint, transaction_id bigint, debit_id bigint, credit_id bigint, amount bigint,
  released bigint, released_purchased bigint, debit_granted bigint, credit_granted bigint);

-- Writes transfers, numbers and chains them for both sides and moves the balances, in one statement. The accounts are
-- locked by the caller and the ids drawn after that.
create function wallet_journal(p_moves wallet_move[]) returns void language plpgsql as $$
declare v_accounts bigint[] := array(select debit_id from unnest(p_moves) union select credit_id from unnest(p_moves));
begin
  with side as (
    select m.*, is_credit, case when is_credit then m.credit_id else m.debit_id end as account_id,
      case when is_credit then m.amount else -m.amount end as delta
    from unnest(p_moves) m cross join (values (false), (true)) s (is_credit)
  ), numbered as (
    select s.*, a.kind, a.currency, a.head, t.at, t.body_hash, t.kind as t_kind, t.ref as t_ref,
      a.entry_count + row_number() over one_account as seq, (a.posted + sum(s.delta) over one_account)::bigint as after
    from side s cross join lateral (select * from wallet_accounts a where a.id = s.account_id offset 0) a
    cross join lateral (select * from wallet_transactions t where t.id = s.transaction_id offset 0) t
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
    insert into wallet_transfers (id, transaction_id, debit_account_id, credit_account_id, debit_kind, credit_kind, currency, amount,
      debit_seq, credit_seq, debit_after, credit_after, debit_hash, credit_hash)
    select transfer_id, transaction_id, debit_id, credit_id, kind, c_kind, currency, amount, seq, c_seq, after, c_after, hash, c_hash
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

-- Empties lots for the moves that debit an account with lots, at most one move an account. Filters narrow the choice.
create function wallet_take_lots(p_moves wallet_move[], p_kind text default null, p_order_ref text default null, p_lot bigint default null)
returns wallet_move[] language plpgsql as $$
declare v_moves wallet_move[]; v_short boolean; v_accounts bigint[] := array(select debit_id from unnest(p_moves));
begin
  with picked as materialized (
    select m.transfer_id, l.id as lot_id, l.kind, least(l.remaining, m.amount - l.before)::bigint as take
    from unnest(p_moves) m
    cross join lateral (select has_lots from wallet_accounts where id = m.debit_id offset 0) a
    cross join lateral (
      select o.id, o.kind, o.remaining,
        sum(o.remaining) over (order by o.kind = 'purchased', o.expires_at nulls last, o.id) - o.remaining as before
      from wallet_lots o where o.account_id = m.debit_id and not o.spent and (p_kind is null or o.kind = p_kind)
        and (p_order_ref is null or o.order_ref = p_order_ref) and (p_lot is null or o.id = p_lot)) l
    where l.before < m.amount and a.has_lots
  ), used as (
    insert into wallet_lot_uses (transfer_id, lot_id, amount) select transfer_id, lot_id, take from picked
  ), cut as (
    update wallet_lots l set remaining = l.remaining - p.take from picked p
    where l.id = p.lot_id and l.account_id = any (v_accounts) and not l.spent
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
create function wallet_restore_lots(p_transfer bigint, p_account bigint, p_undoes bigint, p_amount bigint) returns bigint language plpgsql as $$
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
    insert into wallet_lot_uses (transfer_id, lot_id, amount, undoes) select p_transfer, lot_id, -amount, p_undoes from given
  ), filled as (
    update wallet_lots l set remaining = l.remaining + g.amount from given g where l.id = g.lot_id
  )
  select sum(amount), coalesce(sum(amount) filter (where kind = 'granted'), 0) into v_total, v_granted from given;
  if v_total is distinct from p_amount then perform wallet_refuse('REFUND_TOO_LARGE'); end if;
  return v_granted;
end $$;
