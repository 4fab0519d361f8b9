-- Gateway: sums by hour beside those by day, moved by the same posting. An hour also tells how many of its calls did not
-- complete and what the dearest one cost, so that a search among millions of calls opens only the hours that can hold a match.

do $$ begin while gateway_post(null) > 0 loop end loop; end $$;
drop function gateway_post(bigint[]);
drop function gateway_flush(text[], bigint[], bigint[], text[], text[], text[], text[], bigint[], bigint[], float8[], text,
  text[], bigint[], bigint[], text[], text[], text[], text[], bigint[], float8[], text[], bool[],
  int[], text[], text[], bigint[], bigint[], bigint[], bigint[], bigint[], text[], text[], text[], int[], int[],
  bigint[], bigint[], date[], text[], text[], bigint[], bigint[], bigint[], text[]);

alter table gateway_unposted drop column day;
-- The hour in which the calls began: the same in Shanghai and in UTC, which are whole hours apart.
alter table gateway_unposted add column hour timestamptz not null;
-- Calls whose outcome is not `completed`, and the dearest call.
alter table gateway_unposted add column failed bigint not null check (failed between 0 and calls);
alter table gateway_unposted add column largest bigint not null check (largest between 0 and amount);

create function gateway_shanghai_day(hour timestamptz) returns date language sql stable parallel safe return (hour at time zone 'Asia/Shanghai')::date;

alter table gateway_usage_days add column failed bigint not null default 0, add column largest bigint not null default 0;
create table gateway_usage_hours (
  account_id bigint not null,
  hour timestamptz not null,
  model text not null,
  key_id text not null,
  calls bigint not null,
  tokens bigint not null,
  amount bigint not null,
  failed bigint not null,
  largest bigint not null,
  primary key (account_id, hour, model, key_id)
) with (fillfactor = 70);
create index gateway_usage_hours_time on gateway_usage_hours using brin (hour) with (pages_per_range = 32, autosummarize = on);
insert into gateway_usage_hours
select account_id, date_trunc('hour', started_at), model, key_id, count(*), sum(input_tokens + output_tokens), sum(amount),
  count(*) filter (where outcome <> 'completed'), max(amount) from gateway_usage group by 1, 2, 3, 4;
update gateway_usage_days d set failed = h.failed, largest = h.largest
  from (select account_id, gateway_shanghai_day(hour) as day, model, key_id, sum(failed) as failed, max(largest) as largest from gateway_usage_hours group by 1, 2, 3, 4) h
  where (d.account_id, d.day, d.model, d.key_id) = (h.account_id, h.day, h.model, h.key_id);
alter table gateway_usage_days alter column failed drop default, alter column largest drop default;

-- Rows lie in the order in which calls ended: a small index finds a day's for the comparison of sums and of books.
create index gateway_usage_time on gateway_usage using brin (started_at) with (pages_per_range = 32, autosummarize = on);

-- What was compared: rows against sums, day by day (Shanghai).
create table gateway_usage_checks (
  day date primary key,
  checked_at timestamptz not null,
  calls bigint not null,
  amount bigint not null,
  faults int not null
);

-- Opens calls, writes usage rows with what is to be posted of them, closes calls: together or not at all (decision 0009).
create function gateway_flush(
  o_call text[], o_lease bigint[], o_account bigint[], o_key text[], o_user text[], o_model text[], o_upstream text[], o_price bigint[], o_held bigint[], o_started float8[], o_node text,
  s_call text[], s_lease bigint[], s_account bigint[], s_key text[], s_user text[], s_model text[], s_upstream text[], s_price bigint[], s_started float8[], s_dialect text[], s_stream bool[],
  s_status int[], s_outcome text[], s_provenance text[], s_amount bigint[], s_input bigint[], s_cached bigint[], s_output bigint[], s_reasoning bigint[], s_lines text[],
  s_request text[], s_upstream_request text[], s_first_byte int[], s_total int[],
  u_lease bigint[], u_account bigint[], u_hour timestamptz[], u_model text[], u_key text[], u_calls bigint[], u_tokens bigint[], u_amount bigint[], u_failed bigint[], u_largest bigint[],
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
    insert into gateway_unposted (lease_id, account_id, hour, model, key_id, calls, tokens, amount, failed, largest)
    select * from unnest(u_lease, u_account, u_hour, u_model, u_key, u_calls, u_tokens, u_amount, u_failed, u_largest);
  end if;
  if p_closed <> '{}' then
    delete from gateway_calls where call_id = any (p_closed);
  end if;
end $$;

-- Moves what waits into hours, days and the ledger: of the leases named, waiting for whoever is posting them; or, with none
-- named, of any lease whose rows nobody else has in hand. A row goes with the posting that took it, so it is posted once, and
-- hours, days and ledger never disagree.
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
