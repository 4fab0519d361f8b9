-- Who may not sign up or in: networks, mail domains, devices of a customer. Each has an end, an owner and a reason in the audit.

create table risk_blocks (
  id text primary key check (id ~ '^rbl_[0-9A-Z]{26}$'),
  kind text not null check (kind in ('network','mailDomain','device')),
  -- 203.0.113.0/24, example.com, or the customer whose devices they are.
  value text not null check (length(value) between 1 and 253),
  -- Of a device: what its name hashes to, under each key of the installation.
  digests bytea[] not null default '{}',
  note text not null default '' check (length(note) <= 200),
  made_by text not null,
  made_at timestamptz not null,
  ends_at timestamptz not null check (ends_at > made_at and ends_at <= made_at + interval '366 days'),
  lifted_at timestamptz,
  lifted_by text,
  check ((kind = 'device') = (cardinality(digests) > 0)),
  check ((lifted_at is null) = (lifted_by is null))
);
create unique index risk_blocks_kept on risk_blocks (kind, value) where lifted_at is null;
revoke delete, truncate on risk_blocks from mingxi_app;

-- Counters know nobody by name; a locked sign-in is found by what its account would count as.
-- `convert_to` is only stable by name: with a fixed encoding its answer never changes.
create function account_counted_as(subject text) returns bytea language sql immutable strict parallel safe as $$
  select sha256(convert_to(subject, 'UTF8'))
$$;
create index account_identities_counted on account_identities (account_counted_as(subject));
