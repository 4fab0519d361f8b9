-- A process that was taken for dead may come back with real figures. Its death is final for its name, calls swept in its absence stay
-- correctable, and each correction is one transaction: dedupe row, usage row, sums and money (decision "A later, real figure wins").

alter table gateway_nodes add column dead_at timestamptz;

create function gateway_dead_is_final() returns trigger language plpgsql as $$
begin
  if old.dead_at is not null and (new.dead_at is distinct from old.dead_at or new.beat_at <> old.beat_at) then
    raise exception using errcode = 'GW002', message = 'node ' || old.node || ' was declared dead';
  end if;
  return new;
end $$;
create trigger dead_is_final before update on gateway_nodes for each row execute function gateway_dead_is_final();

-- Money is drawn under the name of a living process only. A name that was declared dead draws nothing more.
create function gateway_lease_needs_node() returns trigger language plpgsql as $$
begin
  if not exists (select from gateway_nodes n where n.node = new.node and n.dead_at is null) then
    raise exception using errcode = 'GW002', message = 'no living node ' || new.node;
  end if;
  return new;
end $$;
create trigger needs_node before insert or update of node on gateway_leases for each row execute function gateway_lease_needs_node();

-- The process behind a dead name goes on under a new one and takes over what is left of its leases, to end them. A sweeper that is
-- ending one of them is waited for. Idempotent for the same pair of names.
create function gateway_return(p_was text, p_node text, out leases int, out calls int) language plpgsql as $$
begin
  insert into gateway_nodes (node) values (p_node) on conflict (node) do nothing;
  update gateway_leases set node = p_node where node = p_was;
  get diagnostics leases = row_count;
  update gateway_calls set node = p_node where node = p_was;
  get diagnostics calls = row_count;
  delete from gateway_nodes where node = p_was;
end $$;

-- When a sweeper last looked at the lease of a dead node: while its process may come back, vendors are not asked every second.
alter table gateway_leases add column looked_at timestamptz;

-- Calls that the sweeper ended in the place of their process. `vendor`: by the vendor's own figure. `none`: the vendor knows no such
-- call or billed nothing for it. `hold`: nothing was known in time and the hold was charged provisionally, work for an operator until it is resolved.
create table gateway_swept (
  account_id bigint not null references wallet_accounts,
  call_id text not null,
  started_at timestamptz not null,
  lease_id bigint not null,
  node text not null,
  basis text not null check (basis in ('vendor', 'none', 'hold')),
  amount bigint not null check (amount >= 0),
  swept_at timestamptz not null default now(),
  -- When the vendor was last asked again.
  asked_at timestamptz not null default now(),
  -- `node`: the process came back with its own figure. `vendor`: the vendor named one later. `operator`: decided by hand.
  resolved_by text check (resolved_by in ('node', 'vendor', 'operator')),
  resolved_at timestamptz,
  primary key (account_id, call_id),
  check ((resolved_by is null) = (resolved_at is null))
);
create index gateway_swept_open on gateway_swept (node, swept_at) where basis = 'hold' and resolved_at is null;

-- What a usage row said before it was corrected. The row itself shows the later, real figure.
create table gateway_corrections (
  account_id bigint not null references wallet_accounts,
  call_id text not null,
  no int not null check (no > 0),
  at timestamptz not null default now(),
  started_at timestamptz not null,
  lease_id bigint not null,
  cause text not null check (cause in ('node', 'vendor', 'operator')),
  by text not null,
  amount_before bigint not null check (amount_before >= 0),
  amount_after bigint not null check (amount_after >= 0),
  -- The whole row as it was.
  before jsonb not null,
  xact xid8 not null default pg_current_xact_id(),
  primary key (account_id, call_id, no)
);
create index gateway_corrections_at on gateway_corrections (at);
call make_append_only('gateway_corrections');
revoke insert on gateway_corrections from mingxi_app;

