-- Prices negotiated with a customer: a share of the list from a time on, of one model or of all. What a share makes of a list price is a price
-- row of its own, so that a call is held, charged and swept by one version as every other is.

create table gateway_price_terms (
  id bigint generated always as identity primary key,
  user_id text not null,
  -- Null: every model, but those that have terms of their own.
  model_id text references gateway_models,
  valid_from timestamptz not null,
  -- Of the list; a million is the list itself.
  millionths int not null check (millionths between 10000 and 1000000),
  title text not null check (length(title) between 1 and 80),
  -- Dearer than before: the customer was told in time.
  rises boolean not null,
  made_by text not null,
  made_at timestamptz not null default now(),
  -- Taken back before it held.
  dropped_at timestamptz,
  dropped_by text,
  check ((dropped_at is null) = (dropped_by is null))
);
create unique index gateway_price_terms_title on gateway_price_terms (user_id, title, coalesce(model_id, ''));
create index gateway_price_terms_of on gateway_price_terms (user_id, coalesce(model_id, ''), valid_from desc, id desc) where dropped_at is null;
create index gateway_price_terms_next on gateway_price_terms (valid_from) where dropped_at is null;
revoke delete, truncate on gateway_price_terms from mingxi_app;

create function gateway_guard_price_term() returns trigger language plpgsql as $$
begin
  if (new.id, new.user_id, new.model_id, new.valid_from, new.millionths, new.title, new.rises, new.made_by, new.made_at)
     is distinct from (old.id, old.user_id, old.model_id, old.valid_from, old.millionths, old.title, old.rises, old.made_by, old.made_at) or old.dropped_at is not null then
    raise exception 'what was negotiated is frozen' using errcode = 'check_violation';
  end if;
  if old.valid_from <= now() then
    raise exception 'terms % hold already', old.id using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger gateway_price_terms_guard before update on gateway_price_terms for each row execute function gateway_guard_price_term();
create trigger gateway_price_terms_news after insert or update on gateway_price_terms for each statement execute function gateway_prices_changed();

alter table gateway_prices add column of_version bigint references gateway_prices, add column millionths int check (millionths between 10000 and 999999);
alter table gateway_prices add check ((of_version is null) = (millionths is null));
alter table gateway_prices add constraint gateway_prices_share unique (of_version, millionths);

-- The list alone: shares follow it.
create or replace view gateway_prices_kept as select p.* from gateway_prices p
  where p.of_version is null and not exists (select from gateway_price_drops d where d.version = p.version);

create function gateway_share(prices bigint[], millionths int) returns bigint[] language sql immutable strict as $$
  select array(select ceil(price::numeric * millionths / 1000000)::bigint from unnest(prices) with ordinality as each (price, at) order by at)
$$;

-- Whichever comes second, a list price or a share of it, makes the row of both. One at a time, so that each sees the other.
create function gateway_share_prices() returns trigger language plpgsql as $$
declare
  v_version bigint := case tg_table_name when 'gateway_prices' then (to_jsonb(new)->>'version')::bigint end;
  v_term bigint := case tg_table_name when 'gateway_price_terms' then (to_jsonb(new)->>'id')::bigint end;
begin
  perform pg_advisory_xact_lock(hashtextextended('gateway_price_terms', 0));
  insert into gateway_prices (model_id, valid_from, classes, long_above, long_classes, source, factors, of_version, millionths)
  select distinct l.model_id, l.valid_from, gateway_share(l.classes, t.millionths), l.long_above, gateway_share(l.long_classes, t.millionths),
      'share:' || l.version || ':' || t.millionths, l.factors, l.version, t.millionths
    from gateway_price_terms t join gateway_prices_kept l on t.model_id is null or t.model_id = l.model_id
    where t.millionths < 1000000 and t.dropped_at is null and (v_version is null or l.version = v_version) and (v_term is null or t.id = v_term)
  on conflict on constraint gateway_prices_share do nothing;
  return null;
end $$;
create trigger gateway_prices_shares after insert on gateway_prices for each row when (new.of_version is null) execute function gateway_share_prices();
create trigger gateway_price_terms_shares after insert on gateway_price_terms for each row execute function gateway_share_prices();

-- Who was told of a plan that makes a model dearer which they use, and that it was taken back.
create table gateway_price_notices (
  source text not null,
  user_id text not null,
  told_at timestamptz not null default now(),
  taken_back_at timestamptz,
  primary key (source, user_id)
);
