-- Debt comes first: what a user owes, on the balance or on a card of theirs, is paid from the balance before anything is available,
-- and while some of it remains no money leaves.

-- Who pays what another owner owes: a card's debt is its member's.
create table wallet_payers (
  owner text primary key check (owner ~ '^card:.'),
  payer text not null check (payer ~ '^user:.')
);
create index wallet_payers_of on wallet_payers (payer);
revoke insert, update, delete, truncate on wallet_payers from mingxi_app;

-- Movements of these pairs take money away from us, and wait until their owner owes nothing.
alter table wallet_allowed_pairs add column leaves boolean not null default false;
update wallet_allowed_pairs set leaves = true where (debit_kind, credit_kind) in (('customer', 'in_transit'), ('reward', 'in_transit'));

-- The user behind an owner: of a card its payer.
create function wallet_payer(p_owner text) returns text language sql stable as $$
  select coalesce((select payer from wallet_payers where owner = p_owner), p_owner)
$$;

-- All that a user owes in a currency, zero or positive: on the balance and on every card.
create function wallet_owed(p_payer text, p_currency text) returns bigint language sql stable as $$
  select coalesce(-sum(r.posted), 0)::bigint from wallet_accounts r where r.kind = 'receivable' and r.currency = p_currency
    and r.owner in (select p_payer union all select owner from wallet_payers where payer = p_payer)
$$;

-- The account that can be spent comes before the debt beside it, whoever owns both; the balance that pays for a card before the card.
create or replace function wallet_lock(p_ids bigint[]) returns void language plpgsql as $$
begin
  perform from wallet_accounts where id in (
    select unnest(p_ids)
    union select s.id from wallet_accounts a join wallet_accounts s on s.owner = a.owner and s.currency = a.currency
    where a.id = any (p_ids) and a.owner <> 'system' and s.kind in ('customer', 'card', 'receivable')
    union select s.id from wallet_accounts a join wallet_payers p on p.owner = a.owner
      join wallet_accounts s on s.owner = p.payer and s.currency = a.currency and s.kind = 'customer'
    where a.id = any (p_ids))
  order by owner = 'system', kind not in ('customer', 'card'), kind = 'card', id for no key update;
end $$;

-- Pays debts from what has become available: what the account itself owes, then, of a balance, the cards of its user. Called wherever
-- that grows or a card comes to owe, so a debt means that nothing is available, and a card's debt that no bought credit is. A gift pays
-- for no card: it would leave by the shop that the debt was made at.
create or replace function wallet_repay(p_account bigint) returns void language plpgsql as $$
declare v_receivable bigint; v_amount bigint; v_ref text; v_transaction bigint; v_made wallet_made; v_card record;
begin
  select r.id, least(-r.posted, c.posted - c.held), c.id || ':' || c.entry_count into v_receivable, v_amount, v_ref
  from wallet_accounts c join wallet_accounts r on r.owner = c.owner and r.currency = c.currency and r.kind = 'receivable'
  where c.id = p_account and c.kind in ('customer', 'card') and r.posted < 0 and c.posted > c.held;
  if v_amount is not null then
    perform wallet_lock(array[p_account, v_receivable]);
    v_made := (p_account, 'wallet.repay', v_ref, sha256(convert_to(v_amount::text, 'UTF8')), now());
    insert into wallet_transactions (account_id, kind, ref, body_hash, at) values (v_made.*) returning id into v_transaction;
    perform wallet_step(v_transaction, p_account, v_receivable, v_amount, '{}', v_made);
  end if;
  for v_card in select r.id, r.owner from wallet_accounts c join wallet_payers p on p.payer = c.owner
    join wallet_accounts r on r.owner = p.owner and r.currency = c.currency and r.kind = 'receivable'
    where c.id = p_account and c.kind = 'customer' and r.posted < 0 and c.posted > c.held order by r.id
  loop
    perform wallet_lock(array[p_account, v_card.id]);
    select least(-r.posted, c.posted - c.held, c.posted - c.granted - c.purchased_held), substr(v_card.owner, 6) || ':' || c.id || ':' || c.entry_count
      into v_amount, v_ref from wallet_accounts c join wallet_accounts r on r.id = v_card.id where c.id = p_account;
    continue when v_amount <= 0;
    v_made := (p_account, 'card.debt_paid', v_ref, sha256(convert_to(v_amount::text, 'UTF8')), now());
    insert into wallet_transactions (account_id, kind, ref, body_hash, at) values (v_made.*) returning id into v_transaction;
    perform wallet_step(v_transaction, p_account, v_card.id, v_amount, '{"take_kind": "purchased"}', v_made);
  end loop;
