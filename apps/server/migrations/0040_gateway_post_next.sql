-- Gateway: a posting takes a few accounts a transaction (decision 0035). One transaction for all of them kept every account's row locked
-- until the last was done, and a call that needed more of its account's money meanwhile waited for it.

-- Moves what these rows of gateway_unposted charge into the ledger; returns their number.
create function gateway_post_rows(p_ids bigint[], p_accounts bigint[], p_leases bigint[], p_amounts bigint[]) returns int language plpgsql
set plan_cache_mode = force_generic_plan as $$
declare
  v_of bigint[];
  v_leases bigint[];
  v_amounts bigint[];
  v_refs text[];
begin
  select array_agg(account_id order by lease_id), array_agg(lease_id order by lease_id), array_agg(amount order by lease_id), array_agg('charge:' || lease_id || ':' || last order by lease_id)
    into v_of, v_leases, v_amounts, v_refs
    from (select account_id, lease_id, sum(amount)::bigint as amount, max(id) as last from unnest(p_ids, p_accounts, p_leases, p_amounts) as u (id, account_id, lease_id, amount)
      group by account_id, lease_id having sum(amount) > 0) sums;
  if v_leases is not null then
    perform gateway_must(not exists (select from wallet_capture_many(v_of, array(select 'gateway.lease.' || l from unnest(v_leases) with ordinality u (l, n) order by n),
      v_amounts, v_refs, 'gateway.usage', 'revenue', 'system', 'lease closed or too small') c where c.outcome <> 'captured'), 'the wallet refused a capture');
  end if;
  return coalesce(cardinality(p_ids), 0);
end $$;

-- Takes what waits of the next accounts after this one, 10,000 rows at most; `last` is the last of them, null where none are left after them. By
-- index: the plan is kept, and was made when hardly a row waited (0039).
create function gateway_next_unposted(p_after bigint, p_accounts int, out last bigint, out ids bigint[], out accounts bigint[], out leases bigint[], out amounts bigint[])
language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
#variable_conflict use_column
declare
  v_found int;
begin
  select max(account_id), count(*) into last, v_found from (select distinct account_id from gateway_unposted where account_id > p_after order by account_id limit p_accounts) next_;
  with taken as (
    delete from gateway_unposted where ctid = any (array(
      select ctid from gateway_unposted where account_id > p_after and account_id <= last order by account_id limit 10000 for update skip locked)) returning *
  ), summed as (
    -- Rows of processes before 0037 carry their sums.
    insert into gateway_unsummed (account_id, hour, model, key_id, calls, tokens, amount, failed, largest)
    select account_id, hour, model, key_id, calls, tokens, amount, failed, largest from taken where key_id is not null
  ) select array_agg(t.id), array_agg(t.account_id), array_agg(t.lease_id), array_agg(t.amount) into ids, accounts, leases, amounts from taken t;
  if cardinality(ids) = 10000 then
    last := (select max(a) from unnest(accounts) a); -- the accounts after it are the next transaction's
  elsif v_found < p_accounts then
    last := null;
  end if;
end $$;

-- Posts what waits of the next accounts after this one; `last` is where to go on, null where none is left.
create function gateway_post_next(p_after bigint, p_accounts int, out moved int, out last bigint) language plpgsql as $$
declare
  v_next record;
begin
  select * into v_next from gateway_next_unposted(p_after, p_accounts);
  last := v_next.last;
  moved := gateway_post_rows(v_next.ids, v_next.accounts, v_next.leases, v_next.amounts);
end $$;

-- Of the leases named; without them as much as there is, for processes of the version before.
create or replace function gateway_post(p_accounts bigint[], p_leases bigint[]) returns int language plpgsql set plan_cache_mode = force_generic_plan as $$
declare
  v_ids bigint[];
  v_of bigint[];
  v_leases bigint[];
  v_amounts bigint[];
begin
  if p_leases is null then
    with taken as (
      delete from gateway_unposted where ctid = any (array(select ctid from gateway_unposted limit 10000 for update skip locked)) returning *
    ), summed as (
      insert into gateway_unsummed (account_id, hour, model, key_id, calls, tokens, amount, failed, largest)
      select account_id, hour, model, key_id, calls, tokens, amount, failed, largest from taken where key_id is not null
    ) select array_agg(t.id), array_agg(t.account_id), array_agg(t.lease_id), array_agg(t.amount) into v_ids, v_of, v_leases, v_amounts from taken t;
  else
    with taken as (
      delete from gateway_unposted u using unnest(p_accounts, p_leases) as l (account_id, lease_id) where u.account_id = l.account_id and u.lease_id = l.lease_id returning u.*
    ), summed as (
      insert into gateway_unsummed (account_id, hour, model, key_id, calls, tokens, amount, failed, largest)
      select account_id, hour, model, key_id, calls, tokens, amount, failed, largest from taken where key_id is not null
    ) select array_agg(t.id), array_agg(t.account_id), array_agg(t.lease_id), array_agg(t.amount) into v_ids, v_of, v_leases, v_amounts from taken t;
  end if;
  return gateway_post_rows(v_ids, v_of, v_leases, v_amounts);
end $$;
