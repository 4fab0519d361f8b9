-- Recomputes everything that the wallet stores from the journal and names what does not fit, journal rows first and in
-- their order. One statement, so one snapshot: it is right under traffic too (money.md, I1 to I5, I9, L9, L13).

-- Both sides of every transfer as entries of their accounts.
create view wallet_entries as
  select debit_account_id as account_id, debit_seq as seq, id as transfer_id, transaction_id, -amount as delta, debit_after as after, debit_hash as hash, debit_kind as kind, credit_kind as other_kind,
    debit_account_id, credit_account_id, currency, amount from wallet_transfers
  union all
  select credit_account_id, credit_seq, id, transaction_id, amount, credit_after, credit_hash, credit_kind, debit_kind,
    debit_account_id, credit_account_id, currency, amount from wallet_transfers;

create function wallet_verify(p_limit int default 20) returns table (place int, at_table text, row_id text, problem text)
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
      when (a.kind, a.currency) <> (e.kind, e.currency) then 'it names another kind or currency than its account' end as problem
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
    select 7, l.id, 'wallet_lots', l.id::text, 'remaining is not its amount less its uses'
    from wallet_lots l left join (select lot_id, sum(amount) as used from wallet_lot_uses group by lot_id) u on u.lot_id = l.id
    where l.remaining <> l.amount - coalesce(u.used, 0)
    union all
    select 8, t.id, 'wallet_transfers', t.id::text, 'its lots do not add up to its amount'
    from wallet_transfers t join wallet_accounts d on d.id = t.debit_account_id join wallet_accounts c on c.id = t.credit_account_id
    left join lot_of u on u.transfer_id = t.id left join wallet_lots l on l.transfer_id = t.id
    where (case when d.has_lots then t.amount else 0 end, case when c.has_lots then t.amount else 0 end)
      <> (coalesce(u.taken, 0), coalesce(l.amount, 0) + coalesce(u.given, 0))
  )
  select place, at_table, row_id, problem from found order by place, n, row_id limit p_limit
$$;