end $$;

-- A card that has come to owe is paid for by its member's balance at once.
create function wallet_cover(p_card bigint) returns void language plpgsql as $$
declare v_customer bigint;
begin
  select c.id into v_customer from wallet_accounts a join wallet_payers p on p.owner = a.owner
    join wallet_accounts c on c.owner = p.payer and c.currency = a.currency and c.kind = 'customer' where a.id = p_card and a.kind = 'card';
  if v_customer is not null then perform wallet_repay(v_customer); end if;
end $$;

-- Refuses what would leave while its owner owes. The owner's balance is locked by the caller, so that no debt comes up meanwhile.
create function wallet_refuse_owing(p_debit wallet_accounts, p_credit_kind text) returns void language plpgsql as $$
declare v_owed bigint;
begin
  if p_debit.owner = 'system' or not exists (
    select from wallet_allowed_pairs where debit_kind = p_debit.kind and credit_kind = p_credit_kind and leaves) then return; end if;
  v_owed := wallet_owed(wallet_payer(p_debit.owner), p_debit.currency);
  if v_owed > 0 then perform wallet_refuse('DEBT_FIRST', v_owed::text); end if;
end $$;

-- Pays what can be paid and says what is still owed: asked before anything leaves, and by the repair of older rows.
create function wallet_settle(p_owner text, p_currency text default 'USD') returns bigint language plpgsql as $$
declare v_customer bigint := wallet_open_account(p_owner, 'customer', p_currency);
begin
  perform wallet_lock(array[v_customer]);
  perform wallet_repay(v_customer);
  return wallet_owed(p_owner, p_currency);
end $$;

-- Posts one move. What leaves a reward account must be there, and becomes granted credit whatever the caller says.
create or replace function wallet_step(p_transaction bigint, p_debit bigint, p_credit bigint, p_amount bigint, p jsonb, p_made wallet_made) returns bigint
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
  perform wallet_refuse_owing(v_debit, v_credit.kind);
  if (not v_debit.may_go_negative or v_debit.kind = 'reward' and v_credit.kind <> 'marketing') and v_debit.posted - v_debit.held < p_amount then
    perform wallet_refuse('INSUFFICIENT_FUNDS');
  end if;
  if v_credit.has_lots then
    v_lot_kind := case v_debit.kind when 'reward' then 'granted'
      else coalesce(p ->> 'lot_kind', case v_debit.kind when 'grants' then 'granted' else 'purchased' end) end;
    v_granted := case when p ->> 'undoes' is not null then wallet_restore_lots(v_id, p_credit, (p ->> 'undoes')::bigint, p_amount)
      when v_lot_kind = 'granted' then p_amount else 0 end;
  end if;
  v_moves := array[(v_id, p_transaction, p_debit, p_credit, p_amount, 0, 0, 0, v_granted)::wallet_move];
  if v_debit.has_lots then
    v_moves := wallet_take_lots(v_moves, p ->> 'take_kind', p ->> 'take_order_ref', (p ->> 'take_lot')::bigint);
    if v_debit.posted - p_amount - (v_debit.granted - v_moves[1].debit_granted) < v_debit.purchased_held then
      perform wallet_refuse('INSUFFICIENT_FUNDS', 'held');
    end if;
  end if;
  perform wallet_journal(v_moves, array[p_made]);
  if v_credit.has_lots and p ->> 'undoes' is null then
    insert into wallet_lots (account_id, transfer_id, kind, amount, remaining, order_ref, expires_at)
      values (p_credit, v_id, v_lot_kind, p_amount, p_amount, p ->> 'order_ref', (p ->> 'expires_at')::timestamptz);
  end if;
  return v_id;
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
    if v_ids[3 * i + 3] is not null then perform wallet_cover(v_ids[3 * i + 1]); end if;
  end loop;
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
    perform wallet_refuse_owing(a, p_to_kind) from wallet_accounts a where a.id = v_account;
    if p_amount > v_hold.amount - v_hold.captured and p_over_reason is null then perform wallet_refuse('HOLD_EXCEEDED'); end if;
    select * into v_made from wallet_capture_many(array[v_account], array[p_hold], array[p_amount], array[p_ref], p_kind, p_to_kind, p_to_owner, p_over_reason);
    select * into v_known from wallet_captures c where c.account_id = v_account and c.kind = p_kind and c.ref = p_ref;
    if p_close then perform wallet_close(v_account, p_hold, 'posted'); end if;
    if v_known.debt > 0 then perform wallet_cover(v_account); end if;
  end if;
  transaction_id := v_known.transaction_id; from_hold := v_known.from_hold; from_available := v_known.from_available; debt := v_known.debt;
