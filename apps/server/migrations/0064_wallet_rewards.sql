-- Wallet: what a user earns by inviting stands in an account of its own. It is neither purchased nor granted credit: it moves one
-- way into the balance, where it is granted, or out by withdrawal. Taking a reward back may make it negative; nothing else may.
insert into wallet_account_kinds (kind, may_go_negative, has_lots, about) values
  ('reward', true, false, 'what a user earned by inviting; below zero only by rewards taken back'),
  ('marketing', true, false, 'minus the rewards earned');
insert into wallet_allowed_pairs (debit_kind, credit_kind, recharges, spends, about) values
  ('marketing', 'reward', 0, 0, 'reward earned'), ('reward', 'marketing', 0, 0, 'reward taken back'),
  ('reward', 'customer', 0, 0, 'reward moved to the balance'),
  ('reward', 'in_transit', 0, 0, 'reward withdrawn'), ('in_transit', 'reward', 0, 0, 'withdrawal of a reward returned');

alter table wallet_accounts add constraint wallet_accounts_reward_owner
  check (kind not in ('reward', 'marketing') or (kind = 'reward') = (owner <> 'system'));

-- As in 0059; new: what leaves a reward account must be there, and becomes granted credit whatever the caller says.
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
