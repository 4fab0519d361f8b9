-- Gateway: a flush only inserts. What calls came to waits in gateway_unposted, a row for each lease, day, model and key of a
-- flush; posting takes such rows away and moves their sums into the ledger and the day sums, once for many calls. No two flushes
-- wait for each other's row, and a flush costs half of what it did (decision 0009).

select gateway_post('', array(select lease_id from gateway_leases where charged > posted));
drop function gateway_post(text, bigint[]);
drop function gateway_charge(bigint[], bigint[]);
alter table gateway_leases drop column charged, drop column posted;

create table gateway_unposted (
  id bigint generated always as identity,
  lease_id bigint not null,
  account_id bigint not null,
  -- Shanghai day on which the calls began.
  day date not null,
  model text not null,
  key_id text not null,
  calls bigint not null check (calls > 0),
  tokens bigint not null,
  amount bigint not null check (amount >= 0),
  primary key (lease_id, id)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 100000);

-- Opens calls, writes usage rows with what is to be posted of them, closes calls: together or not at all. A usage row that is
-- there already breaks the primary key. The plans are made once: planning anew each time cost more than the work.
create function gateway_flush(
  o_call text[], o_lease bigint[], o_account bigint[], o_key text[], o_user text[], o_model text[], o_upstream text[], o_price bigint[], o_held bigint[], o_started float8[], o_node text,
  s_call text[], s_lease bigint[], s_account bigint[], s_key text[], s_user text[], s_model text[], s_upstream text[], s_price bigint[], s_started float8[], s_dialect text[], s_stream bool[],
  s_status int[], s_outcome text[], s_provenance text[], s_amount bigint[], s_input bigint[], s_cached bigint[], s_output bigint[], s_reasoning bigint[], s_lines text[],
  s_request text[], s_upstream_request text[], s_first_byte int[], s_total int[],
  u_lease bigint[], u_account bigint[], u_day date[], u_model text[], u_key text[], u_calls bigint[], u_tokens bigint[], u_amount bigint[],
  p_closed text[]) returns void language plpgsql set plan_cache_mode = force_generic_plan as $$
begin
  if o_call <> '{}' then
    insert into gateway_calls (call_id, lease_id, account_id, key_id, user_id, model, upstream, price_version, held, node, started_at)
    select call_id, lease_id, account_id, key_id, user_id, model, upstream, price_version, held, o_node, to_timestamp(started / 1000.0)
    from unnest(o_call, o_lease, o_account, o_key, o_user, o_model, o_upstream, o_price, o_held, o_started)
      as r (call_id, lease_id, account_id, key_id, user_id, model, upstream, price_version, held, started);
  end if;
  if s_call <> '{}' then
    insert into gateway_usage (call_id, lease_id, account_id, key_id, user_id, model, upstream, price_version, started_at, dialect, stream, status, outcome, provenance,
      amount, input_tokens, cached_tokens, output_tokens, reasoning_tokens, lines, request_id, upstream_request_id, first_byte_ms, total_ms)
    select call_id, lease_id, account_id, key_id, user_id, model, upstream, price_version, to_timestamp(started / 1000.0), dialect, stream, status, outcome, provenance,
      amount, input_tokens, cached_tokens, output_tokens, reasoning_tokens, lines::bigint[], request_id, upstream_request_id, first_byte_ms, total_ms
    from unnest(s_call, s_lease, s_account, s_key, s_user, s_model, s_upstream, s_price, s_started, s_dialect, s_stream, s_status, s_outcome, s_provenance,
      s_amount, s_input, s_cached, s_output, s_reasoning, s_lines, s_request, s_upstream_request, s_first_byte, s_total)
      as s (call_id, lease_id, account_id, key_id, user_id, model, upstream, price_version, started, dialect, stream, status, outcome, provenance,
      amount, input_tokens, cached_tokens, output_tokens, reasoning_tokens, lines, request_id, upstream_request_id, first_byte_ms, total_ms);
    insert into gateway_unposted (lease_id, account_id, day, model, key_id, calls, tokens, amount)
    select * from unnest(u_lease, u_account, u_day, u_model, u_key, u_calls, u_tokens, u_amount);
  end if;
  if p_closed <> '{}' then
    delete from gateway_calls where call_id = any (p_closed);
  end if;
end $$;

-- Moves what waits into the day sums and the ledger: of the leases named, waiting for whoever is posting them; or, with none
-- named, of any lease whose rows nobody else has in hand. A row goes with the posting that took it, so it is posted once.
create function gateway_post(p_leases bigint[]) returns int language plpgsql set plan_cache_mode = force_generic_plan as $$
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
      delete from gateway_unposted where lease_id = any (p_leases) returning *
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
  insert into gateway_usage_days as d (account_id, day, model, key_id, calls, tokens, amount)
  select account_id, day, model, key_id, sum(calls), sum(tokens), sum(amount) from unnest(v_rows) group by 1, 2, 3, 4 order by 1, 2, 3, 4
  on conflict (account_id, day, model, key_id) do update set calls = d.calls + excluded.calls, tokens = d.tokens + excluded.tokens, amount = d.amount + excluded.amount;
  return cardinality(v_rows);
end $$;