-- A usage row changes by a correction that was written in the same transaction, and in its figures only.
create function gateway_usage_rewrite() returns trigger language plpgsql as $$
begin
  if tg_op <> 'UPDATE'
    or (new.call_id, new.account_id, new.started_at, new.settled_at, new.lease_id, new.user_id, new.key_id, new.model, new.asked_model, new.price_version)
      is distinct from (old.call_id, old.account_id, old.started_at, old.settled_at, old.lease_id, old.user_id, old.key_id, old.model, old.asked_model, old.price_version)
    or not exists (select from gateway_corrections c where c.account_id = new.account_id and c.call_id = new.call_id
      and c.xact = pg_current_xact_id() and (c.amount_before, c.amount_after) = (old.amount, new.amount)) then
    raise exception '% is append-only', tg_table_name using errcode = 'insufficient_privilege';
  end if;
  return new;
end $$;
drop trigger append_only on gateway_usage;
create trigger append_only before update or delete on gateway_usage for each row execute function gateway_usage_rewrite();

-- A correction waits for its sums as a row without a call.
do $$ declare v_name name; begin
  for v_name in select conname from pg_constraint where conrelid = 'gateway_unsummed'::regclass and contype = 'c' loop
    execute format('alter table gateway_unsummed drop constraint %I', v_name);
  end loop;
end $$;
alter table gateway_unsummed add constraint gateway_unsummed_figures check (
  calls > 0 and amount >= 0 and failed between 0 and calls and largest between 0 and amount
  or calls = 0 and failed between -1 and 1 and largest >= 0);

-- Gives back what a lease was charged too much, to the lots it came from; what was never paid and is still owed is forgiven first.
create function gateway_give_back(p_account bigint, p_lease bigint, p_amount bigint, p_ref text) returns void language plpgsql
set plan_cache_mode = force_generic_plan as $$
declare
  v_owner text := (select owner from wallet_accounts where id = p_account);
  v_left bigint := p_amount;
  v_part bigint;
  v_debt bigint;
  v_txn record;
  v_legs jsonb := '[]';
begin
  -- What waits to be posted first: only a charge that was taken can be given back.
  perform gateway_post(array[p_account], array[p_lease]);
  perform wallet_lock(array[p_account]);
  for v_txn in
    select c.transaction_id as id, sum(c.debt)::bigint as debt, (select coalesce(sum(u.amount), 0) from wallet_lot_uses u
        where u.account_id = p_account and (u.undoes = c.transaction_id or u.undoes is null and u.transfer_id in (select t.id from wallet_transfers t where t.transaction_id = c.transaction_id)))::bigint as taken
    from wallet_captures c where c.account_id = p_account and c.kind = 'gateway.usage' and c.hold_id = 'gateway.lease.' || p_lease
    group by c.transaction_id order by c.transaction_id desc
  loop
    v_debt := least(v_left, v_txn.debt, greatest(0, coalesce((select -r.posted from wallet_accounts r where r.owner = v_owner and r.kind = 'receivable' and r.currency = 'USD'), 0)
      - coalesce((select sum((l ->> 'amount')::bigint) from jsonb_array_elements(v_legs) l where l ->> 'credit_kind' = 'receivable'), 0)));
    if v_debt > 0 then
      v_legs := v_legs || jsonb_build_object('debit_owner', 'system', 'debit_kind', 'revenue', 'credit_owner', v_owner, 'credit_kind', 'receivable', 'amount', v_debt::text);
      v_left := v_left - v_debt;
    end if;
    v_part := least(v_left, v_txn.taken);
    if v_part > 0 then
      v_legs := v_legs || jsonb_build_object('debit_owner', 'system', 'debit_kind', 'revenue', 'credit_owner', v_owner, 'credit_kind', 'customer', 'amount', v_part::text, 'undoes', v_txn.id::text);
      v_left := v_left - v_part;
    end if;
    exit when v_left = 0;
  end loop;
  -- Paid as a debt that was settled since: which lots settled it is not known, so it comes back as credit that cannot be withdrawn.
  if v_left > 0 then
    v_legs := v_legs || jsonb_build_object('debit_owner', 'system', 'debit_kind', 'revenue', 'credit_owner', v_owner, 'credit_kind', 'customer', 'amount', v_left::text, 'lot_kind', 'granted');
  end if;
  perform wallet_post('gateway.correction', p_ref, v_legs);
end $$;

