-- Postings: legs as one transaction, once for a reference; debts and expiry follow from them.

-- One transfer with its lots, between locked accounts. `p` may hold: take_kind, take_order_ref, take_lot (which lots pay),
-- lot_kind, order_ref, expires_at (the lot made), undoes (the transaction whose lots are given back).
create function wallet_step(p_transaction bigint, p_debit bigint, p_credit bigint, p_amount bigint, p jsonb default '{}') returns bigint
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
  perform wallet_journal(v_moves);
  if v_credit.has_lots and p ->> 'undoes' is null then
    insert into wallet_lots (account_id, transfer_id, kind, amount, remaining, order_ref, expires_at)
      values (p_credit, v_id, v_lot_kind, p_amount, p_amount, p ->> 'order_ref', (p ->> 'expires_at')::timestamptz);
  end if;
  return v_id;
end $$;

-- Pays a user's debt from what has become available. Called wherever that grows, so a debt means that nothing is available.
create function wallet_repay(p_account bigint) returns void language plpgsql as $$
declare v_receivable bigint; v_amount bigint; v_ref text; v_transaction bigint;
begin
  select r.id, least(-r.posted, c.posted - c.held), c.id || ':' || c.entry_count into v_receivable, v_amount, v_ref
  from wallet_accounts c join wallet_accounts r on r.owner = c.owner and r.currency = c.currency and r.kind = 'receivable'
  where c.id = p_account and c.kind = 'customer' and r.posted < 0 and c.posted > c.held;
  if v_amount is null then return; end if;
  perform wallet_lock(array[p_account, v_receivable]);
  insert into wallet_transactions (kind, ref, body_hash) values ('wallet.repay', v_ref, sha256(convert_to(v_amount::text, 'UTF8')))
    returning id into v_transaction;
  perform wallet_step(v_transaction, p_account, v_receivable, v_amount);
end $$;

-- Posts legs as one transaction, once for (kind, ref): the same legs again change nothing, other legs are refused.
-- A leg: debit_owner, debit_kind, credit_owner, credit_kind, currency, amount (text), the options of wallet_step, and
-- `owe`: what is not available is owed, debited from the owner's receivable. Legs run in order.
create function wallet_post(p_kind text, p_ref text, p_legs jsonb, out transaction_id bigint, out replayed boolean)
language plpgsql as $$
declare
  v_hash bytea := sha256(convert_to(p_legs::text, 'UTF8'));
  v_known bytea;
  v_ids bigint[] := '{}';
  v_leg jsonb;
  v_currency text;
  v_amount bigint;
  v_available bigint;
  i int := 0;
begin
  insert into wallet_transactions (kind, ref, body_hash) values (p_kind, p_ref, v_hash) on conflict (kind, ref) do nothing
    returning id into transaction_id;
  replayed := transaction_id is null;
  if replayed then
    select t.id, t.body_hash into transaction_id, v_known from wallet_transactions t where t.kind = p_kind and t.ref = p_ref;
    if v_known is distinct from v_hash then perform wallet_refuse('LEDGER_REF_REUSED', p_ref); end if;
    return;
  end if;
  for v_leg in select * from jsonb_array_elements(p_legs) loop
    v_currency := coalesce(v_leg ->> 'currency', 'USD');
    v_ids := v_ids || array[wallet_open_account(v_leg ->> 'debit_owner', v_leg ->> 'debit_kind', v_currency),
      wallet_open_account(v_leg ->> 'credit_owner', v_leg ->> 'credit_kind', v_currency),
      case when v_leg ->> 'owe' = 'true' then wallet_open_account(v_leg ->> 'debit_owner', 'receivable', v_currency) end];
  end loop;
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
      perform wallet_step(transaction_id, v_ids[3 * i + 1], v_ids[3 * i + 2], v_available, v_leg);
    end if;
    if v_available < v_amount then
      perform wallet_step(transaction_id, v_ids[3 * i + 3], v_ids[3 * i + 2], v_amount - v_available);
    end if;
    i := i + 1;
  end loop;
  for i in 0 .. jsonb_array_length(p_legs) - 1 loop
    perform wallet_repay(v_ids[3 * i + 2]);
  end loop;
end $$;

-- Moves what is left of expired lots to breakage, as far as no hold needs it. Returns the number of lots moved.
create function wallet_expire_lots(p_limit int default 100) returns int
language plpgsql as $$
declare v_lot record; v_amount bigint; v_transaction bigint; v_count int := 0; v_breakage bigint;
begin
  for v_lot in select l.id, l.account_id, a.currency from wallet_lots l join wallet_accounts a on a.id = l.account_id
    where not l.spent and l.expires_at <= now() and a.posted > a.held order by l.expires_at limit p_limit
  loop
    v_breakage := wallet_open_account('system', 'breakage', v_lot.currency);
    perform wallet_lock(array[v_lot.account_id, v_breakage]);
    select least(l.remaining, a.posted - a.held, case l.kind when 'purchased' then a.posted - a.granted - a.purchased_held end) into v_amount
      from wallet_lots l join wallet_accounts a on a.id = l.account_id where l.id = v_lot.id;
    continue when v_amount <= 0;
    insert into wallet_transactions (kind, ref, body_hash)
      select 'wallet.breakage', v_lot.id || ':' || entry_count, sha256(convert_to(v_amount::text, 'UTF8')) from wallet_accounts where id = v_lot.account_id
      returning id into v_transaction;
    perform wallet_step(v_transaction, v_lot.account_id, v_breakage, v_amount, jsonb_build_object('take_lot', v_lot.id));
    v_count := v_count + 1;
  end loop;
  return v_count;
end $$;
