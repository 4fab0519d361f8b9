-- Wallet: accounts of cards. A card keeps its own money: what is on it was paid for, so it has no lots. What it owes is a
-- receivable of the same owner, repaid as a user's is. The house's `issuer` account mirrors the issuer's book (decision 0053).
insert into wallet_account_kinds (kind, may_go_negative, has_lots, about) values
  ('card', false, false, 'what a card can spend'),
  ('deposit', false, false, 'what a user left as security'),
  ('issuer', true, false, 'what cards spent, less what came back: the issuer''s book');

insert into wallet_allowed_pairs (debit_kind, credit_kind, about) values
  ('in_transit', 'card', 'recharge, moved in'), ('card', 'in_transit', 'withdrawal, return, moved out'),
  ('card', 'issuer', 'purchase'), ('issuer', 'card', 'refund'), ('receivable', 'issuer', 'purchase beyond the card'),
  ('card', 'fees', 'fee of a card'), ('fees', 'card', 'its return'), ('card', 'receivable', 'debt of a card repaid'),
  ('revenue', 'deposit', 'deposit paid with an order'), ('deposit', 'revenue', 'deposit of an order that is undone'),
  ('deposit', 'customer', 'deposit given back');

alter table wallet_accounts drop constraint wallet_accounts_owner_check;
alter table wallet_accounts add constraint wallet_accounts_owner_check check (owner = 'system' or owner ~ '^(user|card):.');

-- The account that can be spent comes before the debt beside it, whoever owns both.
create or replace function wallet_lock(p_ids bigint[]) returns void language plpgsql as $$
begin
  perform from wallet_accounts where id in (
    select unnest(p_ids)
    union select s.id from wallet_accounts a join wallet_accounts s on s.owner = a.owner and s.currency = a.currency
    where a.id = any (p_ids) and a.owner <> 'system' and s.kind in ('customer', 'card', 'receivable'))
  order by owner = 'system', kind not in ('customer', 'card'), id for no key update;
end $$;

-- What names `customer` and means whoever can owe is told of cards: the functions stay as they are otherwise.
do $$
declare
  v_function regprocedure;
  v_old text;
  v_new text;
  v_text text;
begin
  for v_function, v_old, v_new in values
    ('wallet_repay(bigint)'::regprocedure, 'c.kind = ''customer''', 'c.kind in (''customer'', ''card'')'),
    ('wallet_verify(int)'::regprocedure, 'or a.kind = ''customer'' and a.posted > a.held', 'or a.kind in (''customer'', ''card'') and a.posted > a.held'),
    ('wallet_expire(int)'::regprocedure, 'kind <> ''customer''', 'kind not in (''customer'', ''card'')')
  loop
    v_text := pg_get_functiondef(v_function);
    if (length(v_text) - length(replace(v_text, v_old, ''))) <> length(v_old) then
      raise exception '% does not say % once', v_function, v_old;
    end if;
    execute replace(v_text, v_old, v_new);
  end loop;
end $$;

-- The rights of 0007: what was replaced keeps its own, and nobody but the ledger locks.
revoke execute on function wallet_lock(bigint[]), wallet_repay(bigint) from public, mingxi_app;