-- Puts a real figure in the place of what a call was charged: `corrected`, `equal` (the same figure), `kept` (what stands is final, or as
-- good) or `unknown` (no such row). `p_new` has figures by column; absent ones stay. The row's lock orders correctors. A process corrects what was
-- written in its place, once, and a vendor's own figure only by another one; a vendor's figure corrects a hold or a sweep to zero.
create function gateway_correct(p_account bigint, p_call text, p_started timestamptz, p_cause text, p_by text, p_new jsonb, out outcome text, out difference bigint)
language plpgsql security definer set search_path = public, pg_temp set plan_cache_mode = force_generic_plan as $$
declare
  v_old gateway_usage;
  v_new gateway_usage;
  v_swept gateway_swept;
  v_no int;
begin
  difference := 0;
  select * into v_old from gateway_usage u where u.account_id = p_account and u.started_at = p_started and u.call_id = p_call for update;
  if v_old.call_id is null then outcome := 'unknown'; return; end if;
  select * into v_swept from gateway_swept s where s.account_id = p_account and s.call_id = p_call for update;
  v_new := jsonb_populate_record(v_old, p_new);
  outcome := 'kept';
  if v_swept.call_id is null then
    -- Rows swept to zero before sweeps were noted: a sweeper's row has no request id.
    if p_cause = 'node' or v_old.amount <> 0 or v_old.request_id <> '' or v_old.outcome <> 'upstream_cut' or v_old.status <> 500 then return; end if;
    insert into gateway_swept (account_id, call_id, started_at, lease_id, node, basis, amount, swept_at)
      values (p_account, p_call, p_started, v_old.lease_id, '', 'none', 0, v_old.settled_at) returning * into v_swept;
  elsif v_swept.resolved_by in ('node', 'operator') then
    return;
  elsif coalesce(v_swept.resolved_by, v_swept.basis) = 'vendor' and (p_cause <> 'node' or v_new.provenance not in ('upstream', 'counted') or v_new.lines = '{}') then
    return;
  end if;
  update gateway_swept s set resolved_by = p_cause, resolved_at = now() where s.account_id = p_account and s.call_id = p_call;
  difference := v_new.amount - v_old.amount;
  if v_new is not distinct from v_old then outcome := 'equal'; return; end if;
  outcome := 'corrected';
  select coalesce(max(c.no), 0) + 1 into v_no from gateway_corrections c where c.account_id = p_account and c.call_id = p_call;
  insert into gateway_corrections (account_id, call_id, no, started_at, lease_id, cause, by, amount_before, amount_after, before)
    values (p_account, p_call, v_no, p_started, v_old.lease_id, p_cause, p_by, v_old.amount, v_new.amount, to_jsonb(v_old));
  update gateway_usage u set upstream = v_new.upstream, dialect = v_new.dialect, stream = v_new.stream, status = v_new.status, outcome = v_new.outcome, provenance = v_new.provenance,
    amount = v_new.amount, input_tokens = v_new.input_tokens, cached_tokens = v_new.cached_tokens, output_tokens = v_new.output_tokens, reasoning_tokens = v_new.reasoning_tokens,
    lines = v_new.lines, request_id = v_new.request_id, upstream_request_id = v_new.upstream_request_id, first_byte_ms = v_new.first_byte_ms, total_ms = v_new.total_ms
    where u.account_id = p_account and u.started_at = p_started and u.call_id = p_call;
  insert into gateway_unsummed (account_id, hour, model, key_id, calls, tokens, amount, failed, largest)
    values (p_account, date_trunc('hour', p_started, 'UTC'), v_old.model, v_old.key_id, 0, v_new.input_tokens + v_new.output_tokens - v_old.input_tokens - v_old.output_tokens,
      difference, (v_new.outcome <> 'completed')::int - (v_old.outcome <> 'completed')::int, v_new.amount);
  if difference > 0 then
    insert into gateway_unposted (lease_id, account_id, amount) values (v_old.lease_id, p_account, difference);
  elsif difference < 0 then
    perform gateway_give_back(p_account, v_old.lease_id, - difference, p_call || ':' || v_no);
  end if;
end $$;
