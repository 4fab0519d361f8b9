-- Gateway: money and sums wait apart (decision 0024). `gateway_unposted` keeps what a flush charged each lease, and goes to the
-- ledger soon. What calls came to by hour, model and key waits in `gateway_unsummed` for longer, so that many calls of a key share
-- one update of its sums. Whoever reads sums adds what waits: no page is behind.

create table gateway_unsummed (
  account_id bigint not null,
  hour timestamptz not null,
  model text not null,
  key_id text not null,
  calls bigint not null check (calls > 0),
  tokens bigint not null,
  amount bigint not null check (amount >= 0),
  failed bigint not null check (failed between 0 and calls),
  largest bigint not null check (largest between 0 and amount)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000, autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 100000);
create index gateway_unsummed_account on gateway_unsummed (account_id, key_id);

-- A process of the version before still writes these; posting hands them on.
alter table gateway_unposted
  alter column hour drop not null, alter column model drop not null, alter column key_id drop not null, alter column calls drop not null,
  alter column tokens drop not null, alter column failed drop not null, alter column largest drop not null;

-- Moves what was charged into the ledger: of the leases named, waiting for whoever is posting them; or, with none named, of any
-- lease whose rows nobody else has in hand. A row goes with the posting that took it, so it is posted once.
create or replace function gateway_post(p_accounts bigint[], p_leases bigint[]) returns int language plpgsql set plan_cache_mode = force_generic_plan as $$
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
  insert into gateway_unsummed (account_id, hour, model, key_id, calls, tokens, amount, failed, largest)
  select account_id, hour, model, key_id, calls, tokens, amount, failed, largest from unnest(v_rows) where key_id is not null;
  return cardinality(v_rows);
end $$;

-- The same, as versions before the last called it.
create or replace function gateway_post(p_leases bigint[]) returns int language sql as $$
  select case when p_leases is null then gateway_post(null, null)
    else (select gateway_post(array_agg(account_id), array_agg(lease_id)) from (select distinct account_id, lease_id from gateway_unposted where lease_id = any (p_leases)) l) end
$$;

-- Moves what waits into hours and days; returns the rows moved. One at a time: a second finds the first at work and leaves.
create function gateway_sum() returns int language plpgsql as $$
declare
  v_rows int;
begin
  if not pg_try_advisory_xact_lock(hashtext('gateway_sum')) then return 0; end if;
  with taken as (
    delete from gateway_unsummed where ctid = any (array(select ctid from gateway_unsummed limit 200000)) returning account_id, hour, model, key_id, calls, tokens, amount, failed, largest
  ), hours as (
    select account_id, hour, model, key_id, sum(calls) as calls, sum(tokens) as tokens, sum(amount) as amount, sum(failed) as failed, max(largest) as largest, count(*) as n
    from taken group by 1, 2, 3, 4 order by 1, 2, 3, 4
  ), by_hour as (
    insert into gateway_usage_hours as h (account_id, hour, model, key_id, calls, tokens, amount, failed, largest)
    select account_id, hour, model, key_id, calls, tokens, amount, failed, largest from hours
    on conflict (account_id, hour, model, key_id) do update set calls = h.calls + excluded.calls, tokens = h.tokens + excluded.tokens,
      amount = h.amount + excluded.amount, failed = h.failed + excluded.failed, largest = greatest(h.largest, excluded.largest)
  ), by_day as (
    insert into gateway_usage_days as d (account_id, day, model, key_id, calls, tokens, amount, failed, largest)
    select account_id, gateway_shanghai_day(hour), model, key_id, sum(calls), sum(tokens), sum(amount), sum(failed), max(largest) from hours group by 1, 2, 3, 4 order by 1, 2, 3, 4
    on conflict (account_id, day, model, key_id) do update set calls = d.calls + excluded.calls, tokens = d.tokens + excluded.tokens,
      amount = d.amount + excluded.amount, failed = d.failed + excluded.failed, largest = greatest(d.largest, excluded.largest)
  ) select coalesce(sum(n), 0) into v_rows from hours;
  return v_rows;
end $$;

-- What usage rows of a key come to in the day named and in its month: summed and not yet summed, in one snapshot.
create or replace function gateway_key_spent(p_key text, p_account bigint, p_day date, out day_spent bigint, out month_spent bigint) language sql stable as $$
  select coalesce(sum(amount) filter (where day = p_day), 0)::bigint, coalesce(sum(amount), 0)::bigint from (
    select d.day, d.amount from gateway_usage_days d
      where d.key_id = p_key and d.day >= date_trunc('month', p_day)::date and d.day < (date_trunc('month', p_day) + interval '1 month')::date
    union all
    select gateway_shanghai_day(u.hour), u.amount from gateway_unsummed u
      where u.account_id = p_account and u.key_id = p_key and date_trunc('month', gateway_shanghai_day(u.hour)) = date_trunc('month', p_day)
  ) s
$$;

-- As before but for what a budget has been used: it was read in two statements, and a call that ended between them was in neither.
-- Takes calls within the limits of their keys, in the order given; a verdict each: taken, or the limit that stands in the way
-- (requests, tokens, concurrency, day, month). A minute is the running second and the 59 before it, by this server's clock. The
-- limits are read under the lock: a change holds from the next call on, whatever a process has in its memory.
create or replace function gateway_take(p_node text, p_call text[], p_key text[], p_held bigint[], p_tokens bigint[], p_started float8[])
returns table (n int, verdict text, bound bigint, used bigint, retry_ms bigint, second bigint,
  requests_limit bigint, requests_left bigint, requests_reset_ms bigint, tokens_limit bigint, tokens_left bigint, tokens_reset_ms bigint)
