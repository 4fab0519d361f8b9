-- Gateway: open calls, leases and what waits to be posted are found by their account, so that the tables can be spread by it
-- (docs/scale.md). The functions of the version before stay until its processes are gone.

alter table gateway_calls drop constraint gateway_calls_pkey, add primary key (account_id, call_id);
alter table gateway_leases drop constraint gateway_leases_pkey, add primary key (account_id, lease_id);
drop index gateway_leases_account;
alter table gateway_unposted drop constraint gateway_unposted_pkey, add primary key (account_id, lease_id, id);

drop function gateway_close(text[]);
-- Ends open rows: the two lists go together.
create function gateway_close(p_accounts bigint[], p_calls text[]) returns void language plpgsql set plan_cache_mode = force_generic_plan as $$
begin
  delete from gateway_calls c using unnest(p_accounts, p_calls) as e (account_id, call_id) where c.account_id = e.account_id and c.call_id = e.call_id;
end $$;

-- Moves what waits into hours, days and the ledger: of the leases named, waiting for whoever is posting them; or, with none
-- named, of any lease whose rows nobody else has in hand. A row goes with the posting that took it, so it is posted once, and
-- hours, days and ledger never disagree.
create function gateway_post(p_accounts bigint[], p_leases bigint[]) returns int language plpgsql set plan_cache_mode = force_generic_plan as $$
declare
  v_rows gateway_unposted[];
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
  select array_agg(lease_id order by lease_id), array_agg(amount order by lease_id), array_agg('charge:' || lease_id || ':' || last order by lease_id)
    into v_leases, v_amounts, v_refs
    from (select lease_id, sum(amount)::bigint as amount, max(id) as last from unnest(v_rows) group by lease_id having sum(amount) > 0) sums;
  if v_leases is not null then
    perform gateway_must(not exists (select from wallet_capture_many(array(select 'gateway.lease.' || l from unnest(v_leases) with ordinality u (l, n) order by n),
      v_amounts, v_refs, 'gateway.usage') c where c.outcome <> 'captured'), 'the wallet refused a capture');
  end if;
  insert into gateway_usage_hours as h (account_id, hour, model, key_id, calls, tokens, amount, failed, largest)
  select account_id, hour, model, key_id, sum(calls), sum(tokens), sum(amount), sum(failed), max(largest) from unnest(v_rows) group by 1, 2, 3, 4 order by 1, 2, 3, 4
  on conflict (account_id, hour, model, key_id) do update set calls = h.calls + excluded.calls, tokens = h.tokens + excluded.tokens,
    amount = h.amount + excluded.amount, failed = h.failed + excluded.failed, largest = greatest(h.largest, excluded.largest);
  insert into gateway_usage_days as d (account_id, day, model, key_id, calls, tokens, amount, failed, largest)
  select account_id, gateway_shanghai_day(hour), model, key_id, sum(calls), sum(tokens), sum(amount), sum(failed), max(largest) from unnest(v_rows) group by 1, 2, 3, 4 order by 1, 2, 3, 4
  on conflict (account_id, day, model, key_id) do update set calls = d.calls + excluded.calls, tokens = d.tokens + excluded.tokens,
    amount = d.amount + excluded.amount, failed = d.failed + excluded.failed, largest = greatest(d.largest, excluded.largest);
  return cardinality(v_rows);
end $$;