end $$;

create or replace function wallet_hold(p_id text, p_owner text, p_amount bigint, p_ttl interval, p_purpose text, p_currency text default 'USD',
  p_kind text default 'customer', p_only_purchased boolean default false, p_at_least bigint default null,
  out status text, out amount bigint, out replayed boolean)
language plpgsql as $$
begin
  -- a card's balance is locked after the balance that pays for it, also where more follows in the transaction
  if p_kind = 'card' then perform wallet_lock(array[wallet_open_account(p_owner, p_kind, p_currency)]); end if;
  select h.status, h.amount, h.replayed into status, amount, replayed
    from wallet_hold(wallet_open_account(p_owner, p_kind, p_currency), p_id, p_amount, p_ttl, p_purpose, p_only_purchased, p_at_least) h;
end $$;

-- Debts beside credit that should have paid them: none since this migration, repaired where an older one left some.
create function wallet_unpaid(p_limit int default 100) returns table (account_id bigint, payer text, currency text, payable bigint)
language sql stable set search_path = public, pg_temp as $$
  select * from (
    select c.id, c.owner, c.currency, least(wallet_owed(c.owner, c.currency), case when exists (select from wallet_accounts r
        where r.owner = c.owner and r.currency = c.currency and r.kind = 'receivable' and r.posted < 0) then c.posted - c.held
      else least(c.posted - c.held, c.posted - c.granted - c.purchased_held) end) as payable
    from wallet_accounts c
    where c.kind = 'customer' and c.posted > c.held and c.owner in (
      select coalesce(p.payer, r.owner) from wallet_accounts r left join wallet_payers p on p.owner = r.owner where r.kind = 'receivable' and r.posted < 0)) u
  where payable > 0 order by id limit p_limit
$$;

do $$ declare f regprocedure; begin
  for f in select p.oid from pg_proc p where p.pronamespace = 'public'::regnamespace and p.proname in ('wallet_post', 'wallet_hold', 'wallet_capture', 'wallet_settle')
  loop
    execute format('alter function %s security definer set search_path = public, pg_temp', f);
    execute format('alter function %s set plan_cache_mode = force_generic_plan', f);
    execute format('alter function %s set enable_seqscan = off', f);
  end loop;
  for f in select p.oid from pg_proc p where p.pronamespace = 'public'::regnamespace and p.proname in ('wallet_lock', 'wallet_step', 'wallet_repay',
    'wallet_cover', 'wallet_refuse_owing')
  loop
    execute format('revoke execute on function %s from public, mingxi_app', f);
  end loop;
end $$;

-- A card names its payer when it is made.
create function cards_name_payer() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into wallet_payers (owner, payer) values ('card:' || new.id, 'user:' || new.user_id) on conflict do nothing;
  return null;
end $$;
create trigger names_payer after insert on cards_cards for each row execute function cards_name_payer();
insert into wallet_payers (owner, payer) select 'card:' || id, 'user:' || user_id from cards_cards;

-- What the balance paid of a card's debt is a row among the card's bills, in the transaction that paid it.
create function cards_show_debt_paid() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare v_owner text := (select owner from wallet_accounts where id = new.credit_account_id);
begin
  insert into cards_bills (id, card_id, user_id, at, kind, state, amount, balance_after, method)
    select 'paid_' || new.transaction_id, c.id, c.user_id, now(), 'settled_debt', 'success', new.amount,
      (select sum(posted) from wallet_accounts where owner = v_owner and currency = new.currency and kind in ('card', 'receivable')), 'balance'
    from cards_cards c where v_owner like 'card:%' and c.id = substr(v_owner, 6);
  return null;
end $$;
create trigger shows_debt_paid after insert on wallet_transfers for each row
  when (new.debit_kind = 'customer' and new.credit_kind = 'receivable') execute function cards_show_debt_paid();

-- When the last call that may have sent a transfer began: what was not sent, by its vendor's word, is taken back only after that call's end.
alter table payments_withdrawals add column called_at timestamptz;