language plpgsql set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  v_key text;
  v_lim gateway_keys;
  v_min gateway_key_minutes;
  v_now bigint;
  v_requests bigint;
  v_tokens bigint;
  v_counted bigint;
  v_open bigint;
  v_day date;
  v_known date;
  v_day_used bigint;
  v_month_used bigint;
  v_last bigint;
  v_taken int[];
  v_days date[];
begin
  for v_key in select distinct k from unnest(p_key) k order by k loop
    insert into gateway_key_minutes (key_id, second, requests, tokens) values (v_key, 0, array_fill(0, array[60]), array_fill(0::bigint, array[60]))
      on conflict (key_id) do nothing;
    select * into v_min from gateway_key_minutes where key_id = v_key for update;
    select * into v_lim from gateway_keys where key_id = v_key;
    v_now := floor(extract(epoch from clock_timestamp()) * 1000);
    second := greatest(v_now / 1000, v_min.second);
    for ago in 0 .. least(60, second - v_min.second) - 1 loop
      v_min.requests[(second - ago) % 60 + 1] := 0;
      v_min.tokens[(second - ago) % 60 + 1] := 0;
    end loop;
    select coalesce(sum(r), 0) into v_requests from unnest(v_min.requests) r;
    select coalesce(sum(t), 0) into v_tokens from unnest(v_min.tokens) t;
    v_open := (select count(*) from gateway_takes where key_id = v_key);
    v_known := null;
    v_taken := '{}';
    v_days := '{}';
    for n in select i from unnest(p_key) with ordinality k (key_id, i) where k.key_id = v_key order by i loop
      v_day := (to_timestamp(p_started[n] / 1000.0) at time zone 'Asia/Shanghai')::date;
      if v_known is distinct from v_day and coalesce(v_lim.day_budget, v_lim.month_budget) is not null then
        v_known := v_day;
        -- One statement: of a call that ends meanwhile, its row or its promise is seen, or both, and never neither.
        select s.day_spent + h.day_held, s.month_spent + h.month_held into v_day_used, v_month_used
        from gateway_key_spent(v_key, v_lim.account_id, v_day) s cross join (
          select coalesce(sum(held) filter (where day = v_day), 0) as day_held, coalesce(sum(held), 0) as month_held from (
            select day, held from gateway_takes where key_id = v_key
            union all select d, p_held[c] from unnest(v_taken, v_days) t (c, d)) taken where date_trunc('month', day) = date_trunc('month', v_day)) h;
      end if;
      v_counted := case when v_lim.tokens_minute is null then 0 else p_tokens[n] end;
      verdict := 'taken';
      bound := null;
      used := null;
      retry_ms := null;
      if v_open >= v_lim.calls_at_once then
        verdict := 'concurrency'; bound := v_lim.calls_at_once; used := v_open; retry_ms := 1000;
      elsif v_requests >= v_lim.requests_minute then
        verdict := 'requests'; bound := v_lim.requests_minute; used := v_requests;
        retry_ms := gateway_frees_in(v_min.requests::bigint[], second, v_now, v_requests + 1 - bound);
      elsif v_tokens + v_counted > v_lim.tokens_minute then
        verdict := 'tokens'; bound := v_lim.tokens_minute; used := v_tokens;
        retry_ms := case when v_counted <= bound then gateway_frees_in(v_min.tokens, second, v_now, v_tokens + v_counted - bound) end;
      elsif v_day_used + p_held[n] > v_lim.day_budget then
        verdict := 'day'; bound := v_lim.day_budget; used := v_day_used;
      elsif v_month_used + p_held[n] > v_lim.month_budget then
        verdict := 'month'; bound := v_lim.month_budget; used := v_month_used;
      else
        v_open := v_open + 1;
        v_requests := v_requests + 1;
        v_tokens := v_tokens + v_counted;
        v_day_used := v_day_used + p_held[n];
        v_month_used := v_month_used + p_held[n];
        v_min.requests[second % 60 + 1] := v_min.requests[second % 60 + 1] + 1;
        v_min.tokens[second % 60 + 1] := v_min.tokens[second % 60 + 1] + v_counted;
        v_taken := v_taken || n;
        v_days := v_days || v_day;
      end if;
      requests_limit := v_lim.requests_minute;
      requests_left := greatest(0, v_lim.requests_minute - v_requests);
      requests_reset_ms := gateway_frees_in(v_min.requests::bigint[], second, v_now, v_requests);
      tokens_limit := v_lim.tokens_minute;
      tokens_left := greatest(0, v_lim.tokens_minute - v_tokens);
      tokens_reset_ms := gateway_frees_in(v_min.tokens, second, v_now, v_tokens);
      return next;
    end loop;
    update gateway_key_minutes set second = gateway_take.second, requests = v_min.requests, tokens = v_min.tokens where key_id = v_key;
    insert into gateway_takes (call_id, key_id, node, day, held, tokens, second)
      select p_call[c], v_key, p_node, d, p_held[c], case when v_lim.tokens_minute is null then 0 else p_tokens[c] end, gateway_take.second
      from unnest(v_taken, v_days) t (c, d);
  end loop;
end $$;
