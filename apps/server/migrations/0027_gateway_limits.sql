-- Gateway: limits of a key. What cannot change between two looks (expiry, models, networks) is checked in each process's memory;
-- what is counted (requests and tokens a minute, calls at once, dollars a day and a month) is counted here, under a lock of
-- the key, one round trip for all that wait in a process (decision "Limits are counted where they are atomic").

alter table gateway_keys
  add column expires_at timestamptz,
  -- Ids, `vendor/*` or the beginning of ids followed by `*`; null: every model.
  add column models text[] check (cardinality(models) > 0),
  -- Addresses or networks in CIDR form, IPv4 and IPv6; null: from everywhere.
  add column networks text[] check (cardinality(networks) > 0),
  add column requests_minute int check (requests_minute > 0),
  add column tokens_minute bigint check (tokens_minute > 0),
  add column calls_at_once int check (calls_at_once > 0),
  -- Nano-dollars of a Shanghai day and of a Shanghai month.
  add column day_budget bigint check (day_budget > 0),
  add column month_budget bigint check (month_budget > 0);

drop trigger gateway_keys_changed on gateway_keys;
create trigger gateway_keys_changed after update of deleted_at, on_disconnect, account_id, expires_at, models, networks, requests_minute, tokens_minute,
  calls_at_once, day_budget, month_budget on gateway_keys for each row execute function gateway_key_changed();

-- Calls under way of keys that are counted. What they may cost is reserved against the key's budgets until the usage row is
-- there; a row of a process that died goes when the sweeper has ended its call.
create table gateway_takes (
  call_id text primary key,
  key_id text not null,
  node text not null,
  taken_at timestamptz not null default now(),
  -- Shanghai day on which the call began: its usage row counts there too.
  day date not null,
  held bigint not null check (held >= 0),
  -- Tokens counted when it began, and the second in which; 0 where the key has no limit of tokens.
  tokens bigint not null check (tokens >= 0),
  second bigint not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
create index gateway_takes_key on gateway_takes (key_id);
create index gateway_takes_node on gateway_takes (node);

-- The last sixty seconds of a key, a slot a second. Its row is the lock under which the key is counted.
create table gateway_key_minutes (
  key_id text primary key,
  second bigint not null,
  requests int[] not null,
  tokens bigint[] not null
) with (fillfactor = 50);

create index gateway_usage_days_key on gateway_usage_days (key_id, day);

-- What usage rows of a key come to in the day named and in its month: posted and not yet posted, in one snapshot.
create function gateway_key_spent(p_key text, p_account bigint, p_day date, out day_spent bigint, out month_spent bigint) language sql stable as $$
  select coalesce(sum(amount) filter (where day = p_day), 0)::bigint, coalesce(sum(amount), 0)::bigint from (
    select d.day, d.amount from gateway_usage_days d
      where d.key_id = p_key and d.day >= date_trunc('month', p_day)::date and d.day < (date_trunc('month', p_day) + interval '1 month')::date
    union all
    select gateway_shanghai_day(u.hour), u.amount from gateway_leases l join gateway_unposted u on u.lease_id = l.lease_id
      where l.account_id = p_account and u.key_id = p_key and date_trunc('month', gateway_shanghai_day(u.hour)) = date_trunc('month', p_day)
  ) s
$$;

-- Milliseconds until `p_more` of what the window holds have left it; null when that is more than it holds.
create function gateway_frees_in(p_slots bigint[], p_second bigint, p_now_ms bigint, p_more bigint) returns bigint language plpgsql immutable as $$
declare
  v_left bigint := p_more;
begin
  if p_more <= 0 then return 0; end if;
  for ago in reverse 59 .. 0 loop
    v_left := v_left - p_slots[(p_second - ago) % 60 + 1];
    if v_left <= 0 then return greatest(1, (p_second - ago + 60) * 1000 - p_now_ms); end if;
  end loop;
  return null;
end $$;

-- Takes calls within the limits of their keys, in the order given; a verdict each: taken, or the limit that stands in the way
-- (requests, tokens, concurrency, day, month). A minute is the running second and the 59 before it, by this server's clock. The
-- limits are read under the lock: a change holds from the next call on, whatever a process has in its memory.
create function gateway_take(p_node text, p_call text[], p_key text[], p_held bigint[], p_tokens bigint[], p_started float8[])
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
        select day_spent, month_spent into v_day_used, v_month_used from gateway_key_spent(v_key, v_lim.account_id, v_day);
        select v_day_used + coalesce(sum(held) filter (where day = v_day), 0), v_month_used + coalesce(sum(held), 0) into v_day_used, v_month_used from (
          select day, held from gateway_takes where key_id = v_key
          union all select d, p_held[c] from unnest(v_taken, v_days) t (c, d)) h where date_trunc('month', day) = date_trunc('month', v_day);
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

-- Calls that came to their end: their slots and reserved dollars are free, and the tokens of their minute are what they
-- really were. May be said twice.
create function gateway_end_takes(p_call text[], p_tokens bigint[]) returns void language plpgsql set plan_cache_mode = force_generic_plan as $$
declare
  v_gone record;
begin
  for v_gone in
    with gone as (
      delete from gateway_takes t using unnest(p_call, p_tokens) u (call_id, came) where t.call_id = u.call_id
      returning t.key_id, t.second, u.came - t.tokens as more, t.tokens
    ) select key_id, second, sum(more)::bigint as more from gone where tokens > 0 group by key_id, second having sum(more) <> 0 order by key_id, second
  loop
    update gateway_key_minutes m set tokens[v_gone.second % 60 + 1] = greatest(0, m.tokens[v_gone.second % 60 + 1] + v_gone.more)
      where m.key_id = v_gone.key_id and m.second - v_gone.second < 60;
  end loop;
end $$;
